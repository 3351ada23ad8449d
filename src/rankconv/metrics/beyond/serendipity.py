"""How much of a list is both relevant and a surprise."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.data.train import Train
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.beyond.diversity import PAIR_DISTANCE, UNKNOWN_PAIR, distances
from rankconv.preparation.block import Block
from rankconv.specs.convention import Context, Convention, Setting

SURPRISE = Convention(
    "serendipity-kind",
    "Surprise of an item",
    reads=("block", "distance", "unknown"),
    phrase=True,
    tells="hits of which not all are equally popular",
)
"""A setting gives the surprise of each row, shape (K, users); NaN where there is none to tell."""


@SURPRISE.setting(
    "above-popular",
    rule="max(0, (N + 1 - rank)/N - (N + 1 - popularity rank)/N)",
    needs=("train", "catalogue"),
    by_popularity=True,
    cite="rectools",
    says="max(0, (N + 1 - j)/N - (N + 1 - its rank by popularity in training)/N), the latter 0 for an item that is "
    "not there",
    tex=r"\max\left(0, \frac{N + 1 - j}{N} - \frac{N + 1 - p_j}{N}\right)",
    signs={"p_j": "the rank of the item at rank j by falling count in training, equal counts sharing a rank"},
)
def _(block: Block) -> Numbers:
    """By how much the list puts it higher than popularity would; repeated interactions count."""
    counts = block.joined.once(Train).interactions
    falling = -np.unique(-counts[counts > 0])
    place = len(falling) - np.searchsorted(falling[::-1], counts)  # equal counts share a rank
    items, size = block.items_by_rank, block.catalogue
    there = (np.append(counts, 0.0) > 0)[items]
    of_anybody = np.where(there, (size + 1 - block.numbers(np.append(place, 0)[items])) / size, 0)
    return np.asarray(np.maximum((size + 1 - block.ranks) / size - of_anybody, 0))


@SURPRISE.setting(
    "unlike-history",
    rule="the mean distance to what the user had in training",
    needs=("train",),
    cite="recommenders",
    says="the mean distance to the items that the user had in training",
    tex=r"\bar{d}_j",
    signs={r"\bar{d}_j": "the mean distance of the item at rank j to those that the user had in training"},
)
def _(block: Block, distance: Setting, unknown: Setting) -> Numbers:
    """NaN for a user who had nothing."""
    return block.numbers(block.once(_to_history, distance, unknown))


SERENDIPITY_SUM = Convention(
    "serendipity-sum",
    "Sum of the surprises of relevant items",
    reads=("block", "surprise", "hits", "scope"),
    tells="a list with more than one hit, or a miss",
)
"""A setting gives numerator and denominator of each user, both of shape (users,)."""


@SERENDIPITY_SUM.setting(
    "mean-of-rows",
    rule="sum over the hits / rows read",
    says="the surprises of relevant items are summed and divided by the number of rows read",
    tex=r"\frac{1}{«rows»} \sum_{j=1}^{«rows»} r_j «serendipity-kind»",
)
def _(block: Block, surprise: Numbers, hits: Numbers, scope: int | None) -> tuple[Numbers, Numbers]:
    """0 without hits."""
    lost = block.sum(np.isnan(np.asarray(surprise, np.float64)) * np.asarray(block.listed)).at(scope) > 0
    added = block.sum(**{"surprise of hits": np.where(np.asarray(hits) > 0, surprise * hits, 0)}).at(scope)
    return np.where(lost, 0, added), np.where(lost, 0, block.length_at(scope))


class Serendipity(TopKMetric):
    """Compute how much of the list is relevant and surprising.

    The surprise of the relevant items among the first k: by how much they are ranked above what popularity would do,
    or how unlike they are to what the user had. Range 0 to 1 with `serendipity-sum: mean-of-rows` and distances of 0
    to 1. NaN for a user who had nothing, where surprise is measured so. Needs `train=`, and `catalogue=` or
    `features=` as the settings have it.
    Source: Ge, Delgado-Battenfeld and Jannach, RecSys 2010; the forms as presets cite them.

    >>> import rankconv as rc
    >>> train = {"u": ["x"], "v": ["x", "y"]}
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, "serendipity@2", train=train, catalogue=4)["serendipity@2"]
    0.5
    """

    name = "serendipity"
    cite = "ge2010"
    formula = "surprise of the hits, by serendipity-sum"
    says = "made of the surprise of the relevant items {here}, which is {serendipity-kind}"
    tex = "«serendipity-sum»"
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    serendipity_kind: Annotated[str, SURPRISE]
    serendipity_sum: Annotated[str, SERENDIPITY_SUM]
    pair_distance: Annotated[str, PAIR_DISTANCE]
    unknown_pair: Annotated[str, UNKNOWN_PAIR]

    @property
    def asks_for(self) -> dict[str, str]:
        """Without what a distance needs that nobody asks for."""
        needed, distance = super().asks_for, self.settings["pair-distance"]
        idle = distance.trait("needs", ()) if self.settings["serendipity-kind"].trait("by_popularity") else ()
        own = self.settings["serendipity-kind"].trait("needs", ())
        return {name: asker for name, asker in needed.items() if name not in idle or name in own}

    def per_user(self, block: Block) -> Ratio:
        settings = self.settings
        surprise = settings["serendipity-kind"](
            block=block, distance=settings["pair-distance"], unknown=settings["unknown-pair"]
        )
        hits = block.hits_by_rank
        block.show(surprise=np.where(np.isnan(np.asarray(surprise, np.float64)), 0, surprise))
        given = {"block": block, "surprise": surprise, "hits": hits, "scope": self.scope}
        return Ratio(*settings["serendipity-sum"](**given))


for _convention_name in (PAIR_DISTANCE, UNKNOWN_PAIR):

    @_convention_name.idle("surprise is computed from popularity", by="serendipity-kind")
    def _(context: Context) -> bool:
        return bool(context.trait("serendipity-kind", "by_popularity"))


def _to_history(block: Block, distance: Setting, unknown: Setting) -> Numbers:
    """The mean distance of each row to what its user had, shape (K, users); NaN where nothing is known of them."""
    items = block.items_by_rank
    user, had = block.joined.once(Train).history(block.users)
    sums, counts = np.zeros(items.shape), np.zeros(items.shape)
    for row, codes in enumerate(items):
        found = distances(block.joined, distance, codes[user], had)
        lost = np.isnan(found)
        kept: Mask = (codes[user] >= 0) & ~(lost & bool(unknown.trait("leaves_out")))
        found = np.where(lost, unknown(), found)[kept]
        sums[row] = np.bincount(user[kept], weights=found, minlength=block.size)
        counts[row] = np.bincount(user[kept], minlength=block.size)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / counts)
