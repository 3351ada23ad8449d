"""`rankconv curve`: a metric against the length of the list, or precision against recall."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import cluster_named
from rankconv.cli.options import Catalogue, Cluster, Columns, Digits, Form, Format, Metrics, Plugins, Quiet, Seen
from rankconv.cli.printing import print_json, print_table
from rankconv.plugins import command_after


class Over(StrEnum):
    """What stands across."""

    k = "k"
    recall = "recall"


@command_after("explain")
def curve(
    labels: Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read.")],
    run: Annotated[list[Path], typer.Argument(help="One or more runs, or a folder of them.")],
    over: Annotated[Over, typer.Option(help="Across: the length of the list, or recall, with precision.")] = Over.k,
    metric: Metrics = [],  # noqa: B006
    preset: Annotated[list[str], typer.Option("-p", "--preset", help="Whose definitions; may be repeated.")] = [],  # noqa: B006
    upto: Annotated[int | None, typer.Option(help="The last length; that of the longest list unless said.")] = None,
    user: Annotated[str | None, typer.Option("-u", "--user", help="Of this user, not the mean.")] = None,
    interpolated: Annotated[
        bool, typer.Option("--interpolated", help="At each recall the highest precision there or further on.")
    ] = False,
    draws: Annotated[int, typer.Option(min=0, help="Draws of users, for bands; 0 for none.")] = 1000,
    cluster: Cluster = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the curves into this SVG or PNG file.")] = None,
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How does a metric change with the length of the list, or precision with recall?"""
    import rankconv as rc

    files.load(plugin)
    known, ranked = files.several_runs(labels, run, column, quiet)
    given = files.beside(seen, catalogue, None, None)
    beside = {"seen": given["seen"], "catalogue": given["catalogue"]}
    found = rc.curve(
        known,
        ranked,
        metric or None,
        preset or None,
        over=over.value,
        max_k=upto,
        user=user,
        interpolate=interpolated,
        n_resamples=draws,
        cluster=cluster_named(cluster, column),
        **beside,
    )
    if plot is not None:
        found.plot(plot)
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.csv:
        print(found.to_frame().write_csv(), end="")
    else:
        print_table(found.table(digits), form)
