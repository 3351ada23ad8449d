"""AUCs that count the catalogue, or a number of negatives, worked out."""

import math
from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import ONE, ZERO, Numeric, minus, number, over, plain, quotient, times, total
from rankconv.explaining.divisors import divisor
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet, above, running
from rankconv.explaining.working import Column, Working, works_out
from rankconv.metrics.auc_kinds import AUCByRank, AUCExtrapolated, AUCOfRanked, PartialAUC, PercentileRank


def _said(sheet: Sheet) -> list[tuple[str, Expression | None]]:
    return [("R, the relevant labels", number(sheet.relevant)), ("items in the catalogue", number(sheet.catalogue))]


@works_out(AUCExtrapolated)
def _(sheet: Sheet) -> Working:
    others = sheet.catalogue - sheet.relevant
    right = [miss * hits for miss, hits in zip(sheet.misses, sheet.hits_above, strict=True)][: sheet.read]
    unseen = others - (sheet.read - sheet.found)
    below = times(quotient(sheet.found + sheet.relevant, 2), unseen)
    columns: dict[str, Column] = {"hits above a miss": [number(one) for one in right]}
    says = [*_said(sheet), ("others not seen", number(unseen))]
    names = ("pairs in the right order", "R · (catalogue - R)")
    return Working(total([number(sum(right)), below]), number(sheet.relevant * others), names, columns, says=says)


@works_out(AUCByRank)
def _(sheet: Sheet) -> Working:
    others = sheet.catalogue - sheet.relevant
    worth = [
        minus(ONE, quotient(max(sheet.ranks[at] - 1 - sheet.hits_above[at], Fraction(0)), others))
        if sheet.hits[at]
        else ZERO
        for at in range(sheet.read)
    ]
    columns: dict[str, Column] = {"leaves behind": [one if sheet.hits[at] else "" for at, one in enumerate(worth)]}
    names = ("sum over the hits", "R")
    return Working(total(worth), number(sheet.relevant), names, columns, says=_said(sheet), worth=worth)


@works_out(AUCOfRanked)
def _(sheet: Sheet) -> Working:
    others, by = sheet.catalogue - sheet.relevant + 1, divisor(sheet, "auc-denominator")
    worth = [
        times(sheet.hits[at], quotient(others - (sheet.ranks[at] - 1) + sheet.hits_above[at], others))
        for at in range(sheet.read)
    ]
    columns: dict[str, Column] = {"leaves behind": [one if sheet.hits[at] else "" for at, one in enumerate(worth)]}
    says = [("N", number(others)), (by.words, by.value)]
    return Working(total(worth), by.value, ("sum over the hits", by.words), columns, says=says, worth=worth)


POSITIVES = PartsOf()


@POSITIVES.answer("all")
def _(own: Any, k: int) -> float:
    return math.inf


@POSITIVES.answer("first-k")
def _(own: Any, k: int) -> float:
    return k


@works_out(PartialAUC)
def _(sheet: Sheet) -> Working:
    k = sheet.length if sheet.k is None else sheet.k
    positives = POSITIVES(sheet.answer("partial-positives"), k=k)
    misses = above(sheet.misses)
    worth = [
        number(k - misses[at]) if hit and misses[at] < k and sheet.hits_above[at] < positives else ZERO
        for at, hit in enumerate(sheet.hits)
    ]
    columns: dict[str, Column] = {
        "misses above": [str(count) for count in misses],
        "of k below": worth,
        "sum": running(worth),
    }
    counted = int(min(positives, sheet.relevant))
    says = [("k", number(k)), ("positives", number(counted))]
    return Working(plain(total(worth)), number(k * counted), ("pairs in the right order", "pairs"), columns, says=says)


def _place(sheet: Sheet, row: int | None, stands_for_row: bool) -> Expression:
    """Which part of the catalogue stands above a label's item."""
    if stands_for_row:
        return ZERO
    if row is not None:
        return over(sheet.ranks[row] - 1, sheet.catalogue)
    end: Numeric = max(sheet.ranks, default=1) - 1
    return over(total([over(end, sheet.catalogue), ONE]), 2) if sheet.rows else quotient(1, 2)


@works_out(PercentileRank)
def _(sheet: Sheet) -> Working:
    places = [(label, _place(sheet, label.row, label.stands_for_row)) for label in sheet.labels]
    says = [(f"part of the catalogue above {label.item}", plain(place)) for label, place in places]
    names = ("100 · sum of the parts", "R")
    summed = total(place for _, place in places)
    return Working(times(100, summed), number(sheet.relevant), names, says=[*says, *_said(sheet)])
