"""Child processes, as many at a time as there are processors; each tells how it ended."""

import os
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

ROOM = 8 << 30
"""Bytes of memory; who needs more hangs, and is caught."""
FAILURE_OF_TOOL = 70
Key = TypeVar("Key")
Work = Callable[[int], int]
"""What a child does: it may write a line of text to the pipe that it is given, and returns the status it ends with."""


@dataclass(frozen=True)
class Outcome:
    """How a child ended."""

    status: int
    text: str
    """What it wrote, or the signal that ended it."""
    seconds: float

    def __str__(self) -> str:
        return f"{self.text or 'survives'}  ({self.seconds:.1f} s)"


def in_children(works: Iterable[tuple[Key, Work]]) -> Iterator[tuple[Key, Outcome]]:
    """The outcome of each work, in the order in which they end."""
    waiting, running = iter(works), dict[int, tuple[Key, int, float]]()
    while True:
        while len(running) < (os.cpu_count() or 1) and (one := next(waiting, None)):
            key, work = one
            child, reading = _started(work)
            running[child] = (key, reading, time.perf_counter())
        if not running:
            return
        child, ended = os.wait()
        key, reading, began = running.pop(child)
        with os.fdopen(reading) as pipe:
            text = pipe.read().partition("\n")[0]
        status = os.waitstatus_to_exitcode(ended)
        if status == FAILURE_OF_TOOL:
            raise RuntimeError(text)
        if status and not text:
            text = signal.Signals(-status).name if status < 0 else f"exit {status}"
        yield key, Outcome(status, text, time.perf_counter() - began)


def _started(work: Work) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = FAILURE_OF_TOOL
    try:
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        status = work(writing)
    except BaseException as error:
        os.write(writing, f"{error!r}\n".encode())
    finally:
        os._exit(status)
