"""Which runs are better, under which definitions, and how sure that is: printed, or as data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NotRequired, Unpack

from typing_extensions import TypedDict

from rankconv.analysis.significance.hypotheses import (
    Correction,
    Hypothesis,
    IncludedUsers,
    Untested,
    UntestedData,
    corrected,
    hypotheses,
)
from rankconv.analysis.significance.runs import (
    PairTestData,
    PairTests,
    SignificanceOptions,
    TestMethods,
    said_of,
    tested,
)
from rankconv.analysis.significance.significance_page import page, rows_of, tests_table, title_of
from rankconv.basics.errors import InputError, nearest
from rankconv.data import inputs
from rankconv.data.clusters import Cluster
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Runs
from rankconv.evaluation.compare import compare
from rankconv.evaluation.joining import SideDataLike, takes_side_data
from rankconv.evaluation.results.comparison import Comparison, are_columns
from rankconv.evaluation.statistics.paired_tests import DRAWS, sign_test
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.rendering.pages.cells import finite
from rankconv.rendering.pages.display import Drawn, RowTable, text
from rankconv.rendering.pages.forest_plot import READABLE, draw
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.picture import Target
from rankconv.rendering.pages.table import Table

TestKey = tuple[str, tuple[str, str], str]
"""Metric, runs, preset."""


class SignificanceData(TypedDict):
    """The tests of the differences between runs."""

    baseline: str | None
    """The run that others are compared with; null where all are compared with each other."""
    correction: Correction
    include_users: IncludedUsers
    alpha: float
    n_resamples: int
    seed: int
    cluster: NotRequired[str]
    """The column or part of ids by which users are resampled; left out where each user is by themself."""
    sentence: str
    """What a paper says of the tests."""
    notes: list[str]
    tests: list[PairTestData]
    """One for each metric, pair of runs and definition that differs on these users."""
    untested: list[UntestedData]


@dataclass(frozen=True, eq=False, repr=False)
class SignificanceResult(Drawn, RowTable, PairTests):
    """Which of several runs is better, under one definition or many, and how sure that is.

    `tests` has one entry for each metric, pair of runs and definition that differs on these users; `untested` the
    presets that give no mean of users' values, with the reason. p-values are corrected for all `tests`.
    """

    rows_in: ClassVar[str] = "tests"

    @property
    def library(self) -> str:
        """The library whose table the data came in, for `to_frame`."""
        return self.comparison.library

    def _page(self, digits: int = 4, *, whole: bool = False, warned: bool = True) -> Page:
        """The tests of each metric, what was corrected for, and what they rest on."""
        return page(self, digits, whole, warned)

    def __repr__(self) -> str:
        first = text(page(self, 4, whole=False, warned=False), None).partition("\n")[0]
        return f"SignificanceResult({first})"

    def power(self, detect: float | None = None, power: float = 0.8) -> dict[TestKey, int | None]:
        """Compute the number of users needed to detect each difference, or a stated one, with this power.

        By metric, runs and the first preset; None where there is no difference, or all users differ by the same amount.
        """
        return {(one.metric, one.runs, one.presets[0]): one.users_needed(power, detect) for one in self.tests}

    def methods(self) -> TestMethods:
        """What a paper says of these tests: the sentence, the definitions, and the sources of both."""
        return TestMethods.of(self)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the differences with their intervals, a row for each test, into an SVG or PNG file. Needs matplotlib.

        Under many definitions there is a row for each class of equal ones.
        """
        draw(rows_of(self, digits), title_of(self), "difference", path)

    def _pictures(self) -> Page:
        """The tests as they are plotted, unless these are more than can be read in a page."""
        return super()._pictures() if len(self.tests) <= READABLE else Page([])

    def table(self, digits: int = 4) -> Table:
        """A row for each test."""
        return tests_table(self.tests, digits)

    def _csv_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "metric": one.metric,
                "presets": one.presets,
                "fingerprint": one.fingerprint,
                "run": one.runs[0],
                "against": one.runs[1],
                "users": one.users,
                "mean_of_run": finite(one.means[0]),
                "mean_of_against": finite(one.means[1]),
                "difference": finite(one.effect.mean),
                "low": finite(one.interval.low),
                "high": finite(one.interval.high),
                "p": finite(one.permutation.p),
                "p_corrected": finite(one.p),
                "better": one.better,
            }
            for one in self.tests
        ]

    def to_dict(self) -> SignificanceData:
        """Everything as plain data; NaN is None, as JSON has it."""
        data: SignificanceData = {
            "baseline": self.baseline,
            "correction": self.correction,
            "include_users": self.include_users,
            "alpha": self.alpha,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
            "sentence": self.methods().paragraph,
            "notes": [*self.comparison.outside_notes, *([self.warning] if self.warning else [])],
            "tests": [one.to_dict() for one in self.tests],
            "untested": [
                {"metric": one.metric, "presets": list(one.presets), "why": one.why, "too_few": one.too_few}
                for one in self.untested
            ],
        }
        if self.cluster is not None:
            data["cluster"] = said_of(self.cluster)
        return data


@takes_side_data
def test(
    labels: Any,
    runs: Any,
    metrics: Metrics | Mapping[str, str | Definition] | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    baseline: str | None = None,
    correction: Correction = "max-t",
    include_users: IncludedUsers = "both",
    cluster: Cluster | None = None,
    alpha: float = 0.05,
    n_resamples: int = DRAWS,
    seed: int = 0,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
    **side: Unpack[SideDataLike],
) -> SignificanceResult:
    """Test which run is better under which definition.

    The test is Fisher's paired randomisation test over users: exact for at most 20 users with a difference, else with
    random signs of the differences. Where all users who differ do so by one size, as for hits, it is exact for any
    number of users. Of equal runs, p is at most `alpha` in at most this share, however few users differ.

    Parameters
    ----------
    labels : LabelsLike
        As in `rc.evaluate`.
    runs : mapping of str to RunLike
        Two or more runs by name, an `rc.Runs`, or a folder of runs.
    metrics : MetricLike or mapping of str to MetricLike
        As in `rc.compare`.
    preset : str, path, Preset or a list of these, optional
        Presets whose values agree to 12 significant digits for every user count as one definition.
    baseline : str, optional
        The run that each other run is tested against; by default all pairs are tested.
    correction : {"max-t", "tukey", "holm", "bh", "none"}, default "max-t"
        Correction for all tests of the call: Westfall and Young, the randomised Tukey test (all pairs), Holm, Benjamini
        and Hochberg, or none.
    include_users : {"both", "either", "baseline"}, default "both"
        The users of a test: those who count in both runs, in either, or in the baseline, with 0 where they do not
        count.
    cluster : int, sequence of int or mapping, optional
        What is resampled as one, where several ids belong to one person: the parts of compound ids (1 is the first), or
        a dict from each id to its cluster. Intervals are then robust to clusters; means stay those over ids.
    alpha : float, default 0.05
        Significance level.
    n_resamples : int, default 100000
        Number of random signs.
    seed : int, default 0
        Random seed.
    users : iterable of ids, optional
        As in `rc.evaluate`.
    progress : bool, optional
        Whether a progress bar is shown on stderr. By default it appears after two seconds, at a terminal or in a
        notebook.
    seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    SignificanceResult
        One test for each metric, definition and pair of runs, with effect, interval and p-values.

    Raises
    ------
    InputError
        If there are fewer than two runs, fewer than 5 users or clusters, an unknown baseline, or ids without the parts
        that `cluster` names.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {user: ["a"] for user in "uvwxyz"}
    >>> runs = {"good": dict.fromkeys(labels, ["a", "b"]), "bad": dict.fromkeys(labels, ["b", "a"])}
    >>> [found] = rc.test(labels, runs, "mrr@2").tests
    >>> found.better, found.effect.mean, found.permutation.p
    ('good', 0.5, 0.03125)
    """
    arguments.word(correction, Correction, "correction")
    arguments.word(include_users, IncludedUsers, "include_users")
    arguments.number(n_resamples, "n_resamples", 1)
    arguments.number(seed, "seed")
    arguments.decimal(alpha, "alpha", 0.0001, 0.5)
    several = _several(labels, runs, baseline)
    presets = HOUSE if preset is None and not are_columns(metrics, preset) else preset
    comparison = compare(labels, several, metrics, presets, users=users, progress=progress, **side)
    who: dict[str, Any] = {"baseline": baseline, "include_users": include_users, "cluster": cluster}
    how: dict[str, Any] = {"correction": correction, "alpha": alpha, "n_resamples": n_resamples, "seed": seed}
    return test_compared(comparison, SignificanceOptions(**who, **how))


test.__test__ = False  # type: ignore[attr-defined]  # so that pytest does not collect it


def test_compared(comparison: Comparison, options: SignificanceOptions = SignificanceOptions()) -> SignificanceResult:  # noqa: B008
    """Test the runs of a comparison."""
    pairs, untested = hypotheses(comparison, options.baseline, options.include_users, options.cluster)
    _refuse_nothing(pairs, untested, options.include_users)
    draws, seed = options.n_resamples, options.seed
    together = [(one, sign_test(one.pair.sums_and_sizes[0], draws=draws, seed=seed)) for one in pairs]
    each = zip(together, corrected(together, options.correction, draws, seed).tolist(), strict=True)
    tests = [tested(one, chance, p, options.alpha) for (one, chance), p in each]
    return SignificanceResult(comparison, tests, untested, **vars(options))


test_compared.__test__ = False  # type: ignore[attr-defined]


def _several(labels: Any, runs: Any, baseline: str | None) -> Runs:
    """Two runs at least, by name; an InputError says what else was given."""
    if isinstance(labels, Joined):
        do = "Pass the labels, and the runs by name: {'bm25': …, 'dense': …}."
        raise InputError("one run is put together with its labels, and two are wanted", do=do)
    several = runs if isinstance(runs, Runs) else inputs.runs(runs)
    if len(several.by_name) < 2:
        raise InputError(f"there is one run, '{next(iter(several.by_name))}', and nothing to put it against")
    names = list(several.by_name)
    if baseline is not None and (not isinstance(baseline, str) or baseline not in names):
        allowed, like = f"The runs are: {', '.join(names)}", nearest(str(baseline)[:100], names)
        raise InputError(f"no run is called {baseline!r:.100}", where="baseline", allowed=allowed, nearest=like)
    return several


def _refuse_nothing(family: Sequence[Hypothesis], untested: Sequence[Untested], count: IncludedUsers) -> None:
    """An InputError where nothing can be tested, with the first reason."""
    if family or not untested:
        return
    do = shell = ""
    if untested[0].enough_in_either:
        do, shell = (
            f"Test runs of the same users, or include the users of either run: {how}."
            for how in ("rc.test(…, include_users='either')", "rankconv test LABELS RUN RUN --include-users either")
        )
    elif untested[0].enough_unclustered:
        do, shell = (f"Leave {how} out, or name clusters of which there are more." for how in ("cluster=", "--cluster"))
    elif untested[0].too_few:
        do = "Test runs with more users in common." if count == "both" else "Test runs with more users."
    raise InputError(f"{untested[0].metric} cannot be tested: {untested[0].why}", do=do, shell=shell)
