"""TREC files as programs write them, read at the speed of CSV."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rankconv.inputs.numbers import are_large
from rankconv.inputs.paths import BYTE_ORDER_MARK, opened

if TYPE_CHECKING:
    import polars as pl

NUMBERS = ("grade", "score", "rank")
_OTHER_BLANKS = (b"\t", b"\r", b"\x0b", b"\x0c")
"""That part fields too, besides the blank."""


def well_formed(path: Path, fields: Sequence[str], roles: Sequence[str]) -> "pl.DataFrame | None":
    """The columns of these roles, numbers as numbers; None unless one blank or one tab stands between any two fields.

    Nothing is guessed: with no other blank in the file, polars refuses a line with too many separators, and a line
    with too few, or with two side by side, has an empty field, which is looked for. What polars cannot read as a number
    is left to the tolerant reader too, which names its line, and so are numbers so large that float64 rounds integers.
    """
    import polars as pl

    with opened(path) as file:
        text = file.read()
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    separator = b"\t" if text.find(b"\t", 0, text.find(b"\n") + 1) >= 0 else b" "
    if text.startswith((b"#", BYTE_ORDER_MARK)) or (b"#" in text and b"\n#" in text):
        return None  # polars leaves out a second mark too
    if any(blank in text for blank in {b" ", *_OTHER_BLANKS} - {separator}):
        return None
    kinds: dict[str, type[pl.DataType]] = {name: pl.Float64 if name in NUMBERS else pl.String for name in fields}
    try:
        table = pl.read_csv(text, separator=separator.decode(), has_header=False, schema=kinds, quote_char=None)
    except pl.exceptions.PolarsError:
        return None
    if any(table.null_count().row(0)) or any(are_large(table[name].to_numpy()) for name in roles if name in NUMBERS):
        return None
    return table.select(roles)
