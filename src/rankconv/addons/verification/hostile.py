"""Hostile cases: data on which libraries that agree on ordinary data do not, by the kind of difficulty.

The same ones are given to an installed library by `rc.verify`, and were given to those whose results the tests keep.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Any
from zlib import crc32

import numpy as np
from numpy.random import Generator

from rankconv.addons.verification.adapter import LibraryCase, Takes, User

SEEDS = (0, 1)
GRADES = {"binary": (0.0, 1.0, 1.0), "graded": (0.0, 1.0, 2.0, 3.0)}
"""What the grades of a case are drawn from; no user is without one above 0."""
POOL = 12
"""Items of a case, fewer than the number of rows at which `k beyond everything` looks."""
BEYOND = 9
"""More than all items of a case of that kind."""

Make = Callable[[Generator, Sequence[User]], Sequence[User]]


@dataclass(frozen=True)
class Need:
    """What a library must be able to be handed for a kind of case."""

    met: Callable[[Takes], bool]
    otherwise: str
    """Why a library that takes it not cannot be given such a case."""


ANY = Need(lambda takes: True, "")
REPEATED_LABELS = Need(lambda takes: takes.repeated_labels, "each user has an item once in its labels")
REPEATED_ITEMS = Need(lambda takes: takes.duplicates, "each user has an item once in its lists")
SCORES = Need(lambda takes: takes.scores, "its lists have no scores")
ITEM_IDS = Need(lambda takes: takes.item_ids, "the caller matches the ids of items, or gives them one type")
ABSENT_USERS = Need(lambda takes: takes.absent_users, "each user has a place in its labels and in its lists")
EMPTY_LISTS = Need(lambda takes: takes.empty_lists, "a user without rows is not in its tables")


@dataclass(frozen=True)
class Kind:
    """One difficulty: what a library must take for it, and what it makes of ordinary users."""

    name: str
    need: Need
    make: Make


KINDS: dict[str, Kind] = {}


def kind(name: str, need: Need = ANY) -> Callable[[Make], Make]:
    """Register what makes the cases of a kind."""

    def register(make: Make) -> Make:
        KINDS[name] = Kind(name, need, make)
        return make

    return register


def hostile_cases(seeds: Sequence[int] = SEEDS) -> Iterator[LibraryCase]:
    """Return the cases of every kind, the same ones for the same seeds: with binary labels and with graded ones.

    >>> cases = list(hostile_cases())
    >>> len(cases), cases[0].name
    (84, 'repeated labels of equal grades: binary, seed 0')
    """
    for one in KINDS.values():
        for seed in seeds:
            for turn, (grades, levels) in enumerate(GRADES.items()):
                draw = np.random.default_rng([seed, turn, crc32(one.name.encode())])
                users = [_ordinary(draw, f"u{number}", levels) for number in range(1, 4)]
                yield LibraryCase(f"{one.name}: {grades}, seed {seed}", tuple(one.make(draw, users)), one.name)


def _ordinary(draw: Generator, name: str, levels: Sequence[float]) -> User:
    """A user with a list of five to seven distinct scores, and labels of items in it and outside of it."""
    pool = [str(item) for item in draw.permutation(np.arange(1, POOL + 1))]
    length = int(draw.integers(5, 8))
    ranking = pool[:length]
    labelled = [*draw.choice(ranking, 3, replace=False).tolist(), *pool[length : length + int(draw.integers(1, 4))]]
    grades = draw.choice(levels, len(labelled)).tolist()
    grades[int(draw.integers(0, 3))] = max(levels)
    scores = np.sort(draw.permutation(40)[:length] + 1)[::-1] / 8
    return User(name, tuple(ranking), tuple(scores.tolist()), dict(zip(labelled, grades, strict=True)))


def _retrieved(user: User) -> list[str]:
    return [item for item in user.ranking if user.labels.get(item, 0.0) > 0]


@kind("repeated labels of equal grades", REPEATED_LABELS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [replace(u, repeated_labels=tuple((item, u.labels[item]) for item in _retrieved(u)[:1])) for u in users]


@kind("repeated labels of other grades", REPEATED_LABELS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def again(user: User) -> tuple[tuple[str, float], ...]:
        above, [*others] = _retrieved(user)[0], (item for item, grade in user.labels.items() if grade <= 0)
        return ((above, float(user.labels[above] + 1)), *((item, 1.0) for item in others[:1]))

    return [replace(user, repeated_labels=again(user)) for user in users]


def _with_rows(user: User, rows: Sequence[tuple[str, float]]) -> User:
    return replace(user, ranking=tuple(item for item, _ in rows), scores=tuple(score for _, score in rows))


def _rows(user: User) -> list[tuple[str, float]]:
    return list(zip(user.ranking, user.scores, strict=True))


@kind("repeated items of equal scores", REPEATED_ITEMS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def again(user: User) -> User:
        place = user.ranking.index(_retrieved(user)[0])
        rows = _rows(user)
        return _with_rows(user, [*rows[: place + 1], *rows[place:]])

    return [again(user) for user in users]


@kind("repeated items of other scores", REPEATED_ITEMS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def again(user: User) -> User:
        lowest = user.scores[-1]
        return _with_rows(user, [*_rows(user), (_retrieved(user)[0], lowest / 2), (user.ranking[0], lowest / 4)])

    return [again(user) for user in users]


def _scored(user: User, scores: Sequence[float]) -> User:
    return replace(user, scores=tuple(map(float, scores)))


@kind("scores of 0", SCORES)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [_scored(user, [*user.scores[:-3], 0.0, 0.0, 0.0]) for user in users]


@kind("all scores equal", SCORES)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [_scored(user, [0.5] * len(user.scores)) for user in users]


@kind("negative scores", SCORES)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [_scored(user, [score - user.scores[1] - 0.0625 for score in user.scores]) for user in users]


@kind("a score that is NaN", SCORES)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    first, *others = users
    scores = list(first.scores)
    scores[first.ranking.index(_retrieved(first)[0])] = nan
    return [_scored(first, scores), *others]


def _graded(user: User, grades: Mapping[str, float]) -> User:
    return replace(user, labels={**user.labels, **grades})


@kind("ratings of 0")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    first, *others = users
    return [
        replace(first, labels=dict.fromkeys(first.labels, 0.0)),
        *(_graded(user, {user.ranking[0]: 0.0, _hit_below(user): 1.0}) for user in others),
    ]


def _hit_below(user: User) -> str:
    """A labelled item of the list that is not the first."""
    return next(item for item in user.ranking[1:] if item in user.labels)


@kind("negative grades")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [_graded(user, {user.ranking[0]: -1.0, _hit_below(user): 1.0}) for user in users]


@kind("users in the labels alone", ABSENT_USERS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [replace(users[0], ranking=(), scores=(), in_run=False), *users[1:]]


@kind("users in the run alone", ABSENT_USERS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [*users[:1], replace(users[1], labels={}, in_labels=False), *users[2:]]


@kind("an empty list in the run", EMPTY_LISTS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [*users[:1], replace(users[1], ranking=(), scores=()), *users[2:]]


@kind("an empty list in the labels", EMPTY_LISTS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [replace(users[0], labels={}), *users[1:]]


@kind("one user")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return users[:1]


@kind("one item")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [
        replace(user, ranking=("1",), scores=user.scores[:1], labels={"1": max(user.labels.values())}) for user in users
    ]


@kind("k beyond everything")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def few(user: User) -> User:
        kept = [item for item in user.ranking if int(item) < BEYOND] or list(user.ranking[:1])
        labels = {item: grade for item, grade in user.labels.items() if int(item) < BEYOND}
        return replace(
            user,
            ranking=tuple(kept),
            scores=user.scores[: len(kept)],
            labels=labels | {kept[-1]: max(user.labels.values())},
        )

    return [few(user) for user in users]


@kind("ids that are numbers in the labels and text in the run", ITEM_IDS)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def numbers(user: User) -> User:
        labels: Any = {int(item): grade for item, grade in user.labels.items()}
        return replace(user, labels=labels)

    return [numbers(user) for user in users]


@kind("more ties than k", SCORES)
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    return [_scored(user, [1.0] * 4 + [0.5] * (len(user.scores) - 4)) for user in users]


@kind("grades that differ by 1e-9")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def close(user: User) -> User:
        steps = draw.permutation(len(user.labels)) * 1e-9
        return replace(user, labels={item: 1.0 + step for item, step in zip(user.labels, steps.tolist(), strict=True)})

    return [close(user) for user in users]


@kind("labels in another order")
def _(draw: Generator, users: Sequence[User]) -> Sequence[User]:
    def turned(user: User) -> User:
        place = {item: rank for rank, item in enumerate(user.ranking)}
        items = sorted(user.labels, key=lambda item: -place.get(item, -1))
        return replace(user, labels={item: user.labels[item] for item in items})

    return [turned(user) for user in users]
