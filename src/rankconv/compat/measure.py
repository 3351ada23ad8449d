"""Measures as objects, `nDCG(dcg="exp-log2") @ 10`: their definitions in the preset `ir_measures`, and their values."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import rankconv as rc
from rankconv.compat.queries import (
    WrongAssertion,
    WrongName,
    WrongType,
    WrongValue,
    by_query,
    changed,
    of,
    refused_as,
)
from rankconv.errors import nearest
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
        found: dict[Any, Number] = self.calc(run).aggregated
        return found

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """The value of each query, those of the run first, then those that it lacks."""
        return iter(self.calc(run).per_query)

    def calc(self, run: Any) -> CalcResults:
        """The means, and the value of each query."""
        scores = by_query(run, SCORED)
        lists = {query: documents for query, documents in scores.items() if documents}
        with refused_as(WrongType):
            result = rc.evaluate(self._qrels, lists, [*self._definitions.values()])
        at = {query: place for place, query in enumerate(result.users.tolist())}
        queries = [query for query in sorted(self._qrels, key=lambda query: query not in scores) if query in at]
        values = []
        for measure, one in self._definitions.items():
            column, number = result.per_user[one].tolist(), result[one]
            left_out = {"outside"} | {state for state in number.counts if state.endswith(": skip")}
            counted = (query for query in queries if number.state[at[query]] not in left_out)
            values += [Metric(query, measure, column[at[query]]) for query in counted]
        return CalcResults({measure: result[one] for measure, one in self._definitions.items()}, values)


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


PRESET = "ir_measures"


@dataclass(frozen=True)
class Kind:
    """One measure of the table: its metric in the preset, the parameters it takes, each with type and default."""

    name: str
    metric: str
    takes: Mapping[str, tuple[type, Any]]
    required: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """The parameter that `measure @ 10` gives."""
        return "recall" if "recall" in self.takes else "cutoff"


_REL = {"rel": (int, 1)}
_LEVEL = {**_REL, "judged_only": (bool, False)}
_CUT = {"cutoff": (int, None)}
KINDS = {
    kind.name: kind
    for kind in (
        Kind("AP", "map", {**_CUT, **_LEVEL}),
        Kind("P", "precision", {**_CUT, **_LEVEL}, required=("cutoff",)),
        Kind("R", "recall", {**_CUT, **_LEVEL}, required=("cutoff",)),
        Kind("RR", "mrr", {**_CUT, **_LEVEL}),
        Kind("nDCG", "ndcg", {**_CUT, "dcg": (str, "log2"), "gains": (dict, None), "judged_only": (bool, False)}),
        Kind("Success", "hit_rate", {**_CUT, **_LEVEL}, required=("cutoff",)),
        Kind("Rprec", "r_precision", _LEVEL),
        Kind("SetP", "set_precision", {"relative": (bool, False), **_LEVEL}),
        Kind("SetR", "recall", _REL),
        Kind("SetF", "f1", {"beta": (float, 1.0), **_LEVEL}),
        Kind("SetAP", "set_map", _LEVEL),
        Kind("Bpref", "bpref", _REL),
        Kind("infAP", "infAP", _REL),
        Kind("IPrec", "iprec", {"recall": (float, None), **_LEVEL}, required=("recall",)),
        Kind("ERR", "err", _CUT),
        Kind("RBP", "binary_rbp", {**_CUT, "p": (float, 0.8), "rel": (int, None)}),
        Kind("SDCG", "sdcg", {**_CUT, "max_rel": (int, None)}, required=("cutoff", "max_rel")),
        Kind("Judged", "judged", _CUT),
        Kind("Accuracy", "accuracy", {**_CUT, **_REL}),
        Kind("Compat", "compat", {"p": (float, 0.95)}),
        Kind("NumRet", "num_ret", {"rel": (int, None)}),
        Kind("NumRel", "num_rel", _REL),
        Kind("NumQ", "num_q", {}),
    )
}
"""Every measure by its name."""
OTHER_METRICS = {
    ("nDCG", "dcg"): "ndcg_exp",
    ("SetP", "relative"): "relative_precision",
    ("NumRet", "rel"): "num_rel_ret",
}
"""The metric of a measure where this parameter is not its default."""
SETTINGS = {
    "rel": ("relevant", "at-least({})"),
    "judged_only": ("unjudged", "condensed-before-depth"),
    "max_rel": ("gain", "linear-over({})"),
    "beta": ("beta", "{}"),
    "recall": ("recall-level", "{}"),
    "RBP.p": ("rbp-persistence", "{}"),
    "Compat.p": ("compat-persistence", "{}"),
}
"""The convention of a parameter, of all measures or of one, and the setting."""


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """A measure of a run, its parameters by `measure(rel=2)`, its cutoff by `measure @ 10`.

    >>> Measure(KINDS["nDCG"])(dcg="exp-log2") @ 10
    nDCG(dcg='exp-log2')@10
    >>> (Measure(KINDS["P"]) @ 5).definition
    rc.metric('ir_measures:precision@5')
    """

    kind: Kind
    given: tuple[tuple[str, Any], ...] = ()

    def __call__(self, **parameters: Any) -> "Measure":
        return Measure(self.kind, (*(self.params | parameters).items(),))

    def __matmul__(self, at: Any) -> "Measure":
        return self(**{self.kind.at: at})

    def __getitem__(self, parameter: str) -> Any:
        return self.params.get(parameter, self.kind.takes[parameter][1])

    @property
    def params(self) -> dict[str, Any]:
        """The parameters that were named."""
        return dict(self.given)

    @property
    def NAME(self) -> str:  # noqa: N802
        """What the measure is called."""
        return self.kind.name

    @property
    def definition(self) -> rc.Definition:
        """What it is in rankconv.

        Raises WrongAssertion, an AssertionError, for parameters that the measure does not take, and WrongValue, a
        ValueError, for what no provider of ir_measures computes.
        """
        self._check()
        with refused_as(WrongValue):
            metric, settings = _settings(self)
            found = of(PRESET, metric, self["cutoff"] if "cutoff" in self.kind.takes else None)
            return changed(found, settings)

    def calc_aggregate(self, qrels: Any, run: Any) -> float:
        """The mean over all queries."""
        return calc_aggregate([self], qrels, run)[self]

    def iter_calc(self, qrels: Any, run: Any) -> Any:
        """The value of each query."""
        return iter_calc([self], qrels, run)

    def calc(self, qrels: Any, run: Any) -> Any:
        """The mean and the value of each query."""
        found = calc([self], qrels, run)
        return found._replace(aggregated=found.aggregated[self])

    def _check(self) -> None:
        takes = self.kind.takes
        unknown = self.params.keys() - takes.keys()
        if unknown:
            raise WrongAssertion(f"unsupported params found: {sorted(unknown)}", where=self.kind.name)
        for name, (kind, default) in takes.items():
            value, optional = self.params.get(name, default), name not in self.kind.required
            if not (isinstance(value, kind) or (value is None and optional)):
                raise WrongAssertion(f"invalid param {name}={value!r:.50}", where=self.kind.name)

    def __repr__(self) -> str:
        given = [
            f"{name}={_shown(value)}" for name, value in self.given if name != self.kind.at and self._differs(name)
        ]
        inside = f"({','.join(given)})" if given else ""
        at = f"@{self.params[self.kind.at]}" if self.kind.at in self.params else ""
        return f"{self.kind.name}{inside}{at}"

    def _differs(self, name: str) -> bool:
        return name not in self.kind.takes or bool(self.params[name] != self.kind.takes[name][1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def parse_measure(measure: "str | Measure") -> Measure:
    """The measure of a text such as `nDCG@10` or `P(rel=2)@5`.

    Raises WrongValue for a text that is no measure, and WrongName, a NameError, for one that there is none of.

    >>> parse_measure("P(rel=2)@5")
    P(rel=2)@5
    """
    if isinstance(measure, Measure):
        return measure
    shape = WrongValue(f"problem parsing measure {measure!r:.80}", allowed="Write Measure(k1=v1, k2=v2)@c")
    try:
        node: Any = ast.parse(measure.strip(), mode="eval").body
        at = ast.literal_eval(node.right) if isinstance(node, ast.BinOp) else None
        node = node.left if isinstance(node, ast.BinOp) else node
        keywords = node.keywords if isinstance(node, ast.Call) else []
        given = {str(one.arg): ast.literal_eval(one.value) for one in keywords}
    except (SyntaxError, ValueError, AttributeError):
        raise shape from None
    named = node.func if isinstance(node, ast.Call) and not node.args else node
    if not isinstance(named, ast.Name):
        raise shape
    found = measures().get(named.id)
    if found is None:
        raise WrongName(f"measure not found: {named.id}", nearest=nearest(named.id, measures()))
    made = found(**given) if given else found
    return made if at is None else made @ at


def measures() -> dict[str, Measure]:
    """All measures by name, also by their other names."""
    plain = {name: Measure(kind) for name, kind in KINDS.items()}
    other = {"MAP": "AP", "NDCG": "nDCG", "MRR": "RR", "Precision": "P", "Recall": "R", "RPrec": "Rprec"}
    more = {"BPref": plain["Bpref"], "NumRelRet": plain["NumRet"](rel=1), "SetRelP": plain["SetP"](relative=True)}
    return plain | {name: plain[known] for name, known in other.items()} | more


def _settings(measure: Measure) -> tuple[str, dict[str, Any]]:
    """The metric in the preset and the settings of its parameters; WrongValue for what no provider computes."""
    name, metric, settings = measure.kind.name, measure.kind.metric, {}
    given = {one: value for one, value in measure.given if measure._differs(one) and one != "cutoff"}
    if (
        ("dcg" in given and (given["dcg"] != "exp-log2" or len(given) > 1))
        or (name == "RR" and measure["cutoff"] and "judged_only" in given)
        or (name == "NumRel" and given)
        or (name == "RBP" and "rel" not in given)
        or (name == "ERR" and not measure["cutoff"])
    ):
        raise WrongValue(f"Unsupported measures {{{measure}}}", where="ir_measures")
    for parameter, value in given.items():
        metric = OTHER_METRICS.get((name, parameter), metric)
        if parameter == "gains":
            settings["gain"] = f"table({', '.join(f'{grade}={gain}' for grade, gain in value.items())})"
        convention, setting = SETTINGS.get(parameter) or SETTINGS.get(f"{name}.{parameter}") or ("", "")
        if convention and (parameter, value) != ("rel", 1):
            settings[convention] = setting.format(value)
    return metric, settings


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{grade}:{gain}" for grade, gain in sorted(value.items()) if grade != gain) + "}"
    return repr(value)
