"""From the metric itself to its working: `per_user` once more, over the exact numbers of one user."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from rankconv.analysis.explain.exact_block import ExactBlock, Objects
from rankconv.analysis.explain.explanation import formula_of
from rankconv.analysis.explain.sheet import running
from rankconv.analysis.explain.working import Cell, Column, Derivation, Ideal, Part
from rankconv.metrics.base import Metric, Parts
from rankconv.metrics.divisors import words_of_divisor
from rankconv.numbers.exact import exact, expression
from rankconv.numbers.expression import Expression

SUMS = ("numerator", "denominator")


def derived(metric: Metric, block: ExactBlock) -> Derivation:
    """Numerator and denominator as the metric makes them, and beside them what it read and summed."""
    with np.errstate(all="ignore"):
        found = metric.measure(block)
        parts = list(_parts(found)) if isinstance(found, Parts) else []
        ratio = found.ratio if isinstance(found, Parts) else found
    names = found.names if isinstance(found, Parts) else ()
    sides = _names(metric, block)
    if sides[1] == "R":
        block.says(lambda: "R, the relevant labels", ratio.denominator)
    return Derivation(
        _only(ratio.numerator),
        _only(ratio.denominator),
        sides,
        _columns(metric, block),
        None if block.ideal is None else _ideal(block),
        [*block.facts, *((name, part.value) for name, part in zip(names, parts, strict=True))],
        parts,
        block.terms[: _read(metric, block)],
    )


def _only(values: Any) -> Expression:
    """The number of the one user."""
    return expression(np.ravel(values)[0])


def _parts(found: Parts) -> Iterator[Part]:
    for name, part, value in zip(found.names, found.parts, found.values, strict=True):
        yield Part(name.split(", ")[-1], _only(part.numerator), _only(part.denominator), _only(value))


def _names(metric: Metric, block: ExactBlock) -> tuple[str, str]:
    """What numerator and denominator are, as the formula has it: "DCG@3", "ideal DCG"."""
    top, _, bottom = formula_of(metric).rpartition(" / ")
    if not top:
        return SUMS
    convention_name = metric.formula.rpartition(" / ")[2]
    if convention_name in metric.stated:
        bottom = words_of_divisor(metric.settings[convention_name], block, metric.k, metric.scope)
    return top.rstrip(","), bottom


def _read(metric: Metric, block: ExactBlock) -> int:
    """How many rows stand above the cutoff."""
    rows = block.rows_within(metric.scope)
    return rows if isinstance(rows, int) else int(rows[0])


def _columns(metric: Metric, block: ExactBlock) -> dict[str, Column]:
    read = _read(metric, block)
    blank = "gain" not in block.columns
    return {name: _column(block, values[:read], blank and name != "sum") for name, values in block.columns.items()}


def _column(block: ExactBlock, values: Objects, blank: bool) -> list[Cell]:
    """The cells of a column, shape (rows,); a 0 is left empty where a row has nothing that could be counted."""
    hits, terms = block.floats.hits_by_rank[:, 0], block.terms
    counted = len(terms) >= len(values) and all(one.of is term for one, term in zip(values, terms, strict=False))
    return [
        "" if blank and counted and one == 0 and not hits[at] and any(hits) else one.of for at, one in enumerate(values)
    ]


def _ideal(block: ExactBlock) -> Ideal:
    given = block.ideal
    assert given is not None
    gains = exact(np.asarray(given.gains[:]))[:, 0]
    rows = len(gains) if given.rows is None else min(len(gains), int(np.ravel(given.rows)[0]))
    gains, discounts = gains[:rows], block.of_ranks(given.discount, rows)[:, 0]
    worth = [one.of for one in gains * discounts]
    columns: dict[str, Column] = {
        "gain": [one.of for one in gains],
        "discount": [one.of for one in discounts],
        "product": worth,
        "sum": running(worth),
    }
    return Ideal(list(_items(block, gains)), columns, worth)


def _items(block: ExactBlock, gains: Objects) -> Iterator[str]:
    """The item at each rank of the ideal list; `gains` has shape (ranks,).

    "unlabelled" stands for an item without a label, "any" where the ideal is not made of items.
    """
    items, before = block.ideal_items, block.ideal_worth
    for at, gain in enumerate(gains):
        of_label = at < len(items) and before[at] == gain
        yield items[at] if of_label else "unlabelled" if items else "any"
