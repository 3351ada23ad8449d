"""Elementary functions: what the C library gives for each number, wherever NumPy takes the processor's own way."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data import arrays
from rankconv.data.arrays import exp, exp2, log, log2, power

FUNCTIONS = {log2: math.log2, log: math.log, exp: math.exp, exp2: math.exp2}
POSITIVE = st.lists(st.floats(1e-6, 500), max_size=20)


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=30, deadline=None)
@given(POSITIVE)
def test_each_number_has_the_bits_of_the_c_library(function: Callable[[Any], Any], numbers: list[float]) -> None:
    assert function(np.array(numbers)).tolist() == [FUNCTIONS[function](number) for number in numbers]


@settings(max_examples=30, deadline=None)
@given(st.floats(0.01, 1), st.lists(st.integers(0, 3000), max_size=20))
def test_powers_too(base: float, exponents: list[int]) -> None:
    assert power(base, np.array(exponents)).tolist() == [base**exponent for exponent in exponents]


def test_no_result_is_finite_that_is_not_of_numpy() -> None:
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        assert log2(np.array([0.0, 8.0, np.inf])).tolist() == [-np.inf, 3, np.inf]
        assert np.isnan(log(np.array([-1.0, np.nan]))).all()
        assert exp(np.array([[1e6], [0.0]])).tolist() == [[np.inf], [1.0]]
    assert log(np.array([100.0]), 10).tolist() == [2.0]


def test_metrics_take_logarithms_and_powers_from_here() -> None:
    """NumPy's own differ in the last bit with the processor, so that printed numbers would."""
    source = Path(arrays.__file__).parents[1]
    own = re.compile(r"\bnp\.(?:log\w*|exp\w*|power|float_power)\(")
    files = [file for room in ("metrics", "preparation", "aggregation") for file in (source / room).rglob("*.py")]
    assert [file.name for file in files if own.search(file.read_text())] == []
