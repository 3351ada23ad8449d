"""One list, dict or set per user."""

from collections import OrderedDict, deque
from typing import Any

import numpy as np
import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings


def test_lists_carry_their_order() -> None:
    returned = rankings({"q1": ["b", "a"], "q2": ("c",)})
    assert returned.rows_of("q1") == (["b", "a"], None)
    assert returned.rows_of("q2") == (["c"], None)


def test_dicts_are_ordered_by_falling_score_and_ties_as_they_came() -> None:
    returned = rankings({"q1": {"a": 1, "b": 2, "c": 1, "d": 2}})
    assert returned.rows_of("q1") == (["b", "d", "a", "c"], [2, 2, 1, 1])


def test_pairs_keep_the_order_of_the_list_and_their_scores() -> None:
    assert rankings({"q1": [("a", 0.1), ("b", 0.9)]}).rows_of("q1") == (["a", "b"], [0.1, 0.9])


def test_pairs_that_went_through_json() -> None:
    assert rankings({"q1": [["a", 0.1], ["b", 0.9]]}).rows_of("q1") == (["a", "b"], [0.1, 0.9])


def test_numbers_are_grades_in_labels() -> None:
    assert labels({"q1": {"a": 0, "b": 3}}).rows_of("q1") == {"a": 0, "b": 3}
    assert labels({"q1": [("a", 0), ("b", 3)]}).rows_of("q1") == {"a": 0, "b": 3}


def test_labels_stand_in_the_order_given_whatever_their_grades() -> None:
    known = labels({"q1": {"a": 0, "b": 3, "c": 1}})
    assert known.items.values.tolist() == ["a", "b", "c"]
    assert known.item.tolist() == [0, 1, 2]


def test_without_grades_every_row_has_grade_1() -> None:
    assert labels({"q1": ["a", "b"]}).grade.tolist() == [1, 1]


def test_sets_are_labels_in_an_order_that_does_not_depend_on_the_process() -> None:
    known = labels({"q1": {"b", "c", "a"}, "q2": frozenset({"a"})})
    assert known.items.values.tolist() == ["a", "b", "c"]
    assert known.grade.tolist() == [1, 1, 1, 1]


def test_a_set_of_pairs() -> None:
    assert labels({"q1": {("b", 2), ("a", 0)}}).rows_of("q1") == {"a": 0, "b": 2}


def test_a_list_of_lists_or_dicts_numbers_the_users() -> None:
    returned = rankings([["b", "a"], [], ["c"]])
    assert (returned.users.values.tolist(), returned.users.kind) == ([0, 1, 2], "integer")
    assert returned.starts.tolist() == [0, 2, 2, 3]
    assert labels([{"a": 2}, {"b": 1}]).rows_of(1) == {"b": 1}
    assert rankings([[("a", 0.1), ("b", 0.9)]]).rows_of(0) == (["a", "b"], [0.1, 0.9])


def test_other_collections() -> None:
    assert rankings(OrderedDict(q1=deque(["b", "a"]))).rows_of("q1") == (["b", "a"], None)
    assert rankings({"q1": np.array([3, 1])}).rows_of("q1") == ([3, 1], None)
    assert rankings(iter([["a"], ["b"]])).rows_of(1) == (["b"], None)


@pytest.mark.parametrize("empty", [[], {}, ()])
def test_empty_ones_are_users_without_rows(empty: Any) -> None:
    returned = rankings({"q1": empty, "q2": {"a": 1.0}})
    assert returned.users.values.tolist() == ["q1", "q2"]
    assert returned.rows_of("q1") == ([], [])
    assert returned.rows_of("q2") == (["a"], [1.0])


def test_duplicates_are_kept() -> None:
    assert rankings({"q1": ["a", "b", "a"]}).item.tolist() == [0, 1, 0]
    assert len(labels({"q1": ["a", "a"]}).item) == 2


LISTED = {"q1": ["a"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            LISTED | {"q2": {"a": 1}},
            "a dict, user 'q2': this user has a dict {item: number}, and user 'q1' has items without numbers. "
            "Give all users the same form.",
        ),
        (
            LISTED | {"q2": [], "q3": [("a", 1)]},
            "a dict, user 'q3': this user has a list of (item, number) pairs, and user 'q1' has items without "
            "numbers. Give all users the same form.",
        ),
        (
            [["a"], {"a": 1}],
            "a list, user 1: this user has a dict {item: number}, and user 0 has items without numbers. "
            "Give all users the same form.",
        ),
        (
            {"q1": ["a", ("b", 1)]},
            "a dict, user 'q1': some entries are (item, number) pairs and some are not. "
            "Give all entries the same form.",
        ),
        ({"q1": {"a", "b"}}, "a dict, user 'q1': a set has no order. Pass a list of items, best first."),
        (
            {"q1": "abc"},
            "a dict, user 'q1': 'abc' is not a collection of items. Each user has a list of items, a list of "
            "(item, score) pairs or a dict {item: score}. Put a single item into a list.",
        ),
    ],
)
def test_forms_that_cannot_be_read(data: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(data)
    assert str(error.value) == message


@pytest.mark.parametrize("single", [3, None, 1.5, np.array([[1]]), object()])
def test_a_single_thing_is_no_collection(single: Any) -> None:
    with pytest.raises(InputError, match=r"^a dict, user 'q1': .* is not a collection of items\."):
        labels({"q1": single})


def test_a_set_with_ids_of_two_types() -> None:
    with pytest.raises(InputError, match=r"^a dict, user 'q1': item ids must be all text or all integers"):
        labels({"q1": {"a", 1}})


def test_numbers_that_are_none_name_user_and_item() -> None:
    with pytest.raises(InputError) as error:
        labels({"q1": {"a": 1}, "q2": {"a": 1, "b": "high"}})
    assert str(error.value) == (
        "a dict, user 'q2', item 'b': the grade 'high' is not a number. Give every grade as a number."
    )


class Named(str):
    """A text of a type of its own, which is equal to nothing."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return False


def test_many_texts_of_a_type_of_ones_own_are_plain_texts() -> None:
    names = [f"i{place}" for place in range(3000)]
    plain, own = (rankings({"q1": list(map(kind, names))}) for kind in (str, Named))
    assert own.items.values.tolist() == plain.items.values.tolist() == names
    assert set(map(type, own.items.values.tolist())) == {str}
    assert own.some_items(5) == plain.some_items(5)


@pytest.mark.parametrize("odd", [1, None, b"x", ("a", "b"), "\ud800"])
def test_an_odd_item_among_many_texts(odd: Any) -> None:
    with pytest.raises(InputError) as few:
        rankings({"q1": ["a", odd]})
    with pytest.raises(InputError) as many:
        rankings({"q1": [*(f"i{place}" for place in range(2500)), odd]})
    assert many.value.wrong == few.value.wrong
