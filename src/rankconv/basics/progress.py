"""A bar that tells how far an evaluation is, where somebody is there to see it."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Protocol, TextIO

AFTER = 2.0
"""Seconds after which a bar appears by itself."""
EVERY = 0.1
"""Seconds between two drawings of it."""
SIGNS = 12
"""Columns of the bar."""
CLEAR = "\r\x1b[2K"
"""Takes what is drawn away."""


class Work(Protocol):
    """One definition on its way through the users."""

    @property
    def to_do(self) -> int:
        """How many users it looks at."""

    @property
    def done(self) -> int:
        """How many of them have been scored."""


class Bar:
    """Users done, users per second, and the time that is left; a call tells how far the work is."""

    def __init__(
        self, stream: TextIO, after: float, clock: Callable[[], float] = time.monotonic, what: str = "users"
    ) -> None:
        """The bar is drawn on this stream, from so many seconds on; it counts users, or `what` is counted."""
        self._stream, self._clock, self._what = stream, clock, what
        self._start = clock()
        self._next = self._start + after
        self._drawn = False

    def __call__(self, works: Sequence[Work]) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + EVERY
        users, to_do = max(work.to_do for work in works), sum(work.to_do for work in works)
        done = users * sum(work.done for work in works) / max(to_do, 1)
        self._draw(done, users, max(now - self._start, EVERY))

    def _draw(self, done: float, users: int, seconds: float) -> None:
        left = f" {timedelta(seconds=round(seconds * (users - done) / done))} left" if done else ""
        bar = "━" * round(SIGNS * done / max(users, 1))
        counts = f"{round(done):,} of {users:,} {self._what} {done / seconds:,.0f} {self._what}/s{left}"
        line = f"Evaluating {bar:<{SIGNS}} {counts}"
        self._stream.write(CLEAR + line[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn:
            self._stream.write(CLEAR)
            self._stream.flush()


@contextmanager
def watching(shown: bool | None, what: str = "users") -> Iterator[Bar | None]:
    """A bar on stderr that counts users, or another unit: at once where it is requested, never where it is not wanted.

    Where nothing is said, at a terminal or in a notebook and after two seconds.
    """
    stream = sys.stderr
    in_notebook = type(stream).__module__.startswith("ipykernel.")
    if shown is False or stream is None or not (shown or stream.isatty() or in_notebook):
        yield None
        return
    bar = Bar(stream, 0.0 if shown else AFTER, what=what)
    try:
        yield bar
    finally:
        bar.close()
