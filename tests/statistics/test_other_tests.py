"""Wilcoxon's test, the sign test, effects and power, against SciPy's and numbers of others."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from rankconv.data.arrays import Numbers
from rankconv.statistics.tests import effect, power_of, sign, users_needed, wilcoxon


def drawn(seed: int) -> tuple[Numbers, Numbers]:
    """Values of two runs for some users; of one decimal, so that many differences are 0 or tied."""
    generator = np.random.default_rng(seed)
    users = int(generator.integers(5, 40))
    ours = np.round(generator.random(users), 1)
    return ours, np.where(generator.random(users) < 0.2, ours, np.round(generator.random(users) + 0.1, 1))


def test_wilcoxons_test_is_scipys_of_two_runs() -> None:
    """Some of them with ties, which SciPy answers by trying signs, and that takes its time."""
    for seed in range(8):
        ours, other = drawn(seed)
        assert wilcoxon(ours - other) == pytest.approx(stats.wilcoxon(ours, other).pvalue, rel=1e-12), seed


def test_the_sign_test_counts_heads_of_a_fair_coin() -> None:
    """Twice the chance of so few heads or fewer, at most 1."""
    for seed in range(50):
        ours, other = drawn(seed)
        wins, losses = int((ours > other).sum()), int((ours < other).sum())
        chance = 2 * sum(comb(wins + losses, heads) for heads in range(min(wins, losses) + 1)) / 2 ** (wins + losses)
        assert sign(ours - other) == pytest.approx(min(1.0, chance), rel=1e-9), seed


def test_nobody_who_differs_is_no_difference() -> None:
    assert wilcoxon(np.zeros(8)) == sign(np.zeros(8)) == 1.0
    assert users_needed(0.0) is users_needed(float("nan")) is None


def test_who_wins_and_by_how_much() -> None:
    found = effect(np.array([0.5, 0.0, -0.25, 0.5]))
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)
    assert found.mean == 0.1875
    assert found.standardised == pytest.approx(0.1875 / np.std([0.5, 0.0, -0.25, 0.5], ddof=1))
    assert np.isnan(effect(np.array([0.5, 0.5])).standardised)
    assert np.isnan(effect(np.array([0.5])).standardised)


@pytest.mark.parametrize(("size", "users"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_users_it_takes_are_those_of_cohens_tables(size: float, users: int) -> None:
    """G*Power and R's power.t.test(type="paired") give these for 80 % at 0.05, two-sided."""
    assert users_needed(size) == users
    assert power_of(size, users - 1) < 0.8 <= power_of(size, users)


def test_power_by_simulation() -> None:
    drawn = np.random.default_rng(4).normal(0.4, 1, (4_000, 30))
    found = (stats.ttest_1samp(drawn, 0, axis=1).pvalue <= 0.05).mean()
    assert power_of(0.4, 30) == pytest.approx(found, abs=0.025)
