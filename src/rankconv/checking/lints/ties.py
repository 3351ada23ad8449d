"""Rows of equal score."""

from collections.abc import Iterable

import numpy as np

from rankconv.checking.data import Data
from rankconv.checking.found import Found, of_users
from rankconv.checking.lint import Lint, Other
from rankconv.checking.listed import Listed, users_with
from rankconv.definition import Definition
from rankconv.ranking.rows import Mask


class TieOrders(Lint):
    """What all lints about ties have in common: the best and the worst order of tied rows."""

    otherwise = "other tie orders"

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The best and the worst order that the scores allow; none where tied rows share their gain or their rank."""
        judging, by_score = definition.judging, data.joined.rankings.by_score
        if judging.tie_rule != "order" or judging.given("order") not in ("score", "given"):
            return []
        if judging.given("order") == "given" and not by_score:
            return []
        return [Other({"order": "score", "ties": ties}) for ties in ("relevant-first", "relevant-last")]


class Ties(TieOrders):
    """Rows of equal score and different grade, of which at least one stands above the cutoff."""

    name = "ties"
    title = "ties at or above the cutoff"
    unit = "users with labels and a list"
    means = "Rows of equal score and different grade may stand in any order, and each system has its own tie rule."
    do = "Write more decimals of the scores, or say which tie rule you used; presets with ties=averaged need none."

    def find(self, data: Data) -> Found | None:
        """Users with such a tie; those alone whose first rows hold a tie are looked at in full."""
        if not data.scored:
            return None
        near = Listed.first(data.joined, None if data.k is None else data.k + 1)
        suspects = np.flatnonzero(users_with(_equal_to_above(near), near.user, data.joined))
        if not len(suspects):
            return None
        ties = _MixedTies(Listed.first(data.joined, None, suspects), data.k)
        both = data.labelled & data.listed
        across = np.count_nonzero(ties.users(across=True))
        note = f"{across:,} of them across rank {data.k}" if data.k and across else ""
        return of_users(data.joined, ties.users(), both, ties.told, note)


class ConstantScores(TieOrders):
    """Lists of two rows and more in which all scores are equal."""

    name = "constant-scores"
    title = "lists whose scores are all equal"
    unit = "users with two scored rows"
    means = "All scores of the list are equal, so for systems that sort by score its order is only a tie rule."
    do = "Write the model's scores; where there are none, write falling ones, such as 1/rank."
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Users with such a list."""
        several = data.joined.list_counts > 1
        if not data.scored or not several.any():
            return None
        rows = data.rows
        differs = rows.follows & ~_equal_to_above(rows)
        tell = lambda user: f"{data.joined.list_counts[user]} rows"
        return of_users(data.joined, several & ~users_with(differs, rows.user, data.joined), several, tell)


class _MixedTies:
    """Ties of rows that differ in their grades and begin above the cutoff."""

    def __init__(self, rows: Listed, k: int | None) -> None:
        equal = _equal_to_above(rows)
        tied = np.flatnonzero(equal | np.append(equal[1:], False))
        self.rows = rows.only(tied)
        self._starts = np.flatnonzero(~equal[tied])
        self._ends = np.append(self._starts[1:], len(tied)) - 1
        gain = self.rows.gain
        mixed = np.minimum.reduceat(gain, self._starts) < np.maximum.reduceat(gain, self._starts)
        self._k = np.inf if k is None else k
        self._found = mixed & (self.rows.place[self._starts] < self._k)

    def users(self, across: bool = False) -> Mask:
        """Who has one; or one that reaches from above the cutoff to below it."""
        beyond = self.rows.place[self._ends] >= self._k
        found = self._starts[self._found & (beyond | (not across))]
        return users_with(found, self.rows.user, self.rows.joined)

    def told(self, user: int) -> str:
        """The first tie of a user in words."""
        at = int(np.flatnonzero(self._found & (self.rows.user[self._starts] == user))[0])
        first, last = self._starts[at], self._ends[at]
        ranks = f"ranks {self.rows.place[first] + 1} to {self.rows.place[last] + 1}"
        return f"score {self.rows.score[first]:g} at {ranks}"


def _equal_to_above(rows: Listed) -> Mask:
    return np.append(False, rows.score[1:] == rows.score[:-1])[: len(rows)] & rows.follows
