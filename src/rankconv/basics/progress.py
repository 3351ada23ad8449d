"""A bar that tells how far an evaluation is, where somebody is there to see it, and the ways to interrupt one."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import NamedTuple, Protocol, TextIO

AFTER = 2.0
"""Seconds after which a bar appears by itself."""
EVERY = 0.1
"""Seconds between two drawings of it."""
SIGNS = 12
"""Columns of the bar."""
CLEAR = "\r\x1b[2K"
"""Takes what is drawn away."""


class CtrlC(BaseException):
    """Ctrl-C on the command line, in a class that no library catches."""


INTERRUPTS = (KeyboardInterrupt, CtrlC)
"""What stops a search that keeps what it has found."""
INTERRUPTED = "Interrupted; this was found until then. "
"""Before the results of such a search."""


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
        self._first = self._next = self._start + after
        self._work = "Evaluating"
        self._drawn = False

    def begin(self, work: str, what: str = "users") -> None:
        """Say what is done from now on, and what is counted of it."""
        self._work, self._what, self._start = work, what, self._clock()
        if self._start >= self._first:
            self._write(f"{work} …")

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
        self._write(f"{self._work} {bar:<{SIGNS}} {counts}")

    def _write(self, line: str) -> None:
        self._stream.write(CLEAR + line[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()
        self._drawn = True

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn:
            self._stream.write(CLEAR)
            self._stream.flush()


class _Watch(NamedTuple):
    """What is shown of the call that the user made, and of all that it calls."""

    bar: Bar | None


_WATCH: ContextVar[_Watch | None] = ContextVar("watch", default=None)


def current_bar() -> Bar | None:
    """The bar of the call that is watched, if any is shown."""
    watch = _WATCH.get()
    return None if watch is None else watch.bar


def stage(work: str, what: str = "users") -> Bar | None:
    """Say on the bar what is done from now on, and what is counted of it; return the bar, if one is shown."""
    if (bar := current_bar()) is not None:
        bar.begin(work, what)
    return bar


@contextmanager
def watching(shown: bool | None, what: str = "users") -> Iterator[Bar | None]:
    """A bar on stderr that counts users, or another unit: at once where it is requested, never where it is not wanted.

    Where nothing is said, at a terminal or in a notebook and after two seconds. Within a call that is watched already
    it is the bar of that one.
    """
    if (outer := _WATCH.get()) is not None:
        yield outer.bar
        return
    bar = _bar(shown, what)
    token = _WATCH.set(_Watch(bar))
    try:
        yield bar
    finally:
        _WATCH.reset(token)
        if bar is not None:
            bar.close()


def _bar(shown: bool | None, what: str) -> Bar | None:
    stream = sys.stderr
    in_notebook = type(stream).__module__.startswith("ipykernel.")
    if shown is False or stream is None or not (shown or stream.isatty() or in_notebook):
        return None
    return Bar(stream, 0.0 if shown else AFTER, what=what)
