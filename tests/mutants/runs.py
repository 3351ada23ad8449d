"""Runs of tests in children: what each executes when all is whole, and which fails first when it is not."""

import os
import pickle
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.mutants.children import in_children
from tests.mutants.mutant import SOURCE, files

OPTIONS = (
    *("-qq", "-n0", "-s", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:faulthandler"),
    "--assert=plain",  # pytest would read the source of rankconv itself, as it has a plugin, and find it whole
)
LEAST_SECONDS, TIMES_SLOWER = 20, 10
"""Of the processor, for a test: one that takes longer hangs, and has failed."""

FILES = {str(SOURCE / "rankconv" / file): file for file in files()}
"""Those that are broken, by path."""


@dataclass(frozen=True)
class Run:
    """A test run with nothing broken."""

    test: str
    seconds: float
    lines: dict[str, frozenset[int]]
    """Those that it executes, by the file below `src/rankconv`."""

    def executes(self, file: str, lines: range) -> bool:
        """Whether it executes any of these."""
        return not self.lines.get(file, frozenset()).isdisjoint(lines)


class FirstFailure:
    """A plugin of pytest: writes which test fails first, or which file cannot be collected."""

    def __init__(self, writing: int | None = None) -> None:
        self.writing = writing

    def note(self, report: Any) -> None:
        """Of a test or a file."""
        if report.failed and self.writing is not None:
            os.write(self.writing, f"{report.nodeid}\n".encode())

    pytest_runtest_logreport = pytest_collectreport = note


def until_failure(session: pytest.Session, runs: Sequence[Run]) -> int:
    """Run these tests, as far as the session has them; 1 as soon as one fails, else 0."""
    items = {item.nodeid: item for item in session.items}
    runs = [run for run in runs if run.test in items]
    for run, following in zip(runs, [*runs[1:], None], strict=True):
        most = int(time.process_time() + LEAST_SECONDS + TIMES_SLOWER * run.seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))
        item = items[run.test]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following and items[following.test])
        if session.testsfailed:
            return 1
    return 0


def recorded(session: pytest.Session, plugin: FirstFailure) -> list[Run]:
    """The runs of all tests of the session."""
    with TemporaryDirectory() as folder:

        def work(share: int) -> Callable[[int], int]:
            def record(writing: int) -> int:
                plugin.writing = writing
                runs = [_recorded(session, item) for item in session.items[share :: os.cpu_count()]]
                Path(folder, str(share)).write_bytes(pickle.dumps(runs))
                return min(session.testsfailed, 1)

            return record

        for _, outcome in in_children((share, work(share)) for share in range(os.cpu_count() or 1)):
            if outcome.status:
                raise RuntimeError(f"without any mutant, {outcome.text} fails")
        return [run for file in Path(folder).iterdir() for run in pickle.loads(file.read_bytes())]


def _recorded(session: pytest.Session, item: pytest.Item) -> Run:
    tracer, began = Tracer(), time.process_time()
    sys.settrace(tracer.called)
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    finally:
        sys.settrace(None)
    lines = {file: frozenset(lines) for file, lines in tracer.lines.items() if lines}
    return Run(item.nodeid, time.process_time() - began, lines)


class Tracer:
    """Notes each line that is executed in the files that are broken."""

    def __init__(self) -> None:
        self.lines: dict[str, set[int]] = {}
        self._inside: dict[CodeType, Any] = {}

    def called(self, frame: FrameType, event: str, value: object) -> Any:
        """What notes the lines of the function that is called; None for those of other files."""
        code = frame.f_code
        if code not in self._inside:
            file = FILES.get(code.co_filename)
            self._inside[code] = _noting(self.lines.setdefault(file, set())) if file else None
        return self._inside[code]


def _noting(lines: set[int]) -> Callable[..., Any]:
    def executed(frame: FrameType, event: str, value: object) -> Any:
        lines.add(frame.f_lineno)
        return executed

    return executed
