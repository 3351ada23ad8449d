"""Lists as rows of matrices: every row once, where it stands; and what is found in them, against plain loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankconv.data import arrays
from rankconv.data import ordering as seen
from rankconv.data.labels_and_rankings import owners_of_repeats
from rankconv.data.ordering import matrices, neighbours, starts_of_runs

lengths = st.lists(st.integers(0, 12), max_size=20) | st.integers(1, 6).map(lambda width: [width] * 5)
few_rows = st.none() | st.integers(1, 8)


@pytest.fixture(autouse=True, params=[4, 1 << 18])
def small_pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (seen, arrays):
        monkeypatch.setattr(room, "CELLS", request.param)


def starts_of(lengths: list[int]) -> np.ndarray:
    return np.append(0, np.cumsum(lengths)).astype(np.int64)


@pytest.mark.filterwarnings("error")
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


@given(lengths=lengths)
def test_rows_are_put_back_where_they_stand(lengths: list[int]) -> None:
    starts = starts_of(lengths)
    order = np.full(starts[-1], -1)
    for some in matrices(starts):
        some.put(order, np.broadcast_to(np.arange(some.width), (len(some.lists), some.width)))
    assert order.tolist() == list(range(starts[-1]))


@given(lengths=lengths, most=few_rows, data=st.data())
def test_who_has_an_item_twice(lengths: list[int], most: int | None, data: st.DataObject) -> None:
    starts = starts_of(lengths)
    item = np.array(data.draw(st.lists(st.integers(0, 9), min_size=sum(lengths), max_size=sum(lengths))), np.int64)
    lists = [item[first:past].tolist()[:most] for first, past in pairwise(starts)]
    expected = [user for user, items in enumerate(lists) if len(set(items)) < len(items)]
    assert owners_of_repeats(starts, item, most).tolist() == expected


@given(st.lists(st.integers(0, 2), min_size=1))
def test_runs_and_neighbours(values: list[int]) -> None:
    starts = starts_of_runs(np.array(values))
    changes = [place for place in range(1, len(values)) if values[place] != values[place - 1]]
    assert starts.tolist() == [0, *changes, len(values)]
    pairs = [pair for _, *both in neighbours(np.array(values)) for pair in zip(*both, strict=True)]
    assert pairs == list(pairwise(values))
