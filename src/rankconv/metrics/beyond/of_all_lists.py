"""Metrics of all lists as one: what is counted of their rows."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.data.train import Train, in_catalogue
from rankconv.metrics.base import Metric, Ratio, TopKMetric
from rankconv.metrics.divisors import divided_by
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as

OF_ITEMS: Mapping[str, Callable[[Joined], Mask]] = {
    "in-train": lambda joined: np.asarray(joined.once(Train).interactions > 0),
    "in-catalogue": lambda joined: joined.once(in_catalogue),
}
"""What the caller says of each item, shape (items,)."""
OF_ALL_DATA: Mapping[str, Callable[[Joined], float]] = {
    "catalogue": lambda joined: float(joined.extra.catalogue or 0),
    "train-items": lambda joined: float(joined.once(Train).item_count),
}
"""What the caller says besides, which is one number."""


@dataclass(frozen=True, eq=False)
class ShownRows:
    """The rows of many lists down to the cutoff; arrays have shape (rows,)."""

    joined: Joined | None
    """The data; None where the rows come counted, without it."""
    item: Codes
    rank: Codes
    """From 1."""
    of: Codes
    """How many rows its list has, down to the cutoff."""
    lists: int
    """Number of lists, with or without a row."""
    k: int | None
    numbers: Callable[[Any], Any] = np.asarray
    """Makes numbers to compute with: exact ones where a number is explained."""
    times: Codes | None = None
    """How many rows each of them represents; None for one."""
    items_known: Mapping[str, Mask] = field(default_factory=dict)
    """Where there is no data: what is known of each row's item, shape (rows,), by the names of `OF_ITEMS`."""
    data_known: Mapping[str, float] = field(default_factory=dict)
    """Where there is no data: what is known of all of them, by the names of `OF_ALL_DATA`."""

    @classmethod
    def of_block(cls, block: Block, users: Mask, metric: Metric) -> "ShownRows":
        """What a prepared block shows to these users down to the metric's cutoff; `users` has shape (users,)."""
        rows = (block.items_by_rank >= 0) & block.read_to(metric.scope) & users
        place, user = np.nonzero(rows)
        columns = (block.items_by_rank[place, user], place + 1, rows.sum(axis=0)[user])
        item, rank, of = (values.astype(np.int32) for values in columns)
        return cls(block.joined, item, rank, of, int(users.sum()), metric.k)

    @classmethod
    def together(cls, parts: Sequence["ShownRows"]) -> "ShownRows":
        """All of these lists; counted ones come alone."""
        if len(parts) == 1:
            return parts[0]
        return replace(
            parts[0],
            item=np.concatenate([part.item for part in parts]),
            rank=np.concatenate([part.rank for part in parts]),
            of=np.concatenate([part.of for part in parts]),
            lists=sum(part.lists for part in parts),
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.item) if self.times is None else int(self.times.sum())

    def of_items(self, name: str) -> Mask:
        """Which rows show an item of which this is known, shape (rows,)."""
        known = self.items_known[name] if self.joined is None else OF_ITEMS[name](self.joined)[self.item]
        return np.asarray(known, bool)

    def of_all_data(self, name: str) -> float:
        """A number that the caller says."""
        return float(self.data_known[name] if self.joined is None else OF_ALL_DATA[name](self.joined))

    @property
    def counts(self) -> Numbers:
        """In how many rows each item is, shape (items,); items that are nowhere are left out."""
        return self._counted(self.item)[1].astype(np.float64)

    def _counted(self, keys: Codes) -> tuple[Codes, Codes]:
        """The different keys, rising, and how many rows have each; keys have shape (rows,)."""
        if self.times is None:
            return np.unique(keys, return_counts=True)
        different, at = np.unique(keys, return_inverse=True)
        return different, np.bincount(at, weights=self.times).astype(np.int64)

    @property
    def items(self) -> int:
        """Number of different items."""
        return len(self.counts)

    def weighed(self, kind: Codes, weights: Numbers) -> Numbers:
        """What the rows of each item weigh in sum, shape (items,).

        A row weighs what its `kind`, shape (rows,), has in `weights`; the rows of one kind are counted first, so the
        sum does not depend on the order of users.
        """
        size = len(weights)
        keys, counts = self._counted(self.item.astype(np.int64) * size + kind)
        _, at = np.unique(keys // size, return_inverse=True)
        return np.bincount(np.ravel(at), weights=counts * weights[keys % size]).astype(np.float64)


def added(values: Any) -> Any:
    """The sum of values of shape (values,), whatever their order; exact where they are."""
    return sum(values) if values.dtype == object else math.fsum(values.tolist())


class SystemLevelMetric(TopKMetric):
    """What metrics share that are one number of all lists: the rows of all users who count, and no user has a value."""

    of_all_lists: ClassVar[bool] = True
    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    splits: ClassVar[bool] = False
    counted_by: ClassVar[tuple[str, ...] | None] = None
    """What it reads of a row besides its item: `rank`, `of`, and names of `OF_ITEMS` and `OF_ALL_DATA`, so that it may
    be read of rows that were counted; None where nobody said so. Settings that read lists say it as a trait."""

    @abstractmethod
    def of_lists(self, shown: ShownRows) -> Ratio:
        """The number of these lists, shape (1,)."""

    @property
    def all_counted_by(self) -> tuple[str, ...] | None:
        """What it and its settings read of a row besides its item; None where one of them may read anything."""
        lists = [one for one in self.settings.values() if {"shown", "ranks"} & {*one.reads}]
        each = [self.counted_by if self.keeps_counts else None, *(one.traits.counted_by for one in lists)]
        parts = [one for one in each if one is not None]
        return tuple(sorted({name for one in parts for name in one})) if len(parts) == len(each) else None

    @property
    def keeps_counts(self) -> bool:
        """Whether what it says of `counted_by` was said of its own `of_lists`."""
        says = next(one for one in type(self).__mro__ if "counted_by" in vars(one))
        return says.__dict__.get("of_lists", type(self).of_lists) is type(self).of_lists

    def shown(self, block: Block, users: Mask) -> ShownRows:
        """What these users of a block are shown; `users` has shape (users of the block,)."""
        return ShownRows.of_block(block, users, self)

    def per_user(self, block: Block) -> Ratio:
        """The number of each user's list alone, as if there were no other."""
        each = block.part(each_list_alone, self)
        tops, bottoms = [one.numerator for one in each], [one.denominator for one in each]
        return Ratio(np.concatenate(tops), np.concatenate(bottoms)) if each else Ratio(np.empty(0), np.empty(0))


def _said_groups(each: Sequence[Ratio], *_: Any) -> Iterator[tuple[str, Any]]:
    for groups in [one.groups for one in each[:1] if one.groups is not None]:
        values = np.ravel(next(iter(groups.columns.values())))
        yield from ((f"group {name}", value) for name, value in zip(groups.names, values, strict=True))


@said_as(by=_said_groups)
def each_list_alone(block: Block, metric: SystemLevelMetric) -> list[Ratio]:
    """The number of the list of each user, one by one."""
    alone = [metric.shown(block, one) for one in np.eye(block.size, dtype=bool)]
    return [metric.of_lists(replace(one, numbers=block.numbers)) for one in alone]


ITEM_NUMBER = Convention(
    "item-number",
    "Number of items that could be in a list",
    reads=("shown",),
    is_table=True,
    phrase=True,
    tells="items in no list",
)
"""The settings that several conventions share; a setting gives a number."""


@ITEM_NUMBER.setting(
    "catalogue",
    rule="the number of items in the catalogue",
    needs=("catalogue",),
    counted_by=("catalogue",),
    tex="N",
)
def _(shown: ShownRows) -> float:
    """As the caller says it."""
    return shown.of_all_data("catalogue")


@ITEM_NUMBER.setting(
    "train",
    rule="the number of items in training",
    needs=("train",),
    counted_by=("train-items",),
    cite="recommenders",
    tex="N_T",
    signs={"N_T": "the number of items in training"},
)
def _(shown: ShownRows) -> float:
    """Also where lists have others."""
    return shown.of_all_data("train-items")


ROW_DENOMINATOR = Convention(
    "row-denominator",
    "Divisor of the sum over the rows",
    reads=("rows", "k"),
    phrase=True,
    tells="a list shorter than k",
)
"""A setting gives each user's divisor, shape (users,), from `rows`, the weights of the rows that count."""


@ROW_DENOMINATOR.setting("rows", rule="the rows read", says="the number of these rows", tex="«rows»")
def _(rows: Numbers) -> Numbers:
    """Where rows weigh differently, the sum of their weights."""
    return rows


@ROW_DENOMINATOR.setting("k", rule="k; without k, the rows read", says="{k}", tex="«k»")
def _(rows: Numbers, k: int | None) -> Numbers:
    """Also where the list is shorter."""
    return rows if k is None else np.full(len(rows), float(k))


@ROW_DENOMINATOR.setting("one", rule="1", says="1", tex="1")
def _(rows: Numbers) -> Numbers:
    """A number of rows, not a mean."""
    return np.ones(len(rows))


ROW_WEIGHT = Convention("row-weight", "Weight of a row", reads=("ranks",), tells="lists of more than one row")
"""A setting gives the weight of each rank, both of shape (ranks,)."""


@ROW_WEIGHT.setting("equal", rule="1", counted_by=(), no="weighting of rows by rank", tex="1")
def _(ranks: Numbers) -> Numbers:
    """All equal."""
    return np.ones(len(ranks))


class OfRows(TopKMetric):
    """What metrics share that are a mean over the rows of a list."""

    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    row_denominator: Annotated[str, ROW_DENOMINATOR]

    def over_rows(self, block: Block, values: Numbers, rows: Numbers, called: str) -> Ratio:
        """The sum of values over the rows down to the cutoff, divided as the setting says.

        Both have shape (K, users); `rows` are what rows weigh, 0 for one that does not count.
        """
        total = block.sum(**{called: values}).at(self.scope)
        read = block.count(block.numbers(rows)).at(self.scope)
        return Ratio(total, block.part(divided_by, self.settings["row-denominator"], {"rows": read, "k": self.k}))
