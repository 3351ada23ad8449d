"""TREC files: qrels (topic, iteration, document, grade) and runs (topic, Q0, document, rank, score, tag).

Diversity qrels (topic, subtopic, document, grade) look like any others, so the caller says that they are: `group=`.
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rankconv.data.arrays import stretches
from rankconv.errors import InputError
from rankconv.inputs.blocks import blocks
from rankconv.inputs.file import File
from rankconv.inputs.lines import Layout, split
from rankconv.inputs.numbers import are_large
from rankconv.inputs.paths import BYTE_ORDER_MARK, opened
from rankconv.inputs.pieces import Piece, Pieces, gathered, in_memory, of_texts
from rankconv.inputs.reader import RankSource, Reader, Wanted

ENDINGS = (".trec", ".qrels", ".qrel", ".run")

LAYOUTS = {
    "labels": Layout("TREC qrels", ("user", "iteration", "item", "grade"), comment=b"#"),
    "rankings": Layout("TREC run", ("user", "Q0", "item", "rank", "score", "tag"), comment=b"#"),
}
"""The file that each of the two is kept in; trec_eval skips lines that begin with #."""
DIVERSITY = Layout("TREC diversity qrels", ("user", "group", "item", "grade"), comment=b"#")
_SECOND = ("subtopic", "iteration", "2")
"""What the second field of qrels may be called where it is the group."""
_LONGEST_LINE = 1 << 16
NUMBERS = ("grade", "score", "rank")
_BLANKS = ord(" ")
"""All that parts fields or lines is this letter or one with a smaller number."""


def takes(data: Any) -> bool:
    """Files whose first line has as many fields."""
    return isinstance(data, File) and _layout_of(data) is not None


def pieces(file: File, wanted: Wanted) -> Pieces:
    """Rows from the lines; any run of blanks parts fields, and blank lines and comments are skipped."""
    _refuse_other_layout(file, wanted)
    layout = _diversity(file, wanted) if "group" in wanted.named else LAYOUTS[wanted.what]
    each = _pieces(file, layout, [role for role in layout.fields if role in wanted.columns])
    return Pieces(each, tag=_tag(file), rank_source=RankSource.TREC) if wanted.what == "rankings" else Pieces(each)


def _pieces(file: File, layout: Layout, roles: Sequence[str]) -> Iterator[Piece]:
    """The rows of each block: fast where all its lines are as programs write them, else line by line; the same rows."""
    for block in blocks(file):
        fast = well_formed(block.text, layout.fields, roles)
        if fast is None:
            yield from gathered(split(block, layout, roles, file), roles, file)
        else:
            yield fast


def well_formed(text: bytes, fields: Sequence[str], roles: Sequence[str]) -> Piece | None:
    """The rows of whole lines; None unless one blank or one tab stands between any two fields.

    Nothing is guessed, and no field is read that nobody wants, but for the last: where no line has an empty one there,
    none has too few separators, and none has too many if there are as many as lines need; no two of them are side by
    side. What polars cannot read as a number is left to the tolerant reader too, which names its line, and so are
    numbers so large that float64 rounds integers.
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
        if any(table.null_count().row(0)) or _blanks(text) != _expected(text, len(table), len(fields)):
            return None
        found = of_texts({role: table[role] for role in roles}, lambda _: "")
    except (pl.exceptions.PolarsError, InputError):
        return None
    return None if any(are_large(one.floats) for one in found.numbers.values()) else found


def _diversity(file: File, wanted: Wanted) -> Layout:
    """The layout whose second field is the group, which the caller has named."""
    if wanted.named["group"] not in _SECOND:
        wrong = f"'{wanted.named['group']}' is no field of a {LAYOUTS['labels']}"
        allowed, do = f"Groups are in its second field: {', '.join(_SECOND)}", "Pass group='subtopic'"
        raise InputError(wrong, where=str(file), allowed=allowed, do=do, shell="Pass --column group=subtopic")
    return DIVERSITY


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


def _tag(file: File) -> str:
    """What the run calls itself: as in trec_eval, that of the last line counts."""
    with opened(file.path) as lines:
        lines.seek(max(0, lines.seek(0, os.SEEK_END) - _LONGEST_LINE))
        last = next((line for line in reversed(lines.read().split(b"\n")) if line.strip()), b"")
    return b"".join(last.split()[-1:]).decode(errors="replace")


def _layout_of(file: File) -> Layout | None:
    """What the first line that is no comment looks like."""
    count = len(file.first_line.split(None, max(len(layout.fields) for layout in LAYOUTS.values())))
    return next((layout for layout in LAYOUTS.values() if len(layout.fields) == count), None)


def _refuse_other_layout(file: File, wanted: Wanted) -> None:
    found = _layout_of(file)
    if found and found is not LAYOUTS[wanted.what]:
        do = "Are the labels and the rankings exchanged?"
        wrong = f"this is a {found}, and {wanted.what} are kept in a {LAYOUTS[wanted.what]}"
        raise InputError(wrong, where=str(file), do=do)


READER = Reader(
    f"TREC files ({', '.join(ENDINGS)}, or the right number of fields)",
    takes,
    in_memory(pieces),
    endings=ENDINGS,
    fields=("group",),
    pieces=pieces,
)
