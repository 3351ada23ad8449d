"""The order of rows, against NumPy's stable sorts of all rows at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankconv.data import arrays
from rankconv.data import ordering as seen
from rankconv.data.ordering import by_key, first_by_key, rises, together

users = st.lists(st.integers(0, 4), max_size=40)
keys = st.sampled_from([-1.5, -0.0, 0.0, 1.0, 1.0 + 2.0**-52, 1.0 + 2.0**-50, 2.0**60, 5e-324])
"""Some differ in so few of their last bits that a place in their stead would hide it."""


@pytest.fixture(autouse=True, params=[4, 1 << 18])
def small_pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (seen, arrays):
        monkeypatch.setattr(room, "CELLS", request.param)


@given(users=users, kind=st.sampled_from([np.int32, np.int64]))
def test_rows_of_a_user_come_together_as_they_came(users: list[int], kind: type) -> None:
    user = np.array(users, kind)
    order, starts = together(user, 5)
    assert order.tolist() == np.argsort(user, kind="stable").tolist()
    assert starts.tolist() == np.searchsorted(sorted(users), np.arange(6)).tolist()
    assert rises(user[order])
    assert rises(user) == (users == sorted(users))


@given(users=users, falling=st.booleans(), data=st.data())
def test_rows_stand_by_key_and_ties_as_they_came(users: list[int], falling: bool, data: st.DataObject) -> None:
    user = np.array(sorted(users), np.int64)
    numbers = data.draw(st.lists(keys, min_size=len(users), max_size=len(users)))
    key = np.array(numbers) if data.draw(st.booleans()) else np.array([int(number) for number in numbers], np.int64)
    starts = np.searchsorted(user, np.arange(6))
    expected = np.lexsort((-key if falling else key, user)).tolist()
    found = by_key(starts, key, falling=falling)
    assert (list(range(len(users))) if found is None else found.tolist()) == expected


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
