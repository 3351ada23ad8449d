"""The tool itself: which places it breaks, that a break is felt, and that it is gone again."""

import ast
import os
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

import rankconv as rc
from tests.mutants.anew import anew
from tests.mutants.broken import exchanged
from tests.mutants.changes import changes
from tests.mutants.children import in_children
from tests.mutants.equivalent import equivalents, reason
from tests.mutants.mutant import Mutant, drawn, files, mutants_of
from tests.mutants.runs import Run, Tracer
from tests.mutants.trials import chosen, chosen_widely

alone = pytest.mark.skipif("RANKCONV_MUTANTS" not in os.environ, reason="in a process of its own: .ci/nightly mutants")
"""Tests that look through all functions of a process, where nothing else has run."""
CODE = '''
@BETA.number(least=0, says="1 < 2")
def f(a: int, b: Annotated[int, Within(0, 3)] = 1) -> int:
    """Adds 1 if 1 < 2."""
    if not a:
        raise ValueError("a" + str(1 + 1))
    x: Annotated[int, Within(0, 3)] = np.cumsum(a, axis=0)[:-b]
    x += np.minimum(a.above, b) <= 2 ** b
    x.value = np.zeros((0, "n"))
    return ~x if a and b else np.where(x, a, b)
'''
BROKEN = """
    0 -> 1 | 1 -> 2 | not a -> (a) | np.cumsum(a, axis=0) -> a | 0 -> 1 | -b -> (b)
    x += np.minimum(a.above, b) <= 2 ** b -> x -= np.minimum(a.above, b) <= 2 ** b
    np.minimum(a.above, b) <= 2 ** b -> (np.minimum(a.above, b) < 2 ** b)
    0 -> 1 | np.minimum(a.above, b) -> np.maximum(a.above, b) | a.above -> a.down_to | 2 ** b -> (2 * b) | 2 -> 3
    ~x if a and b else np.where(x, a, b) -> np.where(x, a, b) if a and b else ~x
    ~x -> (x) | a and b -> (a or b) | np.where(x, a, b) -> np.where(x, b, a)
"""


ONE = ("metrics/divisors.py", "return np.ones(block.size)", "7: np.ones(block.size)  ->  np.zeros(block.size)")
"""A mutant: its file, its line and its change."""


def test_places_that_make_numbers_are_broken_and_words_are_not() -> None:
    found = Counter(f"{ast.get_source_segment(CODE, place)} -> {after}" for place, after in changes(ast.parse(CODE)))
    assert found == Counter(one.strip() for line in BROKEN.strip().splitlines() for one in line.split("|"))


def test_mutants_can_be_compiled_and_move_no_line() -> None:
    for mutant in drawn(files(), seed=3, count=60):
        source = mutant.source()
        compile(source, mutant.file, "exec")
        assert source.count(b"\n") == mutant.path.read_bytes().count(b"\n"), mutant


def test_a_seed_draws_the_same_mutants_spread_over_the_files() -> None:
    once, again, other = (drawn(files(), seed, 120) for seed in (1, 1, 2))
    assert once == again != other
    assert len(set(once)) == 120
    counts = Counter(mutant.file for mutant in once)
    most = max(counts.values())
    assert all(counts[file] in (most - 1, most) or counts[file] == len(mutants_of(file)) for file in files())


def test_a_changed_line_leaves_the_draw_of_others_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, file = mutants_of("metrics/gains.py"), "metrics/gains.py"
    first = drawn([file], 8, 10)
    left = [mutant for mutant in whole if mutant.line != first[0].line]
    monkeypatch.setattr("tests.mutants.mutant.mutants_of", lambda file: tuple(left))
    assert drawn([file], 8, 10)[:5] == [mutant for mutant in first if mutant in left][:5]


def mutant_of(file: str, text: str, change: str) -> Mutant:
    [found] = [one for one in mutants_of(file) if (one.text, one.change) == (text, change)]
    return found


@alone
@pytest.mark.parametrize(
    ("file", "text", "change", "spec", "values"),
    [
        (*ONE, "precision(precision-denominator=one)@2", (1, float("inf"))),
        ("metrics/f_measure.py", "return beta * beta", "7: beta * beta  ->  (beta / beta)",
         "f1(beta=2)@2", (5 / 2 / 3, 2 / 3)),
    ],
)  # fmt: skip
def test_a_break_is_felt_and_gone_again(
    file: str, text: str, change: str, spec: str, values: tuple[float, float]
) -> None:
    def value() -> float:
        return rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, spec)[spec]

    whole, wrong = values
    assert value() == pytest.approx(whole)
    with exchanged(mutant_of(file, text, change)) as possible:
        assert possible
        assert value() == pytest.approx(wrong)
    assert value() == pytest.approx(whole)


@pytest.mark.parametrize(
    ("file", "text", "change", "in_function", "first", "last"),
    [
        (*ONE, True, "return np.ones(block.size)", "return np.ones(block.size)"),
        ("metrics/recall_levels.py", '@RECALL_LEVEL.number(rule="this recall", least=0, most=1)', "55: 1  ->  2", False,
         "@RECALL_LEVEL", "return"),
        ("metrics/base.py", "lower_is_better: ClassVar[bool] = False", "34: False  ->  True", False,
         "class Metric(", "return first[:1].upper() + first[1:]"),
    ],
)  # fmt: skip
def test_the_lines_that_a_mutant_concerns(
    file: str, text: str, change: str, in_function: bool, first: str, last: str
) -> None:
    mutant = next(one for one in mutants_of(file) if (one.text, one.change) == (text, change))
    source = mutant.path.read_text().splitlines()
    near, whole = mutant.lines
    assert mutant.in_function is in_function
    assert (source[near[0] - 1].strip()[: len(first)], source[near[-1] - 1].strip()[: len(last)]) == (first, last)
    assert len(whole) == len(source)


@alone
def test_the_lines_that_run_are_noted() -> None:
    tracer = Tracer()
    sys.settrace(tracer.called)
    try:
        rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, "precision(precision-denominator=one)@2")
    finally:
        sys.settrace(None)
    lines = tracer.lines["metrics/divisors.py"]
    one = mutant_of(
        "metrics/divisors.py", "return np.ones(block.size)", "7: np.ones(block.size)  ->  np.zeros(block.size)"
    )
    assert one.line in lines
    assert not all(mutant.line in lines for mutant in mutants_of("metrics/divisors.py"))
    assert all(file in files() for file in tracer.lines)


def test_quick_tests_that_run_the_lines_come_first() -> None:
    mutant = mutant_of(
        "metrics/divisors.py", "return np.ones(block.size)", "7: np.ones(block.size)  ->  np.zeros(block.size)"
    )
    here, away = {mutant.file: frozenset({mutant.line})}, {mutant.file: frozenset({mutant.line + 1})}
    times = {"a.py::slow": 5, "b.py::quick": 1, "b.py::third": 1.5, "b.py::next": 1.2, "a.py::long": 99}
    runs = [Run("a.py::other", 1, away), *(Run(test, seconds, here) for test, seconds in times.items())]
    assert [run.test for run in chosen(mutant, runs)] == ["b.py::quick", "b.py::next", "b.py::third", "a.py::slow"]
    assert chosen(mutant, runs[:1]) == []
    said = Run("tests/metrics/test_claims.py::test_it", 2, away)
    widely = [run.test for run in chosen_widely(mutant, [said, *runs[:3]])]
    assert widely == [said.test, "b.py::quick", "a.py::slow", "a.py::other"], (
        "of what is said, of the line, of the file"
    )


def test_children_tell_how_they_end() -> None:
    def hang(writing: int) -> int:
        signal.raise_signal(signal.SIGXCPU)
        return 0

    def tell(writing: int) -> int:
        os.write(writing, b"test_it\nand more\n")
        return 1

    works = {"survives": lambda writing: 0, "caught": tell, "ended": lambda writing: 4, "hung": hang}
    found = {key: (outcome.status, outcome.text) for key, outcome in in_children(works.items())}
    assert found == {"survives": (0, ""), "caught": (1, "test_it"), "ended": (4, "exit 4"), "hung": (-24, "SIGXCPU")}
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        dict(in_children([("wrong", lambda writing: 1 // 0)]))


def test_code_that_runs_at_import_is_not_exchanged() -> None:
    with exchanged(mutant_of("metrics/base.py", "splits: ClassVar[bool] = True", "25: True  ->  False")) as possible:
        assert not possible


def test_a_broken_file_is_imported_in_a_new_process(tmp_path: Path) -> None:
    mutant = mutant_of("metrics/judged.py", "linear: ClassVar[bool] = True", "25: True  ->  False")
    test = "tests/metrics/test_claims.py::test_a_metric_has_an_expected_value_or_says_why_not"
    works = {number: anew(tmp_path / str(number), one, [Run(test, 1, {})]) for number, one in enumerate([None, mutant])}
    found = {number: (outcome.status, outcome.text) for number, outcome in in_children(works.items())}
    assert found == {0: (0, ""), 1: (1, test)}


def test_what_is_called_equivalent_stands_in_the_source_once() -> None:
    every = [mutant for file in files() for mutant in mutants_of(file)]
    for entry in equivalents():
        for change in entry.changes:
            assert any(entry.covers(one) and one.change == change for one in every), (entry.file, entry.line, change)
        assert entry.why.endswith(".")
    assert all(reason(one) is None or len([e for e in equivalents() if e.covers(one)]) == 1 for one in every)
