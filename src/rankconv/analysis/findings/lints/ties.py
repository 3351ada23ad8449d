"""Rows of equal score."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint, Other, S
from rankconv.analysis.findings.listed import Listed, users_with
from rankconv.analysis.findings.tally import Seen, of_users
from rankconv.data.arrays import Mask
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition


class TieOrders(Lint[S]):
    """What all lints about ties have in common: the best and the worst order of tied rows."""

    otherwise = "other tie orders"

    def others(self, seen: S, known: Known, definition: Definition) -> Iterable[Other]:
        """The best and the worst order that scores, and ranks that count, allow; none of expected or shared ranks."""
        preparation, by_score = definition.applied, known.at.by_score
        if preparation.tie_rule is not TieEffect.ORDER or not (preparation.by_score or by_score):
            return []
        order = preparation.given("order") if preparation.by_score else "score"
        return [Other({"order": order, "ties": ties}) for ties in ("relevant-first", "relevant-last")]


@dataclass(frozen=True)
class Tied(Seen):
    """Users with such a tie."""

    across: int = 0
    """How many of them have one that reaches below the last rank that is read."""


class Ties(TieOrders[Tied]):
    """Rows of equal score and different grade, of which at least one is above the cutoff."""

    name = "ties"
    title = "ties at or above the cutoff"
    unit = "users of both sides"
    means = "Rows of equal score and different grade may be in any order, and each system has its own tie rule."
    do = "Write more decimals of the scores, or say which tie rule you used; presets with ties=expected need none."

    def look(self, data: Data) -> Tied:
        """Users with such a tie, where lists stand by falling score."""
        if not data.scored:
            return Tied()
        rows = data.unsorted if data.joined.rankings.by_score else data.unsorted.by_score
        ties = _MixedTies(rows, data.checked_metrics.read)
        both = data.labelled & data.listed
        if data.quick:
            both &= users_with(np.ones(len(rows), bool), rows.user, data.joined)
        return Tied(*of_users(data, ties.users(), both, ties.words_of), int(np.count_nonzero(ties.users(across=True))))

    def tell(self, seen: Tied, known: Known) -> Found | None:
        """With how many ties there are across the cutoff."""
        return seen.found(f"{seen.across:,} of them across rank {known.checked_metrics.read}" if seen.across else "")


class ConstantScores(TieOrders[Seen]):
    """Lists of two rows and more in which all scores are equal."""

    name = "constant-scores"
    title = "lists whose scores are all equal"
    unit = "lists of two rows or more"
    means = "All scores of the list are equal, so for systems that sort by score its order is only a tie rule."
    do = "Write the model's scores; where there are none, write falling ones, such as 1/rank."
    at_evaluate = False

    def look(self, data: Data) -> Seen:
        """Users with such a list."""
        if not data.scored:
            return Seen()
        rows, several = data.rows, data.several
        differs = rows.follows & ~rows.tied
        tell = lambda user: f"{data.joined.list_counts[user]} rows"
        return Seen(*of_users(data, several & ~users_with(differs, rows.user, data.joined), several, tell))


class _MixedTies:
    """Ties of rows that differ in their grades and begin above the cutoff."""

    def __init__(self, rows: Listed, k: int | None) -> None:
        limit = np.inf if k is None else k
        equal = rows.tied
        tied = np.flatnonzero(equal | np.append(equal[1:], False)[: len(equal)])
        self._rows = rows.only(tied)
        first = np.flatnonzero(~equal[tied])
        last = np.append(first[1:], len(tied))[: len(first)] - 1
        gain = self._rows.gain
        differs = np.append(False, gain[1:] != gain[:-1])[: len(gain)] & equal[tied]
        inside = np.cumsum(differs)
        mixed = (inside[last] > inside[first]) & (self._rows.place[first] < limit)
        self._first, self._last = first[mixed], last[mixed]
        self._across = self._rows.place[self._last] >= limit

    def users(self, across: bool = False) -> Mask:
        """Users with such a tie, shape (users,); with `across`, one that reaches from above the cutoff to below it."""
        found = self._first[self._across] if across else self._first
        return users_with(found, self._rows.user, self._rows.joined)

    def words_of(self, user: int) -> str:
        """The first tie of a user in words."""
        at = int(np.flatnonzero(self._rows.user[self._first] == user)[0])
        first, last = self._first[at], self._last[at]
        ranks = f"ranks {self._rows.place[first] + 1} to {self._rows.place[last] + 1}"
        return f"score {self._rows.score[first]:g} at {ranks}"
