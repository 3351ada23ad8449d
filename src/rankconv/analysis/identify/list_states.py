"""The lists of users under many preparations: what several make of a list alike is prepared and measured once."""

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, within
from rankconv.data.joined import Joined
from rankconv.preparation.blocks.row_block import RowBlock, merged
from rankconv.preparation.collapse import COLLAPSE, collapsed
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import KnownLabels, LabelRows, ListRows, WorkingBlock, working_block

Hashes = NDArray[np.uint64]
Rows = TypeVar("Rows", LabelRows, ListRows, KnownLabels)
FACTOR, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


def prepared_in_turn(
    joined: Joined, users: Codes, k: int | None, preparations: Iterable[Preparation]
) -> Iterator[tuple[Preparation, RowBlock]]:
    """The lists of these users, shape (users,), under each preparation; first steps that several have are taken once.

    The preparations come in another order, in which those with the same first steps are neighbours. A block is not to
    be changed.
    """
    paths = ((one, [(step.convention_name, *step.reads) for step in one.steps]) for one in preparations)
    data, before, states = None, list[tuple[str, ...]](), list[WorkingBlock]()
    for one, steps in sorted(paths, key=lambda pair: (pair[0].given(COLLAPSE.name), pair[1])):
        own = collapsed(joined, one.settings)
        if own is not data:
            data, before, states = own, [], [working_block(own, users)]
            states[0].k = k
        common = next((at for at, (a, b) in enumerate(zip(before, steps, strict=False)) if a != b), len(states) - 1)
        common = min(common, len(steps))
        before, states = steps, states[: common + 1]
        for step in one.steps[common:]:
            states.append(_copied(states[-1]))
            step.take(states[-1])
        yield one, RowBlock(states[-1], one.settings["min-score"](block=states[-1]), one)


def _copied(block: WorkingBlock) -> WorkingBlock:
    """The rows as they are between two steps."""
    one = copy(block)
    one.labels, one.rows = _copied_rows(block.labels), _copied_rows(block.rows)
    one.known = None if block.known is None else _copied_rows(block.known)
    one.refused, one.reasons = block.refused.copy(), [*block.reasons]
    return one


def _copied_rows(rows: Rows) -> Rows:
    one = copy(rows)
    for name, values in vars(rows).items():
        if values is not None:
            setattr(one, name, values.copy())
    return one


def alike_in_blocks(block: RowBlock, *, by_level: bool) -> tuple[object, ...]:
    """What metrics and policies ask of the preparation itself: equal where prepared lists may stand in one block."""
    preparation, rows = block.preparation, block.prepared.rows
    if preparation.separates_subtopics or preparation.added:
        return (preparation,)
    settings, settled = preparation.settings, preparation.tie_rule is TieEffect.ORDER
    level = settings["relevant"].keywords.get("level") if by_level else None
    asked = preparation.cut, preparation.keeps_ties, settings["order"].traits.reads_ranks
    there = [name for name, values in vars(rows).items() if values is not None]
    made = preparation.given(COLLAPSE.name), block.aligned_arrays, *sorted(there)
    return (
        preparation.tie_rule.name,
        "" if settled else preparation.given("ties"),
        preparation.by_score,
        level,
        *asked,
        *made,
    )


@dataclass(eq=False)
class ListStates:
    """The different prepared lists of each user, under preparations that are alike in blocks."""

    ways: list[Codes] = field(init=False, default_factory=list)
    """The different ways to prepare: for each user the place of the list, shape (users,)."""
    _place_of: dict[int, int] = field(init=False, repr=False, default_factory=dict)
    _way_of: dict[bytes, int] = field(init=False, repr=False, default_factory=dict)
    _parts: list[RowBlock] = field(init=False, repr=False, default_factory=list)

    def add(self, block: RowBlock) -> int:
        """Add the lists of a prepared block, which has all users; return the place of this way to prepare."""
        known = len(self._place_of)
        places = np.array([self._place_of.setdefault(one, len(self._place_of)) for one in _hashes(block)], np.int64)
        new = places >= known
        if new.any():
            self._parts.append(_of_users(block, new))
        key = places.tobytes()
        if key not in self._way_of:
            self._way_of[key] = len(self.ways)
            self.ways.append(places)
        return self._way_of[key]

    @property
    def block(self) -> RowBlock:
        """All lists, each as that of a user."""
        users = np.concatenate([part.users for part in self._parts])
        hits = np.concatenate([part.hit_rows for part in self._parts])
        prepared = merged([part.prepared for part in self._parts], users)
        return RowBlock(prepared, hits, self._parts[0].preparation)


def _hashes(block: RowBlock) -> list[int]:
    """One number for each user: equal where all that was prepared is equal."""
    prepared, size = block.prepared, block.size
    total = _mixed(np.arange(size, dtype=np.uint64), prepared.refused)
    for rows, more in ((prepared.rows, (block.hit_rows,)), (prepared.labels, ()), (prepared.known, ())):
        assert rows is not None
        columns = [values for values in vars(rows).values() if values is not None]
        mixed = _mixed(within(rows.user).astype(np.uint64), *columns, *more)
        of_user = np.zeros(size, np.uint64)
        np.add.at(of_user, rows.user, mixed)
        total = _mixed(total, of_user)
    hashes: list[int] = total.tolist()
    return hashes


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


def _taken(part: Rows, kept: Mask, place: Codes, label_at: Codes) -> Rows:
    """The rows that are kept, shape (rows,), with users and labels numbered anew."""
    one = copy(part)
    for name, values in vars(part).items():
        if values is not None:
            setattr(one, name, values[kept])
    one.user = place[one.user]
    if not isinstance(one, LabelRows):
        one.label = np.where(one.label < 0, one.label, np.append(label_at, 0)[one.label])
    return one
