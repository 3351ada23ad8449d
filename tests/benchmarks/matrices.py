"""Matrices of scores, users by items, as a model gives them: against NumPy by hand, time and peak memory."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

import rankconv as rc
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import median_of

CUTOFFS = (5, 10, 20)
SPECS = [f"{metric}@{k}" for metric in ("ndcg", "recall", "precision", "map", "mrr") for k in CUTOFFS]
BLOCK = 256
"""Users that are ranked by hand at a time."""


def first_columns(block: Any) -> Any:
    """The columns of the highest scores of each user, best first, shape (users, largest cutoff)."""
    k = max(CUTOFFS)
    found = np.argpartition(-block, k - 1, axis=1)[:, :k]
    order = np.argsort(-np.take_along_axis(block, found, axis=1), axis=1)
    return np.take_along_axis(found, order, axis=1)


def means(gains: Any, ideal: Any, relevant: Any) -> dict[str, float]:
    """The five metrics at each cutoff, of gains and ideal gains by rank, shape (users, largest cutoff)."""
    hits, rank, found = gains > 0, np.arange(1, max(CUTOFFS) + 1), {}
    discount = 1 / np.log2(rank + 1)
    for k in CUTOFFS:
        first, so_far = hits[:, :k], np.cumsum(hits[:, :k], axis=1)
        found[f"ndcg@{k}"] = np.mean((gains[:, :k] @ discount[:k]) / (ideal[:, :k] @ discount[:k]))
        found[f"recall@{k}"] = np.mean(so_far[:, -1] / relevant)
        found[f"precision@{k}"] = np.mean(so_far[:, -1] / k)
        found[f"map@{k}"] = np.mean((first * so_far / rank[:k]).sum(axis=1) / np.minimum(relevant, k))
        found[f"mrr@{k}"] = np.mean(first.any(axis=1) / (first.argmax(axis=1) + 1))
    return found


def by_hand(labels: Any, scores: Any, seen: Any = None) -> dict[str, float]:
    """Of CSR labels, or of a matrix of 0 and 1, block by block."""
    known = labels if sparse.issparse(labels) else sparse.csr_matrix(labels)
    gains = np.empty((len(scores), max(CUTOFFS)))
    for start in range(0, len(scores), BLOCK):
        rows = slice(start, start + BLOCK)
        block = scores[rows]
        if seen is not None:
            block = np.where(seen[rows].toarray() > 0, -np.inf, block)
        gains[rows] = np.take_along_axis(known[rows].toarray(), first_columns(block), axis=1)
    relevant = np.diff(known.indptr)
    return means(gains, np.arange(max(CUTOFFS)) < relevant[:, None], relevant)


def by_hand_graded(grades: Any, scores: Any) -> dict[str, float]:
    """Of a grade for every item."""
    gains = np.take_along_axis(grades, first_columns(scores), axis=1)
    return means(gains, -np.sort(-grades, axis=1)[:, : max(CUTOFFS)], (grades > 0).sum(axis=1))


Case = tuple[Any, Any, Any, Callable[[], dict[str, float]], float]
"""Labels, scores, seen items, the call by hand, and how many times faster we are to be."""


def cases() -> dict[str, Case]:
    """The matrices that are raced."""
    random, shape = np.random.default_rng(11), (2_000, 20_000)

    def drawn(each: int) -> Any:
        items = np.argsort(random.random((shape[0], 200)), axis=1)[:, :each] + random.integers(0, 19_800, (shape[0], 1))
        users = np.repeat(np.arange(shape[0]), each)
        return sparse.csr_matrix((np.ones(items.size, np.float32), (users, items.ravel())), shape)

    labels, scores = drawn(20), random.random(shape, np.float32)
    scores[labels.nonzero()] += 0.5 * random.random(labels.nnz, np.float32)
    seen = drawn(50)
    seen = (seen - seen.multiply(labels)).tocsr()
    seen.eliminate_zeros()
    grades = random.integers(0, 4, (4_096, 150)).astype(np.float64)
    short = (random.random(grades.shape) + grades / 5).astype(np.float32)
    zeros_and_ones = labels.toarray()
    return {
        "2,000 x 20,000, CSR labels": (labels, scores, None, lambda: by_hand(labels, scores), 1.7),
        "the same, labels of 0 and 1": (zeros_and_ones, scores, None, lambda: by_hand(zeros_and_ones, scores), 1.7),
        "the same, seen items masked": (labels, scores, seen, lambda: by_hand(labels, scores, seen), 1.7),
        "4,096 x 150, every item graded": (grades, short, None, lambda: by_hand_graded(grades, short), 0.67),
    }


def matrices(setting: Setting) -> list[Row]:
    """15 metrics of a matrix of scores; memory in sizes of the matrix."""
    of_cases = cases()
    labels, scores, *_ = of_cases["2,000 x 20,000, CSR labels"]
    rows = [raced(name, case, setting.repetitions) for name, case in of_cases.items()]
    return rows + tied(labels, scores, setting.repetitions) + batches(labels, scores, setting.repetitions)


def tied(labels: Any, scores: Any, repetitions: int) -> list[Row]:
    """Scores that tie at the cutoff, against distinct ones."""
    call = lambda values: rc.evaluate(labels, values, SPECS)
    distinct, most, rows = median_of(call, lambda: scores, repetitions), peak(lambda: call(scores)), []
    for name, values in (("one score for all", np.zeros_like(scores)), ("100 different scores", np.round(scores, 2))):
        note = f"peak {peak(lambda values=values: call(values)) / most:.2f} times that of distinct scores"
        time = median_of(call, lambda values=values: values, repetitions)
        rows.append(Row("matrices", "–", "cost", name, time, "distinct scores", distinct, goal=2, note=note))
    return rows


def batches(labels: Any, scores: Any, repetitions: int) -> list[Row]:
    """Batches of users, against one call of all."""

    def in_batches(users: int) -> rc.Result:
        evaluator = rc.Evaluator(SPECS)
        for start in range(0, len(scores), users):
            evaluator.update(labels[start : start + users], scores[start : start + users])
        return evaluator.compute()

    whole, rows = median_of(lambda values: rc.evaluate(labels, values, SPECS), lambda: scores, repetitions), []
    for users in (1_000, 256):
        time = median_of(in_batches, lambda users=users: users, repetitions)
        note = f"peak {peak(lambda users=users: in_batches(users)) / scores[:users].nbytes:.2f} of a batch"
        rows.append(Row("matrices", "–", "cost", f"batches of {users:,}", time, "one call", whole, goal=1.2, note=note))
    return rows


def raced(name: str, case: Case, repetitions: int) -> Row:
    """One of them."""
    labels, scores, seen, hand, goal = case
    specs = SPECS if seen is None else [spec.replace("@", "(exclude=seen)@") for spec in SPECS]
    ours = lambda: rc.evaluate(labels, scores, specs, seen=seen)
    found, known = ours(), hand()
    assert all(abs(found[spec] - known[plain]) < 1e-9 for spec, plain in zip(specs, SPECS, strict=True)), name
    times = [median_of(lambda call: call(), lambda one=one: one, repetitions) for one in (ours, hand)]
    peaks = [peak(one) / scores.nbytes for one in (ours, hand)]
    note = f"peak {peaks[0]:.2f} of the matrix, by hand {peaks[1]:.2f}"
    return Row("matrices", "–", "race", name, times[0], "NumPy by hand", times[1], goal=goal, note=note)


def peak(call: Callable[[], Any]) -> int:
    """Bytes that a call takes at most, beyond what is there before."""
    tracemalloc.start()
    call()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most
