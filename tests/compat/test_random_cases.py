"""The drop-in functions answer as the real libraries did, to calls of any label coding, shape, weight and dtype."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tests.compat import random_cases
from tests.compat.random_cases import CASES, FUNCTIONS, Answer
from tests.laws import examples

EACH = [(library, function) for library, functions in FUNCTIONS.items() for function in functions]


ROUNDING = {"torchmetrics": 1e-6}
"""Of a library that computes in single precision; of the others 1e-9."""


def equal(library: str, one: Answer, other: Answer) -> bool:
    """Whether both refuse by the same kind of error, or give the same numbers."""
    near = ROUNDING.get(library, 1e-9)
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return len(one) == len(other) and bool(np.allclose(one, other, rtol=near, atol=near, equal_nan=True))


def told(library: str, function: str, seed: int, ours: Answer, theirs: Answer) -> str:
    given: Any = random_cases.drawn(library, function, seed)
    return f"{library}.{function} of case {seed}: {ours}, the library {theirs}; {given}"


@pytest.mark.parametrize(("library", "function"), EACH)
def test_the_drop_in_answers_as_the_library_did(library: str, function: str) -> None:
    ours, theirs = import_module(f"rankconv.compat.{library}"), random_cases.recorded(library)[function]
    wrong = [
        told(library, function, seed, found, theirs[seed])
        for seed in range(0, CASES, examples.of(quick=20, ci=1))
        if not equal(library, found := random_cases.answer(ours, library, function, seed), theirs[seed])
    ]
    assert not wrong, "\n".join([f"{len(wrong)} differ", *wrong[:3]])


@pytest.mark.skipif(examples.REQUESTED == "quick", reason="the real libraries are asked each night")
@pytest.mark.parametrize(("library", "function"), EACH)
def test_the_installed_library_still_answers_so(library: str, function: str) -> None:
    pytest.importorskip(random_cases.REAL.get(library, library))
    theirs, kept = random_cases.real(library), random_cases.recorded(library)[function]
    wrong = [
        told(library, function, seed, found, kept[seed])
        for seed in range(CASES)
        if not equal(library, found := random_cases.answer(theirs, library, function, seed), kept[seed])
    ]
    assert not wrong, "\n".join([f"{len(wrong)} differ", *wrong[:3]])
