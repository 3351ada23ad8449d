"""What an error says and in which order, and that it survives a trip between processes."""

import pickle
import subprocess
import sys
import traceback

import pytest

import rankconv as rc
from rankconv.basics.errors import nearest, unknown

KINDS = [rc.InputError, rc.ConventionError, rc.MetricError, rc.LibraryError]


def test_the_parts_stand_in_one_order() -> None:
    error = rc.InputError(
        do="Rename it.", nearest="user", allowed="Columns are: user, item", wrong="no column 'usr'", where="run.csv"
    )
    assert str(error) == "run.csv: no column 'usr'. Columns are: user, item. Did you mean 'user'? Rename it."


def test_empty_parts_are_left_out() -> None:
    assert str(rc.MetricError("no metric is given")) == "no metric is given."
    assert str(rc.MetricError("it is refused", do="Ask again.")) == "it is refused. Ask again."
    assert str(rc.MetricError("it is refused", nearest="ndcg")) == "it is refused. Did you mean 'ndcg'?"


@pytest.mark.parametrize(("wrong", "said"), [("gone", "gone."), ("gone.", "gone."), ("gone?", "gone?"), ("no!", "no!")])
def test_each_part_ends_in_one_mark(wrong: str, said: str) -> None:
    assert str(rc.InputError(wrong)) == said


def test_a_further_place_stands_in_front() -> None:
    inner = rc.ConventionError("'x' is not a gain", where="mine.yaml, line 7", nearest="exponential")
    outer = inner.at("yours.yaml, line 2")
    assert type(outer) is rc.ConventionError
    assert str(outer) == "yours.yaml, line 2, mine.yaml, line 7: 'x' is not a gain. Did you mean 'exponential'?"
    assert str(rc.ConventionError("gone").at("mine.yaml")) == "mine.yaml: gone."


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_survives_pickling(kind: type[rc.RankconvError]) -> None:
    error = kind("wrong", where="here", allowed="this or that", nearest="that", do="Say that.")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error) == "here: wrong. this or that. Did you mean 'that'? Say that."
    assert (again.wrong, again.where, again.allowed, again.nearest, again.do) == (
        "wrong",
        "here",
        "this or that",
        "that",
        "Say that.",
    )


@pytest.mark.parametrize("kind", [*KINDS, rc.RankconvError])
def test_a_traceback_names_it_as_it_is_imported(kind: type[rc.RankconvError]) -> None:
    assert traceback.format_exception_only(kind("wrong")) == [f"rankconv.{kind.__name__}: wrong.\n"]
    assert b"basics" not in pickle.dumps(kind, protocol=0)


def test_an_error_alone_loads_nothing_heavy() -> None:
    code = "import sys, rankconv; rankconv.InputError; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.split() == [b"False"]


@pytest.mark.parametrize("kind", KINDS)
def test_one_except_clause_catches_all(kind: type[rc.RankconvError]) -> None:
    assert issubclass(kind, rc.RankconvError)


@pytest.mark.parametrize(
    ("word", "found"),
    [("exponentail", "exponential"), ("EXPONENTIAL", "exponential"), ("ndgc", "nDCG"), ("zzz", ""), ("", "")],
)
def test_the_nearest_word_whatever_its_case(word: str, found: str) -> None:
    assert nearest(word, ["grade", "exponential", "nDCG"]) == found


def test_nothing_is_near_where_nothing_is_known() -> None:
    assert nearest("gain", []) == ""


def test_an_unknown_word_is_answered_with_all_known_ones_and_the_nearest() -> None:
    error = unknown("metric", "ndgc", ["ndcg", "map"], error=rc.MetricError, where="mine", do="Look again.")
    assert type(error) is rc.MetricError
    assert str(error) == "mine: 'ndgc' is not a metric. Choose one of: ndcg, map. Did you mean 'ndcg'? Look again."


def test_an_unknown_word_where_none_is_known() -> None:
    assert str(unknown("setting", "x", [])) == "'x' is not a setting."
