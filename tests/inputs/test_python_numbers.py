"""Python's numbers, when all are of one type."""

from decimal import Decimal
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankconv.inputs.python_numbers import numbers_of_one_type


class Grade(IntEnum):
    """What is an integer, and more."""

    GOOD = 1


odd = st.sampled_from([True, None, "1.5", np.float64(1.5), np.int32(1), np.float32(2), Decimal("0.1"), Grade.GOOD, 1j])
whole = st.integers(-(2**33), 2**33) | st.sampled_from([-(2**31), 2**31 - 1, 2**31, 2**63, 10**30])
floats = st.floats()


@given(values=st.lists(floats) | st.lists(whole) | st.lists(floats | whole | odd))
@example(values=[1.5, 2])
@example(values=[1, True])
@example(values=[0.0, -0.0, float("nan"), float("inf")])
def test_they_are_what_numpy_makes_of_each(values: list[Any]) -> None:
    found = numbers_of_one_type(values)
    kinds = {type(value) for value in values}
    alike = kinds == {float} or (kinds == {int} and all(-(2**31) <= value < 2**31 for value in values))
    assert (found is not None) == alike
    if found is not None:
        assert found.tobytes() == np.array(values, np.float64).tobytes()
        again = numbers_of_one_type(tuple(values))
        assert again is not None
        assert again.tobytes() == found.tobytes()


@pytest.mark.parametrize("place", [0, 1, 4095, 4096, 9999])
@pytest.mark.parametrize("value", [1, True, "x", np.float64(1)])
def test_one_of_another_type_among_many_is_seen_wherever_it_stands(place: int, value: Any) -> None:
    values: list[Any] = [float(at) for at in range(10_000)]
    found = numbers_of_one_type(values)
    assert found is not None
    assert found.tolist() == values
    values[place] = value
    assert numbers_of_one_type(values) is None


def test_numbers_that_are_equal_objects_are_all_there() -> None:
    half, ten = 0.5, 1000
    assert np.array_equal(numbers_of_one_type([half] * 3), [0.5] * 3)
    assert np.array_equal(numbers_of_one_type([ten] * 3), [1000] * 3)
