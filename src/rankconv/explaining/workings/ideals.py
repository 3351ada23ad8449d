"""The list that NDCG is measured against, rank by rank, and the DCG that counts as 0."""

from typing import Any

from rankconv.explaining.arithmetic import ONE, ZERO, over, plain, times, total
from rankconv.explaining.expression import Expression, Quotient
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.sheet import Sheet, running
from rankconv.explaining.working import Ideal

Items = list[tuple[str, Expression]]
"""Items of an ideal list, each with its gain."""

IDEALS, IDEAL_CUTS, LOWER_BOUNDS = PartsOf(), PartsOf(), PartsOf()


def ideal_list(sheet: Sheet) -> Items:
    """The ideal list down to where it is cut."""
    items: Items = IDEALS(sheet.answer("ideal"), sheet=sheet)
    cut = IDEAL_CUTS(sheet.answer("ideal-cut"), sheet=sheet)
    return items[:cut]


def beside(sheet: Sheet, items: Items) -> Ideal:
    """An ideal list as it is printed beside the judged one."""
    gains = [gain for _, gain in items]
    discounts = [sheet.discount(rank) for rank in range(1, len(items) + 1)]
    worth = discounted(sheet, gains)
    columns = {"gain": gains, "discount": discounts, "product": worth, "sum": running(worth)}
    return Ideal([item for item, _ in items], columns, worth)


def discounted(sheet: Sheet, gains: list[Expression]) -> list[Expression]:
    """Gain times discount at ranks 1, 2, …"""
    return [weighed(gain, sheet.discount(rank)) for rank, gain in enumerate(gains, 1)]


def weighed(gain: Expression, discount: Expression) -> Expression:
    """Gain times discount, written as gain/log2(3) where the discount is 1/log2(3)."""
    if isinstance(discount, Quotient) and discount.top.exact == 1:
        return over(plain(gain), discount.bottom)
    return times(gain, discount)


@IDEALS.answer("labels")
def best_labels(own: Any, sheet: Sheet) -> Items:
    best = sorted(sheet.labels, key=lambda label: (label.at_end, -sheet.gain_of_label(label).value))
    return [(label.item, sheet.gain_of_label(label)) for label in best]


@IDEALS.answer("catalogue")
def _(own: Any, sheet: Sheet) -> Items:
    return [(item, gain) if gain.value >= 0 else ("unlabelled", ZERO) for item, gain in best_labels(own, sheet)]


@IDEALS.answer("labels-as-given")
def _(own: Any, sheet: Sheet) -> Items:
    return [(label.item, sheet.gain_of_label(label)) for label in sheet.labels]


@IDEALS.answer("returned-in-k")
def _(own: Any, sheet: Sheet) -> Items:
    returned = [(row.item, gain) for row, gain in zip(sheet.rows, sheet.gains, strict=True)]
    return sorted(returned[: sheet.k], key=lambda one: -one[1].value)


@IDEALS.answer("ones")
def _(own: Any, sheet: Sheet) -> Items:
    return [("any", ONE)] * (sheet.length if sheet.k is None else sheet.k)


@IDEAL_CUTS.answer("k")
def _(own: Any, sheet: Sheet) -> int | None:
    return sheet.k


@IDEAL_CUTS.answer("none")
def _(own: Any, sheet: Sheet) -> int | None:
    return None


@IDEAL_CUTS.answer("length")
def _(own: Any, sheet: Sheet) -> int | None:
    return sheet.length if sheet.k is None else min(sheet.k, sheet.length)


@LOWER_BOUNDS.answer("zero")
def _(own: Any, sheet: Sheet) -> Expression:
    return ZERO


@LOWER_BOUNDS.answer("worst")
def _(own: Any, sheet: Sheet) -> Expression:
    gains = [sheet.gain_of_label(label) for label in sheet.labels]
    if not sheet.judged.labels_are_rows:
        gains = [gain for gain in gains if gain.value < 0]
    return total(discounted(sheet, sorted(gains, key=lambda gain: gain.value)[: sheet.k]))
