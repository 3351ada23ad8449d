"""What labels in groups mean: each of several items may serve a group, and an item several groups."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.traits import AT_ONCE
from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.data.joined import Joined, rows_of
from rankconv.preparation.steps.labels import GRADES, NEGATIVE, decide_relevant
from rankconv.preparation.working_rows import KnownLabels, LabelRows, ListRows, WorkingBlock, match, unmatched_block

NEED = "labels in groups"
"""What the labels must have come as, where somebody looks at groups."""
NEED_WEIGHTS = "weights of groups"
"""What the labels must tell of their groups, where these weigh what the caller says."""


SUBTOPICS = Convention("subtopics", "Labels in subtopics", reads=(), closed=True, tells="labels in groups")


@SUBTOPICS.setting("ignore", rule="labels like any others", plain="always", rises=True, no="")
def _() -> None:
    """An item of several groups is one label, with the highest of its grades."""


@SUBTOPICS.setting(
    "any",
    rule="a group counts once: the first row with any of its items is the hit",
    needs=(NEED,),
    reads_order=True,
    rises=True,
    says=(
        "labels come in groups, and any item of a group will do: the first one in the list is a hit for it, further "
        "ones are misses, and the relevant labels are the groups with a relevant item"
    ),
)
def _() -> None:
    """R is the number of groups with a relevant item; an item that is the first for several groups is a hit each time.

    The ideal list has one item of each group, its best; so nDCG may pass 1 where an item serves several groups at once.
    """


@SUBTOPICS.setting(
    "separate",
    rule="each group is evaluated alone, and the metric is the weighted mean over groups",
    needs=(NEED,),
    separate=True,
    rises=True,
    plain="always",
    cite="agrawal2009",
    says="labels come in groups; the metric is taken of each group alone and averaged over the groups",
)
def _() -> None:
    """Intent-aware: MAP-IA, P-IA, nDCG-IA. A group for which the metric is 0/0 adds nothing."""


NO_SUBTOPIC = Convention(
    "no-subtopic", "Labels without a subtopic", reads=(), closed=True, tells="labels without groups"
)


@NO_SUBTOPIC.setting("refuse", rule="nothing that groups can be made of", plain="always", no="")
def _() -> None:
    """A definition that needs groups has no number then."""


@NO_SUBTOPIC.setting(
    "own", rule="a group each", ungrouped="own", plain="always", says="labels without groups are a group each"
)
def _() -> None:
    """Every labelled item is needed."""


@NO_SUBTOPIC.setting(
    "one", rule="one group", ungrouped="one", plain="always", says="all labels of a user without groups are one group"
)
def _() -> None:
    """Any labelled item will do."""


SUBTOPIC_WEIGHT = Convention(
    "subtopic-weight",
    "Weight of each subtopic",
    reads=("relevant", "given"),
    closed=True,
    tells="groups of different size",
)
"""A setting gives the weight of each group, shape (groups,), and whether it is divided by their sum; `relevant` is how
many relevant labels each group has, and `given` what the caller says that it weighs, both of that shape."""


def _has(relevant: Numbers) -> Numbers:
    return np.asarray(relevant * 0 + 1) * (np.asarray(relevant, np.float64) > 0)


@SUBTOPIC_WEIGHT.setting("even", rule="1 / number of groups with a relevant label", plain="always", no="")
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """A group without a relevant label is left out, as no list can serve it."""
    return _has(relevant), True


@SUBTOPIC_WEIGHT.setting(
    "relevant",
    rule="its share of the relevant labels",
    plain="always",
    says="a group weighs as much as it has relevant labels",
)
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """The more items serve a group, the likelier is it what the user wants."""
    return relevant, True


@SUBTOPIC_WEIGHT.setting(
    "given",
    rule="the weight that the caller gives, by the sum of a user's",
    needs=(NEED_WEIGHTS,),
    plain="always",
    cite="agrawal2009",
    says="a group has the weight given by the caller",
)
def _(given: Numbers) -> tuple[Numbers, bool]:
    """The probability of each intent, also of one that no item serves."""
    return given, True


@SUBTOPIC_WEIGHT.setting(
    "one", rule="1: a sum over groups", plain="always", says="the groups are added up, not averaged"
)
def _(relevant: Numbers) -> tuple[Numbers, bool]:
    """As alpha-DCG adds them up before it is divided by anything."""
    return _has(relevant), False


@NO_SUBTOPIC.idle("")
@SUBTOPIC_WEIGHT.idle("")
def _(context: Context) -> bool:
    """Nobody looks at groups, whatever the settings of the metric's conventions are that are not given."""
    metric = {} if context.metric is None else context.metric.conventions()
    unset = [convention for name, convention in metric.items() if name not in context.settings]
    may_look = any(NEED in one.traits.needs for convention in unset for one in convention.setting_types.values())
    looks = may_look or (context.metric is not None and NEED in context.metric.needs)
    return (
        "subtopics" in context.settings
        and not looks
        and all(NEED not in setting.traits.needs for setting in context.settings.values())
    )


Ungrouped = Literal["", "own", "one"]
"""What labels are that came in no groups: no groups at all, a group each, or one group."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """The groups of a block of users, those of a user together by their names, and the rows of their labels.

    So sums over groups do not depend on the order in which they came.
    """

    user: Codes
    """The user of each pair, as a place in the block, shape (pairs,)."""
    name: Codes
    """The code of the group's name, shape (pairs,); -1 where groups have none."""
    pair: Codes
    """The pair of each row, shape (rows,)."""
    item: Codes
    grade: Numbers
    weight: Numbers | None = None
    """What the caller says that each pair weighs, shape (pairs,)."""

    @property
    def place(self) -> Codes:
        """The place of each pair among those of its user, from 0, shape (pairs,)."""
        return within(self.user)

    def take(self, kept: Mask) -> "Pairs":
        """Some of the pairs, a mask of shape (pairs,), and their rows."""
        if kept.all():
            return self
        row, number = kept[self.pair], np.cumsum(kept) - 1
        weight = None if self.weight is None else self.weight[kept]
        pair, item, grade = number[self.pair[row]], self.item[row], self.grade[row]
        return Pairs(self.user[kept], self.name[kept], pair, item, grade, weight)


def pairs_of(joined: Joined, users: Codes, ungrouped: Ungrouped) -> Pairs:
    """The pairs of these users, shape (users,), which are joined codes."""
    labels, groups = joined.labels, joined.labels.groups
    if groups is not None:
        user, row = rows_of(groups.starts, joined.label_rows_of[users])
        weight = None if groups.weight is None else groups.weight[row]
        group = groups.group[row]
        return _pairs(user, groups.names.text_rank[group], groups.item[row], groups.grade[row], group, weight)
    user, row = rows_of(labels.starts, joined.label_rows_of[users])
    item, nameless = labels.item[row], np.full(len(row), -1)
    place = joined.items.text_rank[item] if ungrouped == "own" else nameless + 1
    return _pairs(user, place, item, labels.grade[row], nameless)


def _pairs(user: Codes, place: Codes, item: Codes, grade: Numbers, name: Codes, weight: Numbers | None = None) -> Pairs:
    """The pairs of rows that stand grouped by user; all arrays have shape (rows,).

    `place` is that of the group of each row among all groups.
    """
    key = user * (int(place.max(initial=0)) + 1) + place
    if (key[1:] >= key[:-1]).all():
        first = np.flatnonzero(np.append(True, key[1:] != key[:-1])[: len(key)])
        pair = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(key))))
    else:
        _, first, pair = np.unique(key, return_index=True, return_inverse=True)
    return Pairs(user[first], name[first], pair, item, grade, None if weight is None else weight[first])


def split(joined: Joined, users: Codes, pairs: Pairs, k: int | None, first: int | None = None) -> WorkingBlock:
    """The lists of these users, shape (users,), or their `first` rows, once for each of their groups, with its labels.

    It is before any preparation. What is labelled for another group of the user alone counts as judged here too,
    and not relevant: it has grade 0.
    """
    # Each user is matched once and repeated by places: sorting all repeated labels would take ten times as long.
    whole = unmatched_block(joined, users, first)
    whole.rows.label = match(whole.labels, whole.rows, len(joined.items))
    pair, label = rows_of(_starts(whole.label_rows), pairs.user)
    at = _starts(whole.label_rows[pairs.user])[:-1] - _starts(whole.label_rows)[pairs.user]
    others = np.ones(len(pair), bool)
    others[_own_places(whole.labels, pairs, at, len(joined.items))] = False
    there = np.flatnonzero(others)
    order = np.argsort(np.append(pairs.pair, pair[there]), kind="stable")
    labels = LabelRows(
        np.append(pairs.pair, pair[there])[order],
        np.append(pairs.item, whole.labels.item[label[there]])[order],
        np.append(pairs.grade, np.zeros(len(there)))[order],
    )
    labels.elsewhere = order >= len(pairs.pair)
    rows, row = _copied_rows(whole, pairs)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    own, known = match(LabelRows(pairs.pair, pairs.item, pairs.grade), rows, len(joined.items)), whole.rows.label[row]
    rest = np.flatnonzero((own < 0) & (known >= 0))
    rows.label = np.where(own >= 0, place[own], -1) if len(place) else own
    rows.label[rest] = place[len(pairs.pair) - 1 + np.cumsum(others)[at[rows.user[rest]] + known[rest]]]
    return WorkingBlock(joined, users[pairs.user], labels, rows, scored=whole.scored, k=k)


def split_own(joined: Joined, users: Codes, pairs: Pairs, k: int | None, first: int | None = None) -> WorkingBlock:
    """The same where what is labelled for another group alone is dropped before it counts: it is left out at once."""
    whole = unmatched_block(joined, users, first)
    order = np.argsort(pairs.pair, kind="stable")
    labels = LabelRows(pairs.pair[order], pairs.item[order], pairs.grade[order])
    rows, _ = _copied_rows(whole, pairs)
    rows.label = match(labels, rows, len(joined.items))
    return WorkingBlock(joined, users[pairs.user], labels, rows, scored=whole.scored, k=k)


def _copied_rows(whole: WorkingBlock, pairs: Pairs) -> tuple[ListRows, Codes]:
    """The list of each pair's user once more, and which row of the block each row is of, shape (rows,)."""
    pair, row = rows_of(_starts(whole.rows.counts(whole.size)), pairs.user)
    return ListRows(pair, whole.rows.item[row], whole.rows.place[row], whole.rows.score[row]), row


def _starts(counts: Codes) -> Codes:
    """Where the rows of each begin, and where the last ones end; counts have shape (users,), starts (users + 1,)."""
    return np.append(0, np.cumsum(counts))


def _own_places(labels: LabelRows, pairs: Pairs, at: Codes, items: int) -> Codes:
    """Where the labels of the pairs' own items stand among the labels of their users, once for each pair.

    Label l of a user is row `at[p] + l` of their pair p; at has shape (pairs,), the places shape (own labels,).
    """
    keys = labels.user * items + labels.item
    order = np.argsort(keys, kind="stable")
    wanted = pairs.user[pairs.pair] * items + pairs.item
    first, end = (np.searchsorted(keys[order], wanted, side=side) for side in ("left", "right"))
    row = np.repeat(np.arange(len(wanted)), end - first)
    places: Codes = at[pairs.pair[row]] + order[first[row] + within(row)]
    return places


def count_once(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Where a group counts once, keep its first row as a hit, and one label of it."""
    if settings["subtopics"].text != "any":
        return
    pairs = pairs_of(block.joined, block.users, settings["no-subtopic"].traits.ungrouped)
    served = _relevant(block.joined, block.users, pairs, settings)
    first = _first_for(block, pairs, served)
    rows = block.rows
    rows.grade = np.where(rows.relevant & (first == 0), np.nan, rows.grade)
    rows.relevant = rows.relevant & (first > 0)
    if (first > 1).any():
        rows.hits = np.maximum(first, 1).astype(float)
        rows.weight = rows.hits if rows.weight is None else rows.weight * rows.hits
    block.known = _one_of_each(block, pairs, served)


def has_relevant(joined: Joined, users: Codes, pairs: Pairs, settings: Mapping[str, Setting]) -> Mask:
    """Whether each group has a label that may be relevant, shape (pairs,); users are joined codes."""
    labels = _relevant(joined, users, pairs, settings)
    found: Mask = np.bincount(labels.user[labels.relevant], minlength=len(pairs.user)) > 0
    return found


def _relevant(joined: Joined, users: Codes, pairs: Pairs, settings: Mapping[str, Setting]) -> LabelRows:
    """The rows of the groups, each prepared as a label of a group of its own."""
    labels = LabelRows(pairs.pair, pairs.item, pairs.grade.copy())
    alone = WorkingBlock(joined, users[pairs.user], labels, ListRows.none(), False)
    for convention_name in (GRADES, NEGATIVE):
        if settings[convention_name.name].traits.moment == AT_ONCE:
            settings[convention_name.name](block=alone)
    decide_relevant(alone, settings)
    return labels


def _first_for(block: WorkingBlock, pairs: Pairs, served: LabelRows) -> Codes:
    """For how many groups each row is the first that serves them, shape (rows,)."""
    kept = np.flatnonzero(served.relevant)
    keys = pairs.user[served.user[kept]] * block.items + served.item[kept]
    order = np.argsort(keys, kind="stable")
    wanted = block.rows.user * block.items + block.rows.item
    low, high = (np.searchsorted(keys[order], wanted, side=side) for side in ("left", "right"))
    times = np.where(block.rows.item >= 0, high - low, 0)
    row = np.repeat(np.arange(len(times)), times)
    at = np.repeat(low - (np.cumsum(times) - times), times) + np.arange(len(row))
    _, first = np.unique(served.user[kept][order][at], return_index=True)
    return np.bincount(row[first], minlength=len(times))


def _one_of_each(block: WorkingBlock, pairs: Pairs, served: LabelRows) -> KnownLabels:
    """The labels that exist: the best of each group that has a relevant one, and all that are not relevant."""
    known = block.known
    assert known is not None
    if block.aligned_arrays:
        return block.known_from_rows(np.nan_to_num(block.rows.grade))  # some rows may have gone since they were settled
    kept = np.flatnonzero(served.relevant)
    best = kept[np.lexsort((-served.grade[kept], served.user[kept]))]
    best = best[np.append(True, served.user[best][1:] != served.user[best][:-1])[: len(best)]]
    others = known.take(np.flatnonzero(~known.relevant))
    user = pairs.user[served.user[best]]
    rows = ListRows(user, served.item[best], user, np.zeros(len(user)))
    chosen = KnownLabels(
        user,
        served.grade[best],
        np.ones(len(best), bool),
        np.zeros(len(best), bool),
        served.item[best],
        match(block.labels, rows, block.items),
    )
    return _together(chosen, others)


def _together(one: KnownLabels, other: KnownLabels) -> KnownLabels:
    """Both, grouped by user."""
    columns: list[Any] = [
        np.append(getattr(one, name), getattr(other, name)) for name in vars(one) if name not in ("weight", "length")
    ]
    both = KnownLabels(*columns)
    return both.take(np.argsort(both.user, kind="stable"))
