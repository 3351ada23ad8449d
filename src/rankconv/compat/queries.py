"""Numbers by query and document as objects that are filled step by step: qrels and runs as ranx has them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from gzip import open as open_gzip
from pathlib import Path
from typing import Any, ClassVar, Self

from rankconv.compat import trec_lines
from rankconv.compat.errors import WrongAssertion, WrongType
from rankconv.compat.nested import Nested, by_query

KINDS = {".json": "json", ".trec": "trec", ".txt": "trec", ".gz": "gz"}


class ByQuery:
    """A number of each document by query; queries and documents are text."""

    number: ClassVar[Callable[[Any], Any]] = float
    fields: ClassVar[tuple[str, ...]] = trec_lines.RUN

    def __init__(self, data: Mapping[str, Mapping[str, Any]] | None = None, name: str | None = None) -> None:
        self.name = name
        self.numbers: Nested = {}
        for query, documents in (data or {}).items():
            self.add(query, [*documents], [*documents.values()])

    def add_score(self, q_id: str, doc_id: str, score: Any) -> None:
        """Add one document, or change its number."""
        if not isinstance(q_id, str) or not isinstance(doc_id, str):
            raise WrongType(f"ids are text, and {q_id!r:.50}, {doc_id!r:.50} are not", do="Pass str(id).")
        self.numbers.setdefault(q_id, {})[doc_id] = type(self).number(score)

    def add(self, q_id: str, doc_ids: Sequence[str], scores: Sequence[Any]) -> None:
        """Add one query with its documents."""
        self.numbers.setdefault(q_id, {})
        for document, score in zip(doc_ids, scores, strict=True):
            self.add_score(q_id, document, score)

    def add_multi(
        self, q_ids: Sequence[str], doc_ids: Sequence[Sequence[str]], scores: Sequence[Sequence[Any]]
    ) -> None:
        """Add several queries, each with its documents."""
        for query, documents, numbers in zip(q_ids, doc_ids, scores, strict=True):
            self.add(query, documents, numbers)

    def keys(self) -> Any:
        """The queries."""
        return self.numbers.keys()

    def get_query_ids(self) -> list[str]:
        """The queries."""
        return [*self.numbers]

    def to_dict(self) -> Nested:
        """The numbers by query and document."""
        return {query: dict(documents) for query, documents in self.numbers.items()}

    @property
    def size(self) -> int:
        """How many queries there are."""
        return len(self.numbers)

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
            return cls(json.load(file) if kind == "json" else trec_lines.read(file, cls.fields, cls.number), name)

    def __getitem__(self, q_id: str) -> dict[str, Any]:
        return dict(self.numbers[q_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.numbers!r})"


class Qrels(ByQuery):
    """What is relevant: whole grades by query and document; 1.9 is cut to 1.

    >>> Qrels({"q": {"a": 1}})["q"]
    {'a': 1}
    """

    number, fields = int, trec_lines.QREL

    @property
    def qrels(self) -> Nested:
        """The grades by query and document."""
        return self.numbers


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
        return self.numbers

    def make_comparable(self, qrels: Qrels) -> "Run":
        """Give the run the queries of the qrels: those that it lacks with no document, and no others."""
        self.numbers = {query: self.numbers.get(query, {}) for query in qrels.numbers}
        return self
