"""Parts of the users: their sums, and batches that are joined."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation.judged_cases import WholeData
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.attributes import Groups
from rankconv.data.ids import Ids, Kind, make_ids, unite
from rankconv.data.joined import Joined, SideData, check_common
from rankconv.data.joined import put_together as join_all
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured, Refusal
from rankconv.engine.plan import NUMBERED_ITEMS, Stop, in_words, lacks, policy_of_all_data, tied, unmet
from rankconv.engine.run import populations, run
from rankconv.engine.summed import Id, Summed, reading_all, spanning
from rankconv.errors import InputError
from rankconv.presets.definition import Definition

PartCallback = Callable[[Joined, Sequence[Aggregate]], None]
"""Called with the data of a part and what became of each of them, by the order of the definitions."""
EXAMPLES = 3
"""So many ids of each side a message shows where no user is on both."""


@dataclass(frozen=True)
class Counted:
    """What is known of the data of some users, without the data."""

    users: Kind = "none"
    items: Kind = "none"
    """Whether ids are text or integers."""
    scored: bool | None = None
    """Whether rows have scores; None without rows."""
    seen: bool | None = None
    """Whether items were given that users had seen; None before there were users."""
    labelled: int = 0
    """Users who are in the labels alone."""
    ranked: int = 0
    """Users who are in the rankings alone."""
    both: int = 0
    label_rows: int = 0
    list_rows: int = 0
    examples: tuple[tuple[Id, ...], tuple[Id, ...]] = ((), ())
    """The least ids of either side, as long as no user is on both."""
    labelled_items: str = ""
    """A digest of the items that any user has a label for, where the caller gave them."""
    odd_item: str = ""
    """The least item id, as text, that is no number, where a definition compares them as numbers."""

    @classmethod
    def of(cls, joined: Joined, numbered: bool) -> "Counted":
        """The counts of these data; `numbered` says whether item ids are looked at as numbers."""
        labelled, ranked = joined.label_rows_of >= 0, joined.list_rows_of >= 0
        both, rows = int((labelled & ranked).sum()), joined.rankings.row_count
        return cls(
            users=joined.users.kind,
            items=joined.item_kind,
            scored=joined.rankings.scored if rows else None,
            seen=joined.extra.seen is not None,
            labelled=int(labelled.sum()) - both,
            ranked=int(ranked.sum()) - both,
            both=both,
            label_rows=joined.labels.row_count,
            list_rows=rows,
            examples=((), ()) if both else (_least(joined.labels.users), _least(joined.rankings.users)),
            labelled_items="" if joined.extra.labelled_items is None else joined.extra.labelled_items.digest,
            odd_item=joined.items.not_a_number if numbered else "",
        )

    @property
    def size(self) -> int:
        """The number of users."""
        return self.labelled + self.ranked + self.both

    def plus(self, other: "Counted") -> "Counted":
        """Both together; an InputError where they cannot be parts of one data set."""
        both = self.both + other.both
        sides = zip(self.examples, other.examples, strict=True)
        labelled, ranked = (tuple(sorted({*ours, *theirs})[:EXAMPLES]) for ours, theirs in sides)
        return Counted(
            users=_one_of("user ids that are", self.users, other.users),
            items=_one_of("item ids that are", self.items, other.items),
            scored=_one_of("lists with scores:", self.scored, other.scored),
            seen=_one_of("seen= given:", self.seen, other.seen),
            labelled=self.labelled + other.labelled,
            ranked=self.ranked + other.ranked,
            both=both,
            label_rows=self.label_rows + other.label_rows,
            list_rows=self.list_rows + other.list_rows,
            examples=((), ()) if both else (labelled, ranked),
            labelled_items=_one_of("labelled= is", self.labelled_items or None, other.labelled_items or None) or "",
            odd_item=min(filter(None, (self.odd_item, other.odd_item)), default=""),
        )

    def check(self) -> None:
        """An InputError where no user is on both sides, though there are users on either."""
        if self.labelled and self.ranked and not self.both:
            labelled, ranked = (", ".join(map(repr, some)) for some in self.examples)
            raise InputError(
                "the labels and the rankings have no user in common",
                allowed=f"Labels have {labelled}, …; rankings have {ranked}, …",
                do="Check that both name users in the same way.",
            )


def _least(ids: Ids) -> tuple[Id, ...]:
    return tuple(np.sort(ids.values)[:EXAMPLES].tolist())


def _one_of(what: str, ours: Any, theirs: Any) -> Any:
    """What both have, one of which may have nothing; an InputError where they differ."""
    if {ours, theirs} & {None, "none"} or ours == theirs:
        return theirs if ours in (None, "none") else ours
    text = " and ".join({True: "yes", False: "no"}.get(one, str(one)) for one in sorted((ours, theirs)))
    do = "Write both in one form" if "ids" in what else "Pass all users in the same form"
    raise InputError(f"parts of the data do not fit each other ({what} {text})", do=do)


@dataclass(frozen=True)
class PartOfUsers:
    """The counts of a part, and what each definition makes of it, in the order of the definitions."""

    counted: Counted
    summed: tuple[Summed, ...]

    @classmethod
    def nobody(cls, definitions: Sequence[Definition]) -> "PartOfUsers":
        """The part without a user."""
        return cls(Counted(), (Summed(),) * len(definitions))

    @classmethod
    def of(
        cls, joined: Joined, definitions: Sequence[Definition], on_part: PartCallback | None = None
    ) -> "PartOfUsers":
        """These users, each in this part only; where a listener is given, with each of them."""
        found = _aggregated(joined, definitions, per_user=on_part is not None)
        if on_part is not None:
            on_part(joined, found)
        summed = (replace(one.summed(joined.users), **_missing(joined, one.definition)) for one in found)
        return cls(Counted.of(joined, any(NUMBERED_ITEMS in one.needs for one in definitions)), tuple(summed))

    def plus(self, other: "PartOfUsers", definitions: Sequence[Definition]) -> "PartOfUsers":
        """Both together, whose users must be different; an InputError where they cannot be parts of one data set."""
        counted = self.counted.plus(other.counted)  # first: rows of other kinds of ids cannot be put together
        each = zip(self.summed, other.summed, definitions, strict=True)
        return PartOfUsers(counted, tuple(ours.plus(theirs, one.aggregation) for ours, theirs, one in each))

    def measured(self, definitions: Sequence[Definition]) -> list[Measured]:
        """What comes out where these are all users; an InputError where no user has both labels and a list."""
        self.counted.check()
        each = zip(definitions, self.summed, strict=True)
        size = self.counted.size
        return [Aggregate.of(one, summed, size).finish_summed(self._stop(one, summed)) for one, summed in each]

    def _stop(self, definition: Definition, summed: Summed) -> Stop | None:
        wrong = summed.unmet
        if summed.tied and self.counted.odd_item:
            wrong = in_words(definition, NUMBERED_ITEMS, f"'{self.counted.odd_item}' is none")
        data = WholeData(self.counted.size, self.counted.label_rows)
        policy = "" if wrong else policy_of_all_data(data, definition)
        return Stop(Refusal(definition, "needs", wrong) if wrong else None, policy) if wrong or policy else None


def values_of(joined: Joined, definitions: Sequence[Definition]) -> list[Numbers]:
    """What each definition gives each user, shape (users,), whatever becomes of the number of all users."""
    return [one.of_each[0] for one in _aggregated(joined, definitions, per_user=True)]


def _aggregated(joined: Joined, definitions: Sequence[Definition], *, per_user: bool) -> list[Aggregate]:
    masks = populations(joined, definitions, None)
    found = [Aggregate(one, len(joined.users), per_user) for one in definitions]
    met = [one for one in found if not any(_lacking(joined, one.definition).values())]
    run(joined, [one.reader(masks[one.definition.aggregation.given("users")]) for one in met])
    return found


def _lacking(joined: Joined, definition: Definition) -> dict[str, str]:
    """What the definition needs, each with what is wrong with it in these data, in words."""
    return {need: lacks(joined, need, definition.preparation) for need in definition.needs}


def _missing(joined: Joined, definition: Definition) -> dict[str, Any]:
    lacking = {need: wrong for need, wrong in _lacking(joined, definition).items() if wrong and need != NUMBERED_ITEMS}
    need, wrong = next(iter(lacking.items()), ("", ""))
    numbered = NUMBERED_ITEMS in definition.needs
    unmet = in_words(definition, need, wrong) if need else ""
    return {"unmet": unmet, "tied": numbered and tied(joined, definition.preparation)}


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
