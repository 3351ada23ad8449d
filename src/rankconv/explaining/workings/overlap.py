"""Compatibility, worked out: what the list and the nearest ideal list have in common at each depth."""

from typing import Any

from rankconv.explaining.arithmetic import number, over, power, times, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.rows import Label
from rankconv.explaining.sheet import Sheet
from rankconv.explaining.working import Column, Ideal, Working, works_out
from rankconv.metrics.overlap import Compatibility

ORDERS = PartsOf()


@ORDERS.answer("rank")
def _(own: Any, sheet: Sheet, label: Label) -> float:
    return rank_of(sheet, label)


@ORDERS.answer("score")
def _(own: Any, sheet: Sheet, label: Label) -> float:
    return 0.0 if label.row is None else -sheet.rows[label.row].score


def rank_of(sheet: Sheet, label: Label) -> float:
    """The rank of the item of a label; infinite where it was not returned."""
    return float("inf") if label.row is None else float(sheet.ranks[label.row])


@works_out(Compatibility)
def _(sheet: Sheet) -> Working:
    order, p = sheet.answer("compat-order"), number(float(sheet.metric.given("compat-weight")))
    wanted = [label for label in sheet.labels if label.grade > 0]
    ideal = sorted(wanted, key=lambda label: (-label.grade, ORDERS(order, sheet=sheet, label=label)))
    in_both = [max(rank_of(sheet, label), place) for place, label in enumerate(ideal, 1)]
    depths = range(1, max(sheet.length, len(ideal)) + 1)
    weights = [over(power(p, depth - 1), depth) for depth in depths]
    common = [sum(depth >= both for both in in_both) for depth in depths]
    own: list[Expression] = [times(weight, count) for weight, count in zip(weights, common, strict=True)]
    best: list[Expression] = [times(one, min(depth, len(ideal))) for one, depth in zip(weights, depths, strict=True)]
    columns: dict[str, Column] = {
        "in common": [str(count) for count in common][: sheet.length],
        "weight": weights[: sheet.length],
    }
    beside = Ideal([label.item for label in ideal], {"grade": [number(label.grade) for label in ideal]}, best)
    names = ("RBO(list, ideal)", "RBO(ideal, ideal)")
    return Working(total(own), total(best), names, columns, beside, says=[("p", p)], worth=own)
