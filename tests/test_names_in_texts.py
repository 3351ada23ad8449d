"""Every name that a message, a public docstring, a page or a preset states exists in the code.

Names of other libraries and words of plain code stand in `names_of_others.yaml`, with reasons.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from rankconv.metrics import METRICS
from tests.names_in_texts import (
    BLOCK,
    HOLE,
    NOTEBOOKS,
    PRESETS,
    ROOT,
    SOURCE,
    TEXTS,
    Mention,
    exists,
    hyphenated,
    mentions,
    nodes,
    public_names,
)

REVIEWED: dict[str, list[str]] = yaml.safe_load((ROOT / "tests/names_of_others.yaml").read_text("utf-8"))
OTHERS = frozenset(name for names in REVIEWED.values() for name in names)
RETIRED = ("special case", "It asks", "setting to `", "There is no setting.", "answered by")
"""Phrases of older versions, of which a setting was an answer."""
EXAMPLE = re.compile(r"^ *(>>>|\.\.\.) .*$", re.MULTILINE)
"""Lines of a docstring that a test runs."""


def messages(file: Path) -> Iterator[str]:
    """Texts of a module that users may see: strings, with a sign for what is put in, and public docstrings."""
    hidden = {id(one) for one in docstrings(nodes()[file])}
    hidden |= {id(one) for node in nodes()[file] if is_pattern(node) for one in ast.walk(node)}
    for node in nodes()[file]:
        if is_public(node):
            yield from (EXAMPLE.sub("", str(one.value)) for one in docstrings(ast.walk(node)))
        elif isinstance(node, ast.JoinedStr):
            hidden |= {id(one) for one in node.values}
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else HOLE for one in node.values)
    for node in nodes()[file]:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield node.value


def docstrings(found: Iterable[ast.AST]) -> Iterator[ast.Constant]:
    """Docstrings of modules, classes, functions and attributes."""
    for node in found:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def is_pattern(node: ast.AST) -> bool:
    """Whether this calls a function of `re`, which takes patterns."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "re"


def is_public(node: ast.AST) -> bool:
    """Whether users read the docstrings: of public names, of metrics, and of settings, whose functions have no name."""
    if not isinstance(node, ast.ClassDef | ast.FunctionDef):
        return False
    return node.name in _public()


@cache
def _public() -> frozenset[str]:
    return frozenset([*public_names(), *(metric.__name__ for metric in METRICS.values()), "_"])


def in_modules(file: Path) -> Iterator[Mention]:
    """Names in the texts of a module; a text of one word is itself a name."""
    for text in messages(file):
        if " " in text:
            yield from mentions(text)
            yield from hyphenated(text)


def in_page(page: Path) -> Iterator[Mention]:
    """Names on a page, outside of blocks of code, which other tests run."""
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(one["source"]) for one in cells if one["cell_type"] == "markdown")
    return mentions(BLOCK.sub("", text))


def in_preset(file: Path) -> Iterator[Mention]:
    """Names in a preset's texts that can only be ours: those of systems have no hyphens."""
    named = mentions(file.read_text("utf-8"))
    return (one for one in named if "-" in one.name or one.kind in ("option", "attribute"))


PLACES = {
    **dict.fromkeys(sorted(SOURCE.rglob("*.py")), in_modules),
    **dict.fromkeys([*TEXTS, *NOTEBOOKS], in_page),
    **dict.fromkeys(PRESETS, in_preset),
}


@cache
def named() -> dict[Path, list[Mention]]:
    """The names in the texts of each file."""
    return {file: list(names(file)) for file, names in PLACES.items()}


def unknown(found: Iterable[Mention]) -> list[str]:
    """The names that nothing has, and no other library."""
    return [str(one) for one in found if one.name not in OTHERS and not exists(one)]


def test_every_name_in_a_text_exists() -> None:
    found = {str(file.relative_to(ROOT)): unknown(names) for file, names in named().items()}
    wrong = [f"{file}: {', '.join(names)}" for file, names in found.items() if names]
    assert not wrong, "\n".join(wrong)


def test_no_text_has_a_phrase_of_before() -> None:
    texts = {file: file.read_text("utf-8") for file in PLACES}
    assert [(file.name, phrase) for file, text in texts.items() for phrase in RETIRED if phrase in text] == []


def test_every_reviewed_name_is_needed() -> None:
    found = {one.name for names in named().values() for one in names if not exists(one)}
    assert OTHERS - found == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A policy may say formula, skip or error there", ["formula", "error"]),
        ("Metric is frozen: make another with but(…)", ["but(…)"]),
        ("The preset itself, of which `but` takes its settings.", ["but"]),
        ("Needs `features=`, or `train=`.", ["features="]),
        ("no catalogue came: pass features={…}", ["features="]),
        ("The policy no-rows decides.", ["no-rows"]),
        ("Merge them, and call Partial.result().", ["Partial.result"]),
        ("Only with the probability `decay`.", ["decay"]),
        ("Leave them out with --skip-broken.", ["--skip-broken"]),
        ("Say on-no-relevant=formula, or k=5.", ["on-no-relevant=formula"]),
        ("Names of settings: rc.list_answers()", ["rc.list_answers"]),
    ],
)
def test_a_name_of_before_is_found(text: str, names: list[str]) -> None:
    assert unknown([*mentions(text), *hyphenated(text)]) == names


@pytest.mark.parametrize(
    "text",
    [
        "A policy may say as-computed, skip or refuse-all there",
        "Make another with replace(gain=binary), or `Definition.replace`.",
        "Needs `item_features=`, or --item-features.",
        "Pass `rc.Runs(bm25=…)`, or say on-no-relevant=skip and gain=exponential.",
        "Merge them, and call Partial.merge(others).",
    ],
)
def test_a_name_that_exists_is_known(text: str) -> None:
    assert unknown([*mentions(text), *hyphenated(text)]) == []
