"""How many rows may be held within a budget of memory."""

import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from rankconv.errors import InputError
from rankconv.optional import require

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
