"""Judged blocks put together: into one block, or into the one list of a single, nameless user, by falling score."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from rankconv.data.arrays import Codes, Mask
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.row_block import RowBlock
from rankconv.preparation.rows import NOTHING, Known, LabelRows, ListRows, WorkingBlock

Chosen = Sequence[tuple[Block, Mask]]
"""Judged blocks, each with those of its users whose lists are put together."""
Rows = TypeVar("Rows", LabelRows, ListRows, Known)


def pooled(chosen: Chosen) -> Block:
    """One block of one user, who owns every row and every label of these users.

    Rows of equal score stand by grade, so that the order of the users changes nothing.
    """
    return Pool.of(chosen).block


@dataclass(frozen=True, eq=False)
class Pool:
    """The rows and labels of many users as those of one, by falling score, and whose they were."""

    judged: WorkingBlock
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
        whole = merged([block.judged for block, _ in chosen], users)
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
        return RowBlock(self.judged, self.hit, self.preparation)

    def drawn(self, times: Codes) -> Block:
        """All lists as one, each user's as often as `times` says, shape (users,); copies hold items of their own."""
        judged, known = copy(self.judged), self.judged.known
        assert known is not None
        judged.labels = self._repeated("labels", self.judged.labels, times)
        judged.rows = self._repeated("rows", self.judged.rows, times)
        judged.known = self._repeated("known", known, times)
        judged.label_rows = np.array([(self.label_rows * times).sum()])
        return RowBlock(judged, self.hit[_again(times[self.owners["rows"]])[0]], self.preparation)

    def _repeated(self, name: str, part: Rows, times: Codes) -> Rows:
        """Each row as often as its owner was drawn, `times` having shape (users,); labels of copies are copies too."""
        at, which = _again(times[self.owners[name]])
        one = copy(part)
        for field, values in vars(part).items():
            if values is not None:
                setattr(one, field, values[at])
        one.item = np.where(one.item == NOTHING, NOTHING, which * self._items + one.item)
        if not isinstance(one, LabelRows) and (one.label >= 0).any():
            often = times[self.owners["labels"]]
            one.label = np.where(one.label < 0, one.label, (np.cumsum(often) - often)[one.label] + which)
        return one

    @cached_property
    def _items(self) -> int:
        """More than any item's number."""
        return 1 + max(int(part.item.max(initial=0)) for part in (self.judged.rows, self.judged.labels))


def _again(often: Codes) -> tuple[Codes, Codes]:
    """Each row as often as requested, shape (rows,): its place, and which of its copies it is, shape (copies,)."""
    at = np.repeat(np.arange(len(often)), often)
    return at, np.arange(len(at)) - np.repeat(np.cumsum(often) - often, often)


def _one_user(judged: WorkingBlock, hit: Mask, inside: Mask) -> tuple[WorkingBlock, Mask, dict[str, Codes]]:
    """The rows and labels of the users `inside`, shape (users,), as one user's, which rows are hits, and whose each is.

    An item of two users becomes two items.
    """
    labels, rows = copy(judged.labels), copy(judged.rows)
    assert judged.known is not None
    labels.exists = labels.exists & inside[labels.user]
    labels.in_pool = labels.in_pool & inside[labels.user]
    kept = inside[rows.user]
    rows.item = np.where(rows.item == NOTHING, NOTHING, judged.users[rows.user] * judged.items + rows.item)
    rows.take(kept)
    known = judged.known.take(np.flatnonzero(inside[judged.known.user]))
    owners = {"labels": labels.user, "rows": rows.user, "known": known.user}
    for part in (labels, rows, known):
        part.user = np.zeros(len(part.user), np.int64)
    one = WorkingBlock(judged.joined, np.zeros(1, np.int64), labels, rows, judged.scored, judged.k)
    one.known, one.known_rows = known, judged.known_rows
    reasons = [reason.take(inside[reason.user]) for reason in judged.reasons]
    one.reasons = [replace(reason, user=reason.user * 0) for reason in reasons if len(reason.user)]
    one.refused, one.label_rows = np.array([bool(one.reasons)]), np.array([judged.label_rows[inside].sum()])
    one.in_rankings = np.array([judged.in_rankings[inside].any()])
    return one, hit[kept], owners


def merged(parts: Sequence[WorkingBlock], users: Codes) -> WorkingBlock:
    """The judged rows and labels of several blocks as those of one, block after block; `users` has shape (users,)."""
    first_user = np.cumsum([0, *(part.size for part in parts)])
    first_label = np.cumsum([0, *(len(part.labels.user) for part in parts)])
    starts = {"user": first_user, "label": first_label}
    known = [part.known for part in parts if part.known is not None]
    labels, rows = (_stacked([getattr(part, name) for part in parts], starts) for name in ("labels", "rows"))
    one = WorkingBlock(parts[0].joined, users, labels, rows, parts[0].scored, parts[0].k)
    one.known, one.known_rows = _stacked(known, starts), parts[0].known_rows
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
