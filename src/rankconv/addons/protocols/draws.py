"""Random draws of protocols, and the registry of their conventions."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import numpy as np

from rankconv.addons.protocols.ratings import Ratings
from rankconv.basics.errors import ConventionError
from rankconv.basics.registries import Ordered
from rankconv.conventions.convention import Convention, Registry
from rankconv.data.arrays import Codes, Numbers
from rankconv.data.digest import Hashes, mixed
from rankconv.data.ids import Ids


class Draws:
    """Numbers from 0 to 1, evenly spread, that hang on the seed and on ids."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._known_items: Ids | None = None
        self._of_items: Hashes = np.empty(0, np.uint64)

    def of_users(self, ratings: Ratings, purpose: str) -> Numbers:
        """A number for each user, shape (users,)."""
        return unit(mixed(self._hashes(ratings.users, purpose)))

    def of_ratings(self, ratings: Ratings, purpose: str) -> Numbers:
        """A number for each rating, shape (rows,); of a user's ratings of one item each has its own.

        These are numbered in the order of their times, or where there are none of their ratings.
        """
        owner, item = self._hashes(ratings.users, purpose), self._hashes(ratings.items, "item")
        times = [] if ratings.time is None else [ratings.time]
        again = occurrences(ratings.user, ratings.item, ratings.rating, *times).astype(np.uint64)
        return unit(mixed(mixed(mixed(owner)[ratings.user] ^ item[ratings.item]) + again))

    def of_items(self, items: Ids, *words: Any) -> Numbers:
        """A number for each item, shape (items,), for words, such as a purpose and a user's id."""
        if items is not self._known_items:
            self._known_items, self._of_items = items, self._hashes(items, "item")
        return unit(mixed(mixed(self._of_items) ^ np.uint64(_digest((self.seed, *words)))))

    def _hashes(self, ids: Ids, purpose: str) -> Hashes:
        """A hash of each id, shape (ids,)."""
        values: Iterable[Any] = ids.values.tolist()
        return np.fromiter((_digest((self.seed, purpose, value)) for value in values), np.uint64, len(ids))


def _digest(words: tuple[Any, ...]) -> int:
    return int.from_bytes(blake2b(repr(tuple(map(str, words))).encode(), digest_size=8).digest(), "little")


def unit(hashes: Hashes) -> Numbers:
    """The first 53 bits of each hash as a number from 0 to below 1, shape as `hashes`."""
    return (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53


def occurrences(user: Codes, item: Codes, *by: Codes | Numbers) -> Codes:
    """How many rows with the same user and item are before each by these keys, the last one first, shape (rows,)."""
    order = np.lexsort((*by, item, user))
    ones, others = user[order], item[order]
    first = np.append(True, (ones[1:] != ones[:-1]) | (others[1:] != others[:-1]))
    found = np.empty(len(item), np.int64)
    found[order] = np.arange(len(item)) - np.maximum.accumulate(np.where(first, np.arange(len(item)), 0))
    return found


PROTOCOL = Ordered[Convention]("convention of protocols")
"""Every convention about how ratings are divided and evaluated, in the order in which they are carried out.

A plugin adds a setting with `protocols.protocol_conventions["tested"].setting(…)`, and a convention with
`plugin.rating_step`.
"""
STEPS: dict[str, Convention] = {}
"""Conventions of plugins, by name: which ratings are used at all."""


def add_rating_conventions(*conventions: Convention) -> None:
    """Make these conventions of protocols, in this order, after those that there are."""
    for convention in conventions:
        PROTOCOL.put(convention.name, convention)
    Registry.changed()


def rating_step(convention: Convention) -> None:
    """Register a convention of protocols: which ratings are used, before they are split.

    The functions of its settings read arrays of shape (rows,): the `rating`, the `time` (0 where there is none), the
    `place` among the user's ratings, the number of ratings of the user (`count`) and of the item (`item_count`), and a
    random `draw` from 0 to 1. They return the rows that are used, shape (rows,).

    Parameters
    ----------
    convention : Convention
        With `registry=protocols.protocol_conventions` and a neutral setting, which all protocols have that do not name
        it; their splits and fingerprints do not change.

    Raises
    ------
    ConventionError
        If there is no neutral setting.

    Examples
    --------
    >>> import numpy as np
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> from rankconv import protocols
    >>> KNOWN = plugin.Convention(
    ...     "known-items",
    ...     "Which items are used?",
    ...     reads=("item_count",),
    ...     neutral="all",
    ...     registry=protocols.protocol_conventions,
    ... )
    >>> @KNOWN.setting("all", rule="all", no="item that is left out")
    ... def _(item_count):
    ...     return np.ones(len(item_count), bool)
    >>> @KNOWN.setting("rated-twice", rule="rated by two users at least", says="items that one user rated are left out")
    ... def _(item_count):
    ...     return item_count >= 2
    >>> plugin.rating_step(KNOWN)
    >>> ratings = {"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "y": 2, "z": 1}}
    >>> [len(rc.protocol(name).split(ratings).ratings) for name in ("base", "base(known-items=rated-twice)")]
    [5, 4]
    """
    if convention.neutral is None:
        do = 'Write plugin.Convention(…, neutral="all"), the setting that changes nothing.'
        raise ConventionError(f"the convention '{convention.name}' has no neutral setting", do=do)
    convention.validate(convention.neutral)
    PROTOCOL.put(convention.name, convention, "repeated")
    STEPS[convention.name] = convention
    Registry.changed()
