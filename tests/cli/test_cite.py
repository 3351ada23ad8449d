"""`rankconv cite`, and `rankconv show` of a fingerprint, as a user types them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rankconv as rc
from rankconv.analysis import cite as finding
from rankconv.cli import app, main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_a_definition_in_each_form() -> None:
    assert run("cite", "mllib:ndcg@10").stdout.startswith("nDCG@10 is computed as the rankconv preset mllib")
    assert run("cite", "ndcg@10", "-p", "mllib", "--short").stdout == f"{rc.cite('mllib:ndcg@10').short}\n"
    assert "\\[ m = \\frac" in run("cite", "mllib:ndcg@10", "--format", "latex").stdout
    assert "$$m = \\frac" in run("cite", "mllib:ndcg@10", "--format", "markdown").stdout
    assert run("cite", "mllib:ndcg@10", "--format", "bibtex").stdout.startswith("@misc{mllib,")
    told = json.loads(run("cite", "mllib:ndcg@5,10", "--format", "json").stdout)
    assert [one["metric"] for one in told] == ["nDCG@5", "nDCG@10"]


def test_a_saved_result(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    rc.evaluate({"u": ["a"]}, {"u": ["a"]}, ["mllib:ndcg@10", "map"]).save(file)
    assert "The number is 1; of 1 user, 1 was scored." in run("cite", "--result", str(file)).stdout.replace("\n", " ")
    assert run("cite", "map", "--result", str(file), "--short").stdout == f"{rc.cite('map').short}\n"
    assert run("show", "0f082adf", "--result", str(file)).exit_code == 0


def test_a_fingerprint() -> None:
    done = run("show", "0f082adf…")
    assert done.stdout == "0f082adfecd1b68c   mllib:ndcg@10   (also mllib-2016:ndcg@10)\n"
    found = json.loads(run("show", "0f082adf", "--format", "json").stdout)
    assert found == [{"fingerprint": "0f082adfecd1b68c", "definition": "mllib:ndcg@10", "also": ["mllib-2016:ndcg@10"]}]


def test_nothing_found_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "METRICS", ["hit_rate"])  # of all that identify tries
    done = run("show", "0123456789abcdef")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "No definition with the fingerprint 0123456789abcdef was found" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("cite",), "no metric was given"),
        (("cite", "mllib:mapp"), "Did you mean 'map'?"),
        (("cite", "map", "--result", "none.json"), "the file cannot be opened"),
        (("show", "hello"), "'hello' is not a name"),
    ],
)
def test_mistakes_are_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["rankconv", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert said in capsys.readouterr().err
