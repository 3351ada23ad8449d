"""Flat labels and scores with groups."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankconv as rc


def torch_tensor(values: list[Any]) -> Any:
    torch = pytest.importorskip("torch")
    return torch.tensor(values, dtype=torch.float64 if isinstance(values[0], float) else None)


TRUE, SCORE = [2, 0, 0, 1, 1], [0.1, 0.9, 0.5, 0.4, 0.8]


@pytest.mark.parametrize("make", [list, np.array, pd.Series, torch_tensor])
def test_sizes_and_ids_of_queries_say_the_same(make: Any) -> None:
    by_size = rc.grouped(make(TRUE), make(SCORE), group=make([3, 2]))
    by_id = rc.grouped(make(TRUE), make(SCORE), query_id=make([0, 0, 0, 1, 1]))
    for judged in (by_size, by_id):
        assert judged.rankings.rows_of(0) == ([1, 2, 0], [0.9, 0.5, 0.1])
        assert judged.labels.rows_of(1) == {3: 1, 4: 1}


def test_rows_of_a_query_need_not_stand_together() -> None:
    judged = rc.grouped(TRUE, SCORE, query_id=["q", "p", "q", "p", "q"])
    assert judged.labels.rows_of("q") == {0: 2, 2: 0, 4: 1}
    assert judged.rankings.rows_of("p")[0] == [1, 3]


def test_one_query_and_queries_without_rows() -> None:
    assert rc.grouped(TRUE, SCORE).users.values.tolist() == [0]
    assert rc.grouped(TRUE, SCORE, group=[5, 0]).labels.rows_of(1) == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1], [1, 2]), "y_true has 1 entries, and y_score has 2. Give each row both."),
        (([[1]], [1]), "y_true has 2 dimensions, and one is wanted. Pass arrays of users by items as rc.Labels"),
        ((["a"], [1]), "y_true holds <U1, and numbers are wanted."),
        (([1], [float("nan")]), "the grouped rows, row 0: the score is missing or not a number (NaN)."),
    ],
)
def test_what_cannot_be_read(arguments: Any, message: str) -> None:
    with pytest.raises(rc.InputError) as error:
        rc.grouped(*arguments)
    assert str(error.value).startswith(message)


def test_groups_that_do_not_fit() -> None:
    with pytest.raises(
        rc.InputError, match=r"^the group sizes sum to 4, and there are 5 rows\. Pass the number of rows"
    ):
        rc.grouped(TRUE, SCORE, group=[2, 2])
    with pytest.raises(rc.InputError, match=r"^query_id has 1 entries, and there are 5 rows"):
        rc.grouped(TRUE, SCORE, query_id=["q"])
    with pytest.raises(rc.InputError, match=r"^group= and query_id= say the same thing twice"):
        rc.grouped(TRUE, SCORE, group=[5], query_id=TRUE)
