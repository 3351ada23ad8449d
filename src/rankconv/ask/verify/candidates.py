"""What libraries of learning to rank are handed: aligned scores and grades, one row per candidate."""

from collections.abc import Iterable
from dataclasses import dataclass

from rankconv.ask.verify.cases import User


@dataclass(frozen=True)
class Candidates:
    """The rows of one user."""

    user: User
    scores: list[float]
    grades: list[float]

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def relevant(self) -> list[int]:
        """1 where the grade is above 0, else 0."""
        return [int(grade > 0) for grade in self.grades]


def candidates(user: User, union: bool, lowest: float | None = None) -> Candidates:
    """The list with its scores and grades; in a union the labels not returned follow, each 1 below the score before.

    With `lowest`, all scores of a union are then shifted so that the last has this one.
    """
    scores, grades = list(user.scores), user.grades
    missed = [grade for item, grade in user.labels.items() if item not in user.ranking] if union else []
    last = scores[-1] if scores else 0.0
    scores += [last - 1.0 - place for place in range(len(missed))]  # rounded as judging rounds them
    if union and lowest is not None:
        shift = lowest - min(scores, default=0.0)
        scores = [score + shift for score in scores]
    return Candidates(user, scores, grades + missed)


def joined(lists: Iterable[list[float]]) -> list[float]:
    """The columns of all users, one below the other."""
    return [value for one in lists for value in one]
