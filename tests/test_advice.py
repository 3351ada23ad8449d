"""What an error tells to do can be done where it is read: in Python, or on the command line."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError, field_validator

import rankconv as rc
from rankconv.presets.checked_file import problem_text

SOURCE = Path(rc.__file__).parent
IN_PYTHON = re.compile(r"\brc\.|\w=['…\[{]|=True\b|\.replace\(|\bruns\(")
"""Signs of Python in a sentence."""
IN_SHELL = re.compile(r"(?<![\w=-])--?[a-z]")
NEVER_IN_SHELL = {
    "evaluator.py": "batches come from Python",
    **dict.fromkeys(("row_scorer.py", "row_sides.py"), "rows of harnesses come from Python"),
    **dict.fromkeys(
        ("workers.py", "spark_sides.py:tables", "spark_sides.py:_refuse_calls", "evaluation.py:_each_side"),
        "tables of Spark come from Python",
    ),
    "arguments.py:users": "lists of users come from Python",
    "class_checks.py:check_fields": "classes do",
    "columns.py": "objects as columns do",
    "comparison.py:columns": "objects as columns do",
    "reading.py:_several_runs": "dicts do",
    "training.py": "models are trained in Python",
    "user_sums.py:check_summable": "numbers are put together in Python",
    "step_registry.py:preparation_step": "steps of preparation do",
    "draws.py:rating_step": "plugins that ask of ratings do",
    "preset_registry.py:preset": "objects in place of a name do",
    "preset.py:replace": "changed copies do",
    "array_input.py": "arrays do",
    "partial.py:bytes_of_part": "functions as settings do",
    **dict.fromkeys(("run_files.py:runs_in", "several_runs.py:runs", "several_runs.py:_named_runs"), "rc.Runs does"),
    **dict.fromkeys(("flat_arrays.py:grouped", "flat_arrays.py:_flat", "flat_arrays.py:_queries"), "rc.grouped does"),
    "why.py:why": "the command asks for its two sides itself",
    **dict.fromkeys(("joining.py:takes_joined", "joining.py:call"), "joined data come from Python"),
    "joining.py:read_by": "data that are read already come from Python",
    "labels_and_rankings.py:with_group_weights": "it does, and has no command",
    **dict.fromkeys(("alignment.py", "fitting.py:_check_grades_in_turn"), "matrices and lists in turn do"),
    **dict.fromkeys(("evaluator.py", "batch_rows.py"), "rc.Evaluator does"),
    "metric_result.py:_of_each": "commands keep what they print",
    "saved_result.py:_of_each": "what keeps no values was saved in Python",
    "ranx.py:evaluate": "functions in place of those of a library do",
}
NOT_OF_RC = {"verification"}
"""A module that a doctest of adapters opens."""
ONLY_IN_SHELL = {
    "printed_value.py": "reads --value",
    "array_input.py:as_numpy": "a number below 0 begins so too",
    "trec_eval_names.py": "the options of trec_eval are its words",
    "ranx_names.py:read": "the level of a name of ranx begins so too",
    "files.py:refuse_wide": "iconv is a command wherever one is",
}


def advising() -> Iterator[tuple[str, ast.AST]]:
    """The functions that raise with advice, each by its file and name."""
    for file in sorted(SOURCE.rglob("*.py")):
        if "cli" in file.relative_to(SOURCE).parts:
            continue
        text = file.read_text()
        if "do=" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and "do" in _named(node):
                yield f"{file.name}:{node.name}", node


def _named(function: ast.FunctionDef) -> set[str]:
    return {node.arg for node in ast.walk(function) if isinstance(node, ast.keyword) and node.arg} & {"do", "shell"}


def texts(function: ast.AST, name: str) -> str:
    """All that is written into `do` or `shell` there, with dots for what is filled in."""
    parts = []
    for node in ast.walk(function):
        given = node.value if isinstance(node, ast.keyword) and node.arg == name else None
        if isinstance(node, ast.Assign) and any(name in ast.unparse(target).split(", ") for target in node.targets):
            targets = ast.unparse(node.targets[0]).strip("()").split(", ")
            several = isinstance(node.value, ast.Tuple) and len(targets) > 1
            given = node.value.elts[targets.index(name)] if several else node.value  # type: ignore[attr-defined]
        parts += [str(one.value) for one in ast.walk(given) if isinstance(one, ast.Constant)] if given else []
    return " ".join(parts)


@pytest.fixture(scope="module")
def functions() -> dict[str, ast.AST]:
    return dict(advising())


def test_there_is_advice(functions: dict[str, ast.AST]) -> None:
    assert len(functions) > 80
    assert NEVER_IN_SHELL.keys() <= {*functions, *(name.split(":")[0] for name in functions)}


def test_python_is_said_otherwise_on_the_command_line(functions: dict[str, ast.AST]) -> None:
    asked = {name: one for name, one in functions.items() if not {name, name.split(":")[0]} & NEVER_IN_SHELL.keys()}
    said_in_python = {name: one for name, one in asked.items() if IN_PYTHON.search(texts(one, "do"))}
    alone = {name: texts(one, "do") for name, one in said_in_python.items() if "shell" not in ast.unparse(one)}
    assert said_in_python
    assert not alone, "say in shell= what a command says for these"


def test_options_are_not_said_in_python(functions: dict[str, ast.AST]) -> None:
    asked = {name: one for name, one in functions.items() if not {name, name.split(":")[0]} & ONLY_IN_SHELL.keys()}
    to_both = {name: texts(one, "do") for name, one in asked.items() if "shell" not in ast.unparse(one)}
    assert to_both
    assert not {name: told for name, told in to_both.items() if IN_SHELL.search(told)}


def test_both_are_told() -> None:
    error = rc.MetricError("no metric is given", do="Pass ['map'].", shell="Name one: -m map.")
    assert str(error) == "no metric is given. Pass ['map']."
    assert error.at("here").on_command_line == "here: no metric is given. Name one: -m map."
    assert rc.MetricError("gone", do="Look.").on_command_line == "gone. Look."


def test_both_survive_pickling() -> None:
    error = rc.InputError("gone", where="here", do="Look.", shell="Look with -m.")
    again = pickle.loads(pickle.dumps(error))
    assert (again.on_command_line, str(again)) == (error.on_command_line, str(error))


def test_what_pydantic_says_is_said_in_our_words() -> None:
    class Odd(BaseModel):
        k: int

        @field_validator("k")
        @classmethod
        def odd(cls, k: int) -> int:
            if k % 2 == 0:
                raise ValueError("It is even")
            return k

    with pytest.raises(ValidationError) as problem:
        Odd(k=2)
    assert problem_text(problem.value.errors()[0]) == "it is even"
    with pytest.raises(ValidationError) as problem:
        Odd(k="x")  # type: ignore[arg-type]
    assert problem_text(problem.value.errors()[0]).startswith("input should be a valid integer")


def test_every_name_in_a_text_exists() -> None:
    wrong = [
        f"{file.name}, line {node.lineno}: rc.{name}"
        for file in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for name in re.findall(r"\brc\.(\w+)", node.value)
        if not hasattr(rc, name) and name not in NOT_OF_RC
    ]
    assert wrong == []


def test_advice_names_the_metric_that_was_requested() -> None:
    """With its preset, its settings and its cutoff: another number is another advice."""
    labels, run = {"u": {"a": 1, "b": 0}, "v": {"c": -1, "d": 0}}, {"u": ["b", "a"], "v": ["c", "d"]}
    spec = "ndcg(negative=grade, on-no-relevant=as-computed)@2"
    result = rc.evaluate(labels, run, spec)
    shown = f"rankconv explain -m 'rankconv:{spec}' shows why"
    assert any(shown in note for note in result.table().notes)
    assert rc.explain(labels, run, f"rankconv:{spec}", user="v").value == result.per_user[spec][1]
    assert f"see: rankconv check -m '{spec}' -p rankconv" in result.warning
    assert rc.check(labels, run, spec, "rankconv").findings
    with pytest.raises(rc.MetricError) as refused:
        rc.evaluate(labels, {"u": ["a"]}, "precision(on-no-ranking=refuse-all)@7")
    assert (
        "rankconv compare LABELS RUN -m 'precision(on-no-ranking=refuse-all)@7' -p all" in refused.value.on_command_line
    )
    chunks = rc.check({"q": {"doc1": 1, "doc2": 1}}, {"q": ["doc1#1", "doc2#4"]}, "map(ties=given)@7", "rankconv")
    assert "-m 'map(ties=given, collapse=max)@7'" in chunks["chunks"].do
