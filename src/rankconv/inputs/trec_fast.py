"""TREC files as programs write them, read at the speed of CSV."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rankconv.inputs.paths import opened

if TYPE_CHECKING:
    import polars as pl

NUMBERS = ("grade", "score", "rank")
_LINE_END, _BLANK = b"\n "
_BYTES = 1 << 20
"""So many are looked at in one go, which a processor's cache holds."""


def well_formed(path: Path, fields: Sequence[str], roles: Sequence[str]) -> "pl.DataFrame | None":
    """The columns of these roles, numbers as numbers; None unless one blank or one tab stands between any two fields.

    Nothing is guessed: every line has as many separators as fields need, none stands beside another or at an end of
    a line, and there is no other blank and no comment. What polars cannot read as a number is left to the tolerant
    reader too, which names its line.
    """
    import polars as pl

    with opened(path) as file:
        text = file.read()
    if b"\r\n" in text:
        text = text.replace(b"\r\n", b"\n")
    separator = b"\t" if text.find(b"\t", 0, text.find(b"\n") + 1) >= 0 else b" "
    if text.startswith(b"#") or (b"#" in text and b"\n#" in text):
        return None
    if not _is_regular(text if text.endswith(b"\n") else text + b"\n", separator[0], len(fields)):
        return None
    kinds: dict[str, type[pl.DataType]] = {name: pl.Float64 if name in NUMBERS else pl.String for name in fields}
    try:
        return pl.read_csv(
            text,
            separator=separator.decode(),
            has_header=False,
            columns=[fields.index(role) for role in roles],
            schema=kinds,
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None


def _is_regular(text: bytes, separator: int, fields: int) -> bool:
    """Whether the blanks of every line are its separators and its end, and none stands beside another."""
    letters = np.frombuffer(text, np.uint8)
    seen, after_blank = 0, True
    for first in range(0, len(letters), _BYTES):
        part = letters[first : first + _BYTES]
        blank = part <= _BLANK
        if (after_blank and blank[0]) or (blank[1:] & blank[:-1]).any():
            return False
        kinds = part[blank]
        due = np.full(len(kinds), separator, np.uint8)
        due[fields - 1 - seen % fields :: fields] = _LINE_END
        if not np.array_equal(kinds, due):
            return False
        seen, after_blank = seen + len(kinds), bool(blank[-1])
    return seen % fields == 0
