"""The law: the same data give the same number in every container that takes them, or are refused; nothing in between.

Whole numbers beside scores are grades as scikit-learn has them, dicts are told when they are exchanged as tables are,
and scores that differ never become a tie.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray
from scipy import sparse

import rankconv as rc
from tests.laws import examples

SPEC = "ndcg@10"
of_matrices = settings(deadline=None, max_examples=examples.of(quick=4, ci=60))


def number(labels: Any, run: Any) -> float | None:
    """NDCG, or None where the data are refused."""
    try:
        return float(rc.evaluate(labels, run, SPEC, preset="sklearn")[SPEC])
    except rc.InputError:
        return None


def by_hand(grades: NDArray[Any], scores: NDArray[Any]) -> float:
    """NDCG over whole rows, without ties: the sum of grades by the logarithm of rank + 1, by that of the best order."""
    discount = 1 / np.log2(np.arange(grades.shape[1]) + 2)
    grades = grades.astype(float)
    gained = np.take_along_axis(grades, np.argsort(-scores, axis=1), axis=1) @ discount
    return float(np.mean(gained / (np.sort(grades, axis=1)[:, ::-1] @ discount)))


def as_dict(matrix: NDArray[Any]) -> dict[int, dict[int, float]]:
    return {user: dict(enumerate(row)) for user, row in enumerate(matrix.astype(float).tolist())}


def as_rows(matrix: NDArray[Any], number: str) -> dict[str, list[Any]]:
    user, item = (places.ravel().tolist() for places in np.indices(matrix.shape))
    return {"user": user, "item": item, number: matrix.astype(float).ravel().tolist()}


def matrices(matrix: NDArray[Any]) -> list[Any]:
    """The numbers of users by items as matrices."""
    return [matrix, matrix.astype(float), sparse.csr_matrix(matrix.astype(float)), sparse.coo_matrix(matrix)]


def tables(matrix: NDArray[Any], number: str) -> list[Any]:
    """The numbers of users by items as what names users and items, or has floats alone."""
    rows = as_rows(matrix, number)
    each = [
        as_dict(matrix),
        pd.DataFrame(rows),
        pl.DataFrame(rows),
        pa.table(rows),
        [*zip(*rows.values(), strict=True)],
    ]
    return [*each, *matrices(matrix)[1:]]


@of_matrices
@given(
    grades=array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5).flatmap(
        lambda shape: st.sampled_from([np.int64, np.uint8, np.int32, np.bool_]).flatmap(
            lambda kind: arrays(kind, shape, elements=st.booleans() if kind is np.bool_ else st.integers(0, 3))
        )
    ),
    seed=st.integers(0, 99),
)
def test_whole_numbers_beside_scores_are_grades_or_refused(grades: NDArray[Any], seed: int) -> None:
    assume((grades > 0).any(axis=1).all())
    scores = np.random.default_rng(seed).permuted(np.arange(grades.size)).reshape(grades.shape) + 0.5
    expected = by_hand(grades, scores)
    pairs = [(labels, run) for labels in [*matrices(grades), grades.tolist()] for run in matrices(scores)]
    pairs += [(labels, run) for labels in tables(grades, "grade") for run in tables(scores, "score")]
    told = [number(labels, run) for labels, run in pairs]
    assert all(one is None or one == pytest.approx(expected, abs=1e-12) for one in told), told
    assert number(grades, scores) == number(rc.Labels(grades), scores) == pytest.approx(expected, abs=1e-12)


def test_what_may_be_ids_or_grades_names_both_readings() -> None:
    scores = np.array([[0.1, 0.2, 0.3]])
    for labels, run in (
        ([[2, 1, 0]], scores),
        ([[0, 0, 1]], scores),
        (np.array([[2, -1, -1]]), scores),
        (np.array([[2, 1, 0]]), np.array([[5, 6, 7]])),
    ):
        with pytest.raises(
            rc.InputError, match=r"a grade for each item, or item ids\. Pass numpy\.array\(labels, float\)"
        ):
            rc.evaluate(labels, run, "mrr")
    assert rc.evaluate(np.array([[2]]), scores, "mrr")["mrr"] == 1  # one id, of three items
    assert rc.evaluate({0: {2: 1}}, scores, "mrr")["mrr"] == 1


def test_whole_numbers_in_every_verb() -> None:
    labels, scores = np.array([[0, 1, 0, 0], [1, 0, 0, 1]]), np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]])
    wanted = rc.evaluate(labels.astype(float), scores, "mrr")["mrr"]
    batches = rc.Evaluator("mrr")
    for user in range(2):
        batches.update(labels[user : user + 1], scores[user : user + 1])
    assert rc.evaluate(rc.join(labels, scores), "mrr")["mrr"] == batches.compute()["mrr"] == wanted
    assert rc.evaluate(labels, rc.Runs(a=scores), "mrr")["a"]["mrr"] == wanted
    assert rc.compare(labels, scores, "mrr", ["rankconv"])["mrr", "rankconv"] == wanted
    seen = np.array([[1, 0, 0, 0], [0, 0, 0, 1]])
    spec = "mrr(exclude=seen)"
    assert rc.evaluate(labels, scores, spec, seen=seen)[spec] == rc.evaluate(labels, scores, spec, seen=seen > 0)[spec]


whole = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 4), min_size=1, max_size=5)
fractions = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.integers(1, 10**6).map(lambda one: (2 * one + 1) / 1_999_993),
    min_size=1,
    max_size=8,
).filter(lambda row: len(set(row.values())) == len(row))
FORMS: list[Callable[[Any], Any]] = [
    lambda data: data,
    lambda data: {user: list(row.items()) for user, row in data.items()},
    lambda data: [(user, item, value) for user, row in data.items() for item, value in row.items()],
]


@settings(deadline=None, max_examples=examples.of(quick=20, ci=300))
@given(labels=whole, run=fractions, forms=st.tuples(*[st.sampled_from(FORMS)] * 2))
def test_exchanged_numbers_are_refused_and_others_are_not(labels: Any, run: Any, forms: Any) -> None:
    known, ranked = forms[0]({"u": labels}), forms[1]({"u": run})
    with pytest.raises(rc.InputError, match="Are the labels and the rankings exchanged"):
        rc.evaluate(ranked, known, SPEC)
    rc.evaluate(known, ranked, SPEC)
    assert rc.evaluate(ranked, ranked, "mrr")["mrr"] == 1  # fractions on both sides may be grades and scores


@pytest.mark.parametrize(
    ("labels", "run"),
    [
        ({"u": {"a": 0.5, "b": 1.0}}, {"u": {"a": 3, "b": 2, "c": 1}}),  # half a grade
        ({"u": {"a": 1.67, "b": 2, "c": 1, "d": 0}}, {"u": {"a": 3, "b": 2, "c": 1}}),  # few odd grades
        ({"u": {"a": 1 / 3, "b": 2 / 3}}, {"u": {"a": 2, "b": 1}}),  # the means of three people
        ({"u": {"a": 0.7, "b": 0.2}}, {"u": {"a": 30, "b": 20}}),  # scores that are no grades
        ({"u": {"a": 0.7, "b": 0.7, "c": 0.7, "d": 0.2}}, {"u": {"a": 3, "b": 3}}),  # grades alike
        ({"u": {"a": 0.7, "b": 0.2}}, {"u": ["a", "b"]}),
        ({user: {"a": 0.71, "b": 0.2} for user in "uv"}, {user: {"a": 3, "b": 2, "c": 1} for user in "uv"}),  # places
        (
            pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "rating": [0.71, 0.2]}),
            pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "score": [1, 0]}),
        ),  # names tell
    ],
)
def test_fractional_grades_are_no_exchange(labels: Any, run: Any) -> None:
    assert rc.evaluate(labels, run, "ndcg@1")["ndcg@1"] > 0


EPS = np.finfo(np.longdouble).eps
CLOSE = {
    "long double": (np.longdouble(1), np.longdouble(1) + EPS),
    "fraction": (Fraction(1), 1 + Fraction(1, 10**20)),
    "decimal": (Decimal(1), Decimal("1.00000000000000000001")),
    "integer": (2**53, 2**53 + 1),
    "several": (Fraction(1), Decimal("1.00000000000000000001")),
}


@pytest.mark.parametrize("kind", CLOSE)
@pytest.mark.skipif(np.finfo(float).eps == EPS, reason="here long doubles are doubles")
def test_scores_that_differ_are_no_tie(kind: str) -> None:
    lower, higher = CLOSE[kind]
    rows = [("u", "y", lower), ("u", "x", higher)]
    table = {"user": ["u", "u"], "item": ["y", "x"], "score": pd.Series([lower, higher], dtype=object)}
    many = {f"i{at}": lower - 1 - at for at in range(200)} if kind != "several" else {}
    for run in (
        {"u": {"y": lower, "x": higher}},
        {"u": [("y", lower), ("x", higher)]},
        {"u": {**many, "y": lower, "x": higher}},
        rows,
        pd.DataFrame(table),
    ):
        with pytest.raises(rc.InputError, match="as a 64-bit float, which keeps 15 digits"):
            rc.evaluate({"u": ["x"]}, run, "mrr")
    assert rc.evaluate({"u": ["x"]}, {"u": {"y": lower, "x": lower + 2}}, "mrr")["mrr"] == 1
