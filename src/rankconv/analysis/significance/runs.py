"""What came out for one pair of runs under one definition, and what a paper says of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from typing_extensions import TypedDict

from rankconv.analysis.sensitivity.sensitivity_page import NearestPreset, OrderChange
from rankconv.analysis.significance.hypotheses import Correction, Hypothesis, IncludedUsers, Untested
from rankconv.data.clusters import Cluster
from rankconv.engine.metric_result import range_of
from rankconv.evaluation.citing.citations import Cited, CitedData, Methods, bibtex, entry
from rankconv.evaluation.findings.moves import Warned, warned, warning
from rankconv.evaluation.results.comparison import Comparison
from rankconv.evaluation.statistics.intervals import (
    Interval,
    IntervalData,
    kinds_of,
    linearised,
    of_mean,
    scipy_stats,
    why_not_squared,
)
from rankconv.evaluation.statistics.paired_tests import (
    DRAWS,
    EXACT,
    Effect,
    EffectData,
    PermutationData,
    PermutationTest,
    effect,
    signs,
    size_of_t,
    users_needed,
)
from rankconv.presets.definition import Definition
from rankconv.presets.folders import bibliography
from rankconv.rendering.pages.cells import finite, plural
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.page import Code, Page, Paragraph


class PairTestData(TypedDict):
    """The test of two runs under one definition."""

    metric: str
    presets: list[str]
    """All presets that give every user the same value."""
    runs: list[str]
    """The run, and the one that it is compared with."""
    users: int
    units: int
    """How many units of chance the users are: clusters, or users by themselves."""
    alone: list[int]
    """How many users count in the first run alone, and in the second alone."""
    means: list[float | None]
    """Of either run, over these users."""
    effect: EffectData
    interval: IntervalData
    """Of the mean difference."""
    permutation: PermutationData
    t: float | None
    """p of the paired t-test; null where all users differ by the same amount."""
    t_size: float | None
    """The probability that the t-test finds a difference under random signs of these; null where it is not computed."""
    p: float | None
    """p of the permutation test, corrected for all that was tested."""
    alpha: float
    """The significance level."""
    fingerprint: str
    """Of the definition; empty where a setting is a function."""
    better: str | None
    """The run that is better; null where the difference is not significant."""


@dataclass(frozen=True)
class PairTest:
    """The test of two runs under one definition."""

    metric: str
    presets: Sequence[str]
    """All that give every user the same value; the first one names them."""
    runs: tuple[str, str]
    users: int
    """How many are looked at."""
    units: int
    """Of how many units of chance they are: clusters, or users by themselves."""
    alone: tuple[int, int]
    """How many users count in one of the two runs alone."""
    means: tuple[float, float]
    """Of either run, over the users looked at."""
    effect: Effect
    """By how much the first run is better; where less is better, by how much it has less. Units win, tie and lose."""
    interval: Interval
    """Of the mean difference, over units; none where all differ by the same amount."""
    permutation: PermutationTest
    """The permutation test of this difference, uncorrected."""
    t: float
    """p of the paired t-test; NaN where all users differ by the same amount."""
    t_size: float
    """How often the t-test finds a difference under random signs of these: its level, if it holds here; NaN where more
    than 20 units differ, by several sizes."""
    p: float
    """Corrected for all that was tested."""
    alpha: float
    fingerprint: str = ""
    """Of the definition; empty where a setting is a function."""

    @property
    def is_significant(self) -> bool:
        """Whether the corrected p is at most alpha and the runs differ."""
        return self.p <= self.alpha and self.effect.mean != 0

    @property
    def better(self) -> str | None:
        """The run that is better; None where the difference is not significant."""
        if not self.is_significant:
            return None
        return self.runs[0] if self.effect.mean > 0 else self.runs[1]

    @property
    def differing(self) -> int:
        """How many units have another value in one run than in the other."""
        return self.effect.wins + self.effect.losses

    @property
    def smallest_p(self) -> float:
        """The least p of so many units that differ: that where all have the same sign."""
        drawn = 0.0 if self.permutation.exact else 1 / (self.permutation.orders + 1)
        return max(min(1.0, 2.0 ** (1 - self.differing)), drawn)

    def to_dict(self) -> PairTestData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "metric": self.metric,
            "presets": list(self.presets),
            "runs": list(self.runs),
            "users": self.users,
            "units": self.units,
            "alone": list(self.alone),
            "means": list(map(finite, self.means)),
            "effect": self.effect.to_dict(),
            "interval": self.interval.to_dict(),
            "permutation": self.permutation.to_dict(),
            "t": finite(self.t),
            "t_size": finite(self.t_size),
            "p": finite(self.p),
            "alpha": self.alpha,
            "fingerprint": self.fingerprint,
            "better": self.better,
        }

    def users_needed(self, power: float = 0.8, difference: float | None = None) -> int | None:
        """How many units a paired t-test needs to find a difference with this power: the one seen, or a stated one.

        Units are users, or their clusters. None without a difference, and where all differ by the same amount.
        """
        standardised = self.effect.standardised
        if difference is not None:
            standardised = abs(difference) * standardised / self.effect.mean if self.effect.mean else np.nan
        return users_needed(standardised, power=power, level=self.alpha)


def tested(one: Hypothesis, permutation: PermutationTest, corrected: float, alpha: float) -> PairTest:
    """What came out for one hypothesis."""
    differences, (units, sizes) = one.pair.differences, one.pair.sums_and_sizes
    even = linearised(units, sizes)
    low, high = range_of(one.definition)
    too_large = bool(why_not_squared(even))
    no_t = too_large or not np.ptp(even) > 0
    return PairTest(
        metric=one.metric,
        presets=one.presets,
        runs=one.runs,
        users=len(differences),
        units=len(units),
        alone=one.pair.alone,
        means=one.pair.means,
        effect=replace(effect(even), mean=float(differences.mean()), **signs(units)),
        interval=of_mean(even, 1 - alpha, (low - high, high - low)),
        permutation=permutation,
        t=np.nan if no_t else float(scipy_stats("a test").ttest_1samp(even, 0).pvalue),
        t_size=np.nan if too_large else size_of_t(even, alpha),
        p=corrected,
        alpha=alpha,
        fingerprint=Cited(one.definition).fingerprint,
    )


@dataclass(frozen=True)
class PairVerdict:
    """How many presets, and how many different definitions, say the same of a pair of runs."""

    better: str | None
    """The run that is better; None where the two are not significantly different."""
    presets: Sequence[str]
    definitions: int


@dataclass(frozen=True, kw_only=True)
class SignificanceOptions:
    """How runs are tested: the options of `rc.test`."""

    baseline: str | None = None
    correction: Correction = "max-t"
    include_users: IncludedUsers = "both"
    alpha: float = 0.05
    n_resamples: int = DRAWS
    seed: int = 0
    cluster: Cluster | None = None
    """What the unit of chance is; None where each user is one."""


@dataclass(frozen=True, eq=False)
class PairTests(SignificanceOptions):
    """The tests of several runs, and what was tested."""

    comparison: Comparison = field(repr=False)
    tests: list[PairTest]
    """One for each metric, pair of runs and definition that differs on these users."""
    untested: list[Untested]
    """Presets that give no mean of users' values."""

    @property
    def unit(self) -> str:
        """What is put against itself: `users`, or `clusters` of them."""
        return "users" if self.cluster is None else "clusters"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of runs, each once."""
        return list(dict.fromkeys(one.runs for one in self.tests))

    @cached_property
    def verdicts(self) -> dict[tuple[str, tuple[str, str]], list[PairVerdict]]:
        """For each metric and pair of runs who says what, the larger camp first; under one preset there is one."""
        found: dict[tuple[str, tuple[str, str]], dict[str | None, list[PairTest]]] = {}
        for one in self.tests:
            found.setdefault((one.metric, one.runs), {}).setdefault(one.better, []).append(one)
        return {place: _camps(camps) for place, camps in found.items()}

    @cached_property
    def warning(self) -> str:
        """The data problem with the largest effect on the means that were tested; empty where none has one."""
        presets = {(one.metric, preset) for one in self.tests for preset in one.presets[:1]}
        found: list[Warned] = []
        for run, facts in self.comparison.facts.items():
            cells = {(preset, metric): self.comparison.cell(metric, preset, run) for metric, preset in sorted(presets)}
            found += warned(facts.joined, {place: cell for place, cell in cells.items() if cell}, run)
        return warning(found, several=True)

    def of(self, metric: str, runs: tuple[str, str]) -> list[PairTest]:
        """What came out for a metric and a pair of runs, from the largest difference to the smallest."""
        found = [one for one in self.tests if one.metric == metric and one.runs == runs]
        return sorted(found, key=lambda one: -one.effect.mean)


def _camps(camps: dict[str | None, list[PairTest]]) -> list[PairVerdict]:
    found = [
        PairVerdict(better, [preset for one in tests for preset in one.presets], len(tests))
        for better, tests in camps.items()
    ]
    return sorted(found, key=lambda one: (-len(one.presets), one.better or ""))


FEW = 3
"""So many presets of each other verdict are shown."""


def turning(comparison: Comparison, metric: str, verdicts: Sequence[PairVerdict]) -> Iterator[OrderChange]:
    """Presets of the smaller camps, each with the preset of the largest camp most like it, and what parts them."""
    nearest, (usual, *others) = NearestPreset(comparison, metric), verdicts
    for camp in others:
        changes = [nearest.change(preset, usual.presets) for preset in camp.presets]
        yield from sorted(changes, key=lambda one: len(one.settings))[:FEW]


SOURCES = {"max-t": "westfall1993", "tukey": "carterette2012", "holm": "holm1979", "bh": "benjamini1995"}
"""The papers and books of corrections, by their keys in the bibliography."""
SCALES = (
    "Means, and tests of them, take the metric as an interval scale: Ferrante, Ferro and Fuhr (2021) hold that most "
    "metrics are none, Moffat (2022) that they may be averaged all the same."
)
CORRECTED = {
    "max-t": "the largest difference of all in each of {draws:,} draws of signs (seed {seed}; Westfall and Young, "
    "step-down)",
    "tukey": "the range of all runs in each of {draws:,} shuffles of the users' values (seed {seed}; randomised Tukey, "
    "Carterette 2012)",
    "holm": "their number, step-down (Holm)",
    "bh": "the share of false findings (Benjamini and Hochberg)",
    "none": "nothing",
}
COUNTED = {
    "both": "who count in both runs of a pair",
    "either": "who count in one run of a pair at least, with 0 where they do not",
    "baseline": "who count in the run that others are put against, with 0 where they do not count in the other",
}


class TestMethodsData(TypedDict):
    """What a paper says of a test."""

    paragraph: str
    """Test, users, correction and seed in sentences."""
    bibtex: str
    definitions: list[CitedData]


@dataclass(frozen=True, eq=False, repr=False)
class TestMethods(PagedResult):
    """What a paper says of a test."""

    __test__ = False  # so that pytest does not collect it

    paragraph: str
    """Test, users, correction, seed."""
    keys: Sequence[str]
    """Of the sources of the test."""
    definitions: Methods

    @classmethod
    def of(cls, found: PairTests) -> "TestMethods":
        """Of what was tested."""
        cells = (found.comparison.cell(one.metric, one.presets[0], one.runs[0]) for one in found.tests)
        definitions: list[Definition] = []
        for cell in cells:
            if cell is not None and cell.definition not in definitions:
                definitions.append(cell.definition)
        chances = [one.permutation for one in found.tests]
        keys = ["smucker2007"]
        keys += [] if all(one.exact for one in chances) else ["phipson2010"]
        keys += [SOURCES[found.correction]] if found.correction in SOURCES and len(found.tests) > 1 else []
        keys += [] if found.cluster is None else ["canay2017", "cameron2015"]
        return cls(_paragraph(found), [*keys, "ferrante2021", "moffat2022"], Methods(tuple(map(Cited, definitions))))

    def to_bibtex(self) -> str:
        """The sources of the test and of the definitions, for a .bib file."""
        entries = [pair for one in self.definitions.cited for pair in one.entries]
        return bibtex([*(entry(bibliography()[key]) for key in self.keys), *entries])

    def _page(self) -> Page:
        """The paragraph, each definition, and the sources of all."""
        sources = Code(self.to_bibtex(), "bibtex")
        return Page([[Paragraph(self.paragraph)], *([one.stated] for one in self.definitions.cited), [sources]])

    def to_dict(self) -> TestMethodsData:
        """Plain data."""
        return {"paragraph": self.paragraph, "bibtex": self.to_bibtex(), "definitions": self.definitions.to_dict()}


def _paragraph(found: PairTests) -> str:
    said = (
        f"Differences between runs were tested, two-sided, by {' and '.join(_tests_of(found))}, over the "
        f"{counts(one.users for one in found.tests)} users {COUNTED[found.include_users]}. "
    )
    intervals = kinds_of(one.interval for one in found.tests).partition(". ")[0]
    said += f"{intervals} ({100 * (1 - found.alpha):g} %, of the mean difference). " if intervals else ""
    if found.cluster is not None:
        said += (
            f"The unit of chance is the cluster of users ({said_of(found.cluster)}; "
            f"{counts(one.units for one in found.tests)} clusters): the signs of its users change together, and "
            "intervals are of cluster-robust standard errors. "
        )
    return said + family_of(found) + f" The level is {found.alpha:g}."


def counts(each: Iterable[int]) -> str:
    """One count, or the least and the greatest of several."""
    ends = sorted({*each})
    return f"{ends[0]:,}" if len(ends) == 1 else f"{ends[0]:,} to {ends[-1]:,}"


def _tests_of(found: PairTests) -> list[str]:
    """The tests that were made, with the number of random signs of those that drew some."""
    chances = [one.permutation for one in found.tests]
    signs = [f"{found.n_resamples:,} random signs, seed {found.seed}"] if not all(one.exact for one in chances) else []
    if any(one.orders and one.exact for one in chances):
        signs.append(f"every choice of signs where at most {EXACT} {found.unit} differ")
    if any(not one.orders for one in chances):
        signs.append(f"exact where {found.unit} differ by one size or not at all")
    return [f"Fisher's paired randomisation test ({'; '.join(signs)})"]


def said_of(cluster: Cluster) -> str:
    """Which clusters these are, in words."""
    if isinstance(cluster, Mapping):
        return "as given by the caller"
    parts = [cluster] if isinstance(cluster, int) else list(cluster)
    return f"part {' and '.join(map(str, parts))} of their ids"


def family_of(found: PairTests) -> str:
    """Which tests were corrected together, and how."""
    tests, metrics = found.tests, {one.metric for one in found.tests}
    if len(tests) == 1:
        return "One test was made, and nothing is corrected."
    definitions = len({(one.metric, tuple(one.presets)) for one in tests})
    parts = [plural(len(metrics), "metric"), f"{plural(len(found.pairs), 'pair')} of runs"]
    parts += [f"{definitions} definitions that differ on these users"] if definitions > len(metrics) else []
    if found.correction == "none":
        return f"The p-values of the {len(tests)} tests ({', '.join(parts)}) are not corrected."
    what = CORRECTED[found.correction].format(draws=found.n_resamples, seed=found.seed)
    return f"p-values are corrected for {what}, over all {len(tests)} tests ({', '.join(parts)})."
