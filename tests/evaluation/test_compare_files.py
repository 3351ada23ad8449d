"""Runs in files compared within a budget: the numbers of a comparison in memory, and all settings that differ."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from rankconv.cli.data_options import in_batches
from rankconv.evaluation.streaming.memory import Budget
from tests.evaluation.streaming.test_files import data, tiny, written

__all__ = ["tiny"]

SPECS = ["ndcg@3", "map@3", "precision@2", "recall"]
Frames = tuple[pl.DataFrame, pl.DataFrame]


def told(found: Any) -> dict[str, Any]:
    """The bits of the numbers of a comparison, and who gives them."""
    bits = {place: (float(one.mean).hex(), one.counts) for place, one in found.cells.items()}
    return {"bits": bits, "values": {metric: found.groups(metric) for metric in found.metrics}}


def in_memory(labels: pl.DataFrame, runs: dict[str, pl.DataFrame], presets: Any) -> Any:
    """Of the users whom a preset refuses the first is named in memory, and the one of the least id of parts."""
    labels, *ranked = (one.sort("user", maintain_order=True) for one in (labels, *runs.values()))
    return rc.compare(
        labels, ranked[0] if "" in runs else rc.Runs(dict(zip(runs, ranked, strict=True))), SPECS, presets
    )


def files(folder: Path, labels: pl.DataFrame, runs: dict[str, pl.DataFrame], form: str = "parquet") -> tuple[Path, Any]:
    known = written(labels, folder / "labels", form)
    ranked = {name: written(run, folder / f"run {name}", form) for name, run in runs.items()}
    return known, ranked.get("", ranked)


def shuffled(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=seed)


PRESETS = ["blog", "mllib@2.1.3", "mllib", "kaggle", "trec_eval", "sklearn", "ranx", "recbole", "rankconv"]


def test_all_settings_that_differ_are_named(tmp_path: Path) -> None:
    """Also those that cannot matter on these data: here no scores are tied."""
    labels = pl.DataFrame({"user": [1, 2], "item": [1, 1], "grade": [1.0, 1.0]})
    run = pl.DataFrame({"user": [1, 1, 2, 2], "item": [1, 2, 3, 1], "score": [0.75, 0.5, 0.75, 0.5]})
    known, ranked = files(tmp_path, labels, {"": run})
    specs = ["rankconv:ndcg@1", "rankconv:ndcg(ties=reversed)@2", "rankconv:ndcg(ties=reversed)@1"]
    found = rc.compare(known, ranked, specs, memory="4GB").notes
    assert ["ties=reversed" in note.partition(": ")[2] for note in found] == [True, False]
    assert not any("ties=reversed" in note.partition(": ")[2] for note in rc.compare(labels, run, specs).notes)


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
@pytest.mark.parametrize("rows", [12, 40, 10**5])
def test_runs_are_compared_as_in_memory(order: str, rows: int, tiny: Any, tmp_path: Path) -> None:
    sides = [data(15, False, seed) for seed in (rows, rows + 1)]
    labels, runs = sides[0][0], {f"r{place}": one[1] for place, one in enumerate(sides)}
    if order == "shuffled":
        labels, runs = shuffled(labels, 1), {name: shuffled(run, 2) for name, run in runs.items()}
    known, ranked = files(tmp_path, labels, runs)
    tiny(rows)
    found = rc.compare(known, ranked, SPECS, PRESETS, memory="4GB", temp_dir=tmp_path)
    assert told(found) == told(in_memory(labels, runs, PRESETS))
    assert {one.name for one in tmp_path.iterdir()} == {"labels", "run r0", "run r1"}


def test_definitions_as_columns_and_what_is_known_of_items(tiny: Any, tmp_path: Path) -> None:
    labels, run = data(25, True, 3)
    known, ranked = files(tmp_path, labels, {"": run}, "csv")
    tiny(12)
    specs = {"mine": rc.metric("mllib:ndcg@3").replace(gain="linear"), "theirs": "sklearn:ndcg@3"}
    found = rc.compare(known, ranked, specs, memory="4GB", temp_dir=tmp_path)
    assert told(found) == told(rc.compare(labels, run, specs))
    more: dict[str, Any] = {"catalogue": 40, "train": {"u1": ["i1", "i2"]}}
    found = rc.compare(
        known, ranked, ["gini@3", "coverage@3", "novelty@3"], ["rankconv", "elliot", "recbole"], memory="4GB", **more
    )
    assert told(found) == told(
        rc.compare(labels, run, ["gini@3", "coverage@3", "novelty@3"], ["rankconv", "elliot", "recbole"], **more)
    )


def test_what_needs_all_users_and_other_data_are_refused(tmp_path: Path) -> None:
    labels, run = data(5, False, 3)
    known, ranked = files(tmp_path, labels, {"": run})
    with pytest.raises(rc.InputError, match="the rankings are read from files"):
        rc.compare(known, {"a": run.rows()}, "ndcg@3", memory="4GB")
    with pytest.raises(rc.InputError, match="users= needs all users at once"):
        rc.compare(known, ranked, "ndcg@3", memory="4GB", users=[1])
    for ask in (rc.evaluate, rc.compare):
        with pytest.raises(rc.InputError, match="no temporary files are made without"):
            ask(known, ranked, "ndcg@3", temp_dir=tmp_path)
    with pytest.raises(rc.MetricError, match="values per user were not kept"):
        _ = rc.compare(known, ranked, "ndcg@3", memory="4GB").cell("ndcg@3", "mllib").values  # type: ignore[union-attr]
    with pytest.raises(rc.InputError, match="is too little"):
        rc.compare(known, ranked, "ndcg@3", memory="20MB")


def test_many_definitions_make_batches_smaller() -> None:
    one = Budget(10**6, 10**6, 300)
    many = one.holding(300)
    assert many.rows < one.rows
    assert many.rows * many.a_row <= one.rows * one.a_row


def test_the_command_says_what_it_says_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = data(15, True, 5)
    labels, run = (one.sort("user", maintain_order=True) for one in (labels, run))
    files(tmp_path, labels, {"a": run, "b": shuffled(run, 3)})
    for name, frame in {"labels": labels, "run a": run, "run b": shuffled(run, 3)}.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    monkeypatch.chdir(tmp_path)
    command = ["compare", "-m", "ndcg@3", "-p", "mllib", "-p", "trec_eval"]
    said = [
        CliRunner().invoke(app, [*command, *given], catch_exceptions=False)
        for given in (
            ["labels", "run a", "run b", "--memory", "4GB", "--temp-dir", "."],
            ["labels.csv", "run a.csv", "run b.csv", "--quiet"],
        )
    ]
    assert "trec_eval" in said[0].stdout
    assert [one.stdout.partition(" against ")[0] for one in said[1:]] == [said[0].stdout.partition(" against ")[0]]
    with pytest.raises(rc.MetricError, match="--memory is for files"):
        in_batches(None, [])
