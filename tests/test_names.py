"""Names of conventions and settings are compared only where they are defined; other modules read traits."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS, TABLES
from rankconv.metrics import METRICS

SOURCE = Path(rc.__file__).parent
OF_SETTINGS = re.compile(r"answer|given\(|stated|\.option\b|convention|cause|told\[")
"""What a comparison speaks of that compares answers or conventions."""


def names() -> set[str]:
    """All conventions, answers, and metrics."""
    setting_types = {
        name for convention in [*CONVENTIONS.values(), *TABLES.values()] for name in convention.setting_types
    }
    return set(CONVENTIONS) | setting_types | set(METRICS)


def compared(source: str) -> Iterator[tuple[int, str]]:
    """The line and the text of each name that is compared with a setting or a convention, or matched."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            looked_up = isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(node.left, ast.Constant)
            if not looked_up and OF_SETTINGS.search(ast.unparse(node)):
                yield from ((node.lineno, text) for side in sides for text in literals(side))
        elif isinstance(node, ast.MatchValue):
            yield from ((node.lineno, text) for text in literals(node.value))


def literals(node: ast.expr) -> Iterator[str]:
    """The texts that a side of a comparison is: itself, or what a tuple or a set of it holds."""
    inner = node.elts if isinstance(node, ast.Tuple | ast.Set | ast.List) else [node]
    return (one.value for one in inner if isinstance(one, ast.Constant) and isinstance(one.value, str))


def defines(source: str, name: str) -> bool:
    """Whether this file defines a convention or a setting of this name."""
    return bool(re.search(rf'(Convention|option|policy)\(\s*"{re.escape(name)}"', source))


def test_names_are_compared_where_they_are_defined() -> None:
    known, found = names(), []
    for file in sorted(SOURCE.rglob("*.py")):
        source = file.read_text()
        found += [
            f"{file.relative_to(SOURCE)}, line {line}: '{text}'"
            for line, text in compared(source)
            if text in known and not defines(source, text)
        ]
    assert not found, "\n".join(found)
