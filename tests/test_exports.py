"""The public door is a list of names: complete, documented, and the same for type checkers as at run time."""

import ast
import subprocess
import sys
from pathlib import Path

import rankconv as rc
from rankconv.questions.choice import QUESTIONS

SOURCE = ast.parse(Path(rc.__file__).read_text())


def test_type_checkers_see_the_same_names() -> None:
    imports = [
        node for node in ast.walk(SOURCE) if isinstance(node, ast.ImportFrom) and "rankconv" in (node.module or "")
    ]
    names = [alias.asname or alias.name for node in imports for alias in node.names]
    assert sorted(names) == sorted(["*", *rc.__all__])  # and the makers of metrics, of which the stub says the types


def test_every_name_is_there_and_says_what_it_is() -> None:
    assert not [name for name in rc.__all__ if not getattr(rc, name).__doc__]


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(rc, "evalute")


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, rankconv; print(*{'numpy', 'pydantic', 'polars', 'yaml'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


def test_the_first_look_at_the_choices_finds_all_of_them() -> None:
    code = "import rankconv as rc; print({'ties', 'gain', 'on-no-relevant', 'mean'} <= set(QUESTIONS))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "True"
