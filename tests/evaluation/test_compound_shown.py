"""Ids of several parts are told as they are typed, `u1,3`, wherever a page or an error names a user."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from rankconv.data.ids import quoted

IDS = [(f"u{user}", given) for user in range(4) for given in (1, 2)]
LABELS = {one: {"a": 2, "b": 1, "c": 0} for one in IDS}
RUN = {one: ["x", "b", "a"] if one[1] == 1 else ["a", "y"] for one in IDS}


def test_quoted() -> None:
    assert [quoted(one) for one in ("u", 7, ("u", 7), "o'b")] == ["'u'", "7", "'u,7'", '"o\'b"']


@pytest.mark.parametrize("command", ["evaluate", "check", "explain", "why", "sensitivity", "compare"])
def test_pages_name_them_as_they_are_typed(command: str, tmp_path: Path) -> None:
    rows = [f"{u},{g},{item},{grade}\n" for (u, g), items in LABELS.items() for item, grade in items.items()]
    (tmp_path / "labels.csv").write_text("uid,given,item,grade\n" + "".join(rows))
    ranks = [f"{u},{g},{item},{rank}\n" for (u, g), items in RUN.items() for rank, item in enumerate(items, 1)]
    (tmp_path / "run.csv").write_text("uid,given,item,rank\n" + "".join(ranks))
    more = {"explain": ["-u", "u1,2", "-p", "mllib"], "why": ["mllib", "blog"], "evaluate": ["-p", "mllib"]}
    files = [str(tmp_path / "labels.csv"), str(tmp_path / "run.csv")]
    asked = [command, *files, *more.get(command, []), "-m", "ndcg@3", "--column", "user=uid,given"]
    told = CliRunner().invoke(app, asked)
    assert told.exit_code == (command == "check"), "check ends with 1 where it finds something"
    assert "('u" not in told.output
    if command in ("check", "explain", "why"):
        assert "u1,2" in told.output or "u0,1" in told.output


def test_errors_and_tables_name_them_so_too() -> None:
    table = rc.evaluate(LABELS, RUN, "ndcg@3").user_table().rows
    assert table[0][0] == "u0,1"
    wrong: dict[Any, Any] = {**LABELS, ("u9", 1): {"a": float("nan")}}
    with pytest.raises(rc.RankconvError) as error:
        rc.evaluate(wrong, RUN, "ndcg@3")
    assert "('u9'" not in str(error.value)
    assert "u9,1" in str(error.value)
