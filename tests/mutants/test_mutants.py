"""The tool itself: which places it breaks, that a break is felt, and that it is gone again."""

import ast
from collections import Counter

import pytest

import rankconv as rc
from tests.mutants.at_once import broken
from tests.mutants.changes import changes
from tests.mutants.equivalent import equivalents, reason
from tests.mutants.mutant import Mutant, drawn, files, mutants_of

CODE = '''
@BETA.number(least=0, says="1 < 2")
def f(a: int, b: Annotated[int, Within(0, 3)] = 1) -> int:
    """Adds 1 if 1 < 2."""
    if not a:
        raise ValueError("a" + str(1 + 1))
    x: Annotated[int, Within(0, 3)] = np.cumsum(a, axis=0)[:-b]
    x += np.minimum(a.above, b) <= 2 ** b
    return ~x if a and b else np.where(x, a, b)
'''
BROKEN = """
    0 -> 1 | 1 -> 2 | not a -> (a) | np.cumsum(a, axis=0) -> a | 0 -> 1 | -b -> (b)
    x += np.minimum(a.above, b) <= 2 ** b -> x -= np.minimum(a.above, b) <= 2 ** b
    np.minimum(a.above, b) <= 2 ** b -> (np.minimum(a.above, b) < 2 ** b)
    np.minimum(a.above, b) -> np.maximum(a.above, b) | a.above -> a.down_to | 2 ** b -> (2 * b) | 2 -> 3
    ~x if a and b else np.where(x, a, b) -> np.where(x, a, b) if a and b else ~x
    ~x -> (x) | a and b -> (a or b) | np.where(x, a, b) -> np.where(x, b, a)
"""


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


def mutant_of(file: str, text: str, change: str) -> Mutant:
    [found] = [one for one in mutants_of(file) if (one.text, one.change) == (text, change)]
    return found


@pytest.mark.parametrize(
    ("file", "text", "change", "spec", "values"),
    [
        ("metrics/divisors.py", "return np.ones(block.size)", "7: np.ones(block.size)  ->  np.zeros(block.size)",
         "precision(precision-denominator=one)@2", (1, float("inf"))),
        ("metrics/precision_recall.py", "return beta * beta", "7: beta * beta  ->  (beta / beta)",
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
    with broken(mutant_of(file, text, change)) as possible:
        assert possible
        assert value() == pytest.approx(wrong)
    assert value() == pytest.approx(whole)


def test_code_that_runs_at_import_is_not_exchanged() -> None:
    with broken(mutant_of("metrics/base.py", "splits: ClassVar[bool] = True", "25: True  ->  False")) as possible:
        assert not possible


def test_what_is_called_equivalent_stands_in_the_source_once() -> None:
    every = [mutant for file in files() for mutant in mutants_of(file)]
    for entry in equivalents():
        for change in entry.changes:
            assert any(entry.covers(one) and one.change == change for one in every), (entry.file, entry.line, change)
        assert entry.why.endswith(".")
    assert all(reason(one) is None or len([e for e in equivalents() if e.covers(one)]) == 1 for one in every)
