"""JSON of search engines and their tools, as records that hold the list of a query: ratings are labels, hits a run.

Elasticsearch and OpenSearch (rank_eval), OpenSearch Search Relevance and Quepid; the keys of a file show its kind.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankconv.basics.errors import InputError, nearest
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.row_batches import Record

Records = Callable[[Record, str], Iterator[Record]]
_KEY = ("_index", "_id")
"""What identifies a document of a rank_eval request and response."""
_IN_WORDS: dict[type, str] = {str: "a text", list: "a list", dict: "an object"}
_ITEMS = ("_id", "docId", "id")


@dataclass(frozen=True)
class EngineFile:
    """One kind of file."""

    kind: str
    """What it is, for messages."""
    takes: Callable[[Record], bool]
    labels: Records | str
    """How its labels are read; what to pass in its place where it has none."""
    rankings: Records | str
    """How its run is read; what to pass in its place where it has none."""


def engine_records(data: Any, spec: ColumnSpec, where: str) -> tuple[list[Record], ColumnSpec] | None:
    """Return one record for each query, and their columns; None where this is not the file of a search engine.

    Items are ids of documents, and pairs of an index and an id where there are several indices.
    """
    if _are_objects(data) and any("ratings" in one and "id" in one for one in data):
        data = {"requests": data}  # the list alone
    form = next((form for form in FILES if isinstance(data, dict) and form.takes(data)), None)
    if form is None:
        return None
    read = form.labels if spec.what == "labels" else form.rankings
    if isinstance(read, str):
        raise InputError(f"this is {form.kind}, and {spec.what} are wanted here", where=where, do=read)
    records = list(read(data, where))
    for query, times in Counter(record["query"] for record in records).most_common(1):
        if times > 1:
            raise InputError(f"the query '{query}' is there {times} times", where=where, do="Keep one of them")
    indices = {repr(index) for record in records for index in record.get("_index", ())}
    usual = next((name for name in _ITEMS if name in next(iter(records), {})), "_id")
    item = spec.columns.get("item") or (_KEY if len(indices) > 1 else usual)
    if "_index" not in item:
        records = [{name: column for name, column in record.items() if name != "_index"} for record in records]
    user = spec.columns.get("user") or "query"
    return records, replace(spec, columns={**spec.columns, "user": user, "item": item})


def _value(entry: Any, name: str, kind: type, where: str) -> Any:
    """The value of this name, which is a text, a list or an object."""
    found = _present(entry, name, where)
    if not isinstance(found, kind):
        allowed = f"It must be {_IN_WORDS[kind]}"
        raise InputError(f"'{name}' is {found!r:.60}", where=where, allowed=allowed)
    return found


def _present(entry: Any, name: str, where: str) -> Any:
    if not isinstance(entry, dict):
        raise InputError(f"{entry!r:.60} is not an object", where=where)
    if entry.get(name, "") == "":
        raise InputError(f"there is no '{name}'", where=where, nearest=nearest(name, entry.keys() - {name}))
    return entry[name]


def _lists(entries: list[Any], names: Sequence[str], where: str) -> Record:
    """The values of each name, one for each entry; ids and numbers are checked when all records are read."""
    numbered = [(entry, f"{where}, entry {at}") for at, entry in enumerate(entries, 1)]
    return {name: [_present(entry, name, at) for entry, at in numbered] for name in names}


def _are_objects(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and all(isinstance(entry, dict) for entry in data)


# rank_eval of Elasticsearch and OpenSearch


def _of_requests(data: Record, where: str) -> Iterator[Record]:
    for at, request in enumerate(data["requests"], 1):
        query = _value(request, "id", str, f"{where}, request {at}")
        place = f"{where}, request '{query}'"
        ratings = _value(request, "ratings", list, place)
        yield {"query": query, **_lists(ratings, (*_KEY, "rating"), f"{place}, ratings")}


def _of_response(data: Record, where: str) -> Iterator[Record]:
    for query in data.get("failures") or ():
        wrong = f"the search of query '{query}' failed, and the mean of the engine leaves it out"
        raise InputError(wrong, where=where, do="Repeat the request, or take the query out of both files")
    for query, detail in data["details"].items():
        place = f"{where}, query '{query}'"
        hits = _value(detail, "hits", list, place)
        found = [_value(hit, "hit", dict, f"{place}, hits, entry {at}") for at, hit in enumerate(hits, 1)]
        unrated, listed = sum(hit.get("rating") is None for hit in hits), _value(detail, "unrated_docs", list, place)
        if unrated != len(listed):
            wrong = f"{unrated} hits have no rating, and unrated_docs lists {len(listed)}"
            raise InputError(wrong, where=place, do="Save the whole response anew")
        yield {"query": query, **_lists(found, _KEY, f"{place}, hits")}


# OpenSearch Search Relevance


def _sources(data: Record, key: str) -> list[Record]:
    """The documents of a search response, where each has this key."""
    hits = data["hits"].get("hits") if isinstance(data.get("hits"), dict) else None
    sources = [hit.get("_source") for hit in hits] if hits and _are_objects(hits) else []
    return sources if all(isinstance(source, dict) and key in source for source in sources) else []


def _of_judgments(data: Record, where: str) -> Iterator[Record]:
    lists = _sources(data, "judgmentRatings") or [data]
    if len(lists) > 1:
        names = ", ".join(str(one.get("name")) for one in lists)
        wrong = f"there are {len(lists)} judgment lists ({names})"
        raise InputError(wrong, where=where, do="Fetch one of them by its id")
    for at, judgment in enumerate(_value(lists[0], "judgmentRatings", list, where), 1):
        query = _value(judgment, "query", str, f"{where}, judgmentRatings, entry {at}")
        place = f"{where}, query '{query}'"
        columns = _lists(_value(judgment, "ratings", list, place), ("docId", "rating"), place)
        for at_rating, rating in enumerate(columns["rating"]):
            try:
                columns["rating"][at_rating] = float(rating)
            except (TypeError, ValueError):
                raise InputError(f"the rating '{rating}' is not a number", where=place) from None
        yield {"query": query, **columns}


def _of_results(data: Record, where: str) -> Iterator[Record]:
    for at, result in enumerate(_sources(data, "documentIds"), 1):
        query = _value(result, "searchText", str, f"{where}, result {at}")
        yield {"query": query, "docId": _value(result, "documentIds", list, f"{where}, query '{query}'")}


# Quepid


def _are_quepid_queries(data: Record) -> bool:
    queries = data.get("queries")
    named = _are_objects(queries) and all({"query_text", "query"} & query.keys() for query in data["queries"])
    return named and any("ratings" in query for query in data["queries"])


def _of_case(data: Record, where: str) -> Iterator[Record]:
    """The ratings of a query are an object, or a list of objects; there is none where nothing is rated."""
    for at, query in enumerate(data["queries"], 1):
        name = _value(query, "query_text" if "query_text" in query else "query", str, f"{where}, query {at}")
        place, ratings = f"{where}, query '{name}'", query.get("ratings", {})
        if isinstance(ratings, dict):
            ratings = [{"doc_id": item, "rating": rating} for item, rating in ratings.items()]
        rated = [one for one in ratings if not (isinstance(one, dict) and one.get("rating", 0) is None)]
        columns = _lists(rated, ("doc_id", "rating"), place)
        yield {"query": name, "id": columns["doc_id"], "rating": columns["rating"]}


def _of_snapshot(data: Record, where: str) -> Iterator[Record]:
    """Documents that are `rated_only` were not returned; results without a query are of one that was deleted."""
    for at, query in enumerate(data["queries"], 1):
        name = _value(query, "query_text", str, f"{where}, query {at}")
        docs = data["docs"].get(str(query.get("query_id")))
        if docs is not None:
            place = f"{where}, query '{name}'"
            docs = [doc for doc in docs if not (isinstance(doc, dict) and doc.get("rated_only"))]
            yield {"query": name, **_lists(docs, ("id",), place)}


FILES = (
    EngineFile(
        "the request of a ranking evaluation",
        lambda data: _are_objects(data.get("requests")) and any("ratings" in one for one in data["requests"]),
        _of_requests,
        "Pass the response to it",
    ),
    EngineFile(
        "the response to a ranking evaluation",
        lambda data: isinstance(data.get("details"), dict) and isinstance(data.get("metric_score"), float | int),
        "Pass the request: the response has the ratings of its hits alone",
        _of_response,
    ),
    EngineFile(
        "a judgment list of OpenSearch",
        lambda data: _are_objects(data.get("judgmentRatings")) or bool(_sources(data, "judgmentRatings")),
        _of_judgments,
        "Pass the evaluation results of an experiment",
    ),
    EngineFile(
        "the evaluation results of an experiment of OpenSearch",
        lambda data: bool(_sources(data, "documentIds")),
        "Pass the judgment list",
        _of_results,
    ),
    EngineFile(
        "a snapshot of Quepid",
        lambda data: isinstance(data.get("docs"), dict) and _are_quepid_queries(data),
        _of_case,
        _of_snapshot,
    ),
    EngineFile("a case of Quepid", _are_quepid_queries, _of_case, "Export a snapshot of it"),
)
"""The kinds of files, each recognised by its keys; the first that takes a file reads it."""
