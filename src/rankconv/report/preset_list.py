"""What `presets` prints: the heads of the files, without reading what they answer."""

from collections.abc import Iterator
from itertools import groupby

from rich.cells import cell_len

from rankconv.presets.heads import heads
from rankconv.report.by_value import beside
from rankconv.report.table import Table


def presets_table() -> Table:
    """All presets by group; the word of a group can be asked for like a preset."""
    rows = [[one["group"], one["name"], str(one.get("version", "")), one.get("title", "")] for one in heads()]
    return Table(["group", "preset", "version", "what it is"], rows, labels=4)


def presets_lines(width: int | None) -> Iterator[str]:
    """A line for each preset under the name of its group."""
    for group, members in groupby(presets_table().rows, key=lambda row: row[0]):
        rows = list(members)
        column = max(cell_len(name) for _, name, _, _ in rows)
        yield group
        for _, name, version, title in rows:
            told = f"{title} ({version})" if version else title
            yield beside(f"  {name}{' ' * (column - cell_len(name))}", told, width)
