"""What `presets` prints: the heads of the files, without reading what they set."""

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import Any

from rich.cells import cell_len

from rankconv.pages.page import Aside, Heading, Page, Piece
from rankconv.pages.table import Table
from rankconv.presets.heads import GROUPS, heads

COLUMNS = ("group", "system", "preset", "version", "what it is")


def presets_table() -> Table:
    """All presets by group and system; the word of a group is accepted like a preset."""
    rows = [[str(one.get(key, "")) for key in ("group", "system", "name", "version", "title")] for one in _sorted()]
    return Table(list(COLUMNS), rows, labels=5)


def presets_page(names: Collection[str] | None = None) -> Page:
    """Return a line for each of these presets, all by default, by group and by the system that it describes."""
    parts = [one for one in _sorted() if names is None or one["name"] in names]
    column = max(cell_len(one["system"]) for one in parts)
    pieces: list[Piece] = [_line("system", "preset: what it is (version)", column)]
    for group, members in groupby(parts, key=lambda one: one["group"]):
        pieces += [Heading(group), *_lines(members, column)]
    return Page([pieces])


def _sorted() -> list[dict[str, Any]]:
    """The presets of a system stand together."""
    return sorted(heads(), key=lambda one: (GROUPS.index(one["group"]), one["system"].casefold(), one["name"]))


def _lines(members: Iterator[dict[str, Any]], column: int) -> Iterator[Piece]:
    """A system and its version are said once, in the line of its first preset."""
    system = version = ""
    for one in members:
        said = "" if one["system"] == system else one["system"]
        versions = "" if one.get("version", "") == version and not said else one.get("version", "")
        system, version = one["system"], one.get("version", "")
        yield _line(said, _text_of(one, versions), column)


def _line(system: str, words: str, column: int) -> Piece:
    return Aside(f"  {system}{' ' * (column - cell_len(system))}", words, "  ")


def _text_of(head: Mapping[str, Any], version: Any) -> str:
    """Its name, and its title without the system that is next to it."""
    title, system = str(head.get("title", "")), str(head["system"])
    what = next((title.removeprefix(system + mark) for mark in (", ", " ") if title.startswith(system + mark)), title)
    said = f"{head['name']}: {what}" if what != system else str(head["name"])
    return f"{said} ({version})" if version else said
