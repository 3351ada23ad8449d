"""The calls that give an error its advice, found in the source, and which of them made an error.

A site is a call with `do=`, `allowed=` or `shell=`: `file.py:function`, and its place in the function where there are
several. An error counts for every site that its making went through: one may hand the advice of another on.
"""

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.basics.errors import RankconvError

SOURCE = Path(rc.__file__).parent
FOLDERS = (
    "addons/agreement",
    "addons/conformance",
    "addons/gate",
    "addons/harnesses",
    "addons/playground",
    "addons/protocols",
    "addons/similarity",
    "addons/verification",
    "aggregation",
    "analysis",
    "basics",
    "cli",
    "compat",
    "conventions",
    "data",
    "engine",
    "evaluation",
    "metrics",
    "preparation",
    "presets",
    "rendering",
)
"""The folders whose advice is followed: all but that of Spark, which tests of a commit do not have."""
NO_ERRORS = {"lint.py"}
"""Findings, which are no errors, say what to do too."""
HANDED_ON = {"Refusal"}
"""What keeps the advice until an error is made of it, in a place that is a site itself."""


@dataclass(frozen=True)
class Site:
    """One call that gives advice."""

    name: str
    file: str
    span: tuple[int, int, int, int]
    """Line and column of its begin and of its end."""
    in_shell: bool
    """Whether it says it otherwise for commands."""


@cache
def sites() -> tuple[Site, ...]:
    """All sites of these floors, by file and place."""
    found = list[Site]()
    for file in sorted(file for folder in FOLDERS for file in (SOURCE / folder).rglob("*.py")):
        if file.name in NO_ERRORS:
            continue
        counts = dict[str, int]()
        for function, call in _calls(ast.parse(file.read_text()), "module"):
            named = {keyword.arg for keyword in call.keywords}
            if not named & {"do", "allowed", "shell"} or ast.unparse(call.func) in HANDED_ON:
                continue
            name = f"{file.name}:{function}"
            counts[name] = counts.get(name, 0) + 1
            name += f":{counts[name]}" if counts[name] > 1 else ""
            span = (call.lineno, call.col_offset, call.end_lineno or 0, call.end_col_offset or 0)
            found.append(Site(name, str(file), span, "shell" in named))
    return tuple(found)


def _calls(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield function, child
        inside = child.name if isinstance(child, ast.FunctionDef) else function
        yield from _calls(child, inside)


@contextmanager
def recorded() -> Iterator[dict[str, set[Site]]]:
    """Note the sites of every error that is made in here, by what it says is wrong."""
    by_file: dict[str, list[Site]] = {}
    for site in sites():
        by_file.setdefault(site.file, []).append(site)
    made: dict[str, set[Site]] = {}
    usual = RankconvError.__init__

    def init(self: RankconvError, wrong: str, **parts: str) -> None:
        usual(self, wrong, **parts)
        frame = sys._getframe(1)
        while frame is not None:
            here = by_file.get(frame.f_code.co_filename)
            if here:
                line, end_line, column, end_column = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
                span = (line, column, end_line, end_column)
                made.setdefault(self.wrong, set()).update(site for site in here if site.span == span)
            frame = frame.f_back  # type: ignore[assignment]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RankconvError, "__init__", init)
        yield made
