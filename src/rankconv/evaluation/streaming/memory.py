"""How much memory there is, what files and batches need, and how many rows a budget holds."""

import math
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.basics.optional import require
from rankconv.data.inputs.columnar_files import ARROW, PARQUET
from rankconv.data.inputs.files import PACKED
from rankconv.data.inputs.run_files import runs_in

OF_ARROW, OF_TEXT, OF_PACKED = 1.4, 3.0, 12.0
"""Bytes of memory for each byte of a file: measured with 4 million rows and four metrics, but for packed ones."""
USUAL = "2GB"
"""A budget with which any data are read."""
_GB = 10**9
_MEMORY = Path("/proc/meminfo")


def too_large(labels: Any, rankings: Any, way_out: str) -> str:
    """What to say before these files are read, where memory will not hold them; empty where it will, or none can tell.

    `way_out` is how a budget is given: `--memory {}`. Data that are no paths are in memory already.
    """
    files = [file for given in (labels, rankings) for file in _files(given)]
    free, needed = available(), sum(map(_needed, files))
    if free is None or needed <= free:
        return ""
    text = f"these files take about {needed / _GB:.1f} GB of memory, and {free / _GB:.1f} GB are free"
    return f"{text}; with {way_out.format(USUAL)} they are read batch by batch"


def available() -> int | None:
    """Bytes of memory that can be had now; None where the system does not say."""
    try:
        lines = _MEMORY.read_text("ascii").splitlines()
        [kilobytes] = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
        return int(kilobytes) << 10
    except (OSError, ValueError):
        return None


def _files(given: Any) -> Iterable[Path]:
    """The files of a path, or of a list of them; none for other data and for what is not there, as reading tells."""
    several = isinstance(given, list) and bool(given) and isinstance(given[0], os.PathLike)
    for path in [Path(one) for one in (given if several else [given]) if isinstance(one, str | os.PathLike)]:
        with suppress(OSError, ValueError):
            yield from filter(Path.is_file, runs_in(path).values() if path.is_dir() else [path])


def _needed(file: Path) -> float:
    """Bytes of memory that the rows of a file take, about; Parquet packs them."""
    ending = file.suffix.lower()
    packed = ending in PARQUET or ending == PACKED
    return file.stat().st_size * (OF_PACKED if packed else OF_ARROW if ending in ARROW else OF_TEXT)


# a budget

BYTES_A_BATCH_ROW = 330
"""Of memory, while a batch of rows is evaluated; measured with integer ids and four metrics."""
BYTES_A_BATCH_TEXT_ROW = 900
"""Of memory, where ids are text."""
A_VALUE, ROWS_OF_A_USER = 9, 3
"""Bytes of a value and a state of a user; so many rows of labels and lists a user has at least, about."""
USUALLY_TAKEN = 200 << 20
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

    limit: str | int
    taken: int

    @classmethod
    def now(cls, said: str | int) -> "Memory":
        """What is said, and what is taken with the libraries that read files; a LibraryError where one is missing."""
        for library in ("pyarrow", "polars"):
            require(library, "rankconv[memory]", "Reading within a budget of memory")
        return cls(said, resident())


@dataclass(frozen=True)
class Budget:
    """How many rows may be held: half of them in a batch, the others' room is for what is counted."""

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
        a_row = BYTES_A_BATCH_TEXT_ROW if text else BYTES_A_BATCH_ROW
        taken = memory.taken
        free = bytes_of(memory.limit) - taken - SLACK
        if free < LEAST_ROWS * a_row:
            most = BYTES_A_BATCH_ROW if text is False else BYTES_A_BATCH_TEXT_ROW
            least = math.ceil((taken + SLACK + LEAST_ROWS * most + SPREAD) / 1e7) * 10
            wrong = f"memory={memory.limit} is too little for this process, which has taken {taken / 1e6:.0f} MB so far"
            allowed, shell = f"The least that works is {least}MB", f"Give --memory {least}MB."
            raise InputError(wrong, allowed=allowed, do=f"Give memory='{least}MB'.", shell=shell)
        most = int(free / a_row)
        return cls(min(most // 2, MOST_ROWS), most, a_row)

    @property
    def for_counts(self) -> int:
        """Bytes that are left besides a batch, for what numbers of all lists count."""
        return (self.most - self.rows) * self.a_row

    def holding(self, definitions: int) -> "Budget":
        """The budget where each user of a batch has a value under each of these definitions."""
        a_row = self.a_row + A_VALUE * definitions // ROWS_OF_A_USER
        most = self.most * self.a_row // a_row
        return Budget(max(1, min(self.rows, most // 2)), most, a_row)

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
        raise InputError(f"memory={memory!r} is not a size", allowed="Write it as 2GB or 500MB, or in bytes")
    unit = 1024 ** ("kmgt".index(found[2]) + 1) if found[3] and found[2] else _UNITS[found[2]]
    return int(number * unit)


def resident() -> int:
    """Bytes of memory that this process holds now; at its most, or about, where the system does not say."""
    try:
        import resource
    except ImportError:
        return USUALLY_TAKEN
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
