"""The modules that write the reference, which lie beside the pages."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.readme import DOCS


@pytest.fixture(scope="session")
def generator() -> Iterator[ModuleType]:
    """`docs/generator.py`, imported as `conf.py` imports it."""
    sys.path.insert(0, str(DOCS))
    import generator

    yield generator
    sys.path.remove(str(DOCS))
