"""Metrics of pairs, worked out: how many pairs each row is in, and how many of them stand right."""

from fractions import Fraction
from itertools import accumulate
from typing import Any

from rankconv.explaining.arithmetic import number
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet
from rankconv.explaining.working import Working, works_out
from rankconv.metrics.auc import AUC, LabelRankingLoss

Weights = list[Fraction]

TIED, PAIRS = PartsOf(), PartsOf()
"""What a tied pair is worth, and whether the score decides; and of each row the pairs, and those that are right."""


@TIED.answer("half")
def _(own: Any) -> tuple[str, Fraction]:
    return "score", Fraction(1, 2)


@TIED.answer("wrong")
def _(own: Any) -> tuple[str, Fraction]:
    return "score", Fraction(0)


@TIED.answer("by-place")
def _(own: Any) -> tuple[str, Fraction]:
    return "rank", Fraction(0)


def keys(sheet: Sheet, by: str) -> list[float]:
    """What tells which of two rows is above: the higher key."""
    return [row.score if by == "score" else -float(row.rank) for row in sheet.rows[: sheet.read]]


def _of_weights(key: list[float], better: Weights, worse: Weights, tied: Fraction) -> tuple[Weights, Weights]:
    equal = {one: Fraction(0) for one in sorted(key, reverse=True)}
    for one, weight in zip(key, better, strict=True):
        equal[one] += weight
    higher = dict(zip(equal, accumulate(equal.values(), initial=Fraction(0)), strict=False))
    everything = sum(better, Fraction(0))
    right = [weight * (higher[one] + tied * equal[one]) for one, weight in zip(key, worse, strict=True)]
    return right, [weight * everything for weight in worse]


@PAIRS.answer("relevant")
def classes(own: Any, sheet: Sheet, key: list[float], tied: Fraction) -> tuple[Weights, Weights]:
    """Each miss against the hits."""
    better = [Fraction(row.hit) for row in sheet.rows[: len(key)]]
    return _of_weights(key, better, [1 - one for one in better], tied)


@PAIRS.answer("fractional")
def _(own: Any, sheet: Sheet, key: list[float], tied: Fraction) -> tuple[Weights, Weights]:
    better = sheet.grades[: len(key)]
    return _of_weights(key, better, [1 - one for one in better], tied)


def _by_grade(sheet: Sheet, key: list[float], tied: Fraction, equal: bool) -> tuple[Weights, Weights]:
    order = sorted(range(len(key)), key=lambda at: -sheet.grades[at])
    right, pairs = [Fraction(0)] * len(key), [Fraction(0)] * len(key)
    for later, w in enumerate(order):
        compared = [b for b in order[:later] if equal or sheet.grades[b] > sheet.grades[w]]
        right[w] = sum(key[b] > key[w] for b in compared) + tied * sum(key[b] == key[w] for b in compared)
        pairs[w] = Fraction(len(compared))
    return right, pairs


@PAIRS.answer("grades")
def _(own: Any, sheet: Sheet, key: list[float], tied: Fraction) -> tuple[Weights, Weights]:
    return _by_grade(sheet, key, tied, equal=False)


@PAIRS.answer("all")
def _(own: Any, sheet: Sheet, key: list[float], tied: Fraction) -> tuple[Weights, Weights]:
    return _by_grade(sheet, key, tied, equal=True)


@works_out(AUC)
def _(sheet: Sheet) -> Working:
    by, tied = TIED(sheet.answer("tied-pairs"))
    right, pairs = PAIRS(sheet.answer("pairs"), sheet=sheet, key=keys(sheet, by), tied=tied)
    columns = {"pairs": list(map(number, pairs)), "of these right": list(map(number, right))}
    return Working(number(sum(right)), number(sum(pairs)), ("pairs in the right order", "pairs"), columns)


@works_out(LabelRankingLoss)
def _(sheet: Sheet) -> Working:
    right, pairs = classes(None, sheet, keys(sheet, "score"), Fraction(0))
    wrong = [all_ - one for all_, one in zip(pairs, right, strict=True)]
    columns = {"pairs": list(map(number, pairs)), "of these wrong": list(map(number, wrong))}
    return Working(number(sum(wrong)), number(sum(pairs)), ("pairs in the wrong order", "pairs"), columns)
