"""The commands of the built-in add-ons: `split`, `learning-curve`, `verify`, `conform` and `serve`."""

import json
import webbrowser
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from rankconv.cli import options as o
from rankconv.cli.data import Data, at_cutoffs, data_options
from rankconv.cli.printing import clock, print_json, print_page, print_result, say
from rankconv.errors import InputError, nearest


@data_options("")
def split(
    ratings: o.Ratings,
    output: o.OutputFile,
    data: Data,
    protocol: o.Protocol = "base",
    form: o.PlainForm = o.PlainFormat.text,
    file_format: o.FileFormat = "csv",
    force: o.Force = False,
    seed: o.Seed = 0,
) -> None:
    """Split ratings into training data and labels by a protocol, and write them with split.json into a folder."""
    from rankconv.protocols.pages import split_page, write
    from rankconv.protocols.presets import protocol as named

    chosen = named(protocol)
    made = chosen.split(data.ratings(ratings), seed)
    written = write(made, output, file_format, force=force)
    if form == "json":
        print_json(written)
    elif not data.quiet:
        print_page(split_page(made, written["files"], str(output)))


@data_options("")
def learning_curve(
    ratings: o.Ratings,
    data: Data,
    recommender: o.Recommenders = [],
    protocol: o.Protocol = "fastml",
    metric: o.Metrics = [],
    k: o.Cutoffs = "",
    preset: o.Presets = [],
    form: o.PointsForm = o.PointsFormat.text,
    digits: o.Digits = 4,
    plot: o.Plot = None,
    rows: o.Rows = None,
    jobs: o.Jobs = 1,
    n_resamples: o.Resamples = 1000,
    seed: o.Seed = 0,
    on_error: o.Errors = o.OnError.stop,
) -> None:
    """Evaluate recommenders after 1, 2, … ratings of each user, by a protocol."""
    from rankconv import protocols
    from rankconv.protocols.presets import protocol as named

    divided = named(protocol).split(data.ratings(ratings), seed)
    how: dict[str, Any] = {"rows": rows, "jobs": jobs, "on_error": on_error.value, "n_resamples": n_resamples}
    requested = recommender or None, at_cutoffs(metric, k) or None, preset or None
    found = protocols.learning_curve(divided, *requested, progress=data.progress, **how)
    if plot is not None:
        found.plot(plot)
    print_result(found, form, digits)


@data_options("")
def verify(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="Preset of the library")],
    data: Data,
    labels: Annotated[Path | None, typer.Argument(metavar="LABELS", help="Labels: a file of any format")] = None,
    run: o.OptionalRun = None,
    metric: o.Metrics = [],
    k: o.Cutoffs = "",
    form: o.Form = o.Format.text,
    random: o.Random = None,
    seed: o.Seed = 0,
) -> None:
    """Verify an installed library against its preset. Exit code 1 where values differ."""
    import rankconv as rc
    from rankconv.verification.verification import other_version
    from rankconv.verification.verify import definitions_to_verify

    specs = at_cutoffs(metric, k)
    definitions_to_verify(preset, specs or None)
    known = None if labels is None else data.labels(labels)
    ranked = None if run is None else data.run(run, labels)
    with clock("Verifying", data.progress):
        found = rc.verify(preset, known, ranked, specs or None, random=random, seed=seed)
    if found.other_version and not data.quiet:
        say(other_version(found))
    print_result(found, form)
    if not found.ok:
        raise typer.Exit(1)


@data_options("", "progress quiet plugin")
def conform(
    program: o.Harness,
    data: Data,
    metric: o.Metrics = [],
    form: o.Form = o.Format.text,
    digits: o.Digits = 4,
    badge: o.Badge = None,
    time_limit: o.TimeLimit = 10.0,
    vectors: o.Vectors = None,
) -> None:
    """Identify the definitions that another program implements, from its replies to the conformance vectors.

    A metric with a preset or settings, -m trec_eval:ndcg, is what the program is held to. Exit code 0: all replies are
    those of one definition by metric; 1: some differ; 2: a mistake, or a program that hangs, crashes or writes other
    lines.
    """
    from rankconv.conformance.conform import conform as conform_program
    from rankconv.conformance.vectors import read_vectors

    cases = None if vectors is None else read_vectors(vectors)
    with clock("Waiting for replies", data.progress):
        found = conform_program(program, metric, time_limit=time_limit, cases=cases)
    if badge is not None:
        badge.write_text(json.dumps(found.to_badge()) + "\n", "utf-8")
    print_result(found, form, digits)
    if not found.ok:
        raise typer.Exit(found.exit_code)


@data_options("")
def serve(
    data: Data,
    labels: o.OptionalLabels = None,
    run: o.OptionalRun = None,
    user: o.OptionalUser = None,
    metric: o.OptionalMetric = None,
    port: o.Port = 8421,
    open_: o.Open = False,
) -> None:
    """Serve the playground to a browser on this machine until Ctrl-C; with files, it opens on one user's ranking."""
    from rankconv.playground.app import serve as serve_playground

    state = None if labels is None else _state(*data.pair(labels, run), user, metric or "ndcg@10")
    fragment = "" if state is None else "#" + quote(json.dumps(state, ensure_ascii=False))

    def ready(address: str) -> None:
        print(f"The playground is at {address}{fragment}, until Ctrl-C.", flush=True)
        if open_:
            webbrowser.open(address + fragment)

    serve_playground(port, ready)


def _state(labels: Any, run: Any, user: str | None, metric: str) -> dict[str, Any]:
    """Return what the address of the page holds: one user's items with grades and scores, and unretrieved items."""
    from rankconv.data.ids import typed
    from rankconv.playground.app import MOST_ITEMS

    ranked, labelled = ({typed(one): one for one in side.users.values.tolist()} for side in (run, labels))
    name = user if user is not None else next((one for one in ranked if one in labelled), next(iter(ranked), ""))
    if name not in ranked and name not in labelled:
        wrong = f"there is no user '{name}' in the labels or the run"
        raise InputError(wrong, where="-u", nearest=nearest(name, ranked))
    grades = labels.rows_of(labelled[name]) if name in labelled else {}
    items, scores = run.rows_of(ranked[name]) if name in ranked else ([], None)
    shown = [_item(item, grades) for item in items[:MOST_ITEMS]]
    if scores is not None:
        shown = [{**one, "score": float(score)} for one, score in zip(shown, scores, strict=False)]
    unretrieved = [_item(item, grades) for item in grades if item not in set(items)]
    state = {"items": shown, "unretrieved": unretrieved[:MOST_ITEMS], "scored": scores is not None}
    return {**state, "metric": metric, "k": None}


def _item(item: Any, grades: dict[Any, float]) -> dict[str, Any]:
    return {"id": str(item)} | ({"grade": float(grades[item])} if item in grades else {})
