"""Laws of `check` within a budget: any order of rows and any number of parts, and the findings are those of memory."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.typing import CheckResult
from tests.analysis.check.test_lints import PLANTED, Planted
from tests.laws import examples
from tests.laws.test_in_files import cut, in_files, written
from tests.laws.test_laws import lawful

PRESETS = ["rankconv", "trec_eval", "mllib"]


def told(checked: CheckResult) -> Any:
    """All that is said, but which of the users a refusal names: in memory the first, of parts that of the least id."""
    said = checked.to_dict()
    for finding in said["findings"]:
        finding["moves"] = [{**move, "refused": bool(move["refused"])} for move in finding["moves"]]
    return said


def table(side: Labels | Run) -> pl.DataFrame:
    """The rows of one side, as a file has them; ranks where the order is not that of scores."""
    owner = [user for user, rows in zip(side.users.values.tolist(), side.lengths, strict=True) for _ in range(rows)]
    frame = pl.DataFrame({"user": owner, "item": side.items.values[side.item].tolist()})
    if isinstance(side, Labels):
        return frame.with_columns(grade=pl.Series(side.grade))
    frame = frame if side.score is None else frame.with_columns(score=pl.Series(side.score))
    return frame if side.by_score else frame.with_columns(rank=pl.int_range(1, pl.len() + 1).over("user"))


def checked_in(folder: Path, frames: list[pl.DataFrame], form: str, files: int, **given: Any) -> tuple[Any, Any]:
    """What is told of these tables in memory, and of files with their rows."""
    sides = [written(one, folder / name, form, files) for name, one in zip("lr", frames, strict=True)]
    if form == "trec":  # whose ranks may contradict scores
        found = rc.check(*sides, **given, memory="4GB", temp_dir=folder)
        return told(rc.check(*(str(side / "part-0.trec") for side in sides), **given)), told(found)
    found = rc.check(*sides, **given, memory="4GB", temp_dir=folder)
    assert {one.name for one in folder.iterdir()} == {"l", "r"}
    named = given.pop("columns", {})
    return told(rc.check(rc.Labels(frames[0], **named), rc.Run(frames[1], **named), **given)), told(found)


@pytest.mark.filterwarnings("ignore::rankconv.errors.RespelledIds")
@pytest.mark.parametrize(("name", "case"), PLANTED)
def test_what_is_planted_is_found_in_parts(
    name: str, case: Callable[[], Planted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, run, given, count, of = case()
    frames = [table(rc.Labels(labels)), table(rc.Run(run))]
    frames = [one.sort(pl.col("user").hash(), maintain_order=True) for one in frames]  # rows of a user as they stand
    cut(monkeypatch, examples.of(quick=60, ci=20), 3)
    asked = {"preset": ["rankconv", "trec_eval"], "metrics": ["ndcg@10", "mrr"], **given}
    form = "trec" if {"rank", "score"} <= {*frames[1].columns} else "parquet"
    whole, parts = checked_in(tmp_path, frames, form, 1, **asked)
    assert whole == parts
    [found] = [one for one in parts["findings"] if one["name"] == name]
    assert (found["count"], found["of"]) == (count, of)


@settings(lawful, max_examples=examples.of(quick=2, ci=15, long=200))
@given(
    given=in_files(),
    levels=st.sampled_from([1, -1, 0.5]),
    trained=st.booleans(),
    metrics=st.booleans(),
    compound=st.booleans(),
)
def test_findings_in_parts_are_those_of_memory(
    given: Any, levels: float, trained: bool, metrics: bool, compound: bool
) -> None:
    frames, rows, number, form, files = given
    frames[0] = frames[0].with_columns(pl.when(pl.col("grade") == 3).then(3 * levels).otherwise("grade").alias("grade"))
    asked: dict[str, Any] = {"metrics": ["ndcg@3", "precision@2", "recall", "mrr"] if metrics else None}
    asked |= {"train": {"u0": ["1", "2"], "u2": ["9"]} if trained and not compound else None, "preset": PRESETS}
    if compound:
        frames = [one.with_columns(part=pl.lit("p")).rename({"user": "uid"}) for one in frames]
        asked["columns"] = {"user": ("part", "uid")}
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        cut(patch, rows, number)
        whole, parts = checked_in(Path(folder), frames, form, files, **asked)
    assert whole == parts
