"""TREC files: qrels (topic, iteration, document, grade) and runs (topic, Q0, document, rank, score, tag).

Diversity qrels (topic, subtopic, document, grade) look like any others, so the caller says that they are: `group=`.
"""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rankconv.errors import InputError
from rankconv.inputs.file import File
from rankconv.inputs.lines import Layout, split
from rankconv.inputs.paths import opened
from rankconv.inputs.reader import Place, RankSource, Reader, Rows, Wanted
from rankconv.inputs.texts import rows_of_text
from rankconv.inputs.trec_fast import well_formed

if TYPE_CHECKING:
    import polars as pl

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


def takes(data: Any) -> bool:
    """Files whose first line has as many fields."""
    return isinstance(data, File) and _layout_of(data) is not None


def read(file: File, wanted: Wanted) -> Rows:
    """Rows from the lines; any run of blanks parts fields, and blank lines and comments are skipped."""
    _refuse_other_layout(file, wanted)
    layout = _diversity(file, wanted) if "group" in wanted.named else LAYOUTS[wanted.what]
    columns, place = _columns(file, layout, wanted)
    rows = rows_of_text(columns, wanted, file, place)
    return replace(rows, tag=_tag(file), rank_source=RankSource.TREC) if wanted.what == "rankings" else rows


def _diversity(file: File, wanted: Wanted) -> Layout:
    """The layout whose second field is the group, which the caller has named."""
    if wanted.named["group"] not in _SECOND:
        wrong = f"'{wanted.named['group']}' is no field of a {LAYOUTS['labels']}"
        allowed, do = f"Groups are in its second field: {', '.join(_SECOND)}", "Pass group='subtopic'"
        raise InputError(wrong, where=str(file), allowed=allowed, do=do, shell="Pass --column group=subtopic")
    return DIVERSITY


def _columns(file: File, layout: Layout, wanted: Wanted) -> tuple[dict[str, "pl.Series"], Place]:
    """The text of each role: fast where all lines are as programs write them, else line by line; the same table."""
    roles = [role for role in layout.fields if role in wanted.columns]
    table = well_formed(file.path, layout.fields, roles)
    if table is not None:
        return {role: table[role] for role in roles}, lambda row: f"{file}, line {row + 1}"
    found = split(file, layout, {role: role for role in roles})
    return found.columns(), found.place


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
    read,
    endings=ENDINGS,
    fields=("group",),
)
