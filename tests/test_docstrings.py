"""Functions on arrays state shapes, and docstrings name what they are about: so none needs a second reading."""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from numpydoc.docscrape import FunctionDoc
from numpydoc.validate import validate

import rankconv
from rankconv import plugin, protocols

SOURCE = Path(rankconv.__file__).parent
SHAPE = re.compile(r"\bshapes? (as )?[`(]|\bshape, such as \(|\b(any|whatever|its|one) shape\b", re.IGNORECASE)
"""`shape (users,)`, shape as `grades`, of whatever shape."""
BY_RANK = {"ByRank", "LazyRanks", "CumulativeSum"}
"""Classes that hold values by rank, as arrays do."""
EMPTY = re.compile(r"(The same|Likewise|Both\.|So many\b)")
"""Docstrings that begin so are about something that stands elsewhere."""


class Package:
    """Some files of source: their functions, and what is written at what these hang on."""

    def __init__(self, sources: Iterable[tuple[str, str]]) -> None:
        self.files = {name: ast.parse(source) for name, source in sources}
        nodes = [node for tree in self.files.values() for node in ast.walk(tree)]
        self.classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
        self.decorators = {node.name: node for tree in self.files.values() for node in functions(tree.body)}
        self.conventions = dict(pair for tree in self.files.values() for pair in conventions(tree))
        aliases = {name for tree in self.files.values() for name in array_types(tree)}
        self.array = re.compile(rf"\b({'|'.join(sorted(aliases | BY_RANK | {'NDArray'}))})\b")

    def on_arrays(self) -> Iterator[tuple[str, ast.FunctionDef, ast.ClassDef | None]]:
        """Functions that take or give arrays, with file and class; private ones only if they have a docstring."""
        for file, tree in self.files.items():
            owners = [
                (None, tree.body),
                *((node, node.body) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)),
            ]
            for owner, body in owners:
                for one in functions(body):
                    private = one.name.startswith("_") and one.name != "_"
                    if self.array.search(annotations(one)) and (ast.get_docstring(one) or not private):
                        yield file, one, owner

    def states_shape(self, one: ast.FunctionDef, owner: ast.ClassDef | None) -> bool:
        """Whether it says a shape, or what it overrides, answers, or is registered with."""
        return any(map(SHAPE.search, [ast.get_docstring(one) or "", *self._beside(one, owner)]))

    def _beside(self, one: ast.FunctionDef, owner: ast.ClassDef | None) -> Iterator[str]:
        if owner and not ast.get_docstring(one):
            yield from self._overridden(one.name, owner)
        for call in one.decorator_list:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                if call.func.attr in ("setting", "number"):
                    yield from self._of_convention(ast.unparse(call.func.value))
            elif isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in self.decorators:
                yield ast.get_docstring(self.decorators[call.func.id]) or ""

    def _overridden(self, name: str, owner: ast.ClassDef) -> Iterator[str]:
        for base in map(ast.unparse, owner.bases):
            if base in self.classes:
                above = self.classes[base]
                yield from (ast.get_docstring(one) or "" for one in functions(above.body) if one.name == name)
                yield from self._overridden(name, above)

    def _of_convention(self, name: str) -> Iterator[str]:
        told, shared = self.conventions.get(name, ("", ""))
        yield told
        if shared:
            yield from self._of_convention(shared)

    def silent(self) -> list[str]:
        """Functions on arrays that state no shape, as `file, line 3: name`."""
        found = ((file, one) for file, one, owner in self.on_arrays() if not self.states_shape(one, owner))
        return [f"{file}, line {one.lineno}: {one.name}" for file, one in found]

    def empty(self) -> list[str]:
        """Docstrings that name nothing; those of settings are about what the setting gives, and may compare users."""
        nodes = [(file, node) for file, tree in self.files.items() for node in ast.walk(tree)]
        named = [(file, node) for file, node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        return [
            f"{file}, line {node.lineno}: {node.name}"
            for file, node in named
            if node.name != "_" and EMPTY.match(ast.get_docstring(node) or "")
        ]


def functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """Those of a module or a class, without those inside functions."""
    return [node for node in body if isinstance(node, ast.FunctionDef)]


def annotations(one: ast.FunctionDef) -> str:
    """The types of all that it takes and gives."""
    given = [*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs]
    return " ".join(ast.unparse(each) for each in [*(arg.annotation for arg in given), one.returns] if each)


def array_types(tree: ast.Module) -> Iterator[str]:
    """Names that a module gives to types of arrays: `Mask = NDArray[np.bool_]`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and re.match(r"NDArray\[", ast.unparse(node.value)):
            yield from map(ast.unparse, node.targets)


def conventions(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each `NAME = Convention(…)` with the text below it, and the name of the table whose answers it shares."""
    for node, below in pairwise([*tree.body, ast.Pass()]):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) == "Convention"
        ):
            told = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
            shared = [ast.unparse(one.value) for one in node.value.keywords if one.arg == "options_of"]
            yield ast.unparse(node.targets[0]), (str(told), shared[0] if shared else "")


@cache
def package() -> Package:
    files = sorted(SOURCE.rglob("*.py"))
    return Package((str(file.relative_to(SOURCE)), file.read_text(encoding="utf-8")) for file in files)


def test_functions_on_arrays_state_shapes() -> None:
    assert len([*package().on_arrays()]) > 450
    assert not package().silent(), "\n".join(package().silent())


def test_docstrings_name_what_they_are_about() -> None:
    assert not package().empty(), "\n".join(package().empty())


SILENT = '''
def total(values: NDArray[np.float64]) -> float:
    """The sum of the values."""

def _places(codes: "Codes | None") -> int:
    """How many places there are; the shape of the list is not known."""

def _quiet(codes: Codes) -> None: ...

class Block:
    def grades(self) -> Mask: ...

    @property
    def hits(self) -> Numbers:
        """1 where the row is a hit."""

@GAIN.setting("linear")
def _(grades: Numbers) -> Numbers:
    """The grade itself."""

Mask = NDArray[np.bool_]
Codes = Numbers = NDArray[Any]
GAIN = Convention("gain", "Gain of a grade")
"""A setting gives the gain of each label."""
'''
STATED = '''
def total(values: Numbers) -> float:
    """The sum of the values, shape (users,)."""

def gains(grades: Numbers) -> Numbers:
    """What the grades are worth, shape as `grades`."""

class Block:
    def hits(self) -> Numbers:
        """1 where the row is a hit, of shape (K, users)."""

class GradeTableBlock(Block):
    def hits(self) -> Numbers: ...

def cause(name: str) -> Decorator:
    """Decorator: this function finds users, shape (users,)."""

@cause("empty")
def _(lengths: Numbers) -> Numbers: ...

@OWN.setting("grade")
def _(grades: Numbers) -> Numbers:
    """The grade itself."""

Numbers = NDArray[np.float64]
GAIN = Convention("gain", "Gain of a grade")
"""A setting gives gains; they and `grades` have shape (labels,)."""
OWN = Convention("own", "What?", options_of=GAIN)
'''


def test_what_is_silent_is_found() -> None:
    found = Package([("a.py", SILENT)]).silent()
    assert [one.rpartition(" ")[2] for one in found] == ["total", "_places", "_", "grades", "hits"]
    assert found[0] == "a.py, line 2: total"


def test_shapes_may_stand_at_what_is_overridden_answered_or_registered() -> None:
    assert Package([("a.py", STATED)]).silent() == []
    assert len([*Package([("a.py", STATED)]).on_arrays()]) == 6


def test_what_names_nothing_is_found() -> None:
    source = 'def both() -> str:\n    """The same for both."""\nclass Known:\n    """The same labels as text."""\n'
    assert Package([("a.py", source)]).empty() == ["a.py, line 1: both", "a.py, line 3: Known"]


PUBLIC = {
    **{f"rankconv.{name}": getattr(rankconv, name) for name in rankconv.__all__ if not name.endswith("Error")},
    **{
        f"{module.__name__}.{name}": function
        for module in (plugin, protocols)
        for name in module.__all__
        if inspect.isfunction(function := getattr(module, name))
    },
}


RETURNED = (rankconv.Definition, rankconv.Preset, rankconv.Result)
"""Classes that no user makes."""
NOT_REQUIRED = {"SA01", "ES01", "EX01", "PR04"}
"""A "See Also", an extended summary and examples everywhere, and types of labels and runs, which are of many kinds."""


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_docstring_is_valid_numpydoc_and_matches_the_signature(name: str) -> None:
    allowed = NOT_REQUIRED | ({"PR01"} if PUBLIC[name] in RETURNED else set())
    assert [error for error in validate(name)["errors"] if error[0] not in allowed] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_errors_that_a_docstring_names_are_ours(name: str) -> None:
    sections = [] if isinstance(PUBLIC[name], type) else FunctionDoc(PUBLIC[name])["Raises"]
    raised = [error.strip() for one in sections for error in one.type.split(",")]
    assert all(issubclass(getattr(rankconv, error), rankconv.RankconvError) for error in raised)
