"""Ids as codes, and the ids that cannot be."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankconv.data.ids import coded_integers
from rankconv.errors import InputError
from rankconv.inputs import rankings
from rankconv.inputs.values import coded

small = st.integers(-5, 5)
any_size = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(small) | st.lists(any_size))
def test_arrays_are_coded_as_lists_are(values: list[int]) -> None:
    from_list, list_codes = coded(values, "item", str)
    from_array, array_codes = coded_integers(np.array(values, np.int64))
    assert from_array.kind == from_list.kind
    assert from_array.values.tolist() == from_list.values.tolist() == list(dict.fromkeys(values))
    assert array_codes.tolist() == list_codes.tolist()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_integers_of_any_width(kind: type) -> None:
    ids, codes = coded(np.array([100, 0, 127, 100], kind), "item", str)
    assert ids.values.tolist() == [100, 0, 127]
    assert ids.values.dtype == np.int64
    assert codes.tolist() == [0, 1, 2, 0]


def test_text_and_integers_stay_what_they_are() -> None:
    assert rankings({"q1": ["007", "7"]}).items.values.tolist() == ["007", "7"]
    assert rankings({"q1": [7]}).items.values.tolist() == [7]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (
            [1, 1.0],
            "the item id 1.0 is of type float. Ids are text or integers. Convert the ids to integers or to text; "
            "a column with gaps often turns its integers into floats.",
        ),
        (
            [1, True],
            "the item id True is of type bool. Ids are text or integers. Convert the ids to text or to integers.",
        ),
        ([None], "the item id None is of type NoneType. Ids are text or integers. Leave out the rows without an id."),
        (
            [("a", "b", 1.5)],
            "the item id ('a', 'b', 1.5) is of type tuple. Ids are text or integers. "
            "A tuple is an id if its parts are texts and integers, the same in each.",
        ),
        (
            [["a", "b", "c"]],
            "the item id ['a', 'b', 'c'] is of type list. Ids are text or integers. "
            "Convert the ids to text or to integers.",
        ),
        (
            [1, "1"],
            "item ids must be all text or all integers, and these are of type: int, str. "
            "Convert the column to one type before you pass it.",
        ),
        ([2**63], "the item id 9223372036854775808 does not fit into 64 bits. Pass the item ids as text."),
    ],
)
def test_ids_that_cannot_be(items: list[Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings({"q1": [], "q2": items})
    assert str(error.value) == f"a dict, user 'q2': {message}"


def test_users_are_checked_like_items() -> None:
    with pytest.raises(InputError, match=r"^a dict: the user id 1.5 is of type float"):
        rankings({1.5: ["a"]})
    with pytest.raises(InputError, match=r"^a dict: user ids must be all text or all integers"):
        rankings({1: ["a"], "1": ["a"]})


def test_an_array_with_ids_beyond_64_bits() -> None:
    with pytest.raises(InputError, match=r"^a NumPy array, row 1: the item id 9223372036854775809 does not fit"):
        rankings(np.array([[1], [2**63 + 1]], np.uint64))
