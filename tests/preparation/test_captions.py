"""Formulas hold nothing for explanations: what these show comes from captions of the parts of a formula."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.data.joined import Joined
from rankconv.engine.needs import unmet
from rankconv.metrics import METRICS
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.captions import CAPTIONS
from rankconv.preparation.searches import as_evaluated
from rankconv.preparation.working_rows import working_block
from tests.analysis.explain.test_law import OF_GROUPS, SIDES, uneven
from tests.laws.test_laws import definitions, metric

SRC = Path(rc.__file__).parent
OF_FORMULAS = [
    *(SRC / "metrics").rglob("*.py"),
    *(SRC / "presets/systems").rglob("*.py"),
    *(SRC / "preparation").rglob("*.py"),
]
PARTS = [part for part in CAPTIONS if part.__module__.startswith("rankconv.")]


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in OF_FORMULAS:
        yield file, ast.parse(file.read_text("utf-8"))


def captioned(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, list[ast.expr]]]:
    """The parts of a module that have a caption, each with the functions `by` which it is made."""
    for function in ast.walk(tree):
        for decorator in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
            named = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(named, ast.Name) and named.id in ("said_as", "shown_as", "shown_as_ideal"):
                assert isinstance(function, ast.FunctionDef)
                yield (
                    function,
                    [one.value for one in getattr(decorator, "keywords", []) if isinstance(one.value, ast.Name)],
                )


def test_the_parts_are_found() -> None:
    assert {function.name for _, tree in trees() for function, _ in captioned(tree)} == {
        part.__name__ for part in PARTS
    }
    assert len(PARTS) > 30


def test_a_formula_reads_no_caption() -> None:
    """Captions are stated by decorators, and the functions that make entries of them are called by nobody else."""
    for file, tree in trees():
        if file.name == "captions.py":
            continue
        stated = [decorator for one in ast.walk(tree) for decorator in getattr(one, "decorator_list", [])]
        made_by = {by.id for _, found in captioned(tree) for by in found if isinstance(by, ast.Name)}
        allowed = {id(one) for decorator in stated for one in ast.walk(decorator)}
        of_captions = {
            name.asname or name.name
            for one in ast.walk(tree)
            if isinstance(one, ast.ImportFrom) and one.module == "rankconv.preparation.captions"
            for name in one.names
        }
        for one in ast.walk(tree):
            if isinstance(one, ast.Name) and one.id in of_captions | made_by and id(one) not in allowed:
                pytest.fail(f"{file.relative_to(SRC)}:{one.lineno} reads '{one.id}', which explanations alone need")


def test_a_part_with_a_caption_runs_through_the_block() -> None:
    """`block.part(misses_above)` is noted, and `misses_above(block)` would not be."""
    names = {part.__name__: part.__module__ for part in PARTS}
    for file, tree in trees():
        here = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)} | {
            name.name for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) for name in one.names
        }
        for one in ast.walk(tree):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in names.keys() & here:
                pytest.fail(f"{file.relative_to(SRC)}:{one.lineno} calls '{one.func.id}' past the block")


def test_a_formula_runs_no_part_for_its_side_effect() -> None:
    """What a block gives is used, or an explanation alone would need the call."""
    for file, tree in trees():
        for one in ast.walk(tree):
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
                called = one.value.func
                owner = called.value if isinstance(called, ast.Attribute) else None
                if isinstance(owner, ast.Name) and owner.id in ("block", "weighed", "groups", "reader"):
                    known = file.parts[-2] == "steps" or file.name in ("step_registry.py",)
                    assert known, f"{file.relative_to(SRC)}:{one.lineno} drops what the block gives"


@cache
def data() -> list[Joined]:
    labels = {"u0": {"cars": ["1", "2"], "cats": ["2", "9"]}, "u1": {"cars": ["3"], "cats": ["4", "10"]}}
    run = {"u0": [("2", 2.0), ("77", 2.0), ("1", 1.0), ("9", 1.0)], "u1": [("4", 1.0), ("5", 0.5), ("3", 0.5)]}
    calls = {"u0": [[("1", 0.9), ("3", 0.8)], [("2", 0.7)]], "u1": [[("4", 0.9), ("9", 0.5)]]}
    plain, nuggets = {"u0": {"1": 2, "2": 1, "3": 0}, "u1": {"4": 1}}, {"u0": [("1", 1.0), ("2", 0.5)]}
    return [
        rc.join(*uneven(0), **SIDES),
        rc.join(*uneven(0), **OF_GROUPS),
        rc.join(labels, run, **SIDES),
        rc.join(plain, calls, **SIDES),
        rc.join(plain, nuggets, **SIDES),
    ]


@cache
def asked() -> list[rc.Definition]:
    """Every metric with all its settings, and some that no preset has: of calls, of subtopics, with expected ties."""
    more = ["mrr(calls=mean)", "mrr(subtopics=separate)", "hit_rate(ties=expected)@3", "ndcg(ties=rank(average))@3"]
    more += ["precision(item-weight=inverse-propensity, weight-norm=best)@3", "rbp(rbp-scale=highest-grade)"]
    return [*{metric(one): one for one in definitions(None, 2)}.values(), *map(rc.metric, more)]


def values(joined: Joined, one: rc.Definition) -> bytes | None:
    """The bits of the numbers of all users, as bytes; None where the data lack something."""
    documents = as_evaluated(joined, one.applied.settings)
    if unmet(documents, one) is not None:
        return None
    rows = working_block(documents, np.arange(len(documents.users))).copy(one.k)
    try:
        with np.errstate(all="ignore"):
            found = one.metric.measure(prepare(rows, one.applied))
            ratio = found.ratio if isinstance(found, plugin.Parts) else found
            parts = (ratio.numerator, ratio.denominator, ratio.weight)
            return b"|".join(np.asarray(part, np.float64).tobytes() for part in parts if part is not None)
    except (rc.RankconvError, AssertionError, ValueError, TypeError):
        return None


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, tuple | list):
        return type(value)(map(other, value))
    if isinstance(value, plugin.Ratio):
        return plugin.Ratio(other(value.numerator), value.denominator)
    if isinstance(value, np.ndarray) and value.dtype == bool:
        return ~value
    if value is None:
        return None
    if hasattr(value, "sums"):
        value.__dict__["sums"] = value.sums * 0.5 + 0.25
        return value
    return value * 0.5 + 0.25


def test_what_a_part_with_a_caption_gives_changes_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """So no formula computes it for an explanation."""
    runs, used, changed = Block.part, dict[Callable[..., Any], list[tuple[int, rc.Definition]]](), set()
    where: list[tuple[int, rc.Definition]] = []

    def noting(block: Block, of: Callable[..., Any], *arguments: Any) -> Any:
        if of in CAPTIONS and where[0] not in used.setdefault(of, []):
            used[of].append(where[0])
        return runs(block, of, *arguments)

    monkeypatch.setattr(Block, "part", noting)
    for place, joined in enumerate(data()):
        for one in asked():
            where[:] = [(place, one)]
            values(joined, one)
    monkeypatch.undo()
    assert {part.__name__ for part in PARTS} == {part.__name__ for part in used}
    for part, places in used.items():

        def changing(block: Block, of: Callable[..., Any], *arguments: Any, part: Any = part) -> Any:
            value = runs(block, of, *arguments)
            return other(value) if of is part else value

        for place, one in places:
            before = values(data()[place], one)
            monkeypatch.setattr(Block, "part", changing)
            after = values(data()[place], one)
            monkeypatch.undo()
            if before != after:
                changed.add(part)
                break
    assert {part.__name__ for part in used.keys() - changed} == set()


def test_an_explanation_notes_what_a_plugin_captions() -> None:
    """Under its words, once, and in exact numbers."""

    @plugin.shown_as("hits above")
    def hits_above(block: plugin.Block) -> Any:
        return block.hits_so_far.above

    @plugin.said_as("first", "last")
    def ends(block: plugin.Block) -> Any:
        return block.hits_by_rank[0], block.hits_by_rank[-1]

    class Captioned(plugin.Metric):
        """Compute the hits above the last row, with captions."""

        name = "captioned"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            first, _ = block.part(ends)
            return plugin.Ratio(block.part(hits_above)[-1] + first * 0, block.part(ends)[1])

    try:
        found = rc.explain({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}, "captioned", user="u")
        columns, facts = found.to_dict()["list"], dict(found.working.says)
        assert [row["hits above"] for row in columns] == [0, 1, 1]
        assert {words: value.exact for words, value in facts.items() if value is not None} == {"first": 1, "last": 1}
        assert found.agrees
    finally:
        del METRICS["captioned"]
