"""Where a JSON file has its records: in a list, in an object, by query, in columns, or in responses of a search.

Each way is a row of `RECORD_PLACES`, and the first that a file has is read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.record_shapes import has_lists, is_id_key, names_list, names_query
from rankconv.data.inputs.row_batches import Record

_QUERY = "query"
"""What a query is called that is the key of its record."""


@dataclass(frozen=True)
class FoundRecords:
    """The records of a file, or in their place what is read as Python's lists and dicts."""

    records: list[Record] | None
    at: str = ""
    """The key that leads to them."""
    collections: Any = None


@dataclass(frozen=True)
class RecordPlace:
    """One place of records in a file."""

    name: str
    example: str
    """A file of `examples/rag`."""
    find: Callable[[Any, ColumnSpec, str], FoundRecords | None]


def records_in(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    """Return the records that an object or a list of JSON has for this side; None where it has none.

    InputError where there are several lists of records.
    """
    found = (place.find(data, spec, where) for place in RECORD_PLACES)
    return next((one for one in found if one is not None), None)


def _list(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    some = next((one for one in data if isinstance(one, dict)), None) if isinstance(data, list) else None
    return FoundRecords(data) if some is not None and has_lists(some, spec) else None


def _responses(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    responses = data.get("responses") if isinstance(data, dict) else None
    if not isinstance(responses, list) or not all(isinstance(one, dict) for one in responses):
        return None
    for at, one in enumerate(responses):
        if "error" in one:
            wrong, do = "this search failed", "Repeat the searches, or leave this query out of both files"
            raise InputError(wrong, where=f"{where}, response {at}", do=do)
    return _list(responses, spec, where) and FoundRecords(responses, "responses")


def _columns(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    lists = {key: one for key, one in data.items() if isinstance(one, list)} if isinstance(data, dict) else {}
    query = next((key for key in lists if lists[key] and names_query(key, lists[key][0])), None)
    if query is None:
        return None
    lists = {key: one for key, one in lists.items() if len(one) == len(lists[query])}
    records = [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]
    return FoundRecords(records) if any(has_lists(one, spec) for one in records) else None


def _around(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    if not isinstance(data, dict) or (has_lists(data, spec) and any(_is_query(*pair) for pair in data.items())):
        return None
    found = dict[str, FoundRecords]()
    for key, one in data.items():
        inner = _list(one, spec, where) or (_around(one, spec, where) if isinstance(one, dict) else None)
        if inner is not None and _names_queries(inner):
            found[key] = inner
    if len(found) > 1:
        names = " and ".join(map(repr, found))
        wrong, do = f"there are records under {names}", "Write those that are wanted into a file of their own"
        raise InputError(wrong, where=where, do=do)
    return next((FoundRecords(one.records, f"{key}.{one.at}".strip(".")) for key, one in found.items()), None)


def _is_query(key: str, value: Any) -> bool:
    return names_query(key, value) and key != "id"


def _names_queries(found: FoundRecords) -> bool:
    """Whether the records name their queries: else a list of objects may be that of one query."""
    return any(any(names_query(*pair) for pair in one.items()) for one in found.records or () if isinstance(one, dict))


def _by_query(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    if not isinstance(data, dict) or not data or not all(isinstance(one, dict) for one in data.values()):
        return None
    if any(names_list(key) for key in data) or not all(has_lists(one, spec) for one in data.values() if one):
        return None
    return FoundRecords([{**one, _QUERY: query} for query, one in data.items()])


def _both_sides(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    """Labels and run of all queries, each under a key: `{"qrels": {"q1": {"d1": 1}}, "run": {}}`."""
    if not isinstance(data, dict):
        return None
    wanted = [key for key in data if names_list(key, spec) and _are_of_queries(data[key])]
    if not wanted and spec.what == "rankings":  # a response of Chroma: ids, distances, and documents in turn
        wanted = [key for key in data if is_id_key(key) and names_list(key) and _are_of_queries(data[key])]
    if len(wanted) > 1:
        names = " and ".join(map(repr, wanted))
        raise InputError(
            f"{names} could each be the {spec.what}", where=where, do="Write one of them into its own file"
        )
    return FoundRecords(None, wanted[0], data[wanted[0]]) if wanted else None


def _entries(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    """The entries of each query under its id, or in turn: `{"q1": [{"id": "d1", "score": 0.9}]}`."""
    lists = [*data.values()] if isinstance(data, dict) else data if isinstance(data, list) else []
    if not all(isinstance(one, list) for one in lists) or not isinstance(_first_entry(lists), dict):
        return None
    name = "relevant" if spec.what == "labels" else "retrieved"
    if isinstance(data, list):
        return FoundRecords([{name: one} for one in data])
    ids = all(isinstance(key, str | Integral) for key in data)
    if not ids or all(isinstance(key, str) and names_list(key) for key in data):
        return None
    return FoundRecords([{_QUERY: query, name: one} for query, one in data.items()])


def _first_entry(lists: Iterable[list[Any]]) -> Any:
    return next((one[0] for one in lists if one), None)


def _are_of_queries(value: Any) -> bool:
    """Whether this has all items of each query: by its id, or in turn."""
    if isinstance(value, Mapping):
        return bool(value) and all(isinstance(one, list | dict) for one in value.values())
    return isinstance(value, list) and bool(value) and all(isinstance(one, list) for one in value)


def _one_record(data: Any, spec: ColumnSpec, where: str) -> FoundRecords | None:
    if not isinstance(data, dict) or not has_lists(data, spec):
        return None
    response = isinstance(data.get("hits"), dict)
    return FoundRecords([data]) if response or any(names_query(key, one) for key, one in data.items()) else None


RECORD_PLACES = (
    RecordPlace("a list of records, or JSON lines", "records_gold.jsonl", _list),
    RecordPlace("responses of `_msearch`, for the queries in turn", "msearch.json", _responses),
    RecordPlace("columns, as `Dataset.to_dict()` of Hugging Face", "columns.json", _columns),
    RecordPlace("records by query, also responses of `_search`", "by_query.json", _by_query),
    RecordPlace("records in an object, under any key", "wrapped.json", _around),
    RecordPlace("the entries of a query under its id", "entries.json", _entries),
    RecordPlace(
        "labels and run of all queries under two keys, also data sets of LlamaIndex", "sides.json", _both_sides
    ),
    RecordPlace("one record, also a response of `_search`", "search.json", _one_record),
)
"""The places in the order in which they are tried."""
