"""Metrics of the list as a set, and counts, worked out."""

from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import ONE, ZERO, expressed, log, minus, number, quotient, times, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.functions import Root
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Column, Working, works_out
from rankconv.explaining.workings.hits import at, counted
from rankconv.explaining.workings.position import precisions_at_hits
from rankconv.metrics.sets import MCC, YAAP, Accuracy, Count, FallOut, SetMAP, Utility


@works_out(SetMAP)
def _(sheet: Sheet) -> Working:
    says = [("n, rows read", number(sheet.read)), ("R, the relevant labels", number(sheet.relevant))]
    by = number(sheet.read * sheet.relevant)
    return Working(number(sheet.found**2), by, ("hits^2", "n · R"), counted(sheet), says=says)


@works_out(Utility)
def _(sheet: Sheet) -> Working:
    return Working(minus(number(sheet.found), number(sheet.read - sheet.found)), columns=counted(sheet))


@works_out(YAAP)
def _(sheet: Sheet) -> Working:
    precisions = precisions_at_hits(sheet)
    found = total(precisions)
    odds = quotient(total([ONE, found]), minus(number(1 + sheet.relevant), found))
    columns: dict[str, Column] = {
        "precision": [one if one.value else "" for one in precisions],
        "sum": running(precisions),
    }
    says = [("s, the sum of the precisions", found), ("R, the relevant labels", number(sheet.relevant))]
    return Working(log(odds), columns=columns, says=says, worth=precisions)


@works_out(FallOut)
def _(sheet: Sheet) -> Working:
    misses = [number(miss) for miss in sheet.misses[: sheet.read]]
    names = (at(sheet, "misses"), "labels that are not relevant")
    columns: dict[str, Column] = {"miss": misses, "so far": running(misses)}
    return Working(number(sum(sheet.misses[: sheet.read])), number(sheet.not_relevant), names, columns, worth=misses)


Table = tuple[Fraction, Fraction, Fraction, Fraction]


def _table(sheet: Sheet) -> Table:
    """True positives, false positives, false negatives, true negatives."""
    chosen = sheet.length if sheet.k is None else sheet.k
    missed = sheet.relevant - sheet.found
    return sheet.found, chosen - sheet.found, missed, sheet.catalogue - chosen - missed


def _said(sheet: Sheet) -> list[tuple[str, Expression | None]]:
    names = ("TP, rightly chosen", "FP, wrongly chosen", "FN, wrongly left out", "TN, rightly left out")
    table = zip(names, map(number, _table(sheet)), strict=True)
    return [*table, ("items in the catalogue", number(sheet.catalogue))]


@works_out(Accuracy)
def _(sheet: Sheet) -> Working:
    right, _, _, rightly_not = _table(sheet)
    names = ("TP + TN", "catalogue")
    return Working(number(right + rightly_not), number(sheet.catalogue), names, counted(sheet), says=_said(sheet))


@works_out(MCC)
def _(sheet: Sheet) -> Working:
    tp, fp, fn, tn = _table(sheet)
    sizes = (tp + fp, tp + fn, tn + fp, tn + fn)
    product = sizes[0] * sizes[1] * sizes[2] * sizes[3]
    if product <= 0:
        return Working(ZERO, ZERO if product else ONE, columns=counted(sheet), says=_said(sheet))
    names = ("TP · TN - FP · FN", "the root")
    agreement = minus(times(tp, tn), times(fp, fn))
    return Working(agreement, Root(times(*sizes)), names, counted(sheet), says=_said(sheet))


COUNTS = PartsOf()


@COUNTS.answer("retrieved")
def _(own: Any, sheet: Sheet) -> int:
    return sheet.read


@COUNTS.answer("relevant")
def _(own: Any, sheet: Sheet) -> int:
    return sheet.relevant


@COUNTS.answer("hits")
def _(own: Any, sheet: Sheet) -> Fraction:
    return sheet.found


@COUNTS.answer("judged-non-relevant")
def _(own: Any, sheet: Sheet) -> int:
    return sum(sheet.count(lambda row: row.judged and not row.hit)[: sheet.read])


@COUNTS.answer("users")
def _(own: Any, sheet: Sheet) -> int:
    return 1


@works_out(Count)
def _(sheet: Sheet) -> Working:
    return Working(expressed(COUNTS(sheet.answer("of"), sheet=sheet)))
