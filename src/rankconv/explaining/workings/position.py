"""Metrics of where the hits stand, worked out."""

from typing import Any

from rankconv.explaining.arithmetic import ONE, ZERO, number, quotient, total
from rankconv.explaining.divisors import divisor
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Working, works_out
from rankconv.explaining.workings.hits import at, counted
from rankconv.metrics.position import AveragePrecision, ReciprocalRank


def precision_at(sheet: Sheet, place: int) -> Expression:
    """Precision at the rank of a row; a tie that shares the rank counts whole."""
    row = sheet.rows[place]
    last = row.tie[-1] if sheet.judged.tie_rule == "shared" else place
    return quotient(sheet.hits_through[last], max(row.rank, 1))


def precisions_at_hits(sheet: Sheet) -> list[Expression]:
    """Precision at each row that is read and a hit, 0 elsewhere."""
    return [precision_at(sheet, place) if sheet.hits[place] else ZERO for place in range(sheet.read)]


@works_out(AveragePrecision)
def _(sheet: Sheet) -> Working:
    by, precisions = divisor(sheet, "ap-denominator"), precisions_at_hits(sheet)
    return Working(
        total(precisions),
        by.value,
        ("sum of the precisions", by.words),
        counted(sheet) | {"precision": [one if one.value else "" for one in precisions], "sum": running(precisions)},
        says=[(by.words, by.value)],
        worth=precisions,
    )


RR_OVER = PartsOf()
"""An answer gives the denominator and its words, and whether only the first hit counts."""


@RR_OVER.answer("first-hit")
def _(own: Any, sheet: Sheet) -> tuple[str, Expression, bool]:
    return "", ONE, True


@RR_OVER.answer("hits")
def _(own: Any, sheet: Sheet) -> tuple[str, Expression, bool]:
    return at(sheet), number(sheet.found), False


@RR_OVER.answer("relevant")
def _(own: Any, sheet: Sheet) -> tuple[str, Expression, bool]:
    return "R, the relevant labels", number(sheet.relevant), False


@RR_OVER.answer("sum")
def _(own: Any, sheet: Sheet) -> tuple[str, Expression, bool]:
    return "", ONE, False


@works_out(ReciprocalRank)
def _(sheet: Sheet) -> Working:
    name, by, first = RR_OVER(sheet.answer("rr-over"), sheet=sheet)
    places = [place for place in range(sheet.read) if sheet.hits[place]]
    counting = set(places[:1] if first else places)
    reciprocals: list[Expression] = [
        quotient(1, max(sheet.rows[place].rank, 1)) if place in counting else ZERO for place in range(sheet.read)
    ]
    return Working(
        total(reciprocals),
        by,
        ("sum of 1/rank", name),
        {"1/rank": [one if one.value else "" for one in reciprocals]},
        says=[(name, by)] if name else [],
        worth=reciprocals,
    )
