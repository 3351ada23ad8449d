"""The order of runs under two label sets: correlations of their means, swapped pairs, and means from both sets."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rankconv.addons.agreement.label_pairs import AGREEMENT
from rankconv.addons.similarity.similarity_measures import KendallTau, ListPair, Ranking, ranking
from rankconv.analysis.significance.runs import PairTest, SignificanceOptions
from rankconv.analysis.significance.significance import test_compared
from rankconv.basics.errors import InputError, RankconvError
from rankconv.conventions.convention import Convention
from rankconv.data.arrays import Numbers
from rankconv.data.labels_and_rankings import Labels, Runs
from rankconv.evaluation.compare import compare
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.results.comparison import Comparison
from rankconv.evaluation.statistics.intervals import scipy_stats
from rankconv.evaluation.statistics.prediction_powered import PoweredInterval, powered_definition
from rankconv.presets.definition import Definition

CORRELATION = Convention(
    "correlation", "Correlation of two leaderboards", reads=("first", "second"), registry=AGREEMENT
)
"""A setting gives the correlation of the means of runs, the higher the better, each of shape (runs,)."""
USUAL_CORRELATIONS = ("tau-b", "tau-ap")


def _list_of(means: Numbers) -> Ranking:
    """The runs by falling mean, equal means tied."""
    order = np.argsort(-means, kind="stable")
    return ranking(order, means[order])


@CORRELATION.setting("tau-b", rule="Kendall's tau, divided for ties", cite="kendall1945")
def _(first: Numbers, second: Numbers) -> float:
    """NaN where all runs are equal under a label set."""
    return KendallTau(variant="b").value(ListPair(_list_of(first), _list_of(second)))


@CORRELATION.setting("tau-ap", rule="tau-AP,a of the second leaderboard, the first being the truth", cite="urbano2017")
def _(first: Numbers, second: Numbers) -> float:
    """Errors at its top weigh more (Yilmaz et al. 2008); its equal runs are in any order, on average."""
    return KendallTau(variant="ap-a").value(ListPair(_list_of(second), _list_of(first)))


@CORRELATION.setting("tau-c", rule="Stuart's tau-c")
def _(first: Numbers, second: Numbers) -> float:
    """As SciPy has it."""
    return float(scipy_stats("tau-c").kendalltau(first, second, variant="c").statistic)


@CORRELATION.setting("weighted-tau", rule="Vigna's tau with hyperbolic weights of ranks")
def _(first: Numbers, second: Numbers) -> float:
    """As SciPy has it: the mean over the ranks of either leaderboard; it is not tau-AP."""
    return float(scipy_stats("weighted-tau").weightedtau(first, second).statistic)


@CORRELATION.setting("spearman", rule="the correlation of ranks")
def _(first: Numbers, second: Numbers) -> float:
    """Tied runs share the mean of their ranks."""
    return _silently(scipy_stats("spearman").spearmanr, first, second)


@CORRELATION.setting("pearson", rule="the correlation of means")
def _(first: Numbers, second: Numbers) -> float:
    """It reads how far runs are away, and not their order alone."""
    return _silently(scipy_stats("pearson").pearsonr, first, second)


def _silently(function: Callable[..., object], first: Numbers, second: Numbers) -> float:
    """The statistic, NaN without a warning where all means of a label set are equal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        statistic: float = function(first, second).statistic  # type: ignore[attr-defined]
    return float(statistic)


@dataclass(frozen=True)
class RunMeans:
    """A run under both label sets."""

    run: str
    means: tuple[float, float]
    ranks: tuple[int, int]
    """1 + how many runs are better."""
    interval: PoweredInterval | None = None
    """The mean from both label sets; None where the second labels no users besides those of the first."""


@dataclass(frozen=True)
class SwappedRuns:
    """Two runs whose order differs between the label sets."""

    runs: tuple[str, str]
    """The better one under the first label set is the first."""
    differences: tuple[float, float]
    """The mean of the first run less that of the second, under either label set; with the sign turned where less is
    better."""
    p: tuple[float, float]
    """Of the test of the difference, corrected for all pairs; NaN where it was not tested."""
    significant: tuple[bool, bool]
    """Whether the difference is significant under either label set."""


@dataclass(frozen=True)
class LeaderboardAgreement:
    """The runs under both label sets, on the users of both."""

    metric: str
    definition: Definition
    users: int
    """The users of both label sets, on which the leaderboards are."""
    runs: Sequence[RunMeans]
    """Best first under the first label set."""
    correlations: Mapping[str, float]
    swapped: Sequence[SwappedRuns]
    pairs: int
    """Pairs of runs in all."""
    tied: int
    """Pairs of runs that are equal under one label set and not under the other."""
    untested: str = ""
    """Why the differences were not tested; empty where they were."""
    alpha: float = 0.05
    interval: str = ""
    """The definition of the intervals of means from both label sets; empty where there are none."""
    no_interval: str = ""
    """Why there are none, where the second label set has more users."""


def leaderboards(
    labels: tuple[Labels, Labels],
    runs: Runs,
    definition: Definition,
    users: Sequence[object],
    correlations: Sequence[str],
    options: SignificanceOptions,
) -> LeaderboardAgreement:
    """Compute both leaderboards of runs, on these users, and how far they agree.

    InputError for fewer than two runs, MetricError where a run has no number.
    """
    if len(runs.by_name) < 2:
        do = "Pass two runs or more by name: {'bm25': …, 'dense': …}."
        raise InputError("the order of runs takes two runs at least", do=do, shell="Pass two runs or more.")
    wanted = {name: CORRELATION(name) for name in correlations}
    first, second = (compare(one, runs, definition, users=users) for one in labels)
    means = _means(first), _means(second)
    names, metric = [*runs.by_name], first.metrics[0]
    sign = -1 if first.lower_is_better(metric, first.presets[0]) else 1
    oriented = [sign * np.array([one[name] for name in names]) for one in means]
    found = {name: float(setting(first=oriented[0], second=oriented[1])) for name, setting in wanted.items()}
    tests, why = _tests(first, second, options)
    ranks = [1 + (one > one[:, None]).sum(axis=1) for one in oriented]
    swapped = [
        _swapped((names[a], names[b]), (oriented[0][[a, b]], oriented[1][[a, b]]), tests)
        for a, b in combinations(np.argsort(-oriented[0], kind="stable").tolist(), 2)
        if np.sign(oriented[0][a] - oriented[0][b]) * np.sign(oriented[1][a] - oriented[1][b]) < 0
    ]
    signs = [np.sign(one[:, None] - one)[np.triu_indices(len(names), 1)] for one in oriented]
    rows = [
        RunMeans(name, (means[0][name], means[1][name]), (int(ranks[0][at]), int(ranks[1][at])))
        for at, name in enumerate(names)
    ]
    rows.sort(key=lambda one: one.ranks)
    tied = int(((signs[0] == 0) != (signs[1] == 0)).sum())
    about = definition.text, definition, len(users), rows, found, swapped, math.comb(len(names), 2), tied
    return LeaderboardAgreement(*about, untested=why, alpha=options.alpha)


def _means(comparison: Comparison) -> dict[str, float]:
    """The mean of each run; the refusal of its preset where there is none."""
    cells = {run: comparison.cell(comparison.metrics[0], comparison.presets[0], run) for run in comparison.runs}
    for cell in cells.values():
        if cell is not None and cell.refusals:
            raise cell.refusals[0].error
    return {run: float(cell.mean) for run, cell in cells.items() if cell is not None}


Tests = tuple[Mapping[tuple[str, str], PairTest], Mapping[tuple[str, str], PairTest]]
"""The test of each pair of runs under either label set."""


def _tests(first: Comparison, second: Comparison, options: SignificanceOptions) -> tuple[Tests, str]:
    """The tests of all pairs of runs; without any, the reason."""
    try:
        tested = [test_compared(one, options).tests for one in (first, second)]
    except RankconvError as error:
        return ({}, {}), error.on_a_page.rstrip(".")
    by_runs: list[dict[tuple[str, str], PairTest]] = [{one.runs: one for one in each} for each in tested]
    return (by_runs[0], by_runs[1]), ""


def _swapped(runs: tuple[str, str], oriented: tuple[Numbers, Numbers], tests: Tests) -> SwappedRuns:
    """Two runs whose order differs; `oriented` are their means, the higher the better, shape (2,)."""
    each = [by_runs.get(runs, by_runs.get((runs[1], runs[0]))) for by_runs in tests]
    differences = float(oriented[0][0] - oriented[0][1]), float(oriented[1][0] - oriented[1][1])
    p = [np.nan if one is None else one.p for one in each]
    significant = [one is not None and one.is_significant for one in each]
    return SwappedRuns(runs, differences, (p[0], p[1]), (significant[0], significant[1]))


def powered_means(
    labels: tuple[Labels, Labels],
    runs: Runs,
    definition: Definition,
    users: Sequence[object],
    confidence: float,
    how: str | None,
) -> tuple[dict[str, PoweredInterval], str]:
    """Compute the mean of each run from both label sets, with its interval; without any, the reason.

    `users` are those with labels in both, whose labels of the first set are read.
    """
    powered_definition(how)
    first = evaluate(labels[0], runs, definition, users=users)
    second = evaluate(labels[1], runs, definition)
    each = dict[str, PoweredInterval]()
    try:
        for name, result in first.items():
            found = result[definition].interval(confidence, how, second=second[name][definition])
            assert isinstance(found, PoweredInterval)
            each[name] = found
    except RankconvError as error:
        return {}, str(error).rstrip(".")
    return each, ""
