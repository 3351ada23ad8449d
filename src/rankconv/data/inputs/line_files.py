"""Text files of one row per line: TREC qrels and runs, and MovieLens ratings.

TREC blocks whose fields are separated by single blanks or tabs are read by polars, all others line by line, with the
same rows. Diversity qrels (topic, subtopic, document, grade) look like any others, so the caller names them: `group=`.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.arrays import stretches
from rankconv.data.inputs.columns import are_numbers
from rankconv.data.inputs.files import BYTE_ORDER_MARK, File, LineBlock, blocks, opened
from rankconv.data.inputs.input_rows import FILE_READERS, ColumnSpec, InputReader, RankSource
from rankconv.data.inputs.row_batches import NUMBERS, RowBatch, RowBatches, gathered, in_memory, of_texts
from rankconv.data.inputs.values import are_large

_COUNTED = 50
"""Fields of a line that are counted."""


class Layout(NamedTuple):
    """The fields of each line, and what separates them."""

    name: str
    fields: tuple[str, ...]
    between: bytes | None = None
    """None: any run of blanks."""
    comment: bytes = b""
    """The start of lines without a row."""
    more: bool = False
    """Whether text may follow the last field."""

    def __str__(self) -> str:
        return f"{self.name} file ({len(self.fields)} fields: {', '.join(self.fields)})"


TREC_ENDINGS = (".trec", ".qrels", ".qrel", ".run")
LAYOUTS = {
    "labels": Layout("TREC qrels", ("user", "iteration", "item", "grade"), comment=b"#"),
    "rankings": Layout("TREC run", ("user", "Q0", "item", "rank", "score", "tag"), comment=b"#", more=True),
}
"""The TREC file of each side; trec_eval skips lines that begin with #."""
DIVERSITY = Layout("TREC diversity qrels", ("user", "group", "item", "grade"), comment=b"#")
_SUBTOPIC = ("subtopic", "iteration", "2")
"""Names of the second field of qrels where it is the group."""
_CALL = {"Q0": "Q0", "2": "Q0", "tag": "tag", "6": "tag"}
"""Names of the field of a run that is the call, and which it is."""
_LEVEL = re.compile(rb"L\d+")
"""A grade as NTCIR writes it."""
_LONGEST_LINE = 1 << 16
_BLANKS = ord(" ")
"""Fields and lines are separated by this letter or one with a smaller number."""
_FIELDS = ("user", "item", "rating", "time")
_COLONS, _TABS = Layout("MovieLens '::'", _FIELDS, b"::"), Layout("MovieLens", _FIELDS, b"\t")
_EARLIEST = 10**8
"""Seconds since 1970: four numbers of which the last is at least this end with a time, not with a grade."""


def split(
    lines: Iterable[LineBlock], layout: Layout, wanted: Sequence[str], file: File
) -> Iterator[tuple[int, list[str]]]:
    """Split each line into the wanted fields, with its number.

    Blank lines and comments are left out, and a wrong number of fields is an error.
    """
    places = [layout.fields.index(field) for field in wanted]
    for block in lines:
        for number, line in block.lines:
            fields = line.strip().split(layout.between, _COUNTED)
            if fields in ([], [b""]) or (layout.comment and fields[0].startswith(layout.comment)):
                continue
            if len(fields) != len(layout.fields) and not (layout.more and len(fields) > len(layout.fields)):
                shown = (layout.between or b" ").join(fields)[:400].decode(errors="replace")
                count = len(fields) if len(fields) <= _COUNTED else f"over {_COUNTED}"
                where, allowed = f"{file}, line {number}", f"It was read as a {layout}"
                raise InputError(f"there are {count} fields in '{shown:.80}'", where=where, allowed=allowed)
            yield number, [fields[place].decode() for place in places]


# TREC


def trec_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """Read rows from the lines; any run of blanks separates fields, and blank lines and comments are skipped."""
    layout, found = LAYOUTS[spec.what], trec_layout(file)
    if found and found is not layout:
        wrong = f"this is a {found}, and {spec.what} are kept in a {layout}"
        raise InputError(wrong, where=str(file), do="Are the labels and the rankings exchanged?")
    if "group" in spec.caller_columns:
        if spec.caller_columns["group"] not in _SUBTOPIC:
            wrong = f"'{spec.caller_columns['group']}' is not a field of a {layout}"
            allowed, do = f"Groups are in its second field: {', '.join(_SUBTOPIC)}", "Pass group='subtopic'"
            raise InputError(wrong, where=str(file), allowed=allowed, do=do)
        layout = DIVERSITY
    if "call" in spec.caller_columns:
        layout = _with_call(layout, spec.caller_columns["call"], file)
    roles = [role for role in layout.fields if role in spec.columns]

    def rows() -> Iterator[RowBatch]:
        for block in blocks(file):
            fast = well_formed(block.text, layout.fields, roles)
            yield from gathered(split([block], layout, roles, file), roles, file) if fast is None else [fast]

    each = rows()
    return (
        RowBatches(each, tag=_tag(file), rank_source=RankSource.TREC) if spec.what == "rankings" else RowBatches(each)
    )


def _with_call(layout: Layout, name: str, file: File) -> Layout:
    """The layout of runs whose calls are in the field of this name."""
    if name not in _CALL:
        wrong, allowed = f"'{name}' is not a field of a {layout}", f"Calls are in one of its fields: {', '.join(_CALL)}"
        raise InputError(wrong, where=str(file), allowed=allowed, do="Pass call='tag'", shell="Pass --column call=tag")
    return layout._replace(fields=tuple("call" if field == _CALL[name] else field for field in layout.fields))


def well_formed(text: bytes, fields: Sequence[str], roles: Sequence[str]) -> RowBatch | None:
    """Read the rows of whole lines; None where not exactly one blank or one tab is between any two fields.

    Only the wanted fields and the last are read. Where no line has an empty one there, none has too few separators;
    none has too many if there are as many as lines need, no two of them adjacent. What polars cannot read as a number
    is left to the tolerant reader too, which names its line, and so are numbers that float64 may round.
    """
    import polars as pl

    if text.startswith((b"#", BYTE_ORDER_MARK)) or b"\n#" in text:
        return None  # polars leaves out a second mark too
    text = text.replace(b"\r\n", b"\n") if b"\r" in text else text
    separator = "\t" if b"\t" in text[: text.find(b"\n")] else " "
    kinds = {name: pl.Float64 if name in NUMBERS else pl.String for name in fields}
    read = [place for place, name in enumerate(fields) if name in roles or name == fields[-1]]
    try:
        table = pl.read_csv(text, separator=separator, has_header=False, schema=kinds, columns=read, quote_char=None)
        expected = len(table) * len(fields) - (not text.endswith(b"\n"))
        if any(table.null_count().row(0)) or _blanks(text) != expected:
            return None
        found = of_texts({role: table[role] for role in roles}, lambda _: "")
    except (pl.exceptions.PolarsError, InputError):
        return None
    return None if any(map(are_large, found.numbers.values())) else found


def _blanks(text: bytes) -> int:
    """How many letters separate fields or lines, or are invisible; -1 where two of them are adjacent."""
    letters, count = np.frombuffer(text, np.uint8), 0
    for some in stretches(len(letters)):
        blank = letters[some.start : some.stop + 1] <= _BLANKS  # and the letter that follows them
        if (blank[1:] & blank[:-1]).any():
            return -1
        count += int(np.count_nonzero(blank[: some.stop - some.start]))
    return count


def _tag(file: File) -> str:
    """The name that the run gives itself: as in trec_eval, that of the last line counts."""
    with opened(file.path) as lines:
        lines.seek(max(0, lines.seek(0, os.SEEK_END) - _LONGEST_LINE))
        last = next((line for line in reversed(lines.read().split(b"\n")) if line.strip()), b"")
    return b"".join(last.split()[:6][-1:]).decode(errors="replace")


def trec_layout(file: File) -> Layout | None:
    run = LAYOUTS["rankings"]
    fields = file.first_line.split(None, len(run.fields))
    if len(fields) > len(run.fields):  # trec_eval reads no further than the tag
        return run if fields[1].upper() == b"Q0" and are_numbers(one.decode("latin-1") for one in fields[3:5]) else None
    return next((layout for layout in LAYOUTS.values() if len(layout.fields) == len(fields)), None)


def _is_surely_trec(file: File) -> bool:
    """Whether the first line is `301 Q0 d3 1 9.5 tag`, or four fields between blanks that end with a grade."""
    fields = [one.decode("latin-1") for one in file.first_line.split()]
    if len(fields) >= len(LAYOUTS["rankings"].fields):
        return fields[1].upper() == "Q0" and are_numbers(fields[3:5])
    blanks = b"\t" not in file.first_line and b"," not in file.first_line
    return len(fields) == len(LAYOUTS["labels"].fields) and blanks and _is_grade(fields[-1])


def _is_grade(field: str) -> bool:
    return are_numbers([field]) or bool(_LEVEL.fullmatch(field.encode()))


FILE_READERS.put(
    "trec",
    InputReader(
        f"TREC files ({', '.join(TREC_ENDINGS)}, or lines of 4 fields, labels, or of 6, runs)",
        lambda file: trec_layout(file) is not None,
        in_memory(trec_batches),
        endings=TREC_ENDINGS,
        fields=("group", "call"),
        certain=_is_surely_trec,
        row_batches=trec_batches,
    ),
    after="delimited",
)


# NTCIR

_NTCIR = Layout("NTCIR qrels", ("user", "item", "grade"), comment=b"#")


def takes_ntcir(file: File) -> bool:
    """Whether the first line is `topic document L2`, as ntcireval and the tasks of NTCIR have it."""
    fields = file.first_line.split()
    return len(fields) == len(_NTCIR.fields) and bool(_LEVEL.fullmatch(fields[-1]))


def ntcir_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """Read labels from the lines: a level is the grade of its number."""
    if spec.what == "rankings":
        wrong = f"this is a {_NTCIR}, and rankings are wanted here"
        raise InputError(wrong, where=str(file), do="Are the labels and the rankings exchanged?")
    roles = [role for role in _NTCIR.fields if role in spec.columns]
    return RowBatches(gathered(split(blocks(file), _NTCIR, roles, file), roles, file))


FILE_READERS.put(
    "ntcir",
    InputReader(
        "NTCIR qrels (topic document L0 … L3)",
        takes_ntcir,
        in_memory(ntcir_batches),
        endings=(".qrels", ".qrel"),
        certain=takes_ntcir,
        row_batches=ntcir_batches,
    ),
    after="movielens",
)


# MovieLens


def takes_movielens(file: File) -> bool:
    """Whether the first line is `user::item::rating::time`, or one of `u.data`, which would pass for qrels."""
    return b"::" in file.first_line or _ends_with_time(file)


def _ends_with_time(file: File) -> bool:
    fields = file.first_line.strip().split(b"\t", len(_FIELDS))
    return len(fields) == len(_FIELDS) and fields[-1].isdigit() and int(fields[-1]) >= _EARLIEST


def movielens_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """Read rows from the lines; ratings are the grades."""
    fields = {"user": "user", "item": "item", spec.number: "rating"}
    fields |= {"time": "time"} if "time" in spec.columns else {}
    layout = _COLONS if b"::" in file.first_line else _TABS
    return RowBatches(gathered(split(blocks(file), layout, [*fields.values()], file), [*fields], file))


FILE_READERS.put(
    "movielens",
    InputReader(
        "MovieLens ratings (user::item::rating::time, u.data)",
        takes_movielens,
        in_memory(movielens_batches),
        row_batches=movielens_batches,
        endings=(".dat",),
        certain=_ends_with_time,
    ),
    after="columnar",
)
