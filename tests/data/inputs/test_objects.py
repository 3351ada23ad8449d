"""Dicts, lists and tuples of Python, and the ids and numbers in them."""

import subprocess
import sys
from collections import OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.ids import coded_integers
from rankconv.data.inputs import labels, rankings, runs
from rankconv.data.inputs.values import coded


def test_labels_and_rankings_pass_through() -> None:
    known, returned = labels({"q1": ["d1"]}), rankings({"q1": ["d1"]})
    assert labels(known) is known
    assert rankings(returned) is returned


def test_what_comes_out() -> None:
    returned = rankings({"q1": {"a": 0.1, "b": 0.3}, "q2": {"b": 0.5, "c": 0.5}})
    assert (returned.users.values.tolist(), returned.users.kind) == (["q1", "q2"], "text")
    assert (returned.items.values.tolist(), returned.items.kind) == (["b", "a", "c"], "text")
    assert returned.starts.tolist() == [0, 2, 4]
    assert returned.item.tolist() == [0, 1, 0, 2]
    assert returned.score is not None
    assert returned.score.tolist() == [0.3, 0.1, 0.5, 0.5]
    assert returned.source == "a dict"


def test_users_may_be_called_as_columns_are_where_they_are_too_many_for_columns() -> None:
    names = ["user", "item", *map("word {}".format, range(1000))]
    read = labels({name: ["a"] for name in names})
    assert read.users.values.tolist() == names
    with pytest.raises(InputError, match=r"these are rows with named columns \(user, item, "):
        labels({name: ["a"] for name in names[:20]})


@pytest.mark.parametrize("nothing", [{}, []])
def test_no_users_at_all(nothing: object) -> None:
    assert len(labels(nothing).users) == 0
    assert rankings(nothing).starts.tolist() == [0]


def test_one_in_the_place_of_the_other() -> None:
    known, returned = labels({"q1": ["d1"]}), rankings({"q1": ["d1"]})
    with pytest.raises(InputError, match=r"^these are labels, and rankings are wanted here"):
        rankings(known)
    with pytest.raises(InputError, match=r"^these are rankings, and labels are wanted here"):
        labels(returned)
    with pytest.raises(InputError, match=r"^these are several runs, and rankings are wanted here"):
        rankings(runs(a=returned))


def test_columns_cannot_be_named_where_there_are_none() -> None:
    with pytest.raises(InputError) as error:
        labels({"q1": ["d1"]}, user="query", grade="rel")
    assert str(error.value) == (
        "columns were named ('query' for the user, 'rel' for the grade), and this data has no named columns. "
        "It was read as: Python lists, dicts and tuples. Leave user= and grade= out."
    )


@pytest.mark.parametrize("data", [None, 3, b"q1 d1"])
def test_what_no_reader_takes(data: object) -> None:
    with pytest.raises(InputError) as error:
        rankings(data)
    assert str(error.value).startswith(f"data of type {type(data).__name__} cannot be read. These can be read: ")
    assert "CSV and TSV files" in str(error.value)
    assert "Python lists" in str(error.value)


def test_runs_need_one() -> None:
    with pytest.raises(InputError, match=r"^there is no run\. Pass each under its name"):
        runs()


def test_an_error_in_a_run_names_the_run() -> None:
    with pytest.raises(InputError, match=r"^run 'dense', a dict, user 'q1': the item id 1.5 is of type float"):
        runs(sparse={"q1": ["d1"]}, dense={"q1": [1.5]})


@pytest.mark.parametrize("run", [{"ann": ["a", "b"], "bob": ["c"]}, {"ann": {"a": 0.5}, "bob": {"c": 1.0}}])
def test_one_run_in_the_place_of_several_is_told_how_these_are_named(run: Any) -> None:
    with pytest.raises(InputError, match=r"^run 'ann', .* Several runs are expected, each under its name: \{'bm25'"):
        runs(run)


def test_importing_is_light() -> None:
    heavy = "{'pandas', 'polars', 'narwhals', 'pyarrow', 'scipy'}"
    code = f"import rankconv.data.inputs, sys; assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("data", "user", "items", "scores"),
    [
        ({"q1": ["b", "a", "b"], "q2": ("c",)}, "q1", ["b", "a", "b"], None),
        ({"q1": ["b", "a"], "q2": ("c",)}, "q2", ["c"], None),
        ({"q1": {"a": 1, "b": 2, "c": 1, "d": 2}}, "q1", ["b", "d", "a", "c"], [2, 2, 1, 1]),
        ({"q1": [("a", 0.1), ("b", 0.9)]}, "q1", ["a", "b"], [0.1, 0.9]),
        ({"q1": [["a", 0.1], ["b", 0.9]]}, "q1", ["a", "b"], [0.1, 0.9]),  # as after JSON
        ({"q1": [], "q2": {"a": 1.0}}, "q1", [], []),
        ({"q1": {}, "q2": {"a": 1.0}}, "q2", ["a"], [1.0]),
        ([["b", "a"], [], ["c"]], 2, ["c"], None),
        ([[("a", 0.1), ("b", 0.9)]], 0, ["a", "b"], [0.1, 0.9]),
        (iter([["a"], ["b"]]), 1, ["b"], None),
        (OrderedDict(q1=deque(["b", "a"])), "q1", ["b", "a"], None),
        ({"q1": np.array([3, 1])}, "q1", [3, 1], None),
        ([("q2", "a", 1), ("q1", "b", 3), ("q2", "c", 2), ("q2", "d", 2)], "q2", ["c", "d", "a"], [2, 2, 1]),
        ([("q2", "b"), ("q1", "c"), ("q2", "a")], "q2", ["b", "a"], None),
        (zip(["q1", "q1"], [7, 5], [0.1, 0.2], strict=True), "q1", [5, 7], [0.2, 0.1]),
    ],
)
def test_the_ranking_of_a_user(data: Any, user: Any, items: list[Any], scores: list[float] | None) -> None:
    assert rankings(data).rows_of(user) == (items, scores)


@pytest.mark.parametrize(
    ("data", "grades"),
    [
        ({"q1": {"a": 0, "b": 3, "c": 1}}, {"a": 0, "b": 3, "c": 1}),
        ({"q1": [("a", 0), ("b", 3)]}, {"a": 0, "b": 3}),
        ({"q1": {"b", "c", "a"}}, {"a": 1, "b": 1, "c": 1}),  # sorted, whatever the process makes of a set
        ({"q1": {("b", 2), ("a", 0)}}, {"a": 0, "b": 2}),
        ([("q1", "a", 2), ("q1", "b", 0)], {"a": 2, "b": 0}),
        ([("q1", "a"), ("q1", "b")], {"a": 1, "b": 1}),
    ],
)
def test_the_labels_of_a_user(data: Any, grades: dict[str, float]) -> None:
    found = labels(data).rows_of("q1")
    assert found == grades
    assert list(found) == list(grades)


LISTED = {"q1": ["a"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (LISTED | {"q2": {"a": 1}}, "a dict, user 'q2': this user has a dict {item: number}, and user 'q1' has"),
        (LISTED | {"q2": [], "q3": [("a", 1)]}, "a dict, user 'q3': this user has a list of (item, number)"),
        ([["a"], {"a": 1}], "a list, user 1: this user has a dict {item: number}, and user 0 has items without"),
        ({"q1": ["a", ("b", 1)]}, "a dict, user 'q1': some entries are (item, number) pairs and some are not."),
        ({"q1": {"a", "b"}}, "a dict, user 'q1': a set has no order. Pass a list of items, best first."),
        ({"q1": "abc"}, "a dict, user 'q1': 'abc' is not a collection of items."),
        ([("q1", "a"), ("q2", "b", 1)], "a list, row 1, user 'q2': this tuple has 3 fields, and row 0 has 2."),
        ([("q1", "a"), ()], "a list, row 1: this tuple has 0 fields, and row 0 has 2."),
        ([("a", "b", "c", "d")], "a list, row 0: the tuple has 4 fields."),
        ([("q1", "a"), ["b"]], "a list: entry 1 is a list, and entry 0 is a tuple."),
        ([("q1", "a", 1), ("q1", "b", float("nan"))], "a list, user 'q1', item 'b': the score is missing or"),
        ([("q1", "a"), ("q1", None)], "a list, row 1, user 'q1': the item id None is of type NoneType."),
        *(({"q1": single}, "a dict, user 'q1': ") for single in (3, None, 1.5, np.array(1), object())),
        ([{"a", 1}], "a list, user 0: a set has no order"),
        ({"q1": {"a": 1}, "q2": {"a": 1, "b": "high"}}, "a dict, user 'q2', item 'b': the score 'high' "),
        ({("q1", "a")}, "a set: a set has no order. Pass a list."),
    ],
)
def test_forms_that_cannot_be_read(data: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(data)
    assert str(error.value).startswith(message)


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


small = st.integers(-5, 5)
any_size = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(small) | st.lists(any_size))
def test_arrays_are_coded_as_lists_are(values: list[int]) -> None:
    from_list, list_codes = coded(values, "item", str)
    from_array, array_codes = coded_integers(np.array(values, np.int64))
    assert from_array.kind == from_list.kind
    assert from_array.values.tolist() == from_list.values.tolist() == list(dict.fromkeys(values))
    assert array_codes.tolist() == list_codes.tolist()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_integers_of_any_width(kind: type) -> None:
    ids, codes = coded(np.array([100, 0, 127, 100], kind), "item", str)
    assert ids.values.tolist() == [100, 0, 127]
    assert ids.values.dtype == np.int64
    assert codes.tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([1, 1.0], "the item id 1.0 is of type float. Ids are text or integers."),
        ([1, True], "the item id True is of type bool. Ids are text or integers."),
        ([None], "the item id None is of type NoneType. Ids are text or integers. Leave out the rows without an id."),
        ([("a", "b", 1.5)], "the item id ('a', 'b', 1.5) is of type tuple. Ids are text or integers."),
        (["x", ["a", "b", "c"]], "the item id ['a', 'b', 'c'] is of type list. Ids are text or integers."),
        ([["a", "b", "c"], "x"], "this is not a list of lists, as other users have it."),
        ([1, "1"], "item ids must be all text or all integers, and these are of type: int, str."),
        ([2**63], "the item id 9223372036854775808 does not fit into 64 bits. Pass the item ids as text."),
    ],
)
def test_ids_that_cannot_be(items: list[Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings({"q1": [], "q2": items})
    assert str(error.value).startswith(f"a dict, user 'q2': {message}")


def test_users_are_checked_like_items() -> None:
    with pytest.raises(InputError, match=r"^a dict: the user id 1.5 is of type float"):
        rankings({1.5: ["a"]})
    with pytest.raises(InputError, match=r"^a dict: user ids must be all text or all integers"):
        rankings({1: ["a"], "1": ["a"]})


def test_an_array_with_ids_beyond_64_bits() -> None:
    with pytest.raises(InputError, match=r"^a NumPy array, row 1: the item id 9223372036854775809 does not fit"):
        rankings(np.array([[1], [2**63 + 1]], np.uint64))


@pytest.mark.parametrize("grade", [True, np.True_, 1, 1.0, np.float32(1), np.uint8(1), Fraction(1), Decimal(1)])
def test_what_is_a_number(grade: Any) -> None:
    assert labels({"q1": {"a": grade, "b": 0}}).rows_of("q1") == {"a": 1.0, "b": 0.0}


@pytest.mark.parametrize("grade", ["1", None, [1], 1j, np.array([1])])
def test_what_is_none(grade: Any) -> None:
    with pytest.raises(InputError) as error:
        labels({"q1": {"a": 0, "b": grade}})
    assert str(error.value).startswith(f"a dict, user 'q1', item 'b': the grade {grade!r} is not a number")


def test_a_truth_value_is_no_score() -> None:
    with pytest.raises(InputError, match=r"^a dict, user 'q1', item 'a': the score True is not a number"):
        rankings({"q1": {"a": True}})


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (float("nan"), "missing or not a number (NaN)"),
        (float("inf"), "infinite or too large for a float"),
        (float("-inf"), "infinite or too large for a float"),
        (10**400, "infinite or too large for a float"),
    ],
)
def test_numbers_that_are_not_finite(score: float, said: str) -> None:
    with pytest.raises(InputError) as error:
        rankings({"q1": {"a": 1, "b": score}})
    assert str(error.value) == (
        f"a dict, user 'q1', item 'b': the score is {said}. Give the row a finite score, or leave it out."
    )


def test_single_precision_scores_keep_their_value() -> None:
    assert rankings({"q1": {"a": np.float32(0.1)}}).rows_of("q1") == (["a"], [float(np.float32(0.1))])


def test_one_odd_number_among_many_is_found_wherever_it_stands() -> None:
    many = 10_010
    scores = {f"i{place}": float(-place) for place in range(many)}
    whole = rankings({"q1": scores})
    assert whole.score is not None
    assert whole.score.tolist() == list(scores.values())
    for item in ("i0", "i7", f"i{many - 1}"):
        with pytest.raises(InputError, match=f"^a dict, user 'q1', item '{item}': the score True is not a number"):
            rankings({"q1": {**scores, item: True}})
        with pytest.raises(InputError, match=f"^a dict, user 'q1', item '{item}': the score is missing"):
            rankings({"q1": {**scores, item: float("nan")}})
        mixed = rankings({"q1": {**scores, item: Fraction(scores[item])}})
        assert mixed.score is not None
        assert mixed.score.tolist() == whole.score.tolist()


LABELS = {"u": ["a"], "v": ["b"]}
ONE, OTHER = {"u": ["a", "b"], "v": ["b"]}, {"u": {"b": 0.9, "a": 0.2}, "v": {"a": 0.4}}


def frame(run: dict[str, list[str]]) -> pd.DataFrame:
    rows = [(user, item, -place) for user, items in run.items() for place, item in enumerate(items)]
    return pd.DataFrame(rows, columns=["user", "item", "score"])


@pytest.mark.parametrize("other", [OTHER, frame({"u": ["b", "a"], "v": ["a"]}), rc.Run(OTHER)])
def test_a_dict_of_runs_is_compared_as_runs_are(other: object) -> None:
    given = rc.compare(LABELS, {"one": ONE, "other": other}, "mrr", ["mllib", "trec_eval"])
    named = rc.compare(LABELS, rc.Runs(one=ONE, other=other), "mrr", ["mllib", "trec_eval"])
    assert given.runs == ["one", "other"]
    assert given.to_dict() == named.to_dict()


def test_one_run_of_lists_or_scores_stays_one() -> None:
    for run in (ONE, OTHER):
        assert rc.compare(LABELS, run, "mrr", ["trec_eval"]).runs == [""]


def test_a_dict_that_is_neither_says_how_several_runs_come() -> None:
    with pytest.raises(rc.InputError, match=r"rc\.Runs\(a=…, b=…\)"):
        rc.compare(LABELS, {"a": ONE, "b": [("u", "a", "much")]}, "mrr")


@pytest.mark.parametrize(
    ("series", "items"),
    [
        (pd.Series(["a", "b"], index=["x", "y"]), ["a", "b"]),
        (pd.Series([7, 5], index=[3, 4]), [7, 5]),  # some rows of a column of items
        (pd.Series([7, 5], index=["a", "b"]), None),
        (pd.Series([0.5, 1.0], index=pd.Index([3, 4], name="item")), None),
    ],
)
def test_a_series_of_numbers_with_items_in_its_index_may_be_either(series: Any, items: list[Any] | None) -> None:
    if items is not None:
        assert rankings({"u": series}).rows_of("u")[0] == items
        return
    for read in (labels, rankings):
        with pytest.raises(InputError, match=r"user 'u': the numbers of this Series .* series\.to_dict"):
            read({"u": series})
