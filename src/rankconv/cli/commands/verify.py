"""`rankconv verify`: a preset against the real library."""

from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.options import Columns, Cutoffs, Form, Format, LabelsFile, Metrics, Plugins, Quiet
from rankconv.cli.printing import print_json, print_table, say
from rankconv.plugins import command_after


@command_after("from-fingerprint")
def verify(
    preset: Annotated[str, typer.Argument(help="The preset of the library.")],
    labels: LabelsFile = None,
    run: Annotated[Path | None, typer.Argument(help="A run: a file of any kind that is read.")] = None,
    metric: Metrics = [],  # noqa: B006
    k: Cutoffs = "",
    quiet: Quiet = False,
    random: Annotated[
        int | None, typer.Option(min=0, help="Random cases; 20 without files, none beside them, unless said.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another one makes other cases.")] = 0,
    form: Form = Format.table,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Does the real library, as it is installed, give what its preset gives? Exit code 1 where something differs."""
    import rankconv as rc
    from rankconv.ask.verify.verification import other_version
    from rankconv.ask.verify.verify import questions

    files.load(plugin)
    specs = at_cutoffs(metric, k)
    questions(preset, specs or None)
    known = None if labels is None else files.labels(labels, column, quiet)
    ranked = None if run is None else files.rankings(run, column, labels, quiet)
    found = rc.verify(preset, known, ranked, specs or None, random=random, seed=seed)
    if found.other_version and not quiet:
        say(other_version(found))
    if form is Format.json:
        print_json(found.to_dict())
    else:
        print_table(found.table(), form)
    if not found.ok:
        raise typer.Exit(1)
