"""MovieLens ratings: `user::item::rating::time`, and the tabs of `u.data`."""

from typing import Any

from rankconv.inputs.blocks import blocks
from rankconv.inputs.file import File
from rankconv.inputs.lines import Layout, split
from rankconv.inputs.pieces import Pieces, gathered, in_memory
from rankconv.inputs.reader import Reader, Wanted

FIELDS = ("user", "item", "rating", "time")
COLONS = Layout("MovieLens '::'", FIELDS, b"::")
TABS = Layout("MovieLens", FIELDS, b"\t")
_EARLIEST = 10**8
"""Seconds since 1970: four numbers of which the last is at least this end with a time, not with a grade."""


def takes(data: Any) -> bool:
    """Whether the first line is as in MovieLens files; `u.data` would pass for qrels otherwise."""
    return isinstance(data, File) and (b"::" in data.first_line or _has_time(data.first_line))


def _has_time(line: bytes) -> bool:
    fields = line.strip().split(b"\t", len(FIELDS))
    return len(fields) == len(FIELDS) and fields[-1].isdigit() and int(fields[-1]) >= _EARLIEST


def pieces(file: File, wanted: Wanted) -> Pieces:
    """Rows from the lines; ratings are the grades."""
    fields = {"user": "user", "item": "item", wanted.number: "rating"}
    fields |= {"time": "time"} if "time" in wanted.columns else {}
    layout = COLONS if b"::" in file.first_line else TABS
    rows = (row for block in blocks(file) for row in split(block, layout, [*fields.values()], file))
    return Pieces(gathered(rows, [*fields], file))


READER = Reader(
    "MovieLens ratings (user::item::rating::time, u.data)", takes, in_memory(pieces), pieces=pieces, endings=(".dat",)
)
