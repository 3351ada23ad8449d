"""The law: rows that nobody has looked at give the numbers, ids and codes of rows that were read at once."""

import pickle
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.data.told_apart import by_ids

FIRST = ["ndcg@3", "mrr@1", "precision(duplicates=once)@2"]
WHOLE = ["map", "ndcg(order=score, ties=averaged)@2", "recall(order=score, ties=item-descending)@3"]
numbers = st.sampled_from([-7, 0, 1, 2, 300_001, 2**31, 2**61])
row = st.tuples(st.integers(0, 3), numbers, st.sampled_from([0.5, 1.0, 2.0]))


def table(rows: list[tuple[int, int, float]], number: str) -> pl.DataFrame:
    columns = {"user": pl.Int64, "item": pl.Int64, number: pl.Float32}
    return pl.DataFrame(rows, schema=columns, orient="row")


def bits(labels: Any, run: Any, specs: list[str]) -> list[bytes]:
    result = rc.evaluate(labels, run, specs, errors="collect")
    return [result.per_user[spec].tobytes() for spec in specs]


@settings(max_examples=60, deadline=None)
@given(known=st.lists(row, min_size=1, max_size=60), returned=st.lists(row, min_size=1, max_size=120))
def test_unread_rows_give_the_numbers_of_read_ones(
    known: list[tuple[int, int, float]], returned: list[tuple[int, int, float]]
) -> None:
    known, returned = [(9, 5, 1.0), *known], [(9, 5, 1.0), *returned]
    labels, run = rc.labels(table(known, "grade")), rc.rankings(table(returned, "score"))
    first = bits(labels, run, FIRST)
    read = replace(labels), replace(run)
    assert [type(side) for side in read] == [rc.Labels, rc.Rankings]
    assert first == bits(*read, FIRST)
    assert bits(labels, run, FIRST + WHOLE) == bits(*read, FIRST + WHOLE)
    as_tuples = rc.rankings(returned)
    assert run.items.values.tolist() == as_tuples.items.values.tolist()
    assert run.item.tolist() == as_tuples.item.tolist()
    assert run.score is not None
    assert as_tuples.score is not None
    assert run.score.tolist() == as_tuples.score.tolist()


def test_one_who_reads_first_ranks_leaves_the_others_unread() -> None:
    run = rc.rankings(table([(1, item, item / 50) for item in range(150)], "score"))
    labels = rc.labels(table([(1, item, 1.0) for item in range(60)], "grade"))
    rc.evaluate(labels, run, "precision@5")
    assert "_coded" not in vars(run)
    assert "_coded" not in vars(labels)
    assert pickle.loads(pickle.dumps(run)).rows_of(1) == run.rows_of(1)


@pytest.mark.parametrize("wide", [False, True])
def test_ids_that_lie_too_far_apart_are_coded(wide: bool) -> None:
    labels = rc.labels(table([(1, -(2**60) if wide else 5, 1.0)], "grade"))
    run = rc.rankings(table([(1, 2**60 if wide else 5, 1.0)], "score"))
    assert (by_ids(labels, run.first(1)) is None) == wide
    assert rc.evaluate(labels, run, "precision@1")["precision@1"] == float(not wide)
