"""The list that others are measured against where items serve groups: greedy, exact, or of items for every group."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers
from rankconv.errors import MetricError
from rankconv.judging.apart import apart
from rankconv.judging.block import Block
from rankconv.questions.choice import Choice
from rankconv.questions.parameters import Within

MOST_STATES = 100_000
"""So many sets of items are looked at for an exact ideal of one user."""


@dataclass(frozen=True, eq=False)
class Fading:
    """How worth fades: with each item for a group, and with each rank."""

    alpha: Any
    factors: Callable[[int], Any]
    """The factors of the ranks 1 to n, shape (n,)."""
    endless: Any = None
    """The sum of the factors of a list without end that serves a group at every rank, where the metric has no k."""

    def serving(self, count: int) -> Any:
        """What a list is worth for a group that all its items serve, down to each rank from 0, shape (count + 1,)."""
        factors = self.factors(count)
        worth = factors * (1 - self.alpha) ** np.arange(count)
        return np.append(worth[:0].sum(), np.cumsum(worth)) if count else np.zeros(1)


GROUP_IDEAL = Choice(
    "group-ideal",
    "Which list is the best one where items serve groups?",
    reads=("block", "fading", "k"),
    noun="ideal list of groups",
    phrase=True,
    tells="a relevant label that was not returned",
)
"""An answer gives what each user's ideal list is worth, shape (users,)."""


@GROUP_IDEAL.option(
    "every-group",
    rule="a list of k items that each serve every group",
    cite="ndeval",
    says=("the same sum of a list whose every item serves every group{first:?; above rank , the sum is not divided}"),
    tex=r"\sum_{j=1}^{«k»} \nu^{*}_j",
    signs={r"\nu^{*}_j": "what an item at rank j adds to a list whose every item serves every group"},
)
def _(block: Block, fading: Fading, k: int | None, *, first: Annotated[float, Within(1, 1e6)] = 1) -> Any:
    """It depends on the number of groups alone, and on no label; at cutoffs above rank `first` nothing is divided."""
    groups = block.once(apart)
    weight = groups.added(groups.weight)
    if k is not None and k < first:
        return block.numbers(np.ones(block.size))
    if k is None and fading.endless is not None:
        return weight * fading.endless
    rows = np.full(block.size, k) if k is not None else block.lengths.astype(np.int64)
    return weight * fading.serving(int(rows.max(initial=0)))[rows]


@GROUP_IDEAL.option(
    "greedy",
    rule="the labels, each time the one that adds most; of equal ones the last by id",
    cite="ndeval",
    says="the same sum of an ideal list to which always the label is added that is worth most, by falling id if tied",
    tex=r"\sum_{j=1}^{«k|I»} \nu^{*}_j",
    signs={r"\nu^{*}_j": "what the item at rank j adds to the ideal list"},
)
def _(block: Block, fading: Fading, k: int | None) -> Any:
    """What is best at each rank is not always best in all: the best list has at most a little more."""
    return _worth_of(block, fading, k, _greedy)


@GROUP_IDEAL.option(
    "exact",
    rule="the order of the labels that is worth most in all",
    says="the same sum of the order of the labels for which it is highest",
    tex=r"\max \sum_{j=1}^{«k|I»} \nu^{*}_j",
    signs={r"\nu^{*}_j": "what the item at rank j adds to the ideal list"},
)
def _(block: Block, fading: Fading, k: int | None) -> Any:
    """Found by trying; an error where there are too many kinds of items to try."""
    return _worth_of(block, fading, k, _exact)


Order = Callable[[NDArray[np.bool_], Numbers, float, Numbers], list[int]]
"""The items in the order of the ideal list; of whether items serve groups, shape (items, groups), of the weight of each
group, (groups,), alpha, and the factors of the ranks, (ranks,)."""


def _worth_of(block: Block, fading: Fading, k: int | None, order: Order) -> Any:
    """What the ideal list of each user is worth, shape (users,)."""
    groups = block.once(apart)
    known, text_rank = groups.block.known, block.joined.items.text_rank
    first = np.searchsorted(groups.user, np.arange(block.size + 1))
    rows, worth = np.searchsorted(known.user, first), list[Any]()
    for here, labels in zip(map(slice, first[:-1], first[1:]), map(slice, rows[:-1], rows[1:]), strict=True):
        relevant = known.relevant[labels]
        items, at = np.unique(known.item[labels][relevant], return_inverse=True)
        serves = np.zeros((len(items), here.stop - here.start), bool)
        serves[at, known.user[labels][relevant] - here.start] = True
        serves = serves[np.argsort(-text_rank[items])]
        factors = fading.factors(len(items) if k is None else min(k, len(items)))
        weight = groups.weight[here]
        chosen = order(serves, np.asarray(weight, np.float64), float(fading.alpha), np.asarray(factors, np.float64))
        worth.append(_worth(serves[chosen], weight, fading.alpha, factors))
    return block.numbers(np.array(worth))


def _worth(serves: NDArray[np.bool_], weight: Any, alpha: Any, factors: Any) -> Any:
    """What a list is worth whose items serve these groups, shape (ranks, groups)."""
    above: Codes = np.cumsum(serves, axis=0) - serves
    worth = np.where(serves, (1 - alpha) ** above * weight, 0)
    return (worth.sum(axis=1) * factors).sum()


def _greedy(serves: NDArray[np.bool_], weight: Numbers, alpha: float, factors: Numbers) -> list[int]:
    left, chosen = weight.copy(), list[int]()
    free = np.ones(len(serves), bool)
    while len(chosen) < len(factors):
        gains = np.zeros(len(serves))
        for group, worth in enumerate(left):  # one after the other: sums must not depend on how many items there are
            gains += serves[:, group] * worth
        best = int(np.argmax(np.where(free, gains, -1.0)))
        chosen.append(best)
        free[best] = False
        left = np.where(serves[best], left * (1 - alpha), left)
    return chosen


def _exact(serves: NDArray[np.bool_], weight: Numbers, alpha: float, factors: Numbers) -> list[int]:
    """As `Order`; by the best rest of each set of kinds, a kind being which groups an item serves, shape (groups,)."""
    kinds, kind = np.unique(serves, axis=0, return_inverse=True)
    counts = tuple(np.bincount(kind.ravel(), minlength=len(kinds)).tolist())
    known: dict[tuple[int, ...], tuple[float, int]] = {}

    def best(used: tuple[int, ...]) -> float:
        rank = sum(used)
        if rank == len(factors):
            return 0.0
        if used not in known:
            _refuse_many(len(known))
            left = weight * (1 - alpha) ** (np.array(used) @ kinds)
            known[used] = max(
                (float(factors[rank] * (left * kinds[one]).sum()) + best(_with(used, one)), one)
                for one in range(len(kinds))
                if used[one] < counts[one]
            )
        return known[used][0]

    used, chosen = (0,) * len(kinds), list[int]()
    best(used)
    while len(chosen) < len(factors):
        one = known[used][1]
        chosen.append(int(np.flatnonzero(kind.ravel() == one)[used[one]]))
        used = _with(used, one)
    return chosen


def _with(used: tuple[int, ...], one: int) -> tuple[int, ...]:
    return (*used[:one], used[one] + 1, *used[one + 1 :])


def _refuse_many(states: int) -> None:
    if states >= MOST_STATES:
        wrong = f"an exact ideal list would have to be found among over {MOST_STATES:,} sets of items"
        raise MetricError(wrong, do="Use group-ideal=greedy, or a lower cutoff.")
