"""How unevenly all lists show items."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import ITEM_NUMBER, OfAllLists, Shown, added
from rankconv.metrics.beyond.rows import ROW_WEIGHT
from rankconv.specs.convention import Convention

GINI_ITEMS = Convention("gini-items", "Items of the Gini coefficient", options_of=ITEM_NUMBER)
GINI_DIVISOR = Convention(
    "gini-denominator",
    "Divisor of the Gini coefficient of n items",
    reads=("items",),
    phrase=True,
    tells="items that are not shown equally often",
)
"""A setting gives a number."""


@GINI_DIVISOR.setting("items", rule="n", says="n", tex="n")
def _(items: float) -> float:
    """At most 1 - 1/n."""
    return items


@GINI_DIVISOR.setting("items-less-one", rule="n - 1", cite="evidently", says="n - 1", tex="(n - 1)")
def _(items: float) -> float:
    """1 where all rows show one item."""
    return items - 1


GINI_TURNED = Convention(
    "gini-form", "Gini coefficient, or one minus it", reads=("top", "bottom"), tells="items that are shown unevenly"
)
"""A setting gives the numerator, shape (1,), from that of the coefficient and its denominator."""


@GINI_TURNED.setting("plain", rule="as it is", no="", tex="G")
def _(top: Numbers) -> Numbers:
    """High where few items have most of the rows."""
    return top


class Gini(OfAllLists):
    """Compute the Gini coefficient of the items' frequencies in all lists.

    The Gini coefficient of how often each item occurs in the first k of a list: 0 where all are shown equally often,
    towards 1 where few have most. `row-weight` counts a row by its rank. One number; no user has one. No end is the
    better one. NaN where nothing is shown, or where n - 1 divides and there is one item.
    Source: Gini, 1912; Fleder and Hosanagar, Management Science 55(5), 2009; the forms as presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a"], "v": ["a"]}, "gini@1", catalogue=4)["gini@1"]
    0.75
    """

    name = "gini"
    cite = "fleder2009"
    spellings = ("gini_index",)
    formula = "sum of (2i - n - 1) · x_i / (gini-denominator · sum of x_i), x_i rising"
    called = "Gini coefficient of exposure"
    says = (
        "the sum of (2i - n - 1) x_i over {gini-denominator} times the sum of x_i, where x_i are the weights of "
        "the rows "
        "{here} of all users that show an item, by rising weight, and n is {gini-items}"
    )
    tex = (
        r"«gini-form», \quad G = \frac{\sum_{i=1}^{n} (2i - n - 1) x_i}{«gini-denominator» \sum_{i=1}^{n} x_i}, \quad "
        r"n = «gini-items»"
    )
    signs: ClassVar[dict[str, str]] = {"x_i": "the rows of all lists that show item i, by rising number"}
    counted_by: ClassVar[tuple[str, ...]] = ()
    gini_items: Annotated[str, GINI_ITEMS]
    gini_denominator: Annotated[str, GINI_DIVISOR]
    gini_form: Annotated[str, GINI_TURNED]
    row_weight: Annotated[str, ROW_WEIGHT]

    def of_lists(self, shown: Shown) -> Ratio:
        settings = self.settings
        ranks = np.arange(1.0, int(shown.rank.max(initial=0)) + 1)
        weights = np.append(0.0, settings["row-weight"](ranks=ranks))
        rising = shown.numbers(np.sort(shown.weighed(shown.rank, weights)))
        count = float(settings["gini-items"](shown=shown))
        place = np.arange(count - len(rising), count) + 1
        top: Any = added(np.asarray((2 * place - count - 1) * rising))
        bottom = settings["gini-denominator"](items=count) * added(rising)
        sides = (shown.numbers(np.array([one])) for one in (top, bottom))
        numerator, denominator = sides
        return Ratio(settings["gini-form"](top=numerator, bottom=denominator), denominator)
