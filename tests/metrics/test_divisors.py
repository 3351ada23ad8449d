"""What a divisor is called where an explanation has its value."""

import numpy as np

import rankconv as rc
from rankconv.metrics.divisors import DIVISOR, words_of_divisor
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.working_rows import working_block
from tests.metrics.worked import neutral

LABELS, RUN = {"u": {"a": 3, "b": 1, "c": 2, "d": 1}}, {"u": ["b", "x", "a", "y", "d"]}  # R = 4, five rows, three hits

WORDS: list[tuple[str, int | None, str]] = [
    ("k", 3, "k"),
    ("k", None, "length of the list"),
    ("length", 3, "length of the list"),
    ("relevant", 3, "R, the relevant labels"),
    ("hits", None, "hits"),
    ("hits(epsilon=0.5)", 3, "hits + 0.5"),
    ("labels-above(1)", 3, "labels above 1"),
    ("hits-in-ranking", 2, "hits in the whole list"),
    ("min(k, hits-in-ranking)", 2, "min(hits in the whole list, k) = min(3, 2)"),
    ("nonzero-labels", 2, "labels other than 0"),
    ("min(k, relevant)", 3, "min(k, R) = min(3, 4)"),
    ("min(k, relevant)", None, "R, the relevant labels"),
    ("min(relevant, k)", None, "R, the relevant labels"),
    ("min(length, relevant)", 3, "min(length of the list, R) = min(5, 4)"),
    ("min(k, length, relevant)", None, "min(length of the list, R) = min(5, 4)"),
    ("min(k, hits(epsilon=0.5))", 2, "min(hits + 0.5, k) = min(1.5, 2)"),
]


def test_the_words_beside_a_divisor() -> None:
    [definition] = neutral().define("precision")
    block = prepare(working_block(rc.join(LABELS, RUN), np.arange(1)), definition.preparation)
    assert [(setting, k, words_of_divisor(DIVISOR(setting), block, k, k)) for setting, k, _ in WORDS] == WORDS


def test_a_rank_below_0_is_read_as_no_row() -> None:
    """The grades sum to -1; read from the end of the sums, both items would be hits."""
    spec = "r_precision(r-precision-at=relevant-grades, relevant=non-zero, negative=grade, r-precision-denominator=one)"
    labels, run = {"u": {"a": -2, "b": 1}}, {"u": ["b", "a"]}
    assert rc.evaluate(labels, run, spec)[spec] == 0
    many = {f"v{user}": {"a": -9, "b": 1} for user in range(50)}
    assert rc.evaluate(many, {user: ["b", "a"] for user in many}, spec)[spec] == 0
