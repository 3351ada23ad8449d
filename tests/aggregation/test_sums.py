"""Sums are correctly rounded, however the values are ordered and cut; math.fsum is the judge."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data.arrays import ExactSum, total

anything = st.lists(st.floats(-1e290, 1e290), max_size=40)
fractions = st.lists(st.fractions(0, 1, max_denominator=50).map(float), max_size=200)


@given(st.one_of(anything, fractions), st.randoms(), st.integers(1, 40))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_a_sum_is_that_of_fsum(values: list[float], random: Any, size: int) -> None:
    shuffled = random.sample(values, len(values))
    summed = ExactSum()
    for first in range(0, len(shuffled), size):
        summed.add(np.array(shuffled[first : first + size]))
    assert summed.total == total(np.array(values)) == math.fsum(values)
    assert summed.number == len(values)


@pytest.mark.parametrize("count", [63, 64, 65, 500, 4096])
@pytest.mark.parametrize("widest", [0, 6, 60, 250, 400])
def test_many_values_add_up_as_in_fsum(count: int, widest: int) -> None:
    """Of either sign, and of sizes that lie far apart; some cancel each other."""
    random = np.random.default_rng(count + widest)
    values = (random.random(count) - 0.4) * 10.0 ** random.integers(-widest // 2, widest // 2 + 1, count)
    values[: count // 3] = -values[-(count // 3) :]
    assert total(values) == math.fsum(values)
    assert total(-values) == math.fsum(-values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], 0), ([1e300, 1.0, -1e300], 1), ([1.0, 1e-300, -1.0], 1e-300), ([5e-324, 5e-324], 1e-323), ([0.0, 0.0], 0)],
)
def test_far_ends_of_the_doubles(values: list[float], expected: float) -> None:
    assert total(np.array(values)) == expected


@given(st.one_of(anything, fractions), st.randoms(), st.integers(1, 40))
@settings(derandomize=True, deadline=None, max_examples=100)
def test_a_compact_sum_is_exact_and_knows_no_order(values: list[float], random: Any, size: int) -> None:
    forms = set()
    for order in (values, random.sample(values, len(values))):
        summed = ExactSum()
        for first in range(0, len(order), size):
            summed.add(np.array(order[first : first + size]))
            summed.compact()
        assert sum(map(Fraction, summed.compact())) == sum(map(Fraction, values))
        assert summed.total == math.fsum(values)
        forms.add(summed.compact())
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("values", "expected"),
    [([math.inf, 1.0], math.inf), ([math.inf, -math.inf], math.nan), ([math.nan, 1], math.nan)],
)
def test_what_is_not_finite_is_one_number_and_no_warning(values: list[float], expected: float) -> None:
    """As where the ideal of some user is 0 and another's is below."""
    for parts in ([[value] for value in values], [values], [[1.0] * 1000 + values]):
        summed = ExactSum()
        for part in parts:
            summed.add(np.array(part))
        assert summed.total == pytest.approx(expected, nan_ok=True)
        assert summed.compact() == pytest.approx((expected,), nan_ok=True)
    with np.errstate(invalid="ignore"):
        assert total(np.array(values)) == pytest.approx(expected, nan_ok=True)
