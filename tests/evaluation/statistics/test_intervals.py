"""Intervals over users and bands of curves, against SciPy's and plain loops."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankconv.evaluation.statistics import intervals
from rankconv.evaluation.statistics.intervals import (
    Interval,
    bca,
    of_difference,
    of_mean,
    percentile,
    replicates,
    share_limits,
)

VALUES = np.random.default_rng(3).exponential(1, 60)


def mean(drawn: np.ndarray) -> np.ndarray:
    return np.asarray(VALUES[drawn].mean(axis=1))


def test_the_formula_is_that_of_a_t_test() -> None:
    theirs = stats.ttest_1samp(VALUES, 0).confidence_interval(0.9)
    ours = of_mean(VALUES, 0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)
    assert ours.how == "t"
    assert VALUES.mean() in ours
    assert ours.high + 1 not in ours


@pytest.mark.parametrize("way", [percentile, bca])
def test_users_drawn_again_as_scipy_draws_them(way: object) -> None:
    name = {percentile: "percentile", bca: "BCa"}[way]
    theirs = stats.bootstrap((VALUES,), np.mean, n_resamples=20_000, method=name, rng=np.random.default_rng(2))
    ours = way(mean, len(VALUES), draws=20_000, seed=1)  # type: ignore[operator]
    assert isinstance(ours, Interval)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.012)


def test_bca_from_the_same_draws_is_scipys() -> None:
    """Efron's formula, with SciPy's own pieces, on our draws."""
    drawn, users = replicates(mean, len(VALUES), 4_000, 5), len(VALUES)
    left_out = np.array([np.delete(VALUES, user).mean() for user in range(users)])
    apart = left_out.mean() - left_out
    lean = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    bias = stats.norm.ppf(((drawn < VALUES.mean()).sum() + (drawn <= VALUES.mean()).sum()) / 8_000)
    ends = bias + stats.norm.ppf([0.025, 0.975])
    at = stats.norm.cdf(bias + ends / (1 - lean * ends))
    ours = bca(mean, users, draws=4_000, seed=5)
    assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(drawn, at)), rel=1e-12)


def test_users_are_drawn_as_often_as_there_are() -> None:
    sizes = replicates(lambda drawn: np.full(len(drawn), drawn.shape[1]), 7, 500, 0)
    assert (sizes == 7).all()
    times = replicates(lambda drawn: (drawn == 0).sum(axis=1), 7, 5_000, 0)
    assert times.mean() == pytest.approx(1, abs=0.06)
    assert times.var() == pytest.approx(6 / 7, abs=0.08)


def test_groups_left_out_lean_as_single_users_do(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).exponential(1, 6_000)
    by_hand = ((values - values.mean()) ** 3).sum() / (6 * ((values - values.mean()) ** 2).sum() ** 1.5)
    found = intervals._lean(lambda drawn: values[drawn].mean(axis=1), len(values), 0)
    assert found == pytest.approx(by_hand, rel=0.35)
    monkeypatch.setattr(intervals, "SINGLY", 6_000)
    assert intervals._lean(lambda drawn: values[drawn].mean(axis=1), len(values), 0) == pytest.approx(by_hand, rel=1e-6)


def held(draw: Callable[[], np.ndarray], truth: float, times: int = 1_000) -> tuple[float, float]:
    """How often the interval that is chosen, and Student's, hold the true mean."""
    found = np.zeros(2)
    for values in filter(np.ptp, (draw() for _ in range(times))):
        found += [truth in of_mean(values, within=(0, 1), student=student) for student in (False, True)]
    return float(found[0] / times), float(found[1] / times)


@pytest.mark.parametrize("kind", ["beta", "steps"])
def test_it_covers_what_it_promises_where_most_of_20_users_have_nothing(kind: str) -> None:
    random = np.random.default_rng(5)
    rest = {
        "beta": (lambda: random.beta(1.2, 2, 20), 0.375),
        "steps": (lambda: random.choice([0.1, 0.2, 0.3, 0.5, 1.0], 20), 0.42),
    }[kind]
    chosen, student = held(lambda: rest[0]() * (random.random(20) < 0.28), 0.28 * rest[1])
    assert 0.93 < chosen < 0.985
    assert student < 0.925


def test_of_values_0_and_1_it_is_the_exact_interval() -> None:
    """Clopper and Pearson's: at either end so many hits, or more, have the chance that is left."""
    for hits, users in ((3, 12), (1, 30), (24, 25)):
        values = np.repeat([1.0, 0.0], [hits, users - hits])
        found = of_mean(values, 0.9, (0, 1))
        assert stats.binom(users, found.low).sf(hits - 1) == pytest.approx(0.05, abs=1e-9)
        assert stats.binom(users, found.high).cdf(hits) == pytest.approx(0.05, abs=1e-9)
        assert found.how == "exact"


@pytest.mark.parametrize("alpha", [0.025, 0.05])
def test_no_share_is_beyond_a_limit_oftener_than_promised(alpha: float) -> None:
    """The worst over shares, exactly: just below a lower limit and just above an upper one."""
    for users in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 50, 120, 300):
        hits = np.arange(users + 1)
        ends = np.array([share_limits(one, users, np.array(alpha)) for one in hits.tolist()])
        for low in ends[1:, 0]:
            assert stats.binom(users, low - 1e-9).pmf(hits)[ends[:, 0] >= low].sum() <= alpha
        for high in ends[:-1, 1]:
            assert stats.binom(users, high + 1e-9).pmf(hits)[ends[:, 1] <= high].sum() <= alpha


def test_of_normal_values_the_score_interval_is_wilsons_form_of_students() -> None:
    """At its ends the mean is t standard errors away, where the variance is that of a mean there."""
    values = np.array([0.3, 0.35, 0.42, 0.5, 0.5, 0.58, 0.65, 0.7])
    found, mean = of_mean(values, 0.95, (0, 1)), values.mean()
    for end in (found.low, found.high):
        variance = values.var(ddof=1) * end * (1 - end) / (mean * (1 - mean))
        assert abs(end - mean) / np.sqrt(variance / 8) == pytest.approx(stats.t.ppf(0.975, 7), rel=1e-9)
    scaled = of_mean(10 * values - 5, 0.95, (-5, 5))
    assert (scaled.low, scaled.high) == pytest.approx((10 * found.low - 5, 10 * found.high - 5))
    wide = of_mean(values, 0.95, (-1e6, 1e6))
    assert (wide.low, wide.high) == pytest.approx(tuple(stats.ttest_1samp(values, 0).confidence_interval()), abs=1e-4)


@settings(max_examples=30)
@given(
    st.lists(st.floats(0, 1, width=32), min_size=2, max_size=60), st.sampled_from([(0, 1), (0, np.inf), (-np.inf, 1)])
)
def test_ends_lie_on_both_sides_of_the_mean_and_inside_what_is_possible(drawn: list[float], within: Any) -> None:
    values = np.array(drawn)
    if np.ptp(values) > 1e-6:
        found, other = of_mean(values, within=within), of_mean(values[::-1], within=within)
        assert within[0] <= found.low < values.mean() < found.high <= within[1]
        assert (found.low, found.high) == pytest.approx((other.low, other.high), rel=1e-9)
        turned = of_mean(-values, within=(-within[1], -within[0]))
        assert (-turned.high, -turned.low) == pytest.approx((found.low, found.high), rel=1e-6, abs=1e-9)


def test_of_two_small_groups_the_difference_is_inside_what_is_possible() -> None:
    random = np.random.default_rng(2)
    for _ in range(50):
        ours, others = random.random(4) ** 3, 1 - random.random(3) ** 3
        found = of_difference(ours, others, 0.95, (0, 1))
        assert -1 <= found.low < ours.mean() - others.mean() < found.high <= 1
    many = random.random((2, 60))
    welch = stats.ttest_ind(*many, equal_var=False).confidence_interval()
    found = of_difference(*many, 0.95, (0, 1))
    assert (found.low, found.high, found.how) == (*map(pytest.approx, welch), "welch")


RANDOM = np.random.default_rng(3)
POINTS, COUNTED = RANDOM.random((40, 3)), RANDOM.random((40, 3)) < 0.8


def test_a_band_is_what_drawing_whole_users_one_by_one_gives() -> None:
    low, high = intervals.band(POINTS, COUNTED, draws=4000, seed=1)
    rows = np.random.default_rng(5).integers(0, 40, (4000, 40))
    means = np.nanmean(np.where(COUNTED, POINTS, np.nan)[rows], axis=1)
    assert np.allclose([low, high], np.quantile(means, [0.025, 0.975], axis=0), atol=0.01)


def test_how_many_draws_are_held_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = intervals.band(POINTS, COUNTED, draws=50, seed=1)
    monkeypatch.setattr(intervals, "_BAND_CELLS", 40 * 7)
    assert np.allclose(at_once, intervals.band(POINTS, COUNTED, draws=50, seed=1), rtol=1e-14)


def test_users_who_are_alike_leave_no_doubt_and_nobody_no_number() -> None:
    low, high = intervals.band(np.full((9, 2), 0.5), np.array([[True, False]] * 9), draws=20, seed=0)
    assert low[0] == high[0] == 0.5
    assert np.isnan(low[1])
    assert np.isnan(high[1])


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([1e200, 2e200, 3e200], "values are too large to be squared"),
        ([1.0, np.inf, 2.0], "some values are infinite or undefined"),
        ([1.0, np.nan, 2.0], "some values are infinite or undefined"),
        ([np.inf, np.inf], "all users have one value"),
    ],
)
def test_values_whose_squares_do_not_add_up_have_no_interval(values: list[float], why: str) -> None:
    assert of_mean(np.array(values)).why == why
