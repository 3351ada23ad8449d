"""A process that imports a mutant: `python -m tests.mutants.anew FILE PIPE`, where FILE says what to run in it."""

import os
import pickle
import sys
from pathlib import Path

import pytest

from tests.mutants.broken import import_broken
from tests.mutants.children import FAILURE_OF_TOOL, Work
from tests.mutants.mutant import SOURCE, Mutant
from tests.mutants.runs import OPTIONS, FirstFailure, Run, until_failure


def anew(file: Path, mutant: Mutant | None, runs: list[Run]) -> Work:
    """The tests in a new process, with nothing broken where there is no mutant; the file is written for it."""

    def work(writing: int) -> int:
        file.write_bytes(pickle.dumps((mutant, runs)))
        os.set_inheritable(writing, True)
        os.execv(sys.executable, [sys.executable, "-m", "tests.mutants.anew", str(file), str(writing)])

    return work


class _Chosen(FirstFailure):
    """A plugin of pytest: runs these tests of those that are collected, in this order, until one fails."""

    def __init__(self, runs: list[Run], writing: int) -> None:
        super().__init__(writing)
        self.runs = runs

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running all."""
        until_failure(session, self.runs)
        return True


def main(file: str, writing: int) -> int:
    """The status of pytest."""
    mutant, runs = pickle.loads(Path(file).read_bytes())
    if mutant:
        import_broken(mutant)
    sys.path.insert(0, str(SOURCE))
    files = dict.fromkeys(run.test.partition("::")[0] for run in runs)
    status = pytest.main([*OPTIONS, *files], plugins=[_Chosen(runs, writing)])
    if status == pytest.ExitCode.INTERNAL_ERROR:
        raise RuntimeError(f"pytest breaks down: {mutant}")
    return int(status)


if __name__ == "__main__":
    try:
        status = main(sys.argv[1], int(sys.argv[2]))
    except BaseException as error:
        os.write(int(sys.argv[2]), f"{error!r}\n".encode())
        status = FAILURE_OF_TOOL
    sys.exit(status)
