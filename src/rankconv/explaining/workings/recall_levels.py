"""Precision interpolated at levels of recall, worked out."""

import math
from typing import Any

from rankconv.explaining.arithmetic import NAN, ZERO, number, quotient, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet
from rankconv.explaining.working import Column, Working, works_out
from rankconv.metrics.recall_levels import ElevenPoint, InterpolatedPrecision

ROUNDINGS = PartsOf()


@ROUNDINGS.answer("nearest")
def _(own: Any, wanted: float) -> int:
    return math.floor(wanted + 0.5)


@ROUNDINGS.answer("up-0.9")
def _(own: Any, wanted: float) -> int:
    return math.floor(wanted + 0.9)


@ROUNDINGS.answer("up")
def _(own: Any, wanted: float) -> int:
    return math.ceil(wanted - 1e-9)


def hits_for(sheet: Sheet, level: float) -> int:
    """How many hits this recall takes. In doubles, as the source: 0.7 · 3 + 0.9 is below 3 there."""
    found: int = ROUNDINGS(sheet.answer("recall-rounding"), wanted=level * sheet.relevant)
    return found


def precisions(sheet: Sheet) -> list[Expression]:
    """Precision at each row that is read."""
    return [quotient(sheet.hits_through[at], max(sheet.ranks[at], 1)) for at in range(sheet.read)]


INTERPOLATIONS = PartsOf()
"""Which of the precisions from the row of a hit on stands for it."""


@INTERPOLATIONS.answer("best-from-there")
def highest(own: Any, below: list[Expression]) -> Expression:
    """The highest; 0 where there is none."""
    return max(below, key=lambda one: one.value, default=ZERO)


@INTERPOLATIONS.answer("none")
def _(own: Any, below: list[Expression]) -> Expression:
    return below[0] if below else ZERO


def from_hit(sheet: Sheet, hits: int) -> list[Expression]:
    """The precisions from the row of that hit on."""
    if not sheet.read and not hits:
        return [NAN]
    return [one for at, one in enumerate(precisions(sheet)) if sheet.hits_through[at] >= hits]


def _columns(sheet: Sheet) -> dict[str, Column]:
    cells = precisions(sheet)
    return {"hits so far": [number(count) for count in sheet.hits_through[: sheet.read]], "precision": cells}


@works_out(InterpolatedPrecision)
def _(sheet: Sheet) -> Working:
    level = float(sheet.metric.given("recall-level"))
    hits = hits_for(sheet, level)
    says = [(f"hits that a recall of {level:g} of {sheet.relevant} takes", number(hits))]
    stands: Expression = INTERPOLATIONS(sheet.answer("interpolation"), below=from_hit(sheet, hits))
    return Working(stands, columns=_columns(sheet), says=says)


@works_out(ElevenPoint)
def _(sheet: Sheet) -> Working:
    wanted = [hits_for(sheet, tenth / 10) for tenth in range(11)]
    best = [highest(None, from_hit(sheet, hits)) for hits in wanted]
    says = [("hits that recall 0, 0.1, … 1 takes: " + ", ".join(map(str, wanted)), None)]
    names = ("sum of the best precisions", "levels")
    return Working(total(best), number(11), names, _columns(sheet), says=says)
