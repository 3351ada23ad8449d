"""What a command is given beside labels and runs: training, features and the catalogue, as files."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli import app

FILES = {
    "labels.csv": "user,item\nu,b\nv,a\n",
    "run.csv": "user,item,score\nu,a,2\nu,b,1\nv,a,2\nv,c,1\n",
    "train.csv": "user,item\nu,a\nv,a\nw,b\n",
    "items.csv": "item,genre\na,rock|jazz\nb,jazz\nc,folk\n",
    "all.txt": "a\nb\nc\nd\n",
}
GIVEN = ("--train", "train.csv", "--item-features", "items.csv", "--catalogue", "all.txt")
METRICS = ["popularity@2", "diversity@2", "coverage(coverage-of=in-catalogue)@2"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def printed(*words: str) -> str:
    done = CliRunner().invoke(app, [*words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("files")
def test_files_give_what_python_gives() -> None:
    asked = [word for metric in METRICS for word in ("-m", metric)]
    told = printed("evaluate", "labels.csv", "run.csv", *asked, *GIVEN, "--digits", "6", "--quiet")
    given = {"train": "train.csv", "item_features": "items.csv", "catalogue": "all.txt"}
    result = rc.evaluate("labels.csv", "run.csv", METRICS, **given)
    assert all(f"{result[metric]:.6f}" in told for metric in METRICS)
    assert "0.7500" in printed("compare", "labels.csv", "run.csv", "-m", "coverage@2", "-p", "rectools", *GIVEN)


@pytest.mark.usefixtures("files")
def test_a_catalogue_is_a_number_too() -> None:
    told = printed("evaluate", "labels.csv", "run.csv", "-m", "coverage@2", "--catalogue", "6", "--quiet")
    assert "0.5000" in told
