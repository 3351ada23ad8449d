"""The numbers of files with more rows than memory holds: a batch of whole users at a time, within a budget."""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.ask.evaluate.accumulate import Accumulator, Unchecked
from rankconv.ask.evaluate.budget import LEAST_ROWS, Budget
from rankconv.ask.evaluate.each_user import EachUser
from rankconv.errors import InputError
from rankconv.inputs.reader import Wanted
from rankconv.inputs.streams.clustered import Both, OutOfOrderError, clustered
from rankconv.inputs.streams.hashed import Parts, folder_of_parts
from rankconv.inputs.streams.tables import Side, arrow
from rankconv.progress import watching

if TYPE_CHECKING:
    import pyarrow as pa

MOST_PARTS = 256
"""Files that are open at once."""
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
Make = Callable[..., Accumulator]


def within(
    labels: Paths,
    run: Paths,
    make: Make,
    memory: str | int,
    *,
    labelled: bool = False,
    counting: bool = False,
    each: EachUser | None = None,
    temp: str | os.PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    progress: bool | None = None,
) -> Accumulator:
    """The sums and counts of all users in these files and folders of parts, with no more memory than that.

    `make` makes an accumulator that keeps no user; with `labelled` the labels are read before, once, and it is given
    the items that they have. With `counting` half of the memory is for what is counted of all lists and users.
    `each` keeps the values of all users on the disk.
    Sides whose users rise are read once, side by side; others are first divided by user into files under `temp`.
    Raises InputError for files that cannot be read, for a budget that is too small, and for a user whose rows do not
    fit it, with the memory that they need.
    """
    arrow()
    named = dict(columns or {})
    known = Side.of(_paths(labels), _wanted("labels", named, ("user", "item", "grade")))
    ranked = Side.of(_paths(run), _wanted("rankings", named, ("user", "item", "score", "rank")))
    budget = Budget.of(memory, text=_check_kinds(known, ranked))
    if labelled:
        make = partial(make, labelled=_items(known))
    if counting:
        budget = budget.sharing()
    with _rows_done(known.rows + ranked.rows, progress) as tell:
        try:
            return _of_sorted(known, ranked, _made(make, each), budget, tell)
        except OutOfOrderError:
            with folder_of_parts(None if temp is None else Path(temp)) as folder:
                return _of_any(known, ranked, _made(make, each), budget, folder, tell)


def _made(make: Make, each: EachUser | None) -> Accumulator:
    """Numbers of nobody yet, whose users are kept from the first on."""
    numbers = make()
    if each is not None:
        assert isinstance(numbers, Unchecked)
        numbers.told = each.begun().add
    return numbers


def _items(side: Side) -> list[Any]:
    """The different items of a side, read once."""
    import pyarrow as pa

    found: Any = None
    for table in side.batches(LEAST_ROWS):
        items = table.column("item").unique()
        found = items if found is None else pa.chunked_array([found, items]).unique()
    return [] if found is None else list(found.to_pylist())


def _paths(given: Paths) -> list[Path]:
    return [Path(one) for one in ([given] if isinstance(given, str | os.PathLike) else given)]


def _wanted(what: Any, named: dict[str, Any], roles: Sequence[str]) -> Wanted:
    several = [role for role in roles if isinstance(named.get(role), tuple | list)]
    if several:
        do = "Put the parts into one column of text, or leave memory= out."
        shell = "Put the parts into one column of text, or leave --memory out."
        raise InputError(f"within a budget the {several[0]} is one column", do=do, shell=shell)
    return Wanted(what, {role: named.get(role) for role in roles})


def _check_kinds(known: Side, ranked: Side) -> bool:
    """Whether ids are text; an InputError where they are text on one side and integers on the other."""
    first = [next(side.batches(1000), None) for side in (known, ranked)]
    if None in first:
        return False
    for what in ("user", "item"):
        kinds = ["text" if "string" in str(one.schema.field(what).type) else "integer" for one in first if one]
        if len(set(kinds)) > 1:
            wrong = f"{what} ids are {kinds[0]} in the labels and {kinds[1]} in the rankings, so nothing can match"
            raise InputError(wrong, do=f"Write those of both sides in one type: the column '{what}'")
    return any("string" in str(field.type) for one in first if one for field in one.schema)


@dataclass
class _Rows:
    """Rows on their way, as a bar shows them."""

    to_do: int
    done: int = 0


@dataclass
class _Tell:
    """Tells a bar how many rows went by."""

    rows: _Rows
    shown: Callable[[Sequence[_Rows]], None] | None = field(repr=False)

    def again(self, times: int) -> None:
        """From the start, with so many passes to do."""
        self.rows.to_do, self.rows.done = self.rows.to_do * times, 0

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


@contextmanager
def _rows_done(rows: int, progress: bool | None) -> Iterator[_Tell]:
    with watching(progress, "rows") as shown:
        yield _Tell(_Rows(max(rows, 1)), shown)


def _of_sorted(known: Side, ranked: Side, numbers: Accumulator, budget: Budget, tell: _Tell) -> Accumulator:
    at_once = max(1, budget.rows // 8)
    labels, run = (tell.count(side.batches(at_once)) for side in (known, ranked))
    for both in clustered(labels, run, rows=budget.rows // 2, most=budget.most // 2):
        _take(numbers, both, budget)
    return numbers


def _of_any(known: Side, ranked: Side, numbers: Accumulator, budget: Budget, folder: Path, tell: _Tell) -> Accumulator:
    tell.again(2)
    rows = known.rows + ranked.rows
    number = min(MOST_PARTS, math.ceil(rows / (0.6 * budget.rows)))
    batch = min(max(1, budget.rows // 4), 1 << 18)
    sides = [
        Parts(folder / name, number, 1).fill(tell.count(side.batches(batch)))
        for name, side in (("labels", known), ("run", ranked))
    ]
    _judge(sides, numbers, budget, tell)
    return numbers


def _judge(sides: list[Parts], numbers: Accumulator, budget: Budget, tell: _Tell) -> None:
    """A part after the other; one with too many rows is divided again."""
    for part in range(sides[0].number):
        rows = sum(int(side.rows[part]) for side in sides)
        if rows <= budget.rows or _one_user(sides, part, rows, budget):
            tables = [list(side.read(part)) for side in sides]
            _take(numbers, (_whole(tables[0]), _whole(tables[1])), budget)
            tell.add(rows)
        else:
            number, seed = min(MOST_PARTS, math.ceil(rows / (0.6 * budget.rows)) + 1), sides[0].seed + 1
            _judge([_again(side, part, number, seed) for side in sides], numbers, budget, tell)
        for side in sides:
            side.remove(part)


def _again(side: Parts, part: int, number: int, seed: int) -> Parts:
    return Parts(side.folder / f"of-{part}", number, seed).fill(side.read(part))


def _one_user(sides: list[Parts], part: int, rows: int, budget: Budget) -> bool:
    """Whether all rows of a part are of one user; an InputError where they are more than memory holds."""
    users = {user for side in sides for table in side.read(part) for user in table.column("user").unique().to_pylist()}
    if len(users) > 1:
        return False
    if rows > budget.most:
        wrong = f"user {next(iter(users))!r} has {rows:,} rows, which do not fit"
        needed = f"{budget.needed(rows):,} MB"
        allowed = f"A user is judged at once: these rows need {needed}"
        raise InputError(wrong, allowed=allowed, do="Give more memory=.", shell="Give more --memory.")
    return True


def _whole(tables: "list[pa.Table]") -> Any:
    import pyarrow as pa

    return pa.concat_tables(tables) if tables else None


def _take(numbers: Accumulator, both: Both | tuple[Any, Any], budget: Budget) -> None:
    numbers.update(*({} if side is None else side for side in both))
    part = numbers.partial()
    held = dict(zip(part.definitions, (one.held for one in part.part.summed), strict=True))
    if sum(held.values()) > budget.for_counts:
        spec = max(held, key=lambda one: held[one])
        needed = budget.needed(budget.rows + sum(held.values()) // budget.a_row)
        wrong = f"what is counted of all lists and users outgrows the memory, after {part.users:,} users"
        do, shell = (f"Give more {name}, or leave the number out." for name in ("memory=", "--memory"))
        raise InputError(wrong, where=spec, allowed=f"So far {needed:,} MB are needed", do=do, shell=shell)
