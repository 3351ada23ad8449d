"""Ratings divided by a protocol: what trains, what tunes, what is given, what is to be found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.data.ids import quoted
from rankconv.errors import InputError
from rankconv.pages.cells import plural
from rankconv.protocols.division import Division, Points, points_of
from rankconv.protocols.draws import PROTOCOL, STEPS, Draws, occurrences
from rankconv.protocols.protocol import StatedProtocol
from rankconv.protocols.ratings import Ratings, columns_of_codes, ratings
from rankconv.specs.parameters import Setting

if TYPE_CHECKING:
    import polars as pl


def _of_points(split: Division, part: str) -> "pl.DataFrame":
    """What is given, or what is to be found, row by row; of numbers given that are nested, only the last."""
    import polars as pl

    points = np.arange(len(split.points))
    if part == "given":
        points = _deepest(split) if split.nested else points
        rows = [split.points.inputs_of(int(point)) for point in points]
        fields = {"item": None, "rating": split.ratings.rating}
    else:
        rows = [split.points.targets_of(int(point)) for point in points]
        fields = {"item": None, "grade": split.points.grade}
    sizes, joined = [len(one) for one in rows], np.concatenate([np.empty(0, np.int64), *rows])
    key = _keys(split, np.repeat(points, sizes), given=split.nested and part == "labels")
    if part == "given" and split.nested:
        key["place"] = np.concatenate([np.empty(0, np.int64), *(np.arange(1, size + 1) for size in sizes)])
    columns = {**key, **columns_of_codes("item", split.ratings.items, split.ratings.item[joined])}
    return pl.DataFrame({**columns, **{name: value[joined] for name, value in fields.items() if value is not None}})


def _deepest(split: Division) -> Codes:
    """Of each user the point at which most is given, shape (users chosen,)."""
    user = split.points.user
    return np.flatnonzero(np.append(user[1:] != user[:-1], True))


def _keys(split: Division, points: Codes, *, given: bool) -> dict[str, Any]:
    """The columns that say which point it is, for points of shape (rows,)."""
    columns: dict[str, Any] = dict(columns_of_codes("user", split.ratings.users, split.points.user[points]))
    if given:
        columns["given"] = split.points.given[points]
    if (split.points.case >= 0).any():
        columns |= columns_of_codes("case", split.ratings.items, split.ratings.item[split.points.case[points]])
    return columns


def _candidates(split: Division) -> "pl.DataFrame":
    import polars as pl

    each = [split.candidates_of(point) for point in range(len(split.points))]
    key = _keys(split, np.repeat(np.arange(len(each)), [len(one) for one in each]), given=split.nested)
    return pl.DataFrame({**key, **columns_of_codes("item", split.ratings.items, np.concatenate(each))})


NEVER = np.iinfo(np.int64).max


class Split(Division):
    """What trains, what tunes, what is given, and what is to be found.

    `train` and `validation` are `Ratings`; `labels` and `seen` are what `rc.evaluate` takes, with one user for each
    point: the user's id, or (user, given) where a user is evaluated several times, or (user, item) where
    each hidden rating is a case. `trains`, `tunes` and `hidden` have shape (rows,), for the rows of `ratings`.
    """

    def to_frames(self) -> "dict[str, pl.DataFrame]":
        """All parts as polars frames by name: train, given, labels, and validation and candidates if there are any.

        Each row of given, labels and candidates has the key of its point.
        """
        given, labels = _of_points(self, "given"), _of_points(self, "labels")
        found = {"train": self.train.to_frame(), "given": given, "labels": labels}
        if len(self.validation):
            found["validation"] = self.validation.to_frame()
        if not self.protocol.settings.settings["candidates"].trait("whole"):
            found["candidates"] = _candidates(self)
        return found


class Protocol(StatedProtocol):
    """One setting of each convention of `rankconv list protocols --all`, and what its source says of it.

    >>> import rankconv as rc
    >>> from rankconv import protocols
    >>> rc.protocol("fastml").replace(given="nested(20)").diff(rc.protocol("fastml"))
    {'given': ('nested(20)', 'nested(199)')}
    """

    def split(self, ratings: Any, seed: int = 0, **columns: str) -> Split:
        """Split ratings into training data, given ratings and labels. Takes what `Ratings` takes.

        A part hangs on the seed and on the user alone, whoever else there is and in whatever order the rows come. Times
        that were read decide; ratings of a user with one time are by item id, then by rating. Without times the order
        of rows decides where the protocol goes by an order that is not drawn; `sentence` says so.
        Raises InputError for data that the protocol cannot divide: no times, ratings given twice, nobody to test.

        >>> import rankconv as rc
        >>> split = rc.protocol("base").split({"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "z": 2}})
        >>> split.labels.rows_of("ada"), len(split.train)
        ({'y': 5.0}, 2)
        """
        return split(self, ratings, seed, columns)


def split(
    protocol: StatedProtocol,
    data: Any,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    draws: Draws | None = None,
) -> Split:
    """The parts of these ratings; `draws` takes the place of chance, as where another program has drawn already."""
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InputError(f"seed={seed!r:.100} is no seed", allowed="A whole number from 0 on")
    table = ratings(data, **dict(columns or {}))
    return _Splitting(protocol, table, draws or Draws(seed)).split(seed)


class _Splitting:
    """One division on its way: each setting of the protocol is carried out in turn."""

    def __init__(self, protocol: StatedProtocol, table: Ratings, draws: Draws) -> None:
        self.protocol, self.draws, self.source = protocol, draws, table.source
        self.settings: Mapping[str, Setting] = protocol.settings.settings
        self._check_times(table)
        table = table.ordered(rows=True)
        kept = self._once(table)
        decides = self._order_decides() or not kept.all()
        self.by_rows, self.tied = decides and table.time is None, table.tied if decides else 0
        self.ratings = self._used(table.take(np.flatnonzero(kept))).ordered(rows=self.by_rows)
        self.counts = self.ratings.counts

    def split(self, seed: int) -> Split:
        """All parts, checked that something is learned from and something looked for."""
        ratings, owner = self.ratings, self.ratings.user
        few, tested = self._users()
        place = self._places()
        hidden = self._held_out(place) & tested[owner]
        tuning = self._tuning(place, hidden) & tested[owner] & ~hidden
        rest = bool(self.settings["held-out"].trait("rest"))
        train = self.settings["generalization"](tested=tested[owner], hidden=hidden | tuning)
        if not self.settings["too-few"]():
            train = train & ~few[owner]
        if not train.any():
            do = "Test fewer users, or hide fewer ratings."
            raise InputError("no rating is left to learn from", where=self.source, do=do)
        known_users = np.zeros(len(ratings.users), bool)
        known_users[owner[train]] = True
        tested = tested & self.settings["cold-users"](known=known_users)
        found = hidden & tested[owner] & self._looked_for(train)
        given = tested[owner] & (~tuning if rest else ~(hidden | tuning))
        points = self._points(tested, place, given, found, rest)
        parts = (train, tuning, hidden, points)
        return Split(self.protocol, seed, ratings, *parts, self.draws, self.by_rows, self.tied)

    # which ratings, which users

    def _check_times(self, table: Ratings) -> None:
        for convention_name, setting in self.settings.items():
            if setting.trait("times") and table.time is None:
                raise InputError(
                    f"{convention_name}={setting.text} needs times, and there is not a column of times",
                    where=table.source,
                    do="Name it: time='column'",
                    shell="Name it: --column time=NAME",
                )

    def _order_decides(self) -> bool:
        """Whether the order of a user's ratings that is no draw decides what is in which part."""
        settings = self.settings
        reads = [settings[one].reads for one in ("held-out", "validation") if not settings[one].changes_nothing]
        used = any("place" in one for one in reads) or settings["given"].trait("parts")
        of_plugins = any("place" in settings[name].reads for name in STEPS if not self._is_neutral(name))
        return bool(used and {"place", "time"} & {*settings["order"].reads}) or of_plugins

    def _is_neutral(self, name: str) -> bool:
        return self.settings[name].text == PROTOCOL[name].neutral

    def _once(self, table: Ratings) -> Mask:
        """The ratings that count of those that a user gave an item, shape (rows,)."""
        before = occurrences(table.user, table.item, table.place)
        pair = table.user * len(table.items) + table.item
        _, which, times = np.unique(pair, return_inverse=True, return_counts=True)
        setting = self.settings["repeated"]
        if setting.trait("refuses"):
            twins = np.flatnonzero(before)
            for row in twins[np.lexsort((table.items.text_rank[table.item[twins]], table.user[twins]))][:1]:
                user, item = table.users.id(table.user[row]), table.items.id(table.item[row])
                wrong = f"user {quoted(user)} has {times[which[row]]} ratings of item {quoted(item)}"
                do = "Say what they are: repeated=last, first or each."
                raise InputError(wrong, where=table.source, allowed=f"repeated={setting.text}", do=do)
        return np.asarray(setting(before=before, after=times[which] - 1 - before))

    def _used(self, table: Ratings) -> Ratings:
        """The ratings that the conventions of plugins leave, one convention after another."""
        for name in STEPS:
            setting = self.settings[name]
            if self._is_neutral(name):
                continue
            kept = setting(
                rating=table.rating,
                time=np.zeros(len(table)) if table.time is None else table.time,
                place=table.place,
                count=table.counts[table.user],
                item_count=np.bincount(table.item, minlength=len(table.items))[table.item],
                draw=self.draws.of_ratings(table, name),
            )
            table = table.take(np.flatnonzero(kept))
            if not len(table):
                raise InputError(f"no rating is left by {name}={setting.text}", where=self.source, do="Leave more.")
        return table

    def _users(self) -> tuple[Mask, Mask]:
        """Who has too few ratings, and who is tested, both of shape (users,)."""
        least, few_setting = self.settings["least-ratings"](), self.settings["too-few"]
        few = self.counts < least
        if few_setting.trait("refuses") and few.any():
            user = int(np.argmax(few))
            who = quoted(self.ratings.users.id(user))
            wrong = f"user {who} has {plural(int(self.counts[user]), 'rating')}, and {least:g} are the least"
            raise InputError(wrong, where=self.source, do="Leave such users out, or say too-few=trains or left-out.")
        tested = self.settings["tested"](draw=self.draws.of_users(self.ratings, "tested"), eligible=~few)
        wanted = self.settings["tested"].keywords.get("of")
        if isinstance(wanted, int) and self.settings["tested"].setting_type.name == "number" and wanted > np.sum(~few):
            wrong = f"tested={self.settings['tested'].text}, and only {np.sum(~few):,} users have "
            wrong += f"{least:g} ratings or more"
            raise InputError(wrong, where=self.source, do="Test fewer, or a share of them: tested=share(0.2).")
        if not tested.any():
            most = int(self.counts.max(initial=0))
            wrong = f"no user is tested: of {len(few):,} users {np.sum(~few):,} have {least:g} ratings or more"
            none = f", and tested={self.settings['tested'].text} takes none"
            wrong += f", the most are {most:,}" if few.all() else none
            raise InputError(wrong, where=self.source, do="Ask for fewer ratings, or test more users.")
        return few, tested

    # the order of a user's ratings, and which of them are hidden

    def _draw(self, purpose: str) -> Numbers:
        return self.draws.of_ratings(self.ratings, purpose)

    def _places(self) -> Codes:
        """The place of each rating in its user's order, from 0, shape (rows,)."""
        ratings = self.ratings
        time = np.zeros(len(ratings)) if ratings.time is None else ratings.time
        key = self.settings["order"](draw=self._draw("order"), time=time, place=ratings.place)
        order = np.lexsort((ratings.place, key, ratings.user))
        place = np.empty(len(ratings), np.int64)
        place[order] = within(ratings.user[order])
        return place

    def _held_out(self, place: Codes) -> Mask:
        ratings = self.ratings
        time = np.zeros(len(ratings)) if ratings.time is None else ratings.time
        hidden: Mask = self.settings["held-out"](
            place=place,
            count=self.counts[ratings.user],
            draw=self._draw("held-out"),
            time=time,
            last=np.full(len(ratings), time.max()),
        )
        return hidden

    def _tuning(self, place: Codes, hidden: Mask) -> Mask:
        """What is kept separately to tune, of what is not hidden, shape (rows,)."""
        user = self.ratings.user
        order = np.lexsort((place, ~hidden, user))  # the hidden ones of a user come first, the others keep their order
        moved = np.empty(len(place), np.int64)
        moved[order] = within(user[order])
        left = np.bincount(user, weights=~hidden, minlength=len(self.counts)).astype(np.int64)[user]
        found: Mask = self.settings["validation"](place=moved, count=self.counts[user], left=left)
        return found

    def _looked_for(self, train: Mask) -> Mask:
        """Which ratings may be labels, were they hidden, shape (rows,)."""
        ratings = self.ratings
        items = np.zeros(len(ratings.items), bool)
        items[ratings.item[train]] = True
        pair = ratings.user * len(ratings.items) + ratings.item
        known = np.isin(pair, pair[train])
        return np.asarray(
            self.settings["looked-for"](ratings=ratings.rating)
            & self.settings["cold-items"](known=items[ratings.item])
            & self.settings["again"](known=known)
        )

    # each evaluation of a user

    def _points(self, tested: Mask, place: Codes, given: Mask, found: Mask, rest: bool) -> Points:
        grade = self.settings["relevance"](ratings=self.ratings.rating)
        until = place if rest else np.full(len(place), NEVER)
        made = points_of(self.ratings, tested, place, given, found, until, grade, self.settings)
        if not len(made):
            raise self._nobody(tested, found, given)
        return made

    def _nobody(self, tested: Mask, found: Mask, given: Mask) -> InputError:
        """Why no user can be evaluated; masks have shape (rows,), `tested` (users,)."""
        table = self.settings["given"]
        most = int(np.bincount(self.ratings.user[given], minlength=1).max()) if given.any() else 0
        if not found.any():
            held_out = self.settings["held-out"].text
            wrong = f"nothing is to be found of {np.sum(tested):,} tested users (held-out={held_out})"
        elif table.trait("parts"):
            wrong = f"given={table.text} is beyond all users: the most that can be given is {most:,}"
            wrong += ", one of them to be found"
        else:
            relevance = self.settings["relevance"].text
            wrong = f"no tested user has a rating to be found that is relevant (relevance={relevance})"
        return InputError(wrong, where=self.source, do="Hold out more, or require less.")
