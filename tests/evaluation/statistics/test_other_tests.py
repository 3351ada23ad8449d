"""Effects and power, against SciPy's and numbers of others."""

import numpy as np
import pytest
from scipy import stats

from rankconv.evaluation.statistics.paired_tests import effect, power_of, users_needed


def test_nobody_who_differs_is_no_difference() -> None:
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
