"""`rankconv explain`, as a user types it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["explain", *arguments], catch_exceptions=False)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "labels.csv").write_text("user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n")
    (tmp_path / "run.csv").write_text("user,item,score\nada,a,3\nada,x,2\nada,b,1\nbob,y,2\nbob,c,1\n")
    return str(tmp_path / "labels.csv"), str(tmp_path / "run.csv")


def test_a_user_of_files(files: tuple[str, str]) -> None:
    done = run(*files, "-m", "map@3", "--user", "ada", "-p", "mllib")
    assert done.exit_code == 0
    assert "map@3 = (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333" in done.stdout


def test_without_files_the_five_users() -> None:
    done = run("-m", "blog:map@3", "-u", "2", "--against", "mllib")
    first = done.stdout.split("\n")[0]
    assert [side.strip()[:27] for side in first.split("≠")] == [
        "blog:map@3 of user 2: 0.5",
        "mllib:map@3 of user 2: 0.16",
    ]
    assert "five users of Bellei" in done.stderr


def test_forms(files: tuple[str, str]) -> None:
    asked = (*files, "-m", "ndcg@2", "-u", "bob")
    assert json.loads(run(*asked, "--format", "json").stdout)["user"] == "bob"
    assert run(*asked, "--format", "markdown").stdout.startswith("## rankconv:ndcg@2 of user bob")
    assert r"\section*{rankconv:ndcg@2 of user bob" in run(*asked, "--format", "latex").stdout


def test_a_picture(files: tuple[str, str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run(*files, "-m", "ndcg@2", "-u", "bob", "--plot", str(tmp_path / "bob.svg"))
    assert (tmp_path / "bob.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "map", "-u", "9"), "there is no user '9'"),
        (("-m", "mapp", "-u", "1"), "mapp"),
        (("labels.csv", "-m", "map", "-u", "1"), "labels were given, and no run"),
        (("-m", "map", "-u", "1", "--plot", "x.pdf"), "x.pdf is no picture"),
        (("-m", "map", "-u", "1", "--by-rank", "--plot", "x.svg"), "--plot is not for --by-rank"),
        (("-m", "map", "-u", "1", "--by-rank", "--against", "blog"), "--against is not for --by-rank"),
    ],
)
def test_mistakes_are_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", "explain", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert said in capsys.readouterr().err


def test_the_table_of_a_textbook(files: tuple[str, str]) -> None:
    done = run(*files, "-m", "precision,recall", "-u", "ada", "--by-rank")
    assert [line.split() for line in done.stdout.splitlines()][2:] == [
        ["1", "a", "3", "2", "yes", "1.0000", "0.5000"],
        ["2", "x", "2", "–", "no", "0.5000", "0.5000"],
        ["3", "b", "1", "1", "yes", "0.6667", "1.0000"],
    ]
    told = json.loads(run(*files, "-m", "precision", "-u", "ada", "--by-rank", "--format", "json").stdout)
    assert told["metrics"] == {"precision": [1.0, 0.5, 2 / 3]}
