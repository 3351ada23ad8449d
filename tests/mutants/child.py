"""A child process that runs tests and tells which failed first."""

import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SECONDS, ROOM = 400, 8 << 30
"""Of the processor, and bytes of memory: who needs more hangs, and is caught."""
OPTIONS = (
    *("-x", "-q", "-n0", "-p", "no:cacheprovider", "--tb=no", "--no-header", "--no-summary"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # libraries are imported already
)
FAILURE_OF_TOOL = 70


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant."""

    caught_by: str
    """The first test that failed; nothing where it survived."""
    seconds: float
    status: int = 0

    def __str__(self) -> str:
        return f"{self.caught_by or 'survives'}  ({self.seconds:.1f} s)"


def in_child(work: Callable[[int], int]) -> Outcome:
    """Done by a child, which may write the name of a test, and ends with the number that is returned."""
    began = time.perf_counter()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = FAILURE_OF_TOOL
        try:
            os.close(reading)
            status = work(writing)
        except BaseException as error:
            os.write(writing, repr(error).encode())
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read().partition("\n")[0]
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == FAILURE_OF_TOOL:
        raise RuntimeError(told)
    ended = signal.Signals(-status).name if status < 0 else f"exit {status}"
    return Outcome((told or ended) if status else "", time.perf_counter() - began, status)


def limited() -> None:
    """This process gets no more than that."""
    for limit, most in ((resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_AS, ROOM)):
        resource.setrlimit(limit, (most, most))


def silent() -> None:
    """What this process prints goes nowhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)


class FirstFailure:
    """A plugin of pytest: writes which test failed first."""

    def __init__(self, writing: int) -> None:
        self.writing = writing

    def note(self, report: Any) -> None:
        """Of a test, or of a file that could not be collected."""
        if report.failed:
            os.write(self.writing, f"{report.nodeid}\n".encode())

    pytest_runtest_logreport = pytest_collectreport = note
