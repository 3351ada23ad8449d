"""The area under precision over recall, worked out threshold by threshold."""

from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import ONE, ZERO, log, minus, number, over, plain, power, times, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet
from rankconv.explaining.working import Working, works_out
from rankconv.explaining.workings.auc import keys
from rankconv.metrics.pr_auc import PRAUC

Seen = tuple[int, int]
"""Hits and misses down to a threshold."""
AREAS = PartsOf()


@AREAS.answer("hyperbola")
def _(own: Any, above: Seen, through: Seen) -> Expression:
    found = through[0] - above[0]
    slope = Fraction(through[1] - above[1], found)
    start = above[1] - slope * above[0]
    flat = over(found, 1 + slope)
    if not start:
        return plain(flat)
    ends = [(1 + slope) * hits + start for hits in (through[0], above[0])]
    return minus(flat, times(over(start, power(1 + slope, 2).exact or ONE), log(over(*ends))))


@AREAS.answer("line")
def _(own: Any, above: Seen, through: Seen) -> Expression:
    before = Fraction(above[0], sum(above)) if sum(above) else Fraction(1)
    return number((through[0] - above[0]) * (before + Fraction(through[0], sum(through))) / 2)


@works_out(PRAUC)
def _(sheet: Sheet) -> Working:
    scores = keys(sheet, "score")
    between = sheet.answer("between-thresholds")
    areas, above = [], (0, 0)
    for score in sorted(set(scores), reverse=True):
        hits = sum(sheet.rows[at].hit for at, one in enumerate(scores) if one >= score)
        through = (hits, sum(one >= score for one in scores) - hits)
        areas.append(AREAS(between, above=above, through=through) if through[0] > above[0] else ZERO)
        above = through
    says = [("R, the relevant labels", number(sheet.relevant))]
    return Working(total(areas), number(sheet.relevant), ("area over the hits", "R"), says=says)
