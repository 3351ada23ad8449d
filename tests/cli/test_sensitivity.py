"""`rankconv sensitivity`, as a user types it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main

QUICK = Path(__file__).parents[2] / "examples" / "quickstart"
FILES = (str(QUICK / "labels.csv"), str(QUICK / "run.csv"))
PRESETS = ("-p", "mllib", "-p", "rankconv", "-p", "blog")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["sensitivity", *arguments], catch_exceptions=False)


def test_files() -> None:
    printed = run(*FILES, "-m", "ndcg@3", *PRESETS, "-k", "1,2", "--thresholds", "1, 2").stdout
    assert printed.startswith("How far ndcg@3 goes\n")
    for line in ("tie orders", "cutoffs @1, @2", "thresholds 1, 2", "No orders of ties for blog"):
        assert line in printed
    assert max(map(len, printed.splitlines())) <= 100


def test_without_files_the_five_users() -> None:
    assert "five users of Bellei" in run("-m", "map@3", *PRESETS).stderr


def test_several_runs(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("user,item,score\nann,bread,3\nbob,beans,2\ncem,tea,1\n")
    printed = run(*FILES, str(tmp_path / "other.csv"), "-m", "ndcg@3", *PRESETS).stdout
    assert "Which run is first" in printed


def test_forms() -> None:
    asked = (*FILES, "-m", "ndcg@3", *PRESETS, "-k", "1")
    assert json.loads(run(*asked, "--format", "json").stdout)["metric"] == "ndcg@3"
    assert run(*asked, "--format", "csv").stdout.startswith("preset,ndcg@3,worst,expected,best,@1\nmllib,0.3573,")


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run(*FILES, "-m", "ndcg@3", *PRESETS, "--plot", str(tmp_path / "all.svg"))
    assert (tmp_path / "all.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "map@3", "-k", "1,b"), "'b' is not a cutoff"),
        (("-m", "map@3", "-k", "1.5"), "'1.5' is not a cutoff"),
        (("-m", "map@3", "-p", "blog", "--plot", "x.pdf"), "x.pdf is no picture"),
        (("labels.csv", "-m", "map"), "labels were given, and no run"),
    ],
)
def test_mistakes_are_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", "sensitivity", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert said in capsys.readouterr().err
