"""The three public functions."""

import subprocess
import sys

import numpy as np
import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings, runs


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


def test_arrays_have_the_promised_types() -> None:
    known = labels({1: [np.int32(7)]})
    assert (known.starts.dtype, known.item.dtype, known.grade.dtype) == (np.int64, np.int64, np.float64)
    assert type(known.items.values.tolist()[0]) is int


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


def test_runs_keep_their_names_and_order() -> None:
    dense = rankings({"q1": ["d2"]})
    both = runs(sparse={"q1": ["d1"]}, dense=dense)
    assert list(both.by_name) == ["sparse", "dense"]
    assert both.by_name["dense"] is dense


def test_runs_need_one() -> None:
    with pytest.raises(InputError, match=r"^there is no run\. Pass each under its name"):
        runs()


def test_an_error_in_a_run_names_the_run() -> None:
    with pytest.raises(InputError, match=r"^run 'dense', a dict, user 'q1': the item id 1.5 is of type float"):
        runs(sparse={"q1": ["d1"]}, dense={"q1": [1.5]})


def test_importing_is_light() -> None:
    heavy = "{'pandas', 'polars', 'narwhals', 'pyarrow', 'scipy'}"
    code = f"import rankconv.inputs, sys; assert not {heavy} & set(sys.modules), {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
