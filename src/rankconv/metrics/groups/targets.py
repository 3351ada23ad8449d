"""The share that each group of items should have, and the distance of what it has to that."""

from typing import Any

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import LogBase
from rankconv.conventions.traits import Lack
from rankconv.data.arrays import Numbers, log, summed_in_turn
from rankconv.data.attributes import GroupTargets
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.metrics.groups.item_groups import NO_GROUP_NAME, ByConvention, ItemGroups, KnownGroups, sums_of_groups
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.label_block import sum_per_user

GROUP_TARGET = Convention(
    "group-target",
    "Share that a group should have",
    reads=("block", "groups"),
    phrase=True,
    tells="groups of different sizes",
)
"""A setting gives the shares of the groups, which add up to 1, shape (groups, users)."""


def _target_of(joined: Joined) -> GroupTargets:
    found = joined.extra.group_target
    assert found is not None
    return found


def _target_lacking(joined: Joined, settings: ByConvention) -> Lack | None:
    """A group of the target that no item has, a group without a target, a user without one."""
    given, groups = _target_of(joined), joined.once(KnownGroups).of(settings)
    unknown = [name for name in given.groups if name not in groups.names]
    if unknown:
        few = ", ".join(groups.names[:5])
        return Lack(f"the target has a group '{unknown[0]}', and the groups of items are {few}", "Name it as items do.")
    missing = [name for name in groups.names if name not in given.groups and name != NO_GROUP_NAME]
    if missing:
        return Lack(f"the target has no share of group '{missing[0]}'", f"Give it one, 0 if need be: {missing[0]}.")
    if given.users is not None:
        without = np.flatnonzero(given.users.codes_of(joined.users) < 0)
        if len(without):
            user = quoted(joined.users.id(int(without[0])))
            return Lack(f"user {user} has no target", "Give each user one, or one target for all: {group: share}.")
    return None


@GROUP_TARGET.setting(
    "given",
    rule="as the caller gives it",
    needs=("group_target",),
    lacking=_target_lacking,
    says="the given target",
    tex="t_g",
    signs={"t_g": "the target of the group"},
)
def _(block: Block, groups: ItemGroups) -> Numbers:
    """Of all users, or of each."""
    given = _target_of(block.joined)
    place = {name: at for at, name in enumerate(given.groups)}
    shares = np.zeros((len(groups.names), block.size))
    rows = np.zeros(block.size, np.int64)
    if given.users is not None:
        rows = given.users.codes_of(block.joined.users)[block.users_of_lists("targets are of each user")]
    for at, name in enumerate(groups.names):
        if name in place:
            shares[at] = given.shares[rows, place[name]]
    return shares


def _even(groups: ItemGroups, size: int) -> Numbers:
    return np.full((len(groups.names), size), 1 / max(len(groups.names), 1))


def _mix(amounts: Numbers) -> Numbers:
    """Amounts as shares, shape (groups, users); NaN where there is nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(amounts / summed_in_turn(amounts))


@GROUP_TARGET.setting("even", rule="as much for each group", says="an equal share of each group", tex=r"\frac{1}{|G|}")
def _(block: Block, groups: ItemGroups) -> Numbers:
    """Whatever the size of the groups."""
    return _even(groups, block.size)


@GROUP_TARGET.setting(
    "catalogue", rule="its share of all items", says="the share that the group has of all items", tex=r"\frac{N_g}{N}"
)
def _(block: Block, groups: ItemGroups) -> Numbers:
    """As lists drawn by chance would have it."""
    return np.broadcast_to(_mix(groups.sizes[:, None]), (len(groups.names), block.size))


@GROUP_TARGET.setting(
    "relevant",
    rule="its share of the relevant labels of the user",
    says="the share that the group has of the relevant labels of the user",
    tex=r"\frac{|G \cap R_u|}{R}",
)
def _(block: Block, groups: ItemGroups) -> Numbers:
    """As the user would have it; NaN for a user without relevant labels."""
    known = block.known
    owner, item = known.user[known.relevant], known.item[known.relevant]
    return _mix(np.array([sum_per_user(owner, share[item], block.size) for share in groups.shares.T]))


@GROUP_TARGET.setting(
    "training",
    rule="its share of the interactions in training",
    needs=("train",),
    says="the share that the group has of the interactions in training",
    tex=r"\frac{T_g}{T}",
)
def _(block: Block, groups: ItemGroups) -> Numbers:
    """As users had it until now."""
    counts = block.joined.once(Train).interactions
    trained = sums_of_groups(counts[:, None] * groups.shares[:-1])
    return np.broadcast_to(_mix(trained[:, None]), (len(groups.names), block.size))


TARGET_DISTANCE = Convention(
    "target-distance",
    "Distance of shares to a target",
    reads=("shares", "target"),
    phrase=True,
    tells="shares that are not the target",
)
"""A setting gives the distance, shape (users,), of shares and target of shape (groups, users)."""


def _divergence(shares: Any, target: Any, base: float) -> Any:
    """The Kullback-Leibler divergence of shares from the target, shape (users,); infinite where the target has 0."""
    there, none = shares > 0, target == 0
    both = there & ~none  # exact numbers have logarithms, and the plain ones in their place have none
    terms = np.zeros(shares.shape, shares.dtype)
    terms[both] = shares[both] * log(shares[both] / target[both], base)
    return np.where((there & none).any(axis=0), np.inf, summed_in_turn(terms))


@TARGET_DISTANCE.setting(
    "js",
    rule="their Jensen-Shannon divergence, by this logarithm",
    cite="sapiezynski2019",
    says="the Jensen-Shannon divergence ({base:log}) of",
    tex=r"\mathrm{JS}",
)
def _(shares: Numbers, target: Numbers, *, base: LogBase) -> Numbers:
    """At most log(2): 0.693 by the natural logarithm, 1 by log2."""
    mean = (shares + target) / 2
    return np.asarray((_divergence(shares, mean, base) + _divergence(target, mean, base)) / 2)


@TARGET_DISTANCE.setting(
    "kl",
    rule="the Kullback-Leibler divergence from the target, by this logarithm",
    says="the Kullback-Leibler divergence ({base:log}) of",
    tex=r"\mathrm{KL}",
)
def _(shares: Numbers, target: Numbers, *, base: LogBase) -> Numbers:
    """Infinite where a group without a target has exposure."""
    return np.asarray(_divergence(shares, target, base))


@TARGET_DISTANCE.setting(
    "squared",
    rule="the sum over the groups of the squared difference",
    says="the squared distance of",
    tex=r"\left\| \cdot \right\|^2",
)
def _(shares: Numbers, target: Numbers) -> Numbers:
    """At most 2."""
    return np.asarray(summed_in_turn((shares - target) ** 2))


NO_EXPOSURE = Convention(
    "no-exposure",
    "Lists in which no group has exposure",
    reads=("groups", "size"),
    tells="a list without an item of a group",
)
"""A setting gives the shares of the groups in such lists, shape (groups, users); NaN for none."""


@NO_EXPOSURE.setting("undefined", rule="0/0", says="a list in which no group has exposure has no value")
def _(groups: ItemGroups, size: int) -> Numbers:
    """There is nothing to compare."""
    return np.full((len(groups.names), size), np.nan)


@NO_EXPOSURE.setting(
    "even",
    rule="as much for each group",
    cite="fair_trec_2021",
    says="in a list in which no group has exposure all have as much",
)
def _(groups: ItemGroups, size: int) -> Numbers:
    """Perfect where the target is even."""
    return _even(groups, size)
