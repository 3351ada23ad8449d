"""The share of a group of items in a list."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.traits import Lack
from rankconv.data.group_values import GroupValues
from rankconv.data.joined import Joined
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import OfRows
from rankconv.metrics.groups.item_groups import KnownGroups, OfGroups, Settings
from rankconv.preparation.blocks.block import Block

GROUP = Convention("group", "Group that is counted", phrase=True, tells="items of two groups")
"""A setting gives the name of the group."""


@GROUP.setting(
    "refuse",
    rule="to be said",
    says="the group",
    lacking=lambda joined, settings: Lack(
        "the group that is counted is not said",
        f"Write group=name({joined.once(KnownGroups).of(settings).names[0]}), or that of another group.",
    ),
)
def _() -> str:
    """The values of all groups are in `result.groups`, and the number is that of one."""
    raise NotImplementedError


def _unknown(joined: Joined, settings: Settings) -> Lack | None:
    """A name that no group has."""
    names, wanted = joined.once(KnownGroups).of(settings).names, settings["group"]()
    if wanted in names:
        return None
    return Lack(f"there is no group '{wanted}'", f"Name one of the groups: {', '.join(names)}.")


@GROUP.setting("name", rule="the group of this name", lacking=_unknown, says="the group {name}", tex="«name»")
def _(name: str) -> str:
    """As the item features have it, `head` or `tail` of the popularity, or `no group`."""
    return name


class GroupShare(OfGroups, OfRows):
    """Compute the share of a group of items in the list.

    The rows of the first k whose item is in the group, divided by the rows read, by k, or by 1. Range 0 to 1 where it
    is a share. No end is the better one. NaN for an empty list. `result.groups` has the mean share of each group.
    Needs `item_features=`, or `train=` for head and tail of the popularity.
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
    says = "the number of items {here} that are in {group}, divided by {row-denominator}"
    tex = r"\frac{1}{«row-denominator»} \sum_{j=1}^{«rows»} s_j"
    signs: ClassVar[dict[str, str]] = {"s_j": "the share that the group has of the item at rank j, mostly 1 or 0"}
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    group: Annotated[str, GROUP]

    def per_user(self, block: Block) -> Ratio:
        groups = self.groups(block.joined)
        listed, items = np.asarray(block.listed, np.float64), block.items_by_rank
        at, read = groups.names.index(self.settings["group"]()), np.asarray(block.read_to(self.scope))
        found = self.over_rows(block, block.numbers(groups.shares[:, at][items]), listed, "of the group")
        by = np.asarray(found.denominator, np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            each = [(share[items] * read).sum(axis=0) / by for share in groups.shares.T]
        values = GroupValues(groups.names, {"share": np.array(each).reshape(len(groups.names), block.size)})
        return Ratio(found.numerator, found.denominator, groups=values)
