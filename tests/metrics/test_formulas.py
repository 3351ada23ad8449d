"""The common formulas are each read in one file: what they call is there, or in the contract of a metric or a block."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankconv.metrics import METRICS, base
from rankconv.metrics.item_weights import WeighedMetric
from rankconv.preparation import captions
from rankconv.preparation.blocks import label_block

ELSEWHERE: dict[str, set[str]] = {
    "ndcg": {"rankconv.metrics.ideals.ideal_dcg"},
    "average_precision": set(),
    "reciprocal_rank": set(),
    "precision": set(),
    "err": {"rankconv.preparation.blocks.in_ties.expected_reader"},
    "rbp": set(),
    "ideal_dcg": {"rankconv.metrics.ideals.ideal_dcg"},
}
"""The functions of other files that a formula calls, besides methods of the block and of the contract."""
CONTRACT = {base.__name__, WeighedMetric.__module__}
FLOORS = ("rankconv.metrics", "rankconv.preparation")
MOST = 400
"""Lines of a file in which a formula is read."""


def file_of(module: str) -> Path:
    return Path(sys.modules[module].__file__ or "")


def lines(module: str) -> int:
    return len(file_of(module).read_text("utf-8").splitlines())


def called(module: str, start: str) -> Iterator[str]:
    """The functions of other files that are named from this definition on, through those of its file."""
    tree = ast.parse(file_of(module).read_text("utf-8"))
    own = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    imported = {
        name.asname or name.name: f"{one.module}.{name.name}"
        for one in tree.body
        if isinstance(one, ast.ImportFrom) and one.module and one.module.startswith(FLOORS)
        for name in one.names
        if one.module != captions.__name__
    }
    seen, left = set[str](), [start]
    while left:
        name = left.pop()
        if name in own and name not in seen:
            seen.add(name)
            names = {one.id for one in ast.walk(own[name]) if isinstance(one, ast.Name)}
            left += names
            yield from (imported[one] for one in names & imported.keys() if one.islower())


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_common_formula_is_read_in_one_file(name: str) -> None:
    metric = METRICS[name]
    found = {one for one in called(metric.__module__, metric.__name__) if one.rpartition(".")[0] not in CONTRACT}
    assert found == ELSEWHERE[name]
    assert lines(metric.__module__) <= MOST


def test_the_ideal_is_computed_in_two_files() -> None:
    """`ideal_dcg`, the settings of the ideal list, and the labels that it is made of."""
    module = METRICS["ideal_dcg"].per_user.__globals__["ideal_dcg"].__module__
    assert set(called(module, "ideal_dcg")) == set()
    assert lines(module) + lines(label_block.__name__) <= 500


def test_files_of_metrics_are_read_from_top_to_bottom() -> None:
    folder = file_of(base.__name__).parent
    assert {
        file.name for file in folder.rglob("*.py") if len(file.read_text("utf-8").splitlines()) > MOST + 50
    } == set()
