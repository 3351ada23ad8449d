"""What a notebook shows of labels and runs: their size, how often each grade is given, and the first rows."""

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

import rankconv as rc

LABELS = {"ada": {"a": 2, "b": 0, "c": 1}, "bob": {"a": 1}, "eve": {}}


def tables(shown: Any) -> list[list[list[str]]]:
    """The cells of each table, heads first."""
    found = []
    for table in re.findall(r"<table>(.*?)</table>", shown._repr_html_()):
        rows = re.findall(r"<tr>(.*?)</tr>", table)
        found.append([[unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows])
    return found


def test_labels_are_counted() -> None:
    labels = rc.Labels(LABELS)
    sizes, grades, rows = tables(labels)
    assert sizes == [["users", "items", "rows", "rows of a user"], ["3", "3", "4", "0 to 3, median 1"]]
    assert grades == [["grade", "labels"], ["0", "1"], ["1", "2"], ["2", "1"]]
    assert rows == [
        ["user", "item", "grade"],
        *([user, item, str(grade)] for user, items in LABELS.items() for item, grade in items.items()),
    ]
    assert repr(labels) in labels._repr_html_()


def test_many_different_grades_are_not_counted_one_by_one() -> None:
    labels = rc.Labels({"u": {str(item): item / 7 for item in range(40)}})
    sizes, rows = tables(labels)
    assert sizes[1] == ["1", "40", "40", "40"]
    assert len(rows) == 6
    assert "35 more rows." in labels._repr_html_()


def test_the_rows_of_a_run_have_their_rank_and_score() -> None:
    run = rc.Run({"ada": {"a": 0.5, "b": 0.75}, "bob": {}, "eve": {"c": 1, "d": 0.1, "e": 0, "f": -1}})
    sizes, rows = tables(run)
    assert sizes[1] == ["3", "6", "6", "0 to 4, median 2"]
    assert rows == [
        ["user", "item", "rank", "score"],
        ["ada", "b", "1", "0.75"],
        ["ada", "a", "2", "0.5"],
        ["eve", "c", "1", "1"],
        ["eve", "d", "2", "0.1"],
        ["eve", "e", "3", "0"],
    ]
    assert [row[2:] for row in tables(rc.Run({"u": ["a", "b"]}))[1]] == [["rank"], ["1"], ["2"]]


def test_runs_are_a_table() -> None:
    [rows] = tables(rc.Runs({"one": {"u": ["a", "b"]}, "two": {"u": {"a": 1.0}, "v": {"b": 1.0}}}))
    assert rows == [
        ["run", "users", "items", "rows", "rows of a user", "scores", "source"],
        ["one", "1", "2", "2", "2", "no", "a dict"],
        ["two", "2", "2", "2", "1", "yes", "a dict"],
    ]


@pytest.mark.parametrize("empty", [rc.Labels({}), rc.Run({}), rc.Labels({"u": []}), rc.Run({"u": []})])
def test_nothing_is_shown_of_nothing(empty: Any) -> None:
    assert [len(one) for one in tables(empty)] == [2]


def test_ids_are_shown_as_text() -> None:
    run = rc.Run({("<u>", 1): {f"{'x' * 40}<b>": 1.0}})
    html = run._repr_html_()
    assert "<u>" not in html
    assert "<b>" not in html
    assert "…" in html


def test_a_large_run_is_shown_at_once() -> None:
    """Only the first rows are looked at, one by one."""
    run = rc.Run(np.random.default_rng(0).random((2000, 500)))
    assert len(tables(run)[1]) == 6
    assert "999,995 more rows." in run._repr_html_()
