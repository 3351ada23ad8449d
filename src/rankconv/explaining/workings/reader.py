"""Metrics that model a reader, worked out."""

from fractions import Fraction
from typing import Any

from rankconv.explaining.arithmetic import ONE, ZERO, minus, number, over, plain, power, quotient, times, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.rows import fraction
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Working, works_out
from rankconv.metrics.reader import ERR, RBP, PFound, RBPResidual


def reaching(sheet: Sheet, patience: Fraction) -> list[Expression]:
    """The probability that a reader reaches each row."""
    reaches: list[Expression] = [ONE]
    for stops in sheet.gains[:-1]:
        reaches.append(plain(times(reaches[-1], plain(minus(ONE, stops)), patience)))
    return reaches[: sheet.length]


@works_out(ERR)
def _(sheet: Sheet) -> Working:
    reaches = reaching(sheet, Fraction(1))[: sheet.read]
    worth = [
        times(reach, sheet.gains[at], quotient(1, sheet.ranks[at]) if sheet.ranks[at] > 1 else ONE)
        for at, reach in enumerate(reaches)
    ]
    columns = {"stops": sheet.gains[: sheet.read], "arrives": reaches, "product": worth}
    return Working(total(worth), columns=columns | {"sum": running(worth)}, worth=worth)


@works_out(PFound)
def _(sheet: Sheet) -> Working:
    reaches = reaching(sheet, Fraction(str(sheet.metric.given("decay"))))[: sheet.read]
    worth = [times(reach, sheet.gains[at]) for at, reach in enumerate(reaches)]
    columns = {"stops": sheet.gains[: sheet.read], "arrives": reaches, "product": worth}
    return Working(total(worth), columns=columns | {"sum": running(worth)}, worth=worth)


RBP_SCALES, RBP_NORMS = PartsOf(), PartsOf()


@RBP_SCALES.answer("none")
def _(own: Any, sheet: Sheet) -> Fraction:
    return Fraction(1)


@RBP_SCALES.answer("highest-grade")
def _(own: Any, sheet: Sheet) -> Fraction:
    return max([Fraction(1), *(label.grade for label in sheet.labels)])


@RBP_NORMS.answer("none")
def _(own: Any, sheet: Sheet, p: Expression) -> tuple[str, Expression, Expression]:
    return "", number(1 - (p.exact or Fraction(0))), ONE


@RBP_NORMS.answer("ideal")
def _(own: Any, sheet: Sheet, p: Expression) -> tuple[str, Expression, Expression]:
    hits = min(sheet.relevant, sheet.read)
    return f"the same of {hits} hits", ONE, total(power(p, place) for place in range(hits))


def persistence(sheet: Sheet) -> Expression:
    """p: the probability that the reader goes on."""
    return number(float(sheet.metric.given("persistence")))


@works_out(RBP)
def _(sheet: Sheet) -> Working:
    p, scale = persistence(sheet), RBP_SCALES(sheet.answer("rbp-scale"), sheet=sheet)
    name, factor, by = RBP_NORMS(sheet.answer("rbp-norm"), sheet=sheet, p=p)
    gains = [over(gain, number(scale)) for gain in sheet.gains[: sheet.read]]
    weights = [power(p, rank - 1) for rank in sheet.ranks[: sheet.read]]
    worth = [times(weight, gain) for weight, gain in zip(weights, gains, strict=True)]
    columns = {"gain": gains, "weight": weights, "product": worth, "sum": running(worth)}
    says = [("p", p), *([("gains divided by the highest grade", number(scale))] if scale != 1 else [])]
    return Working(times(factor, total(worth)), by, ("sum of the products", name), columns, says=says, worth=worth)


@works_out(RBPResidual)
def _(sheet: Sheet) -> Working:
    p = persistence(sheet)
    weights = [ZERO if sheet.rows[at].judged else power(p, at) for at in range(sheet.read)]
    unjudged = total(weights)
    columns = {"unjudged": weights, "sum": running(weights)}
    if not unjudged.value > 0:
        return Working(ZERO, columns=columns, says=[("every row that is read is judged, which counts as 0", None)])
    rest = times(number(1 - fraction(p.value)), unjudged)
    return Working(total([power(p, sheet.read), rest]), columns=columns, says=[("p", p)], worth=weights)
