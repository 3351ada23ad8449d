"""`rankconv identify`, as a user types it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["identify", *arguments], catch_exceptions=False)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "labels.csv").write_text("user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n")
    (tmp_path / "run.csv").write_text("user,item,score\nada,a,3\nada,x,2\nada,b,1\nbob,y,2\nbob,c,1\n")
    return str(tmp_path / "labels.csv"), str(tmp_path / "run.csv")


def test_a_number_of_files(files: tuple[str, str]) -> None:
    done = run(*files, "-m", "map@3", "--value", "0.667")
    assert done.exit_code == 0
    assert "0.6666666667   trec_eval:map@3   (rounded)" in done.stdout
    assert "definitions are equal here" in done.stdout


@pytest.mark.parametrize(
    ("metric", "number", "code", "said"),
    [
        ("map@3", "0.500", 0, ["map@3 = 0.500: given by blog", "blog:map@3"]),
        ("map@3", "0.849", 0, ["map@3 = 0.849: no preset gives it."]),
        ("ndcg@3", "0.317", 3, ["1 row no likelier than chance"]),
        ("hit_rate@3", "0.1234", 1, ["none of", "Nearest presets:", "What remains:"]),
    ],
)
def test_exit_codes_without_files_on_the_five_users(metric: str, number: str, code: int, said: list[str]) -> None:
    done = run("-m", metric, "--value", number)
    assert done.exit_code == code
    assert all(one in done.stdout for one in said)
    assert "five users of Bellei" in done.stderr


def test_json() -> None:
    plain = json.loads(run("-m", "map@3", "--value", "0.500", "--format", "json").stdout)
    assert (plain["likelier_than_chance"], plain["found"], plain["rows"][0]["value"]) == (True, True, 0.5)
    assert "blog:map@3" in plain["presets"]


def test_what_is_as_likely_by_chance_is_left_out_of_the_summary_alone() -> None:
    short, whole = (run("-m", "ndcg@3", "--value", "0.667", *more).stdout for more in ((), ("--full",)))
    assert "All rows: --full" in short
    assert short.count("   (rounded") < whole.count("   (rounded")
    assert "no likelier than chance" not in whole


def test_several_numbers_and_a_table(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("metric,value\nmap@3,0.167\nprecision@3,0.200\n")
    done = run("--table", str(tmp_path / "table.csv"))
    assert done.exit_code == 0
    assert "mllib" in done.stdout
    same = run("--value", "map@3=0.167", "--value", "precision@3=0.200")
    assert same.stdout == done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "map@3", "--value", "many"), "'many' is not a number as one prints it"),
        (("--value", "0.3"), "comes without a metric"),
        (("-m", "map@3"), "a metric and the number"),
        (("-m", "map@3", "--value", "0.1", "--value", "0.2"), "two numbers are given for map@3"),
        (("labels.csv", "-m", "map", "--value", "1"), "labels were given, and no run"),
        (("--table", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_mistakes_are_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", "identify", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
