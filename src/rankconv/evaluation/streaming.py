"""Evaluation of files and streams within a memory budget."""

import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rankconv.data.fitting import Exchange
from rankconv.data.ids import make_ids, quoted, unite
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.errors import InputError
from rankconv.evaluation.accumulate import Accumulator, Unchecked
from rankconv.inputs.columns import of_side
from rankconv.inputs.parts import Both, OtherColumnsError, OutOfOrderError, Parts, clustered, folder_in
from rankconv.inputs.rows import ColumnSpec, as_labels, as_rankings, rounded
from rankconv.inputs.sides import ROWS, Side, gives_batches, id_of, in_file_order, spooled
from rankconv.optional import require
from rankconv.progress import watching

if TYPE_CHECKING:
    import polars as pl
from contextlib import nullcontext
from typing import TYPE_CHECKING

import numpy as np

from rankconv.data.ids import columns_of
from rankconv.engine.metric_result import OUTSIDE, Measured
from rankconv.engine.summed import counting, spanning
from rankconv.evaluation.accumulate import accumulate
from rankconv.evaluation.result import Errors, Result
from rankconv.inputs.parts import folder_of_parts, full_disk
from rankconv.presets.defining import Metrics, define
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.writing import check_table, write_table

BYTES_A_ROW = 330
"""Of memory, while a batch of rows is judged; measured with integer ids and four metrics."""
BYTES_A_TEXT_ROW = 900
"""Of memory, where ids are text."""
A_VALUE, ROWS_OF_A_USER = 9, 3
"""Bytes of a value and a state of a user; so many rows of labels and lists a user has at least, about."""
USUAL = 200 << 20
"""Bytes that a process holds with its libraries, about."""
SLACK = 150 << 20
"""Bytes that the libraries take besides rows."""
SPREAD = 20 << 20
"""Bytes by which what a process has taken differs from one time to the next."""
LEAST_ROWS = 100_000
"""Of fewer rows at a time the work would take many times as long."""
MOST_ROWS = 1 << 20
_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}


@dataclass(frozen=True)
class Memory:
    """How much memory a command may take, and how much it had taken when it began."""

    said: str | int
    taken: int

    @classmethod
    def now(cls, said: str | int) -> "Memory":
        """What is said, and what is taken with the libraries that read files; a LibraryError where one is missing."""
        for library in ("pyarrow", "polars"):
            require(library, library, "Reading within a budget of memory")
        return cls(said, resident())


@dataclass(frozen=True)
class Budget:
    """How many rows may be held."""

    rows: int
    """In one batch, of both sides."""
    most: int
    """Of one user, at the most."""
    a_row: int
    """Bytes."""

    @classmethod
    def of(cls, memory: Memory, *, text: bool | None) -> "Budget":
        """The rows for which so much memory is enough; InputError where that is too little for anything.

        Where nobody knows yet whether ids are text, what is enough is so for either.
        """
        a_row, taken = BYTES_A_TEXT_ROW if text else BYTES_A_ROW, memory.taken
        free = bytes_of(memory.said) - taken - SLACK
        if free < LEAST_ROWS * a_row:
            most = BYTES_A_ROW if text is False else BYTES_A_TEXT_ROW
            least = math.ceil((taken + SLACK + LEAST_ROWS * most + SPREAD) / 1e7) * 10
            wrong = f"memory={memory.said} is too little for this process, which has taken {taken / 1e6:.0f} MB so far"
            allowed, shell = f"The least that works is {least}MB", f"Give --memory {least}MB."
            raise InputError(wrong, allowed=allowed, do=f"Give memory='{least}MB'.", shell=shell)
        return cls(min(int(free / a_row), MOST_ROWS), int(free / a_row), a_row)

    @property
    def for_counts(self) -> int:
        """Bytes that are left besides a batch, for what numbers of all lists count."""
        return (self.most - min(self.rows, self.most // 2)) * self.a_row

    def sharing(self) -> "Budget":
        """The budget where half of the rows at most are a batch, and numbers are counted in the room of the others."""
        return Budget(max(1, min(self.rows, self.most // 2)), self.most, self.a_row)

    def holding(self, definitions: int) -> "Budget":
        """The budget where each user of a batch has a value under each of these definitions."""
        a_row = self.a_row + A_VALUE * definitions // ROWS_OF_A_USER
        most = self.most * self.a_row // a_row
        return Budget(min(self.rows, max(1, most)), most, a_row)

    def needed(self, rows: int) -> int:
        """The megabytes that so many rows at once need."""
        return math.ceil((resident() + SLACK + rows * self.a_row) / 1e6)


def bytes_of(memory: str | int) -> int:
    """Bytes of `2GB`, `500 MB` or a number; an InputError for anything else.

    >>> bytes_of("2GB"), bytes_of("1.5 GiB"), bytes_of(10**9)
    (2000000000, 1610612736, 1000000000)
    """
    found = re.fullmatch(r"([\d.]+)\s*([kmgt]?)(i?)b?", str(memory).strip().casefold())
    try:
        number = float(found[1]) if found else math.nan
    except ValueError:
        number = math.nan
    if found is None or not number > 0:
        raise InputError(f"memory={memory!r} is no size", allowed="Write it as 2GB or 500MB, or in bytes")
    unit = 1024 ** ("kmgt".index(found[2]) + 1) if found[3] and found[2] else _UNITS[found[2]]
    return int(number * unit)


def resident() -> int:
    """Bytes of memory that this process holds now; at its most, or about, where the system does not say."""
    try:
        import resource
    except ImportError:
        return USUAL
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


MOST_PARTS = 256
"""Files that are open at once."""


@dataclass
class Rows:
    """Rows on their way, as a bar shows them."""

    to_do: int
    done: int = 0


@dataclass
class Tell:
    """Tells a bar how many rows went by, where each may be read several times."""

    rows: Rows
    shown: Callable[[Sequence[Rows]], None] | None = field(repr=False)
    _reads: int = 0
    """So many rows are read in all; 0 where each is read once."""
    _read: int = 0

    def again(self, reads: int) -> None:
        """From the start, with so many rows to read."""
        self._reads, self._read, self.rows.done = reads, 0, 0

    def count(self, tables: "Iterator[pl.DataFrame]") -> "Iterator[pl.DataFrame]":
        """The tables, whose rows are counted as they go by."""
        for table in tables:
            self.add(len(table))
            yield table

    def add(self, rows: int) -> None:
        """Rows that were judged or divided are added to those that are done."""
        self._read += rows
        to_do = self.rows.to_do
        self.rows.done = min(self._read * to_do // (self._reads or to_do), to_do)
        if self.shown is not None:
            self.shown([self.rows])


@dataclass
class Taken:
    """Numbers of the users that went by, and the budget that what is kept of them must not outgrow."""

    sides: tuple[Side, Side]
    """The labels and the run."""
    numbers: Accumulator
    budget: Budget
    held: Callable[[], int]
    """Bytes that whoever listens keeps."""
    _match: bool = False
    """Whether some item is known to be on both sides."""
    _exchange: Exchange = field(default_factory=Exchange)
    _wrong: dict[Any, InputError] = field(default_factory=dict)
    """Users with scores that float64 cannot distinguish."""

    def finished(self) -> Accumulator:
        """The numbers; an InputError where all users together tell that the data are wrong."""
        known, ranked = self.sides
        for table in ranked.batches(ROWS) if self._wrong else ():
            for user in filter(self._wrong.__contains__, map(id_of, table["user"].unique(maintain_order=True))):
                raise self._wrong[user]
        self._exchange.refuse()
        if not self._match and {known.kinds["item"], ranked.kinds["item"]} == {"text"}:
            unite(make_ids(known.items(), "item"), make_ids(ranked.items(), "item"), "item")
        return self.numbers

    def take(self, both: Both) -> None:
        """Judge these users; an InputError where what is counted of all users outgrows the memory."""
        known, ranked = (side.rows_of(table) for side, table in zip(self.sides, both, strict=True))
        self._match = self._match or _match(*both)
        if found := rounded(ranked):
            self._wrong.setdefault(*found)
            return
        labels, rankings = as_labels(known), as_rankings(ranked)
        self._exchange.add(labels, rankings)
        self.numbers.update(labels, rankings)
        part, budget = self.numbers.partial(), self.budget
        held = dict(zip(part.definitions, (one.held for one in part.part.summed), strict=True))
        all_held = sum(held.values()) + self.held()
        if all_held > budget.for_counts:
            spec = max(held, key=lambda one: held[one])
            needed = budget.needed(budget.rows + all_held // budget.a_row)
            wrong = f"what is counted of all lists and users outgrows the memory, after {part.users:,} users"
            do, shell = (f"Give more {name}, or leave the number out." for name in ("memory=", "--memory"))
            raise InputError(wrong, where=spec, allowed=f"So far {needed:,} MB are needed", do=do, shell=shell)


def _match(known: "pl.DataFrame | None", ranked: "pl.DataFrame | None") -> bool:
    """Whether some item is on both sides."""
    return known is not None and ranked is not None and bool(known["item"].is_in(ranked["item"].implode()).any())


def of_sorted(labels: Side, ranked: Side, taken: Taken, tell: Tell) -> Accumulator:
    """Both sides read once, side by side; an OutOfOrderError where their users do not rise."""
    if "compound" in labels.kinds.values():
        raise OutOfOrderError  # whose order is not looked at
    budget = taken.budget
    at_once = max(1, budget.rows // 2)  # fewer calls, which cost more than rows do
    known, run = (tell.count(side.batches(at_once)) for side in (labels, ranked))
    for both in clustered(known, run, rows=budget.rows // 2, most=budget.most // 2):
        taken.take(both)
    return taken.finished()


class InParts:
    """Labels that are divided by user once, into parts with which those of one run after the other are judged."""

    def __init__(self, labels: Side, most: int, budget: Budget, folder: Callable[[], Path], runs: int) -> None:
        """`most` is how many rows the largest run has; `folder` makes one for temporary files, once it is needed."""
        self.labels, self._new_folder, self._left = labels, folder, runs
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
        return taken.finished()

    def _divided(self, name: str, side: Side, tell: Tell) -> Parts:
        assert self._folder is not None
        parts = Parts(self._folder / name, self._number, 1)
        try:
            return parts.fill(tell.count(side.batches(self._batch)))
        except OtherColumnsError:  # some numbers are no float64
            parts.clear()
            exact = replace(side, exact=True)
            return Parts(self._folder / name, self._number, 1).fill(exact.batches(self._batch))


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

    users = pl.concat([table["user"].unique() for side in sides for table in side.read(part)]).unique().to_list()
    if len(users) > 1:
        return False
    if rows > budget.most:
        [user] = map(id_of, users)
        wrong = f"user {quoted(user)} has {rows:,} rows, which do not fit"
        needed = f"{budget.needed(rows):,} MB"
        allowed = f"A user is judged at once: these rows need {needed}"
        raise InputError(wrong, allowed=allowed, do="Give more memory=.", shell="Give more --memory.")
    return True


def _whole(tables: "list[pl.DataFrame]") -> "pl.DataFrame | None":
    import polars as pl

    return pl.concat(tables) if tables else None


Paths = Any
"""The path of a file or a folder, several of them, or a table that comes as a stream of Arrow batches."""
Make = Callable[..., Accumulator]


class Listener(Protocol):
    """One who receives each user as batches go by."""

    @property
    def bytes(self) -> int:
        """Of memory that grows with the users."""

    def begin(self) -> None:
        """Forget the users that there were: they come again from the first on."""

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the users of a batch, and what became of them under each definition."""


def within(labels: Paths, run: Paths, make: Make, memory: str | int | Budget, **how: Any) -> Accumulator:
    """The sums and counts of all users in these files and folders of parts: `within_each` with one run."""
    return within_each(labels, {"": run}, make, memory, **how)[""]


def within_each(
    labels: Paths,
    runs: Mapping[str, Paths],
    make: Make,
    memory: str | int | Budget,
    *,
    labelled: bool = False,
    counting: bool = False,
    definitions: int = 1,
    each: Mapping[str, Listener] | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> dict[str, Accumulator]:
    """For each run the sums and counts of all users in these files and folders of parts, with no more memory than that.

    `make` makes an accumulator that keeps no user; with `labelled` the labels are read before, once, and it is given
    the items that they have. With `counting` half of the memory is for what is counted of all lists and users.
    `each` has the one who receives the users of a run, by its name; the values of `definitions` are then held.
    Sides whose users rise are read once, side by side; others are first divided by user into files under `temp_dir`,
    the labels once for all runs.
    Raises InputError for files that cannot be read, for a budget that is too small, and for a user whose rows do not
    fit it, with the memory that they need.
    """
    with ExitStack() as stack:
        folder = folder_in(stack, temp_dir)
        given = memory if isinstance(memory, Budget) else Memory.now(memory)
        known, sides = sides_of(labels, runs, given, columns, stack, folder)
        budget = given if isinstance(given, Budget) else budget_of(given, known, sides)
        budget = budget.holding(definitions) if each else budget
        if counting:
            budget = budget.sharing()
        stack.enter_context(in_file_order(known, *sides.values()))
        if labelled:
            make = partial(make, labelled=known.items())
        found = {}
        parts = InParts(known, max((side.rows for side in sides.values()), default=0), budget, folder, len(sides))
        for name, ranked in sides.items():
            _check_kinds(known, ranked)
            listener = (each or {}).get(name)
            found[name] = _of_one(parts, ranked, partial(_made, make, listener), budget, listener, progress)
    return found


def budget_of(memory: Memory, known: Side, runs: Mapping[str, Side]) -> Budget:
    """How many rows of these sides are held; an InputError for too little memory."""
    with in_file_order(known, *runs.values()):
        kinds = [kind for side in (known, *runs.values()) for kind in side.kinds.values()]
    return Budget.of(memory, text=any(kind != "integer" for kind in kinds))


def _of_one(
    parts: InParts,
    ranked: Side,
    made: Callable[[], Accumulator],
    budget: Budget,
    listener: Listener | None,
    progress: bool | None,
) -> Accumulator:
    """One run: side by side with the labels, or in parts where users do not rise."""
    held = (lambda: 0) if listener is None else lambda: listener.bytes
    with watching(progress, "rows") as shown:
        tell = Tell(Rows(max(parts.labels.rows + ranked.rows, 1)), shown)
        try:
            return of_sorted(parts.labels, ranked, Taken((parts.labels, ranked), made(), budget, held), tell)
        except OutOfOrderError:
            return parts.judge(ranked, Taken((parts.labels, ranked), made(), budget, held), tell)


def _made(make: Make, each: Listener | None) -> Accumulator:
    """Numbers of nobody yet, whose users are reported from the first on."""
    numbers = make()
    if each is not None:
        assert isinstance(numbers, Unchecked)
        each.begin()
        numbers.on_part = each.add
    return numbers


def sides_of(
    labels: Paths,
    runs: Mapping[str, Paths],
    memory: Memory | Budget,
    columns: Mapping[str, Any] | None,
    stack: ExitStack,
    folder: Callable[[], Path],
) -> tuple[Side, dict[str, Side]]:
    """Labels and each run as they are read batch by batch; sides that were made before stay as they are.

    Tables that come as streams are computed once, and packed files unpacked, into the `folder`, which is only requested
    then; files are there until the `stack` is closed. Raises InputError for what is wrong with files, and before any is
    read for memory that is too little for all.
    """
    if isinstance(memory, Memory):
        Budget.of(memory, text=None)
    named = {role: name for role, name in of_side(columns, "labels").items() if role != "group"}
    wanted = ColumnSpec("rankings", of_side(columns, "run"))
    known = _side(labels, ColumnSpec("labels", named), stack, folder)
    with in_file_order(known):
        return known, {name: _side(run, wanted, stack, folder) for name, run in runs.items()}


def _side(given: Any, wanted: ColumnSpec, stack: ExitStack, folder: Callable[[], Path]) -> Side:
    """One side: files and folders of parts, or a table that is first written to a folder for temporary files."""
    if isinstance(given, Side):
        return given
    if gives_batches(given):
        return spooled(given, wanted, folder())
    paths = [Path(one) for one in ([given] if isinstance(given, str | os.PathLike) else given)]
    return Side.of(paths, wanted, stack, folder)


def _check_kinds(known: Side, ranked: Side) -> None:
    """An InputError where ids are text on one side and integers on the other."""
    for what, kind in known.id_types.items():
        if ranked.id_types[what] != kind:
            wrong = (
                f"{what} ids are {kind} in the labels and {ranked.id_types[what]} in the rankings, so nothing can match"
            )
            raise InputError(wrong, do=f"Write those of both sides in one type: the column '{what}'")


class EachUser:
    """Values and states of users in a folder for temporary files: a part after the other, in each by rising ids."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "users.arrow"
        self._writer: Any = None

    def begin(self) -> None:
        """Forget the users that there were."""
        self._end()
        self._file.unlink(missing_ok=True)

    @property
    def bytes(self) -> int:
        """Of memory that grows with the users: none."""
        return 0

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Keep these users, and what each definition made of them; an InputError where the disk is full."""
        if not len(joined.users):
            return
        import polars as pl
        from pyarrow import ipc

        each = [one.of_each for one in found]
        columns = {_value(at): values for at, (values, _) in enumerate(each)}
        states = {_state(at): states for at, (_, states) in enumerate(each)}
        users = columns_of("user", joined.users.values.tolist())
        table = pl.DataFrame({**users, **columns, **states}).sort([*users]).to_arrow()
        with full_disk(self._file.parent):
            if self._writer is None:
                options = ipc.IpcWriteOptions(compression="lz4")
                self._writer = ipc.new_file(str(self._file), table.schema, options=options)
            self._writer.write_table(table)

    def write(self, result: Result, file: Path, *, force: bool) -> None:
        """All users in a file, with a column for each number, and the name of the run where it has one."""
        import polars as pl

        self._end()
        named = [pl.lit(result.run).alias("run")] if result.run else []
        columns = [_column(at, one).alias(spec) for at, (spec, one) in enumerate(result.by_spec.items())]
        write_table(self._kept(result).select(r"^user(_\d+)?$", *columns, *named), file, force=force)

    def _kept(self, result: Result) -> "pl.LazyFrame":
        import polars as pl

        if self._file.exists():
            return pl.scan_ipc(self._file)
        kinds = {_value(at): pl.Float64 for at, _ in enumerate(result.by_spec)}
        return pl.LazyFrame(schema={"user": pl.String, **kinds, **{_state(at): pl.Int8 for at, _ in enumerate(kinds)}})

    def _end(self) -> None:
        if self._writer is not None:
            with full_disk(self._file.parent):
                self._writer.close()
            self._writer = None


def _value(at: int) -> str:
    return f"value {at}"


def _state(at: int) -> str:
    return f"state {at}"


def _column(at: int, one: Measured) -> "pl.Expr":
    """The values of a definition; where all data decided, everybody in the population has the same."""
    import polars as pl

    if one.of_everybody is None:
        return pl.col(_value(at))
    inside = pl.col(_state(at)) != OUTSIDE
    return pl.when(inside).then(pl.lit(one.of_everybody)).otherwise(pl.lit(np.nan))


def check_file(per_user: str | os.PathLike[str], *, force: bool) -> Path:
    """The path of a table that can be written; an InputError before anything is computed for it."""
    file = Path(per_user)
    if file.is_file() and not force:
        do, shell = "Choose another name, or remove it first", "Choose another name, or overwrite it with --force"
        raise InputError("there is such a file already", where=str(file), do=do, shell=shell)
    check_table(file, force=force)
    return file


def of_files(
    labels: Any,
    rankings: Any,
    metrics: Metrics,
    preset: str | Preset | None,
    memory: str | int,
    *,
    side_data: Mapping[str, Any],
    per_user: str | os.PathLike[str] | None = None,
    force: bool = False,
    run: str = "",
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
    on_error: Errors = "raise",
) -> Result:
    """The numbers of these paths; with `per_user` the values of users are written to that file.

    `side_data` is what else `rc.Evaluator` takes. Raises what `rc.evaluate` does; nothing is written then.
    """
    make = partial(accumulate, metrics, preset, **side_data, per_user=False, repeated_users="unchecked")
    definitions = define(metrics, find_preset(HOUSE if preset is None else preset)).values()
    file = None if per_user is None else check_file(per_user, force=force)
    home = None if temp_dir is None else Path(temp_dir)
    with nullcontext() if file is None else folder_of_parts(home) as folder:
        each = None if folder is None else EachUser(folder)
        spans, counts = any(map(spanning, definitions)), any(map(counting, definitions))
        how: dict[str, Any] = {
            "temp_dir": temp_dir,
            "columns": columns,
            "progress": progress,
            "definitions": len(definitions),
        }
        how |= {} if each is None else {"each": {"": each}}
        numbers = within(labels, rankings, make, memory, labelled=spans, counting=counts, **how)
        result = replace(numbers.compute(on_error), run=run)
        if each is not None and file is not None:
            each.write(result, file, force=force)
    return result


def check_paths(labels: Any, runs: Sequence[Any], others: Mapping[str, Any]) -> None:
    """An InputError where data are no paths, which alone are read batch by batch, or what is not is given too."""
    for given, name in ((labels, "labels"), *((run, "rankings") for run in runs)):
        each = given if isinstance(given, list | tuple) and given else [given]
        if not gives_batches(given) and not all(isinstance(one, str | os.PathLike) for one in each):
            do = "Pass the path of a file or a folder, or a table of DuckDB, ibis or Arrow."
            raise InputError(f"with memory= the {name} are read from files or streams", do=do)
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{name}= needs all users at once, and with memory= they come in batches")
