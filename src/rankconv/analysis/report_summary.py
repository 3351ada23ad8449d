"""The first sentences of a report: which run is best, whether that is significant, and what in the data matters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rankconv.analysis.check import CheckResult, largest_effect
from rankconv.analysis.significance.runs import PairTest
from rankconv.analysis.significance.significance import SignificanceResult
from rankconv.analysis.significance.significance_page import p_equation
from rankconv.evaluation.results.comparison import Comparison
from rankconv.evaluation.results.strips import chosen_preset
from rankconv.rendering.pages.cells import number, plural
from rankconv.rendering.pages.table import Table

METRICS_IN_WORDS = 2
"""So many metrics have a sentence; the table below has all."""


@dataclass(frozen=True)
class MetricRanking:
    """The runs from best to worst under the chosen preset of a metric, and how often each is first under all."""

    comparison: Comparison
    metric: str

    @cached_property
    def chosen(self) -> str:
        """The default preset, or the first that gives the metric; empty where none does."""
        return chosen_preset(self.comparison, self.metric)

    @cached_property
    def runs(self) -> list[str]:
        """From best to worst under the chosen preset; from the highest where no end is the better one."""
        means = self.means[self.chosen]
        lower = self.comparison.lower_is_better(self.metric, self.chosen)
        return sorted(means, key=lambda run: means[run] if lower else -means[run])

    @cached_property
    def means(self) -> Mapping[str, Mapping[str, float]]:
        """Preset → run → mean."""
        return self.comparison.means(self.metric)

    def value(self, run: str) -> float:
        """Its value under the chosen preset."""
        return self.means[self.chosen][run]

    def first_under(self, run: str) -> int:
        """Under how many presets a run is better than all others."""
        return sum(self._is_first(run, preset) for preset in self.means)

    def _is_first(self, run: str, preset: str) -> bool:
        means, lower = self.means[preset], self.comparison.lower_is_better(self.metric, preset)
        others = [mean for other, mean in means.items() if other != run]
        return all(means[run] < mean if lower else means[run] > mean for mean in others)

    @property
    def sentence(self) -> str:
        """Which run is best, or between which values the number of the only run is."""
        if not self.chosen:
            return f"No preset gives {self.metric} for these data."
        if len(self.runs) == 1:
            return self._range_sentence()
        first, presets = self.runs[0], plural(len(self.means), "preset")
        best = "best" if self.comparison.directed(self.metric) else "highest"
        equal = [run for run in self.runs if self.value(run) == self.value(first)]
        value = number(self.value(first))
        if len(equal) > 1:
            return f"{self.metric}: {' and '.join(equal)} are equal under {self.chosen}, with {value}."
        often = f"alone in first place under {self.first_under(first)} of {presets}"
        return f"{self.metric}: {first} is {best} under {self.chosen}, with {value}, and {often}."

    def _range_sentence(self) -> str:
        [run] = self.runs
        values = {round(by_run[run], 4) for by_run in self.means.values()}
        if len(values) == 1:
            return f"{self.metric} is {number(self.value(run))} under {plural(len(self.means), 'preset')}."
        presets = plural(len(self.means), "preset")
        span = f"{presets} give {len(values)} values, {number(min(values))} to {number(max(values))}"
        return f"{self.metric} is {number(self.value(run))} under {self.chosen}; {span}."


def summary_sentences(
    rankings: Sequence[MetricRanking], tested: SignificanceResult | str | None, checks: Mapping[str, CheckResult | str]
) -> list[str]:
    """At most six sentences; `tested` and `checks` are messages where there is no result."""
    return list(_sentences(rankings, tested, checks))


def _sentences(
    rankings: Sequence[MetricRanking], tested: SignificanceResult | str | None, checks: Mapping[str, CheckResult | str]
) -> Iterator[str]:
    for one in rankings[:METRICS_IN_WORDS]:
        yield one.sentence
    if isinstance(tested, SignificanceResult):
        yield from filter(None, (_chance(one, tested) for one in rankings[:METRICS_IN_WORDS]))
    elif tested:
        yield f"Significance was not tested: {tested}"
    yield _data(checks)


def _chance(ranking: MetricRanking, tested: SignificanceResult) -> str:
    """Whether the difference between the best run and the second is significant under the chosen preset."""
    if not ranking.chosen:
        return ""
    first, second = ranking.runs[:2]
    test = next((one for one in tested.tests if _is_of(one, ranking, {first, second})), None)
    if test is None:
        return f"{ranking.metric}: {first} and {second} were not tested under {ranking.chosen}."
    by = abs(test.effect.mean)
    verdict = "significant" if test.is_significant else "not significant"
    corrected = f", corrected for {len(tested.tests):,} tests" if len(tested.tests) > 1 else ""
    return (
        f"{ranking.metric}: the difference of {first} and {second} under {ranking.chosen}, {number(by)}, is {verdict} "
        f"({p_equation(test.p)}{corrected})."
    )


def _is_of(one: PairTest, ranking: MetricRanking, runs: set[str]) -> bool:
    return one.metric == ranking.metric and {*one.runs} == runs and ranking.chosen in one.presets


def _data(checks: Mapping[str, CheckResult | str]) -> str:
    """The data problem with the largest effect on a value."""
    results = {run: one for run, one in checks.items() if isinstance(one, CheckResult)}
    if not results:
        return f"The data were not checked: {next(iter(checks.values()), 'the report was interrupted.')}"
    found = [(finding, run) for run, one in results.items() for finding in one]
    if not found:
        return "No data problem was found that changes a metric."
    moving = [(finding, run) for finding, run in found if finding.furthest is not None]
    if not moving:
        return "The data problems that were found change no value that was checked."
    finding, run = max(moving, key=lambda pair: pair[0].weight)
    of = f" of {run}" if run else ""
    return f"Largest effect of a data problem: {finding.name} ({finding.counted}{of}), {largest_effect(finding)}."


def summary_table(rankings: Sequence[MetricRanking], runs: Sequence[str]) -> Table:
    """A row for each metric and run: its value under the chosen preset, and the range of all."""
    several = len(runs) > 1
    heads = ["metric", *(["run"] if several else []), "preset", "value", "lowest", "highest"]
    heads += ["first under"] if several else []
    rows, best = list[list[str]](), set[tuple[int, int]]()
    for one in rankings:
        for run in one.runs if one.chosen else []:
            means = [by_run[run] for by_run in one.means.values()]
            if several and one.value(run) == one.value(one.runs[0]) and one.comparison.directed(one.metric):
                best.add((len(rows), 3))
            row = [one.metric, *([run] if several else []), one.chosen]
            row += [number(value) for value in (one.value(run), min(means), max(means))]
            rows.append([*row, *([f"{one.first_under(run)} of {len(one.means)}"] if several else [])])
    return Table(heads, rows, labels=2 + several, best=frozenset(best))
