"""Lists that stand by something else than falling scores, or upside down."""

from collections.abc import Iterable

import numpy as np

from rankconv.checking.data import Data
from rankconv.checking.found import Found, of_users
from rankconv.checking.lint import Lint, Other
from rankconv.checking.listed import users_with
from rankconv.definition import Definition
from rankconv.ranking.rows import Mask

SIGMAS = 4
"""So far from the middle do hits not stand by chance."""


class AscendingScores(Lint):
    """Lists whose scores rise from the first row to the last: distances, or ranks, where lower is better."""

    name = "ascending-scores"
    title = "lists with ascending scores"
    unit = "lists of two rows or more"
    means = "The scores rise from the first row to the last, so presets that sort by falling score turn the list round."
    do = "Is lower better (a distance, a rank)? Then negate the scores; else check the rank column."
    otherwise = "the other order"

    def find(self, data: Data) -> Found | None:
        """Lists without any falling score, and with a rising one."""
        rises, falls = _steps(data)
        several = data.joined.list_counts > 1
        return of_users(data.joined, rises & ~falls, several) if rises.any() else None

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """By rank, or by score."""
        return [Other({"order": "given"}), Other({"order": "score"})]


class OrderAgainstScores(Lint):
    """Lists in which a score rises from a row to the next, and falls elsewhere: ranks and scores contradict."""

    name = "order-against-scores"
    title = "lists whose order contradicts their scores"
    unit = "lists of two rows or more"
    means = "Ranks and scores order the list differently; some systems read the one, some the other."
    do = "Drop the column that is wrong, or sort the run by its scores before it is written."
    otherwise = "the other order"

    def find(self, data: Data) -> Found | None:
        """Lists with both rising and falling scores."""
        rises, falls = _steps(data)
        several = data.joined.list_counts > 1
        return of_users(data.joined, rises & falls, several) if rises.any() else None

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """By rank, or by score."""
        return [Other({"order": "given"}), Other({"order": "score"})]


class UpsideDown(Lint):
    """Relevant items stand lower in the lists than chance would put them."""

    name = "upside-down"
    title = "lists that look upside down"
    unit = "users with a hit"
    means = "Relevant items stand at the bottom of the lists, far below where chance would put them."
    do = "Is lower better (a distance, a rank)? Then negate the scores, or name the column a rank."
    otherwise = "turning the lists round"
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Users whose hits stand below the middle, where all hits together do so beyond chance."""
        rows, counts = data.rows, data.joined.list_counts
        hits = rows.only((rows.gain > 0) & (counts[rows.user] > 1))
        length = counts[hits.user]
        below = hits.place / (length - 1) - 0.5
        # Places drawn at random from a list of n have this variance.
        spread = np.sqrt(np.sum((length + 1) / (12 * (length - 1))))
        if not len(hits) or np.sum(below) < SIGMAS * spread:
            return None
        hit = users_with(np.ones(len(hits), bool), hits.user, data.joined)
        balance = np.bincount(hits.user, weights=below, minlength=len(counts))
        return of_users(data.joined, hit & (balance > 0), hit)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The same lists, turned round."""
        return [Other(joined=data.turned)]


def _steps(data: Data) -> tuple[Mask, Mask]:
    """Users with a score above that of the row before, and with one below it; nobody where scores made the order."""
    nobody = np.zeros(len(data.joined.users), bool)
    if not data.scored or data.joined.rankings.by_score:
        return nobody, nobody
    rows = data.unsorted
    step = np.append(0.0, np.diff(rows.score))[: len(rows)]
    rises, falls = (users_with(rows.follows & found, rows.user, data.joined) for found in (step > 0, step < 0))
    return rises, falls
