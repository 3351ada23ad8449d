"""`rankconv from-fingerprint`: a definition found again."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.options import Plugins
from rankconv.cli.printing import print_json, print_page, say
from rankconv.plugins import command_after


class FoundForm(StrEnum):
    """How found definitions are printed."""

    text = "text"
    json = "json"


Results = Annotated[list[Path], typer.Option("--result", help="A saved result; may be repeated.")]


@command_after("cite")
def from_fingerprint(
    fingerprint: Annotated[str, typer.Argument(help="A fingerprint, or how it begins.")],
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset file of your own; may be repeated.")
    ] = [],  # noqa: B006
    result: Results = [],  # noqa: B006
    form: Annotated[FoundForm, typer.Option("--format", help="How to print.")] = FoundForm.text,
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which definition has this fingerprint? Exit code 1 where none is found."""
    import rankconv as rc

    files.load(plugin)
    found = rc.from_fingerprint(fingerprint, preset, result)
    if form is FoundForm.json:
        print_json([{"fingerprint": one.fingerprint, "definition": one.text, "also": one.also} for one in found])
    elif found:
        print_page(_page(found))
    if not found:
        say(f"No definition with the fingerprint {fingerprint} was found.")
        raise typer.Exit(1)


def _page(found: Any) -> Any:
    from rankconv.pages.page import Beside, Page

    also = (f"   (also {', '.join(one.also)})" if one.also else "" for one in found)
    return Page([[Beside(one.fingerprint, f"{one.text}{more}") for one, more in zip(found, also, strict=True)]])
