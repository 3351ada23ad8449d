"""The commands, as a user types them: what they print, what they refuse, and with which exit code."""

import json
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main

LABELS = "user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n"
RUN = "user,item,score\nada,a,3\nada,x,2\nada,b,1\nbob,y,2\nbob,c,1\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "run.csv").write_text(RUN)
    return str(tmp_path / "labels.csv"), str(tmp_path / "run.csv")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """The message on stderr; the exit code is 2 and nothing is printed."""
    monkeypatch.setattr("sys.argv", ["rankconv", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    captured = capsys.readouterr()
    assert stop.value.code == 2
    assert captured.out == ""
    return captured.err


def test_compare_without_files_shows_the_five_users() -> None:
    lines = run("compare").stdout.splitlines()
    assert lines[0].split() == ["metric", "blog", "mllib-2016", "mllib", "kaggle", "rankconv"]
    [ndcg] = [line for line in lines if line.strip().startswith("ndcg@3")]
    assert ndcg.split() == ["ndcg@3", "0.5436", "0.2123", "0.2123", "–", "0.3538"]
    assert any(line.startswith("No value under trec_eval: user 3 has no ranked row") for line in lines)
    assert [line.split()[0] for line in lines[-3:]] == ["rankconv"] * 3
    for line in lines[-3:-1]:
        assert run(*shlex.split(line, comments=True)[1:]).exit_code == 0


def test_evaluate_prints_means_counts_and_the_preset(files: tuple[str, str]) -> None:
    printed = run("evaluate", *files, "-m", "ndcg@5,10", "-m", "mrr", "-p", "rankconv").stdout
    assert [line.split()[:2] for line in printed.splitlines() if "@" in line] == [
        ["ndcg@5", "0.7906"],
        ["ndcg@10", "0.7906"],
    ]
    assert "Preset: rankconv" in printed


def test_a_group_is_asked_for_like_a_preset(files: tuple[str, str]) -> None:
    printed = run("compare", *files, "-m", "map@2", "-p", "contests", "-p", "house", "--format", "csv").stdout
    assert [line.split(",")[2] for line in printed.splitlines()[1:]] == ["kaggle", "kaggle-as-described", "rankconv"]


def test_json_holds_numbers_counts_and_errors(files: tuple[str, str]) -> None:
    said = json.loads(run("evaluate", *files, "-m", "precision@2", "-p", "mllib", "--format", "json").stdout)
    assert said["preset"] == "mllib"
    assert said["metrics"] == {"precision@2": 0.5}
    assert said["counts"] == {"precision@2": {"scored": 2}}


@pytest.mark.parametrize(
    ("form", "start"),
    [("csv", "run,metric,preset,mean,note\nrun,"), ("markdown", "| metric"), ("latex", "\\begin{tabular}")],
)
def test_tables_for_papers(files: tuple[str, str], form: str, start: str) -> None:
    printed = run("compare", *files, "-m", "map@2", "-p", "blog", "-p", "mllib", "--format", form).stdout
    assert printed.startswith(start)


def test_a_row_per_user_and_the_mean_below(files: tuple[str, str]) -> None:
    printed = run("evaluate", *files, "-m", "mrr@3", "--per-user", "--format", "csv").stdout
    assert printed.splitlines() == ["user,mrr@3", "ada,1.0000", "bob,0.5000", "mean,0.7500"]


def test_per_user_values_go_to_a_file(files: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "users.csv"
    run("evaluate", *files, "-m", "mrr@3", "--per-user-file", str(out))
    assert pl.read_csv(out).select("user", "mrr@3").rows() == [("ada", 1.0), ("bob", 0.5)]


@pytest.mark.parametrize(
    ("name", "read"), [("u.csv", pl.read_csv), ("u.parquet", pl.read_parquet), ("u.jsonl", pl.read_ndjson)]
)
def test_the_ending_says_the_form(files: tuple[str, str], tmp_path: Path, name: str, read: Any) -> None:
    run("evaluate", *files, "-m", "mrr@3", "--per-user-file", str(tmp_path / name))
    assert read(tmp_path / name).select("user", "mrr@3").rows() == [("ada", 1.0), ("bob", 0.5)]


def test_a_file_is_not_overwritten_without_force(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "users.csv"
    out.write_text("mine")
    arguments = ("evaluate", *files, "-m", "mrr@3", "--per-user-file", str(out))
    assert "there is such a file already" in refused(capsys, monkeypatch, *arguments)
    assert out.read_text() == "mine"
    run(*arguments, "--force")
    assert pl.read_csv(out).height == 2
    assert "Did you mean '.parquet'?" in refused(capsys, monkeypatch, *arguments[:-1], "users.parqet")


def test_the_form_of_trec_eval(files: tuple[str, str]) -> None:
    arguments = ("evaluate", *files, "-p", "trec_eval", "--format", "trec_eval", "-m", "map", "-m", "precision@5")
    assert run(*arguments).stdout == (
        "runid                 \tall\trun\nmap                   \tall\t0.6667\nP_5                   \tall\t0.3000\n"
    )
    assert run(*arguments, "-m", "P_1", "-q").stdout.splitlines()[:3] == [
        "map                   \tada\t0.8333",
        "P_5                   \tada\t0.4000",
        "P_1                   \tada\t1.0000",
    ]


def test_json_has_no_rows_of_users(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("evaluate", *files, "-m", "map", "-q", "--format", "json")
    assert "--per-user is for tables" in refused(capsys, monkeypatch, *words)


def test_a_folder_of_runs(files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    for name in ("one", "two"):
        (tmp_path / "runs" / f"{name}.csv").write_text(RUN)
    printed = run("compare", files[0], str(tmp_path / "runs"), "-m", "mrr@3", "-p", "rankconv").stdout
    assert [line.split()[1:] for line in printed.splitlines() if "mrr@3" in line] == [
        ["one", "0.7500"],
        ["two", "0.7500"],
    ]


def test_a_run_through_a_pipe(files: tuple[str, str]) -> None:
    arguments = ["evaluate", files[0], "-", "-m", "mrr@3", "--format", "csv"]
    printed = CliRunner().invoke(app, arguments, input=RUN, catch_exceptions=False).stdout
    assert "mrr@3,0.7500" in printed


def test_an_address_is_refused(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("evaluate", files[0], "https://example.org/run.csv", "-m", "map")
    assert "this is a web address, and only files are read" in refused(capsys, monkeypatch, *arguments)


def test_several_runs_are_named_by_their_files(files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("user,item,score\nada,b,1\nbob,c,1\n")
    printed = run("compare", *files, str(tmp_path / "other.csv"), "-m", "mrr@3", "-p", "rankconv").stdout
    assert [line.split()[1:] for line in printed.splitlines() if "mrr@3" in line] == [
        ["run", "0.7500"],
        ["other", "1.0000"],
    ]


def test_show_against_prints_only_differences() -> None:
    lines = run("show", "mllib", "--against", "blog").stdout.splitlines()
    assert any(line.split() == ["ideal", "all-labels", "against", "retrieved-at-k"] for line in lines)
    assert not any("order" in line for line in lines)


def test_show_says_when_an_setting_cannot_matter() -> None:
    [line] = [line for line in run("show", "mllib", "-m", "ndcg@10").stdout.splitlines() if "log(base=e)" in line]
    assert "cannot matter: the base of a plain logarithm cancels" in line
    [line] = [line for line in run("show", "blog", "-m", "dcg@10").stdout.splitlines() if "log(base=e)" in line]
    assert "cannot matter" not in line


def test_show_names_the_sources() -> None:
    assert "Source: trec_eval 10.0-rc3" in run("show", "trec_eval").stdout


def test_presets_and_metrics_are_listed() -> None:
    presets = json.loads(run("list", "presets", "--format", "json").stdout)
    assert {"blog", "kaggle", "sklearn", "rankconv"} <= {row["preset"] for row in presets}
    assert "base" not in {row["preset"] for row in presets}
    assert all(row["what it is"] for row in presets)
    assert list(dict.fromkeys(row["group"] for row in presets))[:3] == ["house", "search", "recommender"]
    assert "average_precision" in {
        row["metric"] for row in json.loads(run("list", "metrics", "--format", "json").stdout)
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-m", "ndgc@10"], "Did you mean 'ndcg'?"),
        (["-m", "ndcg@10", "-p", "mlib"], "'mlib' is not a preset"),
        (["-m", "ndcg(gian=grade)@10"], "Did you mean 'gain'?"),
        (["-m", "ndcg(gain=expo)@10"], "'expo' is not a gain. Choose one of: linear, exponential"),
        (["-m", "dcg(discount=log(bass=2))@10"], "Write log(base=…)"),
        (["-m", "ndcg@0"], "A cutoff is a whole number from 1 up"),
        (["-m", "ndcg@-3"], "'-3' is not a cutoff"),
        (["-m", "ndcg@ten"], "'ten' is not a cutoff"),
        (["-m", "recall@5", "-p", "mllib-2016"], "mllib-2016 does not offer recall. It has: precision, map, ndcg"),
        (["-m", "map", "-p", "kaggle"], "only at a cutoff"),
        (["-m", "mrr@5", "-p", "trec_eval"], "trec_eval has no mrr at a cutoff"),
        (["-m", "map(order=given, ties=item-ascending)@5"], "ties=item-ascending has no effect"),
        (["-m", "map", "--column", "person=uid"], "does not name a column"),
        (["-m", "map", "--plugin", "nowhere.py"], "there is no plugin file"),
    ],
)
def test_a_mistake_is_one_message(
    files: tuple[str, str],
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = refused(capsys, monkeypatch, "evaluate", *files, *arguments)
    assert said in message
    assert message.count("\n") == 1


def test_refused_data_leaves_no_file(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "twice.csv").write_text("user,item,score\nada,a,2\nada,a,1\nbob,c,1\n")
    out = tmp_path / "users.csv"
    arguments = (
        "evaluate",
        files[0],
        str(tmp_path / "twice.csv"),
        "-m",
        "map",
        "-p",
        "trec_eval",
        "--per-user-file",
        str(out),
    )
    assert "user 'ada' has item 'a' in the list more than once" in refused(capsys, monkeypatch, *arguments)
    assert not out.exists()


def test_labels_without_a_run_are_not_enough(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no run" in refused(capsys, monkeypatch, "compare", files[0])


def test_columns_that_were_guessed_are_said(files: tuple[str, str], tmp_path: Path) -> None:
    assert run("evaluate", *files, "-m", "map").stderr == ""
    (tmp_path / "other.csv").write_text("query_id,docno,sim\nada,a,1\nbob,c,1\n")
    arguments = ("evaluate", files[0], str(tmp_path / "other.csv"), "-m", "map")
    assert run(*arguments).stderr == "other.csv: user = query_id, item = docno, score = sim\n"
    (tmp_path / "labels.csv").write_text(LABELS.replace("user,item,grade", "query_id,docno,rel"))
    named = ("--column", "user=query_id", "--column", "item=docno", "--column", "score=sim", "--column", "grade=rel")
    assert run(*arguments, *named).stderr == ""


def test_numbers_that_nobody_recognised_are_refused_and_what_is_assumed_is_said(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "odd.csv"
    odd.write_text("user,item,points\nada,x,1\nada,a,2\nbob,c,1\n")
    arguments = ("evaluate", files[0], str(odd), "-m", "mrr")
    said = refused(capsys, monkeypatch, *arguments)
    assert (
        "there are numbers in 'points'. Pass --column score=points if high is best, --column rank=points if low" in said
    )
    by_rows, by_score = (run(*arguments, "--column", named) for named in ("score=none", "run.score=points"))
    assert (by_rows.stderr, by_score.stderr) == ("", "")
    assert "0.7500" in by_rows.stdout
    assert "1.0000" in by_score.stdout
    odd.write_text("user,item\nada,a\nbob,c\n")
    assert run(*arguments).stderr == "odd.csv: neither scores nor ranks, so the order of the rows is the ranking\n"


def test_the_scores_of_a_letor_file(tmp_path: Path) -> None:
    (tmp_path / "test.txt").write_text("0 qid:1 1:0.5\n1 qid:1 1:0.2\n1 qid:2 1:0.1\n")
    (tmp_path / "predictions").write_text("0.5\n0.2\n-1\n")
    arguments = (str(tmp_path / "test.txt"), str(tmp_path / "predictions"), "-m", "mrr", "--format", "csv")
    assert "mrr,0.7500" in run("evaluate", *arguments).stdout
