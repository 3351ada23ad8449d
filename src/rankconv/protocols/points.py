"""Each evaluation of a tested user: after so many ratings, and for one hidden rating if each is a case."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers
from rankconv.protocols.ratings import Ratings
from rankconv.specs.parameters import Setting


@dataclass(frozen=True, eq=False)
class Points(FrozenArrays):
    """Who is evaluated, after how many ratings, and where these and what is to be found stand.

    A tested user's ratings given stand in `inputs`, in their order; those to be found in `targets`, of which one counts
    at a point where as many are given as its `until` at most.
    """

    user: Codes
    """Shape (points,), as all that follow until `inputs`."""
    given: Codes
    case: Codes
    """The row to be found where each is a case of its own; -1 elsewhere."""
    inputs: Codes
    """Rows of the ratings, those of a user together, shape (rows given,)."""
    input_starts: Codes
    """Shape (users + 1,)."""
    targets: Codes
    target_starts: Codes
    until: Codes
    """Shape as `targets`."""
    grade: Numbers
    """Of all ratings, shape (rows,)."""

    def __len__(self) -> int:
        return len(self.user)

    def inputs_of(self, point: int) -> Codes:
        """Rows that are given, in their order, shape (given,)."""
        start = self.input_starts[self.user[point]]
        return self.inputs[start : start + self.given[point]]

    def targets_of(self, point: int) -> Codes:
        """Rows that are to be found, shape (rows found,)."""
        if self.case[point] >= 0:
            return self.case[point : point + 1]
        start, end = self.target_starts[self.user[point] :][:2]
        kept = self.until[start:end] >= self.given[point]
        return np.asarray(self.targets[start:end][kept])


def points_of(
    ratings: Ratings,
    tested: Mask,
    place: Codes,
    given: Mask,
    found: Mask,
    until: Codes,
    grade: Numbers,
    settings: Mapping[str, Setting],
) -> Points:
    """Every point of every tested user; masks, places and grades have shape (rows,), `tested` (users,)."""
    order = np.lexsort((place, ratings.user))
    inputs, targets = order[given[order]], order[found[order]]
    starts = [
        np.append(0, np.cumsum(np.bincount(ratings.user[one], minlength=len(ratings.users))))
        for one in (inputs, targets)
    ]
    needed = found & (grade > 0) if not settings["no-positives"]() else found
    last = _last(ratings, needed, until)
    requests = list(_requests(np.flatnonzero(tested), np.diff(starts[0]), last, settings))
    user, number = (np.array([one[at] for one in requests], np.int64) for at in (0, 1))
    case = np.full(len(user), -1)
    if settings["cases"]():
        user, number, case = _cases(user, number, targets, starts[1], needed)
    return Points(user, number, case, inputs, starts[0], targets, starts[1], until[targets], grade)


def _last(ratings: Ratings, needed: Mask, until: Codes) -> Codes:
    """Up to how many ratings given each user has something to be found, shape (users,); -1 for nothing at all."""
    last = np.full(len(ratings.users), -1)
    np.maximum.at(last, ratings.user[needed], until[needed])
    return last


def _requests(
    users: Codes, available: Codes, last: Codes, settings: Mapping[str, Setting]
) -> Iterator[tuple[int, int]]:
    """Who is evaluated after how many ratings, as long as something is left to be found; arrays of shape (users,)."""
    for user in users.tolist():
        if last[user] >= 0:
            numbers = settings["given"](available=int(available[user]))
            yield from ((user, number) for number in numbers if number <= last[user])


def _cases(user: Codes, given: Codes, targets: Codes, starts: Codes, needed: Mask) -> tuple[Codes, Codes, Codes]:
    """Users, numbers given and rows, each of shape (cases,): a point for each rating to be found."""
    rows = [
        (u, g, row)
        for u, g in zip(user, given, strict=True)
        for row in targets[starts[u] : starts[u + 1]]
        if needed[row]
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]
