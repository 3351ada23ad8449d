"""Ids that are more than a text or an integer mean the text or the integer that they are, in any form and number."""

import datetime
import enum
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
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


def test_two_names_of_one_user_are_refused() -> None:
    with pytest.raises(rc.InputError, match="two keys are the same user"):
        rc.Labels({Odd("pop"): ["a"], "rock": ["b"], "pop": ["c"]})


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


TOO_LONG = [2**53 + 1, Fraction(1, 3), Decimal("1.00000000000000000001")]


@pytest.mark.parametrize("number", TOO_LONG)
def test_numbers_that_float64_would_round_are_refused(number: Any) -> None:
    columns = {"user": ["u", "u"], "item": ["a", "b"], "score": [number, number]}
    forms: list[Any] = [{"u": {"a": 1, "b": number}}, {"u": [("a", number)]}, [("u", "a", number)]]
    if not isinstance(number, Fraction):
        kind = pl.Int64 if isinstance(number, int) else pl.Decimal(38, 20)
        forms += [pl.DataFrame(columns, schema_overrides={"score": kind}), pd.DataFrame(columns)]
    for form in forms:
        with pytest.raises(rc.InputError, match=r"the score .* as a 64-bit float, which keeps 15 digits\. Subtract"):
            rc.Run(form)


@pytest.mark.parametrize(
    "form", ["user,item,rank\nu,a,{}\n", "u Q0 a {} 1 t\n", '{{"user": "u", "item": "a", "rank": {}}}\n']
)
def test_so_are_they_in_files(tmp_path: Path, form: str) -> None:
    file = tmp_path / {"us": "a.csv", "u ": "a.run", '{"': "a.jsonl"}[form.format("")[:2]]
    for number in (2**53 + 1, 2**70 + 1):
        file.write_text(form.format(number))
        with pytest.raises(rc.InputError, match=r"line [12]: the rank .* as a 64-bit float, .*\. Number ranks from 1"):
            rc.Run(file)
    for number in (2**53, 2**60, "1e23", "1.2345678901234566e+25", 1.7e300):
        file.write_text(form.format(number))
        assert len(rc.Run(file).item) == 1


def test_numbers_that_float64_keeps() -> None:
    scores = {"a": 1.7e300, "b": 2**60, "c": 10**23, "d": Decimal("0.1"), "e": Fraction(1, 4), "f": np.longdouble(1)}
    assert len(rc.Run({"u": scores}).item) == len(scores)


def test_arrays_of_more_than_64_bits() -> None:
    wide = np.array([[1, 1]], np.longdouble)
    assert rc.Run(wide).row_count == 2
    wide[0, 1] += np.finfo(np.longdouble).eps
    if np.finfo(np.longdouble).eps < np.finfo(np.float64).eps:
        with pytest.raises(rc.InputError, match="is 1 as a 64-bit float"):
            rc.Run(wide)


@pytest.mark.parametrize("kind", [int, str])
def test_items_beyond_float64_are_ordered_as_the_numbers_that_they_are(kind: type) -> None:
    low, high = kind(2**53), kind(2**53 + 1)
    spec = "mrr(order=score, ties=number-descending)"
    for items in ([low, high], [high, low]):
        assert rc.evaluate({"u": [high]}, {"u": dict.fromkeys(items, 1.0)}, spec)[spec] == 1.0
