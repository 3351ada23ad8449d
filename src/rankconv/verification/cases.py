"""What is given to both sides of a comparison: users with a list, its scores and labels, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankconv import inputs
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.errors import InputError
from rankconv.evaluation.joining import join


@dataclass(frozen=True)
class User:
    """One user: the list they got, and what is known of their items. Ids are text."""

    name: str
    ranking: tuple[str, ...]
    scores: tuple[float, ...]
    labels: Mapping[str, float]

    @property
    def relevant(self) -> dict[str, float]:
        """The labels above 0."""
        return {item: grade for item, grade in self.labels.items() if grade > 0}

    @property
    def grades(self) -> list[float]:
        """The grade of each item of the list; 0 where it was not judged."""
        return [self.labels.get(item, 0.0) for item in self.ranking]


@dataclass(frozen=True)
class Case:
    """Some users who are evaluated together."""

    name: str
    users: tuple[User, ...]

    @cached_property
    def joined(self) -> Joined:
        """The users' data as the package reads them: with the order of the lists, with scores, and with empty users."""
        labels = {user.name: dict(user.labels) for user in self.users}
        return join(labels, {user.name: list(zip(user.ranking, user.scores, strict=True)) for user in self.users})


def case_of(labels: Any, rankings: Any) -> Case:
    """A user's own data as a case; a list without scores gets falling ones, so that every library can take it."""
    known, ranked = inputs.labels(labels), inputs.rankings(rankings)
    names = dict.fromkeys([*known.users.values.tolist(), *ranked.users.values.tolist()])
    return Case("your data", tuple(_user(name, known, ranked) for name in names))


def _user(name: Any, known: Labels, ranked: Run) -> User:
    items, scores = ranked.rows_of(name) if name in ranked.users.code_of else ([], [])
    falling = tuple(float(left) for left in range(len(items), 0, -1))
    return User(
        str(name),
        tuple(map(str, items)),
        falling if scores is None else tuple(scores),
        _labels_of(name, known) if name in known.users.code_of else {},
    )


def _labels_of(name: Any, known: Labels) -> dict[str, float]:
    grades = known.rows_of(name)
    if len(grades) < known.lengths[known.users.code_of[name]]:
        raise InputError(
            f"user {name!r} has an item in the labels more than once",
            do="Give each item one grade: libraries do not agree on what a second one means.",
        )
    return {str(item): grade for item, grade in grades.items()}
