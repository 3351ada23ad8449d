"""Parts of the users on the disk, and sides read together in the order of their users."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.basics.errors import InputError

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

Both = tuple["pl.DataFrame | None", "pl.DataFrame | None"]
"""All labels and all rows of some users; None where a side has none at all so far."""


# parts on disk


@contextmanager
def folder_of_parts(temp: Path | None) -> Iterator[Path]:
    """A folder that is gone afterwards, unless the process is killed."""
    home = Path(tempfile.gettempdir() if temp is None else temp)
    if not home.is_dir():
        raise InputError("there is no such folder for temporary files", where=str(home))
    try:
        made = tempfile.TemporaryDirectory(prefix="rankconv-parts-", dir=home, ignore_cleanup_errors=True)
    except OSError as problem:
        raise InputError(f"no temporary file can be made here: {problem.strerror}", where=str(home)) from None
    with made as folder:
        yield Path(folder)


def folder_in(stack: ExitStack, temp: str | os.PathLike[str] | None) -> Callable[[], Path]:
    """Return the function that makes such a folder under `temp`; each exists as long as the stack is open."""
    return lambda: stack.enter_context(folder_of_parts(None if temp is None else Path(temp)))


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


class DiskParts:
    """One side in parts on disk: part `p` has all rows of the users whose hash, divided by their number, leaves p."""

    def __init__(self, folder: Path, number: int, seed: int) -> None:
        """`seed` makes another hash, for a part that is divided again."""
        self.folder, self.number, self.seed = folder, number, seed
        self.rows = np.zeros(number, np.int64)
        folder.mkdir(parents=True)

    def fill(self, batches: "Iterable[pl.DataFrame]") -> "DiskParts":
        """Divide these rows; an InputError where the disk is full."""
        from pyarrow import ipc

        options = ipc.IpcWriteOptions(compression="lz4")
        writers: dict[int, Any] = {}
        with full_disk(self.folder):
            try:
                for table in batches:
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
