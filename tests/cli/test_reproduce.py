"""`rankconv reproduce`: what it prints, and with which exit code."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main

OWN = """name: own
title: A table
preset: wikipedia
inputs: {run: {by-rank: {q: [0, 1]}}}
tables: [{where: table 1, numbers: [{metric: mrr, printed: "0.7"}]}]
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["reproduce", *arguments], catch_exceptions=False)


def test_all_sources_end_with_a_summary() -> None:
    done = run()
    assert done.exit_code == 0
    summary = done.stdout.rstrip().splitlines()[-1]
    assert ", 0 unexplained, 51 left out" in summary
    assert (
        "ndcg(ideal=all-labels, labels-used=aligned-arrays, on-empty-ranking=0)@3 gives 0.462, ndcg@3 the printed 0.544"
        in done.stdout
    )


def test_a_source_shows_all_its_numbers() -> None:
    lines = [line.split() for line in run("wikipedia-2010").stdout.splitlines()]
    assert ["wikipedia-2010", "Example", "wikipedia-2010", "ndcg@6", "0.932", "0.932", "exact"] in lines


def test_a_number_that_does_not_come_out_is_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(OWN)
    done = run(str(tmp_path / "own.yaml"))
    assert done.exit_code == 1
    assert "0.7, ours 0.5; it does not come out; no preset gives it" in done.stdout
    assert done.stdout.rstrip().endswith("0 errata, 1 unexplained, 0 left out")


def test_json() -> None:
    said = json.loads(run("ndcg-video", "--format", "json").stdout)
    assert said["ok"]
    assert [(one["printed"], one["verdict"]) for one in said["numbers"]][-1] == ("0.94", "erratum")


def test_csv_holds_one_row_per_number_and_nothing_else() -> None:
    rows = list(csv.DictReader(run("ndcg-video", "kaggle", "--format", "csv").stdout.splitlines()))
    assert [row["source"] for row in rows] == ["ndcg-video"] * 3 + ["kaggle"] * 4
    assert {row["verdict"] for row in rows} == {"exact", "erratum"}


def test_markdown() -> None:
    lines = run("ndcg-video", "--format", "markdown").stdout.splitlines()
    assert lines[0].startswith("| source")
    assert any(line.startswith("| ndcg-video") and " 0.9501 |" in line for line in lines)


def test_a_mistake_is_exit_code_2(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", "reproduce", "kagle"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert "Did you mean 'kaggle'?" in capsys.readouterr().err
