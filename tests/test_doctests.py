"""The examples in the docstrings, in the README and on the pages of `docs/`."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import rankconv
from tests.readme import PAGES

OF_OTHERS = {"rankconv.addons.harnesses.ir_measures_provider"}
"""What derives from the classes of a library that is an extra."""
MODULES = [info.name for info in pkgutil.walk_packages(rankconv.__path__, "rankconv.") if info.name not in OF_OTHERS]


@pytest.mark.parametrize("name", ["rankconv", *MODULES])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_enough_is_shown() -> None:
    shown = (test for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name)))
    assert sum(len(test.examples) for test in shown) > 40


def test_enough_is_shown_on_pages() -> None:
    assert sum(page.read_text("utf-8").count(">>> ") for page in PAGES) > 60


IN_A_PROCESS = "preparation-steps"
"""The page whose plugins add for good: tests/examples/test_plugins.py runs it."""


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem != IN_A_PROCESS], ids=lambda page: page.stem)
def test_pages(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0
