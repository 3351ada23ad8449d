"""Of which users does it hold that some step of judging changes nothing?"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.ranking.data import owners_of_repeats
from rankconv.ranking.ids import Codes
from rankconv.ranking.rows import Mask

if TYPE_CHECKING:
    from rankconv.ranking.joined import Joined


class Facts:
    """Masks over the users, by the name under which answers ask for them; each is made once, when it is asked for."""

    def __init__(self, joined: "Joined") -> None:
        self._joined = joined
        self._known: dict[str, Mask] = {}

    def of(self, fact: str, rows: int | None) -> Mask:
        """Of whom it holds, shape (users,); `rows` of each list are looked at, None for all."""
        if fact == "long lists":
            return np.asarray(self._joined.list_counts >= (np.inf if rows is None else rows))
        if fact not in self._known:
            self._known[fact] = getattr(self, f"_{fact.replace(' ', '_')}")()
        return self._known[fact]

    def _always(self) -> Mask:
        return np.ones(len(self._joined.users), bool)

    def _never(self) -> Mask:
        return ~self._always()

    def _no_empty_lists(self) -> Mask:
        return np.asarray(self._joined.list_counts > 0)

    def _distinct_labels(self) -> Mask:
        labels = self._joined.labels
        if labels.distinct:
            return self._always()
        return self._but(owners_of_repeats(labels.starts, labels.item), self._joined.label_rows_of)

    def _distinct_lists(self) -> Mask:
        rankings = self._joined.rankings
        return self._but(owners_of_repeats(rankings.starts, rankings.item), self._joined.list_rows_of)

    def _no_negative_grades(self) -> Mask:
        labels = self._joined.labels
        if float(labels.grade.min(initial=0)) >= 0:
            return self._always()
        return self._but(_owners(labels.starts, labels.grade < 0), self._joined.label_rows_of)

    def _no_item_named_as_user(self) -> Mask:
        joined = self._joined
        own = joined.item_named_as_user
        if (own < 0).all():
            return self._always()
        own_of_list = np.full(len(joined.rankings.users), -1)
        listed = joined.list_rows_of >= 0
        own_of_list[joined.list_rows_of[listed]] = own[listed]
        same = joined.list_item == np.repeat(own_of_list, joined.rankings.lengths)
        return self._but(_owners(joined.rankings.starts, same), joined.list_rows_of)

    def _falling_scores(self) -> Mask:
        return self._falling(self._joined.rankings.score)

    def _falling_narrow_scores(self) -> Mask:
        score = self._joined.rankings.score
        with np.errstate(over="ignore"):
            return self._falling(None if score is None else score.astype(np.float32))

    def _falling(self, score: NDArray[np.floating[Any]] | None) -> Mask:
        """Whose list stands strictly by falling score; one without scores does."""
        if score is None or len(score) < 2:
            return self._always()
        rises = np.append(score[1:] >= score[:-1], False)
        starts = self._joined.rankings.starts
        rises[starts[(starts > 0) & (starts < len(score))] - 1] = False
        return self._but(_owners(starts, rises), self._joined.list_rows_of)

    def _but(self, owners: Codes, rows_of: Codes) -> Mask:
        """All users but those who have these owners' rows."""
        holds = self._always()
        if len(owners):
            without = np.zeros(int(rows_of.max(initial=0)) + 2, bool)
            without[owners] = True
            holds = ~(without[rows_of] & (rows_of >= 0))
        return holds


def _owners(starts: Codes, rows: Mask) -> Codes:
    """Who owns such rows."""
    return np.flatnonzero(np.diff(np.searchsorted(np.flatnonzero(rows), starts)))
