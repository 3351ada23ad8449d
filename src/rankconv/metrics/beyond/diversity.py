"""Diversity within a list, by distances of pairs of items and by categories; and what is relevant and a surprise."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.data.train import ItemVectors, Train
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.divisors import divided_by
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import shown_as

PAIR_DISTANCE = Convention(
    "pair-distance",
    "Distance of two items",
    reads=("joined", "ours", "others"),
    tells="items with different features",
)
"""A setting gives the distance of pairs of items, as codes; all have shape (pairs,). NaN where it is unknown."""
OF_FEATURES = ("features",)


_SQUARED = 1e-100, 1e100
"""Between these, squares and their sums are in the range of floating point."""


def _of_common_size(vectors: Numbers) -> Numbers:
    """Vectors, shape (pairs, features), those that are too large or too small to be squared times a power of two."""
    with np.errstate(invalid="ignore"):
        largest = np.fmax.reduce(np.abs(vectors), axis=1, initial=0)
    exponent = np.where((largest < _SQUARED[0]) | (largest > _SQUARED[1]), -np.frexp(largest)[1], 0)
    return vectors if not exponent.any() else np.ldexp(vectors, exponent[:, None])


def _vectors(joined: Joined, ours: Codes, others: Codes) -> tuple[Numbers, Numbers]:
    known = joined.once(ItemVectors).vectors
    return known[ours], known[others]


@PAIR_DISTANCE.setting(
    "cosine",
    rule="1 - cosine of the features",
    needs=OF_FEATURES,
    spans_users=False,
    says="the distance of two items is 1 minus the cosine of their features",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """1 where a vector is all zeros."""
    one, other = map(_of_common_size, _vectors(joined, ours, others))
    norms = np.sqrt((one * one).sum(axis=1)) * np.sqrt((other * other).sum(axis=1))
    return np.asarray(1 - np.where(norms == 0, 0.0, (one * other).sum(axis=1) / np.where(norms == 0, 1.0, norms)))


@PAIR_DISTANCE.setting(
    "jaccard",
    rule="1 - shared / all categories",
    needs=OF_FEATURES,
    spans_users=False,
    says="the distance of two items is 1 minus the share of their features that both have",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """Features other than 0 are had; 0 where neither has one."""
    one, other = _vectors(joined, ours, others)
    either = ((one != 0) | (other != 0)).sum(axis=1)
    both = ((one != 0) & (other != 0)).sum(axis=1)
    found = 1 - np.where(either == 0, 1.0, both / np.maximum(either, 1))
    return np.where(np.isnan(one).any(axis=1) | np.isnan(other).any(axis=1), np.nan, found)


@PAIR_DISTANCE.setting(
    "hamming",
    rule="features that differ",
    needs=OF_FEATURES,
    spans_users=False,
    cite="rectools",
    says="the distance of two items is the number of features in which they differ",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """A number from 0 to that of the features."""
    one, other = _vectors(joined, ours, others)
    unknown = np.isnan(one).any(axis=1) | np.isnan(other).any(axis=1)
    return np.where(unknown, np.nan, (one != other).sum(axis=1).astype(np.float64))


UNKNOWN_PAIR = Convention(
    "unknown-pair",
    "Pairs with an unknown item",
    tells="an item without features, or not in training",
)
"""A setting gives the distance that such a pair is taken to have."""


@UNKNOWN_PAIR.setting(
    "left-out", rule="it does not count", leaves_out=True, says="pairs with an item that is not known are left out"
)
def _() -> float:
    """Neither in the sum nor in what it is divided by."""
    return 0.0


@UNKNOWN_PAIR.number(rule="its distance is this number", says="the distance to an item that is not known is {value}")
def _(value: float) -> float:
    """1 is what nothing in common is in most distances; NaN makes the value of the list NaN."""
    return value


def distances(joined: Joined, distance: Setting, ours: Codes, others: Codes) -> Numbers:
    """The distance of each pair of items, shape as `ours`; NaN where an item is not known, or is none."""
    flat: Any = (np.ravel(ours), np.ravel(others))
    there = (flat[0] >= 0) & (flat[1] >= 0)
    found: NDArray[np.float64] = np.full(len(there), np.nan)
    found[there] = distance(joined=joined, ours=flat[0][there], others=flat[1][there])
    return found.reshape(np.shape(ours))


PAIR_VALUE = Convention(
    "pair-value",
    "Value of a pair",
    reads=("distances", "pairs"),
    phrase=True,
    tells="items that are not all equal",
)
"""A setting gives what pairs add, from the sum of their distances and their number; all of one shape."""


@PAIR_VALUE.setting("distance", rule="the distance", tex="d_{ij}")
def _(distances: Numbers) -> Numbers:
    """High for varied lists."""
    return distances


@PAIR_VALUE.setting("similarity", rule="1 minus the distance", cite="recmetrics", tex="(1 - d_{ij})")
def _(distances: Numbers, pairs: Numbers) -> Numbers:
    """Intra-list similarity, low for varied lists."""
    return np.asarray(pairs - distances)


PAIR_DENOMINATOR = Convention(
    "pair-denominator",
    "Divisor of the sum over the pairs",
    reads=("pairs", "rows"),
    phrase=True,
    tells="a list of more than three rows",
)
"""A setting gives each user's divisor, shape (users,), from the number of pairs that count and of rows read."""


@PAIR_DENOMINATOR.setting(
    "pairs", rule="the number of pairs", says="the number of these pairs", tex=r"\binom{«rows»}{2}"
)
def _(pairs: Numbers) -> Numbers:
    """The mean over the pairs."""
    return pairs


class IntraListDiversity(TopKMetric):
    """Compute the mean distance of the items of the list.

    The mean distance of the pairs of the first k items, by their features or by who had them in training. At least 0,
    at most 1 where distances are; no end is the better one. NaN for a list of one item. Needs `item_features=`, or
    `train=` for `pair-distance: co-occurrence`.
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
    paper_names = ("ILD",)
    says = "the sum over the pairs of items {here} of {pair-value} of the two, divided by {pair-denominator}"
    tex = r"\frac{1}{«pair-denominator»} \sum_{i=1}^{«rows»} \sum_{j=i+1}^{«rows»} «pair-value»"
    signs: ClassVar[dict[str, str]] = {"d_{ij}": "the distance of the items at ranks i and j"}
    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    pair_distance: Annotated[str, PAIR_DISTANCE]
    unknown_pair: Annotated[str, UNKNOWN_PAIR]
    pair_value: Annotated[str, PAIR_VALUE]
    pair_denominator: Annotated[str, PAIR_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        settings = self.settings
        found, pairs = block.once(_to_rows_above, settings["pair-distance"], settings["unknown-pair"], self.scope)
        added = settings["pair-value"](distances=block.numbers(found), pairs=block.numbers(pairs))
        total = block.sum(**{"pairs with rows above": added}).at(self.scope)
        given = {"pairs": block.count(pairs).at(self.scope), "rows": block.length_at(self.scope)}
        return Ratio(total, block.part(divided_by, settings["pair-denominator"], given))


def _to_rows_above(block: Block, distance: Setting, unknown: Setting, scope: int | None) -> tuple[Numbers, Numbers]:
    """For each row the sum of the distances to the rows above it, and their number; both have shape (K, users)."""
    items = block.items_by_rank
    sums, pairs = np.zeros(items.shape), np.zeros(items.shape)
    for row in range(1, int(np.max(block.rows_within(scope), initial=0))):
        both = (items[:row] >= 0) & (items[row] >= 0)
        found = distances(block.joined, distance, items[:row], np.broadcast_to(items[row], items[:row].shape))
        lost = np.isnan(found)
        counts = both & ~lost if unknown.traits.leaves_out else both
        found = np.where(counts, np.where(lost, unknown(), found), 0.0)
        sums[row], pairs[row] = np.cumsum(found, axis=0)[-1], counts.sum(axis=0)  # sums from the top, for every block
    return sums, pairs


CATEGORY_DENOMINATOR = Convention(
    "category-denominator",
    "Divisor of the number of categories",
    reads=("k", "rows", "all"),
    phrase=True,
    tells="a list shorter than k",
)
"""A setting gives each user's divisor, shape (users,); `rows` are those read, and `all` is the number of categories."""


@CATEGORY_DENOMINATOR.setting("k", rule="k; without k, the rows read", says="{k}", tex="«k»")
def _(rows: Numbers, k: int | None) -> Numbers:
    """1 where every row is of another category."""
    return rows if k is None else np.full(len(rows), float(k))


@CATEGORY_DENOMINATOR.setting("all", rule="the number of all categories", tex="C")
def _(rows: Numbers, all: float) -> Numbers:
    """1 where the list has something of everything."""
    return np.full(len(rows), all)


class CategoryShare(TopKMetric):
    """Compute the share of categories in the list.

    The categories (features other than 0) of the first k items, each counted once, divided by k or by the number of
    categories. Range 0 to 1 where an item has one category. No end is the better one. Needs `item_features=`.
    Source: RePlay 0.22.0, replay/metrics/categorical_diversity.py.

    >>> import rankconv as rc
    >>> known = {"a": "jazz", "b": "jazz", "c": "rock"}
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, "category_share@2", item_features=known)["category_share@2"]
    0.5
    """

    name = "category_share"
    formula = "different categories / category-denominator"
    called = "category diversity"
    says = "the number of different categories of the items {here} divided by {category-denominator}"
    tex = r"\frac{1}{«category-denominator»} \left| \bigcup_{j=1}^{«rows»} C_j \right|"
    signs: ClassVar[dict[str, str]] = {"C_j": "the categories of the item at rank j", "C": "the number of categories"}
    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    needs: ClassVar[tuple[str, ...]] = ("features",)
    category_denominator: Annotated[str, CATEGORY_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        known = block.joined.once(ItemVectors).vectors
        first = block.sum(**{"new categories": _first_of_category(block, known)}).at(self.scope)
        given = {"k": self.k, "rows": block.length_at(self.scope), "all": float(known.shape[1])}
        return Ratio(first, block.part(divided_by, self.settings["category-denominator"], given))


def _first_of_category(block: Block, known: Numbers) -> Numbers:
    """How many categories of each row no row above it has, shape (K, users)."""
    items = block.items_by_rank
    met, found = np.zeros((block.size, known.shape[1]), bool), np.zeros(items.shape)
    for row, codes in enumerate(items):
        has = (np.nan_to_num(known[codes]) != 0) & (codes >= 0)[:, None]
        found[row] = (has & ~met).sum(axis=1)
        met |= has
    return found


SERENDIPITY_KIND = Convention(
    "serendipity-kind",
    "Surprise of an item",
    reads=("block", "distance", "unknown"),
    phrase=True,
    tells="hits of which not all are equally popular",
)
"""A setting gives the surprise of each row, shape (K, users); NaN where there is none to tell."""


@SERENDIPITY_KIND.setting(
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


@SERENDIPITY_KIND.setting(
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


def _shown_surprise(surprise: Numbers, *_: Any) -> Iterator[tuple[str, Numbers]]:
    yield "surprise", np.where(np.isnan(np.asarray(surprise, np.float64)), 0, surprise)


@shown_as(by=_shown_surprise)
def surprise_by_rank(block: Block, kind: Setting, distance: Setting, unknown: Setting) -> Numbers:
    """The surprise of each row, shape (K, users); NaN where there is none to tell."""
    return np.asarray(kind(block=block, distance=distance, unknown=unknown))


class Serendipity(TopKMetric):
    """Compute how much of the list is relevant and surprising.

    The surprise of the relevant items among the first k: by how much they are ranked above what popularity would do,
    or how unlike they are to what the user had. Range 0 to 1 with `serendipity-sum: mean-of-rows` and distances of 0
    to 1. NaN for a user who had nothing, where surprise is measured so. Needs `train=`, and `catalogue=` or
    `item_features=` as the settings have it.
    Source: Ge, Delgado-Battenfeld and Jannach, RecSys 2010; the forms as presets cite them.

    >>> import rankconv as rc
    >>> train = {"u": ["x"], "v": ["x", "y"]}
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, "serendipity@2", train=train, catalogue=4)["serendipity@2"]
    0.5
    """

    name = "serendipity"
    why_no_expectation = "its surprise hangs on the items of the ranks, and not on labels alone"
    cite = "ge2010"
    formula = "surprise of the hits, by serendipity-sum"
    says = "made of the surprise of the relevant items {here}, which is {serendipity-kind}"
    tex = "«serendipity-sum»"
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    serendipity_kind: Annotated[str, SERENDIPITY_KIND]
    serendipity_sum: Annotated[str, SERENDIPITY_SUM]
    pair_distance: Annotated[str, PAIR_DISTANCE]
    unknown_pair: Annotated[str, UNKNOWN_PAIR]

    @property
    def asks_for(self) -> dict[str, str]:
        """Without what a distance needs that nobody asks for."""
        needed, distance = super().asks_for, self.settings["pair-distance"]
        idle = distance.traits.needs if self.settings["serendipity-kind"].traits.by_popularity else ()
        own = self.settings["serendipity-kind"].traits.needs
        return {name: asker for name, asker in needed.items() if name not in idle or name in own}

    def per_user(self, block: Block) -> Ratio:
        settings = self.settings
        given = settings["serendipity-kind"], settings["pair-distance"], settings["unknown-pair"]
        surprise = block.part(surprise_by_rank, *given)
        return Ratio(
            *settings["serendipity-sum"](block=block, surprise=surprise, hits=block.hits_by_rank, scope=self.scope)
        )


for _convention_name in (PAIR_DISTANCE, UNKNOWN_PAIR):

    @_convention_name.idle("surprise is computed from popularity", by="serendipity-kind")
    def _(context: Context) -> bool:
        return context.traits("serendipity-kind").by_popularity


def _to_history(block: Block, distance: Setting, unknown: Setting) -> Numbers:
    """The mean distance of each row to what its user had, shape (K, users); NaN where nothing is known of them."""
    items = block.items_by_rank
    user, had = block.joined.once(Train).history(block.users_of_lists("training is that of each user"))
    sums, counts = np.zeros(items.shape), np.zeros(items.shape)
    for row, codes in enumerate(items):
        found = distances(block.joined, distance, codes[user], had)
        lost = np.isnan(found)
        kept: Mask = (codes[user] >= 0) & ~(lost & unknown.traits.leaves_out)
        found = np.where(lost, unknown(), found)[kept]
        sums[row] = np.bincount(user[kept], weights=found, minlength=block.size)
        counts[row] = np.bincount(user[kept], minlength=block.size)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / counts)
