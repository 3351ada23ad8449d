"""The lists of users under many preparations: what several make equally of a list is prepared and measured once."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, within
from rankconv.data.digest import Hashes
from rankconv.data.joined import Joined
from rankconv.preparation.blocks.row_block import RowBlock, merged
from rankconv.preparation.collapse import COLLAPSE
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.searches import CALLS, as_evaluated
from rankconv.preparation.steps import OF_GROUPS
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import KnownLabels, LabelRows, ListRows, WorkingBlock, working_block

PreparedRows = TypeVar("PreparedRows", LabelRows, ListRows, KnownLabels)
FACTOR, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


def prepared_in_turn(
    joined: Joined, users: Codes, k: int | None, preparations: Iterable[Preparation]
) -> Iterator[tuple[Preparation, RowBlock]]:
    """The lists of these users, shape (users,), under each preparation; first steps that several have are taken once.

    The preparations come in another order, in which those with the same first steps are neighbours. A block is not to
    be changed.
    """
    data, before, states = None, list[Step](), list[WorkingBlock]()
    for one in sorted(preparations, key=lambda one: (one.given(CALLS.name), one.given(COLLAPSE.name), _path(one))):
        own, path = as_evaluated(joined, one.settings), _path(one)
        if own is not data:
            data, before, states = own, [], [_given(own, users, k)]
        common = min(_common(before, path), len(states) - 1)
        before, states = path, states[: common + 1]
        for step in one.steps[common:]:
            states.append(_copied(states[-1]))
            step.take(states[-1])
        yield one, _block(states[-1], one)


def prepared_with_changes(
    joined: Joined, users: Codes, k: int | None, own: Preparation, others: Iterable[Preparation]
) -> Iterator[tuple[Preparation, RowBlock]]:
    """The lists of these users, shape (users,), under one preparation and then under others that are like it.

    Steps that they have in common with the first are taken once. One that makes what another has made is left out.
    """
    data, path = as_evaluated(joined, own.settings), _path(own)
    states = [_given(data, users, k)]
    for step in own.steps:
        states.append(_copied(states[-1]))
        step.take(states[-1])
    yield own, _block(states[-1], own)
    known = {(last, _beyond_steps(own), _digest(state)) for last, state in enumerate(reversed(states))}
    for one in others:
        its, same_data = _path(one), as_evaluated(joined, one.settings) is data
        first = _common(path, its) if same_data else 0
        last = min(_common(path[::-1], its[::-1]), min(len(path), len(its)) - first) if same_data else 0
        state = _copied(states[first]) if same_data else _given(as_evaluated(joined, one.settings), users, k)
        for step in one.steps[first : len(its) - last]:
            step.take(state)
        key = last, _beyond_steps(one), _digest(state)
        if key not in known:
            known.add(key)
            for step in one.steps[len(its) - last :]:
                step.take(state)
            yield one, _block(state, one)


Step = tuple[str, ...]
"""What is done, by name, and the settings that decide it."""


def _path(preparation: Preparation) -> list[Step]:
    return [(step.convention_name, *step.reads) for step in preparation.steps]


def _common(one: Sequence[Step], other: Sequence[Step]) -> int:
    """How many steps both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _given(joined: Joined, users: Codes, k: int | None) -> WorkingBlock:
    block = working_block(joined, users)
    block.k = k
    return block


def _block(state: WorkingBlock, preparation: Preparation) -> RowBlock:
    return RowBlock(state, preparation.settings["min-score"](block=state), preparation)


def _beyond_steps(preparation: Preparation) -> tuple[object, ...]:
    """What it decides by no step."""
    names = (CALLS.name, COLLAPSE.name, "min-score", *(convention.name for convention in OF_GROUPS))
    level = preparation.settings["relevant"].keywords.get("level")
    return *_order_of_rows(preparation), *map(preparation.given, names), level, *preparation.added


def _order_of_rows(preparation: Preparation) -> tuple[object, ...]:
    """What it says of ties and of how far a list is read, whatever its steps made."""
    settled = preparation.tie_rule is TieEffect.ORDER
    ties = preparation.tie_rule.name, "" if settled else preparation.given("ties"), preparation.by_score
    return *ties, preparation.cut, preparation.keeps_ties, preparation.settings["order"].traits.reads_ranks


def _digest(block: WorkingBlock) -> int:
    """Equal where all rows are."""
    parts = [part for part in (block.labels, block.rows, block.known) if part is not None]
    columns = [(name, values) for part in parts for name, values in vars(part).items() if values is not None]
    zero = getattr(block, "unlabelled_relevant", block.refused)
    whole = [(name, values.tobytes()) for name, values in [*columns, ("refused", block.refused), ("zero", zero)]]
    return hash((*whole, block.aligned_arrays, block.most_relevant))


def _copied(block: WorkingBlock) -> WorkingBlock:
    """The rows as they are between two steps."""
    one = copy(block)
    one.labels, one.rows = _copied_rows(block.labels), _copied_rows(block.rows)
    one.known = None if block.known is None else _copied_rows(block.known)
    one.refused, one.reasons = block.refused.copy(), [*block.reasons]
    return one


def _copied_rows(rows: PreparedRows) -> PreparedRows:
    one = copy(rows)
    for name, values in vars(rows).items():
        if values is not None:
            setattr(one, name, values.copy())
    return one


def equal_in_blocks(block: RowBlock, *, by_level: bool) -> tuple[object, ...]:
    """What metrics and policies ask of the preparation itself: equal where prepared lists may stand in one block."""
    preparation, rows = block.preparation, block.prepared.rows
    if preparation.separates_subtopics or preparation.added or block.evaluates_each_call:
        return (preparation,)
    level = preparation.settings["relevant"].keywords.get("level") if by_level else None
    there = sorted(name for name, values in vars(rows).items() if values is not None)
    return (
        *_order_of_rows(preparation),
        level,
        preparation.given(CALLS.name),
        preparation.given(COLLAPSE.name),
        block.aligned_arrays,
        *there,
    )


@dataclass(eq=False)
class ListStates:
    """The different prepared lists of each user, under preparations that are equal in blocks."""

    ways: list[Codes] = field(init=False, default_factory=list)
    """The different ways to prepare: for each user the place of the list, shape (users,)."""
    _hashes: list[Hashes] = field(init=False, repr=False, default_factory=list)
    _blocks: list[RowBlock] = field(init=False, repr=False, default_factory=list)
    _count: int = field(init=False, repr=False, default=0)

    def add(self, block: RowBlock) -> int:
        """Add the lists of a prepared block, which has all users; return the place of this way to prepare."""
        hashes = state_hashes(block)
        new, places = np.ones(block.size, bool), np.zeros(block.size, np.int64)
        if self.ways:
            same, ways = np.array(self._hashes) == hashes, np.array(self.ways)
            if same.all(axis=1).any():
                return int(same.all(axis=1).argmax())
            new, places = ~same.any(axis=0), ways[same.argmax(axis=0), np.arange(block.size)]
        if new.any():
            self._blocks.append(_of_users(block, new))
        self.ways.append(np.where(new, self._count + np.cumsum(new) - 1, places))
        self._hashes.append(hashes)
        self._count += int(new.sum())
        return len(self.ways) - 1

    @property
    def block(self) -> RowBlock:
        """All lists, each as that of a user."""
        users = np.concatenate([part.users for part in self._blocks])
        hits = np.concatenate([part.hit_rows for part in self._blocks])
        prepared = merged([part.prepared for part in self._blocks], users)
        return RowBlock(prepared, hits, self._blocks[0].preparation)


def state_hashes(block: RowBlock) -> Hashes:
    """One number for each user, equal where all that was prepared is equal, shape (users,)."""
    prepared, size = block.prepared, block.size
    total = _mixed(np.arange(size, dtype=np.uint64), prepared.refused)
    for rows, more in ((prepared.rows, (block.hit_rows,)), (prepared.labels, ()), (prepared.known, ())):
        assert rows is not None
        columns = [values for values in vars(rows).values() if values is not None]
        mixed = _mixed(within(rows.user).astype(np.uint64), *columns, *more)
        of_user = np.zeros(size, np.uint64)
        np.add.at(of_user, rows.user, mixed)
        total = _mixed(total, of_user)
    return total


def _mixed(start: Hashes, *columns: NDArray[np.generic]) -> Hashes:
    """The columns as one, all of shape (rows,)."""
    mixed = start
    for column in columns:
        whole = np.ascontiguousarray(column)
        bits = whole.view(np.uint64) if whole.dtype.itemsize == 8 else whole.astype(np.uint64)
        mixed = (mixed ^ bits) * FACTOR
        mixed ^= mixed >> SHIFT
    return mixed


def _of_users(block: RowBlock, users: Mask) -> RowBlock:
    """The prepared lists of these users alone, shape (users,)."""
    place, whole = np.cumsum(users) - 1, block.prepared
    assert whole.known is not None
    labelled, listed = users[whole.labels.user], users[whole.rows.user]
    label_at = np.cumsum(labelled) - 1
    labels, rows = _taken(whole.labels, labelled, place, label_at), _taken(whole.rows, listed, place, label_at)
    known = _taken(whole.known, users[whole.known.user], place, label_at)
    one = WorkingBlock(whole.joined, whole.users[users], labels, rows, whole.scored, whole.k)
    one.known, one.aligned_arrays, one.refused = known, whole.aligned_arrays, whole.refused[users]
    one.label_rows, one.in_rankings = whole.label_rows[users], whole.in_rankings[users]
    return RowBlock(one, block.hit_rows[listed], block.preparation)


def _taken(part: PreparedRows, kept: Mask, place: Codes, label_at: Codes) -> PreparedRows:
    """The rows that are kept, shape (rows,), with users and labels numbered anew."""
    one = copy(part)
    for name, values in vars(part).items():
        if values is not None:
            setattr(one, name, values[kept])
    one.user = place[one.user]
    if not isinstance(one, LabelRows):
        one.label = np.where(one.label < 0, one.label, np.append(label_at, 0)[one.label])
    return one
