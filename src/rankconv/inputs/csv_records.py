"""The records of a CSV or TSV file, one by one: slower than polars, and each with its line."""

import csv
import re
from collections.abc import Iterator

from rankconv.errors import InputError
from rankconv.inputs.file import File
from rankconv.inputs.paths import opened

_BARE_RETURN = re.compile(rb"\r(?!\n)")
_BYTES = 1 << 20


def records_of(file: File, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The records, a header among them, each with the line on which it begins; blank lines have no fields."""
    line, in_table = 1, False
    with file.path.open(encoding="utf-8-sig", errors="replace", newline="") as opened_file:
        reader = csv.reader(opened_file, delimiter=separator, strict=True)
        try:
            for fields in reader:
                in_table = in_table or bool(fields)
                if in_table:
                    yield line, fields
                line = reader.line_num + 1
        except csv.Error as problem:
            raise _unreadable(problem, f"{file}, line {line}") from None


def line_of(file: File, separator: str, record: int) -> int:
    """The line on which a record begins; only errors need it, so only they read the file twice."""
    return next(line for place, (line, _) in enumerate(records_of(file, separator)) if place == record)


def has_bare_returns(file: File) -> bool:
    """Whether there are carriage returns that no line break follows: they end lines too, but not for polars."""
    with opened(file.path) as opened_file:
        while piece := opened_file.read(_BYTES):
            while piece.endswith(b"\r") and (more := opened_file.read(1)):
                piece += more
            if b"\r" in piece and _BARE_RETURN.search(piece):
                return True
    return False


def _unreadable(problem: csv.Error, where: str) -> InputError:
    if "field limit" in str(problem):
        wrong = f"a field has over {csv.field_size_limit():,} letters"
        return InputError(wrong, where=where, do="Is a quote before it not closed?")
    do = "Put fields with quotes into quotes, and write each quote inside twice"
    return InputError("the quotes do not match", where=where, do=do)
