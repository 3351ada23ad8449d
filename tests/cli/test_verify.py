"""`rankconv verify`: what it prints, and with which exit code."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.addons.verification.adapter import ADAPTERS
from rankconv.cli import main
from rankconv.cli.app import app

PLUGIN = """
import rankconv as rc
from rankconv import plugin

class Plugged(plugin.Adapter):
    preset = "docarray"
    packages = ("numpy",)
    install = "pip install numpy"
    calls = {"mrr": "mean_of_firsts"}

    def given(self, users):
        return users

    def ask(self, given, call, k):
        ranks = [[item in user.relevant for item in user.ranking] for user in given if user.relevant]
        return sum(1 / (1 + hits.index(True)) if True in hits else 0 for hits in ranks) / len(ranks) + WRONG
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "labels.csv").write_text("user,item,grade\nada,a,1\nada,b,1\nbob,c,1\n")
    (tmp_path / "run.csv").write_text("user,item,score\nada,a,3\nada,x,2\nbob,y,2\nbob,c,1\n")
    return [str(tmp_path / "labels.csv"), str(tmp_path / "run.csv")]


def verify(tmp_path: Path, files: list[str], *more: str, wrong: str = "0") -> Result:
    plugin = tmp_path / "plugged.py"
    plugin.write_text(PLUGIN.replace("WRONG", wrong))
    arguments = ["verify", "docarray", *files, "-m", "mrr", "--plugin", str(plugin), *more]
    try:
        return CliRunner().invoke(app, arguments, catch_exceptions=False)
    finally:
        ADAPTERS.pop("docarray", None)


def test_all_equal_is_exit_code_0(tmp_path: Path, files: list[str]) -> None:
    done = verify(tmp_path, files)
    assert done.exit_code == 0
    [line] = [line.split() for line in done.stdout.splitlines() if "mean_of_firsts" in line]
    assert line == ["mrr", "mean_of_firsts", "1", "1", "0", "0", "0", "0"]
    assert done.stdout.rstrip().endswith("Nothing differs.")


def test_another_version_is_said_on_the_error_stream(tmp_path: Path, files: list[str]) -> None:
    assert "with which the preset docarray was checked: a difference may be a new era" in verify(tmp_path, files).stderr


def test_a_difference_is_exit_code_1(tmp_path: Path, files: list[str]) -> None:
    done = verify(tmp_path, files, wrong="0.25")
    assert done.exit_code == 1
    said = " ".join(done.stdout.split())
    assert "mrr: case 'your data', user ada: docarray gives 1.0, numpy 1.25." in said
    assert "List with scores: a (3.0), x (2.0). Labels: a=1, b=1. 1 of 1 metrics differ." in said


def test_json(tmp_path: Path, files: list[str]) -> None:
    said = json.loads(verify(tmp_path, files, "--format", "json", wrong="0.25").stdout)
    assert (said["preset"], said["package"], said["ok"], said["cases"]) == ("docarray", "numpy", False, 1)
    assert said["metrics"][0]["first_difference"]["theirs"] == "1.25"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["blog"],
            "no library is available to verify the preset 'blog'. These have one: autogluon, azure_ai_evaluation",
        ),
        (["mlib"], "'mlib' is not a preset"),
        (["mllib", "nowhere.csv", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_a_mistake_is_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", "verify", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert said in capsys.readouterr().err
