"""One word a thing: no two types or files of the package share a name."""

import ast
from pathlib import Path

from tests import doubles


def test_no_name_has_two_meanings() -> None:
    assert not doubles.doubles(), "run `python -m tests.doubles`"


def test_types_are_found_however_they_are_made() -> None:
    source = """
class Block: ...
class Outer:
    class Inner: ...
    Of = dict[str, int]
Rows = list[int]
Key: TypeAlias = "int | str"
Pair = NamedTuple("Pair", [("a", int)])
_Start = tuple[int, int]
First, Second = int, str
T, LIMIT, plain = TypeVar("T"), 3, int
"""
    found = {name for name, _ in doubles.type_names(ast.parse(source))}
    assert found == {"Block", "Outer", "Inner", "Of", "Rows", "Key", "Pair", "_Start", "First", "Second"}


def test_what_is_double_is_found() -> None:
    one, other, ranx = (doubles.SOURCE / name for name in ("data/one.py", "engine/one.py", "compat/ranx.py"))
    trees = {
        one: ast.parse('class Run: ...\nclass Row: ...\nGAIN = Convention("gain", "Gain")'),
        other: ast.parse('_Row = int\nGAINS = Convention("gain-of", "Gain")'),
        ranx: ast.parse('__all__ = ["Run"]\nclass Run: ...'),
    }
    assert doubles.double_types(trees) == {"Row": ["data/one.py:2", "engine/one.py:1"]}
    assert doubles.double_files(trees) == {"one.py": ["data/one.py", "engine/one.py"]}
    assert doubles.misnamed_constants(trees) == {"GAINS": ["engine/one.py:2, should be GAIN_OF"]}
    assert (
        doubles.double_files({Path(doubles.SOURCE / name / "__init__.py"): ast.Module([], []) for name in "ab"}) == {}
    )


def test_the_names_of_another_library_are_none_of_ours() -> None:
    file = doubles.COMPAT / "ranx.py"
    excepted = doubles.of_other_libraries(file, ast.parse(file.read_text()))
    assert "Run" in excepted


def test_functions_and_fields_say_what_comes() -> None:
    source = """
def parts(): ...
class Block:
    held: int
    named = 3
    def __init__(self, said):
        self._written = said
        pieces = said.sides
    @property
    def _sides(self): ...
"""
    found = doubles.empty_names({doubles.SOURCE / "one.py": ast.parse(source)})
    assert sorted(found) == ["_sides", "_written", "held", "named", "parts"]
