"""How the examples are run: as a user runs them, in a process of their own, or here to see what they print."""

import io
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import rankconv

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
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
    """What a script prints, run in this process; the modules beside it are forgotten again."""

    def run(script: str) -> str:
        file, before, printed = EXAMPLES / script, set(sys.modules), io.StringIO()
        sys.path.insert(0, str(file.parent))
        try:
            with redirect_stdout(printed):
                runpy.run_path(str(file), run_name="__main__")
        finally:
            sys.path.remove(str(file.parent))
            for name in set(sys.modules) - before:
                if str(EXAMPLES) in str(getattr(sys.modules[name], "__file__", "")):
                    del sys.modules[name]
        return printed.getvalue()

    return run
