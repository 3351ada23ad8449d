"""A mutant tested with everything imported anew: any mutant can be, and it takes some seconds more."""

import importlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.mutants.child import OPTIONS, FirstFailure, Outcome, in_child, limited, silent
from tests.mutants.mutant import SOURCE, Mutant

LIBRARIES = ("numpy", "pydantic", "polars", "narwhals", "yaml", "hypothesis.strategies")
"""Imported before the child is made, which then has them."""


@contextmanager
def copied_source() -> Iterator["Copy"]:
    """A copy of the source, in a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder) / "src")
        (Path(folder) / "conventions").symlink_to(SOURCE.parent / "conventions")
        for library in LIBRARIES:
            importlib.import_module(library)
        yield Copy(Path(folder) / "src")


class Copy:
    """The source in another folder, one file of which is broken at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def tested(self, mutant: Mutant, tests: list[str]) -> Outcome:
        """Run the tests until one fails; the file is whole again afterwards."""
        path = self.folder / "rankconv" / mutant.file
        path.write_bytes(mutant.source())
        os.utime(path, (0, path.stat().st_mtime + 3600))  # so that no compiled file is taken for it
        try:
            return self.run(tests)
        finally:
            shutil.copy2(mutant.path, path)

    def run(self, tests: list[str]) -> Outcome:
        """The first test that fails on the copy as it is."""

        def work(writing: int) -> int:
            limited()
            silent()
            os.chdir(SOURCE.parent)
            sys.path.insert(0, str(self.folder))
            sys.dont_write_bytecode = True
            for name in [name for name in sys.modules if name.partition(".")[0] in ("tests", "rankconv")]:
                del sys.modules[name]
            return int(pytest.main([*OPTIONS, *tests], plugins=[FirstFailure(writing)]))

        return in_child(work)
