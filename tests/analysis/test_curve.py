"""Curves by rank: the systems A and B of the seed, by hand; each point an evaluation; pictures of many lines."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app

LABELS = {"user": [2, 6]}
RUNS = {"A": {"user": [6, 2, 1, 0, 3]}, "B": {"user": [4, 1, 7, 2, 6]}}


def test_precision_against_recall_of_two_systems_with_the_same_five_items() -> None:
    found = rc.curve(LABELS, RUNS, over="recall")
    assert found.lines["A"].across.tolist() == [1 / 2, 1, 1, 1, 1]
    assert found.lines["A"].up.tolist() == [1, 1, 2 / 3, 2 / 4, 2 / 5]
    assert found.lines["B"].across.tolist() == [0, 0, 0, 1 / 2, 1]
    assert found.lines["B"].up.tolist() == [0, 0, 0, 1 / 4, 2 / 5]


def test_each_point_is_an_ordinary_evaluation() -> None:
    labels = {"ada": {"a": 2, "b": 1}, "bob": {"c": 1}}
    runs = {"one": {"ada": ["x", "a", "b"], "bob": ["c", "y"]}, "two": {"ada": ["b"], "bob": ["y", "c"]}}
    found = rc.curve(labels, runs, ["ndcg", "map"], ["mllib", "rankconv"], max_k=4)
    assert list(found.lines)[:2] == ["one, ndcg, mllib", "one, map, mllib"]
    for name, line in found.lines.items():
        run, metric, preset = name.split(", ")
        expected = [rc.evaluate(labels, runs[run], f"{metric}@{k}", preset)[f"{metric}@{k}"] for k in range(1, 5)]
        assert line.up.tolist() == expected


def test_bands_stand_around_plain_means_of_several_users() -> None:
    labels = {user: {"a": 1} for user in range(40)}
    run = {user: ["a", "b", "c"] if user % 2 else ["b", "a", "c"] for user in range(40)}
    found = rc.curve(labels, run, ["mrr", "mrr(aggregate=geometric-mean(floor=0.001))"], n_resamples=2000)
    plain, geometric = found.lines.values()
    half = 1.96 * 0.25 / np.sqrt(40)  # of values that are 1/2 or 1, as often as not
    assert plain.low is not None
    assert plain.high is not None
    assert [plain.low[1], plain.high[1]] == pytest.approx([0.75 - half, 0.75 + half], abs=0.01)
    assert geometric.low is None
    assert rc.curve(labels, run, "mrr", n_resamples=0).lines["mrr"].low is None
    told = found.to_frame().filter(line="mrr")
    assert told["low"].to_list() == plain.low.tolist()
    assert found.to_dict()["lines"]["mrr"]["high"] == plain.high.tolist()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"metrics": "ndcg@3"}, "names a cutoff, and a curve is of all"),
        ({"metrics": "ndcg", "over": "recall"}, "takes no metric"),
        ({"over": "precision"}, "over"),
        ({"n_resamples": -1}, "n_resamples=-1 is not a count"),
        ({"max_k": 0}, "is not a number of ranks"),
    ],
)
def test_what_is_no_curve(given: dict[str, Any], said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        rc.curve(LABELS, RUNS, **given)


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("user,item\nu,2\nu,6\n")
    (tmp_path / "a.csv").write_text("user,item\n" + "".join(f"u,{item}\n" for item in (6, 2, 1, 0, 3)))
    words = ["curve", tmp_path / "labels.csv", tmp_path / "a.csv", "--over", "recall", "--format", "csv", "--quiet"]
    words += ["--plot", tmp_path / "pr.svg"]
    done = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=False)
    assert done.stdout.splitlines()[:3] == ["line,k,recall,value", "a,1,0.5,1.0", "a,2,1.0,1.0"]
    assert "<svg" in (tmp_path / "pr.svg").read_text()
