"""TREC files: qrels (topic, iteration, document, grade) and runs (topic, Q0, document, rank, score, tag)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs.paths import first_line, opened, refuse_other_than_utf8
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.rows import Rows
from rankconv.inputs.texts import rows_of_text

ENDINGS = (".trec", ".qrels", ".qrel", ".run")


@dataclass(frozen=True)
class Layout:
    """The fields of each line."""

    name: str
    fields: tuple[str, ...]

    def __str__(self) -> str:
        return f"TREC {self.name} file ({len(self.fields)} fields: {', '.join(self.fields)})"


LAYOUTS = {
    "labels": Layout("qrels", ("user", "iteration", "item", "grade")),
    "rankings": Layout("run", ("user", "Q0", "item", "rank", "score", "tag")),
}
"""The file that each of the two is kept in."""


def takes(data: Any) -> bool:
    """Files with these endings, and files of any other whose first line has as many fields."""
    if not isinstance(data, Path):
        return False
    return data.suffix.lower() in ENDINGS or _layout_of(data) is not None


def read(path: Path, wanted: Wanted) -> Rows:
    """Rows from the lines; any run of blanks parts fields, and blank lines are skipped."""
    import polars as pl

    layout = LAYOUTS[wanted.what]
    _refuse_other_layout(path, wanted)
    lines, texts = _split(path, layout)
    width, places = len(layout.fields), enumerate(layout.fields)
    columns = {role: pl.Series(texts[place::width]) for place, role in places if role in wanted.columns}
    return rows_of_text(columns, wanted, path, lambda row: f"{path}, line {lines[row]}")


def _layout_of(path: Path) -> Layout | None:
    """What the first line looks like."""
    count = len(first_line(path).split())
    return next((layout for layout in LAYOUTS.values() if len(layout.fields) == count), None)


def _refuse_other_layout(path: Path, wanted: Wanted) -> None:
    found = _layout_of(path)
    if found and found is not LAYOUTS[wanted.what]:
        do = "Are the labels and the rankings exchanged?"
        wrong = f"this is a {found}, and {wanted.what} are kept in a {LAYOUTS[wanted.what]}"
        raise InputError(wrong, where=str(path), do=do)


def _split(path: Path, layout: Layout) -> tuple[list[int], list[str]]:
    """The number of each line that is not blank, and the fields of all lines one after the other."""
    lines: list[int] = []
    texts: list[bytes] = []
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            fields = line.split()
            if not fields:
                continue
            if len(fields) != len(layout.fields):
                raise _wrong_count(fields, layout, f"{path}, line {number}")
            lines.append(number)
            texts += fields
    return lines, _decoded(path, texts)


def _wrong_count(fields: list[bytes], layout: Layout, where: str) -> InputError:
    shown = b" ".join(fields).decode(errors="replace")
    return InputError(
        f"there are {len(fields)} fields in '{shown:.80}'", where=where, allowed=f"It was read as a {layout}"
    )


def _decoded(path: Path, texts: list[bytes]) -> list[str]:
    """All at once; none holds a line break."""
    try:
        return b"\n".join(texts).decode().split("\n")
    except UnicodeDecodeError:
        refuse_other_than_utf8(path)
        raise


READER = Reader(f"TREC files ({', '.join(ENDINGS)}, or the right number of fields)", takes, read, of_files=True)
