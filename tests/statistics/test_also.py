"""Wilcoxon's, the sign and Student's test against SciPy's, on data full of ties."""

from math import comb

import numpy as np
import pytest
from scipy import stats

import rankconv as rc
from rankconv.data.arrays import Numbers
from rankconv.statistics.tests import sign, wilcoxon


def drawn(seed: int) -> tuple[Numbers, Numbers]:
    """Values of two runs for some users; of one decimal, so that many differences are 0 or tied."""
    generator = np.random.default_rng(seed)
    users = int(generator.integers(5, 40))
    ours = np.round(generator.random(users), 1)
    return ours, np.where(generator.random(users) < 0.2, ours, np.round(generator.random(users) + 0.1, 1))


def test_wilcoxons_test_is_scipys_of_two_runs() -> None:
    """Some of them with ties, which SciPy answers by trying signs, and that takes its time."""
    for seed in range(20):
        ours, other = drawn(seed)
        assert wilcoxon(ours - other) == pytest.approx(stats.wilcoxon(ours, other).pvalue, rel=1e-12), seed


def test_the_sign_test_counts_heads_of_a_fair_coin() -> None:
    """Twice the chance of so few heads or fewer, at most 1."""
    for seed in range(200):
        ours, other = drawn(seed)
        wins, losses = int((ours > other).sum()), int((ours < other).sum())
        chance = 2 * sum(comb(wins + losses, heads) for heads in range(min(wins, losses) + 1)) / 2 ** (wins + losses)
        assert sign(ours - other) == pytest.approx(min(1.0, chance), rel=1e-9), seed


def test_students_test_is_that_of_related_samples() -> None:
    """What `rc.test` tells beside its own p: SciPy's test of related samples, of RR at ranks that are drawn."""
    for seed in range(10):
        generator = np.random.default_rng(seed)
        places = generator.integers(1, 6, (2, int(generator.integers(6, 30))))
        labels = {str(user): ["right"] for user in range(places.shape[1])}
        one, two = (
            {str(user): [f"wrong {n}" for n in range(place - 1)] + ["right"] for user, place in enumerate(row)}
            for row in places
        )
        [tested] = rc.test(labels, {"one": one, "two": two}, "mrr", n_resamples=100).tests
        assert tested.t == pytest.approx(stats.ttest_rel(1 / places[0], 1 / places[1]).pvalue, rel=1e-9), seed


def test_nobody_who_differs_is_no_difference() -> None:
    assert wilcoxon(np.zeros(8)) == sign(np.zeros(8)) == 1.0
