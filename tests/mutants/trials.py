"""Trials: the tests that execute what a mutant breaks are run in a child until one fails."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.mutants.anew import anew
from tests.mutants.broken import exchanged
from tests.mutants.children import Outcome, Work, in_children
from tests.mutants.mutant import SOURCE, Mutant
from tests.mutants.runs import OPTIONS, FirstFailure, Run, recorded, until_failure

TESTS = [
    *("tests/metrics", "tests/preparation", "tests/aggregation", "tests/conventions", "tests/presets/test_schema.py"),
    *("tests/evaluation/citing", "tests/evaluation/streaming/test_partial.py"),
    *(
        f"tests/analysis/{place}.py"
        for place in ("explain/test_law", "explain/test_pages", "sensitivity/test_monotone")
    ),
    *("tests/laws/test_expected.py", "tests/test_doctests.py"),
]
SAID = ("tests/metrics/test_claims.py", "tests/evaluation/citing/test_words.py", "tests/metrics/test_limits.py")
"""Tests of what decorators and classes say; they come first for mutants of these."""
SECONDS = 100
"""The most that the tests of a mutant take, as long as they pass."""
CANNOT_EXCHANGE = 60
"""The status of a child."""
Told = Callable[[int, Outcome], None]


def try_mutants(mutants: dict[int, Mutant], tests: Sequence[str], told: Told) -> None:
    """Tell the outcome of each mutant as it comes: it survives where the status is 0."""
    os.chdir(SOURCE.parent)
    sys.path.insert(0, str(SOURCE))
    trials = _Trials(mutants, told)
    status = pytest.main([*OPTIONS, *tests], plugins=[trials])
    if trials.failed:
        raise RuntimeError(f"{trials.failed} (status {status})")


def by_exchange(mutant: Mutant, runs: Sequence[Run]) -> bool:
    """Whether it is in code that is executed after the import."""
    return mutant.in_function and any(run.executes(mutant.file, mutant.lines[0]) for run in runs)


def chosen(mutant: Mutant, runs: Sequence[Run]) -> list[Run]:
    """Those that execute its lines, or what stands around it; the quick ones, and few of each file, come first."""
    near, in_file = (_mixed(run for run in runs if run.executes(mutant.file, lines)) for lines in mutant.lines)
    said = sorted((run for run in runs if run.test.startswith(SAID)), key=lambda run: run.seconds)
    first = near if by_exchange(mutant, runs) else list({run.test: run for run in said + near + in_file}.values())
    return [run for run, sum_ in zip(first, accumulate(run.seconds for run in first), strict=True) if sum_ <= SECONDS]


def _mixed(runs: Iterable[Run]) -> list[Run]:
    """The second test of a file counts as twice as slow, and so on."""
    costs, of_file = list[tuple[float, Run]](), Counter[str]()
    for run in sorted(runs, key=lambda run: run.seconds):
        file = run.test.partition("::")[0]
        of_file[file] += 1
        costs.append((run.seconds * of_file[file], run))
    return [run for _, run in sorted(costs, key=lambda one: one[0])]


class _Trials(FirstFailure):
    """A plugin of pytest: in place of running the tests, children run those of each mutant."""

    def __init__(self, mutants: dict[int, Mutant], told: Told) -> None:
        super().__init__()
        self.mutants, self.told = mutants, told
        self.failed = "the tests cannot be collected"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All mutants, at last those whose code runs at import."""
        try:
            self.run(session)
            self.failed = ""
        except RuntimeError as error:
            self.failed = str(error)
        return True

    def run(self, session: pytest.Session) -> None:
        """Record the tests with nothing broken, then run those of each mutant."""
        runs = recorded(session, self)
        tests = {number: chosen(mutant, runs) for number, mutant in self.mutants.items()}
        left = [number for number, mutant in self.mutants.items() if not by_exchange(mutant, runs)]
        works = ((one, self._exchange(session, one, tests[one])) for one in tests if one not in left)
        for number, outcome in in_children(works):
            if outcome.status == CANNOT_EXCHANGE:
                left.append(number)
            else:
                self.told(number, outcome)
        if left:
            self._try_anew({number: (self.mutants[number], tests[number]) for number in left})

    def _try_anew(self, trials: dict[int, tuple[Mutant, list[Run]]]) -> None:
        with TemporaryDirectory() as folder:
            mutants = {number: anew(Path(folder, str(number)), *trial) for number, trial in trials.items()}
            whole = anew(Path(folder, "whole"), None, next(iter(trials.values()))[1])
            for number, outcome in in_children(({0: whole} | mutants).items()):
                if number:
                    self.told(number, outcome)
                elif outcome.status:
                    raise RuntimeError(f"without any mutant, {outcome.text} fails in a new process")

    def _exchange(self, session: pytest.Session, number: int, runs: list[Run]) -> Work:
        def work(writing: int) -> int:
            self.writing = writing
            with exchanged(self.mutants[number]) as possible:
                return until_failure(session, runs) if possible else CANNOT_EXCHANGE

        return work
