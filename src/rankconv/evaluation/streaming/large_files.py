"""Evaluation of files and streams within a budget of memory: batch by batch, and in parts where users do not rise."""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

from rankconv.basics.errors import InputError
from rankconv.basics.progress import watching
from rankconv.data.fitting import Exchange
from rankconv.data.ids import Ids, make_ids, quoted, unite
from rankconv.data.inputs.columns import of_side, several_calls
from rankconv.data.inputs.disk_parts import Both, DiskParts, OutOfOrderError, clustered, folder_in
from rankconv.data.inputs.input_rows import ColumnSpec, as_labels, as_rankings
from rankconv.data.inputs.sides import FileSide, gives_batches, id_of, spooled, with_texts_of_files
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.needs import spanning
from rankconv.evaluation.joining import SharedData
from rankconv.evaluation.streaming.evaluator import UserSums
from rankconv.evaluation.streaming.memory import Budget, Memory
from rankconv.presets.definition import Definition

if TYPE_CHECKING:
    import polars as pl

MOST_PARTS = 256
"""Files that are open at once."""
FileSides = tuple[FileSide, FileSide]
"""The labels and the run."""
Paths = Any
"""The path of a file or a folder, several of them, or a table that comes as a stream of Arrow batches."""


class ReadOptions(TypedDict, total=False):
    """How files are read: names of columns, where temporary files are, and whether a progress bar is shown."""

    columns: Mapping[str, Any] | None
    temp_dir: str | os.PathLike[str] | None
    progress: bool | None


class Listener(Protocol):
    """One who receives each user as batches go by."""

    @property
    def bytes(self) -> int:
        """Of memory that grows with the users."""

    def begin(self, labelled: Ids | None) -> None:
        """Forget the users that there were: they come again from the first on.

        `labelled` are the items that any user has a label for, where they were requested.
        """

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the users of a batch, and what became of them under each definition."""


@dataclass(frozen=True, eq=False)
class Files:
    """Labels and runs in files that are open, and the memory with which they are read."""

    labels: FileSide
    runs: Mapping[str, FileSide]
    budget: Budget
    temp_dir: str | os.PathLike[str] | None = None
    progress: bool | None = None

    @classmethod
    @contextmanager
    def opened(
        cls,
        labels: Paths,
        runs: Mapping[str, Paths],
        memory: str | int,
        *,
        columns: Mapping[str, Any] | None = None,
        temp_dir: str | os.PathLike[str] | None = None,
        progress: bool | None = None,
    ) -> Iterator["Files"]:
        """Open labels and each run, which are read batch by batch.

        Tables that come as streams are computed once, and packed files unpacked, into a folder under `temp_dir`, which
        is made only then. Raises InputError for what is wrong with files, and for too little memory.
        """
        with ExitStack() as stack:
            folder, given = folder_in(stack, temp_dir), Memory.now(memory)
            Budget.of(given, text=None)
            named = {role: name for role, name in of_side(columns, "labels").items() if role != "group"}
            wanted = ColumnSpec("rankings", _of_one_list(of_side(columns, "run")))
            known = _side(labels, ColumnSpec("labels", named), stack, folder)
            sides = {name: _side(run, wanted, stack, folder) for name, run in runs.items()}
            kinds = [kind for side in (known, *sides.values()) for kind in side.kinds.values()]
            budget = Budget.of(given, text=any(kind != "integer" for kind in kinds))
            yield cls(known, sides, budget, temp_dir, progress)

    def evaluate(
        self,
        preset: str,
        definitions: Mapping[str, Definition],
        side_data: SharedData,
        listeners: Mapping[str, Listener] | None = None,
        *,
        digests: bool = True,
    ) -> dict[str, UserSums]:
        """For each run the sums and counts of all users; a listener, by the name of a run, receives its users.

        Labels are read before, once, where a definition asks for the items that they have.
        Sides whose users rise are read once, side by side; others are first divided by user into temporary files.
        Raises InputError for a user who does not fit the memory, with what it needs.
        """
        budget = self.budget.holding(len(definitions)) if listeners else self.budget
        found = {}
        with ExitStack() as stack:
            reads_labels = any(map(spanning, definitions.values()))
            of_labels = make_ids(self.labels.items(), "item") if reads_labels else None
            new_folder = folder_in(stack, self.temp_dir)
            for name, run in self.runs.items():
                known, ranked = sides = with_texts_of_files(self.labels, run)
                _check_kinds(known, ranked)
                as_texts = reads_labels and known is not self.labels
                items = make_ids(known.items(), "item") if as_texts else of_labels
                listener = (listeners or {}).get(name)

                def begun(
                    sides: FileSides = sides, items: Ids | None = items, listener: Listener | None = listener
                ) -> Taken:
                    """Numbers of nobody yet, whose users are reported from the first on."""
                    if listener is not None:
                        listener.begin(items)
                    on_part = None if listener is None else listener.add
                    numbers = UserSums(preset, dict(definitions), side_data, items, on_part, digests=digests)
                    return Taken(sides, numbers, budget, listener)

                with watching(self.progress, "rows") as shown:
                    tell = Tell(max(known.rows + ranked.rows, 1), shown)
                    try:
                        found[name] = _side_by_side(begun(), tell)
                    except OutOfOrderError:
                        found[name] = _in_parts(begun(), new_folder(), tell)
        return found


def _of_one_list(named: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a run in which a user has one list; an InputError where the caller names that of calls."""
    if named["call"] is not None:
        raise several_calls(f"'{named['call']}' was named for the call")
    return {role: name for role, name in named.items() if role != "call"}


def _side(given: Any, wanted: ColumnSpec, stack: ExitStack, folder: Callable[[], Path]) -> FileSide:
    """One side: files and folders of parts, or a table that is first written to a folder for temporary files."""
    if gives_batches(given):
        return spooled(given, wanted, folder())
    paths = [Path(one) for one in ([given] if isinstance(given, str | os.PathLike) else given)]
    return FileSide.of(paths, wanted, stack, folder)


@dataclass
class Tell:
    """Tells a bar how many rows were read, of so many `to_do`; where sides are divided first, a row counts again."""

    to_do: int
    shown: Callable[[Sequence["Tell"]], None] | None = field(repr=False)
    done: int = 0

    def again(self, to_do: int) -> None:
        """From the start, with so many rows to read."""
        self.to_do, self.done = to_do, 0

    def count(self, tables: "Iterator[pl.DataFrame]") -> "Iterator[pl.DataFrame]":
        """The tables, whose rows are counted as they go by."""
        for table in tables:
            self.add(len(table))
            yield table

    def add(self, rows: int) -> None:
        """Rows that were evaluated or divided are added to those that are done."""
        self.done = min(self.done + rows, self.to_do)
        if self.shown is not None:
            self.shown([self])


@dataclass
class Taken:
    """Numbers of the users that went by, and the budget that what is kept of them must not outgrow."""

    labels_and_run: FileSides
    numbers: UserSums
    budget: Budget
    listener: Listener | None
    _match: bool = False
    """Whether some item is known to be on both sides."""
    _exchange: Exchange = field(default_factory=Exchange)

    def finished(self) -> UserSums:
        """The numbers; an InputError where all users together tell that the data are wrong."""
        known, ranked = self.labels_and_run
        self._exchange.refuse()
        if not self._match and {known.kinds["item"], ranked.kinds["item"]} == {"text"}:
            unite(make_ids(known.items(), "item"), make_ids(ranked.items(), "item"), "item")
        return self.numbers

    def take(self, both: Both) -> None:
        """Evaluate these users; an InputError where what is counted of all users outgrows the memory."""
        known, ranked = (side.rows_of(table) for side, table in zip(self.labels_and_run, both, strict=True))
        self._match = self._match or _match(*both)
        labels, rankings = as_labels(known), as_rankings(ranked)
        self._exchange.add(labels, rankings)
        self.numbers.add(self.numbers.join(labels, rankings))
        part, budget = self.numbers.partial, self.budget
        held = dict(zip(part.definitions, (one.memory_bytes for one in part.part.summed), strict=True))
        all_held = sum(held.values()) + (0 if self.listener is None else self.listener.bytes)
        if all_held > budget.for_counts:
            spec = max(held, key=lambda one: held[one])
            needed = budget.needed(budget.rows + all_held // budget.a_row)
            wrong = f"what is counted of all lists and users outgrows the memory, after {part.users:,} users"
            do, shell = (f"Give more {name}, or leave the number out." for name in ("memory=", "--memory"))
            raise InputError(wrong, where=spec, allowed=f"So far {needed:,} MB are needed", do=do, shell=shell)


def _match(known: "pl.DataFrame | None", ranked: "pl.DataFrame | None") -> bool:
    """Whether some item is on both sides."""
    return known is not None and ranked is not None and bool(known["item"].is_in(ranked["item"].implode()).any())


def _side_by_side(taken: Taken, tell: Tell) -> UserSums:
    """Both sides read once, side by side; an OutOfOrderError where their users do not rise."""
    (labels, ranked), budget = taken.labels_and_run, taken.budget
    if "compound" in labels.kinds.values():
        raise OutOfOrderError  # whose order is not looked at
    at_once = max(1, budget.rows // 2)  # fewer calls, which cost more than rows do
    known, run = (tell.count(side.batches(at_once)) for side in (labels, ranked))
    for both in clustered(known, run, rows=budget.rows // 2, most=budget.most // 2):
        taken.take(both)
    return taken.finished()


def parts_for(rows: int, budget: Budget) -> int:
    """How many parts so many rows are divided into, so that each fits the memory."""
    return min(MOST_PARTS, max(1, math.ceil(rows / (0.6 * budget.rows))))


def _in_parts(taken: Taken, folder: Path, tell: Tell) -> UserSums:
    """Both sides divided by user into parts on the disk, which are evaluated one after the other."""
    rows = sum(side.rows for side in taken.labels_and_run)
    tell.again(2 * rows)
    number = parts_for(rows, taken.budget)
    at_once = min(max(1, taken.budget.rows // 4), 1 << 18)
    divided = [
        DiskParts(folder / name, number, 1).fill(tell.count(side.batches(at_once)))
        for name, side in zip(("labels", "run"), taken.labels_and_run, strict=True)
    ]
    _evaluate(divided, taken, tell)
    return taken.finished()


def _evaluate(sides: list[DiskParts], taken: Taken, tell: Tell) -> None:
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
            _evaluate(again, taken, tell)
            for side in again:
                side.clear()
        for side in sides:
            side.remove(part)


def _again(side: DiskParts, part: int, number: int, seed: int) -> DiskParts:
    return DiskParts(side.folder / f"of-{part}", number, seed).fill(side.read(part))


def _one_user(sides: list[DiskParts], part: int, rows: int, budget: Budget) -> bool:
    """Whether all rows of a part are of one user; an InputError where they are more than memory holds."""
    import polars as pl

    users = pl.concat([table["user"].unique() for side in sides for table in side.read(part)]).unique().to_list()
    if len(users) > 1:
        return False
    if rows > budget.most:
        [user] = map(id_of, users)
        wrong = f"user {quoted(user)} has {rows:,} rows, which do not fit"
        needed = f"{budget.needed(rows):,} MB"
        allowed = f"A user is evaluated at once: these rows need {needed}"
        raise InputError(wrong, allowed=allowed, do="Give more memory=.", shell="Give more --memory.")
    return True


def _whole(tables: "list[pl.DataFrame]") -> "pl.DataFrame | None":
    import polars as pl

    return pl.concat(tables) if tables else None


def _check_kinds(known: FileSide, ranked: FileSide) -> None:
    """An InputError where ids are text on one side and integers on the other."""
    for what, kind in known.id_types.items():
        if ranked.id_types[what] != kind:
            wrong = (
                f"{what} ids are {kind} in the labels and {ranked.id_types[what]} in the rankings, so nothing can match"
            )
            raise InputError(wrong, do=f"Write those of both sides in one type: the column '{what}'")
