"""The order of an ideal list of items that serve groups: each time the best next one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Codes, Numbers, begins, power, within
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import separate_subtopics


@dataclass(frozen=True, eq=False)
class Served:
    """The relevant items of one user, the last by id first."""

    serves: NDArray[np.bool_]
    """Which groups each item serves, shape (items, groups)."""
    weight: Any
    """What each group weighs, shape (groups,)."""
    factors: Any
    """The factors of the ranks of the ideal list, shape (ranks,)."""


CELLS = 1 << 22
"""Users are ranked together whose items and groups make a table of so many cells at most."""


def greedy(users: list[Served], alpha: float) -> list[Codes]:
    """Each time the item that adds most, shape (ranks,) for each user; of equal ones the first."""
    places = sorted(range(len(users)), key=lambda place: users[place].serves.size)
    chosen: dict[int, Codes] = {}
    while places:
        items, groups = np.maximum.accumulate([users[place].serves.shape for place in places]).T
        fits = np.arange(1, len(places) + 1) * np.maximum(items * groups, 1) <= CELLS
        count = max(1, int(fits.sum()))
        chosen.update(zip(places[:count], _together([users[place] for place in places[:count]], alpha), strict=True))
        places = places[count:]
    return [chosen[place] for place in range(len(users))]


def _together(users: list[Served], alpha: float) -> Iterable[Codes]:
    """All users at once, rank by rank; items that serve the same groups are one kind, of which the first is next."""
    kinds = ItemKinds.of(users)
    left, taken = kinds.weight.copy(), np.zeros(kinds.counts.shape, np.int64)
    chosen = np.zeros((max((len(one.factors) for one in users), default=0), len(users)), np.int64)
    user = np.arange(len(users))
    for rank in range(len(chosen)):
        gains = np.zeros(taken.shape)
        for group, worth in enumerate(left.T):  # one after the other: sums must not depend on how many groups there are
            gains += kinds.serves[:, :, group] * worth[:, None]
        free = taken < kinds.counts
        best = free & (gains == np.where(free, gains, -1.0).max(axis=1, initial=-1.0)[:, None])
        following = kinds.queue[np.minimum(kinds.first + taken, len(kinds.queue) - 1)]
        one = np.argmin(np.where(best, following, len(kinds.queue)), axis=1)
        chosen[rank] = following[user, one]
        taken[user, one] += 1
        left = np.where(kinds.serves[user, one], left * (1 - alpha), left)
    return (column[: len(one.factors)] for one, column in zip(users, chosen.T, strict=True))


@dataclass(frozen=True, eq=False)
class ItemKinds:
    """The kinds of items that users have, a kind being which groups an item serves."""

    serves: NDArray[np.bool_]
    """Shape (users, kinds, groups)."""
    weight: Numbers
    """What each group weighs, shape (users, groups)."""
    counts: Codes
    """How many items are of each kind, shape (users, kinds)."""
    first: Codes
    """Where each kind begins in `queue`, shape (users, kinds)."""
    queue: Codes
    """The items of each kind, as places among those of their user, shape (items,)."""

    @classmethod
    def of(cls, users: list[Served]) -> "ItemKinds":
        """The kinds of these users, shape (users, kinds, groups); groups that a user does not have weigh nothing."""
        items = np.array([len(one.serves) for one in users])
        width = max((one.serves.shape[1] for one in users), default=0)
        owner = np.repeat(np.arange(len(users)), items)
        serves, weight = np.zeros((len(owner), width), bool), np.zeros((len(users), width))
        for at, one in enumerate(users):
            weight[at, : len(one.weight)] = np.asarray(one.weight, np.float64)
        for at, one in zip(np.cumsum(items) - items, users, strict=True):
            serves[at : at + len(one.serves), : one.serves.shape[1]] = one.serves
        order = np.lexsort((*serves.T, owner))
        starts = np.flatnonzero(begins(owner[order], *serves[order].T))
        of_user, counts = owner[order][starts], np.diff(starts, append=len(owner))
        kind = (of_user, within(of_user))
        shape = (len(users), int(kind[1].max(initial=-1)) + 1)
        made = cls(
            np.zeros((*shape, width), bool),
            weight,
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int64),
            within(owner)[order],
        )
        made.serves[kind], made.counts[kind], made.first[kind] = serves[order][starts], counts, starts
        return made


@dataclass(frozen=True, eq=False)
class Fading:
    """How worth fades: with each item for a group, and with each rank."""

    alpha: Any
    factors: Callable[[int], Any]
    """The factors of the ranks 1 to n, shape (n, 1), or (n, users) where they hang on the list."""
    endless: Any = None
    """The sum of the factors of a list without end that serves a group at every rank, where the metric has no k."""

    def serving(self, count: int) -> Any:
        """What a list is worth for a group that all its items serve, down to each rank from 0.

        Shape (count + 1, 1), or (count + 1, users) where the factors hang on the list.
        """
        worth = self.factors(count) * power(1 - self.alpha, np.arange(count))[:, None]
        return np.concatenate([np.zeros_like(worth, shape=(1, worth.shape[1])), np.cumsum(worth, axis=0)])


SUBTOPIC_IDEAL = Convention(
    "subtopic-ideal",
    "Ideal list for labels in subtopics",
    reads=("block", "fading", "k"),
    phrase=True,
    tells="a relevant label that was not returned",
)
"""A setting gives what each user's ideal list is worth, shape (users,)."""


@SUBTOPIC_IDEAL.setting(
    "every-subtopic",
    rule="a list of k items that each serve every group",
    cite="ndeval",
    says=("the same sum of a list whose every item serves every group{first:?; above rank , the sum is not divided}"),
    tex=r"\sum_{j=1}^{«k»} \nu^{*}_j",
    signs={r"\nu^{*}_j": "what an item at rank j adds to a list whose every item serves every group"},
)
def _(block: Block, fading: Fading, k: int | None, *, first: Annotated[float, Within(1, 1e6)] = 1) -> Any:
    """It depends on the number of groups alone, and on no label; at cutoffs above rank `first` nothing is divided."""
    groups = block.once(separate_subtopics)
    weight = groups.added(groups.weight)
    if k is not None and k < first:
        return block.numbers(np.ones(block.size))
    if k is None and fading.endless is not None:
        return weight * fading.endless
    rows = np.full(block.size, k) if k is not None else block.lengths.astype(np.int64)
    serving = fading.serving(int(rows.max(initial=0)))
    return weight * np.broadcast_to(serving, (len(serving), block.size))[rows, np.arange(block.size)]


@SUBTOPIC_IDEAL.setting(
    "greedy",
    rule="the labels, each time the one that adds most; of equal ones the last by id",
    cite="ndeval",
    says="the same sum of an ideal list to which always the label is added that is worth most, by falling id if tied",
    tex=r"\sum_{j=1}^{«k|I»} \nu^{*}_j",
)
def _(block: Block, fading: Fading, k: int | None) -> Any:
    """The best list of all has at most a little more, and takes too long to find."""
    users = _served(block, fading, k)
    chosen = greedy(users, float(fading.alpha))
    worth = [_worth(one, items, fading.alpha) for one, items in zip(users, chosen, strict=True)]
    return block.numbers(np.array(worth))


def _served(block: Block, fading: Fading, k: int | None) -> list[Served]:
    """What each user's relevant items serve."""
    groups = block.once(separate_subtopics)
    known = groups.block.known
    owner, place = groups.user[known.user], groups.place[known.user]
    order = np.lexsort((-block.joined.items.text_rank[known.item], owner))
    order = order[np.asarray(known.relevant)[order]]
    owner, item, place = owner[order], known.item[order], place[order]
    first = begins(owner, item)
    width = int(groups.place.max(initial=-1)) + 1
    serves = np.zeros((int(first.sum()), width), bool)
    serves[np.cumsum(first) - 1, place] = True
    ends = np.cumsum(np.bincount(owner[first], minlength=block.size))
    most = int(np.diff(ends, prepend=0).max(initial=0))
    factors = fading.factors(most if k is None else min(k, most))
    starts = np.searchsorted(groups.user, np.arange(block.size + 1))
    return [
        Served(
            serves[begin:end, : after - before],
            groups.weight[before:after],
            factors[: end - begin, user if factors.shape[1] > 1 else 0],
        )
        for user, (begin, end, before, after) in enumerate(
            zip(ends - np.diff(ends, prepend=0), ends, starts[:-1], starts[1:], strict=True)
        )
    ]


def _worth(user: Served, chosen: Codes, alpha: Any) -> Any:
    """What a list of these items, shape (ranks,), is worth."""
    serves = user.serves[chosen]
    above: Codes = np.cumsum(serves, axis=0) - serves
    worth = np.where(serves, power(1 - alpha, above) * user.weight, 0)
    return (worth.sum(axis=1) * user.factors).sum()
