"""The sign test, against SciPy's permutation test where that tries everything, and against what must hold."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rankconv.evaluation.statistics.paired_tests import PermutationTest, max_t, random_sums, randomised_tukey, sign_test

differences = st.lists(st.sampled_from([-1.0, -0.5, -0.1, 0.0, 0.1, 0.3, 0.5, 1.0]), max_size=10)


def test_every_choice_of_signs_as_scipy_tries_it() -> None:
    for seed in range(60):
        generator = np.random.default_rng(seed)
        drawn = np.round(generator.normal(0.2, 1, generator.integers(2, 11)), int(generator.integers(1, 3)))
        drawn[generator.random(len(drawn)) < 0.2] = 0
        drawn[np.abs(drawn) == 1] = 0.9  # differences of 1 alone have a mid-p
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
    sure = sign_test(np.full(50, 0.1), draws=999)
    assert sure == PermutationTest(1 / 1000, False, 999)
    assert sign_test(np.full(50, 0.1), draws=999, seed=1) == sure


def test_drawn_signs_give_nearly_the_p_of_a_t_test_and_a_seed_the_same_again() -> None:
    for users in (21, 40, 70):
        drawn = np.random.default_rng(users).normal(0.1, 1, users)
        found = sign_test(drawn, draws=20_000, seed=users)
        assert found == sign_test(drawn, draws=20_000, seed=users)
        assert found.p == pytest.approx(stats.ttest_1samp(drawn, 0).pvalue, abs=0.03)


@settings(max_examples=40)
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=11))
def test_differences_of_1_have_a_mid_p(drawn: list[float]) -> None:
    """Choices of signs that give the very difference count by half."""
    found, moved = sign_test(np.array(drawn)), [one for one in drawn if one]
    sums = [abs(sum(signs)) for signs in product([1, -1], repeat=len(moved))]
    by_hand = sum((one > abs(sum(drawn))) + (one == abs(sum(drawn))) / 2 for one in sums) / len(sums)
    assert found.p == pytest.approx(by_hand if moved else 1.0, rel=1e-12)
    assert found.mid == bool(moved)


def test_a_mid_p_of_many_users_is_that_of_the_binomial_distribution() -> None:
    for wins, losses in ((30, 18), (7, 60), (400, 400), (5_000, 5_200)):
        p = sign_test(np.repeat([1.0, -1.0, 0.0], [wins, losses, 9])).p
        exact = stats.binomtest(wins, wins + losses).pvalue
        less = stats.binom(wins + losses, 0.5).pmf(wins)
        assert p == pytest.approx(exact - (less if wins != losses else less / 2), rel=1e-9)


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
