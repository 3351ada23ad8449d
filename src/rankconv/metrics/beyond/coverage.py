"""How much of the catalogue all lists show together."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Mask
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import ITEM_NUMBER, OfAllLists, Shown
from rankconv.specs.convention import Convention

COVERED = Convention(
    "coverage-of", "Items that are counted as covered", reads=("shown",), phrase=True, tells="an item that is new"
)
"""A setting says it of each row, shape (rows,)."""


@COVERED.setting("any", rule="all", counted_by=(), says="items", tex="")
def _(shown: Shown) -> Mask:
    """Also those that neither catalogue nor training knows."""
    return np.ones(len(shown.item), bool)


@COVERED.setting(
    "in-train",
    rule="those of training",
    needs=("train",),
    counted_by=("in-train",),
    says="items of training",
    tex=r" \cap T_I",
    signs={"T_I": "the items of training"},
)
def _(shown: Shown) -> Mask:
    """So that the share is at most 1 where it is one of training."""
    return shown.of_items("in-train")


COVERAGE_DIVISOR = Convention("coverage-denominator", "Divisor of the number of covered items", options_of=ITEM_NUMBER)
SHOWN = r"\left| \bigcup_{u \in U} L_u"
SIGNS = {"L_u": "the items in the list of user u, down to the cutoff"}


class Coverage(OfAllLists):
    """Compute the share of the catalogue in all lists together.

    The different items in the first k of all lists, divided by the items there are. Range 0 to 1 where all returned
    items are among these. One number; no user has one. No end is the better one. NaN where there are no items.
    Source: Ge, Delgado-Battenfeld and Jannach, RecSys 2010; the forms as presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["b"]}, "coverage@1", catalogue=8)["coverage@1"]
    0.25
    """

    name = "coverage"
    cite = "ge2010"
    spellings = ("item_coverage",)
    formula = "different items in all lists / coverage-denominator"
    called = "catalogue coverage"
    says = "the number of different {coverage-of} {here} of at least one user, divided by {coverage-denominator}"
    tex = rf"\frac{{{SHOWN}«coverage-of» \right|}}{{«coverage-denominator»}}"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()
    coverage_of: Annotated[str, COVERED]
    coverage_denominator: Annotated[str, COVERAGE_DIVISOR]

    def of_lists(self, shown: Shown) -> Ratio:
        covered = len(np.unique(shown.item[self.settings["coverage-of"](shown=shown)]))
        numbers = [[covered], [self.settings["coverage-denominator"](shown=shown)]]
        return Ratio(*(shown.numbers(np.array(one, np.float64)) for one in numbers))


class ItemsShown(OfAllLists):
    """Compute the number of different items in all lists together.

    A number of items, in the first k of all lists. One number; no user has one. No end is the better one.
    Source: Adomavicius and Kwon, TKDE 24(5), 2012, who call it aggregate diversity.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["b"]}, "items_shown@1")["items_shown@1"]
    2.0
    """

    name = "items_shown"
    cite = "adomavicius2012"
    formula = "different items in all lists"
    called = "number of items shown"
    says = "the number of different items {here} of at least one user"
    tex = rf"{SHOWN} \right|"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()

    def of_lists(self, shown: Shown) -> Ratio:
        return Ratio(shown.numbers(np.array([float(shown.items)])), shown.numbers(np.ones(1)))
