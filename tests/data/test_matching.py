"""Tables that find labels: against a dictionary, with a place for each item and with shared places."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data.levels import levels_of
from rankconv.data.matching import DENSE_ITEMS, Dense, Shared, matcher

MATCHERS = {"dense": matcher(40), "shared": matcher(DENSE_ITEMS + 1), "wide": matcher(1 << 40)}
users = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 39), st.integers(1, 5), max_size=12), st.lists(st.integers(0, 39))),
    max_size=40,
)


@pytest.mark.parametrize("kind", MATCHERS)
@settings(derandomize=True, deadline=None, max_examples=60)
@given(drawn=users, spread=st.sampled_from([1, 1024, 5_000]))
def test_as_a_dictionary_would(kind: str, drawn: list[tuple[dict[int, int], list[int]]], spread: int) -> None:
    """Of so many labels some lose their place in a shared table to others."""
    spread = {"dense": 1, "shared": spread, "wide": spread << 20}[kind]
    tables, width = MATCHERS[kind], max((len(ranked) for _, ranked in drawn), default=0)
    nothing = {"dense": 40, "shared": DENSE_ITEMS + 1, "wide": 1 << 40}[kind]
    ranked = np.full((len(drawn), width), nothing)
    for row, (_, items) in enumerate(drawn):
        ranked[row, : len(items)] = np.array(items, np.int64) * spread
    item = np.array([i * spread for labels, _ in drawn for i in labels], np.int64)
    level = np.array([grade for labels, _ in drawn for grade in labels.values()], np.uint8)
    found = tables.kinds(ranked, item, level, np.array([len(labels) for labels, _ in drawn], np.int64))
    for row, (labels, items) in enumerate(drawn):
        assert found[:, row].tolist() == [labels.get(i, 0) for i in items] + [0] * (width - len(items))
    assert not (tables._kind if isinstance(tables, Dense) else tables._cell).any()


def test_labels_that_share_a_place_take_turns() -> None:
    """Two thousand labels of one user in a thousand places: at least half of them lose theirs."""
    item = np.arange(2_000) * 3
    kind = (item % 250 + 1).astype(np.uint8)
    found = Shared(10_000).kinds(item[None, :], item, kind, np.array([len(item)]))
    assert found[:, 0].tolist() == kind.tolist()


@pytest.mark.parametrize(
    "grades", [[], [1.0], [0.0, 1.0, 3.0, 1.0], [-2.0, 1.0], [0.5, 0.25, 0.5], [0.0, 250.0], [1e9, 1.0], [-0.5, 0.5]]
)
def test_levels_give_back_the_grades(grades: list[float]) -> None:
    levels = levels_of(np.array(grades))
    assert levels is not None
    assert levels.grades.tolist() == sorted(set(grades))
    assert levels.grades[levels.kind - 1].tolist() == grades


def test_too_many_grades_have_no_levels() -> None:
    assert levels_of(np.arange(251) / 4) is None
    assert levels_of(np.arange(250) / 4) is not None
