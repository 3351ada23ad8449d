"""Labels and rankings put together, once per pair of inputs; no convention in it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.alignment import IdTable, notes_of_meeting
from rankconv.data.arrays import Codes, FrozenArrays, Numbers, take_ownership
from rankconv.data.attributes import Features, GroupTargets, NeedsWholeLists, Parents, Propensities
from rankconv.data.fitting import as_grades, as_ids, check_fit, with_texts_of_files
from rankconv.data.ids import IdKind, Ids, unite
from rankconv.data.labels_and_rankings import FirstRows, Labels, Run
from rankconv.data.matching import ItemIndex, LabelKinds, LabelsOf, Levels, Tables, hashed_index, levels_of
from rankconv.data.ordering import from_places

T = TypeVar("T")
_SOME = (1 << 11, 1 << 18)
"""So many items of either side are looked at, before all are coded to see that some are on both."""
_FIRST_ROWS = 8
"""Rows of each list in which a labelled item is looked for first."""
CELLS, COPIES = 1 << 18, 1 << 21
"""Users are taken in blocks of about this many (rank, user) cells, so that a block fits the processor's cache."""


@dataclass(frozen=True, eq=False)
class Joined(FrozenArrays):
    """One pair of labels and rankings with common codes for users and items.

    Users are those of either side, labelled ones first. Everything that spans users (the catalogue, the items
    seen in training) lives here and reaches a block from here.
    """

    labels: Labels
    rankings: Run
    users: Ids
    label_rows_of: Codes
    """Row of each joined user in the labels, -1 where it is not there."""
    list_rows_of: Codes
    extra: "SideData" = field(default_factory=lambda: SideData())
    part: bool = False
    """Whether these are some of the users, whose items may have nothing in common by chance."""

    @cached_property
    def _united(self) -> tuple[Ids, Codes | None]:
        """All items, those of the labels first, and the code of each item of the rankings, shape (those items,).

        None where theirs are the common ones; labels keep theirs.
        """
        items, ranked_item = unite(self.labels.items, self.rankings.items, "item", spelling=not self.part)
        same = len(ranked_item) == len(items) and np.array_equal(ranked_item, np.arange(len(items)))
        return items, None if same else take_ownership(ranked_item.astype(np.int32))

    @property
    def library(self) -> str:
        """The library whose table the run came in, or the labels; empty where they came in none."""
        return self.rankings.library or self.labels.library

    @property
    def items(self) -> Ids:
        """All items that either side has."""
        return self._united[0]

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is assumed of tables without numbers, in sentences."""
        sides = (("Labels", self.labels.assumed), ("Run", self.rankings.assumed))
        return tuple(f"{side}: {said}." for side, said in sides if said)

    @cached_property
    def aligned(self) -> tuple[str, ...]:
        """What whole numbers are taken for that meet rows and columns, in sentences."""
        sides = IdTable.of(self.labels, "the labels"), IdTable.of(self.rankings, "the run")
        return tuple(dict.fromkeys((*notes_of_meeting(*sides), *self.extra.aligned)))

    @property
    def item_kind(self) -> IdKind:
        """What the ids of items are."""
        return self.rankings.item_kind if self.labels.item_kind == "none" else self.labels.item_kind

    @cached_property
    def list_item(self) -> Codes:
        """The item of each ranked row, in common codes, shape (rows,)."""
        return take_ownership(self.common(self.rankings.item))

    def common(self, ranked: Codes) -> Codes:
        """The common codes of items given in the codes of the rankings, shape as `ranked`."""
        shared = self._united[1]
        return ranked if shared is None or not ranked.size else shared.take(ranked, mode="clip")

    @cached_property
    def label_counts(self) -> Codes:
        """Label rows of each joined user, shape (users,)."""
        return _counts(self.labels.starts, self.label_rows_of)

    @cached_property
    def list_counts(self) -> Codes:
        """Ranked rows of each joined user, shape (users,)."""
        return _counts(self.rankings.starts, self.list_rows_of)

    @cached_property
    def list_lengths(self) -> Codes:
        """Rows of the whole list of each joined user, shape (users,), also of those that were cut."""
        cut = self.rankings.form.cut
        return self.list_counts if cut is None else take_ownership(np.append(cut.lengths, 0)[self.list_rows_of])

    @cached_property
    def label_lengths(self) -> Codes:
        """Labels of each joined user, shape (users,), also those that were not read."""
        cut = self.labels.form.labels_cut
        if cut is None:
            return self.label_counts
        return take_ownership(self.label_counts + np.append(cut.counts.sum(axis=1), 0)[self.label_rows_of])

    def _unread(self, users: Codes, *, listed: bool) -> Numbers | float:
        """How many labels of each level were not read, all or those whose item is `listed`, shape (users, levels)."""
        cut = self.labels.form.labels_cut
        if cut is None:
            return 0.0
        assert self.levels is not None
        counts, grades = (cut.listed if listed else cut.counts), self.levels.grades
        there = np.isin(grades, np.arange(counts.shape[1]))
        found = np.zeros((len(users), len(grades)))
        of_users = np.vstack([counts, np.zeros_like(counts[:1])])[self.label_rows_of[users]]
        found[:, there] = of_users[:, grades[there].astype(np.int64)]
        return found

    def listed_level_counts(self, users: Codes) -> Numbers | None:
        """How many labels of each level have an item of the whole list, shape (levels, users); None without a cut."""
        cut = self.rankings.form.cut
        if cut is None:
            return None
        assert self.levels is not None
        rows, owner = self._labels_of(users), np.repeat(np.arange(len(users)), self.label_counts[users])
        listed = cut.holds(self.list_rows_of[users][owner], self.labels.items.values[self.labels.item[rows]])
        count = len(self.levels.grades)
        key = owner[listed] * count + (self.levels.kind[rows][listed] - 1)
        counts = np.bincount(key, minlength=len(users) * count).reshape(len(users), count)
        return np.ascontiguousarray((counts + self._unread(users, listed=True)).T, dtype=np.float64)

    @property
    def settings_change_it(self) -> bool:
        """Whether settings make other data of these: documents of chunks, one list of calls, numbers of words."""
        worded = self.labels.words is not None or self.rankings.words is not None
        return worded or self.extra.parents is not None or self.rankings.has_calls

    @property
    def has_spans(self) -> bool:
        """Whether items are spans of documents."""
        return self.labels.form.are_spans or self.rankings.form.are_spans

    @cached_property
    def _made(self) -> dict[Any, Any]:
        return {}

    def once(self, part: Callable[["Joined"], T]) -> T:
        """Return what `part` makes of the joined data, computed once."""
        if part not in self._made:
            self._made[part] = part(self)
        made: T = self._made[part]
        return made

    @cached_property
    def levels(self) -> Levels | None:
        """The grades that occur; None where there are too many."""
        return levels_of(self.labels.grade)

    def kinds(self, users: Codes, rows: int | None, tables: Tables, listed: ItemIndex | None = None) -> LabelKinds:
        """The kind of label of the first K items of these users' lists, shape (K, users) uint8; 0 where none is.

        `listed` has the rows of the lists where they are in another order.
        """
        assert self.levels is not None
        at, lists, items = self._labels_of(users), self.list_rows_of[users], listed or self._index(rows)
        labels = LabelsOf(at, self.levels.kind[at], self.label_counts[users])
        return items.kinds(items.ranked(lists, self.list_counts[users], rows), lists, labels, tables.of(items))

    @cached_property
    def has_listed_label(self) -> bool:
        """Whether the item of some label is in its user's list, which a few users and rows tell as a rule.

        Of spans, whether some document of labels is one of the run.
        """
        if self.has_spans:
            sides = ({one[0] for one in side.items.values.tolist()} for side in (self.labels, self.rankings))
            return bool(set.intersection(*sides))
        users, tables = np.flatnonzero((self.label_counts > 0) & (self.list_counts > 0)), Tables()
        if self.rankings.form.cut is not None:
            return bool(len(users))  # columns of a matrix: each is listed
        return any(
            self._listed(users[start : start + count], rows, tables).any()
            for rows in (_FIRST_ROWS, None)
            for start, count in _growing(len(users))
        )

    def _listed(self, users: Codes, rows: int | None, tables: Tables) -> LabelKinds:
        """1 where the item of a row of these users' lists has a label, shape (K, users); 0 elsewhere."""
        at, items, counts = self._labels_of(users), self._index(rows), self.label_counts[users]
        labels = LabelsOf(at, np.ones(int(counts.sum()), np.uint8), counts)
        lists = self.list_rows_of[users]
        return items.kinds(items.ranked(lists, self.list_counts[users], rows), lists, labels, tables.of(items))

    def ranked(self, users: Codes, rows: int | None, listed: ItemIndex | None = None) -> Codes:
        """The codes of the first items of each list, shape (users, K); the number of items where it has ended.

        `listed` has the rows of the lists by their codes, where they are in another order.
        """
        return (listed or self._by_code).ranked(self.list_rows_of[users], self.list_counts[users], rows)

    def scores(self, users: Codes, rows: int | None) -> Numbers:
        """The scores of the first rows of each list as given, shape (K, users); NaN where it has ended.

        Without scores each row is 1 lower than the one above, unless both have one rank.
        """
        score = self.rankings.falling
        return -self._by_rank(users, rows) if score is None else self._by_rank(users, rows, score)

    def ranks(self, users: Codes, rows: int | None) -> Numbers:
        """The ranks that the run states of these rows, shape (K, users); from 0 on where it states none."""
        return self._by_rank(users, rows, self.rankings.rank)

    def _by_rank(self, users: Codes, rows: int | None, values: Numbers | None = None) -> Numbers:
        """Values of the first rows of each list, by default their places, shape (K, users); NaN where it has ended."""
        counts = self.list_counts[users]
        place = np.arange(min(int(counts.max(initial=0)), rows or np.iinfo(np.int32).max))
        there = place[:, None] < counts
        if values is None or not place.size:
            return np.where(there, 1.0 * place[:, None], np.nan)
        first = self.rankings.starts[self.list_rows_of[users]]
        return np.where(there, from_places(values, first, len(place)).T, np.nan)

    @cached_property
    def _by_code(self) -> ItemIndex:
        """The items of all rows by their common codes."""
        rankings = self.rankings
        return ItemIndex(len(self.items), self.labels.item, rankings.starts, rankings.item, self._united[1])

    def _index(self, rows: int | None) -> ItemIndex:
        """The index of the items of all labels and of the first rows of each list: by hashes, if they are not coded."""
        first = self.rankings.first(rows)
        if first.ids is None:
            return self._by_code
        if first not in self._by_hash:
            self._by_hash[first] = hashed_index(self.labels, first)
        return self._by_hash[first] or self._by_code

    @cached_property
    def _by_hash(self) -> dict[FirstRows, ItemIndex | None]:
        return {}

    def labels_by_kind(self, users: Codes) -> tuple[Codes, LabelKinds]:
        """The user of each label of these users, as a place in `users`, and its kind; both have shape (labels,).

        Labels come one user after the other, in the order given.
        """
        assert self.levels is not None
        return np.repeat(np.arange(len(users)), self.label_counts[users]), self.levels.kind[self._labels_of(users)]

    def labels_of(self, users: Codes) -> Codes:
        """The items of the labels of these users, in the order given, shape (labels,)."""
        return self.labels.item[self._labels_of(users)]

    def _labels_of(self, users: Codes) -> Codes | slice:
        """The rows of these users' labels, one user after the other, shape (labels,); a slice where they adjoin."""
        owners = self.label_rows_of[users]
        if len(owners) and owners[0] >= 0 and (np.diff(owners) == 1).all():
            return slice(int(self.labels.starts[owners[0]]), int(self.labels.starts[owners[-1] + 1]))
        return rows_of(self.labels.starts, owners)[1]

    def level_counts(self, users: Codes) -> Numbers:
        """How many labels of each level these users have, shape (levels, users)."""
        assert self.levels is not None
        count = len(self.levels.grades)
        if count == 1:
            return self.label_lengths[users][None, :].astype(np.float64)
        user = np.repeat(np.arange(len(users)) * count, self.label_counts[users])
        key = user + (self.levels.kind[self._labels_of(users)] - 1)
        counts = np.bincount(key, minlength=len(users) * count).reshape(len(users), count)
        return np.ascontiguousarray((counts + self._unread(users, listed=False)).T, dtype=np.float64)

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """For each item whether any user has a label for it, shape (items,)."""
        ids = self.extra.labelled_items
        if ids is not None:
            return take_ownership(ids.codes_of(self.items) >= 0)
        if self.labels.form.labels_cut is not None:
            raise NeedsWholeLists
        labelled = np.zeros(len(self.items), bool)
        labelled[self.labels.item] = True
        return take_ownership(labelled)

    @cached_property
    def item_named_as_user(self) -> Codes:
        """For each user the item of the same id, shape (users,); -1 where there is none."""
        return self.items.codes_of(self.users)

    @property
    def most_subtopics(self) -> Codes:
        """How many groups the labels of each joined user can have at most, shape (users,)."""
        groups = self.labels.groups
        return self.label_counts if groups is None else _counts(groups.starts, self.label_rows_of)

    def groups(self, users: Codes, rows: int | None, copied: bool = False) -> Iterator[Codes]:
        """These users in groups, each an array of shape (users of the group,).

        The first `rows` of the lists of a group make a block of at most `CELLS` cells, and its labels are as many at
        most. Where rows and labels are `copied` for each subtopic, these are `COPIES` at most.
        """
        most, start = rows or np.iinfo(np.int32).max, 0
        while start < len(users):
            some = users[start : start + CELLS // 8]
            labels = self.label_counts[some]
            widths = np.minimum(np.maximum(self.list_counts[some], labels), most)
            widest = np.maximum.accumulate(np.maximum(widths, 1))
            fits = (widest * np.arange(1, len(widest) + 1) <= CELLS) & (np.cumsum(labels) <= CELLS)
            if copied:
                fits &= np.cumsum((widths + labels) * self.most_subtopics[some]) <= COPIES
            count = max(1, int(np.argmin(fits)) if not fits.all() else len(fits))
            yield users[start : start + count]
            start += count


@dataclass(frozen=True, eq=False)
class SideData(FrozenArrays):
    """What the caller gives in addition to labels and rankings."""

    catalogue: int | None = None
    """Number of items there are."""
    seen: "NDArray[np.int64] | None" = None
    """Sorted keys `user * items + item` of what each user has seen."""
    train: Labels | None = None
    """The interactions that the model learned from, with ids of their own: `rankconv.data.train` gives them codes."""
    features: Features | None = None
    """What is known of the items, likewise with ids of its own."""
    catalogue_items: Ids | None = None
    """The items of the catalogue, where the caller gave them and not their number alone."""
    labelled_items: Ids | None = None
    """The items that any user has a label for, where these are some of the users; None where these are all."""
    parents: Parents | None = None
    """The document of each chunk, or the product of each variant."""
    propensities: Propensities | None = None
    """How likely each item was to be observed, with ids of its own."""
    shown: Run | None = None
    """The lists that users were shown when the labels were observed, with ids of its own."""
    aligned: tuple[str, ...] = ()
    """What whole numbers in these are taken for, in sentences."""
    group_target: GroupTargets | None = None
    """The share that each group of items should have."""


def join(labels: Labels, rankings: Run) -> Joined:
    """Put labels and rankings together under common codes. No user in common is an InputError."""
    joined = put_together(labels, rankings)
    check_common(labels.users, rankings.users, len(labels.users) + len(rankings.users) - len(joined.users))
    return joined


def check_common(labelled: Ids, ranked: Ids, both: int) -> None:
    """An InputError where no user is on both sides, though there are users on either."""
    if not both and len(labelled) and len(ranked):
        raise InputError(
            "the labels and the rankings have no user in common",
            allowed=f"Labels have {labelled.examples()}; rankings have {ranked.examples()}",
            do="Check that both name users in the same way.",
        )


def put_together(labels: Labels, rankings: Run, *, part: bool = False) -> Joined:
    """Labels and rankings under common codes, whoever is in them.

    Of a `part` of the users is not checked what takes many users: exchanged sides, and other spellings of ids.
    """
    labels = as_grades(labels, rankings.form, "the scores")
    labels, rankings = with_texts_of_files(labels, as_ids(rankings, labels))
    check_fit(labels, rankings, part=part)
    users, ranked_user = unite(labels.users, rankings.users, "user", spelling=not part)
    in_labels = _places(np.arange(len(labels.users)), len(users))
    in_rankings = in_labels if np.array_equal(ranked_user, in_labels) else _places(ranked_user, len(users))
    joined = Joined(labels, rankings, users, in_labels, in_rankings, part=part)
    if not _may_match(labels, rankings, part=part):
        _ = joined.items  # put together at once: ids that cannot match are an error
    return joined


def _may_match(labels: Labels, rankings: Run, *, part: bool) -> bool:
    """Whether items are surely known to be no error: integers never are, nor texts where some are on both sides.

    Nor are texts of a part of the users, whose spelling is not compared.
    """
    kinds = {labels.item_kind, rankings.item_kind}
    if kinds == {"text"}:
        return part or any(not labels.some_items(count).isdisjoint(rankings.some_items(count)) for count in _SOME)
    return kinds == {"integer"}


def _growing(size: int) -> Iterator[tuple[int, int]]:
    """Stretches of so many places, the first of them short: where each begins, and how long it is."""
    start, count = 0, 16
    while start < size:
        yield start, count
        start, count = start + count, min(4 * count, CELLS // 64)


def _places(codes: Codes, size: int) -> Codes:
    """The place of each user from 0 to `size` among `codes`, shape (size,) int32; -1 where there is none."""
    places = np.full(size, -1, np.int32)
    places[codes] = np.arange(len(codes))
    return take_ownership(places)


def _counts(starts: Codes, rows_of: Codes) -> Codes:
    lengths = np.append(np.diff(starts), 0).astype(np.int32)
    return take_ownership(lengths[rows_of])


def rows_of(starts: Codes, owners: Codes, first: int | None = None) -> tuple[Codes, Codes]:
    """The rows of these owners: each row's owner, as a place in `owners`, and its number; both have shape (rows,).

    All of them, or the `first` ones of each.
    """
    counts = np.where(owners >= 0, starts[owners + 1] - starts[owners], 0)
    counts = counts if first is None else np.minimum(counts, first)
    user = np.repeat(np.arange(len(owners)), counts)
    begin = np.repeat(starts[owners] - (np.cumsum(counts) - counts), counts)
    return user, begin + np.arange(len(user))


def keys_of(pairs: Any, users: Ids, items: Ids) -> Codes:
    """Sorted keys, user * items + item, of pairs given as labels, shape (pairs,); unknown ids are left out."""
    user, item = users.codes_of(pairs.users), items.codes_of(pairs.items)
    by_row, of_row = np.repeat(user, pairs.lengths), item[pairs.item] if len(pairs.item) else pairs.item
    known = (by_row >= 0) & (of_row >= 0)
    return take_ownership(np.sort(by_row[known] * len(items) + of_row[known]))
