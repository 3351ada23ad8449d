"""`rankconv reproduce`: printed numbers against what comes out."""

from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.options import Form, Format, Plugins
from rankconv.cli.printing import print_json, print_lines, print_page, print_table
from rankconv.plugins import command_after


@command_after("verify")
def reproduce(
    source: Annotated[
        list[str] | None,
        typer.Argument(help="Sources by name, or by preset, or YAML files of your own; all shipped ones without."),
    ] = None,
    form: Form = Format.table,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Does every number that a source prints come out of its preset? Exit code 1 where one does not."""
    import rankconv as rc

    files.load(plugin)
    names = source or []
    found = rc.reproduce(*names)
    if form is Format.json:
        print_json(found.to_dict())
    else:
        _print(found, form, whole=bool(names) or form is Format.csv)
    if not found.ok:
        raise typer.Exit(1)


def _print(found: Any, form: Format, whole: bool) -> None:
    from rankconv.ask.reproduce.reproduction import closing_lines, not_exact, numbers_table, sources_table

    if form is Format.table:
        print_page(found.page(whole=whole))
        return
    rows = list(found) if whole else not_exact(found)
    if not whole:
        print_table(sources_table(found), form)
        print()
    if rows:
        print_table(numbers_table(rows), form)
    if form is not Format.csv:
        print_lines(["", *closing_lines(found)])
