"""Lists as rows of matrices, and the order of rows, against plain loops and stable sorts of all rows at once."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data import arrays
from rankconv.data import ordering as seen
from rankconv.data.ordering import by_key, first_by_key, matrices, neighbours, owners_of_repeats, rises, together

lengths = st.lists(st.integers(0, 12), max_size=20) | st.integers(1, 6).map(lambda width: [width] * 5)
few_rows = st.none() | st.integers(1, 8)


@pytest.fixture(autouse=True, params=[4, 1 << 18])
def small_pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (seen, arrays):
        monkeypatch.setattr(room, "CELLS", request.param)


def starts_of(lengths: list[int]) -> np.ndarray:
    return np.append(0, np.cumsum(lengths)).astype(np.int64)


@pytest.mark.filterwarnings("error")
@settings(max_examples=40, deadline=None)
@given(lengths=lengths, most=few_rows)
def test_each_row_stands_in_one_cell(lengths: list[int], most: int | None) -> None:
    starts = starts_of(lengths)
    values = np.arange(starts[-1]) + 100
    found = {}
    for some in matrices(starts, most):
        for at, row in zip(some.lists.tolist(), some.take(values, -1).tolist(), strict=True):
            assert at not in found
            found[at] = [value for value in row if value >= 0]
    assert found == {
        at: values[starts[at] : starts[at + 1]].tolist()[:most] for at, length in enumerate(lengths) if length
    }


@settings(max_examples=40, deadline=None)
@given(lengths=lengths)
def test_rows_are_put_back_where_they_stand(lengths: list[int]) -> None:
    starts = starts_of(lengths)
    order = np.full(starts[-1], -1)
    for some in matrices(starts):
        some.put(order, np.broadcast_to(np.arange(some.width), (len(some.lists), some.width)))
    assert order.tolist() == list(range(starts[-1]))


@settings(max_examples=40, deadline=None)
@given(lengths=lengths, most=few_rows, data=st.data())
def test_who_has_an_item_twice(lengths: list[int], most: int | None, data: st.DataObject) -> None:
    starts = starts_of(lengths)
    item = np.array(data.draw(st.lists(st.integers(0, 9), min_size=sum(lengths), max_size=sum(lengths))), np.int64)
    lists = [item[first:past].tolist()[:most] for first, past in pairwise(starts)]
    expected = [user for user, items in enumerate(lists) if len(set(items)) < len(items)]
    assert owners_of_repeats(starts, item, most).tolist() == expected


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 2), min_size=1))
def test_neighbours(values: list[int]) -> None:
    pairs = [pair for _, *both in neighbours(np.array(values)) for pair in zip(*both, strict=True)]
    assert pairs == list(pairwise(values))


users = st.lists(st.integers(0, 4), max_size=40)
keys = st.sampled_from([-1.5, -0.0, 0.0, 1.0, 1.0 + 2.0**-52, 1.0 + 2.0**-50, 2.0**60, 5e-324])
"""Some differ in so few of their last bits that a place in their stead would hide it."""


@settings(max_examples=40, deadline=None)
@given(users=users, kind=st.sampled_from([np.int32, np.int64]))
def test_rows_of_a_user_come_together_as_they_came(users: list[int], kind: type) -> None:
    user = np.array(users, kind)
    order, starts = together(user, 5)
    assert order.tolist() == np.argsort(user, kind="stable").tolist()
    assert starts.tolist() == np.searchsorted(sorted(users), np.arange(6)).tolist()
    assert rises(user[order])
    assert rises(user) == (users == sorted(users))


@settings(max_examples=40, deadline=None)
@given(users=users, falling=st.booleans(), data=st.data())
def test_rows_stand_by_key_and_ties_as_they_came(users: list[int], falling: bool, data: st.DataObject) -> None:
    user = np.array(sorted(users), np.int64)
    numbers = data.draw(st.lists(keys, min_size=len(users), max_size=len(users)))
    key = np.array(numbers) if data.draw(st.booleans()) else np.array([int(number) for number in numbers], np.int64)
    starts = np.searchsorted(user, np.arange(6))
    expected = np.lexsort((-key if falling else key, user)).tolist()
    found = by_key(starts, key, falling=falling)
    assert (list(range(len(users))) if found is None else found.tolist()) == expected


@settings(max_examples=40, deadline=None)
@given(users=users, falling=st.booleans(), count=st.integers(1, 50), data=st.data())
def test_the_first_rows_are_those_of_the_whole_order(
    users: list[int], falling: bool, count: int, data: st.DataObject
) -> None:
    user = np.array(sorted(users), np.int64)
    kind = data.draw(st.sampled_from([np.float32, np.float64, np.int64]))
    key = np.array(data.draw(st.lists(keys, min_size=len(users), max_size=len(users)))).astype(kind)
    starts = np.searchsorted(user, np.arange(6))
    whole = np.lexsort((-key if falling else key, user))
    rows, begin = first_by_key(starts, key, count, falling=falling)
    for at in range(5):
        expected = whole[starts[at] : starts[at + 1]][:count]
        assert rows[begin[at] : begin[at + 1]].tolist() == expected.tolist()


def test_rows_that_stand_right_are_not_moved() -> None:
    starts, score = np.array([0, 3, 3, 5]), np.array([3.0, 2.0, 2.0, 9.0, 1.0])
    assert by_key(starts, score, falling=True) is None
    assert by_key(starts, -score, falling=False) is None
    assert by_key(starts, score, falling=False) is not None
