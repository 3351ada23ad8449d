"""Pieces of streams, and parts of the users written to temporary files."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids, RawIds, coded_integers, coded_texts
from rankconv.errors import InputError
from rankconv.inputs.files import File
from rankconv.inputs.reader import ColumnSpec, Floats, Place, RankSource, RawRows
from rankconv.inputs.values import Parsed, joined_numbers, numbers_from_texts, owners, times_from_texts

if TYPE_CHECKING:
    import polars as pl
import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


ROWS = 1 << 16
"""Rows read one by one that make a piece: Python's texts take ten times the room of the file."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Adjacent rows of a file, each of which was found right."""

    ids: Mapping[str, "pl.Series"]
    """Texts or integers, none missing, by role; of ids with several parts one for each: `user.1` and so on."""
    numbers: Mapping[str, Parsed] = field(default_factory=dict)
    """Grades, scores and ranks, by role."""
    time: Floats | None = None
    owners: Mapping[str, "pl.Series"] = field(default_factory=dict)
    """The users of records that may have no row, one for each record; empty where each row is a record."""

    def __len__(self) -> int:
        return len(next(iter(self.ids.values())))


@dataclass(eq=False)
class Pieces:
    """A file that is read piece by piece, and what is known of it as far as it was read."""

    each: Iterator[Piece]
    columns: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns that are read, by role; of a table only."""
    form: Form = field(default=Form())
    tag: str = ""
    """The name that a TREC run gives itself."""
    rank_source: RankSource = RankSource.COLUMN


def in_memory(pieces: Callable[[File, ColumnSpec], Pieces]) -> Callable[[File, ColumnSpec], RawRows]:
    """Return the function that reads all rows of such a file together."""
    return lambda file, spec: rows_of(pieces(file, spec), file)


def is_id(role: str) -> bool:
    """Whether this is an id, or a part of one."""
    return role.partition(".")[0] in ("user", "item", "group")


def piece_of(
    columns: Mapping[str, Any], read: Callable[[Any, str, Place], Any], place: Place, of_number: Place | None = None
) -> Piece:
    """Return the rows of the column of each role, as `read` takes them; InputError for the first row that is wrong.

    `place` names a row, `of_number` the place of its number, if that is another.
    """
    tried, wrong = dict[str, Any](), list[tuple[int, InputError]]()
    for role, column in columns.items():
        at = place if is_id(role) else of_number or place
        try:
            tried[role] = read(column, role, at)
        except InputError:
            some = lambda rows, at=at, role=role, column=column: read(column[rows], role, shifted(at, rows.start))
            wrong.append(first_wrong(some, len(column)))
    if wrong:
        raise min(wrong, key=lambda one: one[0])[1]
    ids = {role: one for role, one in tried.items() if is_id(role)}
    return Piece(ids, {role: one for role, one in tried.items() if isinstance(one, Parsed)}, tried.get("time"))


def shifted(place: Place, rows: int) -> Place:
    """Return the place of a row, counted from this many rows on."""
    return lambda row: place(rows + row)


def first_wrong(read: Callable[[slice], Any], rows: int) -> tuple[int, InputError]:
    """Return the first row up to which rows cannot be read, and what is wrong with it; all of them cannot."""
    some = (slice(first, min(first + ROWS, rows)) for first in range(0, rows, ROWS))
    tried = next((one for one in some if _refused(read, one)), slice(0, rows))
    begin, good, bad = tried.start, tried.start, tried.stop
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (good, middle) if _refused(read, slice(begin, middle)) else (middle, bad)
    error = _refused(read, slice(begin, bad))
    assert error is not None
    return good, error


def _refused(read: Callable[[slice], Any], rows: slice) -> InputError | None:
    try:
        read(rows)
    except InputError as error:
        return error
    return None


def of_texts(texts: Mapping[str, "pl.Series"], place: Place) -> Piece:
    """Return the rows of these texts; ids stay text, so that 007 stays 007, and numbers may be parsed already."""
    return piece_of(texts, _read_text, place)


def _read_text(texts: "pl.Series", role: str, place: Place) -> Any:
    if role == "time":
        return times_from_texts(texts, place)
    if not is_id(role):
        return numbers_from_texts(texts, role, place)
    for row in (texts.is_null() | (texts == "")).arg_true().head(1):
        raise InputError(f"there is no {role} id", where=place(row), do="Give the row an id, or leave it out")
    return texts


def gathered(rows: Iterable[tuple[int, Sequence[str]]], roles: Sequence[str], file: File) -> Iterator[Piece]:
    """Give pieces of rows that come one by one, each with its line: a text for each role.

    Where they end in an InputError, one of a row before it is raised in its place.
    """
    lines, texts = array("q"), list[str]()

    def piece() -> Piece:
        import polars as pl

        columns = {role: pl.Series(texts[at :: len(roles)], dtype=pl.String) for at, role in enumerate(roles)}
        return of_texts(columns, lambda row: f"{file}, line {lines[row]}")

    try:
        for line, fields in rows:
            lines.append(line)
            texts += fields
            if len(lines) == ROWS:
                yield piece()
                lines, texts = array("q"), []
    except InputError:
        if lines:
            yield piece()
        raise
    if lines:
        yield piece()


def rows_of(pieces: Pieces, file: File) -> RawRows:
    """Return all rows of a file together."""
    each = list(pieces.each)
    about: dict[str, Any] = {"columns": pieces.columns, "form": pieces.form, "tag": pieces.tag}
    about["rank_source"] = pieces.rank_source
    if not each:
        nobody, no_row = coded_integers(np.empty(0, np.int64))
        return RawRows(file.name, nobody, no_row, nobody, no_row, **about)
    ids = {role: _concatenated([piece.ids[role] for piece in each]) for role in each[0].ids}
    named = [piece.owners["user"] for piece in each if piece.owners]
    if named:
        users, codes = _coded(_concatenated([*named, ids["user"]]))
        user: Codes | None = codes[len(codes) - len(ids["user"]) :]
        starts: Codes | None = None
    else:
        users, user, starts = owners(_plain(ids["user"]), lambda _: "")
    found = {role: joined_numbers([piece.numbers[role] for piece in each]) for role in each[0].numbers}
    rank = found.pop("rank", None)
    if "group" in ids:
        about["groups"], about["group"] = _coded(ids["group"])
    times = [piece.time for piece in each if piece.time is not None]
    about |= {"time": np.concatenate(times) if times else None, "starts": starts}
    items, item = uncoded(_plain(ids["item"]))
    return RawRows(file.name, users, user, items, item, next(iter(found.values()), None), rank, **about)


def uncoded(ids: "NDArray[Any] | pl.Series") -> tuple[Ids | None, Codes | RawIds]:
    """Return no codes but the ids themselves, integers of 64 bits or texts, shape (rows,), where there are any."""
    if not len(ids):
        return coded_integers(ids) if isinstance(ids, np.ndarray) else coded_texts(ids)
    return None, ids if isinstance(ids, np.ndarray) else RawIds(ids)


def _concatenated(ids: "Sequence[pl.Series]") -> "pl.Series":
    import polars as pl

    return pl.concat([one for one in ids if len(one)] or ids[:1], rechunk=True)


def _plain(ids: "pl.Series") -> "NDArray[np.int64] | pl.Series":
    """Texts as they are, integers as an array, shape (rows,)."""
    return ids.to_numpy() if ids.dtype.is_integer() else ids


def _coded(ids: "pl.Series") -> tuple[Ids, Codes]:
    """The distinct ids by first appearance, and the code of each row, shape (rows,)."""
    plain = _plain(ids)
    return coded_integers(plain) if isinstance(plain, np.ndarray) else coded_texts(plain)


PREFIX = "rankconv-parts-"
_LOCK = "in-use"
_NEW = ".rankconv-new-"
Both = tuple["pl.DataFrame | None", "pl.DataFrame | None"]
"""All labels and all rows of some users; None where a side has none at all so far."""


# parts on disk


@contextmanager
def folder_of_parts(temp: Path | None) -> Iterator[Path]:
    """A folder that is gone afterwards, whatever happens; one that a killed process left is cleared away first."""
    home = Path(tempfile.gettempdir() if temp is None else temp)
    if not home.is_dir():
        raise InputError("there is no such folder for temporary files", where=str(home))
    _clear(home)
    try:
        new = Path(tempfile.mkdtemp(prefix=_NEW, dir=home))
        lock = (new / _LOCK).open("w")
        folder = new
        if _locked(lock):
            folder = new.rename(home / new.name.replace(_NEW, PREFIX, 1))  # seen by others with its lock alone
        else:
            lock.close()
    except OSError as problem:
        raise InputError(f"no temporary file can be made here: {problem.strerror}", where=str(home)) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def folder_in(stack: ExitStack, temp: str | os.PathLike[str] | None) -> Callable[[], Path]:
    """Return the function that makes such a folder under `temp`; each exists as long as the stack is open."""
    return lambda: stack.enter_context(folder_of_parts(None if temp is None else Path(temp)))


def _locked(lock: IO[str]) -> bool:
    """Lock a file until it is closed; False where the system has no such locks, so that no folder is cleared.

    Raises OSError where another process holds it.
    """
    try:
        import fcntl
    except ImportError:
        return False
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


def _clear(home: Path) -> None:
    """Remove the folders of processes that ended: their lock is free."""
    for left in home.glob(f"{PREFIX}*"):
        try:
            with (left / _LOCK).open("r+") as lock:
                if _locked(lock):
                    shutil.rmtree(left, ignore_errors=True)
        except OSError:
            continue


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """An InputError where the disk is full or cannot be written."""
    try:
        yield
    except OSError as problem:
        wrong, room = f"temporary files cannot be written: {problem.strerror}", "a folder with as much room as the data"
        raise InputError(
            wrong, where=str(folder), do=f"Give {room}: temp_dir=…", shell=f"Give {room}: --temp-dir FOLDER"
        ) from None


class OtherColumnsError(Exception):
    """A batch has other columns than those before."""


class Parts:
    """One side in parts on disk: part `p` has all rows of the users whose hash, divided by their number, leaves p."""

    def __init__(self, folder: Path, number: int, seed: int) -> None:
        """`seed` makes another hash, for a part that is divided again."""
        self.folder, self.number, self.seed = folder, number, seed
        self.rows = np.zeros(number, np.int64)
        self.kept = False
        """Whether parts are read again, and stay on the disk until then."""
        folder.mkdir(parents=True)

    def fill(self, batches: "Iterable[pl.DataFrame]") -> "Parts":
        """Divide these rows; an InputError where the disk is full, an OtherColumnsError where columns change."""
        from pyarrow import ipc

        options = ipc.IpcWriteOptions(compression="lz4")
        writers: dict[int, Any] = {}
        columns: list[str] | None = None
        with full_disk(self.folder):
            try:
                for table in batches:
                    columns = columns or table.columns
                    if table.columns != columns:
                        raise OtherColumnsError
                    for part, rows in self._divided(table):
                        if part not in writers:
                            writers[part] = ipc.new_stream(str(self._file(part)), rows.schema, options=options)
                        writers[part].write_table(rows)
            finally:
                for writer in writers.values():
                    writer.close()
        return self

    def _divided(self, table: "pl.DataFrame") -> "Iterator[tuple[int, pa.Table]]":
        part = (table["user"].hash(self.seed) % self.number).to_numpy().astype(np.uint16)
        order = np.argsort(part, kind="stable")
        counts = np.bincount(part, minlength=self.number)
        self.rows += counts
        ordered, ends = table[order].to_arrow().combine_chunks(), np.cumsum(counts)
        for one in np.flatnonzero(counts).tolist():
            yield one, ordered.slice(ends[one] - counts[one], counts[one])

    def _file(self, part: int) -> Path:
        return self.folder / f"{part}.arrows"

    def read(self, part: int) -> "Iterator[pl.DataFrame]":
        """The rows of a part, in the order in which they came."""
        import polars as pl
        from pyarrow import ipc

        if self._file(part).exists():
            with ipc.open_stream(str(self._file(part))) as opened:
                for batch in opened:
                    yield pl.DataFrame(pl.from_arrow(batch))

    def clear(self) -> None:
        """Delete all rows."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def remove(self, part: int) -> None:
        """Delete the rows of a part that is not read again."""
        if not self.kept:
            self._file(part).unlink(missing_ok=True)


# sides in the order of their users


class OutOfOrderError(Exception):
    """A user has a smaller id than one before."""


class _Sorted:
    """One side as far as it was read and not given away."""

    def __init__(self, batches: "Iterator[pl.DataFrame]") -> None:
        self._batches, self._kept = batches, list["pl.DataFrame"]()
        self.rows, self.last, self.done = 0, None, False

    def more(self) -> None:
        """Read one more batch; OutOfOrderError where its users do not rise."""
        table = next(self._batches, None)
        if table is None:
            self.done = True
        elif len(table):
            users = table["user"]
            if (self.last is not None and users[0] < self.last) or (users.slice(1) < users.head(-1)).any():
                raise OutOfOrderError
            self.last = users[-1]
            self._kept.append(table)
            self.rows += len(table)

    @property
    def first(self) -> Any:
        """The first user who is kept; None where there is none."""
        return self._kept[0]["user"][0] if self._kept else None

    def before(self, user: Any) -> "pl.DataFrame | None":
        """The rows of users before this one, all where it is None, which are then no longer kept."""
        import polars as pl

        given, kept = [], []
        for table in self._kept:
            cut = len(table) if user is None else int(table["user"].search_sorted(user))
            given += [table.head(cut)] if cut else []
            kept += [table.slice(cut)] if cut < len(table) else []
        self._kept, self.rows = kept, sum(map(len, kept))
        return pl.concat(given, how="diagonal") if given else None


def clustered(labels: "Iterator[pl.DataFrame]", run: "Iterator[pl.DataFrame]", rows: int, most: int) -> Iterator[Both]:
    """Labels and rows of whole users, about `rows` of them at a time, from two sides whose users rise.

    Raises OutOfOrderError where they do not, or where one user has over `most` rows.
    """
    known, ranked = _Sorted(labels), _Sorted(run)
    while not (known.done and ranked.done and not known.rows + ranked.rows):
        wanted = rows
        cut = _read(known, ranked, wanted)
        while cut is not None and not _any_before(known, cut) and not _any_before(ranked, cut):
            wanted *= 2
            if wanted > most:
                raise OutOfOrderError
            cut = _read(known, ranked, wanted)
        yield known.before(cut), ranked.before(cut)


def _read(known: _Sorted, ranked: _Sorted, rows: int) -> Any:
    """Read both sides until some users are complete; return the first user who is not, None for none."""
    while not ranked.done and ranked.rows < rows:
        ranked.more()
    while not known.done and known.rows < rows and (ranked.done or known.last is None or known.last <= ranked.last):
        known.more()
    ends: list[Any] = [side.last for side in (known, ranked) if not side.done and side.last is not None]
    return min(ends) if ends else None


def _any_before(side: _Sorted, user: Any) -> bool:
    return side.first is not None and bool(side.first < user)
