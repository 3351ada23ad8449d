"""Spans of documents in place of items: the columns of a document, of where a span begins, and of where it ends."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes
from rankconv.data.inputs.input_rows import RowPlace
from rankconv.data.inputs.usual_names import is_usual, plain

START, END = "item.start", "item.end"
"""The roles of the two places: parts of the id of an item, of which the document is the first."""
PLACES = (START, END)
_DOCUMENTS = frozenset(("document", "documentid", "doc", "docid", "docno", "corpusid"))
"""What the column of a document is called; other ids of items are those of whole items."""
_MOST = 2**53
_HALF_OPEN = "A span begins at start, counted from 0, and ends before end"


def places_of(document: str, names: Iterable[str], where: str) -> dict[str, str]:
    """Return the columns of both places by role, next to that of a document; none where there are no spans.

    InputError where one of both is missing, or several may be it.
    """
    if plain(document) not in _DOCUMENTS:
        return {}
    found = {role: [one for one in names if is_usual(kind, one)] for role, kind in ((START, "start"), (END, "end"))}
    if not any(found.values()):
        return {}
    for role, columns in found.items():
        kind = role.partition(".")[2]
        if len(columns) > 1:
            wrong = f"{' and '.join(map(repr, columns))} could each be the {kind} of a span"
            raise InputError(wrong, where=where, do="Rename all but one")
        if not columns:
            other = next(one[0] for one in found.values() if one)
            do = f"Add a column '{kind}', or rename '{other}' if these are no spans of documents"
            wrong = f"there is '{other}' next to '{document}', and no {kind} of a span"
            raise InputError(wrong, where=where, do=do)
    return {role: columns[0] for role, columns in found.items()}


def are_places(parts: Sequence[str]) -> bool:
    """Whether a caller's columns of an id are a document and both places of a span."""
    return len(parts) == 1 + len(PLACES) and is_usual("start", parts[1]) and is_usual("end", parts[2])


def read_places(values: Sequence[Any], role: str, place: RowPlace) -> Codes:
    """Read where spans begin or end, shape (rows,); InputError for the first that is no whole number from 0 on."""
    kind, found = role.partition(".")[2], [_whole(value) for value in values]
    for row, (value, whole) in enumerate(zip(values, found, strict=True)):
        if whole is None:
            wrong = f"the {kind} of a span is {value!r}, which is not a whole number"
            raise InputError(wrong, where=place(row), allowed=_HALF_OPEN, do="Write numbers of characters")
        if whole < 0 or whole >= _MOST:
            wrong = f"the {kind} of a span is {whole}"
            raise InputError(wrong, where=place(row), allowed=_HALF_OPEN, do="Count characters from 0")
    return np.array(found, np.int64)


def _whole(value: Any) -> int | None:
    """The whole number that a value is, or says as text."""
    if isinstance(value, str):
        text = value.strip()
        return int(text) if text.removeprefix("-").isdecimal() and text.isascii() else None
    if isinstance(value, float | np.floating):
        return int(value) if float(value).is_integer() else None
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    return None


def refuse_places(roles: Iterable[str], where: str) -> None:
    """Raise InputError where there are places of spans, which are read in memory alone."""
    if START in roles:
        do = "Leave {} out, or leave start and end out of both sides"
        wrong = "these are spans of documents, and data in batches have whole items"
        raise InputError(wrong, where=where, do=do.format("memory="), shell=do.format("--memory"))


def check_spans(columns: Mapping[str, Any], place: RowPlace) -> None:
    """Raise InputError for the first span that ends where it begins, or before; `columns` are read, by role."""
    if START not in columns:
        return
    for row in np.flatnonzero(columns[END] <= columns[START])[:1].tolist():
        start, end = int(columns[START][row]), int(columns[END][row])
        wrong, do = f"the span begins at {start} and ends before {end}", "Give every span a character at least"
        if end < start:
            do = "Exchange start and end if they are exchanged"
        elif end == start:
            do += ": end is the first place after it"
        raise InputError(wrong, where=place(row), allowed=_HALF_OPEN, do=do)
