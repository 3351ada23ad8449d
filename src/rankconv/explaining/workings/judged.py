"""Metrics of incomplete judgments, worked out."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import NAN, ONE, ZERO, expressed, minus, number, over, quotient, times, total
from rankconv.explaining.divisors import divisor
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.rows import Row
from rankconv.explaining.sheet import Sheet, above, running
from rankconv.explaining.working import Column, Working, works_out
from rankconv.explaining.workings.hits import at
from rankconv.metrics.judged import SMOOTHING, BPref, InferredAP, JudgedShare, UnjudgedShare

BPREF_DENOMINATORS, JUDGED_BY = PartsOf(), PartsOf()


@BPREF_DENOMINATORS.answer("min")
def _(own: Any, sheet: Sheet) -> tuple[str, int]:
    counts = (sheet.relevant, sheet.not_relevant)
    return f"min(R, N) = min({counts[0]}, {counts[1]})", min(counts)


@BPREF_DENOMINATORS.answer("relevant")
def _(own: Any, sheet: Sheet) -> tuple[str, int]:
    return "R", sheet.relevant


def _undefined(sheet: Sheet, question: str, name: str) -> Expression:
    given = sheet.metric.given(question)
    return NAN if given == name else number(float(given))


def _worth_of_hit(sheet: Sheet, misses: int, by: int) -> Expression:
    """1 less the share of judged misses above a hit."""
    alone = _undefined(sheet, "bpref-none-above", "formula")
    if misses == 0 and not math.isnan(alone.value):
        return alone
    if not by:
        return minus(ONE, _undefined(sheet, "bpref-inner-undefined", "nan"))
    return minus(ONE, over(min(misses, sheet.relevant), by))


@works_out(BPref)
def _(sheet: Sheet) -> Working:
    words, by = BPREF_DENOMINATORS(sheet.answer("bpref-denominator"), sheet=sheet)
    misses = above(sheet.count(lambda row: row.judged and not row.hit))[: sheet.read]
    worth = [_worth_of_hit(sheet, misses[at], by) if sheet.hits[at] else ZERO for at in range(sheet.read)]
    columns: dict[str, Column] = {
        "misses above": [str(count) for count in misses],
        "counts": [one if sheet.hits[at] else "" for at, one in enumerate(worth)],
        "sum": running(worth),
    }
    says = [(words, number(by)), ("R, the relevant labels", number(sheet.relevant))]
    names = ("sum over the hits", "R")
    return Working(total(worth), number(sheet.relevant), names, columns, says=says, worth=worth)


def _expected_precision(rank: int, hits: Fraction, other: int, pooled: int) -> Expression:
    """What precision may be expected at a hit, the judged items above being a sample of the pool."""
    if rank == 1:
        return ONE
    e = Fraction(repr(SMOOTHING))
    share = quotient(hits + e, hits + other + 2 * e)
    in_pool = over(hits + other + pooled, rank - 1)
    return total([quotient(1, rank), times(quotient(rank - 1, rank), in_pool, share)])


@works_out(InferredAP)
def _(sheet: Sheet) -> Working:
    other = above(sheet.count(lambda row: row.judged and not row.hit))
    pooled = above(sheet.count(lambda row: row.in_pool))
    worth: list[Expression] = [
        _expected_precision(sheet.ranks[at], sheet.hits_above[at], other[at], pooled[at]) if sheet.hits[at] else ZERO
        for at in range(sheet.read)
    ]
    columns: dict[str, Column] = {
        "hits": [number(count) for count in sheet.hits_above[: sheet.read]],
        "other": [str(count) for count in other[: sheet.read]],
        "pooled": [str(count) for count in pooled[: sheet.read]],
        "expected": [one if sheet.hits[at] else "" for at, one in enumerate(worth)],
    }
    says = [("e", expressed(SMOOTHING)), ("R, the relevant labels", number(sheet.relevant))]
    names = ("sum over the hits", "R")
    return Working(total(worth), number(sheet.relevant), names, columns, says=says, worth=worth)


@JUDGED_BY.answer("own-labels")
def _(own: Any) -> Callable[[Row], bool]:
    return lambda row: row.judged


@JUDGED_BY.answer("any-labels")
def _(own: Any) -> Callable[[Row], bool]:
    return lambda row: row.labelled_by_anyone


def _share(sheet: Sheet, of_judged: bool) -> Working:
    judged = sheet.count(JUDGED_BY(sheet.answer("judged-by")))[: sheet.read]
    counted = [number(one if of_judged else 1 - one) for one in judged]
    by, name = divisor(sheet, "unjudged-denominator"), "judged" if of_judged else "unjudged"
    columns: dict[str, Column] = {name: counted, "so far": running(counted)}
    names = (at(sheet, name), by.words)
    found = number(sum(one.exact or 0 for one in counted))
    return Working(found, by.value, names, columns, says=[(by.words, by.value)], worth=counted)


@works_out(JudgedShare)
def _(sheet: Sheet) -> Working:
    return _share(sheet, of_judged=True)


@works_out(UnjudgedShare)
def _(sheet: Sheet) -> Working:
    return _share(sheet, of_judged=False)
