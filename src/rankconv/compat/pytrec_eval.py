"""pytrec_eval (pytrec_eval-terrier 0.5.11): `RelevanceEvaluator`, without a compiler.

    from rankconv.compat import pytrec_eval            # was: import pytrec_eval
    pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg_cut.10"}).evaluate(run)

The rankconv way, which counts queries that the run lacks as you choose, and tells the mean:

    rc.evaluate(qrel, run, "map, ndcg_cut_10", preset="pytrec_eval")     # trec_eval-c: a missing query counts 0

What may surprise, and is kept: only queries of both sides come back, so the mean over them leaves out what was not
answered; scores are compared in single precision, and tied documents stand by falling id; `relevance_level` does not
touch NDCG; gm_map and gm_bpref are logarithms for each query; runid and relstring are 0.0.

What differs here: parameters of `utility` and gains of `ndcg` are refused, and so is a cutoff of 0, which ends Python
there; preferences (`prefs`, `qrels_jg`) are no measures. `set_F.2` is `f1(beta=2)`, where beta is not squared.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.compat.queries import QREL_LINE, RUN_LINE, WrongType, WrongValue, changed, of, read_trec, refused_as
from rankconv.data.arrays import log
from rankconv.typing import Number

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]
PRESET = "pytrec_eval"
_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
DEFAULTS = {
    **dict.fromkeys(("P", "map_cut", "ndcg_cut", "recall", "relative_P"), _CUTOFFS),
    "success": ("1", "5", "10"),
    "iprec_at_recall": tuple(f"{tenth / 10:.2f}" for tenth in range(11)),
    "Rprec_mult": tuple(f"{fifth / 5:.2f}" for fifth in range(1, 11)),
}
"""The parameters of a measure that is named without one."""
_NO_NUMBERS = ("relstring", "runid")
_SET = "num_q num_rel num_rel_ret num_ret runid set_F set_P set_map set_recall set_relative_P utility"
_OFFICIAL = "P Rprec bpref gm_map iprec_at_recall map num_q num_rel num_rel_ret num_ret recip_rank runid"
_MORE = "11pt_avg G Rndcg Rprec_mult binG gm_bpref infAP map_cut ndcg ndcg_cut ndcg_rel num_nonrel_judged_ret recall"
supported_measures = {*f"{_SET} {_OFFICIAL} {_MORE} relative_P relstring success".split()}
"""The measures, also with a parameter: `ndcg_cut`, `ndcg_cut.10`, `ndcg_cut_10`, `ndcg_cut.5,10`."""
supported_nicknames = {"official": {*_OFFICIAL.split()}, "set": {*_SET.split()}, "all_trec": supported_measures}
"""What several measures are called together."""


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The scores by query and document, of the lines of a run.

    >>> dict(parse_run(["q1 Q0 d7 1 0.5 mine"]))
    {'q1': {'d7': 0.5}}
    """
    return read_trec(f_run, RUN_LINE, float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The grades by query and document, of the lines of qrels.

    >>> dict(parse_qrel(["q1 0 d7 2"]))
    {'q1': {'d7': 2}}
    """
    return read_trec(f_qrel, QREL_LINE, int)


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """What the values of all queries, shape (queries,), make together: sums of `num_`, geometric means of `gm_`, means.

    >>> compute_aggregated_measure("num_rel", [1.0, 2.0])
    3.0
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    return float(math.exp(np.mean(values)) if measure.startswith("gm_") else np.mean(values))


class RelevanceEvaluator:
    """The values of each query under measures of trec_eval 9.

    `query_relevance` are grades by query and document, whole numbers; `measures` names and nicknames. Documents are
    relevant from `relevance_level` on; `judged_docs_only_flag` takes the unjudged ones out of the lists first.
    Raises WrongValue, a ValueError, for a measure that there is none of, and WrongType, a TypeError, for other data.

    >>> evaluator = RelevanceEvaluator({"q": {"a": 1}}, {"recip_rank", "P.1,2"})
    >>> {measure: value for measure, value in sorted(evaluator.evaluate({"q": {"a": 0.5, "b": 1.0}})["q"].items())}
    {'P_1': 0.0, 'P_2': 0.5, 'recip_rank': 0.5}
    >>> evaluator.definitions["P_2"]
    rc.metric('pytrec_eval:precision@2')
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        settings = {} if relevance_level == 1 else {"relevant": f"at-least({relevance_level})"}
        settings |= {"unjudged": "condensed-before-depth"} if judged_docs_only_flag else {}
        self.definitions: dict[str, rc.Definition | None] = {}
        """What each measure is, by the name under which its values are returned; None for what is no number."""
        for base, parameters in _combined(measures).items():
            self.definitions |= _definitions_of(base, sorted(parameters), settings)
        self._qrels = {query: grades for query, grades in _checked(query_relevance).items() if grades}
        for query, grades in self._qrels.items():
            if not all(isinstance(grade, int) for grade in grades.values()):
                raise WrongType("Expected relevance to be integer", where=f"query {query}")

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The value of each measure by query, of the queries that both sides have.

        Raises WrongType, a TypeError, for scores that are no numbers by query and document.
        """
        run = _checked(scores)
        queries = [query for query in run if query in self._qrels]
        given = {name: one for name, one in self.definitions.items() if one is not None}
        if not queries or not given:
            return {query: dict.fromkeys(self.definitions, 0.0) for query in queries}
        qrels = {query: self._qrels[query] for query in queries}
        with refused_as(WrongType):
            result = rc.evaluate(qrels, {query: run[query] for query in queries}, [*given.values()])
        at = {query: place for place, query in enumerate(result.users.tolist())}
        columns = {name: _values(name, result[one]) for name, one in given.items()}
        columns |= {name: [0.0] * len(at) for name in self.definitions.keys() - given.keys()}
        return {query: {name: column[at[query]] for name, column in columns.items()} for query in queries}


def _values(name: str, number: Number) -> list[float]:
    """The value of each query, shape (queries,); of geometric means the logarithm, as they are added up there."""
    values = log(np.maximum(number.per_user, 1e-5)) if name.startswith("gm_") else number.per_user
    found: list[float] = values.tolist()
    return found


def _checked(data: Any) -> dict[str, dict[str, Any]]:
    if not isinstance(data, Mapping):
        raise WrongType("Argument object should be of type dictionary", do="Pass {query: {document: number}}.")
    for query, documents in data.items():
        if not isinstance(query, str) or not isinstance(documents, Mapping):
            raise WrongType("Expected string as key and dictionary as value", where=f"query {query!r:.50}")
        if not all(isinstance(document, str) for document in documents):
            raise WrongType("Expected string as key", where=f"the documents of query {query!r:.50}")
    return dict(data)


def _combined(measures: Iterable[str]) -> dict[str, set[str]]:
    """The measures with all parameters that were named for each; none where it was named without alone."""
    found: dict[str, set[str]] = {}
    for name in measures:
        for measure in sorted(supported_nicknames.get(name, {name})):
            base, given = measure_and_parameters(measure)
            found.setdefault(base, set()).update(given)
    return found


def _definitions_of(base: str, given: Sequence[str], settings: dict[str, str]) -> dict[str, rc.Definition | None]:
    """The definitions of a measure with its parameters, by the names of their values."""
    if base in _NO_NUMBERS:
        return {base: None}
    if base in DEFAULTS:
        wanted = given or DEFAULTS[base]
        names = [f"{base}_{float(one):.2f}" if "." in DEFAULTS[base][0] else f"{base}_{one}" for one in wanted]
        return {name: _definition(name, settings) for name in names}
    if given and base in ("utility", "ndcg"):
        raise WrongValue(f"parameters of {base} are not offered", where=f"{base}.{','.join(given)}")
    settings_of_base = {"beta": given[0]} if given and base == "set_F" else {}
    return {base: _definition(base, settings | settings_of_base)}


def measure_and_parameters(measure: str) -> tuple[str, tuple[str, ...]]:
    """The measure and its parameters, of "P", "P_5", "P.5" or "P.5,10"."""
    found = re.fullmatch(r"(\w+?)[._](\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)", measure)
    if measure in supported_measures:
        return measure, ()
    if not found or found[1] not in supported_measures:
        raise WrongValue(f"unsupported measure {measure}", do="See rankconv.compat.pytrec_eval.supported_measures.")
    return found[1], tuple(found[2].split(","))


def _definition(name: str, settings: dict[str, str]) -> rc.Definition:
    with refused_as(WrongValue):
        return changed(of(PRESET, name), settings)
