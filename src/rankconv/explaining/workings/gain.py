"""Metrics of graded relevance, worked out."""

from rankconv.explaining.arithmetic import ZERO, minus, number, total
from rankconv.explaining.divisors import divisor
from rankconv.explaining.expression import Expression
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Column, Working, works_out
from rankconv.explaining.workings.hits import at
from rankconv.explaining.workings.ideals import LOWER_BOUNDS, beside, ideal_list, weighed
from rankconv.metrics.gain import CG, DCG, NDCG, GainMean, IdealDCG, ScaledDCG
from rankconv.metrics.single_rank import DiscountedGain


def products(sheet: Sheet) -> list[Expression]:
    """Gain times discount of each row of the whole list."""
    return [weighed(gain, sheet.discount(max(row.rank, 1))) for row, gain in zip(sheet.rows, sheet.gains, strict=True)]


def _gained(sheet: Sheet) -> dict[str, Column]:
    gains = sheet.gains[: sheet.read]
    return {"gain": gains, "sum": running(gains)}


def discounted_columns(sheet: Sheet, worth: list[Expression]) -> dict[str, Column]:
    """Gain, discount, their product and the running sum, for so many rows."""
    discounts = [sheet.discount(max(rank, 1)) for rank in sheet.ranks[: len(worth)]]
    return {"gain": sheet.gains[: len(worth)], "discount": discounts, "product": worth, "sum": running(worth)}


@works_out(CG)
def _(sheet: Sheet) -> Working:
    gains = sheet.gains[: sheet.read]
    return Working(total(gains), columns=_gained(sheet), worth=gains)


@works_out(GainMean)
def _(sheet: Sheet) -> Working:
    gains, by = sheet.gains[: sheet.read], divisor(sheet, "gain-denominator")
    says = [(by.words, by.value)]
    return Working(total(gains), by.value, ("sum of gains", by.words), _gained(sheet), says=says, worth=gains)


@works_out(DCG)
def _(sheet: Sheet) -> Working:
    worth = products(sheet)[: sheet.read]
    return Working(total(worth), columns=discounted_columns(sheet, worth), worth=worth)


@works_out(DiscountedGain)
def _(sheet: Sheet) -> Working:
    rank = len(sheet.rows) if sheet.metric.scope is None else sheet.metric.scope
    there = 0 < rank <= len(sheet.rows)
    added = weighed(sheet.gains[rank - 1], sheet.discount(rank)) if there else ZERO
    return Working(
        added, columns=discounted_columns(sheet, products(sheet)[: sheet.read]), says=[("the rank", number(rank))]
    )


@works_out(IdealDCG)
def _(sheet: Sheet) -> Working:
    ideal = beside(sheet, ideal_list(sheet))
    return Working(total(ideal.worth), ideal=ideal)


@works_out(NDCG)
def _(sheet: Sheet) -> Working:
    worth, ideal = products(sheet)[: sheet.read], beside(sheet, ideal_list(sheet))
    least = LOWER_BOUNDS(sheet.answer("lower-bound"), sheet=sheet)
    bound = sheet.metric.given("lower-bound") != "zero"
    less = " - worst DCG" if bound else ""
    return Working(
        minus(total(worth), least),
        minus(total(ideal.worth), least),
        (at(sheet, "DCG") + less, "ideal DCG" + less),
        discounted_columns(sheet, worth),
        ideal,
        says=[("worst DCG", least)] if bound else [],
        worth=worth,
    )


@works_out(ScaledDCG)
def _(sheet: Sheet) -> Working:
    worth = products(sheet)[: sheet.read]
    ranks = range(1, (sheet.length if sheet.k is None else sheet.k) + 1)
    names = (at(sheet, "DCG"), "sum of the discounts")
    discounts = total(sheet.discount(rank) for rank in ranks)
    return Working(total(worth), discounts, names, discounted_columns(sheet, worth), worth=worth)
