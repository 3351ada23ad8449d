"""The commands of the built-in add-ons: `split`, `learning-curve`, `verify`, `conform` and `serve`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import completion
from rankconv.cli import options as o
from rankconv.cli.command_table import Panel, command
from rankconv.cli.data_options import DataOptions, at_cutoffs
from rankconv.cli.printing import clock, print_json, print_page, print_result, say


@command(Panel.EXPERIMENTS, "Split ratings into training data and labels")
def split(
    ratings: o.RatingsOption,
    output: o.OutputFileOption,
    data: DataOptions,
    protocol: o.ProtocolOption = "base",
    form: o.PlainFormOption = o.PlainFormat.text,
    file_format: o.FileFormatOption = "csv",
    force: o.ForceOption = False,
    seed: o.SeedOption = 0,
) -> None:
    """Split ratings into training data and labels by a protocol, and write them with split.json into a folder."""
    from rankconv.addons.protocols.pages import split_page, write
    from rankconv.addons.protocols.presets import protocol as named

    chosen = named(protocol)
    made = chosen.split(data.ratings(ratings), seed)
    written = write(made, output, file_format, force=force)
    if form == "json":
        print_json(written)
    elif not data.quiet:
        print_page(split_page(made, written["files"], str(output)))


@command(Panel.EXPERIMENTS, "Evaluate recommenders after 1, 2, … ratings")
def learning_curve(
    ratings: o.RatingsOption,
    data: DataOptions,
    recommender: o.RecommendersOption = [],
    protocol: o.ProtocolOption = "fastml",
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    form: o.PointsFormOption = o.PointsFormat.text,
    digits: o.DigitsOption = 4,
    plot: o.PlotOption = None,
    n_resamples: o.ResamplesOption = 1000,
    seed: o.SeedOption = 0,
    on_error: o.ErrorsOption = o.OnError.stop,
) -> None:
    """Evaluate recommenders after 1, 2, … ratings of each user, by a protocol."""
    from rankconv import protocols
    from rankconv.addons.protocols.presets import protocol as named

    divided = named(protocol).split(data.ratings(ratings), seed)
    how: dict[str, Any] = {"on_error": on_error.value, "n_resamples": n_resamples}
    requested = recommender or None, at_cutoffs(metric, k) or None, preset or None
    found = protocols.learning_curve(divided, *requested, progress=data.progress, **how)
    print_result(found, form, digits)
    if plot is not None:
        found.plot(plot)


@command(Panel.VALIDATE, "Verify an installed library against its preset")
def verify(
    preset: Annotated[
        str, typer.Argument(metavar="PRESET", help="Preset of the library", autocompletion=completion.libraries)
    ],
    data: DataOptions,
    labels: Annotated[Path | None, typer.Argument(metavar="LABELS", help="Labels: a file of any format")] = None,
    run: o.OptionalRunOption = None,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    form: o.FormOption = o.Format.text,
    random: o.RandomOption = None,
    seed: o.SeedOption = 0,
    hostile: o.HostileOption = False,
) -> None:
    """Verify an installed library against its preset. Exit code 1 where values differ."""
    import rankconv as rc
    from rankconv.addons.verification.verify import definitions_to_verify

    specs = at_cutoffs(metric, k)
    definitions_to_verify(preset, specs or None)
    known = None if labels is None else data.labels(labels)
    ranked = None if run is None else data.run(run)
    with clock("Verifying", data.progress):
        found = rc.verify(preset, known, ranked, specs or None, random=random, seed=seed, hostile=hostile)
    if found.other_version and not data.quiet:
        say(found.version_note)
    print_result(found, form)
    if not found.ok:
        raise typer.Exit(1)


@command(Panel.VALIDATE, "Identify the definitions that another program implements", shared="progress quiet plugin")
def conform(
    program: o.HarnessOption,
    data: DataOptions,
    metric: o.MetricsOption = [],
    form: o.FormOption = o.Format.text,
    digits: o.DigitsOption = 4,
    time_limit: o.TimeLimitOption = 10.0,
    search_limit: o.SearchLimitOption = 45.0,
    vectors: o.VectorsOption = None,
) -> None:
    """Identify the definitions that another program implements, from its replies to the conformance vectors.

    A metric with a preset or settings, -m trec_eval:ndcg, is what the program is held to. Exit code 0: all replies are
    those of one definition by metric; 1: some differ; 2: a mistake, or a program that hangs, crashes or writes other
    lines.
    """
    from rankconv.addons.conformance.conform import conform as conform_program
    from rankconv.addons.conformance.vectors import read_vectors

    cases = None if vectors is None else read_vectors(vectors)
    with clock("Waiting for replies", data.progress):
        found = conform_program(program, metric, time_limit=time_limit, search_limit=search_limit, cases=cases)
    print_result(found, form, digits)
    if not found.ok:
        raise typer.Exit(found.exit_code)


@command(Panel.APP, "Serve the playground to a browser on this machine", shared="plugin")
def serve(port: o.PortOption = 8421, open_: o.OpenOption = False) -> None:
    """Serve the playground to a browser on this machine until Ctrl-C."""
    from rankconv.addons.playground.playground_app import serve as serve_playground

    def ready(address: str) -> None:
        print(f"The playground is at {address}, until Ctrl-C.", flush=True)
        if open_:
            import webbrowser

            webbrowser.open(address)

    serve_playground(port, ready)
