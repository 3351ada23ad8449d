"""Recommenders that are named in protocols, and how they are called."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.addons.protocols.division import Split
from rankconv.basics.errors import InputError, RankconvError, likely, nearest
from rankconv.basics.optional import require
from rankconv.basics.plugins import load_copy
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import plain_id
from rankconv.rendering.pages.cells import plural

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Training:
    """Training ratings by place: users 0, 1, … and items by their place in `items`.

    `user`, `item` and `rating` have shape (ratings,).
    """

    items: Sequence[Any]
    """The ids of the catalogue, in the order of their text."""
    users: Sequence[Any]
    """The ids of those who train."""
    user: Codes
    item: Codes
    rating: Numbers

    @classmethod
    def of(cls, split: Split) -> "Training":
        """The training part of a split; ratings of items outside the catalogue are left out."""
        ratings, there = split.train, split.catalogue
        place = np.full(len(ratings.items), -1)
        place[there] = np.arange(len(there))
        kept = place[ratings.item] >= 0
        known, user = np.unique(ratings.user[kept], return_inverse=True)
        items, users = ratings.items.values[there].tolist(), ratings.users.values[known].tolist()
        return cls(items, users, user, place[ratings.item[kept]], ratings.rating[kept])

    @cached_property
    def place(self) -> dict[Any, int]:
        """The place of each item."""
        return {item: at for at, item in enumerate(self.items)}

    def places(self, items: Sequence[Any]) -> Codes:
        """The places of these items, shape (items known,); those that are not in the catalogue are left out."""
        return np.array([self.place[item] for item in items if item in self.place], np.int64)

    def vector(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """A user's ratings, 0 where there is none, shape (items,)."""
        found = np.zeros(len(self.items))
        for item, value in zip(items, values, strict=True):
            if item in self.place:
                found[self.place[item]] = value
        return found

    @cached_property
    def matrix(self) -> Any:
        """The ratings as a SciPy matrix, shape (users, items), compressed by rows; LibraryError without SciPy."""
        csr_matrix = require("scipy.sparse", "rankconv[stats]", "A matrix of ratings").csr_matrix
        return csr_matrix((self.rating, (self.user, self.item)), shape=(len(self.users), len(self.items)))

    def to_frame(self) -> "pl.DataFrame":
        """A polars frame of user, item and rating."""
        import polars as pl

        users, items = np.array(self.users, object)[self.user], np.array(self.items, object)[self.item]
        return pl.DataFrame({"user": users.tolist(), "item": items.tolist(), "rating": self.rating})


def best(scores: Numbers, n: int) -> Codes:
    """The places of the n highest scores, highest first, shape (n,); of equal ones the lower place; scores (items,)."""
    if n >= len(scores):
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    above, at = np.flatnonzero(scores > least), np.flatnonzero(scores == least)
    chosen = np.concatenate([above, at[: n - len(above)]])
    return chosen[np.lexsort((chosen, -scores[chosen]))]


class Scoring:
    """A recommender that scores all items for a user."""

    def __init__(self, training: Training) -> None:
        self.training = training

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """The score of each item for a user who gave these items these values, shape (items,)."""
        raise NotImplementedError

    def recommend(self, items: Sequence[Any], values: Sequence[float], n: int) -> tuple[list[Any], list[float]]:
        """The n items of the highest scores, with these; of equal ones the first by text."""
        scores = self.score(items, values)
        places = best(scores, n)
        return [self.training.items[place] for place in places], scores[places].tolist()


class Popularity(Scoring):
    """How many have rated the item: the same list for everybody."""

    @cached_property
    def _counts(self) -> Numbers:
        return np.bincount(self.training.item, minlength=len(self.training.items)).astype(np.float64)

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """Training ratings of each item, shape (items,)."""
        return self._counts


class ItemItem(Scoring):
    """Score items by the cosine of the users who rated both, whatever the ratings."""

    @cached_property
    def _lengthened(self) -> Any:
        rated = self.training.matrix.copy()
        rated.data = np.ones(len(rated.data))
        counts = np.asarray(rated.sum(axis=0)).ravel()
        scale = np.divide(1.0, np.sqrt(counts), out=np.zeros(len(counts)), where=counts > 0)
        return rated.multiply(scale[None, :]).tocsr()

    def score(self, items: Sequence[Any], values: Sequence[float]) -> Numbers:
        """The sum of the cosines with the user's items, shape (items,); rounded, so that equal ones are equal."""
        columns = self._lengthened
        liked = np.zeros(len(self.training.items))
        liked[self.training.places(items)] = 1.0
        return np.round(np.asarray(columns.T @ (columns @ liked)).ravel(), 9)


NAMED: dict[str, Callable[[Training], Any]] = {"popularity": Popularity, "item-item": ItemItem}


def name_of(source: Any) -> str:
    """What a recommender is called in tables: `als` of `my_models.py:als`."""
    if callable(source):
        return str(getattr(source, "__name__", type(source).__name__))
    return str(source).rpartition(":")[2]


def maker(source: Any) -> Callable[[Training], Any]:
    """What makes a recommender from training data; an InputError for a name or a file that has none."""
    if callable(source):
        found: Callable[[Training], Any] = source
        return found
    text = str(source)
    file, sign, name = text.rpartition(":")
    if sign and file.endswith(".py"):
        return _of_file(Path(file), name)
    if text not in NAMED:
        allowed = f"There are {', '.join(NAMED)}, and functions in files, written my_models.py:als"
        like = nearest(text, likely(text, NAMED))
        raise InputError(f"'{text:.100}' is no recommender", allowed=allowed, nearest=like)
    return NAMED[text]


def _of_file(file: Path, name: str) -> Callable[[Training], Any]:
    if not file.is_file():
        raise InputError(f"there is no file {file}", do="Name it as my_models.py:als, a function in a file.")
    there = {one: value for one, value in vars(load_copy(file, file)).items() if callable(value)}
    if name not in there:
        public = [one for one in there if not one.startswith("_")]
        wrong, allowed = f"there is no function '{name}'", f"There are: {', '.join(public)}" if public else ""
        raise InputError(wrong, where=str(file), allowed=allowed, nearest=nearest(name, public))
    made: Callable[[Training], Any] = there[name]
    return made


RAISES, UNKNOWN, REPEATED = "raises", "unknown item", "repeated item"
NAN, TOO_FEW, NO_LIST = "NaN score", "too few", "no list"


@dataclass(frozen=True)
class ListRequest:
    """What a user gave, how many items are wanted, and among which."""

    point: int
    items: Sequence[Any]
    values: Sequence[float]
    n: int
    """How many items are evaluated."""
    wanted: int
    """How many are requested: as many more as may be dropped."""
    allowed: frozenset[Any] | None
    """The candidates; None for the whole catalogue."""
    drop: bool
    """Whether the items given are taken out of the list."""


@dataclass(frozen=True)
class Answered:
    """The list that is evaluated, and what was wrong with it."""

    point: int
    items: tuple[Any, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    """Each kind, with what is said of it."""


class Recommender:
    """A recommender that has learned: what it returns is checked, cut, and what is no list of items is reported."""

    def __init__(self, source: Any, training: Training, name: str) -> None:
        """Learn from the training data; InputError where that raises, or makes nothing that recommends."""
        where = f"recommender {name}"
        self.catalogue = frozenset(training.items)
        try:
            model = maker(source)(training)
        except RankconvError:
            raise
        except Exception as problem:
            raise InputError(f"it cannot learn: {type(problem).__name__}: {problem}", where=where) from problem
        many = getattr(model, "recommend_many", None)
        self.at_once = callable(many)
        """Whether it takes several users at once: `recommend_many(histories, n)`, a list for each (items, values)."""
        self.recommend: Any = many if self.at_once else getattr(model, "recommend", model)
        if not callable(self.recommend):
            do = "Return an object with recommend(items, values, n), or such a function; or with recommend_many."
            raise InputError(f"{type(model).__name__} does not recommend", where=where, do=do)

    def lists(self, requests: Sequence[ListRequest]) -> list[Answered]:
        """The lists of several points; where one of several at once raises, each is requested alone."""
        if not self.at_once and len(requests) > 1:
            return [answered for one in requests for answered in self.lists([one])]
        histories = [(list(one.items), list(one.values)) for one in requests]
        most = max(one.wanted for one in requests)
        try:
            returned = list(self.recommend(histories, most)) if self.at_once else [self.recommend(*histories[0], most)]
        except Exception as problem:
            if len(requests) > 1:
                return [answered for one in requests for answered in self.lists([one])]
            said = f"it raised {type(problem).__name__}: {problem}"
            return [Answered(one.point, faults=((RAISES, said),)) for one in requests]
        if len(returned) != len(requests):
            said = f"it gave {len(returned)} lists for {len(requests)} users"
            return [Answered(one.point, faults=((NO_LIST, said),)) for one in requests]
        return [self._answered(one, each) for one, each in zip(requests, returned, strict=True)]

    def _answered(self, request: ListRequest, returned: Any) -> Answered:
        items, scores = returned if isinstance(returned, tuple) and len(returned) == 2 else (returned, None)
        try:
            ids = [plain_id(item) for item in (items.tolist() if hasattr(items, "tolist") else items)]
        except TypeError:
            said = f"it gave {type(items).__name__}, which is no list of items"
            return Answered(request.point, faults=((NO_LIST, said),))
        faults = self._faults(ids, scores)
        known = [item for item in dict.fromkeys(ids) if item in self.catalogue]
        if len(known) < request.wanted and not faults:
            said = f"it gave {plural(len(known), 'item')} of the {request.wanted:,} that were requested"
            faults.append((TOO_FEW, said))
        given = frozenset(request.items) if request.drop else frozenset()
        allowed = self.catalogue if request.allowed is None else request.allowed
        kept = [item for item in known if item not in given and item in allowed]
        return Answered(request.point, tuple(kept[: request.n]), tuple(faults))

    def _faults(self, ids: Sequence[Any], scores: Any) -> list[tuple[str, str]]:
        found = []
        odd = next((item for item in ids if item not in self.catalogue), None)
        if odd is not None:
            found.append((UNKNOWN, f"it gave {odd!r:.60}, which is no item of these ratings"))
        if len({*ids}) < len(ids):
            twice = next(item for at, item in enumerate(ids) if item in ids[:at])
            found.append((REPEATED, f"it gave {twice!r:.60} more than once"))
        unscored = [item for item, score in zip(ids, [] if scores is None else scores, strict=False) if score != score]
        if unscored:
            found.append((NAN, f"its score of {unscored[0]!r:.60} is NaN"))
        return found
