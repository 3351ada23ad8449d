"""The three switches on the five users of Bellei 2017, and the small files beside the script."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app

# Recomputed independently from the post's five users; the rows marked "printed" stand in the post itself.
EXPECTED = {
    "the hits among the first k": [0.333, 0.500, 0.500],  # printed
    "min(k, length of the list)": [0.333, 0.278, 0.289],
    "all labels of the user": [0.056, 0.167, 0.222],
    "the returned items, best first": [0.333, 0.544, 0.550],  # printed
    "all labels, best first": [0.333, 0.354, 0.350],
    "NDCG, base e": [0.333, 0.544, 0.550],
    "NDCG, base 2": [0.333, 0.544, 0.550],
    "DCG, base e": [0.481, 1.088, 1.295],
    "DCG, base 2": [0.333, 0.754, 0.898],
    "NaN, left out of the mean": [0.333, 0.333, 0.267],  # printed
    "0, which enters the mean": [0.200, 0.200, 0.160],
}
NUMBER = re.compile(r"nan|\d+\.\d{3}")


@pytest.fixture(scope="module")
def printed(run_here: Callable[[str], str]) -> list[str]:
    return run_here("quickstart/quickstart.py").splitlines()


@pytest.mark.parametrize("setting", EXPECTED)
def test_means(printed: list[str], setting: str) -> None:
    [line] = [line for line in printed if line.strip().startswith(setting)]
    numbers = NUMBER.findall(line.strip().removeprefix(setting))
    assert [float(number) for number in numbers] == EXPECTED[setting]


@pytest.fixture(scope="module")
def folder(examples: Path) -> Path:
    return examples / "quickstart"


@pytest.mark.parametrize("preset", ["rankconv(order=score)", "blog", "mllib", "recommenders", "trec_eval-c"])
def test_the_files_hold_the_same_data(folder: Path, preset: str) -> None:
    specs = [spec for spec in ("ndcg@3", "map@3", "precision@3", "mrr") if rc.preset(preset).offers(spec)]
    table = rc.evaluate(folder / "labels.csv", folder / "run.csv", specs, preset)
    trec = rc.evaluate(folder / "qrels.trec", folder / "run.trec", specs, preset)
    assert [trec[spec] for spec in specs] == [table[spec] for spec in specs]


def test_a_tie_moves_a_number(folder: Path) -> None:
    # Bob's two tied items: either may be first, on average 3/4; trec_eval has the one with the higher id first.
    result = rc.evaluate(folder / "labels.csv", folder / "run.csv", ["rankconv:mrr", "trec_eval-c:recip_rank"])
    bob = result.users.tolist().index("bob")
    assert [result.per_user[spec][bob] for spec in result] == [0.75, 1.0]


def test_its_commands_run(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(examples.parent)
    lines = [line.split() for line in (examples / "quickstart/quickstart.py").read_text("utf-8").splitlines()]
    commands = [words[1:] for words in lines if words[:1] == ["rankconv"]]
    assert len(commands) == 3
    for command in commands:
        assert "ndcg@3" in CliRunner().invoke(app, command, catch_exceptions=False).stdout
