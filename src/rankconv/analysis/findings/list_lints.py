"""Data problems of lists: short ones, their order, ties and scores."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.analysis.findings.data import Data, turned
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint, Other, S
from rankconv.analysis.findings.listed import Listed, users_with
from rankconv.analysis.findings.tally import Adding, Counted, Few, Least, Seen, Span, of_list_rows, of_users
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids
from rankconv.engine.exact import NO_SUM, Exact, exact
from rankconv.preparation.expected import TieEffect
from rankconv.presets.definition import Definition


class Duplicates(Lint[Seen]):
    """Items that stand in a list more than once."""

    name = "duplicates"
    title = "items that occur twice in a list"
    unit = "rows of the run"
    wrong = True
    means = "The item occurs higher in the same list; some systems count it again, others drop or refuse it."
    do = "Keep the first row of each user and item."
    otherwise = "other treatments of them"
    settings = tuple({"duplicates": setting} for setting in ("each", "once", "first-row", "last-row", "set"))

    def look(self, data: Data) -> Seen:
        """Rows whose item is further up."""
        rows = data.rows
        return Seen(*of_list_rows(data, rows, rows.repeats)) if data.may_repeat else Seen(0, len(rows))


class ShortLists(Lint[Seen]):
    """Lists with fewer rows than the cutoff."""

    name = "short-lists"
    title = "lists shorter than k"
    unit = "users of both sides"
    means = "The list ends above the cutoff; some systems still divide by k, others by the rows there are."
    do = "Return k items to everybody, or say by what precision is divided."
    otherwise = "other divisors"

    counterparts: ClassVar = {
        "precision-denominator": ("k", "min(k, length)"),
        "ap-denominator": ("min(k, relevant)", "min(k, length, relevant)"),
        "ideal-cutoff": ("k", "length"),
    }
    """Pairs of settings that differ on short lists alone."""

    def look(self, data: Data) -> Seen:
        """Users with such a list, among those who have labels too."""
        cutoff = data.checked_metrics.cutoff
        if cutoff is None:
            return Seen()
        both, counts = data.labelled & data.listed, data.joined.list_counts
        return Seen(*of_users(data, both & (counts < cutoff), both, lambda user: f"{counts[user]} of {cutoff} rows"))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """The divisor that ends with the list in place of one that does not, and the other way round."""
        fields = definition.settings if definition.k else {}
        pairs = {
            convention_name: pair
            for convention_name, pair in self.counterparts.items()
            if fields.get(convention_name) in pair
        }
        return [Other({convention_name: setting}) for convention_name, pair in pairs.items() for setting in pair]


@dataclass(frozen=True)
class Holes(Seen):
    """Rows that nobody judged, and whether that tells anything."""

    not_relevant: int = 0
    """Labels that say so."""


class Unjudged(Lint[Holes]):
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

    def look(self, data: Data) -> Holes:
        """Rows of labelled users without a label of theirs."""
        top, labelled = data.top, data.labelled
        holes = np.isnan(top.grade) & labelled[top.user]
        counted = of_list_rows(data, top, holes, of=int(np.count_nonzero(labelled[top.user])))
        return Holes(*counted, int(np.count_nonzero(data.joined.labels.grade <= 0)))

    def tell(self, seen: Holes, known: Known) -> Found | None:
        """None where labels name relevant items only."""
        return seen.found() if seen.not_relevant else None


SIGMAS, SIGMAS_OF_RANKS = 4, 2
"""So far below the middle do hits not stand by chance; less far, where the scores may be ranks."""
ENOUGH = 5
"""So many scores are not ranks by chance."""


class TwoOrders(Lint[S]):
    """What all lints have in common that find ranks and scores at odds."""

    unit = "lists of two rows or more"
    wrong = True
    otherwise = "the other order"
    settings = ({"order": "given"}, {"order": "score"})


class AscendingScores(TwoOrders[Seen]):
    """Lists whose scores rise from the first row to the last: distances, or ranks, where lower is better."""

    name = "ascending-scores"
    title = "lists with ascending scores"
    means = "The scores rise from the first row to the last, so presets that sort by falling score turn the list round."
    do = "Is lower better (a distance, a rank)? Then negate the scores; else check the rank column."

    def look(self, data: Data) -> Seen:
        """Lists without any falling score, and with a rising one."""
        rises, falls = _steps(data)
        return Seen(*of_users(data, rises & ~falls, data.several))


class OrderAgainstScores(TwoOrders[Seen]):
    """Lists in which a score rises from a row to the next, and falls elsewhere: ranks and scores contradict."""

    name = "order-against-scores"
    title = "lists whose order contradicts their scores"
    means = "Ranks and scores order the list differently; some systems read the one, some the other."
    do = "Drop the column that is wrong, or sort the run by its scores before it is written."

    def look(self, data: Data) -> Seen:
        """Lists with both rising and falling scores."""
        rises, falls = _steps(data)
        return Seen(*of_users(data, rises & falls, data.several))


@dataclass(frozen=True)
class Balance(Adding):
    """How far hits stand below the middle of their lists."""

    below: Exact = NO_SUM
    """The sum over all hits, each from -1/2 to 1/2."""
    variance: Exact = NO_SUM
    """What it is where places are drawn at random."""

    @classmethod
    def of(cls, hits: Listed) -> "Balance":
        """Of these rows, in lists of two rows and more."""
        length = hits.joined.list_counts[hits.user]
        return cls(_exact(_below_middle(hits)), _exact((length + 1) / (12 * (length - 1))))

    @property
    def sigmas(self) -> float:
        """How far all hits together stand below the middle, in standard deviations of places drawn at random."""
        return self.below.sum.total / math.sqrt(self.variance.sum.total) if self.below.number else 0.0


@dataclass(frozen=True)
class Ranked(Seen):
    """Lists of two rows and more, and whether scores are ranks."""

    rows: int = 0
    first: Span = field(default_factory=Span)
    """By how much the score of each row is above its place."""
    hits: Balance = field(default_factory=Balance)


class ScoresAreRanks(TwoOrders[Ranked]):
    """In every list the scores are 1 to n, and the smallest belongs to the best."""

    name = "scores-are-ranks"
    title = "scores that are ranks"
    means = "The scores of each list are 1, 2, 3, …, smallest for the best, so sorting by score turns the list round."
    do = "Name the column a rank (--column rank=NAME, in Python rank='NAME'), or negate it."
    at_evaluate = False

    def look(self, data: Data) -> Ranked:
        """The lists, and how scores and places go together."""
        if not data.scored:
            return Ranked()
        counted = of_users(data, data.several, data.several)
        return Ranked(*counted, len(data.rows), Span.over(_above_places(data)), Balance.of(_hits(data)))

    def tell(self, seen: Ranked, known: Known) -> Found | None:
        """All lists or none; where scores made the order, hits must stand at the bottom besides."""
        ranks = seen.first.low in (0, 1) and not seen.first.several
        if seen.rows < ENOUGH or not ranks or (known.at.by_score and seen.hits.sigmas < SIGMAS_OF_RANKS):
            return None
        return seen.found()

    def others(self, seen: Ranked, known: Known, definition: Definition) -> Iterable[Other]:
        """By rank, or by score; turned round, where there are scores alone."""
        return [Other(turn=turned)] if known.at.by_score else super().others(seen, known, definition)


@dataclass(frozen=True)
class Low(Seen):
    """Users whose hits stand below the middle."""

    hits: Balance = field(default_factory=Balance)


class UpsideDown(Lint[Low]):
    """Relevant items stand lower in the lists than chance would put them."""

    name = "upside-down"
    title = "lists that look upside down"
    unit = "users with a hit"
    wrong = True
    means = "Relevant items are at the bottom of the lists, far below their ranks in random order."
    do = "Is lower better (a distance, a rank)? Then negate the scores, or name the column a rank."
    otherwise = "turning the lists round"
    at_evaluate = False

    def look(self, data: Data) -> Low:
        """Users whose hits stand below the middle."""
        hits = _hits(data)
        hit = users_with(np.ones(len(hits), bool), hits.user, data.joined)
        balance = np.bincount(hits.user, weights=_below_middle(hits), minlength=len(hit))
        return Low(*of_users(data, hit & (balance > 0), hit), Balance.of(hits))

    def tell(self, seen: Low, known: Known) -> Found | None:
        """None, unless all hits together do so beyond chance."""
        return seen.found() if seen.hits.sigmas >= SIGMAS else None

    def others(self, seen: Low, known: Known, definition: Definition) -> Iterable[Other]:
        """The lists turned round."""
        return [Other(turn=turned)]


def _steps(data: Data) -> tuple[Mask, Mask]:
    """Users with a score above that of the row before, and users with one below it, both of shape (users,).

    Nobody where scores made the order.
    """
    nobody = np.zeros(len(data.joined.users), bool)
    if not data.scored or data.joined.rankings.by_score:
        return nobody, nobody
    rows = data.unsorted
    step = np.append(0.0, np.diff(rows.score))[: len(rows)]
    rises, falls = (users_with(rows.follows & found, rows.user, data.joined) for found in (step > 0, step < 0))
    return rises, falls


def _above_places(data: Data) -> Numbers:
    """By how much each score is above the place of its row, shape (rows,); counted from the last where scores order."""
    rows, counts = data.rows, data.joined.list_counts
    places = counts[rows.user] - 1 - rows.place if data.joined.rankings.by_score else rows.place
    return np.asarray(rows.score - places)


def _hits(data: Data) -> Listed:
    """The rows of relevant items, in lists of two rows and more."""
    return data.rows.only((data.rows.gain > 0) & data.several[data.rows.user])


def _below_middle(hits: Listed) -> Numbers:
    """How far below the middle of its list each row is, from -1/2 to 1/2, shape (rows,)."""
    return np.asarray(hits.place / (hits.joined.list_counts[hits.user] - 1) - 0.5)


def _exact(values: Numbers) -> Exact:
    summed = ExactSum()
    summed.add(values)
    return exact(summed)


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


ENOUGH_SCORES = 5
"""So many rows are not equal by chance."""


@dataclass(frozen=True)
class AllRows(Seen):
    """All rows, and what their scores are."""

    span: Span = field(default_factory=Span)
    other: int = 0
    """Not 0 where some score is not what all scores are taken for."""

    @classmethod
    def over(cls, data: Data, *, other: bool) -> "AllRows":
        """Of these data."""
        rows = data.rows
        return cls(*_all_rows(data, shown=not other), Span.over(rows.score), int(other))

    @property
    def informative(self) -> bool:
        """Whether there are enough rows, and different scores."""
        return self.of >= ENOUGH_SCORES and self.span.several


class ScoresAreLabels(Lint[AllRows]):
    """Every score is the grade of its item, 0 where there is none: the labels were handed over as the scores."""

    name = "scores-are-labels"
    title = "scores that equal the labels"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the grade of its item, so the list is ordered by the labels themselves and looks perfect."
    do = "Check which column was read as the score; a model's own scores do not equal the labels."
    at_evaluate = False

    def look(self, data: Data) -> AllRows:
        """Rows whose score is another."""
        if not data.scored:
            return AllRows()
        return AllRows.over(data, other=bool((data.rows.score != data.rows.gain).any()))

    def tell(self, seen: AllRows, known: Known) -> Found | None:
        """All rows or none."""
        return seen.found() if seen.informative and not seen.other else None


@dataclass(frozen=True)
class Leveled(AllRows):
    """All rows; their scores, besides grades of labels."""

    scores: Few = field(default_factory=Few)
    grades: Few = field(default_factory=Few)
    tied: int = 0
    """Lists with a tie."""
    several: int = 0
    """Lists of two rows or more."""


class ScoresLikeLabels(Lint[Leveled]):
    """Few different scores, all of them grades that labels have, and ties in most lists: predicted labels, or hits."""

    name = "scores-like-labels"
    title = "scores that look like labels"
    unit = "rows of the run"
    wrong = True
    means = "All scores are grades that the labels have too (such as 0 and 1), so most rows are tied with each other."
    do = "Rank by what the model computes before it decides (a probability, a similarity), not by the decision."
    at_evaluate = False

    def look(self, data: Data) -> Leveled:
        """The scores and grades there are, and how many lists have ties."""
        rows = data.rows
        if not data.scored:
            return Leveled(grades=Few.over(data.grades))
        tied = users_with(rows.tied, rows.user, data.joined)
        counts = (int(np.count_nonzero(users)) for users in (tied, data.several))
        scores, other = Few.over(rows.score), bool((rows.score != rows.gain).any())
        counted = _all_rows(data, shown=scores.values is not None)
        return Leveled(*counted, Span.over(rows.score), int(other), scores, Few.over(data.grades), *counts)

    def tell(self, seen: Leveled, known: Known) -> Found | None:
        """All rows or none; none where scores are the labels of their own rows."""
        scores, grades = seen.scores.values, seen.grades.values
        if not seen.informative or not seen.other or scores is None or grades is None or not scores <= grades | {0.0}:
            return None
        return seen.found() if 2 * seen.tied >= seen.several else None


@dataclass(frozen=True)
class ScoresAndIds(AllRows):
    """All rows; `other` is not 0 where some score is not the id of its item."""

    other_users: int = 0
    """Not 0 where some score is not the id of its user."""


class ScoresAreIds(Lint[ScoresAndIds]):
    """Every score is the id of its item or of its user: a column was taken for another."""

    name = "scores-are-ids"
    title = "scores that are ids"
    unit = "rows of the run"
    wrong = True
    means = "Every score is the number of its item, or of its user, so the list is ordered by ids."
    do = "Check which column was read as the score: --column score=NAME (in Python score='NAME')."
    at_evaluate = False

    def look(self, data: Data) -> ScoresAndIds:
        """Whether some score is no id of an item, or of a user."""
        if not data.scored:
            return ScoresAndIds()
        rows, joined = data.rows, data.joined
        other, of_users = _others(joined.items, rows.item, rows.score), _others(joined.users, rows.user, rows.score)
        shown = _all_rows(data, shown=not (other and of_users))
        return ScoresAndIds(*shown, Span.over(rows.score), int(other), int(of_users))

    def tell(self, seen: ScoresAndIds, known: Known) -> Found | None:
        """All rows or none."""
        return seen.found() if seen.informative and not (seen.other and seen.other_users) else None


def _all_rows(data: Data, *, shown: bool) -> Counted:
    """All rows with their scores, as something that is seen; `shown` says whether there may be examples."""
    rows = data.rows
    if not shown:
        return len(rows), len(rows), Least()
    return of_list_rows(data, rows, np.ones(len(rows), bool), tell=lambda row: f"score {rows.score[row]:g}")


def _others(ids: Ids, codes: Codes, scores: Numbers) -> bool:
    """Whether the id of some row, whose code is given, is not its score; both have shape (rows,)."""
    if ids.kind == "compound":
        return True
    first = slice(10 * ENOUGH_SCORES)
    return not (_numbers_equal(ids.values[codes[first]], scores[first]) and _numbers_equal(ids.values[codes], scores))


def _numbers_equal(ids: NDArray[np.generic], scores: Numbers) -> bool:
    """Whether each id, read as a number, is its score; both have shape (rows,)."""
    import polars as pl

    column = pl.Series(ids) if ids.dtype.kind == "i" else pl.Series(ids.tolist(), dtype=pl.String)
    return bool((column.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy() == scores).all())
