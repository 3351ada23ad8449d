"""Ratings divided by a protocol: what trains, what tunes, what is given, what is to be found."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rankconv.addons.protocols.division import Points, Split
from rankconv.addons.protocols.draws import PROTOCOL, STEPS, Draws, occurrences
from rankconv.addons.protocols.protocol import StatedProtocol
from rankconv.addons.protocols.protocol_traits import ProtocolTraits
from rankconv.addons.protocols.ratings import Ratings, ratings
from rankconv.basics.errors import InputError
from rankconv.conventions.parameters import Setting
from rankconv.data.arrays import Codes, Mask, within
from rankconv.data.ids import quoted
from rankconv.rendering.pages.cells import plural

REQUIRE = ("looked-for", "cold-items", "again", "cold-users")
"""The conventions that leave hidden ratings out of the labels."""
NEVER = np.iinfo(np.int64).max
"""As many ratings as are never given."""


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
        self.time = np.zeros(len(self.ratings)) if self.ratings.time is None else self.ratings.time

    def split(self, seed: int) -> Split:
        """All parts, checked that something is learned from and something looked for."""
        ratings, owner = self.ratings, self.ratings.user
        few, tested = self._users()
        place = self._places()
        hidden = self._held_out(place) & tested[owner]
        tuning = self._tuning(place, hidden) & tested[owner] & ~hidden
        train = self.settings["generalization"](tested=tested[owner], hidden=hidden | tuning)
        learned = train if self.settings["too-few"]() else train & ~few[owner]
        if not learned.any():
            hides = not ProtocolTraits.of(self.settings["generalization"]).no_overlap
            do = "Take too-few=trains" if train.any() else "Test fewer users" + ", or hide fewer ratings" * hides
            raise InputError("no rating is left to learn from", where=self.source, do=do)
        train = learned
        known_users = np.zeros(len(ratings.users), bool)
        known_users[owner[train]] = True
        tested = tested & self.settings["cold-users"](known=known_users)
        found = hidden & tested[owner] & self._looked_for(train)
        given = tested[owner] & ~tuning & (self.rest | ~hidden)
        parts = (train, tuning, hidden, self._points(tested, place, given, found))
        return Split(self.protocol, seed, ratings, *parts, self.draws, self.by_rows, self.tied)

    @property
    def rest(self) -> bool:
        """Whether all that is not given is to be found."""
        return ProtocolTraits.of(self.settings["held-out"]).rest

    # which ratings, which users

    def _check_times(self, table: Ratings) -> None:
        for convention_name, setting in self.settings.items():
            if ProtocolTraits.of(setting).needs_times and table.time is None:
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
        used = any("place" in one for one in reads) or ProtocolTraits.of(settings["given"]).gives_first
        of_plugins = any("place" in settings[name].reads for name in self._steps())
        return bool(used and {"place", "time"} & {*settings["order"].reads}) or of_plugins

    def _steps(self) -> list[str]:
        """The conventions of plugins that change something."""
        return [name for name in STEPS if self.settings[name].text != PROTOCOL[name].neutral]

    def _once(self, table: Ratings) -> Mask:
        """The ratings that count of those that a user gave an item, shape (rows,)."""
        before = occurrences(table.user, table.item, table.place)
        pair = table.user * len(table.items) + table.item
        _, which, times = np.unique(pair, return_inverse=True, return_counts=True)
        setting = self.settings["repeated"]
        if ProtocolTraits.of(setting).is_error and before.any():
            twins = np.flatnonzero(before)
            row = twins[np.lexsort((table.items.text_rank[table.item[twins]], table.user[twins]))[0]]
            user, item = table.users.id(table.user[row]), table.items.id(table.item[row])
            wrong = f"user {quoted(user)} has {times[which[row]]} ratings of item {quoted(item)}"
            wrong += f", and repeated={setting.text}"
            raise InputError(wrong, where=table.source, do="Say what they are: repeated=last, first or each.")
        return np.asarray(setting(before=before, after=times[which] - 1 - before))

    def _used(self, table: Ratings) -> Ratings:
        """The ratings that the conventions of plugins leave, one convention after another."""
        for name in self._steps():
            setting = self.settings[name]
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
                do = f"Leave more, or take {name}={PROTOCOL[name].neutral}."
                raise InputError(f"no rating is left by {name}={setting.text}", where=self.source, do=do)
        return table

    def _users(self) -> tuple[Mask, Mask]:
        """Who has too few ratings, and who is tested, both of shape (users,)."""
        least, testing = self.settings["least-ratings"](), self.settings["tested"]
        few = self.counts < least
        enough = int(np.sum(~few))
        if ProtocolTraits.of(self.settings["too-few"]).is_error and few.any():
            user = int(np.argmax(few))
            who = quoted(self.ratings.users.id(user))
            wrong = f"user {who} has {plural(int(self.counts[user]), 'rating')}, and {least:g} are the least"
            raise InputError(wrong, where=self.source, do="Leave such users out, or say too-few=trains or left-out.")
        if not enough:
            most = int(self.counts.max(initial=0))
            wrong = f"no user is tested: of {len(few):,} users 0 have {least:g} ratings or more, the most are {most:,}"
            raise InputError(wrong, where=self.source, do=f"Ask for fewer: least-ratings={most}.")
        some = f"tested=number({max(1, enough // 2)})"
        tested = testing(draw=self.draws.of_users(self.ratings, "tested"), eligible=~few)
        if ProtocolTraits.of(testing).exact and testing.keywords["of"] > enough:
            wrong = f"tested={testing.text}, and only {enough:,} users have {least:g} ratings or more"
            raise InputError(wrong, where=self.source, do=f"Test fewer, such as {some}.")
        if not tested.any():
            wrong = f"no user is tested: of {len(few):,} users {enough:,} have {least:g} ratings or more"
            wrong += f", and tested={testing.text} takes none"
            raise InputError(wrong, where=self.source, do=f"Test more, such as {some}.")
        return few, tested

    # the order of a user's ratings, and which of them are hidden

    def _places(self) -> Codes:
        """The place of each rating in its user's order, from 0, shape (rows,)."""
        ratings = self.ratings
        draw = self.draws.of_ratings(ratings, "order")
        key = self.settings["order"](draw=draw, time=self.time, place=ratings.place)
        return _places_by(ratings.user, key, ratings.place)

    def _held_out(self, place: Codes) -> Mask:
        hidden: Mask = self.settings["held-out"](
            place=place,
            count=self.counts[self.ratings.user],
            draw=self.draws.of_ratings(self.ratings, "held-out"),
            time=self.time,
            last=np.full(len(self.time), self.time.max()),
        )
        return hidden

    def _tuning(self, place: Codes, hidden: Mask) -> Mask:
        """What is kept separately to tune, of what is not hidden, shape (rows,)."""
        user = self.ratings.user
        moved = _places_by(user, ~hidden, place)  # the hidden ones of a user come first, the others keep their order
        left = np.bincount(user, weights=~hidden, minlength=len(self.counts)).astype(np.int64)[user]
        found: Mask = self.settings["validation"](place=moved, count=self.counts[user], left=left)
        return found

    def _looked_for(self, train: Mask) -> Mask:
        """Which ratings may be labels, were they hidden, shape (rows,)."""
        ratings = self.ratings
        items = np.zeros(len(ratings.items), bool)
        items[ratings.item[train]] = True
        pair = ratings.user * len(ratings.items) + ratings.item
        return np.asarray(
            self.settings["looked-for"](ratings=ratings.rating)
            & self.settings["cold-items"](known=items[ratings.item])
            & self.settings["again"](known=np.isin(pair, pair[train]))
        )

    # each evaluation of a user

    def _points(self, tested: Mask, place: Codes, given: Mask, found: Mask) -> Points:
        """Every point of every tested user at which something is to be found; `tested` has shape (users,)."""
        ratings, settings = self.ratings, self.settings
        grade = settings["relevance"](ratings=ratings.rating)
        until = place if self.rest else np.full(len(place), NEVER)
        needed = found if settings["no-positives"]() else found & (grade > 0)
        last = np.full(len(ratings.users), -1)  # up to how many ratings given each user has something to be found
        np.maximum.at(last, ratings.user[needed], until[needed])
        order = np.lexsort((place, ratings.user))
        inputs, targets = order[given[order]], order[found[order]]
        counts = [np.bincount(ratings.user[rows], minlength=len(ratings.users)) for rows in (inputs, targets)]
        starts = [np.append(0, np.cumsum(one)) for one in counts]
        points = [
            (user, number, -1)
            for user in np.flatnonzero(tested & (last >= 0)).tolist()
            for number in settings["given"](available=int(counts[0][user]))
            if number <= last[user]
        ]
        if settings["cases"]():
            points = [
                (user, number, row)
                for user, number, _ in points
                for row in targets[starts[1][user] : starts[1][user + 1]]
                if needed[row]
            ]
        if not points:
            most = np.minimum(counts[0], last)[last >= 0]
            raise self._nobody(tested, found, int(most.max(initial=0)) if len(most) else None)
        user, number, case = np.array(points, np.int64).T
        return Points(user, number, case, inputs, starts[0], targets, starts[1], until[targets], grade)

    def _nobody(self, tested: Mask, found: Mask, most: int | None) -> InputError:
        """Why no user can be evaluated; `tested` has shape (users,), `found` (rows,).

        `most` are the ratings that can be given so that something is left to be found, None where nothing ever is.
        """
        if not found.any():
            held_out = self.settings["held-out"].text
            wrong = f"nothing is to be found of {np.sum(tested):,} tested users (held-out={held_out})"
            requiring = {name: self.settings[name] for name in REQUIRE if not self.settings[name].changes_nothing}
            without = " and ".join(f"{name}={setting.text}" for name, setting in requiring.items())
            do = "Hold out more" + (f", or do without {without}" if requiring else "")
        elif most is None:
            relevance = self.settings["relevance"].text
            wrong = f"no tested user has a rating to be found that is relevant (relevance={relevance})"
            do = "Hold out more, require less of relevance, or take no-positives=kept."
        else:
            given = self.settings["given"]
            wrong = f"given={given.text} is beyond all users: the most that can be given is {most:,}"
            form = "nested" if ProtocolTraits.of(given).nested else "first"
            fewer = "Take users with more ratings" if self.rest else "Hold out fewer ratings"
            do = f"Give fewer: given={form}({most})" if most else fewer
        return InputError(wrong, where=self.source, do=do)


def _places_by(user: Codes, key: Any, place: Codes) -> Codes:
    """The place of each row among those of its user by this key, then by place, from 0; all of shape (rows,)."""
    order = np.lexsort((place, key, user))
    found = np.empty(len(place), np.int64)
    found[order] = within(user[order])
    return found
