"""Labels and rankings that cannot belong together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import rankconv as rc

RANDOM = np.random.default_rng(7)
SCORES, HITS = RANDOM.random((4, 20)), (RANDOM.random((4, 20)) < 0.3).astype(float)


def refused(labels: Any, run: Any, **beside: Any) -> str:
    with pytest.raises(rc.InputError) as error:
        rc.evaluate(labels, run, "map", **beside)
    return str(error.value)


@pytest.mark.parametrize("shape", [(5, 20), (4, 21), (3, 20), (4, 19)])
@pytest.mark.parametrize("form", [np.asarray, np.asmatrix, lambda array: array.astype(np.float32)])
@pytest.mark.filterwarnings("ignore:.*matrix subclass:PendingDeprecationWarning")
def test_dense_arrays_of_different_shape(shape: tuple[int, int], form: Callable[[Any], Any]) -> None:
    said = refused(HITS, form(RANDOM.random(shape)))
    assert said == (
        f"the arrays do not fit each other (the labels: an array of shape (4, 20); the run: an array of shape "
        f"{shape}). Both have one row for each user, and one column for each item. Give both the same users and items; "
        "a user without any has zeros, an empty list, or padding where there are ids; or say which "
        f"{'columns' if shape[0] == 4 else 'rows'} there are: rc.Run(run, {'item' if shape[0] == 4 else 'user'}_ids=…)."
    )
    assert f"shape {shape}" in refused(np.zeros(shape), SCORES)
    numbers = rc.Evaluator("map")
    with pytest.raises(rc.InputError, match="do not fit each other"):
        numbers.update(HITS, form(RANDOM.random(shape)))
    assert "seen=: an array" in refused(HITS, SCORES, seen=np.zeros(shape, bool))


def test_ids_have_as_many_users_and_so_have_sparse_matrices() -> None:
    ids = np.argsort(-SCORES, axis=1)[:, :5]
    assert (
        rc.evaluate(HITS, ids, "precision@5")["precision@5"] == rc.evaluate(HITS, SCORES, "precision@5")["precision@5"]
    )
    assert "an array of item ids of shape (3, 5)" in refused(HITS, ids[:3])
    assert "a sparse matrix of shape (4, 21)" in refused(sparse.csr_matrix((4, 21)), SCORES)
    assert "a sparse matrix of shape (5, 20)" in refused(HITS, sparse.csr_matrix((5, 20)))
    small = sparse.csr_matrix(HITS[:3, :15])
    for scores in (SCORES, sparse.csr_matrix(SCORES)):
        assert "(the labels: a sparse matrix of shape (3, 15); the run: " in refused(small, scores)
        assert len(rc.join(rc.Labels(small, user_ids=range(3), item_ids=range(15)), scores).users) == 4


def test_roles_that_look_exchanged() -> None:
    said = refused(SCORES, HITS)
    assert said == (
        "a NumPy array of grades and a NumPy array of scores: 80 of the 80 grades are fractions, and the scores are "
        "only 0 and 1. Are the labels and the rankings exchanged? Labels come first; if not, say so: "
        "rc.Labels(labels), rc.Run(run)."
    )
    told = {"labels": rc.Labels(SCORES), "run": rc.Run(HITS)}
    found = rc.evaluate(SCORES, 20 * HITS, "ndcg")["ndcg"]
    for name, one in told.items():
        assert rc.evaluate(**{"labels": SCORES, "run": HITS, name: one}, metrics="ndcg")["ndcg"] == found > 0
    grades = np.floor(4 * RANDOM.random((4, 20)))
    assert "are only 0 and 1 and 2 and 3" in refused(SCORES, grades)
    as_dicts = [dict(enumerate(row)) for row in SCORES.tolist()], [dict(enumerate(row)) for row in HITS.tolist()]
    assert "exchanged" in refused(*as_dicts)
    by_user = [dict(enumerate(one)) for one in as_dicts]
    assert "exchanged" in refused(*by_user)
    assert rc.evaluate(labels=by_user[0], run=by_user[1], metrics="ndcg")["ndcg"] == found
    assert "exchanged" in refused(sparse.csr_matrix(SCORES), sparse.csr_matrix(HITS))


def test_what_only_resembles_an_exchange_is_evaluated() -> None:
    soft = {user: {item: float(RANDOM.random()) for item in "abcdef"} for user in "uvwxyz"}
    for run in (
        {user: {"a": 5, "b": 4, "c": 3, "d": 2, "e": 1} for user in soft},
        {user: list("abc") for user in soft},
    ):
        assert rc.evaluate(soft, run, "ndcg")["ndcg"] > 0
    stars = {user: {item: place / 2 for place, item in enumerate("abcdef")} for user in soft}
    assert rc.evaluate(stars, {user: dict.fromkeys("abcdef", 1) for user in soft}, "ndcg")["ndcg"] > 0


def test_whole_numbers_that_are_no_ids() -> None:
    assert "lists with an item twice, of 0, 1. Are the labels and the rankings exchanged?" in refused(
        SCORES, HITS.astype(int)
    )
    assert "if these are scores, pass numpy.array(run, float)" in refused(HITS, np.argsort(SCORES, axis=1) + 1)
    assert "the run has the item 20, and the labels have the 20 columns 0 to 19" in refused(HITS, np.full((4, 1), 20))


COUNTS = np.array([RANDOM.permutation(900)[:20] for _ in range(4)])
"""Scores that are whole numbers, no two of a user equal."""
RELEVANT = [np.flatnonzero(row).tolist() for row in HITS]
FORMS: list[Callable[[Any], Any]] = [np.asarray, lambda counts: counts.astype(np.int32), np.ndarray.tolist]


@pytest.mark.parametrize("form", FORMS, ids=["array", "int32", "lists"])
@pytest.mark.parametrize(
    "labels", [RELEVANT, dict(enumerate(RELEVANT)), sparse.csr_matrix(HITS)], ids=["lists", "dict", "CSR"]
)
def test_whole_scores_of_all_items_are_not_read_as_ids(labels: Any, form: Callable[[Any], Any]) -> None:
    """Ids of 900 items of which labels name the first 20 alone are scores; an item that is twice in a list tells."""
    for counts, why in ((COUNTS, "0 to 8"), (COUNTS // 100, "row 0 has a number twice")):
        said = refused(labels, form(counts))
        assert "4 lists of 20 whole numbers may be item ids, best first, or scores of the items 0 to 19: " in said
        assert why in said
        assert "Pass numpy.array(run, float) if they are scores, and {user: [ids]} if they are item ids" in said
        evaluator = rc.Evaluator("map")
        with pytest.raises(rc.InputError, match="scores of the items 0 to 19"):
            evaluator.update(labels, form(counts))
        read = rc.evaluate(labels, np.array(form(counts), float), "map")
        assert read["map"] == rc.evaluate(labels, counts * 1.0, "map")["map"] > 0
    named = rc.Run(np.array(COUNTS), user_ids=range(4))
    assert "may be item ids" in refused(labels, named)
    by_user = dict(enumerate(COUNTS.tolist()))
    if sparse.issparse(labels):
        assert "of the run is none of the 20 columns of the labels" in refused(labels, by_user)
    else:
        assert rc.evaluate(labels, by_user, "map")["map"] < 0.01  # as ids, of which one is relevant by chance
    assert "the run has the item 8" in refused(HITS, form(COUNTS))


def test_lists_of_all_items_are_read_as_ids_and_it_is_said() -> None:
    """Whole numbers that are each of 0 to 19 once are the items, as `argsort` gives them; few labels decide nothing."""
    ranked = np.argsort(-SCORES, axis=1)
    found = rc.evaluate(RELEVANT, ranked, "map")
    assert found["map"] == rc.evaluate(RELEVANT, SCORES, "map")["map"]
    assert found.notes == ("Run: 4 lists of 20 whole numbers are item ids, best first; scores would be floats.",)
    assert not rc.evaluate(RELEVANT, ranked[:, :10], "map").notes  # label 19 is the number of no column
    assert not rc.evaluate(RELEVANT, ranked.tolist(), "map").notes
    assert rc.evaluate([[0], [1]], np.array([[5, 6], [7, 8]]), "map")["map"] == 0
    assert rc.evaluate([[0]], [[5, 0, 7]], "mrr")["mrr"] == 0.5
    random = [sorted(RANDOM.choice(900, 100, replace=False).tolist(), key=lambda item: item > 20) for _ in range(50)]
    assert rc.evaluate([[*filter(lambda item: item < 20, one)] or [0] for one in random], random, "map")["map"] > 0.5


def test_a_dict_names_users_so_that_its_lists_are_ids() -> None:
    run = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    assert rc.evaluate({0: [0, 1, 2], 1: [1, 2, 0]}, run, "recall@3")["recall@3"] == 1
    assert "a grade for each item, or item ids" in refused([[0, 1, 2], [1, 2, 0]], run)


def test_lists_of_relevant_items_in_place_of_rankings() -> None:
    """They rise by item; lists that a model ranked do not, and whole grades are no scores."""
    lists = [np.flatnonzero(row).tolist() for row in HITS]
    padded = np.array([row + [-1] * (20 - len(row)) for row in lists])
    for run in (lists, padded, {user: [*map(int, row)] for user, row in enumerate(lists)}):
        assert "each list without scores rises by item. Are the labels and the rankings exchanged?" in refused(
            SCORES, run
        )
    ranked = [row[::-1] for row in lists]
    assert rc.evaluate(np.round(3 * SCORES), lists, "map")["map"] > 0
    assert rc.evaluate(SCORES, ranked, "map")["map"] > 0


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_exchanged_tables(make: Callable[[Any], Any]) -> None:
    ids = {"user": ["u", "u"], "item": ["a", "b"]}
    labels, ranked, scored = (make(ids | more) for more in ({"rating": [1, 0]}, {"rank": [1, 2]}, {"score": [0.5, 0]}))
    assert "of the grade, and there is 'rank'. Are the labels and the rankings exchanged?" in refused(ranked, labels)
    assert "of the grade, and there is 'score'. Are the labels and the rankings exchanged?" in refused(scored, labels)
    assert "of the score or the rank, and there is 'rating'. Are the labels" in refused(labels, labels)
    assert rc.evaluate(labels, ranked, "mrr")["mrr"] == 1


@pytest.mark.parametrize("number", ["rank", "score"])
def test_exchanged_files_are_called_exchanged(tmp_path: Path, number: str) -> None:
    labels, run, lines = tmp_path / "labels.csv", tmp_path / "run.csv", tmp_path / "run.jsonl"
    labels.write_text("user,item,grade\nu,a,1\nu,b,0\n")
    run.write_text(f"user,item,{number}\nu,a,1\nu,b,2\n")
    lines.write_text(f'{{"user": "u", "item": "a", "{number}": 1}}\n')
    for file in (run, lines):
        assert "Are the labels and the rankings exchanged?" in refused(file, labels)


def test_seen_is_what_is_not_zero_in_a_matrix_and_of_the_same_type() -> None:
    spec = "precision(exclude=seen)@2"
    told = [rc.evaluate(HITS, SCORES, spec, seen=seen)[spec] for seen in (HITS > 0, HITS, sparse.csr_matrix(HITS))]
    assert told == [0.0] * 3
    none = rc.evaluate(HITS, SCORES, spec, seen=np.zeros((4, 20), bool))[spec]
    assert none == rc.evaluate(HITS, SCORES, "precision@2")["precision@2"] > 0
    assert "items have names in seen= ('3'), and are the columns 0 to 19 in the run" in refused(
        HITS, SCORES, seen={0: ["3"]}
    )
    by_id = {0: {1: 1}}, {0: {1: 0.5}}
    assert "item ids are text in seen= ('3') and integer elsewhere" in refused(*by_id, seen={0: ["3"]})


ITEMS = range(100)


@pytest.mark.parametrize(
    "catalogue",
    [
        *(100, np.int64(100), list(ITEMS), set(ITEMS), ITEMS, np.arange(100), np.repeat(np.arange(100), 2)),
        *(iter(ITEMS), pd.Series(ITEMS), pl.Series(ITEMS), pd.Index(ITEMS), dict.fromkeys(ITEMS)),
        [*ITEMS, 1, np.int64(2)],
    ],
    ids=lambda given: type(given).__name__,
)
def test_forms_of_a_catalogue(catalogue: Any) -> None:
    assert rc.join({1: [1]}, {1: [2]}, catalogue=catalogue).extra.catalogue == 100


@pytest.mark.parametrize(
    ("catalogue", "said"),
    [
        (pd.DataFrame({"item": ITEMS}), "catalogue= is a DataFrame, and its columns are not the items. Pass"),
        (pl.DataFrame({"item": ITEMS}), "catalogue= is a DataFrame"),
        (pl.LazyFrame({"item": ITEMS}), "catalogue= is a LazyFrame"),
        (np.zeros((4, 20)), "catalogue= is an array of shape (4, 20), and its rows are not the items. Pass"),
        (sparse.csr_matrix((4, 20)), "catalogue= is an array of shape (4, 20)"),
        ([1, 2.5], "the catalogue, entry 1: the item id 2.5 is of type float"),
        ([[1], [2]], "the catalogue, entry 0: the item id [1] is of type list"),
        (2, "the catalogue has 2 items, and the labels and lists have 3. The catalogue is all items that there are"),
        (["a", "b", "a"], "the catalogue has 2 items, and the labels and lists have 3."),
        ("items.txt", "catalogue='items.txt' is not a catalogue"),
        (0, "catalogue=0 is not a number of items"),
    ],
)
def test_what_is_no_catalogue(catalogue: Any, said: str) -> None:
    assert refused({1: ["a"], 2: ["b"]}, {1: ["c"], 2: ["b"]}, catalogue=catalogue).startswith(said)


@pytest.mark.parametrize("grades", [np.ones((2, 3)), {0: dict.fromkeys(range(3), 1), 1: dict.fromkeys(range(3), 1)}])
def test_grades_that_are_all_1_are_not_lists_of_ids(grades: Any) -> None:
    assert rc.evaluate(grades, np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), "ndcg@2")["ndcg@2"] == 1


@pytest.mark.parametrize("run", [[[1], [2], [3]], np.array([[1, 2], [2, 1], [1, 3]]), np.ones((3, 4))])
def test_lists_in_turn_are_as_many_on_both_sides(run: Any) -> None:
    with pytest.raises(
        rc.InputError, match=r"the labels: 2 lists in turn; the run: .*3.*say which rows there are: rc.Run"
    ):
        rc.evaluate([[1], [2]], run, "mrr")
    read = rc.Labels([[1], [2]], user_ids=range(2))
    assert len(rc.evaluate(read, run, "mrr").per_user["mrr"]) == 3
    assert len(rc.evaluate({0: [1], 1: [2]}, run, "mrr").per_user["mrr"]) == 3


def test_whole_numbers_that_repeat_in_turn_may_be_grades_of_the_lists() -> None:
    run = [[3, 1, 2], [2, 1]]
    with pytest.raises(rc.InputError, match=r"have items twice, and as many entries as the lists.* or grades"):
        rc.evaluate([[1, 0, 1], [0, 1]], run, "mrr")
    assert rc.evaluate([[1, 0, 1], [0]], run, "mrr")["mrr"] == 0.25
