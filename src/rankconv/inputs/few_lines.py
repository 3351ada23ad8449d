"""Small files of plain lines, read without loading polars, which takes longer than they do.

Whatever is out of the ordinary, such as quotes, gaps or what is no number, is left to the readers of all files.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from rankconv.inputs.coding import FEW, coded
from rankconv.inputs.file import File
from rankconv.inputs.numbers import are_large
from rankconv.inputs.paths import opened
from rankconv.inputs.reader import Column, Rows, Wanted

_BYTES = 1 << 16
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,2})?", re.ASCII)
_ODD = re.compile(r'["\r\0\ufeff]')


def rows_of_few(
    file: File, wanted: Wanted, separator: str, names: Sequence[str], header: bool, places: Mapping[str, int]
) -> Rows | None:
    """The rows of a file of at most some hundred lines; None where it is longer or anything in it is not plain."""
    if not places.keys() <= {"user", "item", wanted.number, "rank"}:
        return None
    records = _records(file, separator, len(names))
    if records is None:
        return None
    columns = {role: [record[place] for record in islice(records, int(header), None)] for role, place in places.items()}
    found = {role: _numbers(texts) for role, texts in columns.items() if role not in ("user", "item")}
    if not all(columns["user"]) or not all(columns["item"]) or None in found.values():
        return None
    (users, user), (items, item) = (coded(columns[role], role, lambda _: str(file)) for role in ("user", "item"))
    return Rows(file.name, users, user, items, item, found.get(wanted.number), found.get("rank"))


def _records(file: File, separator: str, width: int) -> list[list[str]] | None:
    """The fields of each line; None where there are too many lines, or some that are not plain or of another width."""
    with opened(file.path) as opened_file:
        data = opened_file.read(_BYTES + 1)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if len(data) > _BYTES or _ODD.search(text):
        return None
    lines = text.removesuffix("\n").split("\n")
    records = [line.split(separator) for line in lines]
    return records if 1 < len(records) <= FEW and all(len(record) == width for record in records) else None


def _numbers(texts: Sequence[str]) -> Column | None:
    """The numbers that these texts say; None where one is no plain number, or so large that others are next to it."""
    if not all(map(_PLAIN_NUMBER.fullmatch, texts)):
        return None
    floats = np.array(list(map(float, texts)), np.float64)
    return None if are_large(floats) else Column(floats)
