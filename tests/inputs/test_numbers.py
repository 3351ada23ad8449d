"""Grades, scores and ranks."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings


@pytest.mark.parametrize("grade", [True, np.True_, 1, 1.0, np.float32(1), np.uint8(1), Fraction(1), Decimal(1)])
def test_what_is_a_number(grade: Any) -> None:
    assert labels({"q1": {"a": grade, "b": 0}}).rows_of("q1") == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize("grade", ["1", None, [1], 1j, np.array([1])])
def test_what_is_none(grade: Any) -> None:
    with pytest.raises(InputError) as error:
        labels({"q1": {"a": 0, "b": grade}})
    assert str(error.value).startswith(f"a dict, user 'q1', item 'b': the grade {grade!r} is not a number")


def test_a_truth_value_is_no_score() -> None:
    with pytest.raises(InputError, match=r"^a dict, user 'q1', item 'a': the score True is not a number"):
        rankings({"q1": {"a": True}})


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (float("nan"), "missing or not a number (NaN)"),
        (float("inf"), "infinite or too large for a float"),
        (float("-inf"), "infinite or too large for a float"),
        (10**400, "infinite or too large for a float"),
    ],
)
def test_numbers_that_are_not_finite(score: float, said: str) -> None:
    with pytest.raises(InputError) as error:
        rankings({"q1": {"a": 1, "b": score}})
    assert str(error.value) == (
        f"a dict, user 'q1', item 'b': the score is {said}. Give the row a finite score, or leave it out."
    )


def test_numbers_are_ours_alone() -> None:
    """Changing the data afterwards changes no labels."""
    matrix = sparse.coo_matrix(([1.0, 2.0], ([0, 0], [3, 5])))
    known = labels(matrix)
    matrix.data[:] = 9
    assert known.rows_of(0) == {3: 1.0, 5: 2.0}


def test_single_precision_scores_keep_their_value() -> None:
    assert rankings({"q1": {"a": np.float32(0.1)}}).rows_of("q1") == (["a"], [float(np.float32(0.1))])


def test_one_odd_number_among_many_is_found_wherever_it_stands() -> None:
    many = 10_010
    scores = {f"i{place}": float(-place) for place in range(many)}
    whole = rankings({"q1": scores})
    assert whole.score is not None
    assert whole.score.tolist() == list(scores.values())
    for item in ("i0", "i7", f"i{many - 1}"):
        with pytest.raises(InputError, match=f"^a dict, user 'q1', item '{item}': the score True is not a number"):
            rankings({"q1": {**scores, item: True}})
        with pytest.raises(InputError, match=f"^a dict, user 'q1', item '{item}': the score is missing"):
            rankings({"q1": {**scores, item: float("nan")}})
        mixed = rankings({"q1": {**scores, item: Fraction(scores[item])}})
        assert mixed.score is not None
        assert mixed.score.tolist() == whole.score.tolist()
