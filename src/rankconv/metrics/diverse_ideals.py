"""The list that others are measured against where items serve groups: greedy, exact, or of items for every group."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.data.elementary import power
from rankconv.metrics.diverse_orders import Orders, Served, exact, greedy
from rankconv.preparation.block import Block
from rankconv.preparation.subtopics import separate_subtopics
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import Within


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


GROUP_IDEAL = Convention(
    "subtopic-ideal",
    "Ideal list for labels in subtopics",
    reads=("block", "fading", "k"),
    noun="ideal list of groups",
    phrase=True,
    tells="a relevant label that was not returned",
)
"""A setting gives what each user's ideal list is worth, shape (users,)."""


@GROUP_IDEAL.setting(
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


@GROUP_IDEAL.setting(
    "greedy",
    rule="the labels, each time the one that adds most; of equal ones the last by id",
    cite="ndeval",
    says="the same sum of an ideal list to which always the label is added that is worth most, by falling id if tied",
    tex=r"\sum_{j=1}^{«k|I»} \nu^{*}_j",
    signs={r"\nu^{*}_j": "what the item at rank j adds to the ideal list"},
)
def _(block: Block, fading: Fading, k: int | None) -> Any:
    """What is best at each rank is not always best in all: the best list has at most a little more."""
    return _worth_of(block, fading, k, greedy)


@GROUP_IDEAL.setting(
    "exact",
    rule="the order of the labels that is worth most in all",
    says="the same sum of the order of the labels for which it is highest",
    tex=r"\max \sum_{j=1}^{«k|I»} \nu^{*}_j",
    signs={r"\nu^{*}_j": "what the item at rank j adds to the ideal list"},
)
def _(block: Block, fading: Fading, k: int | None) -> Any:
    """Found by trying; an error where there are too many kinds of items to try."""
    return _worth_of(block, fading, k, exact)


def _worth_of(block: Block, fading: Fading, k: int | None, order: Orders) -> Any:
    """What the ideal list of each user is worth, shape (users,)."""
    users = _served(block, fading, k)
    chosen = order(users, float(fading.alpha))
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
    first = np.append(True, (owner[1:] != owner[:-1]) | (item[1:] != item[:-1])) if len(owner) else np.zeros(0, bool)
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
