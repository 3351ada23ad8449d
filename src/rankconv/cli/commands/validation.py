"""`rankconv verify` and `rankconv reproduce`: presets against installed libraries, and against printed sources."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import options as o
from rankconv.cli.commands import load_plugins
from rankconv.cli.data import Data, at_cutoffs, data_options
from rankconv.cli.printing import clock, print_json, print_lines, print_page, print_table, say


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
    if form == "json":
        print_json(found.to_dict())
    else:
        print_table(found.table(), form)
    if not found.ok:
        raise typer.Exit(1)


def reproduce(
    source: Annotated[
        list[str] | None, typer.Argument(metavar="SOURCE", help="Sources: names, presets or YAML files; else all")
    ] = None,
    form: o.Form = o.Format.text,
    progress: o.Progress = None,
    plugin: o.Plugins = [],
) -> None:
    """Reproduce the numbers of a printed source. Exit code 1 where one is unexplained."""
    import rankconv as rc

    load_plugins(plugin)
    names = source or []
    with clock("Reproducing", progress):
        found = rc.reproduce(*names)
    if form == "json":
        print_json(found.to_dict())
    else:
        _print(found, form, full=bool(names) or form == "csv")
    if not found.ok:
        raise typer.Exit(1)


def _print(found: Any, form: str, *, full: bool) -> None:
    from rankconv.analysis.reproduce.reproduction import closing_lines, not_exact, numbers_table, sources_table

    if form == "text":
        print_page(found._page(whole=full))
        return
    rows = list(found) if full else not_exact(found)
    if not full:
        print_table(sources_table(found), form)
        print()
    if rows:
        print_table(numbers_table(rows), form)
    if form != "csv":
        print_lines(["", *closing_lines(found)])
