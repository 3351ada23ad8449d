"""Training interactions, features and propensities of items, and shown lists, by the codes of labels and rankings.

All of it is computed on first use, and once: `joined.once(Train)`.
"""

from functools import cached_property

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers, take_ownership, within
from rankconv.data.ids import Ids, make_ids
from rankconv.data.joined import Joined, rows_of


class ItemCodes:
    """Codes for the items of labels and rankings, as joined, and beyond them for those that only training has."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self._beyond: dict[object, int] = {}
        if joined.extra.train is not None:
            known, first = joined.items.code_of, len(joined.items)
            for item in joined.extra.train.items.values.tolist():
                if item not in known:
                    self._beyond[item] = first + len(self._beyond)

    def __len__(self) -> int:
        return len(self.joined.items) + len(self._beyond)

    @cached_property
    def ids(self) -> Ids:
        """The items by their codes."""
        return make_ids([*self.joined.items.values.tolist(), *self._beyond], "item")

    def of(self, items: Ids) -> Codes:
        """The code of each of these items, shape (items,); -1 for one that is in neither."""
        known, beyond = self.joined.items.code_of, self._beyond
        found = (known.get(item, beyond.get(item, -1)) for item in items.values.tolist())
        return take_ownership(np.fromiter(found, np.int64, len(items)))


class Train:
    """The interactions that the model learned from: how often each item occurs, and what each user had.

    Every row counts, whatever its grade. Arrays of items have shape (items,), in the codes of `ItemCodes`.
    """

    def __init__(self, joined: Joined) -> None:
        given = joined.extra.train
        assert given is not None
        self.joined, self.codes = joined, joined.once(ItemCodes)
        self._starts, self._row_item = given.starts, self.codes.of(given.items)[given.item]
        self._row_user = np.repeat(np.arange(len(given.users)), given.lengths)
        self._given_users = given.users
        self._pairs = take_ownership(np.unique(self._row_item * max(len(given.users), 1) + self._row_user))
        self._user_count = max(len(given.users), 1)

    @property
    def size(self) -> int:
        """Number of items that have a code."""
        return len(self.codes)

    @cached_property
    def interactions(self) -> Numbers:
        """How many rows each item has, repeated ones too, shape (items,)."""
        return take_ownership(np.bincount(self._row_item, minlength=self.size).astype(np.float64))

    @cached_property
    def users(self) -> Numbers:
        """How many users have each item, shape (items,)."""
        return take_ownership(np.bincount(self._pairs // self._user_count, minlength=self.size).astype(np.float64))

    @cached_property
    def user_count(self) -> int:
        """Number of users with a row."""
        return int(np.count_nonzero(np.diff(self._starts)))

    @property
    def given_user_count(self) -> int:
        """Number of users that training names, also without a row."""
        return len(self._given_users)

    @cached_property
    def item_count(self) -> int:
        """Number of items with a row."""
        return int(np.count_nonzero(self.interactions))

    @cached_property
    def _rows_of_users(self) -> Codes:
        """The place of each joined user among those of training, shape (users,); -1 for one who is not there."""
        return take_ownership(self._given_users.codes_of(self.joined.users))

    @property
    def has_users(self) -> Mask:
        """Which joined users are in training, shape (users,)."""
        return np.asarray(self._rows_of_users >= 0)

    def history(self, users: Codes) -> tuple[Codes, Codes]:
        """What these users had, each item once: the user of each row, as a place in `users`, and its item.

        Both have shape (rows,), in the order of training.
        """
        user, at = rows_of(self._starts, self._rows_of_users[users])
        item = self._row_item[at]
        _, first = np.unique(user * max(self.size, 1) + item, return_index=True)
        first.sort()
        return user[first], item[first]

    def had(self, users: Codes, items: Codes) -> Mask:
        """Whether users had items, shape as `items` (ranks, users); `users` has shape (users,), an item may be -1."""
        place = self._rows_of_users[users]
        keys = items * self._user_count + place
        at = np.minimum(np.searchsorted(self._pairs, keys), max(len(self._pairs) - 1, 0))
        found = self._pairs[at] == keys if len(self._pairs) else np.zeros(keys.shape, bool)
        return np.asarray(found & (items >= 0) & (place >= 0))

    def together(self, ours: Codes, others: Codes) -> Numbers:
        """How many users have both items, for pairs of items of shape (pairs,)."""
        pairs, back = np.unique(np.stack([ours, others]), axis=1, return_inverse=True)
        counts = self.users
        few = np.where(counts[pairs[0]] <= counts[pairs[1]], pairs[0], pairs[1])
        many = pairs[0] + pairs[1] - few
        starts = np.searchsorted(self._pairs, np.arange(self.size + 1) * self._user_count)
        pair, at = rows_of(starts, few)
        wanted = many[pair] * self._user_count + self._pairs[at] % self._user_count
        place = np.minimum(np.searchsorted(self._pairs, wanted), max(len(self._pairs) - 1, 0))
        both = self._pairs[place] == wanted if len(self._pairs) else np.zeros(len(wanted), bool)
        shared = np.bincount(pair[both], minlength=pairs.shape[1]).astype(np.float64)
        return np.asarray(shared[np.ravel(back)])


class ItemVectors:
    """The vectors of items by their codes."""

    def __init__(self, joined: Joined) -> None:
        given = joined.extra.features
        assert given is not None
        codes = joined.once(ItemCodes)
        self.vectors = np.full((len(codes) + 1, given.vectors.shape[1]), np.nan)
        at = codes.of(given.items)
        self.vectors[at[at >= 0]] = given.vectors[at >= 0]
        """Shape (items + 1, features); NaN where nothing is known of an item, as in the last row, which -1 names."""
        take_ownership(self.vectors)


class ItemPropensities:
    """The propensities of items by their codes."""

    def __init__(self, joined: Joined) -> None:
        given = joined.extra.propensities
        assert given is not None
        codes = joined.once(ItemCodes)
        self.values = np.full(len(codes) + 1, np.nan)
        at = codes.of(given.items)
        self.values[at[at >= 0]] = given.values[at >= 0]
        """Shape (items + 1,); NaN where none was given, as in the last, which -1 names."""
        take_ownership(self.values)


class ShownLists:
    """The lists that users were shown, in which items have ranks.

    Rows are in the order of the run: its ranks, or falling score.
    """

    def __init__(self, joined: Joined) -> None:
        given = joined.extra.shown
        assert given is not None
        self._items = max(len(joined.items), 1)
        owner = np.repeat(np.arange(len(given.users)), given.lengths)
        user = joined.users.codes_of(given.users)[owner] if len(owner) else owner
        item = joined.items.codes_of(given.items)[given.item] if given.row_count else given.item
        known = (user >= 0) & (item >= 0)
        keys, ranks = user[known] * self._items + item[known], within(owner)[known] + 1
        self._keys, first = np.unique(keys, return_index=True)  # of an item that was shown twice the first place
        self._ranks = ranks[first].astype(np.float64)

    def ranks(self, users: Codes, items: Codes) -> Numbers:
        """The rank, from 1, of these items in the lists of these users, shape (pairs,); NaN where it was not shown."""
        if not len(self._keys):
            return np.full(len(items), np.nan)
        keys = users * self._items + items
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        there = (self._keys[at] == keys) & (items >= 0) & (items < self._items)
        return np.where(there, self._ranks[at], np.nan)


def in_catalogue(joined: Joined) -> Mask:
    """Which items the catalogue has, where its items were given, shape (items,)."""
    given = joined.extra.catalogue_items
    assert given is not None
    inside = np.zeros(len(joined.once(ItemCodes)) + 1, bool)
    inside[joined.once(ItemCodes).of(given)] = True
    return take_ownership(inside[:-1])
