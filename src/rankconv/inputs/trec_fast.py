"""TREC files as programs write them, read at the speed of CSV."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rankconv.inputs.paths import opened

if TYPE_CHECKING:
    import polars as pl

_ODD = (b"\r", b"\v", b"\f", b"\n\n", b"\n#")
"""What sends a file to the tolerant reader: other blanks, blank lines, comments."""


def well_formed(path: Path, fields: Sequence[str], roles: Sequence[str]) -> "pl.DataFrame | None":
    """The columns of these roles as text; None unless one blank or one tab stands between any two fields.

    Nothing is guessed: with as many separators as fields need, none beside another and none at an end of a line,
    each line has its fields or polars refuses it, and no field is empty.
    """
    import polars as pl

    with opened(path) as file:
        text = file.read()
    separator = _separator(text, len(fields))
    if separator is None:
        return None
    try:
        table = pl.read_csv(
            text,
            separator=separator.decode(),
            has_header=False,
            new_columns=list(fields),
            schema_overrides=dict.fromkeys(fields, pl.String),
            infer_schema=False,
            quote_char=None,
        )
    except pl.exceptions.PolarsError:
        return None
    whole = table.width == len(fields) and not table[fields[-1]].null_count()
    return table.select(roles) if whole else None


def _separator(text: bytes, fields: int) -> bytes | None:
    """What stands once between any two fields of all lines."""
    separator, other = (b"\t", b" ") if b"\t" in text else (b" ", b"\t")
    odd = (*_ODD, other, separator * 2, separator + b"\n", b"\n" + separator)
    if text.startswith((b"#", separator, b"\n")) or text.endswith(separator) or any(each in text for each in odd):
        return None
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    return separator if text.count(separator) == lines * (fields - 1) else None
