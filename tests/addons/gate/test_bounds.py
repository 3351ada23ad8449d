"""Limits of a mean change against SciPy's, and against worst cases by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankconv.addons.gate.bounds import mean_limits, unseen_share
from rankconv.addons.gate.decisions import Excess


def of_share(hits: int, users: int, alpha: float) -> tuple[float, float]:
    """Clopper and Pearson's one-sided limits, by SciPy's beta distribution."""
    low = stats.beta(hits, users - hits + 1).ppf(alpha) if hits else 0.0
    return float(low), float(stats.beta(hits + 1, users - hits).isf(alpha)) if hits < users else 1.0


def changes(users: int, *own: float) -> np.ndarray:
    return np.array([*own, *[0.0] * (users - len(own))])


def test_without_a_change_a_loss_of_all_can_be_absent_from_the_sample() -> None:
    for users in (1, 2, 3, 20, 300):
        assert mean_limits(np.zeros(users), 0.05, (-1, 2)) == pytest.approx(
            (-of_share(0, users, 0.05)[1], 2 * of_share(0, users, 0.05)[1])
        )
        assert unseen_share(users, 0.05) == pytest.approx(of_share(0, users, 0.05)[1])


def test_few_changes_have_exact_limits() -> None:
    low, high = mean_limits(changes(40, -1, -1, 0.5), 0.05, (-1, 1))
    assert low == pytest.approx(-of_share(2, 40, 0.05)[1])
    assert high == pytest.approx(0.5 * of_share(1, 40, 0.025)[1] + 0.5 * of_share(0, 40, 0.025)[1])
    low, _ = mean_limits(changes(40, -0.2, -0.1), 0.05, (-1, 1))
    assert low == pytest.approx(-0.2 * of_share(2, 40, 0.025)[1] - 0.8 * of_share(0, 40, 0.025)[1])
    assert mean_limits(changes(4, 0.3, 0.2, 0.1, 0.3), 0.05, (-1, 1))[0] == pytest.approx(-of_share(0, 4, 0.05)[1])


def test_changes_of_one_size_have_exact_limits_however_many() -> None:
    low, high = mean_limits(np.full(60, -0.5), 0.05, (-1, 1))
    assert low == pytest.approx(-0.5 - 0.5 * of_share(0, 60, 0.025)[1])
    assert high == pytest.approx(-0.5 * of_share(60, 60, 0.025)[0] + of_share(0, 60, 0.025)[1])
    gains, _ = mean_limits(changes(200, *[1.0] * 30), 0.05, (-1, 1))
    assert gains == pytest.approx(of_share(30, 200, 0.025)[0] - of_share(0, 200, 0.025)[1])


def test_without_a_range_few_changes_and_few_users_decide_nothing() -> None:
    nothing = (-np.inf, np.inf)
    for own in (np.zeros(3_000), changes(3_000, -1, 2, 3, 4, 5), np.full(49, 1.0), np.random.default_rng(0).random(5)):
        assert mean_limits(own, 0.05, nothing) == nothing
    low, high = mean_limits(changes(400, *[-2.0] * 90), 0.05, nothing)
    assert (low, high) == pytest.approx((-2 * of_share(90, 400, 0.05)[1], -2 * of_share(90, 400, 0.05)[0]), rel=0.02)


def test_where_all_users_change_they_are_students() -> None:
    values = np.random.default_rng(1).normal(0.02, 0.1, 400)
    for some in (values, values[:7]):
        expected = stats.ttest_1samp(some, 0).confidence_interval(0.9)
        assert mean_limits(some, 0.05, (-1, 1)) == pytest.approx((expected.low, expected.high), rel=5e-3)


def test_where_some_change_they_are_the_furthest_products_of_both_limits() -> None:
    """The ellipse of share and mean size, searched with a fine grid and SciPy's limits."""
    drawn = np.random.default_rng(2)
    for users, mean in ((30, -0.1), (80, 0.15), (500, 0.0)):
        own = np.where(drawn.random(users) < 0.4, drawn.normal(mean, 0.1, users), 0)
        some = own[own != 0]
        products, z = [], stats.norm.ppf(0.95)
        for angle in np.linspace(0, np.pi / 2, 150):
            share = of_share(len(some), users, stats.norm.sf(z * np.cos(angle)))
            t = stats.t.ppf(stats.norm.cdf(z * np.sin(angle)), len(some) - 1) * some.std(ddof=1) / len(some) ** 0.5
            products += [one * (some.mean() - t) for one in share]
        assert mean_limits(own, 0.05, (-1, 1))[0] == pytest.approx(min(products), rel=1e-3, abs=1e-5)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.0, 0.0, 0.1, 0.2, 1.0]), min_size=1, max_size=40),
    st.sampled_from([0.01, 0.05, 0.2]),
)
def test_limits_hold_the_mean_and_turn_with_the_changes(drawn: list[float], alpha: float) -> None:
    own = np.array(drawn)
    low, high = mean_limits(own, alpha, (-1, 1))
    assert low - 1e-9 <= own.mean() <= high + 1e-9
    assert mean_limits(own[::-1], alpha, (-1, 1)) == pytest.approx((low, high))
    assert mean_limits(-own, alpha, (-1, 1)) == pytest.approx((-high, -low))
    assert mean_limits(5 * own, alpha, (-5, 5)) == pytest.approx((5 * low, 5 * high))
    stricter = mean_limits(own, alpha / 2, (-1, 1))
    assert stricter[0] <= low + 1e-9
    assert stricter[1] >= high - 1e-9


def test_the_users_that_would_decide_do_decide() -> None:
    drawn = np.random.default_rng(3)
    for own in (changes(40, -0.1, 0.2), np.where(drawn.random(60) < 0.4, drawn.normal(0.002, 0.1, 60), 0), np.zeros(9)):
        excess = Excess(0.01, own, (-1, 1))
        needed = excess.users_needed(0.05)
        assert excess.verdict(0.05) == "undecided"
        assert needed is not None
        assert excess._with_users(needed).verdict(0.05) != "undecided"
        assert excess._with_users(needed // 2).verdict(0.05) == "undecided"
    assert Excess(0.01, np.zeros(9), (-1, 1)).users_needed(0.05) == pytest.approx(299, rel=0.03)
    assert Excess(0.01, np.zeros(9), (-np.inf, 1)).users_needed(0.05) is None
