"""Intervals over users, against SciPy's."""

import numpy as np
import pytest
from scipy import stats

from rankconv.statistics import intervals
from rankconv.statistics.intervals import Interval, bca, of_mean, percentile, replicates

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
