"""Lists that stand by something else than falling scores, or upside down."""

from collections.abc import Iterable

import numpy as np

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import Found, of_users
from rankconv.ask.check.lint import Lint, Other
from rankconv.ask.check.listed import Listed, users_with
from rankconv.data.arrays import Mask, Numbers
from rankconv.presets.definition import Definition

SIGMAS, SIGMAS_OF_RANKS = 4, 2
"""So far below the middle do hits not stand by chance; less far, where the scores may be ranks."""
ENOUGH = 5
"""So many scores are not ranks by chance."""


class TwoOrders(Lint):
    """What all lints have in common that find ranks and scores at odds."""

    unit = "lists of two rows or more"
    wrong = True
    otherwise = "the other order"
    answers = ({"order": "given"}, {"order": "score"})


class AscendingScores(TwoOrders):
    """Lists whose scores rise from the first row to the last: distances, or ranks, where lower is better."""

    name = "ascending-scores"
    title = "lists with ascending scores"
    means = "The scores rise from the first row to the last, so presets that sort by falling score turn the list round."
    do = "Is lower better (a distance, a rank)? Then negate the scores; else check the rank column."

    def find(self, data: Data) -> Found | None:
        """Lists without any falling score, and with a rising one."""
        rises, falls = _steps(data)
        return of_users(data.joined, rises & ~falls, data.several)


class OrderAgainstScores(TwoOrders):
    """Lists in which a score rises from a row to the next, and falls elsewhere: ranks and scores contradict."""

    name = "order-against-scores"
    title = "lists whose order contradicts their scores"
    means = "Ranks and scores order the list differently; some systems read the one, some the other."
    do = "Drop the column that is wrong, or sort the run by its scores before it is written."

    def find(self, data: Data) -> Found | None:
        """Lists with both rising and falling scores."""
        rises, falls = _steps(data)
        return of_users(data.joined, rises & falls, data.several)


class ScoresAreRanks(TwoOrders):
    """In every list the scores are 1 to n, and the smallest belongs to the best."""

    name = "scores-are-ranks"
    title = "scores that are ranks"
    means = "The scores of each list are 1, 2, 3, …, smallest for the best, so sorting by score turns the list round."
    do = "Name the column a rank (--column rank=NAME, in Python rank='NAME'), or negate it."
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """All lists or none; where scores made the order, hits must stand at the bottom besides."""
        if not data.scored or not data.several.any() or len(data.rows) < ENOUGH:
            return None
        turned = data.joined.rankings.by_score
        if not _ranks(data.rows, turned=turned) or (turned and _sigmas_below(_hits(data)) < SIGMAS_OF_RANKS):
            return None
        return of_users(data.joined, data.several, data.several)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """By rank, or by score; turned round, where there are scores alone."""
        return [Other(joined=data.turned)] if data.joined.rankings.by_score else super().others(data, definition)


class UpsideDown(Lint):
    """Relevant items stand lower in the lists than chance would put them."""

    name = "upside-down"
    title = "lists that look upside down"
    unit = "users with a hit"
    wrong = True
    means = "Relevant items stand at the bottom of the lists, far below where chance would put them."
    do = "Is lower better (a distance, a rank)? Then negate the scores, or name the column a rank."
    otherwise = "turning the lists round"
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Users whose hits stand below the middle, where all hits together do so beyond chance."""
        hits = _hits(data)
        if _sigmas_below(hits) < SIGMAS:
            return None
        hit = users_with(np.ones(len(hits), bool), hits.user, data.joined)
        balance = np.bincount(hits.user, weights=_below_middle(hits), minlength=len(hit))
        return of_users(data.joined, hit & (balance > 0), hit)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The lists turned round."""
        return [Other(joined=data.turned)]


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


def _ranks(rows: Listed, *, turned: bool) -> bool:
    """Whether the scores of every list are its ranks, from 0 or from 1; from the last row on, where turned."""
    first = rows.joined.list_counts[rows.user[:1]] - 1 if turned else 0
    if rows.score[0] - first not in (0, 1):
        return False
    places = rows.joined.list_counts[rows.user] - 1 - rows.place if turned else rows.place
    return bool((rows.score - places == rows.score[0] - first).all())


def _hits(data: Data) -> Listed:
    """The rows of relevant items, in lists of two rows and more."""
    return data.rows.only((data.rows.gain > 0) & data.several[data.rows.user])


def _below_middle(hits: Listed) -> Numbers:
    """How far below the middle of its list each row stands, from -1/2 to 1/2, shape (rows,)."""
    return np.asarray(hits.place / (hits.joined.list_counts[hits.user] - 1) - 0.5)


def _sigmas_below(hits: Listed) -> float:
    """How far all rows together stand below the middle, in standard deviations of places drawn at random."""
    length = hits.joined.list_counts[hits.user]
    variance = np.sum((length + 1) / (12 * (length - 1)))
    return float(np.sum(_below_middle(hits)) / np.sqrt(variance)) if len(hits) else 0.0
