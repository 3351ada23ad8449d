"""Corrections for many tests, against SciPy, loops by hand, and what they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankconv.evaluation.statistics.paired_tests import (
    OF_P,
    benjamini_hochberg,
    holm,
    max_t,
    randomised_tukey,
    sign_test,
)

p_values = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=8).map(np.array)


@settings(max_examples=30)
@given(p_values)
def test_holm_by_hand(p: np.ndarray) -> None:
    order, running, expected = np.argsort(p, kind="stable").tolist(), 0.0, {}
    for place, at in enumerate(order):
        running = max(running, min(1.0, float(p[at]) * (len(p) - place)))
        expected[at] = running
    assert holm(p).tolist() == [expected[at] for at in range(len(p))]


@settings(max_examples=30)
@given(p_values)
def test_corrections_keep_the_order_and_lower_nothing(p: np.ndarray) -> None:
    for correction in OF_P.values():
        corrected = correction(p)
        assert (corrected >= p - 1e-12).all()
        assert (np.diff(corrected[np.argsort(p, kind="stable")]) >= -1e-12).all()


def test_benjamini_and_hochberg_as_printed() -> None:
    """Their own example: of these fifteen p-values the first four are found at 0.05."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528]
    p += [0.7590, 1.0]
    assert (benjamini_hochberg(np.array(p)) <= 0.05).tolist() == [True] * 4 + [False] * 11


def columns(users: int, runs: int, better: float = 0.0) -> np.ndarray:
    values = np.random.default_rng(8).normal(0, 1, (users, runs))
    values[:, 0] += better
    return values


PAIRS = [(a, b) for a in range(4) for b in range(a)]


def test_max_t_by_a_plain_loop() -> None:
    """The definition read off: in each draw the largest statistic of the tests that are left, step by step."""
    values = columns(12, 4, 0.8)
    differences = [values[:, a] - values[:, b] for a, b in PAIRS]
    observed = np.array([abs(one.sum()) / np.sqrt((one**2).sum()) for one in differences])
    order = np.argsort(-observed)
    signs = [[1 if number >> user & 1 else -1 for user in range(12)] for number in range(2**12)]
    drawn = np.array(
        [[abs((one * sign).sum()) / np.sqrt((one**2).sum()) for one in differences] for sign in np.array(signs)]
    )
    exact, running = np.empty(len(PAIRS)), 0.0
    for place, at in enumerate(order):
        running = max(running, float(np.mean(drawn[:, order[place:]].max(axis=1) >= observed[at] - 1e-9)))
        exact[at] = running
    assert max_t(values, PAIRS, draws=20_000, seed=1) == pytest.approx(exact, abs=0.015)
    for (a, b), one in zip(PAIRS, differences, strict=True):
        assert max_t(values, [(a, b)], draws=20_000, seed=1) == pytest.approx(sign_test(one).p, abs=0.015)


def test_a_copy_of_a_run_is_never_found_and_spoils_nothing() -> None:
    values = columns(40, 3, 1.0)
    found = max_t(np.column_stack([values, values[:, 1]]), [(0, 1), (1, 3)], draws=500)
    assert found.tolist() == pytest.approx([1 / 501, 1])


def test_max_t_pays_less_than_holm_where_tests_are_alike() -> None:
    values = columns(60, 2, 0.35)
    near = values[:, :1] + np.random.default_rng(2).normal(0, 0.01, (60, 6))
    tests = [(run, 6) for run in range(6)]
    found = max_t(np.column_stack([near, values[:, 1]]), tests, draws=5_000)
    alone = np.array([sign_test(near[:, run] - values[:, 1], draws=5_000).p for run in range(6)])
    assert found.max() < 2 * alone.max() < holm(alone).max()


def test_tukey_by_a_plain_loop_and_paired() -> None:
    values = columns(30, 4, 0.7) + np.random.default_rng(1).normal(0, 5, (30, 1))
    found = randomised_tukey(values, draws=2_000, seed=1)
    generator, spreads = np.random.default_rng(7), []
    for _ in range(2_000):
        means = np.array([row[generator.permutation(4)] for row in values]).mean(axis=0)
        spreads.append(means.max() - means.min())
    means = values.mean(axis=0)
    by_hand = np.array([[np.mean(np.array(spreads) >= abs(a - b) - 1e-12) for b in means] for a in means])
    np.fill_diagonal(by_hand, 1.0)
    assert found == pytest.approx(by_hand, abs=0.04)
    assert found == pytest.approx(found.T)
    unpaired = stats.tukey_hsd(*values.T).pvalue
    assert found[0, 1:].max() < 0.3 < unpaired[0, 1:].min()


def test_of_alike_runs_about_the_level_is_found() -> None:
    """60 experiments of six alike runs: any false alarm in at most a few of them, where uncorrected tests find many."""
    alarms = {"max-t": 0, "tukey": 0, "none": 0}
    pairs = [(a, b) for a in range(6) for b in range(a)]
    for seed in range(60):
        values = np.random.default_rng(seed).normal(0, 1, (25, 6))
        alarms["max-t"] += bool((max_t(values, pairs, draws=400, seed=seed) <= 0.05).any())
        alarms["tukey"] += bool((randomised_tukey(values, draws=400, seed=seed) <= 0.05).any())
        alone = [sign_test(values[:, a] - values[:, b], draws=400, seed=seed).p for a, b in pairs]
        alarms["none"] += min(alone) <= 0.05
    assert alarms["max-t"] <= 8
    assert alarms["tukey"] <= 8
    assert alarms["none"] >= 12
