"""Grades and scores by query and document, of what libraries of search take: dictionaries, tuples, frames."""

from collections.abc import Iterable, Mapping
from typing import Any

from rankconv.compat.errors import WrongValue

Nested = dict[str, dict[str, Any]]


def by_query(data: Any, fields: tuple[str, str, str]) -> Nested:
    """A number by query and document; `fields` are the columns or attributes of query, document and number.

    Takes dictionaries of dictionaries, frames with these columns, and tuples with these fields.
    Raises WrongValue for all else.

    >>> from collections import namedtuple
    >>> Row = namedtuple("Row", "query_id doc_id score")
    >>> by_query([Row("q", "a", 0.5)], ("query_id", "doc_id", "score"))
    {'q': {'a': 0.5}}
    """
    if isinstance(data, Mapping):
        return _dictionaries(data)
    rows = _of_frame(data, fields) if hasattr(data, "columns") else _of_tuples(data, fields)
    found: Nested = {}
    for query, document, number in rows:
        found.setdefault(query, {})[document] = number
    return found


def _dictionaries(data: Mapping[Any, Any]) -> Nested:
    for query, documents in data.items():
        if not isinstance(documents, Mapping):
            raise WrongValue(f"{type(documents).__name__} is no dictionary", where=f"query {query!r:.50}")
    return {query: dict(documents) for query, documents in data.items()}


def _of_frame(frame: Any, fields: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    missing = [field for field in fields if field not in frame.columns]
    if missing:
        raise WrongValue(f"DataFrame missing columns: {missing} (found {[*frame.columns]})")
    return zip(*(frame[field].to_numpy().tolist() for field in fields), strict=True)


def _of_tuples(data: Any, fields: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    try:
        return [tuple(getattr(row, field) for field in fields) for row in data]
    except (TypeError, AttributeError) as problem:
        allowed = f"Tuples with the fields {', '.join(fields)}, a frame of these, or dictionaries of dictionaries"
        raise WrongValue(f"{type(data).__name__} cannot be read: {problem}", allowed=allowed) from None
