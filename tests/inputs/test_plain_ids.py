"""Ids that are more than a text or an integer mean the text or the integer that they are, in any form and number."""

import datetime
import enum
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankconv as rc


class Genre(str, enum.Enum):  # noqa: UP042  (not the same: its str() is Genre.POP)
    POP = "pop"
    ROCK = "rock"


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 1


class Loud(str):
    __hash__ = str.__hash__

    def __str__(self) -> str:
        return self.upper()


class Odd(str):
    """A text that a dict does not find."""

    def __hash__(self) -> int:
        return 1


CASES = [
    (list(Genre), ["pop", "rock"]),
    (list(Level), [3, 1]),
    ([Loud("pop"), "rock"], ["pop", "rock"]),
    (list(np.array(["pop", "rock"])), ["pop", "rock"]),
    (list(np.array([3, 1], np.int16)), [3, 1]),
    ([Level.LOW, 1], [3, 1]),
]
FORMS: list[Callable[[list[Any]], Any]] = [
    lambda ids: dict.fromkeys(ids, ids),
    lambda ids: {user: dict.fromkeys(ids, 1) for user in ids},
    lambda ids: [(user, item) for user in ids for item in ids],
    lambda ids: pd.DataFrame([(user, item) for user in ids for item in ids], columns=["user", "item"], dtype=object),
    lambda ids: {user: np.array(ids, object) for user in ids},
]


@pytest.mark.parametrize(("ids", "plain"), CASES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", [1, 700])
def test_they_are_plain_everywhere(ids: list[Any], plain: list[Any], form: Callable[[Any], Any], times: int) -> None:
    """Beyond 1,000 values texts are coded in another way."""
    data = form(ids)
    if times > 1 and isinstance(data, list):
        data = data * times
    elif times > 1 and isinstance(data, dict):
        data = {user: list(items) * times for user, items in data.items()}
    known = rc.Labels(data)
    assert sorted(known.users.values.tolist()) == sorted(known.items.values.tolist()) == sorted(plain)
    assert {type(one) for one in known.items.values.tolist()} == {type(plain[0])}
    assert known.rows_of(ids[0]) == known.rows_of(plain[0])


def test_many_users_with_enums() -> None:
    for users in (900, 1100):
        run = {user: ["pop", "rock"] for user in range(users)}
        assert rc.evaluate({user: [Genre.POP] for user in run}, run, "mrr")["mrr"] == 1.0
    assert (
        rc.evaluate({genre: ["a"] for genre in Genre}, {"pop": ["a"], "rock": ["a"]}, "mrr", users=list(Genre))["mrr"]
        == 1
    )
    assert rc.explain({Genre.POP: ["a"]}, {"pop": ["a"]}, "mrr", user=Genre.POP).value == 1
    numbers = rc.Evaluator("mrr")
    numbers.update([["a"], ["b"]], [["a"], ["b"]], users=list(Genre))
    assert numbers.compute().users.tolist() == ["pop", "rock"]


def test_two_names_of_one_user_are_one_user() -> None:
    known = rc.Labels({Odd("pop"): ["a"], "rock": ["b"], "pop": ["c"]})
    assert known.users.values.tolist() == ["pop", "rock"]
    assert known.rows_of("pop") == {"a": 1.0, "c": 1.0}


REFUSED = [True, np.True_, 1.0, None, ("a", "b", 1.5), b"a", datetime.date(2020, 1, 1), np.datetime64(1, "ns")]


@pytest.mark.parametrize("odd", [*REFUSED, uuid.UUID(int=1)])
@pytest.mark.parametrize("count", [1, 1500])
def test_what_is_neither_is_refused_in_any_form_and_number(odd: Any, count: int) -> None:
    for data in ({"u": [odd] * count}, [("u", odd)] * count, {"u": np.array([odd] * count, object)[:, None][:, 0]}):
        if isinstance(data, dict) and isinstance(odd, tuple):
            continue
        with pytest.raises(rc.InputError, match=r"(is|are) of type"):
            rc.Run(data)


@pytest.mark.parametrize("make", [np.asarray, pd.Series, lambda times: pl.Series("item", times)])
def test_instants_do_not_become_integers(make: Callable[[Any], Any]) -> None:
    times = np.array(["2020-01-01", "2020-01-02"], "datetime64[ns]")
    with pytest.raises(rc.InputError, match="is of type"):
        rc.Run({"u": make(times)})


def test_pairs_in_an_array_keep_their_numbers() -> None:
    pairs = np.array([("a", 1.0), ("b", 2.0)], [("item", "U1"), ("score", "f8")])
    assert rc.Labels({"u": pairs}).rows_of("u") == {"a": 1.0, "b": 2.0}


BIG = [2**53 + 1, 2**53, 2**53 + 2]


@pytest.mark.parametrize(
    "column",
    [
        lambda ranks: pl.Series(ranks),
        lambda ranks: pl.Series(ranks, dtype=pl.UInt64),
        lambda ranks: pl.Series(ranks, dtype=pl.Int128),
        lambda ranks: pl.Series(ranks, dtype=pl.Decimal(38, 2)),
        lambda ranks: pd.Series(ranks, dtype="Int64"),
        lambda ranks: pd.Series(ranks, dtype="int64[pyarrow]"),
        lambda ranks: pd.Series(ranks, dtype="object"),
        lambda ranks: pa.array(ranks),
    ],
)
def test_large_ranks_are_exact_in_tables(column: Callable[[list[int]], Any]) -> None:
    ranks = column(BIG)
    columns = {"user": ["u"] * 3, "item": ["b", "a", "c"], "rank": ranks}
    library = (
        pl.DataFrame if isinstance(ranks, pl.Series) else pa.table if isinstance(ranks, pa.Array) else pd.DataFrame
    )
    assert rc.Run(library(columns)).rows_of("u")[0] == ["a", "b", "c"]


def test_large_ranks_are_exact_in_files(tmp_path: Path) -> None:
    ranks = [*BIG, 2**70 + 1, 2**70]
    rows = list(zip("baced", ranks, strict=True))
    files = {
        "run.csv": "user,item,rank\n" + "".join(f"u,{item},{rank}\n" for item, rank in rows),
        "run.jsonl": "".join(json.dumps({"user": "u", "item": item, "rank": rank}) + "\n" for item, rank in rows),
        "run.json": json.dumps([{"user": "u", "item": item, "rank": rank} for item, rank in rows]),
        "run.trec": "".join(f"u Q0 {item} {rank} 1 t\n" for item, rank in rows),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert rc.Run(tmp_path / name).rows_of("u")[0] == ["a", "b", "c", "d", "e"], name


def scored(scores: list[Any]) -> list[Any]:
    pairs = list(zip("ab", scores, strict=True))
    columns = {"user": ["u", "u"], "item": ["a", "b"], "score": scores}
    return [
        {"u": dict(pairs)},
        {"u": pairs},
        [("u", *pair) for pair in pairs],
        pl.DataFrame(columns),
        pa.table(columns),
    ]


def test_scores_that_differ_only_beyond_float64_are_refused() -> None:
    for form in scored([2**53, 2**53 + 1]):
        with pytest.raises(rc.InputError, match=r"user 'u', item '[ab]': the score and another of this user differ"):
            rc.Run(form)
    for form in (*scored([2**53, 2**53 + 2]), {"u": {"a": 1.7e300, "b": 2**60 + 1}}):
        assert len(rc.Run(form).item) == 2
    equal = rc.Run({"u": {"a": 2**53 + 1, "b": 2**53 + 1}, "v": {"a": 2**53}})
    assert equal.rows_of("u")[0] == ["a", "b"]


def test_scores_of_more_than_64_bits_are_told_apart_or_refused() -> None:
    wide = np.array([[1, 1]], np.longdouble)
    wide[0, 1] += np.finfo(np.longdouble).eps
    if np.finfo(np.longdouble).eps < np.finfo(np.float64).eps:
        with pytest.raises(rc.InputError, match="differ, and both are 1 as a 64-bit float"):
            rc.Run(wide)


@pytest.mark.parametrize("kind", [int, str])
def test_items_beyond_float64_are_ordered_as_the_numbers_that_they_are(kind: type) -> None:
    low, high = kind(2**53), kind(2**53 + 1)
    spec = "mrr(order=score, ties=number-descending)"
    for items in ([low, high], [high, low]):
        assert rc.evaluate({"u": [high]}, {"u": dict.fromkeys(items, 1.0)}, spec)[spec] == 1.0
