"""The law: batches of users in any split, and data in any form, give what one call gives, to the last bit."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import rankconv as rc
from tests.laws import examples

USERS, ITEMS = 30, 40
SPECS = ["ndcg(exclude=seen)@5", "map(exclude=seen)", "recall@3", "novelty@5", "popularity@5", "mrr(exclude=seen)"]
Form = Callable[[sparse.csr_matrix], Any]


def csr(seed: int, density: float) -> sparse.csr_matrix:
    matrix = sparse.random(USERS, ITEMS, density, format="csr", random_state=seed)
    matrix.data[:] = 1
    return matrix


LABELS, SEEN, TRAIN = csr(1, 0.1), csr(2, 0.2), csr(3, 0.2)
SCORES = np.random.default_rng(0).permutation(USERS * ITEMS).reshape(USERS, ITEMS) / 8


def lists(matrix: sparse.csr_matrix) -> list[list[int]]:
    return [matrix[row].indices.tolist() for row in range(matrix.shape[0])]


def padded(matrix: sparse.csr_matrix) -> Any:
    rows = lists(matrix)
    return np.array([row + [-1] * (ITEMS // 2 - len(row)) for row in rows])


def by_user(users: Any) -> Form:
    return lambda matrix: dict(zip(map(int, users), lists(matrix), strict=True))


def frame(users: Any) -> Form:
    def made(matrix: sparse.csr_matrix) -> Any:
        user, item = matrix.nonzero()
        return pd.DataFrame({"user": np.asarray(users)[user], "item": item})

    return made


BY_ROW: dict[str, Form] = {"CSR": lambda m: m, "dense": lambda m: m.toarray(), "lists": lists, "array": padded}
BY_NAME: dict[str, Callable[[Any], Form]] = {"dict": by_user, "frame": frame}


def at_once() -> rc.Result:
    return rc.evaluate(LABELS, SCORES, SPECS, seen=SEEN, train=TRAIN)


def same(found: rc.Result, whole: rc.Result) -> None:
    """All numbers and the values of all users, to the last bit; users may come in another order."""
    for spec in SPECS:
        assert float(found[spec]).hex() == float(whole[spec]).hex(), spec
        values, others = (dict(zip(one.users.tolist(), one.per_user[spec], strict=True)) for one in (found, whole))
        np.testing.assert_array_equal([values[user] for user in others], [*others.values()])


def splits(draw: np.random.Generator) -> list[Any]:
    cuts = np.sort(draw.choice(np.arange(1, USERS), int(draw.integers(0, 5)), replace=False))
    return np.split(draw.permutation(USERS), cuts)


@pytest.mark.parametrize("labels", [*BY_ROW, *BY_NAME])
@pytest.mark.parametrize("seen", [*BY_ROW, *BY_NAME])
def test_side_data_of_each_batch(labels: str, seen: str) -> None:
    whole = at_once()
    for seed in range(examples.of(quick=1, ci=8)):
        numbers = rc.Evaluator(SPECS, train=TRAIN)
        for users in splits(np.random.default_rng(seed)):
            of_users = {**BY_ROW, **{name: form(users) for name, form in BY_NAME.items()}}
            given = of_users[labels](LABELS[users]), SCORES[users]
            seen_rows = rc.Labels(SEEN[users], user_ids=users) if len(users) == USERS else of_users[seen](SEEN[users])
            numbers.update(*given, users=users, seen=seen_rows)
        same(numbers.compute(), whole)


@pytest.mark.parametrize("form", ["CSR", "dense", "lists", "dict", "frame"])
@pytest.mark.parametrize("run", ["scores", "array", "lists", "dict"])
def test_side_data_of_all_users_are_given_once(form: str, run: str) -> None:
    """Lists of item ids in place of scores, too: the first ten of a user decide each of these metrics."""
    every = range(USERS)
    made = {**BY_ROW, **{name: of(every) for name, of in BY_NAME.items()}}[form]
    ranked = np.argsort(-SCORES, axis=1)[:, :39]
    runs: dict[str, Callable[[Any], Any]] = {
        "scores": lambda users: SCORES[users],
        "array": lambda users: ranked[users],
        "lists": lambda users: ranked[users].tolist(),
        "dict": lambda users: dict(zip(map(int, users), ranked[users].tolist(), strict=True)),
    }
    whole = rc.evaluate(LABELS, runs[run](np.arange(USERS)), SPECS, seen=SEEN, train=TRAIN)
    for seed in range(examples.of(quick=1, ci=8)):
        numbers = rc.Evaluator(SPECS, train=made(TRAIN), seen=made(SEEN))
        for users in splits(np.random.default_rng(seed)):
            numbers.update(LABELS[users], runs[run](users), users=users)
        found = numbers.compute()
        same(found, whole)
        assert form == "dense" or [found[spec].signature for spec in SPECS] == [whole[spec].signature for spec in SPECS]


def test_rows_without_names_are_numbered_on() -> None:
    whole = at_once()
    numbers = rc.Evaluator([spec for spec in SPECS if "seen" in spec or spec == "recall@3"])
    for start in range(0, USERS, 7):
        rows = slice(start, start + 7)
        numbers.update(LABELS[rows], SCORES[rows], seen=lists(SEEN[rows]))
    found = numbers.compute()
    assert {spec: float(value).hex() for spec, value in found.items()} == {
        spec: float(whole[spec]).hex() for spec in found
    }


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(rc.InputError) as error:
        call()
    return str(error.value)


def test_both_readings_of_rows_are_refused_and_the_advice_gives_the_number() -> None:
    users, whole = np.random.default_rng(1).permutation(USERS), at_once()
    given = LABELS[users], SCORES[users]
    numbers = rc.Evaluator(SPECS, train=TRAIN)
    said = refused(lambda: numbers.update(*given, users=users, seen=SEEN[users]))
    former, latter = "seen=rc.Labels(seen, user_ids=users)", f"seen=rc.Labels(seen, user_ids=range({USERS}))"
    assert f"Pass {former} for the former, {latter} for the latter" in said
    for advice, seen in ((former, SEEN[users]), (latter, SEEN)):
        numbers = rc.Evaluator(SPECS, train=TRAIN)
        as_said = eval(advice.removeprefix("seen="), {"rc": rc, "seen": seen, "users": users, "range": range})
        numbers.update(*given, users=users, seen=as_said)
        same(numbers.compute(), whole)


@pytest.mark.parametrize("name", ["train", "seen"])
@pytest.mark.parametrize(
    "made", [lambda m: m, by_user(range(USERS)), frame(range(USERS))], ids=["CSR", "dict", "frame"]
)
def test_a_batch_beside_data_of_all_users_says_whose_its_rows_are(name: str, made: Form) -> None:
    spec, of_all = {"train": ("novelty@5", TRAIN), "seen": (SPECS[0], SEEN)}[name]
    numbers = rc.Evaluator([spec], **{name: made(of_all)})
    for start in (0, 10, 20):
        labels, run = LABELS[start : start + 10], SCORES[start : start + 10]
        said = refused(lambda labels=labels, run=run: numbers.update(labels, run))  # type: ignore[misc]
        assert "the 10 rows of the batch do not say whose they are" in said
        call = said.partition("rows: ")[2].removesuffix(".")
        eval(f"numbers.{call}", {"numbers": numbers, "labels": labels, "run": run, "range": range})
    assert float(numbers.compute()[spec]).hex() == float(at_once()[spec]).hex()


def test_rows_of_neither_the_batch_nor_of_all_users_are_refused() -> None:
    numbers = rc.Evaluator(SPECS[:1])
    assert "seen= has 7 rows, and the batch has 10" in refused(
        lambda: numbers.update(LABELS[:10], SCORES[:10], users=range(10), seen=SEEN[:7])
    )
    once = rc.Evaluator(SPECS[:1], seen=SEEN)
    assert "was given to the evaluator, and again with a batch" in refused(
        lambda: once.update(LABELS[:10], SCORES[:10], users=range(10), seen=SEEN[:10])
    )


def test_numbers_that_count_from_1_are_seen_in_all_batches_together() -> None:
    """A batch without user 0 and item 0 proves nothing; where none has them, all are refused as in one call."""
    for first, counts in ((0, False), (1, True)):
        labels = {user: [first, 3] for user in range(first, 6)}
        numbers = rc.Evaluator("mrr")
        for start in (0, 3):
            rows = {user: items for user, items in labels.items() if start <= user < start + 3}
            numbers.update(rows, SCORES[start : start + 3, :4])
        if counts:
            one_call = refused(lambda labels=labels: rc.evaluate(labels, SCORES[:6, :4], "mrr"))  # type: ignore[misc]
            assert "look counted from 1" in one_call
            assert "look counted from 1" in refused(numbers.compute)
        else:
            assert numbers.compute()["mrr"] == rc.evaluate(labels, SCORES[:6, :4], "mrr")["mrr"]


def test_sides_are_exchanged_in_all_batches_together_or_in_none() -> None:
    random = np.random.default_rng(2)
    grades, scores = random.random((6, 20)), (random.random((6, 20)) < 0.3) * 1.0
    numbers = rc.Evaluator("ndcg@5")
    for start in (0, 3):
        numbers.update(grades[start : start + 3], scores[start : start + 3])
    assert "exchanged" in refused(numbers.compute)
    mixed = np.vstack([scores[:3], grades[3:]])
    numbers = rc.Evaluator("ndcg@5")
    for start in (0, 3):
        numbers.update(grades[start : start + 3], mixed[start : start + 3])
    assert numbers.compute()["ndcg@5"] == rc.evaluate(grades, mixed, "ndcg@5")["ndcg@5"]


def test_names_of_other_libraries_are_refused_with_those_to_use() -> None:
    numbers, target, preds = rc.Evaluator("mrr"), [[1]], [[2, 1]]
    said = refused(lambda: numbers.update(preds=preds, target=target))  # type: ignore[call-arg]
    assert (
        said == "update(labels, run) has no target= and no preds=. Labels come first: update(labels=target, run=preds)."
    )
    eval(f"numbers.{said.partition('first: ')[2][:-1]}", {"numbers": numbers, "target": target, "preds": preds})
    assert numbers.compute()["mrr"] == 0.5
    with pytest.raises(TypeError):
        numbers.update([[1]], [[1]], other=1)  # type: ignore[call-arg]
