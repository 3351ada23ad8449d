"""The numbers of measures, as a sequence of queries and values or as means by measure."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import rankconv as rc
from rankconv.compat.errors import WrongType, refused_as
from rankconv.compat.queries import Nested, by_query
from rankconv.typing import Number

QREL, SCORED = ("query_id", "doc_id", "relevance"), ("query_id", "doc_id", "score")
_NOTHING = "\0"
"""A document that no run returns, judged 0: with it a query without judgments is one that has them."""


class Metric(NamedTuple):
    """The value of one measure for one query."""

    query_id: str
    measure: Any
    value: float


class CalcResults(NamedTuple):
    """Means by measure, and the values of users."""

    aggregated: Any
    per_query: list[Metric]


class Evaluator:
    """The values of several runs under the same measures and qrels.

    `measures` know their definition; `qrels` are dictionaries of dictionaries, a frame, or tuples.
    """

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        self.measures = [*measures]
        self._definitions = {measure: measure.definition for measure in self.measures}
        self._qrels = {query: grades or {_NOTHING: 0} for query, grades in by_query(qrels, QREL).items()}

    def calc_aggregate(self, run: Any) -> dict[Any, Number]:
        """The mean of each measure over the queries of the qrels: an `Number`."""
        result = self._result(by_query(run, SCORED))
        return {measure: result[one] for measure, one in self._definitions.items()}

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each query, those of the run first, then those that it lacks."""
        return iter(self.calc(run).per_query)

    def calc(self, run: Any) -> CalcResults:
        """The means, and the value of each query."""
        scores = by_query(run, SCORED)
        result = self._result(scores)
        at = {query: place for place, query in enumerate(result.users.tolist())}
        queries = sorted(self._qrels, key=lambda query: query not in scores)
        values = []
        for measure, one in self._definitions.items():
            column, number = result.per_user[one].tolist(), result[one]
            counted = {"outside"} | {state for state in number.counts if state.endswith(": skip")}
            values += [
                Metric(query, measure, column[at[query]])
                for query in queries
                if query in at and number.state[at[query]] not in counted
            ]
        return CalcResults({measure: result[one] for measure, one in self._definitions.items()}, values)

    def _result(self, run: Nested) -> rc.Result:
        with refused_as(WrongType):
            return rc.evaluate(
                self._qrels, {query: one for query, one in run.items() if one}, [*self._definitions.values()]
            )


def evaluator(measures: Iterable[Any], qrels: Any) -> Evaluator:
    """What evaluates several runs with the same measures and qrels."""
    return Evaluator(measures, qrels)


def calc_aggregate(measures: Iterable[Any], qrels: Any, run: Any) -> dict[Any, Number]:
    """The mean of each measure over the queries of the qrels: an `Number`, a float that knows its definition."""
    return Evaluator(measures, qrels).calc_aggregate(run)


def iter_calc(measures: Iterable[Any], qrels: Any, run: Any) -> Iterator[Metric]:
    """The value of each measure for each query."""
    return Evaluator(measures, qrels).iter_calc(run)


def calc(measures: Iterable[Any], qrels: Any, run: Any) -> CalcResults:
    """The means by measure, and the value of each query."""
    return Evaluator(measures, qrels).calc(run)
