"""NumPy arrays of item ids."""

import numpy as np
import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings


def test_rows_are_users_and_columns_are_positions() -> None:
    returned = rankings(np.array([[7, 5], [5, 9]]))
    assert (returned.users.values.tolist(), returned.users.kind) == ([0, 1], "integer")
    assert returned.items.values.tolist() == [7, 5, 9]
    assert returned.item.tolist() == [0, 1, 1, 2]
    assert returned.score is None
    assert returned.source == "a NumPy array"


def test_padding_is_no_item() -> None:
    returned = rankings(np.array([[7, -1, -1], [-1, -1, -1], [5, 7, -1]]))
    assert returned.starts.tolist() == [0, 1, 1, 3]
    assert -1 not in returned.items.values


def test_labels_have_grade_1() -> None:
    assert labels(np.array([[7, -1], [5, 9]], np.int16)).rows_of(1) == {5: 1.0, 9: 1.0}


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_arrays_without_items(shape: tuple[int, int]) -> None:
    returned = rankings(np.empty(shape, np.int64))
    assert (len(returned.users), len(returned.item)) == (shape[0], 0)


def test_lists_of_integers_give_the_same() -> None:
    array, listed = rankings(np.array([[7, 5], [9, -1]])), rankings([[7, 5], [9]])
    assert array.items.values.tolist() == listed.items.values.tolist()
    assert array.starts.tolist() == listed.starts.tolist()
    assert array.item.tolist() == listed.item.tolist()


HOLDS = "An array holds item ids, which are integers. Pass scores as tuples or as a table, and text ids as lists"


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (
            np.array([[1, 2, 3], [4, -1, 5]]),
            "a NumPy array, row 1, column 1: -1 means no item, and an item follows it. Move -1 to the end of the row.",
        ),
        (np.array([[0.5]]), f"a NumPy array: the array holds float64. {HOLDS}: array.tolist()."),
        (np.array([["a"]]), f"a NumPy array: the array holds <U1. {HOLDS}: array.tolist()."),
        (np.array([[True]]), f"a NumPy array: the array holds bool. {HOLDS}: array.tolist()."),
        (
            np.array([1, 2]),
            "a NumPy array: the array has 1 dimensions. "
            "An array has one row per user and its items in the columns, best first.",
        ),
        (
            np.ma.masked_equal(np.array([[1, 2]]), 2),
            "a NumPy array: the array is masked. Fill it with no item: array.filled(-1).",
        ),
    ],
)
def test_arrays_that_cannot_be_read(array: np.ndarray, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(array)
    assert str(error.value) == message
