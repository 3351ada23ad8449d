"""The parts into which a protocol divided ratings, and each evaluation of a tested user: after so many ratings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.addons.protocols.draws import Draws
from rankconv.addons.protocols.protocol import StatedProtocol
from rankconv.addons.protocols.protocol_traits import ProtocolTraits
from rankconv.addons.protocols.ratings import Ratings, columns_of_codes
from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes, FrozenArrays, Mask, Numbers, take_ownership
from rankconv.data.ids import Ids, make_ids, parts_as_tuple, quoted
from rankconv.data.labels_and_rankings import Labels
from rankconv.rendering.pages.cells import plural

if TYPE_CHECKING:
    import polars as pl


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


@dataclass(frozen=True, eq=False)
class Split(FrozenArrays):
    """What trains, what tunes, what is given, and what is to be found.

    `train` and `validation` are `Ratings`; `labels` and `seen` are what `rc.evaluate` takes, with one user for each
    point: the user's id, or (user, given) where a user is evaluated several times, or (user, item) where
    each hidden rating is a case. `trains`, `tunes` and `hidden` have shape (rows,), for the rows of `ratings`.
    """

    protocol: StatedProtocol
    seed: int
    ratings: Ratings
    """Those that count."""
    trains: Mask = field(repr=False)
    tunes: Mask = field(repr=False)
    hidden: Mask = field(repr=False)
    points: Points = field(repr=False)
    draws: Draws = field(repr=False)
    by_rows: bool = False
    """Whether the order of rows decided something, as no times were read."""
    tied: int = 0
    """How many ratings were put in order by item id and rating, as another one of their user has their time."""

    @cached_property
    def train(self) -> Ratings:
        """What a model learns from."""
        return self.ratings.take(np.flatnonzero(self.trains))

    @cached_property
    def validation(self) -> Ratings:
        """What is kept separately to tune a model."""
        return self.ratings.take(np.flatnonzero(self.tunes))

    @cached_property
    def catalogue(self) -> Codes:
        """The items that can be recommended, as codes in the order of their text, shape (items there,)."""
        known = np.zeros(len(self.ratings.items), bool)
        known[self.ratings.item[self.trains]] = True
        found = np.flatnonzero(self.protocol.settings.settings["items"](known=known))
        return found[np.argsort(self.ratings.items.text_rank[found])]

    @property
    def drops_given(self) -> bool:
        """Whether the items given are taken out of lists."""
        return bool(self.protocol.settings.settings["seen"]())

    @property
    def nested(self) -> bool:
        """Whether users are evaluated after several numbers of ratings."""
        return ProtocolTraits.of(self.protocol.settings.settings["given"]).nested

    @cached_property
    def keys(self) -> Ids:
        """The key of each point."""
        points, users, items = self.points, self.ratings.users.values, self.ratings.items.values
        columns = [users[points.user].tolist()]
        if self.nested:
            columns.append(points.given.tolist())
        if (points.case >= 0).any():
            columns.append(items[self.ratings.item[points.case]].tolist())
        if len(columns) == 1:
            return make_ids(columns[0], "user")
        parts = ([parts_as_tuple(one) for one in column] for column in columns)
        return make_ids([sum(one, ()) for one in zip(*parts, strict=True)], "user")

    def labels_of(self, points: Codes) -> Labels:
        """What is to be found at these points, shape (points chosen,)."""
        users = Ids(take_ownership(self.keys.values[points]), self.keys.kind)
        return self._labels(users, self._rows(points, self.points.targets_of), self.points.grade, "the hidden ratings")

    @cached_property
    def labels(self) -> Labels:
        """What is to be found, for `rc.evaluate` and every other convention."""
        return self.labels_of(np.arange(len(self.points)))

    @cached_property
    def seen(self) -> Labels:
        """What is given, for `seen=`: the same users as those of the labels."""
        rows = self._rows(np.arange(len(self.points)), self.points.inputs_of)
        return self._labels(self.keys, rows, self.ratings.rating, "the ratings given")

    @staticmethod
    def _rows(points: Codes, rows_of: Callable[[int], Codes]) -> tuple[Codes, Codes]:
        """The rows of some points, one point after the other, shape (rows,), and where each begins, (points + 1,)."""
        rows = [rows_of(point) for point in points.tolist()]
        return np.concatenate([np.empty(0, np.int64), *rows]), np.append(0, np.cumsum([len(one) for one in rows]))

    def _labels(self, users: Ids, rows: tuple[Codes, Codes], grade: Numbers, source: str) -> Labels:
        """The rows of these users, with their grades; `grade` has shape (ratings,)."""
        which, starts = rows
        item, grades = take_ownership(self.ratings.item[which]), take_ownership(grade[which])
        return Labels(users, self.ratings.items, take_ownership(starts.astype(np.int64)), item, grades, source=source)

    def candidates_of(self, point: int) -> Codes:
        """The items among which is to be found, as codes, shape (candidates,), without those given and dropped.

        InputError where none is left.
        """
        setting = self.protocol.settings.settings["candidates"]
        user, there = self.points.user[point], self.catalogue
        rows = np.arange(self.ratings.starts[user], self.ratings.starts[user + 1])
        given, hidden, rated = map(self._marked, (self.points.inputs_of(point), self.points.targets_of(point), rows))
        chosen = there
        if not ProtocolTraits.of(setting).whole_catalogue:
            marks = {"hidden": hidden[there], "rated": rated[there], "given": given[there]}
            draw = self._draw(point) if ProtocolTraits.of(setting).samples else np.zeros(len(there))
            chosen = there[setting(**marks, popularity=self._popularity, draw=draw)]
        left = chosen[~(given & ~hidden)[chosen]] if self.drops_given else chosen
        if not len(left):
            key = self.keys.id(point)
            raise InputError(f"no item is left for {quoted(key)}", do="Give fewer ratings, or take more candidates.")
        return left

    def _marked(self, rows: Codes) -> Mask:
        """Which items these rows are of, shape (items,)."""
        found = np.zeros(len(self.ratings.items), bool)
        found[self.ratings.item[rows]] = True
        return found

    @cached_property
    def _popularity(self) -> Codes:
        """Training ratings of each item of the catalogue, shape (items there,)."""
        return np.bincount(self.ratings.item[self.trains], minlength=len(self.ratings.items))[self.catalogue]

    def _draw(self, point: int) -> Numbers:
        """A draw for each item of the catalogue, shape (items there,): of this user, and of this case."""
        user, case = self.ratings.users.id(int(self.points.user[point])), int(self.points.case[point])
        parts = [user] if case < 0 else [user, self.ratings.items.id(int(self.ratings.item[case]))]
        return self.draws.of_items(self.ratings.items, "candidates", *parts)[self.catalogue]

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name this very split: protocol, seed, ratings, and times; or the order of rows if it decided."""
        digest = blake2b(f"{self.protocol.fingerprint} {self.seed}".encode(), digest_size=8)
        ratings = self.ratings
        owner, item = ratings.users.text_rank[ratings.user], ratings.items.text_rank[ratings.item]
        moments: list[Codes | Numbers] = [ratings.place] if self.by_rows else []
        if ratings.time is not None:
            moments = [ratings.time]
        order = np.lexsort((*moments, ratings.rating, item, owner))
        for part in (owner, item, ratings.rating, *moments):
            digest.update(np.ascontiguousarray(part[order]).tobytes())
        for ids in (self.ratings.users, self.ratings.items):
            digest.update("\n".join(sorted(map(str, ids.values.tolist()))).encode())
        return digest.hexdigest()

    @property
    def sentence(self) -> str:
        """What a paper says of it: the protocol, the seed, and how much there is in each part."""
        tested = len(np.unique(self.points.user))
        there = f"{len(self.ratings):,} ratings by {np.count_nonzero(self.ratings.counts):,} users"
        users = "1 user is" if tested == 1 else f"{tested:,} users are"
        parts = f"{len(self.train):,} train, {users} tested, evaluated {plural(len(self.points), 'time')}"
        tuned = f", {len(self.validation):,} tune" if len(self.validation) else ""
        named = f"{parts}{tuned} (seed {self.seed}, split {self.fingerprint})."
        return " ".join(filter(None, [self.protocol.sentence, f"Of {there}, {named}", self._order]))

    @property
    def _order(self) -> str:
        """What put ratings in order where their times do not."""
        if self.by_rows:
            return "No times were read: the order of rows decides."
        if self.tied:
            ratings = plural(self.tied, "rating")
            return f"{ratings} with the time of another one of their user: the item id, then the rating, decides."
        return ""

    def __repr__(self) -> str:
        tested = len(np.unique(self.points.user))
        return f"Split({self.protocol.text}, seed {self.seed}: {len(self.train):,} train, {tested:,} users tested)"

    def to_frames(self) -> "dict[str, pl.DataFrame]":
        """All parts as polars frames by name: train, given, labels, and validation and candidates if there are any.

        Each row of given, labels and candidates has the key of its point. Of numbers given that are nested, `given`
        has the last one only.
        """
        import polars as pl

        every, points, items = np.arange(len(self.points)), self.points, self.ratings.items
        deepest = np.flatnonzero(np.append(points.user[1:] != points.user[:-1], True)) if self.nested else every
        given, given_starts = self._rows(deepest, points.inputs_of)
        found, found_starts = self._rows(every, points.targets_of)
        keys = self._key_columns(np.repeat(deepest, np.diff(given_starts)), nested=False)
        if self.nested:
            keys["place"] = np.arange(1, len(given) + 1) - np.repeat(given_starts[:-1], np.diff(given_starts))
        keys |= columns_of_codes("item", items, self.ratings.item[given])
        labels = self._key_columns(np.repeat(every, np.diff(found_starts)), nested=self.nested)
        labels |= columns_of_codes("item", items, self.ratings.item[found])
        frames = {
            "train": self.train.to_frame(),
            "given": pl.DataFrame({**keys, "rating": self.ratings.rating[given]}),
            "labels": pl.DataFrame({**labels, "grade": points.grade[found]}),
        }
        if len(self.validation):
            frames["validation"] = self.validation.to_frame()
        if not ProtocolTraits.of(self.protocol.settings.settings["candidates"]).whole_catalogue:
            item, starts = self._rows(every, self.candidates_of)
            candidates = self._key_columns(np.repeat(every, np.diff(starts)), nested=self.nested)
            frames["candidates"] = pl.DataFrame({**candidates, **columns_of_codes("item", items, item)})
        return frames

    def _key_columns(self, points: Codes, *, nested: bool) -> dict[str, Any]:
        """The columns that say which point it is, for points of shape (rows,)."""
        columns: dict[str, Any] = dict(columns_of_codes("user", self.ratings.users, self.points.user[points]))
        if nested:
            columns["given"] = self.points.given[points]
        if (self.points.case >= 0).any():
            columns |= columns_of_codes("case", self.ratings.items, self.ratings.item[self.points.case[points]])
        return columns
