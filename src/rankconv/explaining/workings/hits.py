"""Metrics that count hits, worked out."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import NAN, number, over, plain, times, total
from rankconv.explaining.divisors import Divisor, divisor
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Column, Part, Working, works_out
from rankconv.metrics.hits import F, HitCount, HitRate, Precision, Recall, RPrecision


@dataclass(frozen=True)
class Worth:
    """What the rows that are read are worth as hits."""

    name: str
    """Such as "hits"."""
    cells: list[Expression]
    """By row."""
    sum: Expression

    def columns(self, sheet: Sheet) -> dict[str, Column]:
        """The sums down to each row; beside them each row's share where ties are averaged."""
        shares: dict[str, Column] = {"hit": self.cells} if sheet.judged.tie_rule == "averaged" else {}
        return shares | {self.name: running(self.cells)}


HIT_WORTH = PartsOf()


@HIT_WORTH.answer("one")
def _(own: Any, sheet: Sheet) -> Worth:
    return Worth("hits", [number(hit) for hit in sheet.hits[: sheet.read]], number(sheet.found))


@HIT_WORTH.answer("grade")
def _(own: Any, sheet: Sheet) -> Worth:
    cells = sheet.hit_grades[: sheet.read]
    return Worth("grades of hits", cells, total(cells))


def worth_of_hits(sheet: Sheet) -> Worth:
    """What the answer to `hit-worth` makes of the rows."""
    found: Worth = HIT_WORTH(sheet.answer("hit-worth"), sheet=sheet)
    return found


def counted(sheet: Sheet, rows: int | None = None) -> dict[str, Column]:
    """The hits of the rows that are read, and how many there are down to each."""
    read = sheet.hits[: sheet.read if rows is None else rows]
    cells = [number(hit) for hit in read]
    shares: dict[str, Column] = {"hit": cells} if sheet.judged.tie_rule == "averaged" else {}
    return shares | {"hits": running(cells)}


def at(sheet: Sheet, name: str = "hits") -> str:
    """The name of a number that is read down to the cutoff."""
    return name if sheet.scope is None else f"{name}@{sheet.scope}"


def share(sheet: Sheet, question: str) -> Working:
    """Hits by a divisor."""
    by = divisor(sheet, question)
    worth = worth_of_hits(sheet)
    names = (at(sheet, worth.name), by.words)
    return Working(worth.sum, by.value, names, worth.columns(sheet), says=[(by.words, by.value)], worth=worth.cells)


@works_out(Precision)
def _(sheet: Sheet) -> Working:
    return share(sheet, "precision-denominator")


@works_out(Recall)
def _(sheet: Sheet) -> Working:
    return share(sheet, "recall-denominator")


def _part(sheet: Sheet, name: str) -> tuple[Part, Divisor]:
    by = divisor(sheet, f"{name}-denominator")
    found = worth_of_hits(sheet).sum
    value = over(found, by.value)
    undefined = sheet.metric.given("f-part-undefined")
    if math.isnan(value.value):
        value = NAN if undefined == "formula" else number(float(undefined))
    return Part(name, found, by.value, value), by


@works_out(F)
def _(sheet: Sheet) -> Working:
    (precision, by), (recall, over_what) = _part(sheet, "precision"), _part(sheet, "recall")
    weight = Fraction(str(sheet.metric.given("beta")))
    if sheet.metric.given("beta-enters") == "squared":
        weight *= weight
    p, r = plain(precision.value), plain(recall.value)
    divisors = ((f"precision is divided by {by.words}", by), (f"recall by {over_what.words}", over_what))
    says: list[tuple[str, Expression | None]] = [
        (words.replace("R, the r", "the r"), one.value) for words, one in divisors
    ]
    worth = worth_of_hits(sheet)
    says += [("P, precision", precision.value), ("R, recall", recall.value)]
    return Working(
        times(1 + weight, p, r),
        total([times(weight, p), r]),
        columns=worth.columns(sheet),
        says=says,
        parts=(precision, recall),
        worth=worth.cells,
    )


HIT_BY = PartsOf()


@HIT_BY.answer("hits")
def _(own: Any, sheet: Sheet) -> tuple[str, Expression]:
    return at(sheet), number(sheet.found)


@HIT_BY.answer("grade-sum")
def _(own: Any, sheet: Sheet) -> tuple[str, Expression]:
    return at(sheet, "sum of grades"), total(sheet.shared_grades[: sheet.read])


@works_out(HitRate)
def _(sheet: Sheet) -> Working:
    name, found = HIT_BY(sheet.answer("hit-by"), sheet=sheet)
    return Working(number(found.value > 0), columns=counted(sheet), says=[(name, found)])


@works_out(HitCount)
def _(sheet: Sheet) -> Working:
    worth = worth_of_hits(sheet)
    return Working(worth.sum, columns=worth.columns(sheet), worth=worth.cells)


R_PRECISION_AT = PartsOf()


@R_PRECISION_AT.answer("last-hit")
def _(own: Any, sheet: Sheet) -> Divisor:
    ranks = [place * hit for place, hit in enumerate(sheet.hits, 1)]
    return Divisor("rank of the last hit", number(max(ranks, default=Fraction(0))))


@R_PRECISION_AT.answer("multiple")
def _(own: Any, sheet: Sheet) -> Divisor:
    # In doubles, as the source: 0.7 · 3 + 0.9 is below 3 there.
    return Divisor(
        f"{own['of']:g} · R, rounded up from a tenth on", number(math.floor(own["of"] * sheet.relevant + 0.9))
    )


@works_out(RPrecision)
def _(sheet: Sheet) -> Working:
    where = sheet.answer("r-precision-at")
    to = R_PRECISION_AT(where, sheet=sheet) if where in R_PRECISION_AT else divisor(sheet, "r-precision-at")
    rows = sheet.length if math.isinf(to.value.value) else min(int(to.value.value), sheet.length)
    answer = sheet.answer("r-precision-denominator")
    by = to if answer.option.name == "rank-read" else divisor(sheet, "r-precision-denominator")
    found = sum(sheet.hits[:rows], Fraction(0))
    says = [(f"read to rank {to.words}", to.value), (f"divided by {by.words}", by.value)]
    hits = [number(hit) for hit in sheet.hits[:rows]]
    return Working(number(found), by.value, (f"hits@{rows}", by.words), counted(sheet, rows), says=says, worth=hits)
