"""`rankconv check`: exit codes 0, 1 and 2, its forms, and the line that `evaluate` says."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main

LABELS = "user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n"
CLEAN = "user,item,score\nada,a,0.9\nada,b,0.8\nbob,c,0.7\nbob,x,0.6\n"
TIED = "user,item,score\nada,a,0.9\nada,x,0.9\nbob,c,0.7\nbob,x,0.6\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("labels", LABELS), ("clean", CLEAN), ("tied", TIED), ("broken", "user,item\nada\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.mark.usefixtures("files")
def test_exit_code_0_where_all_is_well() -> None:
    done = run("check", "labels.csv", "clean.csv", "-k", "2")
    assert done.exit_code == 0
    assert "No problem was found" in done.stdout


@pytest.mark.usefixtures("files")
def test_exit_code_1_where_something_is_found() -> None:
    done = run("check", "labels.csv", "tied.csv", "-m", "mrr@2", "-p", "trec_eval", "-p", "rankconv")
    assert done.exit_code == 1
    assert "ties: ties at or above the cutoff" in done.stdout
    assert "user 'ada': score 0.9 at ranks 1 to 2" in done.stdout


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("run_file", ["broken.csv", "nowhere.csv"])
def test_exit_code_2_where_it_cannot_be_read(
    run_file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["rankconv", "check", "labels.csv", run_file])
    with pytest.raises(SystemExit) as stop:
        main()
    captured = capsys.readouterr()
    assert (stop.value.code, captured.out) == (2, "")
    assert captured.err.count("\n") == 1


@pytest.mark.usefixtures("files")
def test_json() -> None:
    done = run(
        "check", "labels.csv", "tied.csv", "-m", "ndcg@2", "-p", "rankconv", "-p", "trec_eval", "--format", "json"
    )
    said = json.loads(done.stdout)
    assert done.exit_code == 1
    assert said["cutoff"] == 2
    [ties] = [finding for finding in said["findings"] if finding["name"] == "ties"]
    assert (ties["count"], ties["of"], ties["examples"][0]["user"]) == (1, 2, "ada")
    assert {(move["preset"], move["metric"]) for move in ties["moves"]} == {("trec_eval", "ndcg@2")}
    assert json.loads(run("check", "labels.csv", "clean.csv", "-k", "2", "--format", "json").stdout)["clean"] is True


@pytest.mark.usefixtures("files")
def test_markdown() -> None:
    assert "### ties" in run("check", "labels.csv", "tied.csv", "-k", "2", "--format", "markdown").stdout


@pytest.mark.usefixtures("files")
def test_the_training_data() -> None:
    done = run("check", "labels.csv", "clean.csv", "-k", "2", "--train", "labels.csv")
    assert "3 of 3 label rows, the labels are the training data." in done.stdout


@pytest.mark.usefixtures("files")
def test_evaluate_says_one_line_unless_quiet() -> None:
    metric = "mrr(ties=item-ascending)@2"
    said = run("evaluate", "labels.csv", "tied.csv", "-m", metric).stderr
    assert said.count("\n") == 1
    assert said.endswith(
        f"would change {metric} by up to 0.2500; see: rankconv check labels.csv tied.csv -m '{metric}' -p rankconv\n"
    )
    assert run("evaluate", "labels.csv", "tied.csv", "-m", metric, "--quiet").stderr == ""
    assert run("evaluate", "labels.csv", "tied.csv", "-m", "mrr@2").stderr == "", "its ties have expected values"
    assert run("evaluate", "labels.csv", "clean.csv", "-m", "ndcg@2").stderr == ""


@pytest.mark.usefixtures("files")
def test_evaluate_prints_the_same_with_and_without_it() -> None:
    loud, quiet = (
        run("evaluate", "labels.csv", "tied.csv", "-m", "map(ties=item-ascending)@2", *more)
        for more in ((), ("--quiet",))
    )
    assert loud.stdout == quiet.stdout
    assert loud.stderr
