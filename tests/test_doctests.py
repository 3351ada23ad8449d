"""The examples in the docstrings and in the README."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import rankconv

MODULES = [info.name for info in pkgutil.walk_packages(rankconv.__path__, "rankconv.")]
README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize("name", ["rankconv", *MODULES])
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_enough_is_shown() -> None:
    shown = (test for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name)))
    assert sum(len(test.examples) for test in shown) > 40


def test_readme() -> None:
    outcome = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert outcome.attempted > 10
    assert outcome.failed == 0
