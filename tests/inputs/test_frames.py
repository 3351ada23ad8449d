"""Tables of pandas, polars and pyarrow."""

from collections.abc import Callable
from datetime import date
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rankconv.errors import InputError
from rankconv.inputs import labels, rankings

Make = Callable[[dict[str, list[Any]]], Any]

MAKERS: dict[str, Make] = {
    "a pandas frame": pd.DataFrame,
    "a polars frame": pl.DataFrame,
    "a pyarrow table": pa.table,
    "a narwhals frame": lambda columns: nw.from_native(pd.DataFrame(columns)),
}
each_library = pytest.mark.parametrize(("source", "make"), MAKERS.items())


@each_library
def test_scores_order_rows_and_ties_stand_as_they_came(source: str, make: Make) -> None:
    table = make({"query": ["q2", "q1", "q2", "q2"], "Doc_ID": ["a", "b", "c", "d"], "score": [1, 3, 2, 2]})
    returned = rankings(table)
    assert returned.users.values.tolist() == ["q2", "q1"]
    assert returned.rows_of("q2") == (["c", "d", "a"], [2, 2, 1])
    assert returned.source == source


@each_library
def test_ranks_order_rows_and_scores_are_kept(source: str, make: Make) -> None:
    table = make({"u": [1, 1, 1, 2], "i": [7, 8, 9, 9], "r": [2, 1, 3, 1], "s": [0.2, 0.3, 0.1, 0.4]})
    returned = rankings(table, user="u", item="i", rank="r", score="s")
    assert returned.rows_of(1) == ([8, 7, 9], [0.3, 0.2, 0.1])
    assert returned.rank is not None
    assert returned.rank.tolist() == [1, 2, 3, 1]
    assert returned.items.kind == "integer"
    assert returned.source == source


def test_without_scores_and_ranks_rows_stand_as_they_came() -> None:
    returned = rankings(pl.DataFrame({"user": ["q1", "q2", "q1"], "item": ["b", "c", "a"]}))
    assert returned.rows_of("q1") == (["b", "a"], None)


@each_library
def test_labels(source: str, make: Make) -> None:
    columns = {"topic": ["q1", "q1"], "docno": ["a", "b"], "rel": [2, 0]}
    assert labels(make(columns)).rows_of("q1") == {"a": 2, "b": 0}
    assert labels(make(columns), grade="rel").source == source
    del columns["rel"]
    assert labels(make(columns)).grade.tolist() == [1, 1]


def test_a_lazy_frame_computes_only_what_matters() -> None:
    def explode(_: pl.Series) -> pl.Series:
        raise AssertionError

    lazy = pl.LazyFrame({"user": ["q1"], "item": ["a"], "score": [0.5]})
    lazy = lazy.with_columns(other=pl.col("user").map_batches(explode, return_dtype=pl.String))
    assert rankings(lazy).rows_of("q1") == (["a"], [0.5])


def test_a_lazy_frame_that_fails() -> None:
    broken = pl.LazyFrame({"user": ["q1"]}).with_columns(pl.col("itme"))
    with pytest.raises(InputError, match=r"^a polars frame: the table cannot be computed: .*itme"):
        rankings(broken)


@pytest.mark.parametrize(
    "ids",
    [
        pd.Series(["x", "y"], dtype="category"),
        pd.Series(["x", "y"], dtype=object),
        pd.Series(["x", "y"], dtype="string[python]"),
    ],
)
def test_text_of_every_kind(ids: Any) -> None:
    assert rankings(pd.DataFrame({"user": [1, 1], "item": ids})).rows_of(1) == (["x", "y"], None)


@pytest.mark.parametrize(
    "ids",
    [
        pl.Series([7, 5], dtype=pl.UInt8),
        pl.Series([7, 5], dtype=pl.Int128),
        pd.Series([7, 5], dtype="Int64"),
        pd.Series([7, 5], dtype=object),
        pd.Series([7, 5], dtype="category"),
    ],
)
def test_integers_of_every_kind(ids: Any) -> None:
    table = type(ids.to_frame())({"user": ["u", "u"], "item": ids})
    assert rankings(table).rows_of("u") == ([7, 5], None)


def test_grades_of_every_kind() -> None:
    for grades in (pl.Series([True, False]), pl.Series(["1.0", "0.0"]).cast(pl.Decimal(5, 1)), pl.Series([1, 0])):
        assert labels(pl.DataFrame({"user": [1, 1], "item": [7, 5], "rel": grades})).grade.tolist() == [1, 0]
    assert labels(pd.DataFrame({"user": [1], "item": [7], "rel": np.array([2], object)})).grade.tolist() == [2]


def test_columns_named_by_numbers() -> None:
    assert rankings(pd.DataFrame([["q1", "a"]]), user="0", item="1").rows_of("q1") == (["a"], None)


@each_library
def test_tables_without_rows(source: str, make: Make) -> None:
    returned = rankings(make({"user": [], "item": []}))
    assert (len(returned.users), len(returned.item), returned.source) == (0, 0, source)


ORDERED = {"user": ["q1", "q2"], "item": ["a", "b"]}
OF_TYPE = "Ids are text or integers. Convert the column to text or to integers."


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            pd.DataFrame({"user": [1.0, None, None], "item": [7, 8, 9]}),
            "a pandas frame, row 1 (counted from 0): there is no user (column 'user'). "
            "Leave these rows out, or give them an id.",
        ),
        (
            pl.DataFrame({"user": [1, 2], "item": ["a", None]}),
            "a polars frame, row 1 (counted from 0): there is no item (column 'item'). "
            "Leave these rows out, or give them an id.",
        ),
        (
            pa.table({"user": [1.0, 2.5], "item": [7, 8]}),
            f"a pyarrow table, row 1 (counted from 0): the user column 'user' is of type Float64. {OF_TYPE}",
        ),
        (
            pl.DataFrame({"user": [date(2020, 1, 1)], "item": [7]}),
            f"a polars frame: the user column 'user' is of type Date. {OF_TYPE}",
        ),
        (
            pd.DataFrame({"user": [1, "1"], "item": [7, 8]}),
            "a pandas frame, row 1 (counted from 0): user ids must be all text or all integers, and these are of "
            "type: int, str. Convert the column to one type before you pass it.",
        ),
        (
            pl.DataFrame(ORDERED | {"score": [0.5, None]}),
            "a polars frame, user 'q2', item 'b': the score is missing or not a number (NaN). "
            "Give the row a finite score, or leave it out.",
        ),
        (
            pl.DataFrame(ORDERED | {"rank": [1.0, float("inf")]}),
            "a polars frame, user 'q2', item 'b': the rank is infinite or too large for a float. "
            "Give the row a finite rank, or leave it out.",
        ),
        (
            pd.DataFrame(ORDERED | {"score": ["0.5", "high"]}),
            "a pandas frame, user 'q1', item 'a': the score '0.5' is not a number. Give every score as a number.",
        ),
        (
            pl.DataFrame(ORDERED | {"score": [True, False]}),
            "a polars frame, user 'q1', item 'a': the score True is not a number. Give every score as a number.",
        ),
        (
            pd.DataFrame([[1, 2]], columns=["user", "user"]),
            "a pandas frame: two columns have the same name. Rename one of them.",
        ),
        (
            pd.Series([1]),
            "a pandas frame: a Series is not a table. Pass a table with a column for users and one for items.",
        ),
    ],
)
def test_tables_that_cannot_be_read(table: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(table)
    assert str(error.value) == message


def test_missing_columns_are_named() -> None:
    with pytest.raises(InputError, match=r"^a pandas frame: no column has a usual name of the item"):
        rankings(pd.DataFrame({"user": [1]}))
