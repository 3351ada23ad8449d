"""What `presets` prints: the heads of the files, without reading what they answer."""

from itertools import groupby

from rich.cells import cell_len

from rankconv.pages.page import Beside, Heading, Page, Piece
from rankconv.pages.table import Table
from rankconv.presets.heads import heads


def presets_table() -> Table:
    """All presets by group; the word of a group can be asked for like a preset."""
    rows = [[one["group"], one["name"], str(one.get("version", "")), one.get("title", "")] for one in heads()]
    return Table(["group", "preset", "version", "what it is"], rows, labels=4)


def presets_page() -> Page:
    """A line for each preset under the name of its group."""
    pieces: list[Piece] = []
    for group, members in groupby(presets_table().rows, key=lambda row: row[0]):
        rows = list(members)
        column = max(cell_len(name) for _, name, _, _ in rows)
        pieces.append(Heading(group))
        for _, name, version, title in rows:
            told = f"{title} ({version})" if version else title
            pieces.append(Beside(f"  {name}{' ' * (column - cell_len(name))}", told))
    return Page([pieces])
