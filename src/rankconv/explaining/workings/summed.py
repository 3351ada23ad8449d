"""Sums of precision or recall over all depths, worked out."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import ZERO, quotient, total
from rankconv.explaining.divisors import divisor
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Working, works_out
from rankconv.metrics.summed import SummedOverRanks, SummedOverTable

TERMS = PartsOf()


@TERMS.answer("precision")
def _(own: Any, sheet: Sheet, found: Fraction, rows: int) -> Expression:
    return quotient(found, rows)


@TERMS.answer("recall")
def _(own: Any, sheet: Sheet, found: Fraction, rows: int) -> Expression:
    return quotient(found, sheet.relevant) if sheet.relevant else ZERO


def _summed(sheet: Sheet, term: Callable[[int], Expression]) -> Working:
    depths = sheet.length if sheet.k is None else sheet.k
    terms = [term(depth) for depth in range(1, depths + 1)]
    by = divisor(sheet, "ap-denominator")
    columns = {f"{sheet.metric.given('term')}@j": terms[: sheet.length], "sum": running(terms)[: sheet.length]}
    says: list[tuple[str, Expression | None]] = [(by.words, by.value)]
    if depths > sheet.length:
        says.append((f"depths {sheet.length + 1} to {depths} lie below the end of the list and are summed too", None))
    return Working(total(terms), by.value, ("sum over the depths", by.words), columns, says=says, worth=terms)


def _found(sheet: Sheet, depth: int) -> Fraction:
    rows = sheet.within(depth)
    return sheet.hits_through[rows - 1] if rows else Fraction(0)


@works_out(SummedOverRanks)
def _(sheet: Sheet) -> Working:
    answer = sheet.answer("term")
    return _summed(sheet, lambda j: TERMS(answer, sheet=sheet, found=_found(sheet, j), rows=j))


def _counts(sheet: Sheet, depth: int) -> bool:
    """Whether the row that was given last, of those down to this depth, is a hit."""
    places = range(sheet.within(depth))
    last = max(places, key=lambda at: sheet.rows[at].place, default=None)
    return last is not None and sheet.hits[last] > 0


@works_out(SummedOverTable)
def _(sheet: Sheet) -> Working:
    answer = sheet.answer("term")

    def term(j: int) -> Expression:
        rows = max(min(j, sheet.length), 1)
        found: Expression = TERMS(answer, sheet=sheet, found=_found(sheet, j), rows=rows)
        return found if _counts(sheet, j) else ZERO

    return _summed(sheet, term)
