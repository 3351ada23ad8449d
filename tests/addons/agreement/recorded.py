"""The recorded cases of two label sets, and what each result of a system is under rankconv."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import rankconv as rc
from rankconv.typing import AgreementResult

DATA = Path(__file__).with_name("data")
Labels = dict[str, dict[str, int]]
NUMPY_PPI = "ppi(weight={}, spread=population, quantile=normal, limits=as-computed, constant=as-computed)"
"""What ppi-python computes."""
CORRELATIONS = {
    "kendall_b": "tau-b",
    "kendall_c": "tau-c",
    "weighted_tau": "weighted-tau",
    "spearman": "spearman",
    "pearson": "pearson",
}


@dataclass(frozen=True)
class Case:
    """Two label sets and runs."""

    labels: tuple[Labels, Labels]
    runs: dict[str, dict[str, list[str]]]
    human: list[str]
    """Queries whose first labels ppi-python got."""


@cache
def cases() -> Mapping[str, Case]:
    """All cases by name."""
    return {
        one["name"]: Case(
            (_labels(one["labels_a"]), _labels(one["labels_b"])),
            {run: {query: text.split() for query, text in lists.items()} for run, lists in one["runs"].items()},
            one["judged_by_person"],
        )
        for one in json.loads((DATA / "cases.json").read_text("utf-8"))
    }


def _labels(texts: dict[str, str]) -> Labels:
    each = {query: (part.partition("=") for part in text.split()) for query, text in texts.items()}
    return {query: {item: int(grade) for item, _, grade in parts} for query, parts in each.items()}


Parts = dict[str, float]
Value = float | Parts
Compute = Callable[[Case], Value]


@dataclass(frozen=True)
class Recorded:
    """One result of a system."""

    system: str
    case: str
    metric: str
    expected: Value | str
    """A number, numbers by part, or an error; of ppi-python the estimate and the ends."""

    @property
    def value(self) -> Value:
        """What rankconv gives."""
        return SYSTEMS[self.system](self.metric)(cases()[self.case])


def recorded(system: str) -> Iterator[Recorded]:
    """All results of a system."""
    for one in json.loads((DATA / f"{system}.json").read_text("utf-8")):
        parts = {name: float(value) for name, value in one.get("parts", {}).items()}
        if one["mean"] is not None and parts:
            parts["mean"] = float(one["mean"])
        mean = one["mean"]
        expected = one.get("error") or parts or float(mean)
        yield Recorded(system, one["case"], one["metric"], expected)


def _measured(measure: str, **how: Any) -> Compute:
    return lambda case: rc.agreement(*case.labels, measures=measure, **how)[measure]


def _confusion(case: Case) -> Parts:
    data = rc.agreement(*case.labels).to_dict()
    grades = sorted({grade for one in data["confusion"] for grade in (one["first"], one["second"])})
    found = {f"{first:g}/{second:g}": 0.0 for first in grades for second in grades}
    return found | {f"{one['first']:g}/{one['second']:g}": one["pairs"] for one in data["confusion"]}


def of_sklearn(metric: str) -> Compute:
    """Scikit-learn's functions, whose weights are of places."""
    every = {
        "kappa": _measured("kappa"),
        "kappa_linear": _measured("kappa(weights=linear, distance=place)"),
        "kappa_quadratic": _measured("kappa(weights=quadratic, distance=place)"),
        "kappa_from_1": _measured("kappa", level=1),
        "kappa_from_2": _measured("kappa", level=2),
        "agreement": _measured("share"),
        "confusion": _confusion,
    }
    return every[metric]


def of_krippendorff(metric: str) -> Compute:
    """The package krippendorff, which leaves out pairs of one set."""
    return _measured(f"alpha(scale={metric.removeprefix('alpha_')})")


def _by_grade(case: Case) -> Parts:
    grades = rc.agreement(*case.labels, pairs="first").grades
    return {f"{one.grade:g}": one.same for one in grades.by_grade}


def of_umbrela(metric: str) -> Compute:
    """Umbrela, which needs each pair of the first set."""
    every = {
        "kappa": _measured("kappa", pairs="first"),
        "kappa_binary": _measured("kappa", pairs="first", level=2),
        "correct_by_grade": _by_grade,
    }
    return every[metric]


def of_llmjudge(metric: str) -> Compute:
    """The script of llmjudge, which leaves out pairs of one set."""
    return _measured(metric)


@cache
def _leaderboards(case: str) -> AgreementResult:
    given = cases()[case]
    how = {"correlations": [*CORRELATIONS.values()], "n_resamples": 100}
    return rc.agreement(*given.labels, given.runs, "pytrec_eval:ndcg@10", **how)


def of_leaderboards(metric: str) -> Compute:
    """Means of pytrec_eval and correlations of SciPy."""

    def compute(case: Case) -> Value:
        name = next(name for name, one in cases().items() if one is case)
        boards = _leaderboards(name).leaderboards
        assert boards is not None
        if metric in CORRELATIONS:
            return boards.correlations[CORRELATIONS[metric]]
        return {one.run: one.means[metric == "ndcg10_b"] for one in boards.runs}

    return compute


def of_ppi(metric: str) -> Compute:
    """ppi-python, given NDCG@10 of pytrec_eval under both label sets."""
    _, weight, run = metric.split("_")

    def compute(case: Case) -> Value:
        spec, some = "pytrec_eval:ndcg@10", {query: case.labels[0][query] for query in case.human}
        first, second = (rc.evaluate(labels, case.runs[run], spec)[spec] for labels in (some, case.labels[1]))
        found = first.interval(how=NUMPY_PPI.format(weight), second=second)
        return {"mean": found.estimate, "low": found.low, "high": found.high}

    return compute


SYSTEMS: dict[str, Callable[[str], Compute]] = {
    "kappa_sklearn": of_sklearn,
    "krippendorff": of_krippendorff,
    "umbrela": of_umbrela,
    "llmjudge": of_llmjudge,
    "leaderboards": of_leaderboards,
    "ppi_python": of_ppi,
}
