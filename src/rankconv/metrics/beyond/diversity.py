"""How different the items of a list are from each other."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.beyond.distances import PAIR_DISTANCE, UNKNOWN_PAIR, distances
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention, Setting

PAIR_VALUE = Convention(
    "pair-value",
    "Value of a pair",
    reads=("distances", "pairs"),
    phrase=True,
    tells="items that are not all equal",
)
"""A setting gives what pairs add, from the sum of their distances and their number; all of one shape."""


@PAIR_VALUE.setting("distance", rule="its distance", says="the distance", tex="d_{ij}")
def _(distances: Numbers) -> Numbers:
    """High for varied lists."""
    return distances


@PAIR_VALUE.setting(
    "similarity", rule="1 - distance", cite="recmetrics", says="1 minus the distance", tex="(1 - d_{ij})"
)
def _(distances: Numbers, pairs: Numbers) -> Numbers:
    """Intra-list similarity, low for varied lists."""
    return np.asarray(pairs - distances)


PAIR_DIVISOR = Convention(
    "pair-denominator",
    "Divisor of the sum over the pairs",
    reads=("pairs", "rows"),
    phrase=True,
    tells="a list of more than three rows",
)
"""A setting gives each user's divisor, shape (users,), from the number of pairs that count and of rows read."""


@PAIR_DIVISOR.setting("pairs", rule="the number of pairs", says="the number of these pairs", tex=r"\binom{«rows»}{2}")
def _(pairs: Numbers) -> Numbers:
    """The mean over the pairs."""
    return pairs


class IntraListDiversity(Metric):
    """Compute the mean distance of the items of the list.

    The mean distance of the pairs of the first k items, by their features or by who had them in training. At least 0,
    at most 1 where distances are; no end is the better one. NaN for a list of one item. Needs `features=`, or `train=`
    for `pair-distance: co-occurrence`.
    Source: Ziegler, McNee, Konstan and Lausen, WWW 2005; the forms as presets cite them.

    >>> import rankconv as rc
    >>> spec, known = "diversity@3", {"a": [1, 0], "b": [0, 1], "c": [1, 0]}
    >>> round(rc.evaluate({"u": ["a"]}, {"u": ["a", "b", "c"]}, spec, item_features=known)[spec], 4)
    0.6667
    """

    name = "diversity"
    cite = "ziegler2005"
    spellings = ("ild",)
    formula = "sum of pair-value over pairs of items, / pair-denominator"
    called = "intra-list diversity"
    written = ("ILD",)
    says = "the sum over the pairs of items {here} of {pair-value} of the two, divided by {pair-denominator}"
    tex = r"\frac{1}{«pair-denominator»} \sum_{i=1}^{«rows»} \sum_{j=i+1}^{«rows»} «pair-value»"
    signs: ClassVar[dict[str, str]] = {"d_{ij}": "the distance of the items at ranks i and j"}
    reads_below_cutoff: ClassVar[bool] = False
    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    pair_distance: Annotated[str, PAIR_DISTANCE]
    unknown_pair: Annotated[str, UNKNOWN_PAIR]
    pair_value: Annotated[str, PAIR_VALUE]
    pair_denominator: Annotated[str, PAIR_DIVISOR]

    def per_user(self, block: Block) -> Ratio:
        settings = self.settings
        found, pairs = block.once(_to_rows_above, settings["pair-distance"], settings["unknown-pair"], self.scope)
        added = settings["pair-value"](distances=block.numbers(found), pairs=block.numbers(pairs))
        total = block.sum(**{"pairs with rows above": added}).at(self.scope)
        given = {"pairs": block.count(pairs).at(self.scope), "rows": block.length_at(self.scope)}
        by = block.numbers(settings["pair-denominator"](**given))
        block.says(lambda: "divided by", by)
        return Ratio(total, by)


def _to_rows_above(block: Block, distance: Setting, unknown: Setting, scope: int | None) -> tuple[Numbers, Numbers]:
    """For each row the sum of the distances to the rows above it, and their number; both have shape (K, users)."""
    items = block.items_by_rank
    sums, pairs = np.zeros(items.shape), np.zeros(items.shape)
    for row in range(1, int(np.max(block.rows_within(scope), initial=0))):
        both = (items[:row] >= 0) & (items[row] >= 0)
        found = distances(block.joined, distance, items[:row], np.broadcast_to(items[row], items[:row].shape))
        lost = np.isnan(found)
        counts = both & ~lost if unknown.trait("leaves_out") else both
        found = np.where(counts, np.where(lost, unknown(), found), 0.0)
        sums[row], pairs[row] = np.cumsum(found, axis=0)[-1], counts.sum(axis=0)  # sums from the top, for every block
    return sums, pairs
