"""Cases at random in which definitions come apart: ties, repeated items, users without a list or without labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rankconv.verification.adapter import Takes
from rankconv.verification.cases import Case, User

SCORES = ("distinct", "tied", "signed", "close", "constant", "unsorted", "wide")
"""How the scores of a case are made."""
GRADES = {
    "binary": (1.0, 1.0, 0.0),
    "graded": (0.0, 1.0, 2.0, 3.0, 4.0),
    "negative": (-1.0, 0.0, 1.0, 2.0),
    "fractional": (0.25, 0.5, 1.0, 1.75, 2.5),
    "losses": (-2.0, -1.0, -1.0, 0.0, 1.0),
    "fractional losses": (-1.5, -0.5, 0.0, 0.5, 1.0),
    "high": (0.0, 1.0, 5.0, 12.0),
}
"""What the grades of a case are drawn from."""
SIDES = {
    "": ("both",),
    "empty users": ("both", "labels", "list", "neither"),
    "nobody on both sides": ("labels", "list"),
}
"""What the users of a case may have, by what is said of the case."""
LENGTHS = (1, 2, 3, 4, 6, 9, 12, 20)


@dataclass(frozen=True)
class Kind:
    """What all users of a case have in common."""

    grades: str
    scores: str
    sides: str
    repeats: bool
    longest: int
    """Rows of a list, at most."""

    @property
    def said(self) -> str:
        """The kind in words."""
        return ", ".join(filter(None, (self.grades, self.scores, self.sides, "repeated items" if self.repeats else "")))


def random_cases(number: int, seed: int, takes: Takes) -> Iterator[Case]:
    """Which cases shall a library be held against? The same ones for the same seed.

    Kinds of scores and grades take turns, and every third case has users without a list or labels; so a few cases
    hold every difficulty that the library can be handed.

    >>> [case] = random_cases(1, 0, Takes())
    >>> case.name, len(case.users) > 1
    ('random 0: binary, distinct', True)
    """
    for place in range(number):
        draw, kind = np.random.default_rng([seed, place]), _kind(place, takes)
        users = tuple(_user(draw, f"u{turn}", kind) for turn in range(draw.integers(2, 8)))
        yield Case(f"random {place}: {kind.said}", users)


def _kind(place: int, takes: Takes) -> Kind:
    grades = takes.grades[place % len(takes.grades)]
    scores = SCORES[(place // len(takes.grades) + place) % len(SCORES)]
    sides = "" if place % 3 < 2 else "nobody on both sides" if place % 12 == 11 else "empty users"
    return Kind(grades, scores, sides, takes.duplicates and place % 5 == 3, takes.longest)


def _user(draw: Generator, name: str, kind: Kind) -> User:
    length = min(int(draw.choice(LENGTHS)), kind.longest)
    pool = [str(item) for item in draw.permutation(3 * length)]  # text like 9 and 10, which orders otherwise than 9, 10
    ranking = [pool[place] for place in draw.integers(0, length, length)] if kind.repeats else pool[:length]
    judged = [str(item) for item in draw.permutation(pool)[: draw.integers(1, len(pool) + 1)]]
    labels = dict(zip(judged, draw.choice(GRADES[kind.grades], len(judged)).tolist(), strict=True))
    has = draw.choice(SIDES[kind.sides])
    if has in ("labels", "neither"):
        ranking = []
    if has in ("list", "neither"):
        labels = {}
    return User(name, tuple(ranking), tuple(_scores(draw, kind.scores, len(ranking)).tolist()), labels)


def _scores(draw: Generator, kind: str, length: int) -> NDArray[Any]:
    """Scores of a list, shape (length,), falling unless they are unsorted."""
    made: NDArray[Any]
    if kind == "tied":
        made = draw.integers(1, 4, length) / 4
    elif kind == "constant":
        made = np.full(length, 0.5)
    elif kind == "close":
        made = 0.5 + draw.permutation(length) * 1e-10  # equal in single precision
    elif kind == "signed":
        made = draw.integers(-9, 10, length) / 4
    elif kind == "wide":
        made = draw.choice([-1.0, 1.0], length) * 10.0 ** draw.integers(-60, 60, length)  # 0 and infinite in single
    else:
        made = draw.permutation(length) / 8 + 0.125
    return made if kind == "unsorted" else np.sort(made)[::-1]
