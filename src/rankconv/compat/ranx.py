"""ranx 0.3.21: `evaluate` with `Qrels` and `Run`, without waiting for Numba to compile.

    from rankconv.compat.ranx import Qrels, Run, evaluate          # was: from ranx import Qrels, Run, evaluate
    evaluate(Qrels(qrels), Run(run), ["ndcg@10", "map-l2"])

The rankconv way: `rc.evaluate(qrels, run, ["ndcg@10", "map(relevant=at-least(2))"], preset="ranx")`.

What may surprise, and is kept: grades are cut to whole numbers; grades below the level (`-l2`) are dropped before
gains are looked up, also in DCG, NDCG and RBP; `ndcg` has the gain grade and `ndcg_burges` 2^grade - 1; the two sides
must hold the same queries, unless `make_comparable` says that a query which the run lacks counts 0, and changes the
run; `@0` is the whole list.

What differs here: bpref of a query does not depend on the other queries, where judged ones that are not relevant are
lacking and ranx gives NaN or 0 by what else is in the run; tied documents keep the order in which they were added, in
ranx up to 15 of a query alone; no threads are needed, and `threads` is not read. A mean is an `Number`, a float
that knows its definition. `fuse`, `compare` and the hub are not here: `rc.test` and `rc.leaderboard` compare runs.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from gzip import open as open_gzip
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

import rankconv as rc
from rankconv.compat.queries import (
    QREL_LINE,
    RUN_LINE,
    WrongAssertion,
    WrongType,
    WrongValue,
    changed,
    of,
    read_trec,
    refused_as,
)

__all__ = ["Qrels", "Run", "evaluate"]
PRESET = "ranx"
METRICS = (
    *("hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map"),
    *("dcg", "dcg_burges", "ndcg", "ndcg_burges", "bpref", "rbp"),
)


Nested = dict[str, dict[str, Any]]
KINDS = {".json": "json", ".trec": "trec", ".txt": "trec", ".gz": "gz"}


class ByQuery(dict[str, dict[str, Any]]):
    """A number of each document by query; queries and documents are text."""

    number: ClassVar[Callable[[Any], Any]] = float
    fields: ClassVar[tuple[str, ...]] = RUN_LINE

    def __init__(self, data: Mapping[str, Mapping[str, Any]] | None = None, name: str | None = None) -> None:
        super().__init__()
        self.name = name
        for query, documents in (data or {}).items():
            if not isinstance(documents, Mapping):
                raise WrongType(f"query {query!r:.50} has no numbers", do="Pass {query: {document: number}}.")
            self.add(query, [*documents], [*documents.values()])

    def add_score(self, q_id: str, doc_id: str, score: Any) -> None:
        """Add one document, or change its number."""
        if not isinstance(q_id, str) or not isinstance(doc_id, str):
            raise WrongType(f"ids are text, and {q_id!r:.50}, {doc_id!r:.50} are not", do="Pass str(id).")
        try:
            self.setdefault(q_id, {})[doc_id] = type(self).number(score)
        except (TypeError, ValueError):
            raise WrongValue(f"{score!r:.50} is no number", where=f"query {q_id}, document {doc_id}") from None

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
        columns = (q_id_col, doc_id_col, score_col)
        missing = [one for one in columns if one not in df.columns]
        if missing:
            raise WrongValue(f"DataFrame missing columns: {missing} (found {[*df.columns]})")
        found: Nested = {}
        for query, document, score in zip(*(df[one].to_numpy().tolist() for one in columns), strict=True):
            found.setdefault(query, {})[document] = score
        return cls(found, name)

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


def evaluate(
    qrels: Any,
    run: Any,
    metrics: str | Sequence[str],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """Evaluate a run: one float for one metric, else a dict of them.

    `qrels` and `run` are `Qrels` and `Run`, dictionaries of dictionaries, or for each query an array of ids and
    numbers, shape (documents, 2), whose run is in the given order. `return_mean=False` gives each query's value,
    shape (queries,), in the order of their ids; `return_std=True` mean and standard deviation.

    Raises WrongAssertion, an AssertionError, where the two hold other queries, and WrongValue, a ValueError, for a
    metric that there is none of.

    >>> evaluate(Qrels({"q": {"a": 2, "b": 1}}), Run({"q": {"x": 0.9, "a": 0.5}}), "mrr@5")
    0.5
    >>> evaluate({"q": {"a": 2, "b": 1}}, {"q": {"x": 0.9, "a": 0.5}}, ["map", "recall@1-l2"])
    {'map': 0.25, 'recall@1-l2': 0.0}
    """
    if make_comparable and isinstance(qrels, Qrels) and isinstance(run, Run):
        run.make_comparable(qrels)
    names: list[Any] = [*metrics] if isinstance(metrics, Iterable) and not isinstance(metrics, str) else [metrics]
    if not all(isinstance(metric, str) for metric in names):
        raise WrongAssertion("Metrics error", allowed="Metrics are text, such as ndcg@10")
    definitions = {metric: _definition(metric) for metric in names}
    labels, lists = _by_query(qrels, scored=False), _by_query(run, scored=True)
    if labels.keys() != lists.keys():
        do = "Pass Qrels(qrels), Run(run) and make_comparable=True, which adds empty results for queries missing from "
        do += "the run, and removes others."
        raise WrongAssertion("Qrels and Run query ids do not match", do=do)
    with refused_as(WrongValue):
        result = rc.evaluate(labels, lists, [*definitions.values()])
    order = np.argsort(result.users.astype(str), kind="stable")
    values = {metric: result[one].per_user[order] for metric, one in definitions.items()}
    found = {metric: result[one] for metric, one in definitions.items()}
    if isinstance(run, Run) and save_results_in_run:
        _save(run, found, values, result.users[order].tolist(), return_std and return_mean)
    if not return_mean:
        return _one_or_all(values)
    if return_std:
        return _one_or_all({name: {"mean": mean, "std": float(np.std(values[name]))} for name, mean in found.items()})
    return _one_or_all(found)


def _save(run: Run, found: Mapping[str, float], values: Any, queries: list[str], with_std: bool) -> None:
    for metric, mean in found.items():
        run.mean_scores[metric] = mean
        run.scores[metric] = dict(zip(queries, values[metric].tolist(), strict=True))
        if with_std:
            run.std_scores[metric] = float(np.std(values[metric]))


def _one_or_all(found: dict[str, Any]) -> Any:
    return next(iter(found.values())) if len(found) == 1 else found


def _definition(metric: str) -> rc.Definition:
    """What `ndcg@10`, `map-l2` or `rbp.95` is."""
    named, _, level = metric.partition("-l")
    cutoff = level.partition("@")[2] if "@" in level else ""
    name, _, k = named.partition("@")
    name, _, persistence = name.partition(".")
    name, persistence, k = (name, persistence or k, "") if name == "rbp" else (name, persistence, k or cutoff)
    if name not in METRICS:
        raise WrongValue(f"Metric {name} not supported", allowed=f"Choose one of: {', '.join(METRICS)}")
    if k and not k.isdigit():
        raise WrongValue(f"'{k}' is not a cutoff in {metric}", allowed="Write, for instance, ndcg@10")
    if name == "rbp" and not persistence:
        raise WrongValue("RBP requires persistence value", allowed="Write, for instance, rbp.95")
    with refused_as(WrongValue):
        found = of(PRESET, name, int(k) if k.isdigit() and int(k) else None)
        settings = {"rbp-persistence": f"0.{persistence}"} if name == "rbp" else {}
        level = level.partition("@")[0]
        settings |= {"relevant": f"at-least({level})"} if level and level != "1" else {}
        return changed(found, settings)


def _by_query(data: Any, *, scored: bool) -> dict[str, Any]:
    """Numbers by query and document; of arrays of a run the items in their order."""
    if isinstance(data, Mapping):
        kind = Run if scored else Qrels
        return data if isinstance(data, kind) else kind(data)
    pairs = [np.asarray(one) for one in data]
    if scored:
        return {f"{query:09}": one[:, 0].tolist() for query, one in enumerate(pairs)}
    return {f"{query:09}": dict(one.tolist()) for query, one in enumerate(pairs)}
