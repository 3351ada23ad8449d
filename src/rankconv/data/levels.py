"""The different grades of all labels. What judging makes of a label, it makes of its grade, once for each of them."""

from dataclasses import dataclass

import numpy as np

from rankconv.data.arrays import Fixed, Numbers, own
from rankconv.data.matching import Kinds

MOST = 250
"""With more different grades than this, labels are judged one by one."""


@dataclass(frozen=True, eq=False)
class Levels(Fixed):
    """The grades that occur, rising, and which of them each label has."""

    grades: Numbers
    kind: Kinds
    """1 + the place of each label's grade among `grades`."""


def levels_of(grade: Numbers) -> Levels | None:
    """The levels of these grades, shape (labels,); None where there are too many."""
    if not len(grade):
        return Levels(np.empty(0), np.empty(0, np.uint8))
    lowest, highest = grade.min(), grade.max()
    if lowest == highest:
        return Levels(np.array([lowest]), np.broadcast_to(own(np.array(1, np.uint8)), len(grade)))
    if highest - lowest < MOST:
        whole = (grade - lowest).astype(np.uint8)
        if np.array_equal(whole + lowest, grade):
            return _of_whole(whole, float(lowest))
    grades, place = np.unique(grade, return_inverse=True)
    return Levels(grades, own((place + 1).astype(np.uint8))) if len(grades) <= MOST else None


def _of_whole(above_lowest: Kinds, lowest: float) -> Levels:
    there = np.flatnonzero(np.bincount(above_lowest, minlength=MOST))
    place = np.zeros(MOST + 1, np.uint8)
    place[there] = np.arange(1, len(there) + 1)
    return Levels((there + lowest).astype(np.float64), own(place[above_lowest]))
