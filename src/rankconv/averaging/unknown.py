"""Whose value an item without a judgment could change: every grade is put in its place, and the value worked out."""

from collections.abc import Iterator

import numpy as np

from rankconv.averaging.special_case import Situation, cause
from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.judging.row_block import judge
from rankconv.judging.rows import LabelRows, WorkingBlock, match, working_block
from rankconv.metrics.base import Parts


@cause(
    "unjudged-rows",
    "has an item without a judgment in the list",
    after="short-list",
    reads_deep=True,
    whole_lists=True,
    by_order=True,
)
def has_unjudged(s: Situation) -> Mask:
    """Of whom it holds, shape (users,), wherever in the judged list the item stands."""
    rows = s.block.judged.rows
    return np.bincount(rows.user[s.block.unjudged_rows], minlength=s.block.size) > 0


@cause(
    "unknown",
    "has a value that a judgment of an unjudged item in the list could change",
    after="unjudged-rows",
    reads_deep=True,
    whole_lists=True,
    by_order=True,
)
def _(s: Situation) -> Mask:
    unjudged = has_unjudged(s)  # where all lists make one, any of these items could change its value
    return unjudged if s.block.judging.pools or not unjudged.any() else Trials(s).users


class Trials:
    """The values under other judgments: every unjudged item of a list gets a grade, and the list is judged again.

    Tried are the grades 0, 1 and one above all others, first for all unjudged items of a list, then 1 and the greatest
    for each alone, the others getting 0. A grade that the judging does not take is no possible one.
    """

    def __init__(self, situation: Situation) -> None:
        self._metric, self._block = situation.metric, situation.block
        self._value = situation.ratio.value
        rows, unjudged = self._block.judged.rows, self._block.unjudged_rows
        width = len(self._block.joined.items)
        pairs = np.unique(rows.user[unjudged] * width + rows.item[unjudged])
        self._user, self._item = pairs // width, pairs % width
        self.users = np.zeros(self._block.size, bool)
        """Whose value depends on an unjudged item, shape (users,)."""
        for grade in self._grades():
            asked = ~self.users[self._user]
            if asked.any():
                self._try(self._user[asked], self._item[asked], grade[asked])

    def _grades(self) -> Iterator[Numbers]:
        """Grades for all unjudged items, shape (items,) each."""
        most = float(self._block.joined.labels.grade.max(initial=1))
        level = float(self._block.judging.answers["relevant"].keywords.get("level", 0))
        grades, place = (1.0, np.floor(max(most, level)) + 1), within(self._user)
        for grade in (0.0, *grades):
            yield np.full(len(place), grade)
        for one in range(int(place.max()) + 1):
            for grade in grades:
                yield np.where(place == one, grade, 0.0)

    def _try(self, user: Codes, item: Codes, grade: Numbers) -> None:
        """Work out the values of these users with such grades of these items; all three have shape (items,)."""
        users, again = np.unique(user, return_inverse=True)
        block = judge(self._graded(users, again, item, grade), self._block.judging)
        found = self._metric.per_user(block)
        value = (found.ratio if isinstance(found, Parts) else found).value
        same = np.isclose(value, self._value[users], rtol=1e-9, atol=1e-12, equal_nan=True)
        self.users[users] = ~same & ~block.refused

    def _graded(self, users: Codes, user: Codes, item: Codes, grade: Numbers) -> WorkingBlock:
        """The rows of these users, shape (users,), before judging, with these labels beside those that they have."""
        joined = self._block.joined
        block, width = working_block(joined, self._block.users[users]), len(joined.items)
        kept = ~np.isin(block.labels.user * width + block.labels.item, user * width + item)
        parts = (
            (getattr(block.labels, name)[kept], new) for name, new in (("user", user), ("item", item), ("grade", grade))
        )
        owner, labelled, given = (np.concatenate(part) for part in parts)
        order = np.argsort(owner, kind="stable")
        labels, rows = LabelRows(owner[order], labelled[order], given[order]), block.rows
        rows.label = match(labels, rows, width)
        return WorkingBlock(joined, block.users, labels, rows, block.scored, self._metric.k)
