"""Numerator and denominator of one user's value as expressions, and what is printed next to the rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankconv.analysis.explain.exact_block import ExactBlock, Objects, WrittenSum, running
from rankconv.metrics.base import Metric, Parts
from rankconv.metrics.divisors import sign_of_divisor, words_of_divisor
from rankconv.preparation.arithmetic import DiscountedList
from rankconv.preparation.blocks.block import Block
from rankconv.rendering.numbers.exact import ONE, exact, expression, number, quotient
from rankconv.rendering.numbers.writing import Expression

Cell = Expression | str
Column = Sequence[Cell]


@dataclass(frozen=True)
class Ideal:
    """The list that a metric compares with, rank by rank."""

    items: Sequence[str]
    columns: Mapping[str, Column]


@dataclass(frozen=True)
class Derivation:
    """How the number of one user comes about."""

    numerator: Expression
    denominator: Expression = ONE
    names: tuple[str, str] = ("above the line", "below the line")
    """What numerator and denominator are: "DCG@3", "ideal DCG"."""
    columns: Mapping[str, Column] = field(default_factory=dict)
    """By row, from the first rank on; a column may end above the end of the list."""
    ideal: Ideal | None = None
    says: Sequence[tuple[str, Expression | None]] = ()
    """Facts that enter the formula, in words, each with its number."""

    @property
    def ratio(self) -> Expression:
        """The number itself."""
        return self.numerator if self.denominator.exact == 1 else quotient(self.numerator, self.denominator)


def derive(metric: Metric, block: Block) -> tuple[Derivation, bool]:
    """The derivation of one user's value; False where the metric cannot compute with exact numbers."""
    try:
        return derived(metric, ExactBlock(block.prepared, block.hit_rows, block.preparation)), True
    except Exception as problem:  # what a plugin does with its numbers is its own
        why = f"{metric.name} is not worked out, as it cannot compute with exact numbers ({problem})"
    found = metric.measure(block)
    ratio = found.ratio if isinstance(found, Parts) else found
    numerator, denominator = (number(float(np.ravel(one)[0])) for one in (ratio.numerator, ratio.denominator))
    said = f"{why}; numerator and denominator are the engine's"
    return Derivation(numerator, denominator, ("numerator", "denominator"), says=[(said, None)]), False


def derived(metric: Metric, block: ExactBlock) -> Derivation:
    """Numerator and denominator as the metric makes them, and next to them what it read and summed."""
    with np.errstate(all="ignore"):
        found = metric.measure(block)
        ratio = found.ratio if isinstance(found, Parts) else found
        parts = list(zip(metric.part_names, found.values, strict=False)) if isinstance(found, Parts) else []
    names = _names(metric, block)
    if names[1] == "R":
        block.noted.facts.setdefault("R, the relevant labels", _of_user(ratio.denominator))
    rows = block.rows_within(metric.scope)
    read = rows if isinstance(rows, int) else int(rows[0])
    blank = "gain" not in block.noted.columns
    return Derivation(
        _of_user(ratio.numerator),
        _of_user(ratio.denominator),
        names,
        {name: _column(block, values[:read], blank and name != "sum") for name, values in block.noted.columns.items()},
        None if block.noted.ideal is None else _ideal(block),
        [*block.noted.facts.items(), *((name, _of_user(value)) for name, value in parts)],
    )


def _of_user(values: Any) -> Expression:
    """The number of the one user."""
    return expression(np.ravel(values)[0])


def _names(metric: Metric, block: ExactBlock) -> tuple[str, str]:
    """What numerator and denominator are, as the formula has it: "DCG@3", "ideal DCG"."""
    if block.evaluates_each_call:
        return "sum over the calls", "calls with a value"
    top, _, bottom = formula_of(metric).rpartition(" / ")
    if not top:
        return "numerator", "denominator"
    convention_name = metric.formula.rpartition(" / ")[2]
    if convention_name in metric.stated:
        bottom = words_of_divisor(metric.settings[convention_name], block, metric.k, metric.scope)
    return top.rstrip(","), bottom


def _column(block: ExactBlock, values: Objects, blank: bool) -> list[Cell]:
    """The cells of a column, shape (rows,); a 0 is left empty where a row has nothing that could be counted."""
    hits, terms = block.floats.hits_by_rank[:, 0], block.noted.terms
    counted = len(terms) >= len(values) and all(one.of is term for one, term in zip(values, terms, strict=False))
    return [
        "" if blank and counted and one == 0 and not hits[at] and any(hits) else one.of for at, one in enumerate(values)
    ]


def _ideal(block: ExactBlock) -> Ideal:
    made = block.noted.ideal
    assert isinstance(made, WrittenSum)
    assert isinstance(made.values, DiscountedList)
    gains = exact(np.asarray(made.values.gains[:]))[:, 0]
    rows = len(gains) if made.rows_read is None else min(len(gains), int(np.ravel(made.rows_read)[0]))
    gains, discounts = gains[:rows], made.values.discounts[:rows, 0]
    worth = [one.of for one in gains * discounts]
    columns: dict[str, Column] = {
        "gain": [one.of for one in gains],
        "discount": [one.of for one in discounts],
        "product": worth,
        "sum": running(worth),
    }
    return Ideal(list(_ideal_items(block, gains)), columns)


def _ideal_items(block: ExactBlock, gains: Objects) -> Iterator[str]:
    """The item at each rank of the ideal list; `gains` has shape (ranks,).

    "unlabelled" represents an item without a label, "any" where the ideal is not made of items.
    """
    items, before = block.noted.ideal_items, block.noted.ideal_worth
    for at, gain in enumerate(gains):
        of_label = at < len(items) and before[at] == gain
        yield items[at] if of_label else "unlabelled" if items else "any"


WITHOUT_CUTOFF = {"ranks 1 to k": "all ranks", " j <= k": "", " within k": "", "@k": ""}
"""What a formula says where there is no k."""


def formula_of(metric: Metric) -> str:
    """The formula under these settings, at this cutoff: "hits@3 / min(3, length)"."""
    text = metric.formula
    for words, instead in WITHOUT_CUTOFF.items() if metric.scope is None else ():
        text = text.replace(words, instead)
    if metric.scope is not None:
        text = re.sub(r"\bk\b", str(metric.scope), text)
    for convention_name in sorted(metric.stated, key=len, reverse=True):
        if convention_name.endswith(("denominator", "precision-at")):
            text = text.replace(convention_name, sign_of_divisor(metric.settings[convention_name], metric.k))
    return text
