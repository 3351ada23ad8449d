"""Public names: complete, documented, the same for type checkers as at run time, and one parameter for one idea."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

import rankconv as rc
import rankconv.plugin
import rankconv.protocols
import rankconv.typing
from tests.generate import types

MODULES: list[ModuleType] = [rc, rankconv.plugin, rankconv.protocols, rankconv.typing]
FUNCTIONS = {
    name: getattr(module, name)
    for module in (rc, rankconv.protocols)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
}
RETIRED = set(
    "rankings spec ours other first second against upto cutoffs cutoff confidence level draws orders correct count "
    "also difference loose temp errors keep_going features presets".split()
)
"""Parameter names of old."""


def test_stubs_are_up_to_date() -> None:
    wrong = [file for file, text in types().items() if file.read_text("utf-8") != text]
    assert not wrong, "run: python -m tests.generate types"


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_name_is_there_and_documented(module: ModuleType) -> None:
    undocumented = [
        name
        for name in module.__all__
        if inspect.isroutine(getattr(module, name)) and not getattr(module, name).__doc__
    ]
    assert not undocumented


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(rc, "evalute")
    assert not hasattr(rc, "Ndgc")


def test_metrics_complete_by_tab() -> None:
    assert {"NDCG", "Recall", "MAP", "MRR", "AP", "HitRate", "evaluate"} <= set(dir(rc))
    assert str(rc.NDCG(10)) == str(rc.metric("ndcg@10"))
    with pytest.raises(rc.MetricError, match="k=10"):
        rc.NDCG(cutoff=10)


def test_no_public_name_is_a_submodule() -> None:
    assert not {one.name for one in pkgutil.iter_modules(rc.__path__)} & {*rc.__all__}
    for module in pkgutil.iter_modules(rc.__path__):
        if module.name in ("spark", "serve", "compat", "cli"):
            continue
        importlib.import_module(f"rankconv.{module.name}")
    assert all(not isinstance(getattr(rc, name), ModuleType) for name in rc.__all__)


def test_no_parameter_has_an_old_name() -> None:
    named = {name: RETIRED & {*inspect.signature(function).parameters} for name, function in FUNCTIONS.items()}
    assert {name: found for name, found in named.items() if found} == {"agreement": {"level"}}  # of a grade


def test_only_the_first_four_parameters_are_positional() -> None:
    def positional(function: Any) -> int:
        kinds = [one.kind for one in inspect.signature(function).parameters.values()]
        return sum(kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for kind in kinds)

    many = {name for name, one in FUNCTIONS.items() if positional(one) > 4}
    assert many == {"why"}  # it takes its two presets as the command does


def test_errors_are_those_of_python_too() -> None:
    assert issubclass(rc.InputError, ValueError)
    assert issubclass(rc.ConventionError, ValueError)
    assert issubclass(rc.MetricError, ValueError)
    assert issubclass(rc.LibraryError, ImportError)


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, rankconv; print(*{'numpy', 'pydantic', 'polars', 'yaml'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


def test_the_first_list_of_conventions_has_all_of_them() -> None:
    code = "import rankconv as rc; print({'ties', 'gain', 'on-no-relevant', 'aggregate'} <= set(rc.list_conventions()))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "True"
