"""Batches of users, each scored by itself, put together to what one evaluation of all of them is."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation.judged_cases import WholeData
from rankconv.data.arrays import Codes, Mask
from rankconv.data.attributes import Groups
from rankconv.data.ids import Ids, Kind, make_ids
from rankconv.data.joined import Joined, SideData, check_common
from rankconv.data.joined import put_together as join_all
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.data.raw_ids import unite
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured, Refusal
from rankconv.engine.plan import Stop, policy_of_all_data, unmet
from rankconv.engine.run import populations, run
from rankconv.engine.summed import reading_all, spanning
from rankconv.presets.definition import Definition

NONE = Ids(np.empty(0, object), "none")


def spans_users(definition: Definition) -> bool:
    """Whether what it gives a user may depend on the data of others, beyond the mean."""
    return definition.pools or bool(spanning(definition) or reading_all(definition))


@dataclass(frozen=True, eq=False)
class Part:
    """What a definition makes of one batch, without the data."""

    found: Aggregate
    unmet: Refusal | None
    """What the batch lacks that the definition needs."""


@dataclass(frozen=True, eq=False)
class Batch:
    """One batch: who was in it, and what came out."""

    users: Ids
    item_kind: Kind
    labelled: Mask
    """Who is in the labels, be it without a row."""
    ranked: Mask
    label_counts: Codes
    list_counts: Codes
    scored: bool | None
    """Whether the rows have scores; None without rows."""
    library: str
    seen: bool
    """Whether items were given that users had seen."""
    parts: list[Part]
    data: Joined | None = field(repr=False)
    """Labels and rankings, where a definition looks across users."""

    @classmethod
    def of(cls, joined: Joined, definitions: Sequence[Definition], per_user: bool, keep_data: bool) -> "Batch":
        """The batch of these data, scored by these definitions."""
        rankings = joined.rankings
        return cls(
            users=joined.users,
            item_kind=joined.item_kind,
            labelled=joined.label_rows_of >= 0,
            ranked=joined.list_rows_of >= 0,
            label_counts=joined.label_counts,
            list_counts=joined.list_counts,
            scored=rankings.scored if rankings.row_count else None,
            library=rankings.library or joined.labels.library,
            seen=joined.extra.seen is not None,
            parts=_scored(joined, definitions, per_user),
            data=joined if keep_data else None,
        )

    def unlike(self, other: "Batch") -> str:
        """In what another batch is of another kind, in words; nothing where both could be one."""
        for what, ours, theirs in (
            ("user", self.users.kind, other.users.kind),
            ("item", self.item_kind, other.item_kind),
        ):
            if "none" not in (ours, theirs) and ours != theirs:
                return f"has {what} ids that are {theirs}, and those of the batches before are {ours}"
        if self.scored is not None and other.scored is not None and self.scored != other.scored:
            return f"has lists {_with(other.scored)} scores, and those of the batches before are {_with(self.scored)}"
        if self.seen != other.seen:
            return f"came {_with(other.seen)} seen=, and the batches before {_with(self.seen)}"
        return ""


def _scored(joined: Joined, definitions: Sequence[Definition], per_user: bool) -> list[Part]:
    """Each definition on one batch; what the data are as a whole is not known yet."""
    masks = populations(joined, definitions, None)
    parts = [Part(Aggregate(one, len(joined.users), per_user), unmet(joined, one)) for one in definitions]
    met = [part.found for part in parts if part.unmet is None]
    run(joined, [one.reader(masks[one.definition.aggregation.given("users")]) for one in met])
    return parts


def put_together(
    batches: Sequence[Batch], definitions: Sequence[Definition], per_user: bool
) -> tuple[Ids, list[Measured]]:
    """All users, and what each definition makes of all batches; InputError where no user has both labels and a list."""
    whole, places = outline(batches)
    masks = populations(whole, definitions, None)
    measured = []
    for at, one in enumerate(definitions):
        users, parts = masks[one.aggregation.given("users")], [batch.parts[at] for batch in batches]
        found, stop = Aggregate(one, len(whole.users), per_user), _stop(whole, one, parts)
        for part, place in zip(parts, places, strict=True) if stop is None else ():
            found.include(part.found, place)
        measured.append(found.finish(whole.users, users, stop))
    return whole.users, measured


def _stop(whole: Joined, definition: Definition, parts: Sequence[Part]) -> Stop | None:
    """Why nobody is scored; what a batch lacks, the data lack."""
    lacking = next((part.unmet for part in parts if part.unmet), None)
    policy = "" if lacking else policy_of_all_data(WholeData.of(whole), definition)
    return Stop(lacking, policy) if lacking or policy else None


def _with(given: bool) -> str:
    return "with" if given else "without"


def outline(batches: Sequence[Batch]) -> tuple[Joined, list[Codes]]:
    """All users with the numbers of their rows, but not the rows; and where those of each batch stand.

    Places have shape (users of the batch,). Users with labels come first, as they do where labels and rankings are
    joined at once. Raises InputError where no user at all has both.
    """
    sizes = [len(batch.users) for batch in batches]
    labelled, ranked = (_strung([getattr(one, name) for one in batches], bool) for name in ("labelled", "ranked"))
    strung = _strung_ids(batches)
    sides = [Ids(strung.values[who], strung.kind) for who in (labelled, ranked)]
    check_common(sides[0], sides[1], int((labelled & ranked).sum()))
    order = np.argsort(~labelled, kind="stable")
    users = Ids(strung.values[order], strung.kind)
    counts = [_strung([getattr(one, name) for one in batches], np.int64) for name in ("label_counts", "list_counts")]
    starts = [np.append(0, np.cumsum(count[order])) for count in counts]
    nothing, place = np.empty(0, np.int64), np.arange(len(order))
    whole = Joined(
        Labels(users, NONE, starts[0], nothing, np.empty(0)),
        Run(users, NONE, starts[1], nothing, None),
        users,
        np.where(labelled[order], place, -1),
        np.where(ranked[order], place, -1),
    )
    standing = np.empty_like(order)
    standing[order] = place
    return whole, np.split(standing, np.cumsum(sizes)[:-1]) if batches else []


def all_together(batches: Sequence[Joined]) -> Joined:
    """The data of all batches, joined."""
    labels, rankings = [one.labels for one in batches], [one.rankings for one in batches]
    (label_items, label_item), (list_items, list_item) = _items(labels), _items(rankings)
    grades = _strung([one.grade for one in labels], np.float64)
    scores = [one.score for one in rankings if one.score is not None]
    joined = join_all(
        Labels(
            _strung_ids(labels),
            label_items,
            _starts(labels),
            label_item,
            grades,
            groups=_groups(labels, label_items),
        ),
        Run(
            _strung_ids(rankings),
            list_items,
            _starts(rankings),
            list_item,
            _strung(scores, np.float64) if scores else None,
            rank=_ranks(rankings),
        ),
    )
    seen = [_moved(one.extra.seen, one, joined) for one in batches if one.extra.seen is not None]
    shared = next((one.extra for one in batches), SideData())
    return replace(joined, extra=replace(shared, seen=np.sort(np.concatenate(seen)) if seen else None))


def _strung(parts: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    """The parts one after the other, shape (sum of their lengths,)."""
    return np.concatenate([np.empty(0, kind), *parts]).astype(kind)


def _ranks(parts: Sequence[Run]) -> NDArray[np.float64] | None:
    """The rank of each row of all parts, shape (rows,), 0 in those without ranks; None where no part has any."""
    if all(part.rank is None for part in parts):
        return None
    return _strung([np.zeros(part.row_count) if part.rank is None else part.rank for part in parts], np.float64)


def _strung_ids(parts: Sequence[Labels] | Sequence[Run] | Sequence["Batch"]) -> Ids:
    """The ids of the users of all parts; no user is in two."""
    return make_ids([user for part in parts for user in part.users.values.tolist()], "user")


def _starts(parts: Sequence[Labels] | Sequence[Run]) -> Codes:
    return np.append(0, np.cumsum(_strung([part.lengths for part in parts], np.int64)))


def _items(parts: Sequence[Labels] | Sequence[Run]) -> tuple[Ids, Codes]:
    """The distinct items of all parts, and the code of the item of each row, shape (rows,)."""
    items, rows = NONE, []
    for part in parts:
        items, codes = unite(items, part.items, "item")
        rows.append(codes[part.item])
    return items, _strung(rows, np.int64)


def _groups(parts: Sequence[Labels], items: Ids) -> Groups | None:
    """The groups of the labels of all parts, with these items; None where some came in none."""
    groups = [part.groups for part in parts if part.groups is not None]
    if not parts or len(groups) < len(parts):
        return None
    names, group, item = NONE, [], []
    for part, one in zip(parts, groups, strict=True):
        names, codes = unite(names, one.names, "group")
        group.append(codes[one.group])
        item.append(np.array([items.code_of[value] for value in part.items.values.tolist()], np.int64)[one.item])
    starts = np.append(0, np.cumsum(_strung([np.diff(one.starts) for one in groups], np.int64)))
    grades = _strung([one.grade for one in groups], np.float64)
    weights = [one.weight for one in groups if one.weight is not None]
    weight = _strung(weights, np.float64) if len(weights) == len(groups) else None
    return Groups(names, starts, _strung(group, np.int64), _strung(item, np.int64), grades, weight)


def _moved(keys: Codes, batch: Joined, whole: Joined) -> Codes:
    """Keys of users and items of a batch, shape (pairs,), as keys of the whole."""
    users, items = (
        np.array([code_of[value] for value in ids.values.tolist()], np.int64)
        for ids, code_of in ((batch.users, whole.users.code_of), (batch.items, whole.items.code_of))
    )
    user, item = np.divmod(keys, max(len(items), 1))
    return users[user] * len(whole.items) + items[item] if len(keys) else keys
