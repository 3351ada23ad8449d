"""Data problems of lists and scores: short ones, their order, ties, scores that are labels."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rankconv.data.arrays import Codes, Numbers
from rankconv.evaluation.findings.finding import Tally
from rankconv.evaluation.findings.lint import Lint, LintFacts, Other, T
from rankconv.evaluation.findings.lint_data import CheckedData, RankedRows, turned
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition


class Duplicates(Lint[Tally]):
    """Items that stand in a list more than once."""

    name = "duplicates"
    title = "items that occur twice in a list"
    unit = "rows of the run"
    wrong = True
    means = "The item occurs higher in the same list; some systems count it again, others drop or refuse it."
    do = "Keep the first row of each user and item."
    otherwise = "other treatments of them"
    settings = tuple({"duplicates": setting} for setting in ("each", "once", "first-row", "last-row", "set"))

    def look(self, data: CheckedData) -> Tally:
        """Count rows whose item is further up."""
        rows = data.rows
        return Tally(*data.list_rows(rows, rows.repeats)) if data.may_repeat else Tally(0, len(rows))


class ShortLists(Lint[Tally]):
    """Lists with fewer rows than the cutoff."""

    name = "short-lists"
    title = "lists shorter than k"
    unit = "users with labels and a list"
    means = "The list ends above the cutoff; some systems still divide by k, others by the rows there are."
    do = "Return k items for each user, or state the divisor of precision."
    otherwise = "other divisors"

    counterparts: ClassVar = {
        "precision-denominator": ("k", "min(k, length)"),
        "ap-denominator": ("min(k, relevant)", "min(k, length, relevant)"),
        "ideal-cutoff": ("k", "length"),
    }
    """Pairs of settings that differ on short lists alone."""

    def look(self, data: CheckedData) -> Tally:
        """Count users with such a list, among those who have labels too."""
        cutoff = data.checked_metrics.cutoff
        if cutoff is None:
            return Tally()
        both, counts = data.labelled & data.listed, data.joined.list_counts
        return Tally(*data.users(both & (counts < cutoff), both, lambda user: f"{counts[user]} of {cutoff} rows"))

    def others(self, tally: Tally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The divisor that ends with the list in place of one that does not, and the other way round."""
        given = definition.settings if definition.k else {}
        pairs = {name: pair for name, pair in self.counterparts.items() if given.get(name) in pair}
        return [Other({name: setting}) for name, pair in pairs.items() for setting in pair]


@dataclass(frozen=True)
class UnjudgedTally(Tally):
    """Unjudged rows, and whether judged items are distinguished from relevant ones."""

    not_relevant: int = 0
    """Labels of items that are not relevant."""


class Unjudged(Lint[UnjudgedTally]):
    """Rows above the cutoff whose item nobody judged, where others were judged not to be relevant."""

    name = "unjudged"
    title = "unjudged items in lists"
    unit = "rows that are read"
    means = (
        "The labels distinguish judged from relevant items, and these items are unjudged; they count as not relevant."
    )
    do = "Report judged_share@k with the value, or compare it with unjudged=condensed-before-depth."
    otherwise = "leaving them out"
    settings = ({"unjudged": "not-relevant"}, {"unjudged": "condensed-before-depth"})
    at_evaluate = False

    def look(self, data: CheckedData) -> UnjudgedTally:
        """Count rows of labelled users without a label of theirs."""
        top, labelled = data.top, data.labelled
        holes = np.isnan(top.grade) & labelled[top.user]
        counted = data.list_rows(top, holes, of=int(np.count_nonzero(labelled[top.user])))
        return UnjudgedTally(*counted, int(np.count_nonzero(data.joined.labels.grade <= 0)))

    def holds(self, tally: UnjudgedTally, known: LintFacts) -> bool:
        """Not where labels name relevant items only."""
        return tally.not_relevant > 0


SIGMAS = 4
"""So far below the middle do hits not stand by chance."""


class TwoOrders(Lint[T]):
    """What all lints have in common that find ranks and scores at odds."""

    unit = "lists of two rows or more"
    wrong = True
    otherwise = "the other order"
    settings = ({"order": "given"}, {"order": "score"})


class AscendingScores(TwoOrders[Tally]):
    """Lists whose scores rise from the first row to the last: distances, or ranks, where lower is better."""

    name = "ascending-scores"
    title = "lists with ascending scores"
    means = "The scores rise from the first row to the last, so presets that sort by falling score reverse the list."
    do = "If lower is better (a distance, a rank), negate the scores or name the column a rank (--column rank=NAME)."

    def look(self, data: CheckedData) -> Tally:
        """Count lists without any falling score, and with a rising one."""
        rises, falls = data.rising_and_falling
        return Tally(*data.users(rises & ~falls, data.several))


class OrderAgainstScores(TwoOrders[Tally]):
    """Lists in which a score rises from a row to the next, and falls elsewhere: ranks and scores contradict."""

    name = "order-against-scores"
    title = "lists whose order contradicts their scores"
    means = "Ranks and scores order the list differently; some systems use the ranks, others the scores."
    do = "Remove the wrong column, or sort the run by its scores."

    def look(self, data: CheckedData) -> Tally:
        """Count lists with both rising and falling scores."""
        rises, falls = data.rising_and_falling
        return Tally(*data.users(rises & falls, data.several))


@dataclass(frozen=True)
class HitsTally(Tally):
    """Users with hits, and where all their hits are."""

    sigmas: float = 0.0
    """How far all hits together are below the middle, in standard deviations of places drawn at random."""


class UpsideDown(Lint[HitsTally]):
    """Relevant items stand lower in the lists than chance would put them."""

    name = "upside-down"
    title = "lists that look reversed"
    unit = "users with a hit"
    wrong = True
    means = "Relevant items are at the bottom of the lists, far below their ranks in random order."
    do = "If lower is better (a distance, a rank), negate the scores, or name the column a rank."
    otherwise = "reversing the lists"
    at_evaluate = False

    def look(self, data: CheckedData) -> HitsTally:
        """Count users whose hits are below the middle."""
        hits = data.hits
        hit = hits.users_with(slice(None))
        balance = np.bincount(hits.user, weights=_below_middle(hits), minlength=len(hit))
        return HitsTally(*data.users(hit & (balance > 0), hit), _sigmas(hits))

    def holds(self, tally: HitsTally, known: LintFacts) -> bool:
        """Only if all hits together are so beyond chance."""
        return tally.sigmas >= SIGMAS

    def others(self, tally: HitsTally, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The lists turned round."""
        return [Other(turn=turned)]


def _below_middle(hits: RankedRows) -> Numbers:
    """How far below the middle of its list each row is, from -1/2 to 1/2, shape (rows,)."""
    return np.asarray(hits.place / (hits.joined.list_counts[hits.user] - 1) - 0.5)


def _sigmas(hits: RankedRows) -> float:
    """How far these rows, in lists of two rows and more, are below the middle, in standard deviations."""
    length = hits.joined.list_counts[hits.user]
    spread = math.sqrt(((length + 1) / (12 * (length - 1))).sum())
    return float(_below_middle(hits).sum() / spread) if len(hits) else 0.0


class TieOrders(Lint[T]):
    """What all lints about ties have in common: the best and the worst order of tied rows."""

    otherwise = "other tie orders"

    def others(self, tally: T, known: LintFacts, definition: Definition) -> Iterable[Other]:
        """The best and the worst order that scores, and ranks that count, allow; none of expected or shared ranks."""
        preparation = definition.applied
        if preparation.tie_rule is not TieEffect.ORDER or not (preparation.by_score or known.by_score):
            return []
        order = preparation.given("order") if preparation.by_score else "score"
        return [Other({"order": order, "ties": ties}) for ties in ("relevant-first", "relevant-last")]


@dataclass(frozen=True)
class TieTally(Tally):
    """Users with such a tie."""

    across: int = 0
    """How many of them have one that reaches below the last rank that is read."""


class TiesFound(TieOrders[TieTally]):
    """Rows of equal score and different grade, of which at least one is above the cutoff."""

    name = "ties"
    title = "ties at or above the cutoff"
    unit = "users with labels and a list"
    means = "Rows of equal score and different grade may be in any order, and each system has its own tie rule."
    do = "Write more decimals of the scores, or state the tie rule; presets with ties=expected need neither."

    def look(self, data: CheckedData) -> TieTally:
        """Count users with such a tie, where lists are by falling score."""
        if not data.scored:
            return TieTally()
        lists = data.unsorted if data.joined.rankings.by_score else data.unsorted.by_score
        looked_at = lists.users_with(slice(None)) if data.quick else data.listed
        limit = data.checked_metrics.read or np.inf
        rows, first, last = _mixed_ties(lists, limit)
        across = rows.users_with(first[rows.place[last] >= limit])

        def note(user: int) -> str:
            at = int(np.flatnonzero(rows.user[first] == user)[0])
            ranks = f"ranks {rows.place[first[at]] + 1} to {rows.place[last[at]] + 1}"
            return f"score {rows.score[first[at]]:g} at {ranks}"

        counted = data.users(rows.users_with(first), data.labelled & looked_at, note)
        return TieTally(*counted, int(np.count_nonzero(across)))

    def note(self, tally: TieTally, known: LintFacts) -> str:
        """How many ties there are across the cutoff."""
        return f"{tally.across:,} of them across rank {known.data.checked_metrics.read}" if tally.across else ""


def _mixed_ties(rows: RankedRows, limit: float) -> tuple[RankedRows, Codes, Codes]:
    """Ties of rows that differ in their grades and begin above the limit.

    The tied rows, and the places of the first and the last of each tie among them, both of shape (ties,).
    """
    tied = np.flatnonzero(rows.tied | np.append(rows.tied[1:], False)[: len(rows)])
    equal, rows = rows.tied[tied], rows.only(tied)
    first = np.flatnonzero(~equal)
    last = np.append(first[1:], len(tied))[: len(first)] - 1
    changes = np.cumsum(equal & (rows.gain != np.roll(rows.gain, 1)))
    mixed = (changes[last] > changes[first]) & (rows.place[first] < limit)
    return rows, first[mixed], last[mixed]


ENOUGH_SCORES = 5
"""So many rows are not equal by chance."""


class ScoresAreLabels(Lint[Tally]):
    """Every score is the grade of its item, 0 where there is none: the labels were handed over as the scores."""

    name = "scores-are-labels"
    title = "scores that equal the labels"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the grade of its item, so the list is ordered by the labels themselves and looks perfect."
    do = "Check which column was read as the score; a model's own scores do not equal the labels."
    at_evaluate = False

    def look(self, data: CheckedData) -> Tally:
        """Count all rows or none; there must be enough of them, with different scores."""
        rows = data.rows
        if not data.scored or len(rows) < ENOUGH_SCORES or rows.score.min() == rows.score.max():
            return Tally()
        equal = (rows.score == rows.gain).all()
        return Tally(*data.list_rows(rows, np.full(len(rows), equal), note=lambda row: f"score {rows.score[row]:g}"))
