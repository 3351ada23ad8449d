"""Lists that stand by something else than falling scores, or upside down."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.analysis.findings.data import Data, turned
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint, Other, S
from rankconv.analysis.findings.listed import Listed, users_with
from rankconv.analysis.findings.tally import Adding, Seen, Span, of_users
from rankconv.data.arrays import Mask, Numbers
from rankconv.engine.exact import NO_SUM, Exact, exact
from rankconv.presets.definition import Definition

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
