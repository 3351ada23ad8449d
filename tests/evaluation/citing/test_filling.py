"""How parameters and the cutoff are written in words and in formulas."""

import math
from typing import Any

import pytest

import rankconv as rc
from rankconv.evaluation.citing.formula import cutoff_signs, cutoff_words, in_tex, in_words, was_given


@pytest.mark.parametrize(
    ("value", "how", "words", "tex"),
    [
        (2.0, "", "2", "2"),
        (0.1 + 0.2, "", "0.3", "0.3"),
        ("lower", "", "lower", "lower"),
        (2.0, "log", "log2", r"\log_{2}"),
        (math.e, "log", "ln", r"\ln "),
        (["a"], "x|y", "a", "a"),
        (["a", "b"], "x|y", "x a and b", "x|y(a, b)"),
        (["a", "b", "c"], "x|y", "y a, b and c", "x|y(a, b, c)"),
    ],
)
def test_a_parameter(value: Any, how: str, words: str, tex: str) -> None:
    assert (in_words(value, how), in_tex(value, how)) == (words, tex)


def test_a_table() -> None:
    assert in_words({"1": 1.0, "2": 5.0}, "for grade") == "1 for grade 1 and 5 for grade 2"


def test_what_has_its_default_was_not_given() -> None:
    discount, hits = rc.convention("discount"), rc.convention("ap-denominator")
    assert not was_given(discount("log(base=2, shift=1)"), "shift")
    assert was_given(discount("log(base=2, shift=2)"), "shift")
    assert [was_given(hits(text), "epsilon") for text in ("hits", "hits(epsilon=0)", "hits(epsilon=1)")] == [0, 0, 1]


def test_the_cutoff() -> None:
    whole, cut = (rc.preset("rankconv").definition("precision", (), k) for k in (None, 7))
    only_in_divisors = rc.preset("rankconv").definition("precision", (("k-applies-to", "divisors-only"),), 7)
    assert [cutoff_words(one)["here"] for one in (whole, cut)] == ["in the list", "in the first 7 ranks"]
    assert cutoff_words(only_in_divisors) | {"k": "7"} == cutoff_words(only_in_divisors)
    assert cutoff_words(only_in_divisors)["here"] == "in the list"
    assert set(cutoff_signs(whole).values()) == {""}
    assert cutoff_signs(cut) == {"k": "7", "K": "7", "rows": r"\min(7, n)", "shorter": r"\min(7, n)"}
    assert cutoff_signs(only_in_divisors) == {"k": "7", "K": "", "rows": "", "shorter": r"\min(7, n)"}
