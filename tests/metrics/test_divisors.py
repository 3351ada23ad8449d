"""What a divisor is called where an explanation has its value."""

import numpy as np
import pytest

import rankconv as rc
from rankconv.judging.row_block import judge
from rankconv.judging.rows import working_block
from rankconv.metrics.divisors import DIVISOR, words_of_divisor
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
    ("hits-in-list", 2, "hits in the whole list"),
    ("min(k, hits-in-list)", 2, "min(hits in the whole list, k) = min(3, 2)"),
    ("labels-not-0", 2, "labels other than 0"),
    ("min(k, relevant)", 3, "min(k, R) = min(3, 4)"),
    ("min(k, relevant)", None, "R, the relevant labels"),
    ("min(relevant, k)", None, "R, the relevant labels"),
    ("min(length, relevant)", 3, "min(length of the list, R) = min(5, 4)"),
    ("min(k, length, relevant)", None, "min(length of the list, R) = min(5, 4)"),
    ("min(k, hits(epsilon=0.5))", 2, "min(hits + 0.5, k) = min(1.5, 2)"),
]


@pytest.mark.parametrize(("answer", "k", "words"), WORDS)
def test_the_words_beside_a_divisor(answer: str, k: int | None, words: str) -> None:
    [definition] = neutral().define("precision")
    block = judge(working_block(rc.join(LABELS, RUN), np.arange(1)), definition.judging)
    assert words_of_divisor(DIVISOR(answer), block, k, k) == words
