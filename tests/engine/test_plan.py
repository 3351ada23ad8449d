"""Who goes which way is known before anybody is prepared; every user wanted goes one of the two ways."""

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine import plan
from rankconv.engine.plan import BlockReader, Plan, run
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table_block import ExpectedBlock, GradeTableBlock
from rankconv.preparation.blocks.row_block import RowBlock

pytestmark = pytest.mark.usefixtures("as_large_data")
LABELS = {"falling": {"a": 1}, "tied": {"a": 1}, "graded": {"a": 2}, "twice": {"a": 1}, "not wanted": {"a": 1}}
RUN = {
    "falling": [("a", 3.0), ("x", 2.0)],
    "tied": [("a", 2.0), ("x", 2.0)],
    "graded": [("a", 3.0), ("x", 2.0)],
    "twice": [("a", 3.0), ("a", 2.0)],
    "not wanted": [("a", 3.0), ("x", 2.0)],
}


def joined() -> Joined:
    return rc.join(LABELS, RUN)


def reader(data: Joined, spec: str, taken: list[tuple[Block, Mask]]) -> BlockReader:
    """One who wants all users but the last under the preparation of this definition, and two rows of each."""
    [definition] = rc.preset("rankconv").define(spec)
    wanted = np.array([user != "not wanted" for user in data.users.values.tolist()])
    return BlockReader(definition.preparation, 2, 2, wanted, lambda block, inside: taken.append((block, inside)))


STRICT = "precision(order=score, duplicates=once, grades-allowed=binary)@2"


def names(data: Joined, mask: Mask) -> set[str]:
    return set(data.users.values[mask].tolist())


def test_who_is_repeated_or_refused_is_prepared_row_by_row_and_ties_are_ordered_at_once() -> None:
    data = joined()
    made = Plan.of(data, [reader(data, STRICT, [])])
    fast, of_ties = made.plain
    [[(_, by_row)]] = made.by_row.values()
    assert fast.rows == of_ties.rows == 2
    assert names(data, fast.wanted[0][1]) == {"falling"}
    assert names(data, of_ties.wanted[0][1]) == {"tied"}
    assert names(data, by_row) == {"graded", "twice"}


def test_few_rows_are_prepared_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    data = joined()
    for few, ways in [(len(RUN) * 3 - 1, 2), (len(RUN) * 3, 0)]:
        monkeypatch.setattr(plan, "FEW_ROWS", few)
        made = Plan.of(data, [reader(data, STRICT, [])])
        assert len(made.plain) == ways
    [[(_, by_row)]] = made.by_row.values()
    assert names(data, by_row) == {"falling", "tied", "graded", "twice"}


@pytest.mark.parametrize("size", [1, 3, 100])
def test_each_reader_gets_each_user_once(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankconv.data.joined.CELLS", size)
    data, taken, told = joined(), list[tuple[Block, Mask]](), list[int]()
    readers = [reader(data, spec, taken) for spec in (STRICT, "precision@2")]
    run(data, readers, report=lambda works: told.append(sum(work.done for work in works)))
    users = np.concatenate([block.users[inside] for block, inside in taken])
    assert sorted(users.tolist()) == sorted([user for user in range(4) for _ in readers])
    assert {type(block) for block, _ in taken} == {GradeTableBlock, ExpectedBlock, RowBlock}
    assert [one.done for one in readers] == [one.to_do for one in readers] == [4, 4]
    assert told == sorted(told)
    assert told[-1] == 8


def test_a_number_is_the_same_alone_and_beside_others() -> None:
    """Some lists have ties: one definition orders them, and another reads single rows as they stand."""
    random, items = np.random.default_rng(3), [f"i{place}" for place in range(12)]
    labels = {f"u{user}": {item: int(random.integers(0, 2)) for item in items[:8]} for user in range(40)}
    run = {
        f"u{user}": [(item, float(9 - place // (1 + user % 4))) for place, item in enumerate(random.permutation(items))]
        for user in range(40)
    }
    joined = rc.join(labels, run)
    asked = ["autorag:map(order=score, ties=relevant-first)@10", "autorag:map@10", "mllib:map@10", "trec_eval-c:map@10"]
    alone = {spec: rc.evaluate(joined, spec)[spec] for spec in asked}
    for first in range(len(asked)):
        order = asked[first:] + asked[:first]
        assert dict(rc.evaluate(joined, order)) == {spec: alone[spec] for spec in order}
