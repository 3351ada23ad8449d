"""Tables that find labels: against a dictionary, with a place for each item and with shared places."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data.matching import DENSE_ITEMS, Dense, SharedPlaces, levels_of, matcher

SIZES = {"dense": 40, "shared": DENSE_ITEMS + 1, "wide": 1 << 40, "widest": (1 << 63) - 1}
MATCHERS = {kind: matcher(size) for kind, size in SIZES.items()}
SPREAD = {"dense": 0, "shared": 1, "wide": 1 << 20, "widest": 1 << 44}
users = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 39), st.integers(1, 5), max_size=12), st.lists(st.integers(0, 39))),
    max_size=40,
)


@pytest.mark.parametrize("kind", MATCHERS)
@settings(derandomize=True, deadline=None, max_examples=30)
@given(drawn=users, spread=st.sampled_from([1, 1024, 5_000]))
def test_as_a_dictionary_would(kind: str, drawn: list[tuple[dict[int, int], list[int]]], spread: int) -> None:
    """Also where users and items are too wide for one number, and some pairs have the number of others."""
    spread = spread * SPREAD[kind] or 1
    tables, width = MATCHERS[kind], max((len(ranked) for _, ranked in drawn), default=0)
    ranked = np.full((len(drawn), width), SIZES[kind])
    for row, (_, items) in enumerate(drawn):
        ranked[row, : len(items)] = np.array(items, np.int64) * spread
    item = np.array([i * spread for labels, _ in drawn for i in labels], np.int64)
    level = np.array([grade for labels, _ in drawn for grade in labels.values()], np.uint8)
    found = tables.kinds(ranked, item, level, np.array([len(labels) for labels, _ in drawn], np.int64))
    for row, (labels, items) in enumerate(drawn):
        assert found[:, row].tolist() == [labels.get(i, 0) for i in items] + [0] * (width - len(items))
    assert not (tables._kind if isinstance(tables, Dense) else tables._first).any()


def test_many_labels_share_few_places() -> None:
    """Of a million labels of one user eight share a place, and lead from one to the other."""
    item = np.arange(1 << 20) * 3
    kind = (item % 250 + 1).astype(np.uint8)
    found = SharedPlaces(1 << 22).kinds(
        item[None, ::7] + [[0], [1]], np.tile(item, 2), np.tile(kind, 2), np.full(2, 1 << 20)
    )
    assert found[:, 0].tolist() == kind[::7].tolist()
    assert not found[:, 1].any()


def test_of_a_label_given_twice_the_last_counts() -> None:
    item, kind = np.array([5, 9, 5, 5, 9]), np.array([1, 2, 3, 4, 5], np.uint8)
    for tables in MATCHERS.values():
        assert tables.kinds(np.array([[9, 5, 7]]), item, kind, np.array([5])).ravel().tolist() == [5, 4, 0]


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
