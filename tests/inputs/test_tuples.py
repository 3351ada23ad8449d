"""Rows as tuples."""

from typing import Any

import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings


def test_rows_with_scores_are_ordered_by_falling_score() -> None:
    returned = rankings([("q2", "a", 1), ("q1", "b", 3), ("q2", "c", 2), ("q2", "d", 2)])
    assert returned.users.values.tolist() == ["q2", "q1"]
    assert returned.rows_of("q2") == (["c", "d", "a"], [2, 2, 1])
    assert returned.items.values.tolist() == ["c", "d", "a", "b"]


def test_rows_without_scores_keep_their_order() -> None:
    returned = rankings([("q2", "b"), ("q1", "c"), ("q2", "a")])
    assert returned.rows_of("q2") == (["b", "a"], None)
    assert returned.starts.tolist() == [0, 2, 3]


def test_labels() -> None:
    assert labels([("q1", "a", 2), ("q1", "b", 0)]).rows_of("q1") == {"a": 2, "b": 0}
    assert labels([("q1", "a"), ("q1", "b")]).grade.tolist() == [1, 1]


def test_any_iterable_of_tuples() -> None:
    returned = rankings(zip(["q1", "q1"], [7, 5], [0.1, 0.2], strict=True))
    assert returned.rows_of("q1") == ([5, 7], [0.2, 0.1])
    assert returned.source == "a zip"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [("q1", "a"), ("q2", "b", 1)],
            "a list, row 1, user 'q2': this tuple has 3 fields, and row 0 has 2. "
            "A row is (user, item) or (user, item, score). Use one form throughout.",
        ),
        (
            [("q1", "a"), ()],
            "a list, row 1: this tuple has 0 fields, and row 0 has 2. "
            "A row is (user, item) or (user, item, score). Use one form throughout.",
        ),
        (
            [("a", "b", "c", "d")],
            "a list, row 0: the tuple has 4 fields. A row is (user, item) or (user, item, score). "
            "Pass one list, not a tuple, for each user if these are the items of users.",
        ),
        (
            [("q1", "a"), ["b"]],
            "a list: entry 1 is a list, and entry 0 is a tuple. Tuples are rows (user, item) or (user, item, number); "
            "a list or dict is all that a user has. Use one of the two forms throughout.",
        ),
        (
            [("q1", "a", 1), ("q1", "b", float("nan"))],
            "a list, user 'q1', item 'b': the score is missing or not a number (NaN). "
            "Give the row a finite score, or leave it out.",
        ),
        (
            [("q1", "a"), ("q1", None)],
            "a list, row 1, user 'q1': the item id None is of type NoneType. Ids are text or integers. "
            "Leave out the rows without an id.",
        ),
    ],
)
def test_rows_that_cannot_be_read(rows: list[Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(rows)
    assert str(error.value) == message


def test_a_set_of_tuples() -> None:
    with pytest.raises(InputError, match=r"^a set: a set has no order. Pass a list.$"):
        labels({("q1", "a")})
