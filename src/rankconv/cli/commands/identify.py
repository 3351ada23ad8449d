"""`rankconv identify`: which definition is behind a printed number?"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoff, chosen_users
from rankconv.cli.options import Catalogue, Columns, Cutoffs, Features, LabelsFile, Plugins, Quiet, Seen, Train, Users
from rankconv.cli.printing import print_json, print_lines
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after

NO_MATCH, BY_CHANCE = 1, 3
"""Exit codes where no definition gives the number, and where those that do are no likelier than chance."""


class Form(StrEnum):
    """How what was found is printed."""

    text = "text"
    json = "json"


@command_after("explain")
def identify(
    labels: LabelsFile = None,
    run: Annotated[Path | None, typer.Argument(help="A run: a file of any kind that is read.")] = None,
    metric: Annotated[
        str | None, typer.Option("-m", "--metric", help="The metric of the number, such as ndcg@10; any if unknown.")
    ] = None,
    value: Annotated[
        list[str],
        typer.Option("--value", help="The number as printed: 0.4127, 41.27%; or metric=number, which may be repeated."),
    ] = [],  # noqa: B006
    table: Annotated[Path | None, typer.Option(help="A CSV or TSV file of numbers: metric, value.")] = None,
    loose: Annotated[bool, typer.Option("--loose", help="The last digit may be one away.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print.")] = Form.text,
    most: Annotated[int, typer.Option("--rows", min=1, help="How many rows are printed.")] = 12,
    every: Annotated[bool, typer.Option("--all", help="Print all rows, and name all presets.")] = False,
    k: Cutoffs = "",
    user: Users = [],  # noqa: B006
    quiet: Quiet = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which definitions give this number? Without files: on the five users of Bellei 2017.

    Exit code 0: a preset gives it, or a match is likelier than chance. 1: no match. 3: matches no likelier than chance.
    """
    import rankconv as rc
    from rankconv.ask.identify.identify import check_asked

    files.load(plugin)
    numbers = _numbers(metric and at_cutoff(metric, k), value, table)
    check_asked(numbers, loose)
    known, ranked = files.one_run(labels, run, column, quiet)
    given: dict[str, Any] = {**files.beside(seen, catalogue, train, features)}
    given["users"] = chosen_users(user, known, ranked)
    found: Any = rc.identify(known, ranked, numbers, tolerance=loose, **given)
    if form is Form.json:
        print_json(found.to_dict())
    else:
        print_lines([found.text(terminal_width(), None if every else most)])
    if not found.summary:
        raise typer.Exit(BY_CHANCE if found.found else NO_MATCH)


def _numbers(metric: str | None, values: list[str], table: Path | None) -> dict[str, str]:
    """Each metric with its number as printed."""
    from rankconv.ask.identify.numbers import numbers_of, numbers_of_table

    told = numbers_of(values, metric)
    return told | (numbers_of_table(table) if table is not None else {})
