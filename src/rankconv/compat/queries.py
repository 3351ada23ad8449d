"""Read what drop-in functions take: lists, nested lists, dictionaries, matrices and TREC lines of queries."""

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from gzip import open as open_gzip
from pathlib import Path
from typing import Any, ClassVar, Self

import rankconv as rc
from rankconv import InputError, RankconvError


@lru_cache(maxsize=1024)
def of(preset: str, spec: str, k: int | None = None) -> rc.Definition:
    """The metric of a preset, at a cutoff if there is one.

    Raises ConventionError and MetricError for what the preset does not offer.
    """
    return rc.metric(spec if k is None else f"{spec}@{k}", preset=preset)


def changed(definition: rc.Definition, settings: Mapping[str, Any]) -> rc.Definition:
    """The definition with other settings by convention; itself where there are none."""
    given: dict[str, Any] = dict(settings)
    return definition.replace(**given) if given else definition


class WrongValue(InputError, ValueError):
    """What the library refuses by a ValueError."""


class WrongType(InputError, TypeError):
    """What the library refuses by a TypeError."""


class WrongName(InputError, NameError):
    """What the library refuses by a NameError."""


class WrongDivision(InputError, ZeroDivisionError):
    """Where the library divides by zero."""


class WrongAssertion(InputError, AssertionError):
    """What the library refuses by an assertion."""


Kind = type[WrongValue] | type[WrongType] | type[WrongName] | type[WrongDivision] | type[WrongAssertion]


@contextmanager
def refused_as(kind: Kind) -> Iterator[None]:
    """Whatever rankconv refuses inside is raised in the library's kind, with rankconv's words."""
    try:
        yield
    except RankconvError as problem:
        if isinstance(problem, kind):
            raise
        parts = {part: getattr(problem, part) for part in ("where", "allowed", "nearest", "do", "shell")}
        raise kind(problem.wrong, **parts) from None


QREL_LINE, RUN_LINE = (
    ("query", "iteration", "document", "relevance"),
    ("query", "Q0", "document", "rank", "score", "tag"),
)


def read_trec(lines: Iterable[str], fields: tuple[str, ...], number: Callable[[str], Any]) -> dict[str, dict[str, Any]]:
    """The number of each document by query, of lines such as "q1 0 d7 1" or, of a run, "q1 Q0 d7 1 0.5 tag".

    Raises WrongAssertion for a document that a query has twice, and WrongValue for a line that is none of these.

    >>> dict(read_trec(["q1 Q0 d7 1 0.5 mine"], RUN_LINE, float))
    {'q1': {'d7': 0.5}}
    """
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for count, (query, _, document, value) in enumerate(trec_rows(lines, fields, number), 1):
        if document in found[query]:
            raise WrongAssertion(f"document '{document}' occurs twice for query '{query}'", where=f"line {count}")
        found[query][document] = value
    return found


def trec_rows(
    lines: Iterable[str], fields: tuple[str, ...], number: Callable[[str], Any]
) -> Iterator[tuple[str, str, str, Any]]:
    """Query, second field, document and number of each line, in their order, also of repeated documents.

    Raises WrongValue for a line that has other fields.

    >>> [*trec_rows(["q1 7 d7 1", "q1 8 d7 0"], QREL_LINE, int)]
    [('q1', '7', 'd7', 1), ('q1', '8', 'd7', 0)]
    """
    at = 3 if fields is QREL_LINE else 4
    for count, line in enumerate(lines, 1):
        parts, where = line.split(), f"line {count}"
        if len(parts) != len(fields):
            raise WrongValue(f"{len(parts)} fields", where=where, allowed=f"A line holds {', '.join(fields)}")
        try:
            yield parts[0], parts[1], parts[2], number(parts[at])
        except ValueError:
            raise WrongValue(f"'{parts[at]}' is no {fields[at]}", where=where) from None


Rows = dict[int, list[int]]
"""The items of each user, numbered; users are numbered by their place."""


class _Further:
    """A second label for an item: one more that could be found, and equals none that is returned."""


def paired(actual: Iterable[Any], predicted: Iterable[Any], *, repeats_count: bool = False) -> tuple[Rows, Rows]:
    """Labels and run of two lists of lists; the shorter one ends the pairing, as `zip` does.

    Items are compared as Python does, so 1, 1.0 and True are one item. `repeats_count`: an item that is relevant
    twice makes the user's relevant items one more, as `len` counts them, although it can be found once alone.

    Raises WrongType for users and items that are no lists of things that a dictionary could hold.
    """
    number_of: dict[Hashable, int] = {}
    labels: Rows = {}
    run: Rows = {}
    try:
        for user, (true, found) in enumerate(zip(actual, predicted, strict=False)):
            known: dict[Hashable, None] = {}
            for item in true:
                known[_Further() if repeats_count and item in known else item] = None
            labels[user], run[user] = (
                [number_of.setdefault(item, len(number_of)) for item in one] for one in (known, found)
            )
    except TypeError as problem:
        raise WrongType(f"each user has a list of items here: {problem}", do="Pass lists of numbers or text.") from None
    return labels, run


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
        for query, documents in data.items():
            if not isinstance(documents, Mapping):
                raise WrongValue(f"{type(documents).__name__} is not a dictionary", where=f"query {query!r:.50}")
        return {query: dict(documents) for query, documents in data.items()}
    found: Nested = {}
    for query, document, number in _rows(data, fields):
        found.setdefault(query, {})[document] = number
    return found


def _rows(data: Any, fields: tuple[str, ...]) -> Iterable[tuple[Any, ...]]:
    """The rows of a frame, or of tuples with these fields."""
    if hasattr(data, "columns"):
        missing = [field for field in fields if field not in data.columns]
        if missing:
            raise WrongValue(f"DataFrame missing columns: {missing} (found {[*data.columns]})")
        return zip(*(data[field].to_numpy().tolist() for field in fields), strict=True)
    try:
        return [tuple(getattr(row, field) for field in fields) for row in data]
    except (TypeError, AttributeError) as problem:
        allowed = f"Tuples with the fields {', '.join(fields)}, a frame of these, or dictionaries of dictionaries"
        raise WrongValue(f"{type(data).__name__} cannot be read: {problem}", allowed=allowed) from None


KINDS = {".json": "json", ".trec": "trec", ".txt": "trec", ".gz": "gz"}


class ByQuery(dict[str, dict[str, Any]]):
    """A number of each document by query; queries and documents are text."""

    number: ClassVar[Callable[[Any], Any]] = float
    fields: ClassVar[tuple[str, ...]] = RUN_LINE

    def __init__(self, data: Mapping[str, Mapping[str, Any]] | None = None, name: str | None = None) -> None:
        super().__init__()
        self.name = name
        for query, documents in (data or {}).items():
            self.add(query, [*documents], [*documents.values()])

    def add_score(self, q_id: str, doc_id: str, score: Any) -> None:
        """Add one document, or change its number."""
        if not isinstance(q_id, str) or not isinstance(doc_id, str):
            raise WrongType(f"ids are text, and {q_id!r:.50}, {doc_id!r:.50} are not", do="Pass str(id).")
        self.setdefault(q_id, {})[doc_id] = type(self).number(score)

    def add(self, q_id: str, doc_ids: Sequence[str], scores: Sequence[Any]) -> None:
        """Add one query with its documents."""
        self.setdefault(q_id, {})
        for document, score in zip(doc_ids, scores, strict=True):
            self.add_score(q_id, document, score)

    def add_multi(
        self, q_ids: Sequence[str], doc_ids: Sequence[Sequence[str]], scores: Sequence[Sequence[Any]]
    ) -> None:
        """Add several queries, each with its documents."""
        for query, documents, numbers in zip(q_ids, doc_ids, scores, strict=True):
            self.add(query, documents, numbers)

    def get_query_ids(self) -> list[str]:
        """The queries."""
        return [*self]

    def to_dict(self) -> Nested:
        """The numbers by query and document."""
        return {query: dict(documents) for query, documents in self.items()}

    @property
    def size(self) -> int:
        """How many queries there are."""
        return len(self)

    @classmethod
    def from_dict(cls, d: Mapping[str, Mapping[str, Any]], name: str | None = None) -> Self:
        """Of numbers by query and document."""
        return cls(d, name)

    @classmethod
    def from_df(
        cls,
        df: Any,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        name: str | None = None,
    ) -> Self:
        """Of a frame with a row for each document. Raises WrongValue where a column is missing."""
        return cls(by_query(df, (q_id_col, doc_id_col, score_col)), name)

    @classmethod
    def from_file(cls, path: Any, kind: str | None = None, name: str | None = None) -> Self:
        """Of a JSON file, or of one of TREC, which may be packed by gzip.

        Raises WrongAssertion, an AssertionError, for another kind.
        """
        kind = kind or KINDS.get(Path(path).suffix, "")
        if kind not in KINDS.values():
            raise WrongAssertion("Error `kind` must be 'json', 'trec' or 'gz'", where=str(path))
        with open_gzip(path, "rt") if kind == "gz" else Path(path).open() as file:
            return cls(json.load(file) if kind == "json" else read_trec(file, cls.fields, cls.number), name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().__repr__()})"


class Qrels(ByQuery):
    """What is relevant: whole grades by query and document; 1.9 is cut to 1.

    >>> Qrels({"q": {"a": 1}})["q"]
    {'a': 1}
    """

    number, fields = int, QREL_LINE

    @property
    def qrels(self) -> Nested:
        """The grades by query and document."""
        return self


class Run(ByQuery):
    """What was returned: scores by query and document; and what `evaluate` found, if it saved it here.

    >>> Run({"q": {"a": 0.5}}, name="bm25").name
    'bm25'
    """

    def __init__(self, run: Mapping[str, Mapping[str, Any]] | None = None, name: str | None = None) -> None:
        super().__init__(run, name)
        self.scores: dict[str, dict[str, float]] = {}
        self.mean_scores: dict[str, float] = {}
        self.std_scores: dict[str, float] = {}

    @property
    def run(self) -> Nested:
        """The scores by query and document."""
        return self

    def make_comparable(self, qrels: Qrels) -> "Run":
        """Give the run the queries of the qrels: those that it lacks with no document, and no others."""
        known = {query: self.get(query, {}) for query in qrels}
        self.clear()
        self.update(known)
        return self
