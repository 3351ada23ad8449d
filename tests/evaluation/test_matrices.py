"""Matrices of scores, of which the first rows alone are read where that is enough, give what all rows give."""

import tracemalloc
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import rankconv as rc
from rankconv.data import inputs
from rankconv.data.array_libraries import ScoreMatrix
from rankconv.data.inputs.array_input import as_matrix
from rankconv.engine import measure, plan
from rankconv.evaluation import matrices
from rankconv.evaluation.joining import join
from rankconv.evaluation.matrices import measure_matrix
from rankconv.evaluation.results import circumstances
from tests.laws import examples

USERS, ITEMS = 60, 40
SIDE = {"seen": None, "catalogue": 60, "train": None, "item_features": None}
MORE_DATA = {"train", "features", "item_features", "labels in groups", "weights of groups"}


@cache
def definitions(k: int) -> list[rc.Definition]:
    """Every metric of every preset at this cutoff, that needs labels and scores alone."""
    found = {}
    for name in rc.list_presets(eras=True):
        preset = rc.preset(name)
        for metric in preset.metrics:
            if preset.offers(preset.read(f"{metric}@{k}")):
                [one] = preset.define(f"{metric}@{k}")
                found[one.text] = one
    return [one for one in found.values() if not MORE_DATA & {*one.needs}]


def scores(random: np.random.Generator, levels: int, dtype: Any = np.float32) -> Any:
    """So many different scores; some users have few items or none."""
    drawn = random.integers(0, levels, (USERS, ITEMS)).astype(dtype) / 4
    drawn[random.random(drawn.shape) < 0.1] = -np.inf
    drawn[:3], drawn[3, :2], drawn[3, 2:] = -np.inf, 1, -np.inf
    return drawn


def grades(random: np.random.Generator, kind: str) -> Any:
    """Grades of all items: one user has none above 0, one has all."""
    drawn = (random.random((USERS, ITEMS)) < 0.15) * random.integers(0, 4, (USERS, ITEMS)).astype(float)
    if kind == "negative":
        drawn[random.random(drawn.shape) < 0.05] = -1
    if kind == "fractions":
        drawn *= 0.7
    drawn[5], drawn[6] = 0, 1
    return drawn > 0 if kind == "binary" else drawn


def few(drawn: Any, random: np.random.Generator) -> dict[int, dict[int, float]]:
    """The labels that are not 0 as a dict, with two others of each user; one user is not in it."""
    found = {
        user: {int(item): float(drawn[user, item]) for item in np.flatnonzero(drawn[user])} for user in range(USERS)
    }
    for labels in found.values():
        for item in random.choice(ITEMS, 2).tolist():
            labels.setdefault(item, 0.0)
    return {user: labels for user, labels in found.items() if user != 7}


def assert_equal(
    labels: Any, run: Any, some: list[rc.Definition], seen: Any = None, at: Callable[[Any], ScoreMatrix] = as_matrix
) -> int:
    """Compare with the same data read whole; return for how many definitions whole lists were read.

    `at` brings the scores to where they are read.
    """
    side, whole = {**SIDE, "seen": seen}, list[int]()
    with pytest.MonkeyPatch.context() as patch:
        watched = lambda data, left, *more, **how: whole.append(len(left)) or measure(data, left, *more, **how)
        patch.setattr(matrices, "measure", watched)
        patch.setattr(matrices, "CELLS", 9 * ITEMS)  # seven blocks, of which the last is short
        _, found = measure_matrix(labels, at(run), some, side, None, per_user=True)
    known = measure(join(inputs.labels(labels), inputs.rankings(run), **side), some, None)
    for one, other in zip(found, known, strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True), one.definition.text
        assert np.array_equal(one.mean, other.mean, equal_nan=True), one.definition.text
        assert one.counts == other.counts, one.definition.text
        assert [each.why for each in one.refusals] == [each.why for each in other.refusals], one.definition.text
    return sum(whole)


@pytest.mark.parametrize(
    ("levels", "kind", "dense"),
    [
        *((1, "binary", True), (2, "fractions", False)),
        *((8, "negative", True), (8, "binary", False), (10**6, "graded", False)),
    ],
)
def test_first_rows_give_what_all_rows_give(levels: int, kind: str, dense: bool) -> None:
    random = np.random.default_rng([levels, len(kind), dense])
    run, drawn = scores(random, levels), grades(random, kind)
    labels = drawn if dense else few(drawn, random)
    k = Random(levels).choice([1, 3, 10])
    some = Random(f"{levels}{kind}{dense}").sample(definitions(k), examples.of(quick=120, ci=600))
    assert assert_equal(labels, run, some) < len(some)


@pytest.mark.parametrize(("levels", "k"), [(8, 3), (30, 10)])
def test_users_without_ties_have_the_same_values_among_others(
    levels: int, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where users are few, those without ties are prepared with those who have some."""
    random = np.random.default_rng(levels)
    run = scores(random, levels)
    run[20:] = scores(random, 10**6)[20:]
    labels, found = few(grades(random, "graded"), random), []
    some = Random(levels).sample(definitions(k), examples.of(quick=150, ci=600))
    for most in (0, USERS):
        monkeypatch.setattr(plan, "FEW_USERS", most)
        found.append(measure(join(inputs.labels(labels), inputs.rankings(run), **SIDE), some, None))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True), one.definition.text
        assert np.array_equal(one.mean, other.mean, equal_nan=True), one.definition.text
        assert one.counts == other.counts, one.definition.text


@pytest.mark.parametrize("unlabelled_only", [True, False], ids=["unlabelled", "any"])
def test_seen_items_are_masked(unlabelled_only: bool) -> None:
    random = np.random.default_rng(8)
    run, drawn = scores(random, 8), grades(random, "graded")
    labels = few(drawn, random)
    drawn_items = {user: {*random.choice(ITEMS, 6).tolist()} for user in range(USERS)}
    labelled = {user: {*labels.get(user, ())} if unlabelled_only else set[int]() for user in range(USERS)}
    seen = {user: sorted(items - labelled[user]) for user, items in drawn_items.items()}
    some = [one.replace(exclude="seen") for one in Random(5).sample(definitions(3), 40)]
    whole = assert_equal(labels, run, some, seen)
    assert whole < len(some) if unlabelled_only else whole == len(some)


def test_scores_that_are_equal_in_single_precision_alone() -> None:
    random = np.random.default_rng(1)
    run = 1 + scores(random, 30, float) * 1e-9
    some = [one for one in definitions(3) if one.applied.compared.narrow]
    assert len(some) > 30
    assert assert_equal(few(grades(random, "graded"), random), run, some) < len(some)


def test_missing_grades_and_integers() -> None:
    random = np.random.default_rng(2)
    run, drawn = scores(random, 8), grades(random, "graded")
    some = Random(2).sample(definitions(3), 50)
    assert_equal(drawn.astype(int), run, some)
    drawn[8, :3], drawn[9] = np.nan, np.nan
    assert_equal(drawn, run, some)


@pytest.mark.parametrize("graded", [True, False])
def test_labels_of_every_form_give_the_same(graded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without labels is a row of zeros, of padding, an empty list, and no row of a sparse matrix."""
    monkeypatch.setattr(circumstances, "HELD_ROWS", 0)
    random = np.random.default_rng(6)
    drawn = grades(random, "graded" if graded else "binary") * 1
    drawn[-1], drawn[6, 0] = 0, 0
    run = np.maximum(scores(random, 8), -9)
    lists = [np.flatnonzero(row).tolist() for row in drawn]
    padded = np.array([row + [-1] * (ITEMS - len(row)) for row in lists])[:, : max(map(len, lists))]
    kinds = [np.float32, np.float16, np.int8, np.int64, np.uint8]
    forms = [*(drawn.astype(kind) for kind in kinds), np.asfortranarray(drawn)]
    forms += [kind(drawn.astype(np.float32)) for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix)]
    if not graded:
        forms += [drawn > 0, lists, dict(enumerate(lists)), padded, padded.astype(np.int32)]
    else:
        forms.append({user: {item: drawn[user, item] for item in items} for user, items in enumerate(lists)})
    metrics = ["ndcg@5", "recall@3", "mrr@10", "sklearn:ndcg@3"]
    for form in forms:
        for values in (run, np.asfortranarray(run), run.astype(np.float64), run[::-1][::-1]):
            assert dict(rc.evaluate(form, values, metrics)) == dict(rc.evaluate(drawn, run, metrics))


def test_a_large_matrix_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first user has relevant items at ranks 1, 3 and 5; the caller's array is not changed."""
    monkeypatch.setattr(circumstances, "HELD_ROWS", 0)
    run = np.array([[0.1, 0.9, 0.5, 0.7, 0.0], [0.5, 0.4, 0.3, 0.2, 0.1]])
    before = run.copy()
    labels = np.array([[0, 1, 1, 0, 1], [0, 0, 0, 0, 1]])
    found = rc.evaluate(labels, run, ["recall@3", "mrr@3", "map"], "rankconv")
    assert found.per_user["recall@3"].tolist() == [2 / 3, 0]
    assert found.per_user["mrr@3"].tolist() == [1, 0]
    assert found.per_user["map"].tolist() == pytest.approx([(1 + 2 / 3 + 3 / 5) / 3, 1 / 5])
    several = rc.evaluate(labels, {"one": run, "other": -run}, "recall@3", seen={0: [1]})
    assert {name: one["recall@3"] for name, one in several.items()} == pytest.approx({"one": 1 / 3, "other": 5 / 6})
    masked = rc.evaluate(labels, run, "recall(exclude=seen)@3", seen={0: [1]})
    assert masked.per_user["recall(exclude=seen)@3"].tolist() == [1 / 3, 0]
    assert np.array_equal(run, before)


@pytest.mark.parametrize("few_rows", [0, 10**6], ids=["first rows", "all rows"])
@pytest.mark.parametrize(
    ("value", "message"),
    [(np.nan, r"row 1, column 2 of the scores: the score is nan.*nan_to_num"), (np.inf, "(column|item) 2.* inf")],
)
def test_scores_that_are_no_numbers(value: float, message: str, few_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(circumstances, "HELD_ROWS", few_rows)
    run = np.ones((3, 4))
    run[1, 2] = value
    with pytest.raises(rc.InputError, match=message):
        rc.evaluate({0: [1]}, run, "ndcg@2")
    with pytest.raises(rc.InputError, match="every score is -inf"):
        rc.evaluate({0: [1]}, np.full((3, 4), -np.inf), "ndcg@2")
    one_empty = np.array([[1, 0.5], [-np.inf, -np.inf]])
    assert rc.evaluate({0: [0], 1: [0]}, one_empty, "hit_rate@1").per_user["hit_rate@1"].tolist() == [1, 0]


@pytest.mark.parametrize("kept", [True, False], ids=["users kept", "sums alone"])
@pytest.mark.parametrize("metrics", [["ndcg@3", "map@5", "blog:ndcg@3"], ["ndcg@3", "auc"], ["sklearn:ndcg@5"]])
def test_batches_of_a_matrix_give_what_one_call_gives(metrics: list[str], kept: bool) -> None:
    random = np.random.default_rng(4)
    run, labels = np.maximum(scores(random, 8), -9), grades(random, "graded")
    whole = rc.evaluate(labels, run, metrics)
    evaluator = rc.Evaluator(metrics) if kept else rc.Evaluator(metrics, per_user=False, repeated_users="unchecked")
    for start in range(0, USERS, 7):
        evaluator.update(labels[start : start + 7], run[start : start + 7])
    assert dict(evaluator.compute()) == dict(whole)


def test_users_of_a_batch_have_names() -> None:
    random = np.random.default_rng(5)
    run, labels = np.maximum(scores(random, 8), -9), grades(random, "binary")
    evaluator = rc.Evaluator(["torchmetrics:precision@3", "sklearn:ndcg@3"])
    evaluator.update(labels, run, users=[f"user {row}" for row in range(USERS)])
    found, known = evaluator.compute(), rc.evaluate(labels, run, ["torchmetrics:precision@3", "sklearn:ndcg@3"])
    assert found.users.tolist() == [f"user {row}" for row in known.users.tolist()]
    assert np.array_equal(found.per_user["sklearn:ndcg@3"], known.per_user["sklearn:ndcg@3"], equal_nan=True)


def test_scores_that_all_tie_give_expected_values_in_little_memory() -> None:
    """Each of 20 relevant items is as likely at each of 2,000 ranks as any other."""
    run = np.zeros((300, 2_000), np.float32)
    labels = {user: list(range(user, user + 20)) for user in range(300)}
    for known in (labels, np.array([[user <= item < user + 20 for item in range(2_000)] for user in range(300)])):
        rc.evaluate(known, run, "precision@10")
        tracemalloc.start()
        found = rc.evaluate(known, run, ["precision@10", "recall@10", "mrr@1"])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert dict(found) == pytest.approx({"precision@10": 20 / 2000, "recall@10": 10 / 2000, "mrr@1": 20 / 2000})
        assert peak < run.nbytes


@pytest.mark.parametrize("dense", [False, True], ids=["few labels", "a grade for each item"])
def test_whole_lists_are_read_block_by_block(dense: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """AUC of 1 for user 0, whose relevant items are first, and 0.5 where all scores tie; memory of some blocks."""
    monkeypatch.setattr(matrices, "CELLS", 20_000)
    run = np.random.default_rng(3).random((1_000, 1_000))
    run[0], run[1] = np.arange(1_000), 0
    labels = {user: [997, 998, 999] for user in range(1_000)}
    known = np.zeros(run.shape)
    known[:, 997:] = 1
    metrics = ["auc", "ndcg", "ndcg@5"]
    call = lambda: rc.evaluate(known if dense else labels, run, metrics, "sklearn" if dense else "rankconv")
    call()
    tracemalloc.start()
    found = call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.per_user["auc"][:2].tolist() == [1, 0.5]
    assert found.per_user["ndcg"][0] == 1
    assert peak < run.nbytes


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("dtype", [float, int])
def test_a_table_of_numbers_is_no_matrix(library: str, dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However large: its columns are users, items and scores, and an array of it has the shape of a matrix."""
    table = pytest.importorskip(library)
    monkeypatch.setattr(circumstances, "HELD_ROWS", 0)
    make = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[library]
    columns = {"user": [0, 0, 1, 1], "item": [1, 2, 1, 2], "score": [0.5, 0.9, 0.3, 0.1]}
    columns = {name: np.array(values, dtype if name != "score" else float) for name, values in columns.items()}
    run = getattr(table, make)(columns)
    labels = {0: [1], 1: [1]}
    assert rc.evaluate(labels, run, "mrr@2").per_user["mrr@2"].tolist() == [0.5, 1]
    several = rc.evaluate(labels, rc.Runs(a=run, b=run), "mrr@2")
    assert {name: one["mrr@2"] for name, one in several.items()} == {"a": 0.75, "b": 0.75}
    evaluator = rc.Evaluator("mrr@2")
    evaluator.update(labels, run)
    assert evaluator.compute()["mrr@2"] == 0.75


def test_a_label_of_an_item_without_a_column_is_refused() -> None:
    run = np.random.default_rng(0).random((3, 4))
    with pytest.raises(rc.InputError, match=r"item 7 of the labels is none of the 4 columns of the run. Number items"):
        rc.evaluate({0: [1], 1: [7]}, run, "mrr")
    named = rc.Run(run, item_ids=[5, 6, 7, 8])
    assert rc.evaluate({0: [7], 1: [8]}, named, "hit_rate")["hit_rate"] == 1
    evaluator = rc.Evaluator("hit_rate")
    evaluator.update([[1], [2], [3]], run)
    evaluator.update([[1], [2], [3]], run)
    assert evaluator.compute()["hit_rate"] == 1


@pytest.mark.parametrize(
    ("users", "form"), [(20, np.asarray), (700, lambda seen: seen * 1.0), (700, sparse.csr_matrix)]
)
def test_seen_items_of_a_matrix_are_those_that_are_not_0(users: int, form: Callable[[Any], Any]) -> None:
    """Whether the matrix of scores is small or large, as -inf in the place of these items."""
    random = np.random.default_rng(0)
    scores, labels, seen = (
        random.random((users, 600)),
        random.random((users, 600)) > 0.95,
        random.random((users, 600)) > 0.9,
    )
    found = rc.evaluate(labels, scores, "ndcg(exclude=seen)@10", seen=form(seen))
    masked = rc.evaluate(labels, np.where(seen, -np.inf, scores), "ndcg@10")
    assert found["ndcg(exclude=seen)@10"] == masked["ndcg@10"]


@pytest.mark.parametrize("users", [20, 700])
def test_a_labelled_user_or_item_outside_the_matrix_is_refused(users: int) -> None:
    scores = np.random.default_rng(0).random((users, 600))
    with pytest.raises(rc.InputError, match=rf"user 5000 of the labels is none of the {users} rows.*user_ids="):
        rc.evaluate({0: [1], 5000: [2]}, scores, "ndcg@10")
    with pytest.raises(rc.InputError, match=r"item 600 of the labels is none of the 600 columns.*item_ids="):
        rc.evaluate({0: [1, 600]}, scores, "ndcg@10")
