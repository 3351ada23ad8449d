"""Columns of text, as all text files give them, into rows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankconv.data.arrays import Codes
from rankconv.data.coded_texts import coded_texts
from rankconv.data.ids import Ids
from rankconv.data.uncoded import Texts
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import owners
from rankconv.inputs.file import File
from rankconv.inputs.reader import Place, Rows, Wanted
from rankconv.inputs.times import from_text

if TYPE_CHECKING:
    import polars as pl


def rows_of_text(columns: Mapping[str, "pl.Series"], wanted: Wanted, file: File, place: Place) -> Rows:
    """Rows from the text column of each role; ids stay text, so that 007 stays 007."""
    _refuse_empty(columns["user"], "user", place)
    users, user, starts = owners(columns["user"], place)
    _refuse_empty(columns["item"], "item", place)
    items, item = (None, Texts(columns["item"])) if len(columns["item"]) else coded_texts(columns["item"])
    number, rank = (
        numbers.from_texts(columns[role], role, place) if role in columns else None for role in (wanted.number, "rank")
    )
    groups, group = _groups(columns["group"], place) if "group" in columns else (None, None)
    time = from_text(columns["time"], place) if "time" in columns else None
    more: dict[str, Any] = {"groups": groups, "group": group, "time": time, "starts": starts}
    return Rows(file.name, users, user, items, item, number, rank, **more)


def _groups(texts: "pl.Series", place: Place) -> tuple[Ids, Codes]:
    _refuse_empty(texts, "group", place)
    return coded_texts(texts)


def _refuse_empty(texts: "pl.Series", role: str, place: Place) -> None:
    for row in (texts.is_null() | (texts == "")).arg_true().head(1):
        raise InputError(f"there is no {role} id", where=place(row), do="Give the row an id, or leave it out")
