"""How different the lists of different users are."""

from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import OfAllLists, Shown, added
from rankconv.specs.convention import Convention

LIST_OVERLAP = Convention(
    "list-overlap",
    "Similarity of two lists",
    reads=("shown",),
    phrase=True,
    tells="lists shorter than k",
)
"""A setting gives the sum of the likeness over all ordered pairs of two different lists."""


@LIST_OVERLAP.setting(
    "cosine",
    rule="shared items / square root of both lengths multiplied",
    counted_by=("of",),
    says="the number of items that they share over the square root of their lengths, multiplied",
    tex=r"\frac{|L_u \cap L_v|}{\sqrt{|L_u| |L_v|}}",
)
def _(shown: Shown) -> float:
    """The cosine of two lists as vectors of ones and zeros."""
    lengths = np.arange(int(shown.of.max(initial=0)) + 1)
    total = added(shown.weighed(shown.of, 1 / np.sqrt(np.maximum(lengths, 1))) ** 2)
    return float(total) - shown.lists


class Personalisation(OfAllLists):
    """Compute the mean dissimilarity of the lists of two users.

    1 minus the mean likeness of two lists, over all pairs of users, each list down to rank k: 0 where all are equal, 1
    where no two share an item. One number; no user has one. No end is the better one. NaN for a single list.
    Source: recmetrics 0.1.5, recmetrics/metrics.py; the forms as presets cite them.

    >>> import rankconv as rc
    >>> found = rc.evaluate({"u": ["a"]}, {"u": ["a", "b"], "v": ["b", "c"]}, "personalisation@2")
    >>> round(found["personalisation@2"], 4)
    0.5
    """

    name = "personalisation"
    spellings = ("personalization",)
    formula = "1 - mean likeness of two lists"
    says = (
        "1 minus the mean over all pairs of two users of the likeness of their lists, read {here}, which is "
        "{list-overlap}"
    )
    tex = r"1 - \frac{1}{\left|U\right| (\left|U\right| - 1)} \sum_{u \neq v} «list-overlap»"
    signs: ClassVar[dict[str, str]] = {"L_u": "the items in the list of user u, down to the cutoff"}
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    counted_by: ClassVar[tuple[str, ...]] = ()
    list_overlap: Annotated[str, LIST_OVERLAP]

    def of_lists(self, shown: Shown) -> Ratio:
        pairs = float(shown.lists * (shown.lists - 1))
        sides: Any = (pairs - self.settings["list-overlap"](shown=shown) if pairs else 0.0, pairs)
        top, bottom = (shown.numbers(np.array([float(one)])) for one in sides)
        return Ratio(top, bottom)
