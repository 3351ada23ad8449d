"""Both sides of a run taken batch by batch: side by side where users rise, else a part of the users after the other."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv import inputs
from rankconv.ask.evaluate.accumulate import Accumulator
from rankconv.ask.evaluate.budget import Budget
from rankconv.data.ids import quoted
from rankconv.errors import InputError
from rankconv.inputs.reader import RankSource
from rankconv.inputs.reading import rankings_of_batch
from rankconv.inputs.streams.clustered import Both, OutOfOrderError, clustered
from rankconv.inputs.streams.hashed import Parts
from rankconv.inputs.streams.tables import Side, parts_apart

if TYPE_CHECKING:
    import pyarrow as pa

MOST_PARTS = 256
"""Files that are open at once."""


@dataclass
class Rows:
    """Rows on their way, as a bar shows them."""

    to_do: int
    done: int = 0


@dataclass
class Tell:
    """Tells a bar how many rows went by."""

    rows: Rows
    shown: Callable[[Sequence[Rows]], None] | None = field(repr=False)

    def again(self, to_do: int) -> None:
        """From the start, with so many rows to do."""
        self.rows.to_do, self.rows.done = max(to_do, 1), 0

    def count(self, tables: "Iterator[pa.Table]") -> "Iterator[pa.Table]":
        """The tables, whose rows are counted as they go by."""
        for table in tables:
            self.add(table.num_rows)
            yield table

    def add(self, rows: int) -> None:
        """Rows that were judged or divided are added to those that are done."""
        self.rows.done = min(self.rows.done + rows, self.rows.to_do)
        if self.shown is not None:
            self.shown([self.rows])


@dataclass
class Taken:
    """Numbers of the users that went by, and the budget that what is kept of them must not outgrow."""

    numbers: Accumulator
    budget: Budget
    held: Callable[[], int]
    """Bytes that whoever listens keeps."""
    rank_source: RankSource
    """Where the ranks of the run come from."""

    def take(self, both: Both | tuple[Any, Any]) -> None:
        """Judge these users; an InputError where what is counted of all users outgrows the memory."""
        read_run = partial(rankings_of_batch, rank_source=self.rank_source)
        self.numbers.update(_read(both[0], inputs.labels), _read(both[1], read_run))
        part, budget = self.numbers.partial(), self.budget
        held = dict(zip(part.definitions, (one.held for one in part.part.summed), strict=True))
        all_held = sum(held.values()) + self.held()
        if all_held > budget.for_counts:
            spec = max(held, key=lambda one: held[one])
            needed = budget.needed(budget.rows + all_held // budget.a_row)
            wrong = f"what is counted of all lists and users outgrows the memory, after {part.users:,} users"
            do, shell = (f"Give more {name}, or leave the number out." for name in ("memory=", "--memory"))
            raise InputError(wrong, where=spec, allowed=f"So far {needed:,} MB are needed", do=do, shell=shell)


def _read(table: Any, read: Callable[..., Any]) -> Any:
    """The rows of a side; ids of several parts are read from a column for each."""
    if table is None:
        return {}
    apart, compound = parts_apart(table)
    return read(apart, **compound)


def of_sorted(labels: Side, ranked: Side, taken: Taken, tell: Tell) -> Accumulator:
    """Both sides read once, side by side; an OutOfOrderError where their users do not rise."""
    if "compound" in labels.kinds.values():
        raise OutOfOrderError  # whose order is not looked at
    budget = taken.budget
    at_once = max(1, budget.rows // 2)  # fewer calls, which cost more than rows do
    known, run = (tell.count(side.batches(at_once)) for side in (labels, ranked))
    for both in clustered(known, run, rows=budget.rows // 2, most=budget.most // 2):
        taken.take(both)
    return taken.numbers


class InParts:
    """Labels that are divided by user once, into parts beside which those of one run after the other are judged."""

    def __init__(self, labels: Side, most: int, budget: Budget, folder: Callable[[], Path], runs: int) -> None:
        """`most` is how many rows the largest run has; `folder` makes one for temporary files, once it is asked."""
        self.labels, self._budget, self._new_folder, self._left = labels, budget, folder, runs
        self._number = min(MOST_PARTS, max(1, math.ceil((labels.rows + most) / (0.6 * budget.rows))))
        self._batch = min(max(1, budget.rows // 4), 1 << 18)
        self._folder: Path | None = None
        self._known: Parts | None = None

    def judge(self, ranked: Side, taken: Taken, tell: Tell) -> Accumulator:
        """The numbers of this run; it is divided like the labels, and its parts are removed one by one."""
        self._folder = self._folder or self._new_folder()
        self._left -= 1
        rows = self.labels.rows + ranked.rows
        tell.again(rows + (ranked.rows if self._known else rows))
        self._known = self._known or self._divided("labels", self.labels, tell)
        self._known.kept = self._left > 0
        _judge([self._known, self._divided(f"run-{self._left}", ranked, tell)], taken, tell)
        return taken.numbers

    def _divided(self, name: str, side: Side, tell: Tell) -> Parts:
        assert self._folder is not None
        return Parts(self._folder / name, self._number, 1).fill(tell.count(side.batches(self._batch)))


def _judge(sides: list[Parts], taken: Taken, tell: Tell) -> None:
    """A part after the other; one with too many rows is divided again."""
    budget = taken.budget
    for part in range(sides[0].number):
        rows = sum(int(side.rows[part]) for side in sides)
        if rows <= budget.rows or _one_user(sides, part, rows, budget):
            tables = [list(side.read(part)) for side in sides]
            taken.take((_whole(tables[0]), _whole(tables[1])))
            tell.add(rows)
        else:
            number, seed = min(MOST_PARTS, math.ceil(rows / (0.6 * budget.rows)) + 1), sides[0].seed + 1
            again = [_again(side, part, number, seed) for side in sides]
            _judge(again, taken, tell)
            for side in again:
                side.clear()
        for side in sides:
            side.remove(part)


def _again(side: Parts, part: int, number: int, seed: int) -> Parts:
    return Parts(side.folder / f"of-{part}", number, seed).fill(side.read(part))


def _one_user(sides: list[Parts], part: int, rows: int, budget: Budget) -> bool:
    """Whether all rows of a part are of one user; an InputError where they are more than memory holds."""
    import polars as pl

    columns = [table.column("user") for side in sides for table in side.read(part)]
    users = pl.concat([pl.Series(pl.from_arrow(one)).unique() for one in columns]).unique().to_list()
    if len(users) > 1:
        return False
    if rows > budget.most:
        [user] = [tuple(one.values()) if isinstance(one, dict) else one for one in users]
        wrong = f"user {quoted(user)} has {rows:,} rows, which do not fit"
        needed = f"{budget.needed(rows):,} MB"
        allowed = f"A user is judged at once: these rows need {needed}"
        raise InputError(wrong, allowed=allowed, do="Give more memory=.", shell="Give more --memory.")
    return True


def _whole(tables: "list[pa.Table]") -> Any:
    import pyarrow as pa

    return pa.concat_tables(tables) if tables else None
