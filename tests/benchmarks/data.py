"""Who was shown what, and what was relevant: made up once with a fixed seed, kept in a folder, read by every peer.

Only NumPy is needed here, of any version: peers read these files in environments of their own.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
SEED = 7
CUTOFFS = (5, 10, 20)
BATCH = 20_000
"""So many users are given their lists at a time."""


@dataclass(frozen=True)
class Size:
    """How many users, items in each list, and items there are."""

    users: int
    length: int
    catalogue: int

    def __str__(self) -> str:
        """`1,000 users with lists of 100 from 10,000 items`."""
        return f"{self.users:,} users with lists of {self.length:,} from {self.catalogue:,} items"


SIZES = {
    "XS": Size(50, 30, 500),
    "S": Size(1_000, 100, 10_000),
    "M": Size(100_000, 100, 50_000),
    "D": Size(10_000, 1_000, 1_000_000),
    "L": Size(1_000_000, 50, 1_000_000),
}


@dataclass(frozen=True)
class Data:
    """Lists as rows of item numbers, best first, with falling scores; labels as CSR: all relevant, in no order."""

    folder: Path
    pred: Array
    """Shape (users, length)."""
    score: Array
    """The same shape; no two of a user are equal."""
    starts: Array
    items: Array
    """The relevant items of user `u` are `items[starts[u] : starts[u + 1]]`."""
    catalogue: int

    @property
    def users(self) -> int:
        """How many there are; they are numbered."""
        return len(self.pred)

    @property
    def label_users(self) -> Array:
        """The user of each label."""
        return np.repeat(np.arange(self.users), np.diff(self.starts))

    def first(self, users: int) -> "Data":
        """The same of the first users only."""
        starts = self.starts[: users + 1]
        return Data(
            self.folder, self.pred[:users], self.score[:users], starts, self.items[: starts[-1]], self.catalogue
        )


FILES = {"pred": "pred", "score": "score", "starts": "indptr", "items": "li"}
"""The file of each array."""


def load(folder: Path) -> Data:
    """What `make` has left in this folder."""
    arrays = {name: np.load(folder / f"{file}.npy") for name, file in FILES.items()}
    return Data(folder, **arrays, catalogue=SIZES[folder.name].catalogue)


def make(size: str, folder: Path) -> Path:
    """The folder of this size, filled where it is not there yet."""
    target = folder / size
    if not (target / "complete").exists():
        target.mkdir(parents=True, exist_ok=True)
        for name, array in generated(SIZES[size]).items():
            np.save(target / f"{FILES[name]}.npy", array)
        (target / "complete").touch()
    return target


def generated(size: Size) -> dict[str, Array]:
    """Few users with many labels and many with few; popular items come up often; hits crowd at the top."""
    rng = np.random.default_rng(SEED)
    counts = label_counts(rng, size)
    starts = np.concatenate([[0], np.cumsum(counts)])
    who = np.repeat(np.arange(size.users), counts)
    items = each_once(rng, who, popular(rng, len(who), size.catalogue, 0.8), size.catalogue)
    firsts = range(0, size.users, BATCH)
    pred = np.concatenate([lists(rng, size, starts[a : a + BATCH + 1], items) for a in firsts])
    names = rng.permutation(size.catalogue).astype(np.int32)
    return {"pred": names[pred], "score": scores(rng, size), "starts": starts, "items": names[items]}


def label_counts(rng: np.random.Generator, size: Size) -> Array:
    """Zipf's law with a mean of 20 labels and at most 1000: the median is 2."""
    values = np.arange(1, min(1000, size.catalogue // 4) + 1)
    low, high = 0.5, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        share = values**-middle / (values**-middle).sum()
        low, high = (middle, high) if (values * share).sum() > 20 else (low, middle)
    return rng.choice(values, size.users, p=share)


def popular(rng: np.random.Generator, count: int, catalogue: int, skew: float) -> Array:
    """Items by popularity: number 0 is the most popular."""
    rest = 1 - skew
    drawn = ((rng.random(count) * (catalogue**rest - 1) + 1) ** (1 / rest)).astype(np.int64) - 1
    return np.clip(drawn, 0, catalogue - 1)


def each_once(rng: np.random.Generator, who: Array, items: Array, catalogue: int, kept: Array | None = None) -> Array:
    """The same items, where those that a user has already are drawn anew; a kept row is never the one that yields."""
    key = who * catalogue + items
    yields = np.zeros(len(key), bool) if kept is None else ~kept
    while True:
        order = np.lexsort((yields, key))
        again = order[1:][key[order[1:]] == key[order[:-1]]]
        if not len(again):
            return key % catalogue
        key[again] = who[again] * catalogue + rng.integers(0, catalogue, len(again))


def lists(rng: np.random.Generator, size: Size, starts: Array, items: Array) -> Array:
    """Lists of popular items, in which a user's own labels take places, the more the nearer to the top."""
    counts = np.diff(starts)
    shape = (len(counts), size.length)
    chance = 0.675 * size.length / np.sqrt(np.arange(size.length) + 1.0)
    chance = np.minimum(chance / (1 / np.sqrt(np.arange(size.length) + 1.0)).sum(), 0.9)
    wanted = rng.random(shape) < chance
    nth = np.cumsum(wanted, axis=1) - 1
    row, column = np.nonzero(wanted & (nth < counts[:, None]))
    shift = rng.integers(0, 1 << 30, len(counts))
    filled = popular(rng, shape[0] * shape[1], size.catalogue, 0.6).reshape(shape)
    filled[row, column] = items[starts[row] + (nth[row, column] + shift[row]) % counts[row]]
    kept = np.zeros(shape, bool)
    kept[row, column] = True
    who = np.repeat(np.arange(shape[0]), size.length)
    return each_once(rng, who, filled.ravel(), size.catalogue, kept.ravel()).reshape(shape)


def scores(rng: np.random.Generator, size: Size) -> Array:
    """Falling, and all different, also in single precision."""
    within = np.sort(rng.random((size.users, size.length), np.float32), axis=1)[:, ::-1]
    steps = size.length - np.arange(size.length, dtype=np.float32)
    return (steps + within / 2).astype(np.float32)
