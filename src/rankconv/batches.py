"""Batches of users, each scored by itself, put together to what one evaluation of all of them is."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.averaging import Seen
from rankconv.averaging.sums import ExactSum
from rankconv.collected import Collected
from rankconv.definition import Definition
from rankconv.kept import Kept
from rankconv.measured import Refusal
from rankconv.ranking.data import Labels, Rankings
from rankconv.ranking.ids import Codes, Ids, Kind, make_ids, unite
from rankconv.ranking.joined import Extra, Joined, check_common, put_together
from rankconv.ranking.rows import Mask
from rankconv.scoring import SCORED

NONE = Ids(np.empty(0, object), "none")


def spans_users(definition: Definition) -> bool:
    """Whether what it gives a user may depend on the data of others, beyond the mean."""
    answers = definition.metric.answers.values()
    return definition.judging.pools or any(answer.option.traits.get("spans_users") for answer in answers)


class OfBatch(Collected):
    """One definition on one batch; what the data are as a whole is not known yet."""

    def _stopped_by_data(self) -> bool:
        return False


@dataclass(frozen=True, eq=False)
class Part:
    """What is left of a definition on one batch, without the data."""

    kept: Kept | None
    tally: Codes
    summed: ExactSum
    seen: Seen
    unmet: list[Refusal]
    refused: dict[str, tuple[int, str]]

    @classmethod
    def of(cls, run: OfBatch) -> "Part":
        """What is left of this one."""
        return cls(run.kept, run.tally, run.summed, run.seen, run.refusals, run.refused)


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
    def of(cls, joined: Joined, runs: Sequence[OfBatch], keep_data: bool) -> "Batch":
        """The batch of these data, scored by these definitions."""
        rankings = joined.rankings
        return cls(
            users=joined.users,
            item_kind=joined.items.kind,
            labelled=joined.label_rows_of >= 0,
            ranked=joined.list_rows_of >= 0,
            label_counts=joined.label_counts,
            list_counts=joined.list_counts,
            scored=rankings.score is not None if len(rankings.item) else None,
            library=rankings.library or joined.labels.library,
            seen=joined.extra.seen is not None,
            parts=[Part.of(run) for run in runs],
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


def _with(given: bool) -> str:
    return "with" if given else "without"


def outline(batches: Sequence[Batch]) -> tuple[Joined, list[Codes]]:
    """All users with the numbers of their rows, but not the rows; and where those of each batch stand.

    Users with labels come first, as they do where labels and rankings are joined at once. Raises InputError where no
    user at all has both.
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
        Rankings(users, NONE, starts[1], nothing, None),
        users,
        NONE,
        np.where(labelled[order], place, -1),
        np.where(ranked[order], place, -1),
        None,
    )
    standing = np.empty_like(order)
    standing[order] = place
    return whole, np.split(standing, np.cumsum(sizes)[:-1]) if batches else []


class Whole(Collected):
    """One definition over all batches."""

    def __init__(
        self,
        joined: Joined,
        definition: Definition,
        population: Mask,
        per_user: bool,
        parts: Sequence[Part],
        places: Sequence[Codes],
    ) -> None:
        """`joined` is the outline of the data; `places` are those of the users of each part in it."""
        self._parts = parts
        super().__init__(joined, definition, population, per_user)
        if not self.stopped:
            for part, place in zip(parts, places, strict=True):
                self._take_part(part, place)

    def _unmet_need(self) -> bool:
        """The outline has nothing itself; what a batch lacks, the data lack."""
        self.refusals += next((part.unmet for part in self._parts if part.unmet), [])
        return bool(self.refusals)

    def _take_part(self, part: Part, place: Codes) -> None:
        self.tally[SCORED:] += part.tally[SCORED:]
        self.summed.include(part.summed)
        self.seen.include(part.seen)
        if self.kept is not None and part.kept is not None:
            self.kept.put(part.kept, place)
        for cause, (user, what) in part.refused.items():
            there = int(place[user])
            if cause not in self.refused or there < self.refused[cause][0]:
                self.refused[cause] = (there, what)


def all_together(batches: Sequence[Joined]) -> Joined:
    """The data of all batches, joined."""
    labels, rankings = [one.labels for one in batches], [one.rankings for one in batches]
    (label_items, label_item), (list_items, list_item) = _items(labels), _items(rankings)
    grades = _strung([one.grade for one in labels], np.float64)
    scores = [one.score for one in rankings if one.score is not None]
    joined = put_together(
        Labels(_strung_ids(labels), label_items, _starts(labels), label_item, grades),
        Rankings(
            _strung_ids(rankings),
            list_items,
            _starts(rankings),
            list_item,
            _strung(scores, np.float64) if scores else None,
        ),
    )
    seen = [_moved(one.extra.seen, one, joined) for one in batches if one.extra.seen is not None]
    catalogue = next((one.extra.catalogue for one in batches), None)
    return replace(joined, extra=Extra(catalogue, np.sort(np.concatenate(seen)) if seen else None))


def _strung(parts: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    """One after the other."""
    return np.concatenate([np.empty(0, kind), *parts]).astype(kind)


def _strung_ids(parts: Sequence[Labels] | Sequence[Rankings] | Sequence["Batch"]) -> Ids:
    """The ids of the users of all parts, of whom none is in two."""
    return make_ids([user for part in parts for user in part.users.values.tolist()], "user")


def _starts(parts: Sequence[Labels] | Sequence[Rankings]) -> Codes:
    return np.append(0, np.cumsum(_strung([part.lengths for part in parts], np.int64)))


def _items(parts: Sequence[Labels] | Sequence[Rankings]) -> tuple[Ids, Codes]:
    """The items of all parts, and the code of each row's."""
    items, rows = NONE, []
    for part in parts:
        items, codes = unite(items, part.items, "item")
        rows.append(codes[part.item])
    return items, _strung(rows, np.int64)


def _moved(keys: Codes, batch: Joined, whole: Joined) -> Codes:
    """Keys of users and items of a batch as keys of the whole."""
    users, items = (
        np.array([code_of[value] for value in ids.values.tolist()], np.int64)
        for ids, code_of in ((batch.users, whole.users.code_of), (batch.items, whole.items.code_of))
    )
    user, item = np.divmod(keys, max(len(items), 1))
    return users[user] * len(whole.items) + items[item] if len(keys) else keys
