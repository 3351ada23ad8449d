"""The share of a group of items in a list."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.traits import Lack
from rankconv.data.arrays import Numbers, summed_in_turn
from rankconv.data.group_values import GroupValues
from rankconv.data.joined import Joined
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import OfRows
from rankconv.metrics.divisors import divided_by
from rankconv.metrics.gains import GAIN
from rankconv.metrics.groups.exposure import EXPOSURE
from rankconv.metrics.groups.item_groups import ByConvention, KnownGroups, OfGroups
from rankconv.metrics.groups.rates import GROUP_RATE
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as

GROUP = Convention(
    "group", "Group that is counted", reads=("each", "names"), phrase=True, tells="a list with items of two groups"
)
"""A setting gives what counts of each list, shape (users,), from what each group has, shape (groups, users)."""


@GROUP.setting(
    "refuse",
    rule="to be said",
    says="the group",
    lacking=lambda joined, settings: Lack(
        "the group that is counted is not said",
        f"Write group=name({joined.once(KnownGroups).of(settings).names[0]}), or that of another group.",
    ),
)
def _(each: Numbers) -> Numbers:
    """The values of all groups are in `result.groups`, and the number is that of one."""
    return np.full(each.shape[1:], np.nan)


@GROUP.setting("least", rule="the group that has least", says="the group that has least of the list", tex=r"\min_g")
def _(each: Numbers) -> Numbers:
    """Which group it is depends on the list."""
    return np.asarray(each.min(axis=0))


def _unknown(joined: Joined, settings: ByConvention) -> Lack | None:
    """A name that no group has."""
    names, wanted = joined.once(KnownGroups).of(settings).names, settings["group"].keywords["name"]
    if wanted in names:
        return None
    return Lack(f"there is no group '{wanted}'", f"Name one of the groups: {', '.join(names)}.")


@GROUP.setting("name", rule="the group of this name", lacking=_unknown, says="the group {name}", tex="")
def _(each: Numbers, names: Sequence[str], name: str) -> Numbers:
    """As the item features have it, `head` or `tail` of the popularity, or `no group`."""
    return np.asarray(each[names.index(name)])


class GroupShare(OfGroups, OfRows):
    """Compute the share of a group of items in the list.

    The rows of the first k whose item is in the group, or the hits among them, divided by the rows read, by k, or by
    1. Range 0 to 1 where it is a share. No end is the better one. NaN for an empty list. `result.groups` has the mean
    share of each group. Needs `item_features=`, or `train=` for head and tail of the popularity.
    Source: Abdollahpouri, Burke and Mobasher, FLAIRS 2019 (APLT); the forms as presets cite them.

    >>> import rankconv as rc
    >>> labels, run, genre = {"u": ["a"]}, {"u": ["a", "b", "c"]}, {"a": "jazz", "b": "jazz", "c": "rock"}
    >>> found = rc.evaluate(labels, run, "group_share(group=name(rock))@3", item_features=genre)
    >>> {name: round(value, 4) for name, value in found.groups["group_share(group=name(rock))@3"].items()}
    {'jazz': 0.6667, 'rock': 0.3333}
    """

    name = "group_share"
    cite = "abdollahpouri2019"
    formula = "rows of the group / row-denominator"
    called = "share of a group"
    says = "{group-rate}, of {group}, divided by {row-denominator}"
    tex = r"\frac{1}{«row-denominator»} «group» \sum_{j=1}^{«rows»} s_{gj} «group-rate»"
    signs: ClassVar[dict[str, str]] = {"s_{gj}": "the share that the group has of the item at rank j, mostly 1 or 0"}
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    named_first: ClassVar[tuple[str, ...]] = ("item-group", "group")
    group: Annotated[str, GROUP]
    group_rate: Annotated[str, GROUP_RATE]
    exposure: Annotated[str, EXPOSURE]
    gain: Annotated[str, GAIN]

    def per_user(self, block: Block) -> Ratio:
        names, has = self.groups(block.joined).names, block.part(rows_of_groups, self)
        rows = block.count(block.numbers(np.asarray(block.listed, np.float64))).at(self.scope)
        by = block.part(divided_by, self.settings["row-denominator"], {"rows": rows, "k": self.k})
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.asarray(has, np.float64) / np.asarray(by, np.float64)
        counted = block.numbers(self.settings["group"](each=has, names=names))
        return Ratio(counted, by, groups=GroupValues(names, {"share": shares}))


@said_as(by=lambda has, block, metric: metric.named_groups(block, has))
def rows_of_groups(block: Block, metric: GroupShare) -> Numbers:
    """What each group has of the rows read, shape (groups, users)."""
    groups, settings = metric.groups(block.joined), metric.settings
    given = {"block": block, "groups": groups, "exposure": settings["exposure"], "gain": settings["gain"]}
    read, items = np.asarray(block.read_to(metric.scope)), block.items_by_rank
    worth = block.numbers(settings["group-rate"](read=read, **given))
    each = [summed_in_turn(worth * block.numbers(share[items] * read)) for share in groups.shares.T]
    return block.numbers(np.array(each).reshape(len(groups.names), block.size))
