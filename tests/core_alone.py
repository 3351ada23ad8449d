"""With the core alone, whatever needs a library of an extra is left out: what imports one, and what meets its error.

The hooks do nothing where polars is installed. `conftest.py` takes them from here.
"""

import ast
from collections.abc import Generator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from rankconv.basics.errors import LibraryError

ROOT = Path(__file__).parents[1]
HOMES = {"tests": ROOT, "examples": ROOT, "rankconv": ROOT / "src"}
ALONE = find_spec("polars") is None


@cache
def imported(file: Path) -> frozenset[str]:
    """What a module imports at its top."""
    names = set[str]()
    for node in ast.parse(file.read_text("utf-8")).body:
        names |= {one.name for one in node.names} if isinstance(node, ast.Import) else set()
        if isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{one.name}" for one in node.names)}
    return frozenset(names)


@cache
def lacks(file: Path) -> bool:
    """Whether a module imports at its top, or a module of ours that it imports does, a library that is missing."""
    known, left = {file}, [file]
    while left:
        for name in imported(left.pop()):
            first = name.partition(".")[0]
            if find_spec(first) is None:
                return True
            inside = HOMES.get(first, Path()) / name.replace(".", "/")
            found = {inside.with_suffix(".py"), inside / "__init__.py"} if first in HOMES else set[Path]()
            new = {one for one in found - known if one.is_file()}
            known, left = known | new, [*left, *new]
    return False


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules that lack a library, and folders whose `conftest.py` does."""
    file = collection_path / "conftest.py" if collection_path.is_dir() else collection_path
    return True if ALONE and file.suffix == ".py" and file.is_file() and lacks(file) else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Skip a test whose call says which extra it needs."""
    try:
        return (yield)
    except (LibraryError, ModuleNotFoundError) as problem:
        if ALONE and (isinstance(problem, LibraryError) or find_spec(str(problem.name)) is None):
            pytest.skip(f"the core alone: {problem}")
        raise
