"""Popularity and novelty of the items of lists, counted in training data."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import LogBase, Within
from rankconv.data.arrays import Mask, Numbers, log
from rankconv.data.train import Train
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.beyond.of_all_lists import ROW_WEIGHT, OfRows
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import shown_as

COUNTED = "c_j"
SIGNS = {
    "c_j": "how often the item at rank j was counted in training",
    "T": "the sum of the counts of all items in training",
    "U": "the number of users in training",
}

ITEM_COUNT = Convention("item-count", "Count of an item in training", reads=("train",), tells="a repeated interaction")
"""A setting gives the count of each item, shape (items,)."""


@ITEM_COUNT.setting("users", rule="users who have it", says="each user of training counts once for an item")
def _(train: Train) -> Numbers:
    """A repeated interaction adds nothing."""
    return train.users


@ITEM_COUNT.setting("interactions", rule="interactions", says="each interaction of training counts for its item")
def _(train: Train) -> Numbers:
    """A repeated interaction counts again."""
    return train.interactions


POPULARITY = Convention(
    "popularity",
    "Popularity of an item from its count",
    reads=("counts", "block", "train", "all_counts"),
    phrase=True,
    tells="training with more than one user",
)
"""A setting gives the popularity of rows whose items have these `counts`, both of shape (K, users).

`all_counts` are those of all items, shape (items,)."""


@POPULARITY.setting("count", rule="its count in training", tex=COUNTED)
def _(counts: Numbers) -> Numbers:
    """It grows with the data."""
    return counts


@POPULARITY.setting("share", rule="its count in training over the sum of all counts", tex=r"\frac{c_j}{T}")
def _(counts: Numbers, block: Block, all_counts: Numbers) -> Numbers:
    """The probability that an interaction is with this item."""
    return np.asarray(counts / block.number(float(all_counts.sum())))


@POPULARITY.setting("user-share", rule="its count in training over the number of users there", tex=r"\frac{c_j}{U}")
def _(counts: Numbers, block: Block, train: Train) -> Numbers:
    """The probability that a user has it, where users are counted."""
    return np.asarray(counts / block.number(float(train.user_count)))


UNSEEN_ITEM = Convention(
    "unseen-item",
    "Items that are not in training",
    reads=("all_counts",),
    tells="an item that is returned and not in training",
)
"""A setting gives the count that such an item is taken to have."""


@UNSEEN_ITEM.number(rule="its count is this number", least=0, says="an item that is not in training counts as {value}")
def _(value: float) -> float:
    """0 is what it is; 1 is the least that an item of training has."""
    return value


@dataclass(frozen=True, eq=False)
class RowPopularity:
    """What training says of the rows of a block; arrays have shape (K, users)."""

    popularity: Numbers
    counts: Mask
    """Which rows count at all."""
    adds: Mask
    """Which rows add something."""


@shown_as("count in training")
def counts_in_training(block: Block, counts: Numbers) -> Numbers:
    """How often the item of each row is in training, or what counts in place of never, shape (K, users)."""
    return block.numbers(counts)


def counted(metric: Metric, block: Block) -> RowPopularity:
    """The popularity of the item of each row, as the settings of the metric have it."""
    train, settings = block.joined.once(Train), metric.settings
    setting, all_counts = settings["unseen-item"], np.asarray(settings["item-count"](train=train))
    found = np.append(all_counts, 0.0)[block.items_by_rank]
    unseen = block.listed & (found == 0)
    counts = block.part(counts_in_training, np.where(unseen, setting(all_counts=all_counts), found))
    given: dict[str, Any] = {"counts": counts, "block": block, "train": train, "all_counts": all_counts}
    listed = np.asarray(block.listed)
    return RowPopularity(
        np.asarray(settings["popularity"](**given)),
        listed & ~unseen if setting.traits.leaves_out else listed,
        listed & ~unseen if setting.traits.leaves_out or setting.traits.adds_nothing else listed,
    )


class AveragePopularity(OfRows):
    """Compute the mean popularity of the items of the list.

    The mean over the first k of the popularity that an item has in training: its count, or a share. At least 0. No
    end is the better one: popular items are often liked, and known anyway. NaN for an empty list. Needs `train=`.
    Source: Yin, Cui, Li, Yao and Chen, Challenging the long tail recommendation, VLDB 2012; the forms as presets cite
    them.

    >>> import rankconv as rc
    >>> train = {"u": ["a", "b"], "v": ["a"]}
    >>> rc.evaluate({"u": ["c"]}, {"u": ["a", "b"]}, "popularity@2", train=train)["popularity@2"]
    1.5
    """

    name = "popularity"
    cite = "yin2012"
    spellings = ("arp",)
    formula = "sum of the popularity of the items, / row-denominator"
    called = "average popularity"
    paper_names = ("ARP",)
    says = (
        "the sum over the items {here} of the popularity of an item, which is {popularity}, divided by "
        "{row-denominator}"
    )
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} «popularity»"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    needs: ClassVar[tuple[str, ...]] = ("train",)
    item_count: Annotated[str, ITEM_COUNT]
    popularity: Annotated[str, POPULARITY]
    unseen_item: Annotated[str, UNSEEN_ITEM]

    def per_user(self, block: Block) -> Ratio:
        counts_of = counted(self, block)
        return self.over_rows(
            block, counts_of.popularity * counts_of.adds, counts_of.counts.astype(np.float64), "popularity"
        )


ITEM_NOVELTY = Convention(
    "item-novelty",
    "Novelty of an item from its popularity",
    reads=("block", "popularity", "train"),
    phrase=True,
    tells="training with more than one user",
)
"""A setting gives the novelty of rows of this popularity p, both of shape (K, users)."""


@ITEM_NOVELTY.setting(
    "self-information",
    rule="-log_base(p)",
    says="-{base:log}(p{epsilon:? + })",
    tex=r"-«base:log»\left(«popularity»«epsilon:? + »\right)",
)
def _(popularity: Numbers, *, base: LogBase, epsilon: Annotated[float, Within(0, 1)] = 0) -> Numbers:
    """The information, in bits with base 2, of knowing that a user, or an interaction, has this item."""
    return np.asarray(-log(popularity + epsilon if epsilon else popularity, base))


NOVELTY_ROWS = Convention(
    "novelty-rows", "Rows whose novelty is added", reads=("block",), phrase=True, tells="a list with hits and misses"
)
"""A setting gives 1 for each such row, shape (K, users)."""


@NOVELTY_ROWS.setting("all", rule="all", says="items", tex="")
def _(block: Block) -> Numbers:
    """Relevant or not."""
    return np.ones((block.depth, block.size))


class Novelty(OfRows):
    """Compute the mean novelty of the items of the list.

    The mean over the first k of the novelty of an item of popularity p: its self-information -log(p), or 1 - p. With
    p the share of users it is mean inverse user frequency (MIUF); with relevant rows, weighted by rank, the expected
    free discovery (EFD) and the expected popularity complement (EPC). At least 0, at most 1 for 1 - p. No end is the
    better one. NaN for an empty list. Needs `train=`.
    Source: Zhou et al., PNAS 107(10), 2010; Vargas and Castells, RecSys 2011; the forms as presets cite them.

    >>> import rankconv as rc
    >>> train = {"u": ["a", "b"], "v": ["a"]}
    >>> rc.evaluate({"u": ["c"]}, {"u": ["a", "b"]}, "novelty@2", train=train)["novelty@2"]
    0.5
    """

    name = "novelty"
    cite = "vargas2011"
    spellings = ("miuf",)
    formula = "sum of weight · novelty of the items, / row-denominator"
    says = (
        "the sum over the {novelty-rows} {here} of the novelty of an item, which is {item-novelty}, p being "
        "{popularity}, divided by {row-denominator}"
    )
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} «novelty-rows» «row-weight» \cdot «item-novelty»"
    signs = SIGNS
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    needs: ClassVar[tuple[str, ...]] = ("train",)
    item_count: Annotated[str, ITEM_COUNT]
    popularity: Annotated[str, POPULARITY] = "user-share"
    unseen_item: Annotated[str, UNSEEN_ITEM]
    item_novelty: Annotated[str, ITEM_NOVELTY]
    novelty_rows: Annotated[str, NOVELTY_ROWS]
    row_weight: Annotated[str, ROW_WEIGHT]

    def per_user(self, block: Block) -> Ratio:
        counts_of, settings = counted(self, block), self.settings
        weights = block.of_ranks(settings["row-weight"], block.depth) * counts_of.counts
        with np.errstate(divide="ignore", invalid="ignore"):
            novelty = block.part(novelty_by_rank, settings["item-novelty"], counts_of)
            worth = novelty * weights * settings["novelty-rows"](block=block)
        return self.over_rows(block, np.where(counts_of.adds, worth, 0), weights, "added")


@shown_as("novelty")
def novelty_by_rank(block: Block, item_novelty: Setting, counts_of: RowPopularity) -> Numbers:
    """The novelty of each row that adds something, 0 of others, shape (K, users)."""
    popularity = np.where(counts_of.adds, counts_of.popularity, block.numbers(np.ones((1, 1))))  # else log(0)
    novelty = item_novelty(train=block.joined.once(Train), popularity=popularity, block=block)
    return np.where(counts_of.adds, novelty, 0)


class NewToUser(OfRows):
    """Compute the share of the list that the user does not have in training.

    Rows of the first k whose item is in no interaction of this user; one who is not in training has had nothing. Range
    0 to 1. No end is the better one. NaN for an empty list. Needs `train=`.
    Source: RePlay 0.22.0, replay/metrics/novelty.py.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["c"]}, {"u": ["a", "b"]}, "new_to_user@2", train={"u": ["a"]})["new_to_user@2"]
    0.5
    """

    name = "new_to_user"
    formula = "rows that the user has not had in training, / row-denominator"
    called = "share of new items"
    says = "the number of items {here} that the user has not had in training, divided by {row-denominator}"
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} (1 - t_j)"
    signs: ClassVar[dict[str, str]] = {"t_j": "1 if the user has the item at rank j in training, else 0"}
    needs: ClassVar[tuple[str, ...]] = ("train",)

    def per_user(self, block: Block) -> Ratio:
        had = block.joined.once(Train).had(block.users_of_lists("training is that of each user"), block.items_by_rank)
        new = np.asarray(block.listed) & ~had
        return self.over_rows(block, new.astype(np.float64), np.asarray(block.listed, np.float64), "new")
