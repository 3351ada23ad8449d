"""What rows and labels are worth, and the labels of a block of users: counts, sums, and the ideal lists."""

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, cached_array, within
from rankconv.preparation.arithmetic import Arithmetic, LazyRanks, RankValues
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.working_rows import KnownLabels, LabelRows


class Judgments(NamedTuple):
    """What preparation makes of rows, shape (rows,); or of rows without a label and of each level, (levels + 1,)."""

    grade: Numbers
    """0 where there is none."""
    judged: Mask
    hits: Numbers
    """How many hits each is, if it is one."""

    @property
    def one(self) -> Numbers:
        """1 for each, shape (rows,) or (levels + 1,)."""
        return np.ones(len(self.grade))


JudgmentValues = Callable[[Judgments], NDArray[Any]]
"""What each row adds, of the shape that the judgments have."""


class GradedLabels(Protocol):
    """Labels one by one, shape (labels,), or one of each level, shape (levels + 1,)."""

    @property
    def grade(self) -> Numbers:
        """The grade of each, shape (labels,)."""

    @property
    def relevant(self) -> Mask:
        """Which are relevant, shape (labels,)."""


MOST_GRADES = 120
"""Labels or rows of more different grades are taken one by one."""


@dataclass(frozen=True, eq=False)
class GradedRows:
    """Labels or rows, shape (rows,), by what decides the gain of most of them; the kinds have shape (kinds,)."""

    grade: Numbers
    relevant: Mask
    kind: NDArray[np.uint8]
    """The kind of each label or row, shape (rows,)."""

    @classmethod
    def of(cls, grade: Numbers, relevant: Mask) -> "GradedRows | None":
        """Them by grade, those that are not relevant before those that are; None where there are too many grades."""
        grades = np.unique(grade)
        if len(grades) > MOST_GRADES:
            return None
        kind = np.searchsorted(grades, grade).astype(np.uint8) * np.uint8(2) + relevant
        return cls(np.repeat(grades, 2), np.tile([False, True], len(grades)), kind)

    def counts(self, user: Codes, size: int) -> Numbers:
        """How many each of so many users has of each kind, shape (kinds, users); `user` has shape (rows,)."""
        cells = self.kind.astype(np.int64) * size + user
        return np.bincount(cells, minlength=len(self.grade) * size).reshape(len(self.grade), size).astype(np.float64)


def falling(gains: Numbers, counts: Numbers, there: Mask, ranks: int) -> LazyRanks:
    """Gains by falling gain, shape (ranks, users); there are `counts` rows of each level, shape (levels + 1, users).

    Levels that are not `there` are left out.
    """
    order = np.argsort(-gains, kind="stable")
    falling = order[there[order]]
    worth = falling[: int(np.flatnonzero(gains[falling]).max(initial=-1)) + 1]
    of_levels, ends, place = gains[worth].tolist(), np.cumsum(counts[worth], axis=0), np.arange(ranks)[:, None]
    over, whole = ends.max(axis=1, initial=0).tolist(), ends.min(axis=1, initial=np.inf).tolist()

    def of_rank(at: int | slice) -> Numbers:
        """Each gain down to its end, then the next; no level that ends above these ranks, or begins below them."""
        here = place[at]
        best: Numbers = np.zeros(np.broadcast_shapes(here.shape, ends.shape[1:]))
        first, last = bisect_right(over, here.min(initial=ranks)), bisect_right(whole, here.max(initial=-1)) + 1
        for level in reversed(range(first, min(last, len(of_levels)))):
            best = np.where(here < ends[level], of_levels[level], best)
        return best

    return LazyRanks(of_rank, ranks)


class LabelBlock(Arithmetic):
    """Counts, sums and gains of the labels that exist; arrays per user have shape `(users,)`."""

    def __init__(self, users: Codes, preparation: Preparation) -> None:
        self.users, self.preparation = users, preparation
        """The joined codes of the block's users, and the settings under which they were prepared."""

    @property
    @abstractmethod
    def known(self) -> KnownLabels:
        """The labels that exist, one entry for each."""

    @property
    @abstractmethod
    def _labels(self) -> LabelRows:
        """The label rows after preparation."""

    @property
    def size(self) -> int:
        """Number of users."""
        return len(self.users)

    @cached_array
    def relevant_count(self) -> Numbers:
        """R: relevant labels that exist, shape (users,)."""
        return self._sum_of_labels(lambda labels: labels.relevant)

    @cached_array
    def non_relevant_count(self) -> Numbers:
        """Labels that exist and are not relevant, shape (users,)."""
        return self._sum_of_labels(lambda labels: ~labels.relevant)

    @cached_array
    def non_zero_count(self) -> Numbers:
        """Labels that exist with a grade other than 0, shape (users,)."""
        return self._sum_of_labels(lambda labels: labels.grade != 0)

    @cached_array
    def judged_count(self) -> Numbers:
        """Labels that are judgments, shape (users,)."""
        return self.labels_above(-np.inf)

    @cached_array
    def grade_sum(self) -> Numbers:
        """Sum of the grades that exist, shape (users,)."""
        return self._sum_of_labels(lambda labels: labels.grade)

    @cached_array
    def relevant_grade_sum(self) -> Numbers:
        """Sum of the grades of the relevant labels that exist, shape (users,)."""
        return self._sum_of_labels(lambda labels: np.where(labels.relevant, labels.grade, 0.0))

    @cached_array
    def relevant_weight_sum(self) -> Numbers:
        """Sum of the weights of the items of the relevant labels that exist, shape (users,); their number without."""
        weight = self.known.weight
        return self.relevant_count if weight is None else self.sum_of_known(np.where(self.known.relevant, weight, 0.0))

    def _sum_of_labels(self, of_label: Callable[[GradedLabels], NDArray[Any]]) -> Numbers:
        """The sum over each user's labels of what each has, shape (users,)."""
        return self.sum_of_known(of_label(self.known))

    @cached_array
    def highest_grade(self) -> Numbers:
        """The highest grade that exists, shape (users,); 0 where there is none."""
        highest = np.full(self.size, -np.inf)
        np.maximum.at(highest, self.known.user, self.known.grade)
        return np.where(np.isinf(highest), 0.0, highest)

    def labels_above(self, level: float) -> Numbers:
        """Labels that exist with a grade above the level, returned or not, shape (users,)."""
        labels = self._labels
        judged = labels.exists & ~labels.in_pool
        return np.bincount(labels.user[judged & (labels.grade > level)], minlength=self.size).astype(np.float64)

    def sum_of_known(self, values: NDArray[Any]) -> Numbers:
        """The sum over each user's labels of one value for each label, shape (users,)."""
        return sum_per_user(self.known.user, values, self.size)

    def stacked(self, values: Numbers, user: Codes, ranks: int | None = None) -> Numbers:
        """Values of rows that stand grouped by user, in one column per user, shape (ranks, users); 0 below the last."""
        place = within(user)
        if ranks is not None:
            kept = place < ranks
            place, user, values = place[kept], user[kept], values[kept]
        stack = np.zeros((int(place.max(initial=-1)) + 1, self.size))
        stack[place, user] = values
        return stack

    def ideal_gains(self, gain: Setting, ranks: int | None) -> RankValues:
        """The gains of the first `ranks` labels that exist, by falling gain, shape (ranks, users)."""
        known = self.known
        gains = self.gains_of_known(gain)
        order = np.lexsort((-np.asarray(gains, np.float64), known.at_end, known.user))
        return self.stacked(gains[order], known.user[order], ranks)

    def relevant_gains(self, gain: Setting, ranks: int | None) -> RankValues:
        """The gains of the first `ranks` relevant labels that exist, by falling gain, shape (ranks, users)."""
        there = self.known.relevant
        gains, user = self.gains_of_known(gain)[there], self.known.user[there]
        order = np.lexsort((-np.asarray(gains, np.float64), user))
        return self.stacked(gains[order], user[order], ranks)

    def given_gains(self, gain: Setting, ranks: int | None) -> Numbers:
        """The gains of the first `ranks` labels that exist, in the order given, shape (ranks, users)."""
        return self.stacked(self.gains_of_known(gain), self.known.user, ranks)

    def gains_of_known(self, gain: Setting) -> Numbers:
        """The gain of each label that exists, in the order of `labels-used`, shape (labels,)."""
        known = self.known
        gains = self.worth(gain, known.grade, known.relevant, known.user)
        return gains if known.weight is None else gains * known.weight

    def worth(self, gain: Setting, grades: Numbers, relevant: Mask, user: Codes | None = None) -> Numbers:
        """The gains of these grades, shape as `grades`; NaN for one too large for a number, which engines refuse.

        `user` says whose they are, shape as `grades`: some gains hang on what else a user has.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.asarray(gain(grades=grades, relevant=relevant, **self._for_gains(gain, user)), np.float64)
        return np.where(np.isinf(values), np.nan, values)

    def _for_gains(self, gain: Setting, user: Codes | None) -> dict[str, Any]:
        """What a gain may read besides grades; `user`, and what comes per user, has shape (labels,)."""
        level = float(self.preparation.settings["relevant"].keywords.get("level", 0.0))
        return {"level": level} | ({"own_highest": self.highest_grade[user]} if of_user(gain) else {})


def of_user(gain: Setting) -> bool:
    """Whether a gain hangs on what else the user has, and not on the label alone."""
    return "own_highest" in gain.reads


def sum_per_user(user: Codes, values: NDArray[Any], size: int) -> Numbers:
    """The sum of the values of each user, shape (users,).

    Fractions are rounded at each addition, so the least are added first, in whatever order they stand.
    """
    if (values != np.rint(values)).any():
        order = np.lexsort((values, user))
        user, values = user[order], values[order]
    return np.bincount(user, weights=values, minlength=size).astype(np.float64)
