"""TREC files as programs write them, read at the speed of CSV."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import stretches
from rankconv.inputs.coding import EXACT
from rankconv.inputs.paths import BYTE_ORDER_MARK, opened

if TYPE_CHECKING:
    import polars as pl

_PIECE = 1 << 22
"""So many bytes are read at a time, and the rest of the last line."""
NUMBERS = ("grade", "score", "rank")
_WHOLE = ("rank",)
"""Numbers that are nearly always integers, which are read faster."""
_BLANKS = ord(" ")
"""All that parts fields or lines is this letter or one with a smaller number."""


def well_formed(path: Path, fields: Sequence[str], roles: Sequence[str]) -> "pl.DataFrame | None":
    """The columns of these roles, numbers as numbers; None unless one blank or one tab stands between any two fields.

    Nothing is guessed, and no field is read that nobody wants, but for the last: where no line has an empty one there,
    none has too few separators, and none has too many if there are as many as lines need; no two of them are side by
    side. What polars cannot read as a number is left to the tolerant reader too, which names its line, and so are
    numbers so large that float64 rounds integers.
    """
    table = _read(path, fields, roles, _WHOLE)
    if table is None and any(name in _WHOLE for name in roles):
        table = _read(path, fields, roles, ())
    return None if table is None or any(_is_large(table[name]) for name in roles if name in NUMBERS) else table


def _read(path: Path, fields: Sequence[str], roles: Sequence[str], whole: Sequence[str]) -> "pl.DataFrame | None":
    """The columns of these roles, some numbers as whole ones; None where one piece of the file cannot be read so."""
    import polars as pl

    kinds: dict[str, type[pl.DataType]] = {name: pl.Float64 if name in NUMBERS else pl.String for name in fields}
    kinds |= {name: pl.Int64 for name in fields if name in whole}
    read = [place for place, name in enumerate(fields) if name in roles or name == fields[-1]]
    how: dict[str, Any] = {"has_header": False, "schema": kinds, "columns": read, "quote_char": None}
    tables = []
    for text, separator in _pieces(path):
        if text.startswith((b"#", BYTE_ORDER_MARK)) or (b"#" in text and b"\n#" in text):
            return None  # polars leaves out a second mark too
        try:
            table = pl.read_csv(text, separator=separator, **how)
        except pl.exceptions.PolarsError:
            return None
        if any(table.null_count().row(0)) or _blanks(text) != _expected(text, len(table), len(fields)):
            return None
        tables.append(table.select(roles))
    return pl.concat(tables, rechunk=False) if tables else None


def _pieces(path: Path) -> Iterator[tuple[bytes, str]]:
    """Some of the lines at a time, with what parts their fields: so many bytes that their memory is used again."""
    with opened(path) as file:
        start = file.tell()
        first_line = file.readline()
        file.seek(start)
        separator = "\t" if b"\t" in first_line else " "
        while text := file.read(_PIECE) + file.readline():
            yield text.replace(b"\r\n", b"\n") if b"\r" in first_line else text, separator


def _blanks(text: bytes) -> int:
    """How many letters part fields or lines, or are none that one sees; -1 where two of them are side by side."""
    letters, count = np.frombuffer(text, np.uint8), 0
    for some in stretches(len(letters)):
        blank = letters[some.start : some.stop + 1] <= _BLANKS  # and the letter that follows them
        if (blank[1:] & blank[:-1]).any():
            return -1
        count += int(np.count_nonzero(blank[: some.stop - some.start]))
    return count


def _expected(text: bytes, lines: int, fields: int) -> int:
    """How many of these there are with one between any two fields, and one behind each line, or each but the last."""
    return lines * fields - (not text.endswith(b"\n"))


def _is_large(numbers: "pl.Series") -> bool:
    """Whether float64 may have rounded some of them."""
    return len(numbers) > 0 and not ((numbers > -EXACT) & (numbers < EXACT)).all()
