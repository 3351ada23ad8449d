"""What tests share: expressions of checks, evaluated independently of the package."""

import ast
import gc
import math
import operator
import os
import re
from collections import ChainMap
from collections.abc import Callable, Iterator, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import rankconv.presets.systems  # noqa: F401  registered before a test takes note of what there is
from rankconv.aggregation import POLICIES, PREPARED_DATA_POLICIES
from rankconv.aggregation.special_case import AND
from rankconv.basics.plugins import COMMANDS
from rankconv.conventions.convention import CONVENTIONS, TABLES, Registry
from rankconv.data.inputs.reading import FORMATS
from rankconv.engine import plan
from rankconv.metrics import METRICS
from rankconv.preparation.step_registry import PREPARATION, STEPS
from tests.compiled import pytest_configure
from tests.core_alone import pytest_ignore_collect, pytest_runtest_call
from tests.oracles.summary import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown

PRESETS = Path(__file__).parents[1] / "conventions"
__all__ = [
    "pytest_configure",
    "pytest_ignore_collect",
    "pytest_runtest_call",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
]

# policies that presets join are registered when one is read, and must not be gone after the test that read it first
_TEXTS = [file.read_text() for file in PRESETS.rglob("*.yaml")]
CONVENTIONS.make(*sorted({one for text in _TEXTS for one in re.findall(rf"on-[a-z-]+{AND}on-[a-z-]+", text)}))

# Each run draws the same examples, so that nobody's first run fails by chance; RANKCONV_SEARCH=1 searches for new ones,
# four times as many, and keeps those that fail in the folder .hypothesis. A busy machine is not a defect, so there are
# no deadlines.
settings.register_profile("same", deadline=None, derandomize=True, database=None, max_examples=25)
settings.register_profile("search", deadline=None, derandomize=False, print_blob=True)
settings.load_profile("search" if os.environ.get("RANKCONV_SEARCH") else "same")

for _name in ("COLUMNS", "LINES"):  # set by the readline of the process that starts a worker, where no terminal is
    os.environ.pop(_name, None)


def pytest_collection_finish() -> None:
    """Tests and modules stay: they are not searched for garbage again and again, which takes a sixth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def as_large_data() -> Iterator[None]:
    """Few rows are prepared row by row, few users in one pass; with this fixture they are as those of a large run.

    Laws, oracles and tests of preparation use it: `test_company` compares both ways for all definitions.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "FEW_ROWS", 0)
        patch.setattr(plan, "FEW_USERS", 0)
        yield


_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS = {"log2": math.log2, "ln": math.log, "log10": math.log10, "sqrt": math.sqrt, "exp": math.exp}
_CONSTANTS = {"e": math.e, "nan": math.nan, "inf": math.inf}


def evaluate_expression(text: str) -> float:
    """The value of an arithmetic expression such as (2/log2(3) + 1/2) / 2."""
    return _value(ast.parse(text, mode="eval").body)


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.Name):
        return _CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _FUNCTIONS[node.func.id](*map(_value, node.args))
    raise ValueError(f"not arithmetic: {ast.unparse(node)}")


REGISTRIES: list[dict[str, Any]] = [
    METRICS,
    CONVENTIONS,
    PREPARATION,
    STEPS,
    POLICIES,
    PREPARED_DATA_POLICIES,
    FORMATS,
    COMMANDS,
]


def _own(setting_types: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The settings of a convention itself, without those of the table that it shares with others."""
    return setting_types.maps[0] if isinstance(setting_types, ChainMap) else setting_types


@lru_cache(maxsize=1)
def _settings(generation: int) -> list[MutableMapping[str, Any]]:
    """The settings of every convention themselves, looked up anew after something was registered."""
    return [_own(convention.setting_types) for convention in (*CONVENTIONS.values(), *TABLES.values())]


@pytest.fixture(autouse=True)
def _registry_as_before() -> Iterator[None]:
    """What a test adds to the registries is gone after it: of settings the last ones, beyond as many as there were.

    Steps and special cases have an order, into the midst of which a test may put one; what a test takes out, such as
    by monkeypatch.delitem, comes back at its old place.
    """
    settings = _settings(Registry.generation)
    known = [(registry, dict(registry)) for registry in REGISTRIES]
    counted = list(zip(settings, map(len, settings), strict=True))
    yield
    grown = [(registry, [name for name in registry if name not in before]) for registry, before in known]
    grown += [(own, list(own)[before:]) for own, before in counted]
    grown = [(registry, names) for registry, names in grown if names]
    for registry, names in grown:
        for name in names:
            del registry[name]
    for registry, before in known:
        if list(registry) != list(before) and registry.keys() == before.keys():
            registry.clear()
            registry.update(before)
    if any(registry is one for one in REGISTRIES for registry, _ in grown):
        Registry.changed()


@pytest.fixture(scope="session")
def expression() -> Callable[[str], float]:
    return evaluate_expression
