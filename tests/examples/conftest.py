"""How the examples are run: as a user runs them, in a process of their own, or here to see what they print."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import rankconv
from tests.readme import EXAMPLES, ROOT, run_script

RANKCONV = ("-c", "from rankconv.cli import main; main()")


@pytest.fixture(scope="session")
def examples() -> Path:
    """The folder."""
    return EXAMPLES


@pytest.fixture(scope="session")
def run_python() -> Callable[..., str]:
    """What `python …` prints; `path` are more places to import from, further keywords the environment."""

    def run(*arguments: str | Path, path: tuple[Path, ...] = (), **variables: str) -> str:
        places = [*path, Path(rankconv.__file__).parents[1], *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | variables | {"PYTHONPATH": os.pathsep.join(map(str, places)), "PYTHONUTF8": "1"}
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], env=environment, cwd=ROOT, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def run_rankconv(run_python: Callable[..., str]) -> Callable[..., str]:
    """What a command prints."""
    return lambda *arguments, **more: run_python(*RANKCONV, *arguments, **more)


@pytest.fixture(scope="session")
def run_here() -> Callable[[str], str]:
    """What a script prints, run in this process."""
    return lambda script: run_script(EXAMPLES / script)
