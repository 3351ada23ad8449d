"""The sign test, against SciPy's permutation test where that tries everything, and against what must hold."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from rankconv.evaluation.statistics.paired_tests import (
    PermutationTest,
    max_t,
    random_sums,
    randomised_tukey,
    sign_test,
    size_of_t,
)

differences = st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.1, 0.3, 0.5, 1.0]), max_size=10)


def test_every_choice_of_signs_as_scipy_tries_it() -> None:
    for seed in range(60):
        generator = np.random.default_rng(seed)
        drawn = np.round(generator.normal(0.2, 1, generator.integers(2, 11)), int(generator.integers(1, 3)))
        drawn[generator.random(len(drawn)) < 0.2] = 0
        whole = np.rint(100 * drawn)  # sums of which are exact: SciPy takes those that should be equal for different
        theirs = stats.permutation_test(
            (whole,), lambda x, axis: x.mean(axis), permutation_type="samples", n_resamples=np.inf, vectorized=True
        )
        assert sign_test(drawn).p == pytest.approx(theirs.pvalue, rel=1e-12), seed


@settings(max_examples=40)
@given(differences)
def test_it_does_not_matter_which_run_comes_first_nor_who_has_no_difference(drawn: list[float]) -> None:
    one = sign_test(np.array(drawn))
    assert one == sign_test(-np.array(drawn))
    assert one == sign_test(np.array([0.0, *drawn, 0.0]))
    assert 0 < one.p <= 1
    if not any(drawn):
        assert one == PermutationTest(1.0, True, 1)


def test_drawn_signs_come_close_to_all_of_them() -> None:
    drawn = np.random.default_rng(5).normal(0.4, 1, 18)
    exact = sign_test(drawn)
    [sums] = random_sums(drawn[:, None], 100_000, 3, at_once=100_000)
    share = np.mean(np.abs(sums) >= abs(drawn.sum()) - 1e-9)
    assert exact.exact
    assert share == pytest.approx(exact.p, abs=4 * (exact.p / 100_000) ** 0.5)


def test_many_users_are_drawn_and_never_give_0() -> None:
    better = np.linspace(0.1, 0.2, 50)
    sure = sign_test(better, draws=999)
    assert sure == PermutationTest(1 / 1000, False, 999)
    assert sign_test(better, draws=999, seed=1) == sure


def test_drawn_signs_give_nearly_the_p_of_a_t_test_and_a_seed_the_same_again() -> None:
    for users in (21, 40, 70):
        drawn = np.random.default_rng(users).normal(0.1, 1, users)
        found = sign_test(drawn, draws=20_000, seed=users)
        assert found == sign_test(drawn, draws=20_000, seed=users)
        assert found.p == pytest.approx(stats.ttest_1samp(drawn, 0).pvalue, abs=0.03)


@settings(max_examples=40)
@given(st.lists(st.sampled_from([-0.2, 0.0, 0.2]), max_size=11))
def test_differences_of_one_size_have_the_p_of_all_signs_without_a_sum(drawn: list[float]) -> None:
    found, moved = sign_test(np.array(drawn)), [np.sign(one) for one in drawn if one]
    sums = [abs(sum(signs)) for signs in product([1, -1], repeat=len(moved))]
    assert found.p == pytest.approx(np.mean([one >= abs(sum(moved)) for one in sums]), rel=1e-12)
    assert found.exact
    assert found.orders == (0 if moved else 1)


def test_of_many_users_it_is_the_exact_test_of_mcnemar() -> None:
    for wins, losses in ((30, 18), (7, 60), (400, 400), (5_000, 5_200)):
        p = sign_test(np.repeat([1.0, -1.0, 0.0], [wins, losses, 9])).p
        assert p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
def test_no_number_of_users_who_differ_makes_more_false_alarms_than_the_level(level: float) -> None:
    """The law of size: of equal runs each choice of signs is as likely, and p is at most the level for so many at most.

    Up to 300 users who differ by one size, exactly; a mid-p would have 7.0 % of 8 users at the level of 5 %.
    """
    for users in range(1, 301):
        wins = np.arange(users + 1)
        p = np.array([sign_test(np.repeat([1.0, -1.0], [one, users - one])).p for one in wins])
        chance = stats.binom(users, 0.5).pmf(wins)
        assert chance[p <= level].sum() <= level + 1e-12, users
        mid = p - chance * np.where(2 * wins == users, 0.5, 1)
        if users == 8 and level == 0.05:
            assert chance[mid <= level].sum() == pytest.approx(0.0703, abs=1e-4)


@settings(max_examples=25)
@given(st.lists(st.sampled_from([0.1, 0.2, 0.25, 0.5, 1.0]), min_size=1, max_size=9))
def test_nor_do_few_users_of_any_sizes(drawn: list[float]) -> None:
    sizes, signs = np.array(drawn), np.array([*product([1, -1], repeat=len(drawn))])
    p = np.array([sign_test(one * sizes).p for one in signs])
    assert all(np.mean(p <= level) <= level + 1e-12 for level in (0.01, 0.05, 0.1, 0.3))


@settings(max_examples=25)
@given(st.lists(st.sampled_from([0.1, 0.3, 1.0]), min_size=2, max_size=9), st.integers(0, 4))
@example([0.1, 0.1], 1)  # no choice of signs is significant
def test_the_size_of_t_is_that_of_scipys_test_under_all_signs(drawn: list[float], zeros: int) -> None:
    sizes, signs = np.array([*drawn, *[0.0] * zeros]), [*product([1, -1], repeat=len(drawn))]
    each = np.array([np.array([*one, *[1] * zeros]) * sizes for one in signs])
    with np.errstate(all="ignore"):
        p = [stats.ttest_1samp(one, 0).pvalue if np.ptp(one) else 0.0 for one in each]
    assert size_of_t(sizes) == pytest.approx(np.mean(np.array(p) <= 0.05), abs=1e-12)


def test_the_size_of_t_as_it_is_known() -> None:
    assert size_of_t(np.ones(7)) == 0.125
    assert size_of_t(np.ones(16)) == pytest.approx(0.0768, abs=1e-4)
    assert size_of_t(np.ones(5_000)) == pytest.approx(0.05, abs=0.002)
    assert np.isnan(size_of_t(np.arange(1.0, 30)))
    assert size_of_t(np.zeros(9)) == 0


@given(st.integers(0, 99), st.integers(21, 60))
@settings(max_examples=10)
def test_the_order_of_users_does_not_matter(seed: int, users: int) -> None:
    random = np.random.default_rng(seed)
    values = np.round(random.normal(0.1, 1, (users, 3)), 2)
    turned = random.permutation(values)
    assert sign_test(values[:, 0], draws=99) == sign_test(turned[:, 0], draws=99)
    pairs = [(0, 1), (0, 2)]
    assert max_t(values, pairs, draws=99).tolist() == max_t(turned, pairs, draws=99).tolist()
    assert randomised_tukey(values, draws=99).tolist() == randomised_tukey(turned, draws=99).tolist()
    back = randomised_tukey(turned[:, ::-1], draws=99)[::-1, ::-1]
    assert randomised_tukey(values, draws=99).tolist() == back.tolist()


def test_many_columns_are_added_up_as_few_are() -> None:
    """Products with random bits, and tables of sums, have one distribution."""
    values = np.random.default_rng(1).normal(0, 1, (30, 1))
    few, many = (np.concatenate([*random_sums(np.repeat(values, times, axis=1), 40_000, 1)])[:, 0] for times in (1, 40))
    assert stats.ks_2samp(few, many).pvalue > 0.001
    assert few.std() == pytest.approx(np.sqrt((values**2).sum()), rel=0.02)
