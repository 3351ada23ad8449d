"""Groups of items: the values of a column of item features, or head and tail of the popularity in training."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.conventions.traits import Lack
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.attributes import Features
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.data.train import ItemCodes, Train
from rankconv.metrics.base import TopKMetric
from rankconv.metrics.beyond.novelty import ITEM_COUNT, UNSEEN_ITEM
from rankconv.preparation.blocks.block import Block

HEAD, TAIL = "head", "tail"
NO_GROUP_NAME = "no group"
ByConvention = Mapping[str, Setting]
"""The settings of a metric."""


@dataclass(frozen=True, eq=False)
class ItemGroups:
    """The groups of all items."""

    names: tuple[str, ...]
    shares: Numbers
    """What each group has of each item, in the codes of `ItemCodes`, shape (items + 1, groups); 0 in the last row,
    which -1 names."""
    sizes: Numbers
    """How many items each group has, of all that there are, shape (groups,)."""

    @property
    def has_group(self) -> Mask:
        """Which items are in a group, shape (items,)."""
        return np.asarray((self.shares[:-1] > 0).any(axis=1))

    def sums(self, item: Codes, worth: Any, added: Callable[[Any], Any]) -> list[Any]:
        """What the rows of each group are worth, shape (groups,), `item` and `worth` having shape (rows,).

        `added` gives their sum, whatever their order.
        """
        each = (self.shares[item, at] for at in range(len(self.names)))
        return [added(np.asarray(worth[share > 0] * share[share > 0])) for share in each]

    def of_items(self, item: Codes) -> Numbers:
        """What the groups have of these items, each as often as it is there, shape (groups,); `item` in any order."""
        item, counts = np.unique(item, return_counts=True)
        return sums_of_groups(self.shares[item] * counts[:, None])


def sums_of_groups(shares: Numbers) -> Numbers:
    """The sums over the items, shape (groups,), whatever their order; `shares` has shape (items, groups)."""
    return np.asarray(np.sort(shares, axis=0).sum(axis=0))


ITEM_GROUP = Convention(
    "item-group",
    "Groups of items",
    reads=("joined", "counts", "before"),
    tells="items of more than one group",
)
"""A setting gives the `ItemGroups`.

`counts` are those of all items in training, shape (items,), NaN for an item that is in no group; `before` is the place
of each item among those of equal count."""


@ITEM_GROUP.setting(
    "refuse",
    rule="to be said",
    spans_users=True,
    says="the groups of items are not said",
    lacking=lambda joined, settings: Lack(
        "the groups of items are not said",
        "Write item-group=column for those of the item features, or item-group=popularity-head(0.8, reached), which "
        "the preset elliot has, or item-group=popularity-head(0.8, exceeded), which warprec_fairness has.",
    ),
)
def _(joined: Joined) -> ItemGroups:
    """A spread means nothing without the groups."""
    return ItemGroups(("",), np.full((len(joined.once(ItemCodes)) + 1, 1), np.nan), np.full(1, np.nan))


def _features_of(joined: Joined) -> Features:
    found = joined.extra.features
    assert found is not None
    return found


def _chosen(given: Features, column: str) -> Mask:
    """Which features are those of the groups, shape (features,)."""
    if not column or not given.columns:
        return np.ones(len(given.names), bool)
    return np.array([one == column for one in given.columns], bool)


def _column_lacking(joined: Joined, settings: ByConvention) -> Lack | None:
    """What is wrong with the column that has the groups."""
    given, column = _features_of(joined), settings["item-group"].keywords.get("name", "")
    columns = list(dict.fromkeys(given.columns))
    if column and column not in columns:
        there = f"columns {', '.join(columns)}" if columns else "no names of columns"
        do = "Name one of them." if columns else "Leave the name out: item-group=column."
        return Lack(f"the item features have no column '{column}'; they have {there}", do)
    vectors = given.vectors[:, _chosen(given, column)]
    numbers = vectors[~np.isnan(vectors)]
    are_codes = _is_of_numbers(given, _chosen(given, column)) and not (numbers % 1).any()
    several = len(columns) > 1 and not column
    if several and ((vectors > 0).sum(axis=1) > 1).any() and _are_ones(numbers):
        do = f"Name the one that has the groups: item-group=column({columns[0]})."
        return Lack(f"the item features have several columns: {', '.join(columns)}", do)
    sums = np.nansum(vectors, axis=1)
    wrong = not are_codes and not _are_ones(numbers) and ((numbers < 0).any() or (sums > 1 + 1e-6).any())
    if wrong or (_is_of_numbers(given, _chosen(given, column)) and not are_codes):
        item = given.items.id(int(np.flatnonzero((sums > 1 + 1e-6) | (sums < 0) | (sums % 1 > 0))[0]))
        do = "Give shares from 0 to 1 that add up to 1, or the name of a group as text."
        return Lack(f"the numbers of item {quoted(item)} are neither shares of groups nor a group", do)
    return None


def _is_of_numbers(given: Features, chosen: Mask) -> bool:
    """Whether the groups are the numbers of a single column, `chosen` having shape (features,)."""
    at = np.flatnonzero(chosen)
    return len(at) == 1 and given.names[at[0]] == (given.columns[at[0]] if given.columns else "0")


def _are_ones(numbers: Numbers) -> bool:
    """Whether these are categories: ones and zeros."""
    return bool(np.isin(numbers, (0, 1)).all())


@ITEM_GROUP.setting(
    "column",
    rule="the values of a column of the item features, or its shares of groups",
    spans_users=True,
    needs=("features",),
    lacking=_column_lacking,
    says="the groups are those of the item features{name:? , column }",
)
def _(joined: Joined, name: str = "") -> ItemGroups:
    """An item of several categories is in each of these groups; with shares, as much as they say."""
    given = _features_of(joined)
    chosen = _chosen(given, name)
    vectors, names = given.vectors[:, chosen], np.array(given.names)[chosen].tolist()
    if _is_of_numbers(given, chosen):
        values = np.unique(vectors[~np.isnan(vectors)])
        vectors, names = (vectors == values).astype(np.float64), [f"{value:g}" for value in values.tolist()]
    vectors = np.nan_to_num(vectors)
    codes = joined.once(ItemCodes)
    at = codes.of(given.items)
    shares = np.zeros((len(codes) + 1, len(names)))
    shares[at[at >= 0]] = vectors[at >= 0]
    return ItemGroups(tuple(names), shares, sums_of_groups(vectors))


class Head(NamedTuple):
    """The most popular items."""

    inside: Mask
    """Which items are in the head, shape (items,)."""
    tied: list[int]
    """The items that are equally popular at its end, some of which are in it; empty where there are none."""


def head_of(counts: Numbers, before: Numbers, share: float, exceeded: bool) -> Head:
    """The items that have the first `share` of the interactions, the more popular before the less popular."""
    order = np.lexsort((before, -np.nan_to_num(counts)))
    falling = np.nan_to_num(counts)[order]
    running, limit = np.cumsum(falling), share * float(falling.sum())
    ended = np.flatnonzero(running > limit if exceeded else running >= limit)
    size = int(ended[0]) + 1 if len(ended) else len(falling)
    inside = np.zeros(len(counts), bool)
    inside[order[:size]] = True
    inside &= ~np.isnan(counts)
    at_end = np.flatnonzero(counts == falling[size - 1]) if size else np.empty(0, np.int64)
    split = inside[at_end].any() and not inside[at_end].all()
    return Head(inside, at_end.tolist() if split else [])


def _tied_border(joined: Joined, settings: ByConvention) -> Lack | None:
    """Equally popular items of which some are in the head, where nothing decides between them."""
    if not settings["popularity-ties"].traits.refuses:
        return None
    group, counts = settings["item-group"], counts_of(joined, settings)
    share, ends = group.keywords["share"], group.keywords["ends"]
    tied = head_of(counts, np.arange(len(counts), dtype=np.float64), share, ends == "exceeded").tied
    if not tied:
        return None
    ids = joined.once(ItemCodes).ids
    few = ", ".join(quoted(ids.id(code)) for code in tied[:3])
    wrong = f"items {few} and others" if len(tied) > 3 else f"items {few}"
    return Lack(
        f"{wrong} are equally popular ({counts[tied[0]]:g} in training) and the head ends among them",
        "Write popularity-ties=item-ascending, or another share in item-group=popularity-head(…).",
    )


@ITEM_GROUP.setting(
    "popularity-head",
    rule="head: the most popular items, until they have this share of the interactions; tail: the others",
    spans_users=True,
    needs=("train",),
    lacking=_tied_border,
    says=(
        "the head is the most popular items of training until {share} of the interactions is {ends}, with the item at "
        "which it is, and the tail is the other items"
    ),
)
def _(
    joined: Joined,
    counts: Numbers,
    before: Numbers,
    share: Annotated[float, Within(0, 1)],
    ends: Literal["reached", "exceeded"],
) -> ItemGroups:
    """The item at which the share is reached, or exceeded, is in the head."""
    head = head_of(counts, before, share, ends == "exceeded").inside
    tail = ~head & ~np.isnan(counts)
    shares = np.append(np.stack([head, tail], axis=1).astype(np.float64), np.zeros((1, 2)), axis=0)
    unknown = item_number(joined) - len(counts) if not np.isnan(counts[joined.once(Train).users == 0]).any() else 0
    return ItemGroups((HEAD, TAIL), shares, np.array([head.sum(), tail.sum() + unknown], np.float64))


POPULARITY_TIES = Convention(
    "popularity-ties",
    "Equally popular items at the end of the head",
    reads=("joined",),
    tells="items that are equally popular where the head ends",
)
"""A setting gives the place of each item among those of equal count, shape (items,)."""


@POPULARITY_TIES.setting(
    "refuse", rule="refused", refuses="everybody", spans_users=True, says="equally popular items are not divided"
)
def _(joined: Joined) -> Numbers:
    """Which of them are in the head would be chance."""
    return np.zeros(len(joined.once(ItemCodes)))


@POPULARITY_TIES.setting(
    "item-ascending",
    rule="by item, ascending, as numbers where all are",
    spans_users=True,
    says="of equally popular items those of the lesser id are in the head first",
)
def _(joined: Joined) -> Numbers:
    """Whatever the order of training."""
    ids = joined.once(ItemCodes).ids
    ranks = ids.number_rank
    return ids.text_rank.astype(np.float64) if np.isnan(ranks).any() else ranks


NO_GROUP = Convention(
    "no-group",
    "Items without a group",
    reads=("joined", "groups"),
    tells="an item that is in no group",
)
"""A setting gives the groups with what such items are."""


def _ungrouped(joined: Joined, settings: ByConvention) -> Lack | None:
    """An item of labels or lists that is in no group."""
    groups = settings["item-group"](**_given(joined, settings))
    items = np.flatnonzero(~groups.has_group[: len(joined.items)])
    if not len(items):
        return None
    item, more = quoted(joined.items.id(int(items[0]))), len(items) - 1
    others = f" and {more:,} other{'s' * (more > 1)}" * bool(more)
    return Lack(
        f"items without a group: {item}{others}",
        "Give each a group, or write no-group=left-out, no-group=own-group or no-group=even-share.",
    )


@NO_GROUP.setting("refuse", rule="refused", lacking=_ungrouped, says="every item has a group")
def _(groups: ItemGroups) -> ItemGroups:
    """Systems count such items in different ways."""
    return groups


@NO_GROUP.setting("left-out", rule="in no group", says="items without a group are left out")
def _(groups: ItemGroups) -> ItemGroups:
    """They count for no group."""
    return groups


@NO_GROUP.setting(
    "own-group",
    rule="a group of their own",
    spans_users=True,
    says="items without a group are a group of their own",
)
def _(joined: Joined, groups: ItemGroups) -> ItemGroups:
    """Its size is that of all other items that there are."""
    without = np.append(~groups.has_group, False).astype(np.float64)
    size = item_number(joined) - int(groups.has_group.sum()) - _beyond(joined)
    return ItemGroups(
        (*groups.names, NO_GROUP_NAME), np.column_stack([groups.shares, without]), np.append(groups.sizes, size)
    )


@NO_GROUP.setting(
    "even-share", rule="as much in each group", spans_users=True, says="items without a group count evenly for all"
)
def _(joined: Joined, groups: ItemGroups) -> ItemGroups:
    """Each group has an equal share of them."""
    shares, count = groups.shares.copy(), len(groups.names)
    shares[:-1][~groups.has_group] = 1 / max(count, 1)
    others = item_number(joined) - int(groups.has_group.sum()) - _beyond(joined)
    return replace(groups, shares=shares, sizes=groups.sizes + others / max(count, 1))


def _beyond(joined: Joined) -> int:
    """How many items are in the item features alone."""
    given = joined.extra.features
    return 0 if given is None else int((joined.once(ItemCodes).of(given.items) < 0).sum())


def item_number(joined: Joined) -> int:
    """How many items there are: those of the catalogue, or of labels, lists, training and item features."""
    return joined.extra.catalogue or len(joined.once(ItemCodes)) + _beyond(joined)


def counts_of(joined: Joined, settings: ByConvention) -> Numbers:
    """The count of each item in training, shape (items,); NaN for one that is in neither head nor tail."""
    counts = np.asarray(settings["item-count"](train=joined.once(Train)), np.float64)
    setting = settings["unseen-item"]
    left_out = setting.traits.leaves_out or setting.traits.adds_nothing
    return np.where(counts == 0, np.nan if left_out else setting(all_counts=counts), counts)


def _given(joined: Joined, settings: ByConvention) -> dict[str, Any]:
    """What the settings of the groups read, where they do."""
    given: dict[str, Any] = {"joined": joined}
    if "counts" in settings["item-group"].reads:
        given |= {"counts": counts_of(joined, settings), "before": settings["popularity-ties"](joined=joined)}
    return given


class KnownGroups:
    """The groups of joined data that were made, by the settings that made them."""

    OF: ClassVar[tuple[str, ...]] = ("item-group", "no-group", "item-count", "unseen-item", "popularity-ties")

    def __init__(self, joined: Joined) -> None:
        self.joined, self._made = joined, dict[tuple[Setting, ...], ItemGroups]()

    def of(self, settings: ByConvention) -> ItemGroups:
        """The groups under these settings."""
        key = tuple(settings[name] for name in self.OF)
        if key not in self._made:
            groups = settings["item-group"](**_given(self.joined, settings))
            self._made[key] = settings["no-group"](joined=self.joined, groups=groups)
        return self._made[key]


class OfGroups(TopKMetric):
    """What metrics share that are of groups of items."""

    of_groups: ClassVar[bool] = True
    directed: ClassVar[bool] = False
    item_group: Annotated[str, ITEM_GROUP]
    no_group: Annotated[str, NO_GROUP]
    item_count: Annotated[str, ITEM_COUNT]
    unseen_item: Annotated[str, UNSEEN_ITEM]
    popularity_ties: Annotated[str, POPULARITY_TIES]

    def groups(self, joined: Joined) -> ItemGroups:
        """The groups of all items."""
        return joined.once(KnownGroups).of(self.settings)

    def named_groups(self, block: Block, values: Any, what: str = "") -> Iterator[tuple[str, Any]]:
        """Caption what each group of the first list has, of `values` of shape (groups, users)."""
        names = self.groups(block.joined).names
        return ((f"group {name}{what}", value) for name, value in zip(names, values[:, 0], strict=True))


def _not_by_popularity(context: Context) -> bool:
    """Whether the groups are made without training."""
    group = context.settings.get("item-group")
    return group is not None and "counts" not in group.reads


BY_POPULARITY = "the groups are not those of popularity"
POPULARITY_TIES.idle(BY_POPULARITY)(_not_by_popularity)
ITEM_COUNT.idle(BY_POPULARITY)(_not_by_popularity)
UNSEEN_ITEM.idle(BY_POPULARITY)(_not_by_popularity)
