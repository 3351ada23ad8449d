"""The judged list of one user as plain rows: what a working may read, and all of it is printed."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rankconv.preparation.ties import TieEffect

NOBODY_KNOWS = "(nothing)"
"""The name of an item that was invented to fill a list."""


@dataclass(frozen=True)
class Row:
    """One row of the judged list."""

    rank: int | Fraction
    """The rank that the metric sees: rows of a tie may share one, which may be a half."""
    item: str
    score: float
    grade: Fraction | None
    judged: bool
    relevant: bool
    hit: bool
    """Relevant, and not kept from counting by its score."""
    repeated: bool
    """Whether a row above holds the same item."""
    weight: int
    """How often the row counts."""
    place: int
    """Where it stood in the list as given, from 0."""
    in_pool: bool
    labelled_by_anyone: bool
    tie: range
    """The places, from 0, of the rows that have the same score."""
    groups: tuple[str, ...] = ()
    """The groups of labels that the item serves, by name, where labels came in groups."""


@dataclass(frozen=True)
class Label:
    """One label that exists."""

    item: str
    grade: Fraction
    relevant: bool
    at_end: bool
    row: int | None
    """The place of the first row of its item, from 0; None where it was not returned."""
    stands_for_row: bool
    """Whether no label stands behind it, but a row of the list that has none."""


@dataclass(frozen=True)
class JudgedList:
    """One user's list and labels after preparation."""

    rows: tuple[Row, ...]
    labels: tuple[Label, ...]
    scored: bool
    """Whether the run states scores; else each is the negative of a place."""
    tie_rule: TieEffect
    keeps_ties: bool
    """Whether what is read down to rank k includes the rows tied with the k-th."""
    labels_are_rows: bool
    level: Fraction
    """The level that `relevant` names; 0 where it names none."""
    catalogue: int | None
    judged_grades: tuple[Fraction, ...]
    """The grade of each judgment, also of those that do not exist for the metric."""
    label_rows: int
    in_rankings: bool
    refusals: tuple[str, ...]
    """Why the data of this user are not allowed."""

    def within(self, k: int | None) -> int:
        """How many rows stand at rank k or above."""
        if k is None:
            return len(self.rows)
        return sum(row.tie[0] < k if self.keeps_ties else row.rank <= k for row in self.rows)


def fraction(value: Any) -> Fraction:
    """The fraction that the shortest decimal for this number says."""
    return Fraction(repr(float(value)))
