"""A bar that tells how far an evaluation is, where somebody is there to see it."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress

AFTER = 2.0
"""Seconds after which a bar appears by itself."""
EVERY = 0.1
"""Seconds between two drawings of it."""


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
        self._drawn: Progress | None = None

    def __call__(self, works: Sequence[Work]) -> None:
        now = self._clock()
        if now < self._next:
            return
        self._next = now + EVERY
        users, to_do = max(work.to_do for work in works), sum(work.to_do for work in works)
        done = users * sum(work.done for work in works) / max(to_do, 1)
        self._draw(done, users, max(now - self._start, EVERY))

    def _draw(self, done: float, users: int, seconds: float) -> None:
        if self._drawn is None:
            self._drawn = _drawing(self._stream, self._what)
            self._drawn.add_task("Evaluating", total=users, speed=0.0, left="")
            self._drawn.start()
        (task,) = self._drawn.task_ids
        left = f"{timedelta(seconds=round(seconds * (users - done) / done))} left" if done else ""
        self._drawn.update(task, completed=round(done), speed=done / seconds, left=left, refresh=True)

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn.stop()


def _drawing(stream: TextIO, what: str) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(12),
        TextColumn(f"{{task.completed:,}} of {{task.total:,}} {what}"),
        TextColumn(f"{{task.fields[speed]:,.0f}} {what}/s"),
        TextColumn("{task.fields[left]}"),
        console=Console(file=stream, force_jupyter=in_notebook()),
        auto_refresh=False,
        transient=True,
    )


def in_notebook() -> bool:
    """Whether this runs in a notebook that can show a bar, which rich draws with ipywidgets."""
    return "ipykernel" in sys.modules and find_spec("ipywidgets") is not None


@contextmanager
def watching(shown: bool | None, what: str = "users") -> Iterator[Bar | None]:
    """A bar on stderr that counts users, or another unit: at once where it is requested, never where it is not wanted.

    Where nothing is said, at a terminal or in a notebook and after two seconds.
    """
    stream = sys.stderr
    if shown is False or stream is None or not (shown or stream.isatty() or in_notebook()):
        yield None
        return
    bar = Bar(stream, 0.0 if shown else AFTER, what=what)
    try:
        yield bar
    finally:
        bar.close()
