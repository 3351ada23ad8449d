"""`rankconv why`, as a user types it."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main

QUICK = Path(__file__).parents[2] / "examples" / "quickstart"
FILES = (str(QUICK / "labels.csv"), str(QUICK / "run.csv"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_two_presets_on_files() -> None:
    printed = run("why", *FILES, "-m", "ndcg@3", "mllib", "trec_eval-c").stdout
    assert printed.startswith("ndcg@3: mllib 0.3573, trec_eval-c 0.4723: +0.1150\n")
    assert "Users counted: 6, then 5." in printed


def test_the_printed_commands_can_be_copied() -> None:
    printed = run("why", *FILES, "-m", "ndcg@3", "mllib", "trec_eval-c", "--column", "user=user").stdout
    commands = re.findall(r"^  rankconv (explain .*)$", printed, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        done = run(*shlex.split(command))
        assert done.stdout.startswith("mllib:ndcg@3 of user")
        assert "trec_eval-c:ndcg@3 of user" in done.stdout


def test_two_specs_without_files() -> None:
    done = run("why", "blog:map@3", "blog:map(ap-denominator=relevant)@3")
    assert "ap-denominator: hits → relevant" in done.stdout
    assert "five users of Bellei" in done.stderr
    commands = re.findall(r"^  rankconv (explain .*)$", done.stdout, re.MULTILINE)
    assert [run(*shlex.split(command)).exit_code for command in commands] == [0, 0]


def test_forms() -> None:
    asked = ("why", "-m", "map@3", "blog", "mllib")
    assert json.loads(run(*asked, "--format", "json").stdout)["means"][0] == 0.5
    assert "| mllib" in run(*asked, "--format", "markdown").stdout
    assert r"\toprule" in run(*asked, "--format", "latex").stdout
    assert run(*asked, "--format", "csv").stdout.startswith("definition,setting,turned to,map@3\nblog,,,0.5000\n")


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run("why", "-m", "map@3", "blog", "mllib", "--plot", str(tmp_path / "why.png"))
    assert (tmp_path / "why.png").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "map@3", "blog"), "1 arguments were given"),
        (("-m", "map@3", "blog", "mlib"), "Did you mean 'mllib'?"),
        (("-m", "map@3", "blog", "mllib", "--plot", "x.pdf"), "x.pdf is no picture"),
        ((*FILES, "-m", "ndcg@3", "mllib", "trec_eval"), "With on-no-ranking=as-computed, as mllib says"),
    ],
)
def test_mistakes_are_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", "why", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert said in capsys.readouterr().err
