"""The rows of one block of users during preparation."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, Numbers, begins, surely_distinct, within
from rankconv.data.joined import Joined, rows_of
from rankconv.data.matching import may_meet

NOTHING = -1
"""The item of a row that was invented: a padded rank, a document nobody named."""
UNKNOWN_ITEM = 2**31
"""The item of a row that represents any item: above all codes, so that nobody needs those of the data."""


@dataclass(eq=False)
class LabelRows:
    """The labels of a block, one array per property, rows grouped by user in the order given."""

    user: Codes
    item: Codes
    grade: Numbers
    exists: Mask = field(init=False)
    """False once a step has decided that this label is none."""
    in_pool: Mask = field(init=False)
    """Seen by the assessors but not judged; it may stand in a list, and nothing else is known of it."""
    at_end: Mask = field(init=False)
    """Goes to the end of the list and of the ideal list, whatever its grade."""
    relevant: Mask = field(init=False)
    elsewhere: Mask | None = field(default=None, init=False)
    """Where the labels are those of one group: which of them are of other groups alone, and so never relevant."""

    def __post_init__(self) -> None:
        self.exists = np.ones(len(self.user), bool)
        self.in_pool, self.at_end, self.relevant = (np.zeros(len(self.user), bool) for _ in range(3))


@dataclass(eq=False)
class ListRows:
    """The ranked rows of a block, one array per property, grouped by user; preparation removes and orders them."""

    user: Codes
    item: Codes
    place: Codes
    """Position in the list as given, from 0."""
    score: Numbers
    rank: Numbers | None = None
    """The rank that the input states, which distinguishes rows of equal score; None where it does not count."""
    label: Codes = field(init=False)
    """Row of the label of this item, -1 where there is none."""
    grade: Numbers = field(init=False)
    """The grade, NaN where the row has none."""
    judged: Mask = field(init=False)
    relevant: Mask = field(init=False)
    weight: Numbers | None = field(default=None, init=False)
    """How often the row counts, where a system counts it more than once."""
    item_weight: Numbers | None = field(default=None, init=False)
    """What its item weighs, where items are weighed."""
    hits: Numbers | None = field(default=None, init=False)
    """How many hits the row is, if it is one: of how many groups, where it may be of several."""
    cell: Codes | None = field(default=None, init=False)
    """The place in the list of the row of which this is a piece, where rows were cut into pieces."""
    length: Numbers | None = field(default=None, init=False)
    """The length of the piece, likewise."""

    @classmethod
    def none(cls) -> "ListRows":
        """Lists without a row."""
        nothing = np.zeros(0, np.int64)
        rows = cls(nothing, nothing, nothing, np.zeros(0))
        rows.label = nothing
        return rows

    def take(self, rows: Codes | Mask) -> None:
        """Keep these rows, in this order; `rows` are places, or a mask of shape (rows,)."""
        for name, values in vars(self).items():
            if values is not None:
                setattr(self, name, values[rows])

    def append(self, user: Codes, item: Codes, score: Numbers, label: Codes) -> None:
        """Add rows below those of their user, in the order given; arrays have shape (new rows,)."""
        below = np.zeros(int(max(user.max(initial=-1), self.user.max(initial=-1))) + 1, np.int64)
        below[self.user] = self.place + 1  # of each user's last row; rows above it may have been taken out
        place = below[user] + within(user)
        joined: dict[str, NDArray[Any]] = {"user": user, "item": item, "score": score, "label": label, "place": place}
        joined |= {} if self.rank is None else {"rank": np.full(len(user), np.inf)}
        for name, values in joined.items():
            setattr(self, name, np.concatenate([getattr(self, name), values]))
        self.take(np.lexsort((self.place, self.user)))

    @property
    def in_list(self) -> Codes:
        """The place of each row in its list, shape (rows,); the pieces of a row have one place."""
        return within(self.user) if self.cell is None else self.cell

    def lengths(self, users: int) -> Codes:
        """How many rows each list has, shape (users,): down to the last that has a piece, where rows were cut."""
        if self.cell is None:
            return self.counts(users)
        lengths = np.zeros(users, np.int64)
        np.maximum.at(lengths, self.user, self.cell + 1)
        return lengths

    def counts(self, users: int) -> Codes:
        """Rows of each user, shape (users,)."""
        return np.bincount(self.user, minlength=users)

    def repeats(self, items: int) -> Codes:
        """For each row how many rows above it, of the same user, hold the same item, shape (rows,)."""
        if surely_distinct(self.keys(items), (int(self.user.max(initial=-1)) + 1) * (items + 1)):
            return np.zeros(len(self.user), np.int64)
        order, group = self._by_item(items)
        repeats = np.empty(len(self.user), np.int64)
        repeats[order] = within(group)
        return np.where(self.item == NOTHING, 0, repeats)

    def occurrences(self, items: int) -> Codes:
        """For each row how many rows of the same user hold the same item, itself included, shape (rows,)."""
        order, group = self._by_item(items)
        occurrences = np.empty(len(self.user), np.int64)
        occurrences[order] = np.bincount(group)[group] if len(group) else group
        return np.where(self.item == NOTHING, 1, occurrences)

    def keys(self, items: int) -> Codes:
        """One number for each user and item, shape (rows,)."""
        return self.user * (items + 1) + self.item

    def _by_item(self, items: int) -> tuple[Codes, Codes]:
        keys = self.keys(items)
        order = np.argsort(keys, kind="stable")
        return order, np.cumsum(begins(keys[order])) - 1


@dataclass(eq=False)
class WorkingBlock:
    """A block of users on its way through the steps of preparation."""

    joined: Joined
    users: Codes
    """The joined codes of the block's users."""
    labels: LabelRows
    rows: ListRows
    scored: bool
    k: int | None = None
    """The metric's cutoff, for the few settings that read it."""
    aligned_arrays: bool = False
    """Whether labels and rows come as aligned arrays: each row of the list is a label, and there are no others."""
    codes: int | None = None
    """How many codes items have here; None where they have those of the joined data."""
    unlabelled_relevant: Mask = field(init=False)
    """Of which users a row without a label is relevant: only where it has grade 0 and that is enough."""
    refused: Mask = field(init=False)
    """Users whose data this preparation does not allow."""
    reasons: list["Reason"] = field(default_factory=list)
    known: "KnownLabels | None" = None
    given: ListRows | None = None
    """The rows before they were cut into pieces, where they were."""
    most_relevant: int = 0
    """The greatest number of relevant labels of any user of the data, for the settings that span users."""
    label_rows: Codes = field(init=False)
    row_counts: Codes = field(init=False)
    """Rows of each list as it was given, shape (users,)."""
    in_rankings: Mask = field(init=False)

    def __post_init__(self) -> None:
        self.refused = np.zeros(self.size, bool)
        self.label_rows = np.bincount(self.labels.user, minlength=self.size)
        self.row_counts = self.rows.counts(self.size)
        self.in_rankings = self.row_counts > 0

    @property
    def rows_at_end(self) -> Mask:
        """Which rows have a label that belongs at the end of the list, shape (rows,)."""
        return np.append(self.labels.at_end, False)[self.rows.label]

    def known_from_rows(self, grade: Numbers) -> "KnownLabels":
        """The labels that exist where they are the rows of the list, with these grades, shape (rows,)."""
        rows = self.rows
        return KnownLabels(rows.user, grade, rows.relevant, self.rows_at_end, rows.item, rows.label)

    @property
    def size(self) -> int:
        """Number of users."""
        return len(self.users)

    @property
    def items(self) -> int:
        """Number of items that have a code."""
        return len(self.joined.items) if self.codes is None else self.codes

    @property
    def item_ids(self) -> NDArray[Any]:
        """The id of the item in each ranked row, shape (rows,); None where the row was invented."""
        return self.by_item(self.joined.items.values.astype(object), np.array([None]))

    def by_item(self, values: NDArray[Any], elsewhere: Any) -> NDArray[Any]:
        """The value of the item in each ranked row, shape (rows,), of those of all joined items, shape (items,).

        `elsewhere` is that of a row whose item is none of these.
        """
        return np.append(values, elsewhere)[np.minimum(self.rows.item, len(values))]

    def copy(self, k: int | None) -> "WorkingBlock":
        """A fresh copy of the rows as they were before preparation, to be prepared in another way."""
        labels = LabelRows(self.labels.user, self.labels.item, self.labels.grade.copy())
        labels.elsewhere = self.labels.elsewhere
        rows = ListRows(self.rows.user, self.rows.item, self.rows.place, self.rows.score.copy(), self.rows.rank)
        rows.label = self.rows.label
        return WorkingBlock(self.joined, self.users, labels, rows, self.scored, k)

    def of(self, users: Mask) -> "WorkingBlock":
        """The rows of these users alone, shape (users,), as they were before preparation."""
        place = np.cumsum(users) - 1
        labelled, listed = users[self.labels.user], users[self.rows.user]
        given, mine = self.labels, self.rows
        labels = LabelRows(place[given.user[labelled]], given.item[labelled], given.grade[labelled])
        rank = None if mine.rank is None else mine.rank[listed]
        rows = ListRows(place[mine.user[listed]], mine.item[listed], mine.place[listed], mine.score[listed], rank)
        label, new_label = mine.label[listed], np.append(np.cumsum(labelled) - 1, -1)
        rows.label = new_label[label]
        return WorkingBlock(self.joined, self.users[users], labels, rows, self.scored, self.k)

    def refuse(
        self, rows: Mask, user: Codes, item: Codes, reason: str, side: Literal["labels", "rankings"] | None = None
    ) -> None:
        """Refuse the data of the users who own these rows; `rows`, `user` and `item` have shape (rows,).

        `side` says whose rows of that user and item are at fault, all of them.
        """
        if rows.any():
            self.refused |= self.any_of(rows, user)
            self.reasons.append(Reason(user[rows], item[rows], reason, side))

    def any_of(self, rows: Mask, user: Codes) -> Mask:
        """Users with at least one such row, shape (users,)."""
        return np.bincount(user[rows], minlength=self.size) > 0


@dataclass(frozen=True, eq=False)
class Reason:
    """Why users are refused: the rows that are at fault."""

    user: Codes
    item: Codes
    text: str
    """What is wrong, `{item}` being the item: "has item {item} in the list more than once"."""
    side: Literal["labels", "rankings"] | None = None
    """Whose rows of that user and item are at fault; None where nothing is known of them."""

    def take(self, rows: Codes | Mask) -> "Reason":
        """The reason for these rows alone, which are places, or a mask of shape (rows,)."""
        return replace(self, user=self.user[rows], item=self.item[rows])


@dataclass(eq=False)
class KnownLabels:
    """Which labels exist for a block, after its preparation: they make R, the ideal and the grade sum."""

    user: Codes
    grade: Numbers
    relevant: Mask
    at_end: Mask
    item: Codes
    label: Codes
    """Row of the label, -1 where a ranked row without one represents it."""
    weight: Numbers | None = None
    """What the item of each weighs, where items are weighed."""
    length: Numbers | None = None
    """The length of each, where labels were cut into pieces."""

    def repeat(self, times: Codes) -> "KnownLabels":
        """Each label as often as `times` says, shape (labels,)."""
        return self.take(np.repeat(np.arange(len(times)), times))

    def take(self, rows: Codes) -> "KnownLabels":
        """These labels, in this order, shape as `rows`."""
        taken: dict[str, Any] = {name: None if one is None else one[rows] for name, one in vars(self).items()}
        return KnownLabels(**taken)


def working_blocks(joined: Joined, users: Codes, copied: bool = False) -> Iterator[WorkingBlock]:
    """The rows of these users, shape (users,), so many users at a time that a block stays small.

    Also where its rows and labels are then `copied` for each subtopic.
    """
    return (working_block(joined, some) for some in joined.groups(users, None, copied))


def working_block(joined: Joined, users: Codes) -> WorkingBlock:
    """The rows of these users, shape (users,), each ranked row with its label."""
    block = unmatched_block(joined, users)
    block.rows.label = match(block.labels, block.rows, len(joined.items))
    return block


def unmatched_block(joined: Joined, users: Codes, first: int | None = None) -> WorkingBlock:
    """The rows of these users, shape (users,), no ranked row with a label; of lists all, or the `first` ones."""
    label_user, label_at = rows_of(joined.labels.starts, joined.label_rows_of[users])
    list_user, list_at = rows_of(joined.rankings.starts, joined.list_rows_of[users], first)
    labels = LabelRows(label_user, joined.labels.item[label_at], joined.labels.grade[label_at].copy())
    item = joined.list_item[list_at]
    falling, rank, place = joined.rankings.falling, joined.rankings.rank, within(list_user)
    score = -place.astype(np.float64) if falling is None else falling[list_at]
    rows = ListRows(list_user, item, place, score, None if rank is None else rank[list_at])
    return WorkingBlock(joined, users, labels, rows, scored=joined.rankings.scored)


def match(labels: LabelRows, rows: ListRows, items: int) -> Codes:
    """For each ranked row the row of its label, shape (rows,); -1 where unjudged, the last of repeated labels."""
    keys, wanted = labels.user * items + labels.item, rows.user * items + rows.item
    label, row = may_meet(keys, wanted)
    row = row[rows.item[row] >= 0]
    order = label[np.argsort(keys[label], kind="stable")]
    place = np.searchsorted(keys[order], wanted[row], side="right") - 1
    found = np.append(order, -1)[place]
    met = np.append(keys, -1)[found] == wanted[row]
    matched = np.full(len(wanted), -1)
    matched[row[met]] = found[met]
    return matched
