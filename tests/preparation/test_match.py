"""Which label each ranked row has, against a search through a dict."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data.arrays import Codes
from rankconv.data.matching import may_meet
from rankconv.preparation.working_rows import LabelRows, ListRows, match

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=40)


def columns(pairs: list[tuple[int, int]]) -> tuple[Codes, Codes]:
    """Users, rising, and their items, shape (pairs,)."""
    found = np.array(sorted(pairs, key=lambda pair: pair[0]), np.int64).reshape(-1, 2)
    return found[:, 0].copy(), found[:, 1].copy()


@given(PAIRS, st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 6)), max_size=40))
@settings(max_examples=60, deadline=None)
def test_each_row_has_the_last_label_of_its_item(labels: list[tuple[int, int]], rows: list[tuple[int, int]]) -> None:
    """-1 stands for no item, which nobody labels."""
    (user, item), (owner, ranked) = columns(labels), columns(rows)
    last = {pair: place for place, pair in enumerate(zip(user.tolist(), item.tolist(), strict=True))}
    expected = [last.get(pair, -1) for pair in zip(owner.tolist(), ranked.tolist(), strict=True)]
    found = match(LabelRows(user, item, np.zeros(len(user))), ListRows(owner, ranked, owner, np.zeros(len(owner))), 7)
    assert found.tolist() == expected


def test_many_that_do_not_meet_are_mostly_left_out() -> None:
    draw = np.random.default_rng(0)
    ours, theirs = draw.integers(0, 1 << 60, 3_000), draw.integers(0, 1 << 60, 200_000)
    theirs[::100] = ours[:2000]
    here, there = may_meet(ours, theirs)
    assert set(range(2000)) <= set(here.tolist())
    assert set(range(0, 200_000, 100)) <= set(there.tolist())
    assert len(here) < 2_900
    assert len(there) < 10_000
