"""The sums of the data of an evaluation, of which digests are made: they add up over parts that share no user."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.conventions.data_parts import DataPart
from rankconv.data.arrays import Codes, among, begins, within
from rankconv.data.attributes import Features, Groups, GroupTargets, Parents
from rankconv.data.digest import (
    DigestSum,
    Hashes,
    id_hashes,
    mixed,
    number_hashes,
    place_hashes,
    sum_of,
    sum_of_pairs,
    summed,
    text_hash,
)
from rankconv.data.ids import Ids
from rankconv.data.joined import Joined, rows_of
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.row_digests import Sums, sums_of_labels, sums_of_run
from rankconv.engine.metric_result import SIDE_DATA
from rankconv.engine.needs import spanning
from rankconv.preparation.steps.subtopics import NEED, NEED_WEIGHTS
from rankconv.presets.definition import Definition

SidePart = Literal[
    "calls",
    "subtopics",
    "weights",
    "seen",
    "train",
    "features",
    "items",
    "parents",
    "propensities",
    "shown",
    "catalogue",
    "labelled",
    "target",
]
SignedPart = Literal["labels", "run", "label-repeats"] | DataPart | SidePart
NEEDS: dict[str, SidePart] = {
    NEED: "subtopics",
    NEED_WEIGHTS: "weights",
    "seen": "seen",
    "train": "train",
    "features": "features",
    "the items of the catalogue": "items",
    "parents": "parents",
    "propensities": "propensities",
    "shown": "shown",
    "catalogue": "catalogue",
    "group_target": "target",
}
"""By what a definition needs, the part of the data that it is."""
OF_LABELS: tuple[SignedPart, ...] = ("labels", "grades", "label-order", "label-repeats", "subtopics", "weights")
OF_RUN: tuple[SignedPart, ...] = ("run", "scores", "order", "order-repeats", "ranks", "calls")
SHARED: tuple[SignedPart, ...] = (
    "train",
    "features",
    "items",
    "parents",
    "propensities",
    "shown",
    "catalogue",
    "labelled",
    "target",
)
"""What is the same for all parts of the users, and so is compared and not added."""
IN_ORDER: tuple[SignedPart, ...] = ("user-order",)
"""What parts of the users do not add up to."""
State = Literal["made", "not-read", "not-made"]
"""Whether there are sums of some data: not where these were not read whole, or where no sums were wanted."""


def parts_of(definition: Definition) -> frozenset[SignedPart]:
    """What a definition reads of labels, run and side data.

    The items of the labels and the ranking, which all read, and the grades and scores, which all signatures state, are
    among it.
    """
    needed = {NEEDS[need] for need in definition.needs if need in NEEDS}
    found: set[SignedPart] = {"labels", "run", "label-repeats", "calls", *needed, *definition.data_read}
    if definition.reads_all_data:
        found |= {*NEEDS.values()}
    if spanning(definition):
        found.add("labelled")
    return frozenset(found)


@dataclass(frozen=True)
class DataSums:
    """What the users of some data add up to, by part; plain, so that it can be sent and saved."""

    sums: tuple[tuple[str, int, int, int], ...] = ()
    """Name, users, and both lanes, by name."""
    unread: tuple[str, ...] = ()
    """Parts of data that were not read whole."""
    is_made: bool = True
    """Whether sums were wanted."""

    @classmethod
    def of(cls, sums: Mapping[str, DigestSum], unread: Iterable[str] = ()) -> "DataSums":
        """These sums, of which those of nobody say nothing."""
        known = ((name, one) for name, one in sums.items() if one.users and name not in {*unread})
        plain = ((name, one.users, one.first, one.second) for name, one in known)
        return cls(tuple(sorted(plain)), tuple(sorted({*unread})))

    @property
    def by_part(self) -> dict[str, DigestSum]:
        """The sums by part."""
        return {name: DigestSum(*numbers) for name, *numbers in self.sums}

    def plus(self, other: "DataSums", where: str = "") -> "DataSums":
        """Both together, of which no user is in both; an InputError where side data that all users share differ."""
        if not (self.is_made and other.is_made):
            return NOT_MADE
        ours, theirs = self.by_part, other.by_part
        both = dict(ours)
        for name, one in theirs.items():
            if name in SHARED and ours.get(name, one) != one:
                wrong = f"parts of the data do not fit each other (other {_GIVEN.get(name, name)}=)"
                raise InputError(wrong, where=where, do=f"Pass all users with the same {_GIVEN.get(name, name)}=")
            both[name] = one if name in SHARED else ours.get(name, DigestSum()) + one
        return DataSums.of(both, {*self.unread, *other.unread})

    def with_unread(self, *parts: SignedPart) -> "DataSums":
        """The same, where these parts were not read whole."""
        return DataSums.of(self.by_part, {*self.unread, *parts}) if self.is_made else self

    def with_users(self, users: Ids) -> "DataSums":
        """The same, with the order of all users."""
        if not self.is_made:
            return self
        unread = {*self.unread} - {*IN_ORDER}
        return replace(DataSums.of(self.by_part | {"user-order": _order_of(users)}, unread))


NOT_MADE = DataSums(is_made=False)
_GIVEN = SIDE_DATA | {"items": "catalogue"}
"""The argument by which a caller gives side data, by their part."""


def parts_of_run(run: Run) -> Iterator[SignedPart]:
    """The parts of this run; without several searches it has no calls, however little of it was read."""
    return (part for part in OF_RUN if part != "calls" or run.calls is not None)


def sums_of(joined: Joined, wanted: Collection[SignedPart], *, part: bool = False) -> DataSums:
    """The sums of these data, as far as they are `wanted`; `part` says that other users may be added."""
    labels, run, unread = joined.labels, joined.rankings, set[SignedPart]()
    found: Sums = {}
    if labels.form.labels_cut is None:
        found |= sums_of_labels(labels, wanted)
    else:
        unread |= {"grades", *(one for one in OF_LABELS if one in wanted and one != "label-repeats")}
    if run.form.cut is None:
        found |= sums_of_run(run, wanted)
    else:
        unread |= {"scores", *(one for one in parts_of_run(run) if one in wanted)}
    if "user-order" in wanted:
        if part:
            unread.add("user-order")
        else:
            found["user-order"] = _order_of(joined.users)
    for name, sums in _SIDE.items():
        if name in wanted and (one := sums(joined)) is not None:
            found[name] = one
    return DataSums.of(found, unread)


def nameless(products: Hashes) -> DigestSum:
    """The sum of rows that are of no user, each a product, shape (rows,)."""
    with np.errstate(over="ignore"):
        whole = products.sum(dtype=np.uint64, keepdims=True)
    return sum_of(np.ones(1, np.uint64), np.array([len(products)]), whole)


def sum_of_ids(ids: Ids) -> DigestSum:
    """The sum of ids, whatever their order."""
    return nameless(id_hashes(ids))


def _order_of(users: Ids) -> DigestSum:
    with np.errstate(over="ignore"):
        return nameless(id_hashes(users) * place_hashes(len(users)))


# side data of each user


def _of_calls(joined: Joined) -> DigestSum | None:
    """The rows of each call at their places, with their scores and ranks, and how many calls each user has."""
    run, calls = joined.rankings, joined.rankings.calls
    if calls is None:
        return None
    of_row, place = (
        calls.of_row,
        place_hashes(int(max(calls.counts.max(initial=0), np.diff(calls.rows).max(initial=0)))),
    )
    with np.errstate(over="ignore"):
        products = id_hashes(run.items)[run.item] * (mixed(place[calls.place[of_row]]) + place[within(of_row)])
        for values in (calls.score, calls.rank):
            if values is not None:
                products = mixed(products) * number_hashes(values)
    return sum_of(id_hashes(run.users), calls.counts, summed(products, run.starts))


def _of_groups(joined: Joined) -> DigestSum | None:
    groups = joined.labels.groups
    return None if groups is None else _by_group(joined.labels, groups, number_hashes(groups.grade))


def _of_weights(joined: Joined) -> DigestSum | None:
    groups = joined.labels.groups
    if groups is None or groups.weight is None:
        return None
    return _by_group(joined.labels, groups, number_hashes(groups.weight))


def _by_group(labels: Labels, groups: Groups, values: Hashes) -> DigestSum:
    """The sum of the rows of groups, each with a value, shape (rows,)."""
    with np.errstate(over="ignore"):
        of_item, of_group = mixed(id_hashes(labels.items)), id_hashes(groups.names)
        products = (mixed(of_group[groups.group] + of_item[groups.item]) | np.uint64(1)) * values
    owner = np.repeat(np.arange(len(labels.users)), np.diff(groups.starts))
    return sum_of_pairs(id_hashes(labels.users), owner, products)


def _of_seen(joined: Joined) -> DigestSum | None:
    """Of seen items those that a user has a label for or a row with; of chunks those of the documents of these."""
    seen, items = joined.extra.seen, joined.items
    if seen is None:
        return None
    user, item = np.divmod(seen, max(len(items), 1))
    code = np.arange(len(items))
    if joined.extra.parents is not None:
        code = joined.extra.parents.documents(items)[0]
    labelled, label = rows_of(joined.labels.starts, joined.label_rows_of)
    listed, row = rows_of(joined.rankings.starts, joined.list_rows_of)
    own = np.append(
        _keys(labelled, code[joined.labels.item[label]], items), _keys(listed, code[joined.list_item[row]], items)
    )
    there = among(_keys(user, code[item], items), np.unique(own))
    return sum_of_pairs(id_hashes(joined.users), user[there], id_hashes(items)[item[there]])


def _keys(user: Codes, code: Codes, items: Ids) -> Codes:
    return user * len(items) + code


# side data of all users


_KNOWN: "WeakKeyDictionary[object, DigestSum]" = WeakKeyDictionary()
"""The sums of side data that batch after batch shares."""


def _once(data: object, sums: Callable[[], DigestSum]) -> DigestSum:
    """The sum of these data, which do not change, made once."""
    if data not in _KNOWN:
        _KNOWN[data] = sums()
    return _KNOWN[data]


def _of_train(joined: Joined) -> DigestSum | None:
    train = joined.extra.train
    return None if train is None else _once(train, lambda: sums_of_labels(train, ())["grades"])


def _of_features(joined: Joined) -> DigestSum | None:
    features = joined.extra.features
    return None if features is None else _once(features, lambda: _sum_of_features(features))


def _sum_of_features(features: Features) -> DigestSum:
    vectors = features.vectors
    with np.errstate(over="ignore"):
        products = (number_hashes(vectors) * place_hashes(vectors.shape[1])).sum(axis=1, dtype=np.uint64)
    return sum_of(id_hashes(features.items), np.full(len(vectors), vectors.shape[1]), products)


def _of_target(joined: Joined) -> DigestSum | None:
    target = joined.extra.group_target
    return None if target is None else _once(target, lambda: _sum_of_target(target))


def _sum_of_target(target: GroupTargets) -> DigestSum:
    """The shares of each user, or those of all, by the names of their groups."""
    names = np.array([text_hash(name) for name in target.groups], np.uint64)
    with np.errstate(over="ignore"):
        products = (number_hashes(target.shares) * (mixed(names) | np.uint64(1))).sum(axis=1, dtype=np.uint64)
    if target.users is None:
        return nameless(products)
    return sum_of(id_hashes(target.users), np.full(len(products), len(names)), products)


def _of_items(joined: Joined) -> DigestSum | None:
    items = joined.extra.catalogue_items
    return None if items is None else _once(items, lambda: sum_of_ids(items))


def _of_catalogue(joined: Joined) -> DigestSum | None:
    """How many items there are, in place of a number of users."""
    return None if joined.extra.catalogue is None else DigestSum(joined.extra.catalogue)


def _of_parents(joined: Joined) -> DigestSum | None:
    parents = joined.extra.parents
    return None if parents is None else _once(parents, lambda: _sum_of_parents(parents))


def _sum_of_parents(parents: Parents) -> DigestSum:
    if parents.separator:
        return nameless(np.array([text_hash(parents.separator)], np.uint64))
    chunks, documents = parents.pairs
    with np.errstate(over="ignore"):
        return nameless(id_hashes(chunks) * mixed(id_hashes(documents)))


def _of_propensities(joined: Joined) -> DigestSum | None:
    given = joined.extra.propensities
    if given is None:
        return None
    return _once(
        given, lambda: sum_of(id_hashes(given.items), np.ones(len(given.values), int), number_hashes(given.values))
    )


def _of_shown(joined: Joined) -> DigestSum | None:
    """Of the lists as they were shown."""
    shown = joined.extra.shown
    return None if shown is None else _once(shown, lambda: sums_of_run(_as_shown(shown), ())["run"])


def _as_shown(shown: Run) -> Run:
    """The lists without scores and ranks, which say nothing but the order that they have."""
    lists: Run = shown.replace(score=None, rank=None, by_score=False)
    return lists


def _of_labelled(joined: Joined) -> DigestSum:
    """The items that any user has a label for."""
    given, labels = joined.extra.labelled_items, joined.labels
    if given is not None:
        return _once(given, lambda: sum_of_ids(given))
    item = np.sort(labels.item)
    return nameless(id_hashes(labels.items)[item[begins(item)]])


_SIDE: dict[SidePart, Callable[[Joined], DigestSum | None]] = {
    "calls": _of_calls,
    "subtopics": _of_groups,
    "weights": _of_weights,
    "seen": _of_seen,
    "train": _of_train,
    "features": _of_features,
    "items": _of_items,
    "catalogue": _of_catalogue,
    "parents": _of_parents,
    "propensities": _of_propensities,
    "shown": _of_shown,
    "labelled": _of_labelled,
    "target": _of_target,
}
