"""Blocks whose rows are prepared one by one: of users, of the groups of their labels, of all lists put together."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self, TypeVar

import numpy as np

from rankconv.conventions.convention import Setting
from rankconv.data.arrays import Codes, Mask, Numbers, set_readonly, within
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.each_call import EachCall
from rankconv.data.joined import rows_of
from rankconv.preparation.arithmetic import RankValues
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.label_block import GradedRows, falling, of_user
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.searches import CALLS, CallTraits
from rankconv.preparation.steps.subtopics import Pairs, has_relevant, pairs_of, split, split_own
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import (
    NOTHING,
    KnownLabels,
    LabelRows,
    ListRows,
    WorkingBlock,
    working_block,
)


class RowBlock(Block):
    """A block whose rows were prepared one by one."""

    def __init__(self, prepared: WorkingBlock, hit: Mask, preparation: Preparation) -> None:
        super().__init__(prepared.joined, prepared.users, preparation, prepared.in_rankings, prepared.label_rows)
        self._left = prepared, hit
        self.refused, self.reasons = prepared.refused, prepared.reasons
        self.aligned_arrays, self.k = prepared.aligned_arrays, prepared.k

    @property
    def _prepared(self) -> tuple[WorkingBlock, Mask]:
        return self._left

    @cached_property
    def graded_labels(self) -> GradedRows | None:
        """The labels that exist by what decides their gains; None where that is more than few grades."""
        return GradedRows.of(self.known.grade, self.known.relevant)

    @cached_property
    def graded_rows(self) -> GradedRows | None:
        """The rows with a grade by what decides their gains; None where that is more than few grades."""
        rows, graded = self._rows, self._rows_with_grade
        return GradedRows.of(rows.grade[graded], rows.relevant[graded])

    @cached_property
    def _counts_of_grades(self) -> Numbers:
        """How many labels each user has of each kind, shape (kinds, users)."""
        assert self.graded_labels is not None
        return self.graded_labels.counts(self.known.user, self.size)

    def gains_of_known(self, gain: Setting) -> Numbers:
        graded = self.graded_labels if _of_grades(gain) else None
        if graded is None:
            return super().gains_of_known(gain)
        gains = self.worth(gain, graded.grade, graded.relevant)[graded.kind]
        return gains if self.known.weight is None else gains * self.known.weight

    def _gains_of_graded_rows(self, gain: Setting) -> Numbers:
        graded = self.graded_rows if _of_grades(gain) else None
        if graded is None:
            return super()._gains_of_graded_rows(gain)
        return self.worth(gain, graded.grade, graded.relevant)[graded.kind]

    def ideal_gains(self, gain: Setting, ranks: int | None) -> RankValues:
        graded = None if self.known.at_end.any() else self._graded_ideal(gain)
        return super().ideal_gains(gain, ranks) if graded is None else self._falling(gain, graded, True, ranks)

    def relevant_gains(self, gain: Setting, ranks: int | None) -> RankValues:
        graded = self._graded_ideal(gain)
        if graded is None:
            return super().relevant_gains(gain, ranks)
        return self._falling(gain, graded, graded.relevant, ranks)

    def _graded_ideal(self, gain: Setting) -> GradedRows | None:
        """The labels by grade, where their gains hang on that alone."""
        return self.graded_labels if _of_grades(gain) and self.known.weight is None else None

    def _falling(self, gain: Setting, graded: GradedRows, there: Mask | bool, ranks: int | None) -> RankValues:
        """The gains of those kinds of labels that are `there`, shape (kinds,), falling, shape (ranks, users)."""
        counts = self._counts_of_grades
        occurring: Mask = np.asarray(counts.any(axis=1) & there)
        most = int(counts[occurring].sum(axis=0).max(initial=0))
        ranks = most if ranks is None else min(ranks, most)
        return falling(self.worth(gain, graded.grade, graded.relevant), counts, occurring, ranks)

    def weighed(self, of_rows: Numbers, of_labels: Numbers) -> Self:
        """The block where each hit and each gain counts the weight of its item.

        `of_rows` are the weights of the prepared rows, shape (rows,), and `of_labels` those of the labels that exist,
        shape (labels,).
        """
        prepared, hit = copy(self._left[0]), self._left[1]
        prepared.rows, prepared.known = copy(prepared.rows), copy(self.known)
        prepared.rows.item_weight, prepared.known.weight = of_rows, of_labels
        return type(self)(prepared, hit, self.preparation).sized_as(self)

    def sized_as(self, other: Block) -> Self:
        """The block with the lengths and the tie rule of another, whose rows it has down to the rank that is read."""
        self.deepest, self.as_given = other.deepest, other.as_given
        self.tie_rule, self.keeps_ties = other.tie_rule, other.keeps_ties
        self.lengths, self.depth = other.lengths, other.depth
        return self


def _of_grades(gain: Setting) -> bool:
    """Whether what it gives follows from grades and relevance; a caller's function is given labels one by one."""
    return gain.setting_type.has_name and not of_user(gain)


def row_block(block: Block) -> RowBlock:
    """The block with its rows prepared one by one: down to the rank that is read, or whole where ties reach deeper.

    NeedsWholeLists where rows or labels were not read.
    """
    if isinstance(block, RowBlock):
        return block
    joined = block.joined
    if joined.rankings.form.cut is not None or joined.labels.form.labels_cut is not None:
        raise NeedsWholeLists
    if block.tie_rule is TieEffect.EXPECTED:
        return prepare(working_block(joined, block.users).copy(block.k), block.preparation)
    return RowBlock(block.prepared, block.hit_rows, block.preparation).sized_as(block)


def prepare(block: WorkingBlock, preparation: Preparation, kind: type[RowBlock] = RowBlock) -> RowBlock:
    """Apply the steps of one preparation to a block's rows, which it changes."""
    for step in preparation.steps:
        step.take(block)
    return kind(block, preparation.settings["min-score"](block=block), preparation)


Chosen = Sequence[tuple[Block, Mask]]
"""Prepared blocks, each with those of its users whose lists are put together."""
Rows = TypeVar("Rows", LabelRows, ListRows, KnownLabels)


@dataclass(frozen=True, eq=False)
class Pool:
    """The rows and labels of many users as those of one, and whose they were.

    Rows are by falling score, those of equal score by grade, so that the order of the users changes nothing.
    """

    prepared: WorkingBlock
    """Of one user; an item of two users is two items."""
    hit: Mask
    """Which rows are hits, shape (rows,)."""
    preparation: Preparation
    owners: Mapping[str, Codes]
    """Whose each of the `labels`, `rows` and `labels-used` labels is: a place among the users, shape as these."""
    users: Codes
    """The users whose lists are put together, shape (users,)."""
    label_rows: Codes
    """How many rows of labels each of them has, shape (users,)."""

    @classmethod
    def of(cls, chosen: Chosen) -> "Pool":
        """The lists of these users."""
        users = np.concatenate([block.users for block, _ in chosen])
        whole = merged([block.prepared for block, _ in chosen], users)
        hit, inside = (
            np.concatenate(parts) for parts in zip(*((one.hit_rows, who) for one, who in chosen), strict=True)
        )
        working, hit, owners = _one_user(whole, hit, inside)
        rows = working.rows
        order = np.lexsort((rows.place, hit, np.nan_to_num(rows.grade), -rows.score))
        rows.take(order)
        owners["rows"] = owners["rows"][order]
        place = np.cumsum(inside) - 1
        owners = {name: place[owner] for name, owner in owners.items()}
        return cls(working, hit[order], chosen[0][0].preparation, owners, users[inside], whole.label_rows[inside])

    @property
    def block(self) -> Block:
        """All lists as one."""
        return RowBlock(self.prepared, self.hit, self.preparation)

    def drawn(self, times: Codes) -> Block:
        """All lists as one, each user's as often as `times` says, shape (users,); copies hold items of their own."""
        prepared, known = copy(self.prepared), self.prepared.known
        assert known is not None
        prepared.labels = self._repeated("labels", self.prepared.labels, times)
        prepared.rows = self._repeated("rows", self.prepared.rows, times)
        prepared.known = self._repeated("known", known, times)
        prepared.label_rows = np.array([(self.label_rows * times).sum()])
        return RowBlock(prepared, self.hit[_again(times[self.owners["rows"]])[0]], self.preparation)

    def _repeated(self, name: str, part: Rows, times: Codes) -> Rows:
        """Each row as often as its owner was drawn, `times` having shape (users,); labels of copies are copies too."""
        at, which = _again(times[self.owners[name]])
        one = copy(part)
        for field, values in vars(part).items():
            if values is not None:
                setattr(one, field, values[at])
        one.item = np.where(one.item == NOTHING, NOTHING, which * self._items + one.item)
        if not isinstance(one, LabelRows):
            often = np.append(times[self.owners["labels"]], 0)
            one.label = np.where(one.label < 0, one.label, (np.cumsum(often) - often)[one.label] + which)
        return one

    @cached_property
    def _items(self) -> int:
        """More than any item's number, and a multiple of the number of items."""
        return self.prepared.items * len(self.prepared.joined.users)


def _again(often: Codes) -> tuple[Codes, Codes]:
    """Each row as often as requested, shape (rows,): its place, and which of its copies it is, shape (copies,)."""
    at = np.repeat(np.arange(len(often)), often)
    return at, np.arange(len(at)) - np.repeat(np.cumsum(often) - often, often)


def _one_user(prepared: WorkingBlock, hit: Mask, inside: Mask) -> tuple[WorkingBlock, Mask, dict[str, Codes]]:
    """The rows and labels of the users `inside`, shape (users,), as one user's, which rows are hits, and whose each is.

    An item of two users becomes two items.
    """
    labels, rows = copy(prepared.labels), copy(prepared.rows)
    assert prepared.known is not None
    labels.exists = labels.exists & inside[labels.user]
    labels.in_pool = labels.in_pool & inside[labels.user]
    kept = inside[rows.user]
    rows.item = np.where(rows.item == NOTHING, NOTHING, prepared.users[rows.user] * prepared.items + rows.item)
    rows.take(kept)
    known = prepared.known.take(np.flatnonzero(inside[prepared.known.user]))
    owners = {"labels": labels.user, "rows": rows.user, "known": known.user}
    for part in (labels, rows, known):
        part.user = np.zeros(len(part.user), np.int64)
    one = WorkingBlock(prepared.joined, np.zeros(1, np.int64), labels, rows, prepared.scored, prepared.k)
    one.known, one.aligned_arrays = known, prepared.aligned_arrays
    reasons = [reason.take(inside[reason.user]) for reason in prepared.reasons]
    one.reasons = [replace(reason, user=reason.user * 0) for reason in reasons if len(reason.user)]
    one.refused, one.label_rows = np.array([bool(one.reasons)]), np.array([prepared.label_rows[inside].sum()])
    one.in_rankings = np.array([prepared.in_rankings[inside].any()])
    return one, hit[kept], owners


def merged(parts: Sequence[WorkingBlock], users: Codes) -> WorkingBlock:
    """The prepared rows and labels of several blocks as those of one, block after block; `users` has shape (users,)."""
    first_user = np.cumsum([0, *(part.size for part in parts)])
    first_label = np.cumsum([0, *(len(part.labels.user) for part in parts)])
    starts = {"user": first_user, "label": first_label}
    known = [part.known for part in parts if part.known is not None]
    labels, rows = (_stacked([getattr(part, name) for part in parts], starts) for name in ("labels", "rows"))
    one = WorkingBlock(parts[0].joined, users, labels, rows, parts[0].scored, parts[0].k)
    one.known, one.aligned_arrays = _stacked(known, starts), parts[0].aligned_arrays
    for name in ("refused", "label_rows", "in_rankings"):
        setattr(one, name, np.concatenate([getattr(part, name) for part in parts]))
    one.reasons = [
        replace(reason, user=reason.user + start)
        for part, start in zip(parts, first_user, strict=False)
        for reason in part.reasons
    ]
    return one


def _stacked(parts: Sequence[Rows], starts: Mapping[str, Codes]) -> Rows:
    """The rows of all parts, shape (rows of all parts,), with users and labels numbered on from part to part.

    -1 stays -1. `starts` has the first number of each part, shape (parts,).
    """
    one = copy(parts[0])
    for name, values in vars(one).items():
        if values is not None:
            moved = [getattr(part, name) for part in parts]
            if name in starts:
                each = zip(moved, starts[name], strict=False)
                moved = [np.where(codes >= 0, codes + start, codes) for codes, start in each]
            setattr(one, name, np.concatenate(moved))
    return one


@dataclass(frozen=True, eq=False)
class SeparateParts:
    """Parts of a block's users, each prepared as if it were a user of its own."""

    block: Block
    """Its users are the parts."""
    user: Codes
    """The user of each part, as a place in the block, shape (parts,)."""
    place: Codes
    """The place of each part among those of its user, from 0, shape (parts,)."""
    users: int
    """How many users there are."""

    def added(self, values: Any) -> Any:
        """The sum over the parts of each user of values of shape (parts,) or (ranks, parts): (…, users).

        Parts are added in their order, so that a sum does not depend on who else is in the block.
        """
        if values.ndim == 1 and values.dtype != object:
            return np.bincount(self.user, weights=values, minlength=self.users)
        total: Any = self.numbers(np.zeros((*values.shape[:-1], self.users)))
        for here in self._by_place:
            total[..., self.user[here]] = total[..., self.user[here]] + values[..., here]
        return total

    def numbers(self, values: Numbers) -> Any:
        """The numbers with which values are computed, shape as `values`."""
        return self.block.numbers(values)

    @cached_property
    def _by_place(self) -> list[Codes]:
        """The first parts of all users, then the second ones, and so on, each of shape (parts there,).

        No user occurs twice in one of these.
        """
        return np.split(np.argsort(self.place), np.cumsum(np.bincount(self.place))[:-1])


@dataclass(frozen=True, eq=False)
class SeparateSubtopics(SeparateParts):
    """The groups of a block's users: each has the list of its user and the labels of the group alone."""

    name: Codes
    """The code of each group's name, -1 where it has none, shape (groups,)."""
    weight: Numbers
    """What each group weighs, shape (groups,)."""
    total: Numbers
    """By what the weighted sum over the groups of a user is divided, shape (users,)."""

    def names(self, user: int = 0) -> list[str]:
        """The names of the groups of a user, by their place in the block; numbers where they have none."""
        groups = self.block.joined.labels.groups
        here = np.flatnonzero(self.user == user)
        if groups is None:
            return [str(place + 1) for place in self.place[here].tolist()]
        return [str(groups.names.id(code)) for code in self.name[here].tolist()]


def separate_subtopics(block: Block) -> SeparateSubtopics:
    """The groups of the block's users, prepared in the same way; made once: `block.once(separate_subtopics)`."""
    settings = block.preparation.settings
    users = block.users_of_lists("groups are looked at one by one")
    pairs = _that_weigh(pairs_of(block.joined, users, settings["no-subtopic"].traits.ungrouped), block)
    preparation = block.preparation.replace({"subtopics": "ignore"})
    alone = _prepared_alone(block, pairs, preparation)
    given = None if pairs.weight is None else block.numbers(pairs.weight)
    weight, whole = settings["subtopic-weight"](relevant=alone.relevant_count, given=given)
    made = SeparateSubtopics(alone, pairs.user, pairs.place, block.size, pairs.name, weight, np.zeros(block.size))
    return replace(made, total=made.added(weight) if whole else block.numbers(np.ones(block.size)))


def _that_weigh(pairs: Pairs, block: Block) -> Pairs:
    """Those that can weigh something: where each label is a group of its own, most may be without a relevant one."""
    settings = block.preparation.settings
    given = None if pairs.weight is None else block.numbers(pairs.weight)
    weight, _ = settings["subtopic-weight"](relevant=np.zeros(len(pairs.user), np.int64), given=given)
    return pairs.take((np.asarray(weight, np.float64) > 0) | has_relevant(block.joined, block.users, pairs, settings))


def _prepared_alone(block: Block, pairs: Pairs, preparation: Preparation) -> Block:
    """The groups as if each were a user, with its rows and labels prepared on their own."""
    own = preparation.uses_relevant_labels_alone and not block.joined.has_spans
    working = (split_own if own else split)(block.joined, block.users, pairs, block.k, block.as_given)
    made = prepare(working, preparation, type(block) if isinstance(block, RowBlock) else RowBlock)
    if block.as_given is not None:
        made.as_given = block.as_given
        made.lengths = set_readonly(np.maximum(block.lengths[pairs.user], working.rows.counts(working.size)))
    return made


@dataclass(frozen=True, eq=False)
class SeparateCalls(SeparateParts):
    """The calls of a block's users: each has the list of the call and the labels of the task."""

    called: Sequence[str]
    """The name of each call, shape (calls,)."""

    def value(self, values: Any, lower_is_better: bool) -> tuple[Any, Any]:
        """Numerator and denominator of each user, of the values of the calls, of shape (calls,)."""
        of_each = CallTraits.of(self.block.preparation.settings[CALLS.name]).of_each
        assert of_each is not None
        found: tuple[Any, Any] = of_each(values, self, lower_is_better)
        return found


def separate_calls(block: Block) -> SeparateCalls:
    """The calls of the block's users, prepared in the same way; made once: `block.once(separate_calls)`."""
    users = block.users_of_lists("searches are looked at one by one")
    each = block.joined.once(EachCall.of)
    user, call = rows_of(each.starts, users)
    rows = working_block(each.joined, call).copy(block.k)
    alone = prepare(rows, block.preparation, type(block) if isinstance(block, RowBlock) else RowBlock)
    return SeparateCalls(alone, user, within(user), block.size, [each.names[one] for one in call.tolist()])
