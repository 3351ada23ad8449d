"""Pieces that are added one by one: in few steps, to one form that tells no order."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rankconv.data.arrays import Numbers
from rankconv.streaming.exact import RowCounts
from rankconv.streaming.sums import Kept


class Watched(Kept):
    """Counts how many values are put together."""

    touched = 0

    def together(self, pieces: Sequence[Numbers]) -> Numbers:
        Watched.touched += sum(map(len, pieces))
        return super().together(pieces)


def test_a_value_is_touched_as_often_as_the_whole_doubles() -> None:
    drawn, batches, size = np.random.default_rng(1), 256, 10
    kept, Watched.touched = Watched([drawn.random(size)]), 0
    for _ in range(batches - 1):
        kept = Watched(kept.with_others([drawn.random(size)]))
        lengths = [len(piece) for piece in kept.pieces]
        assert all(2 * small <= large for large, small in pairwise(lengths))
    assert sum(lengths) == batches * size
    assert Watched.touched <= batches * size * np.log2(batches) < batches**2 * size / 10


rows = st.lists(st.tuples(st.sampled_from([-1.5, 0.0, 0.25, 7.0]), st.booleans(), st.sampled_from("äbc")), max_size=9)


@given(st.lists(rows, min_size=1, max_size=8), st.booleans(), st.randoms(use_true_random=False))
def test_rows_are_counted_to_one_form_in_any_order(
    batches: list[list[tuple[float, bool, str]]], text: bool, random: Random
) -> None:
    def counted(some: list[tuple[float, bool, str]]) -> RowCounts:
        score, hit, item = zip(*some, strict=True) if some else ((), (), ())
        columns = {"score": np.array(score, np.float64), "hit": np.array(hit, bool)}
        return RowCounts.of(columns | ({"item": np.array(item, object)} if text and some else {}), {}, {})

    whole = counted([row for batch in batches for row in batch])
    random.shuffle(batches)
    added = RowCounts()
    for batch in batches:
        added = added.plus(counted(batch)) if random.random() < 0.5 else counted(batch).plus(added)
    assert added == whole
    different = sorted({row[:2] + (row[2:] if text else ()) for batch in batches for row in batch})
    assert added.size == len(different)
    if different:
        assert added.column("score").tolist() == [
            row[0] for row in sorted(different, key=lambda row: (row[1], *row[2:], row[0]))
        ]
