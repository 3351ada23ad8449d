"""Mutants of code inside functions, which is exchanged in children of a process that has collected the tests."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType

import pytest

from tests.mutants.child import FAILURE_OF_TOOL, OPTIONS, FirstFailure, Outcome, in_child, limited, silent
from tests.mutants.mutant import SOURCE, Mutant

AT_IMPORT = 60
"""The status of a mutant whose code runs at import, before any test."""
UNBROKEN = "unbroken"
Tests = Callable[[str], list[str]]
"""Those that belong to a file."""


def tested_at_once(mutants: dict[int, Mutant], tests: Tests, told: Callable[[int, Outcome], None]) -> None:
    """Tell the outcome of each mutant as it comes."""
    wanted = list(dict.fromkeys(test for mutant in mutants.values() for test in tests(mutant.file)))
    reading, writing = os.pipe()
    server = os.fork()
    if not server:
        os.close(reading)
        _serve(mutants, tests, wanted, writing)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        for line in pipe:
            number, *outcome = line.rstrip("\n").split("\t")
            if not outcome:
                raise RuntimeError(f"{number} cannot be collected")
            status, seconds, caught_by = outcome
            if number == UNBROKEN:
                raise RuntimeError(f"without any mutant, {caught_by} fails")
            told(int(number), Outcome(caught_by, float(seconds), int(status)))
    if os.waitstatus_to_exitcode(os.waitpid(server, 0)[1]):
        raise RuntimeError(f"the tests cannot be collected: {' '.join(wanted)}")


def _serve(mutants: dict[int, Mutant], tests: Tests, wanted: list[str], writing: int) -> None:
    status = FAILURE_OF_TOOL
    try:
        silent()
        os.chdir(SOURCE.parent)
        sys.path.insert(0, str(SOURCE))
        status = int(pytest.main([*OPTIONS, *wanted], plugins=[_Forking(mutants, tests, writing)]))
    finally:
        os._exit(status)


class _Forking(FirstFailure):
    """A plugin of pytest: after collection a child runs the tests of each mutant, and first those of none."""

    def __init__(self, mutants: dict[int, Mutant], tests: Tests, writing: int) -> None:
        super().__init__(writing)
        self.mutants, self.tests, self.lines = mutants, tests, os.fdopen(writing, "w")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running the tests."""
        whole = in_child(lambda writing: self.test(session, session.items, writing))
        if whole.status:
            self.tell(UNBROKEN, whole)
            return True
        for number, mutant in self.mutants.items():
            outcome = in_child(lambda writing, mutant=mutant: self.break_and_test(session, mutant, writing))  # type: ignore[misc]
            self.tell(str(number), outcome)
        return True

    def tell(self, number: str, outcome: Outcome) -> None:
        """The process that asked."""
        print(number, outcome.status, outcome.seconds, outcome.caught_by, sep="\t", file=self.lines, flush=True)

    def break_and_test(self, session: pytest.Session, mutant: Mutant, writing: int) -> int:
        """In a child."""
        with broken(mutant) as possible:
            wanted = chosen(session.items, self.tests(mutant.file))
            return self.test(session, wanted, writing) if possible else AT_IMPORT

    def test(self, session: pytest.Session, items: list[pytest.Item], writing: int) -> int:
        """In a child: 0 if all pass."""
        limited()
        self.writing = writing
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                return 1
        return 0


def chosen(items: list[pytest.Item], tests: list[str]) -> list[pytest.Item]:
    """The tests that are named, or that stand in a file or folder that is, in that order."""
    inside = {test: [item for item in items if _stands_in(item.nodeid, test)] for test in tests}
    return list(dict.fromkeys(item for test in tests for item in inside[test]))


def _stands_in(test: str, place: str) -> bool:
    return test == place or test.startswith((f"{place}::", f"{place}/"))


@contextmanager
def broken(mutant: Mutant) -> Iterator[bool]:
    """Every function that the mutant changes has its new code meanwhile; False where none can have it."""
    sources = (mutant.path.read_bytes(), mutant.source())
    whole, other = (list(_codes(compile(source, str(mutant.path), "exec"))) for source in sources)
    gc.unfreeze()  # what is frozen is not among the objects
    changed = (
        {old: new for old, new in zip(whole, other, strict=False) if old != new} if len(whole) == len(other) else {}
    )
    found = [one for one in gc.get_objects() if isinstance(one, FunctionType) and one.__code__ in changed]
    ours = [one for one in found if Path(one.__code__.co_filename).parts[-2:] == mutant.path.parts[-2:]]
    before = [one.__code__ for one in ours]
    if any(len(old.co_freevars) != len(changed[old].co_freevars) for old in before):
        ours = []
    for function, old in zip(ours, before, strict=False):
        function.__code__ = changed[old]
    try:
        yield bool(ours)
    finally:
        for function, old in zip(ours, before, strict=False):
            function.__code__ = old


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Those of functions, and of functions in them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & 2:  # a function, and no body of a class
                yield constant
            yield from _codes(constant)
