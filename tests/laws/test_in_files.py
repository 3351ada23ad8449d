"""Laws of files that are read in parts: every preset, any order of rows and any number of parts, as in memory."""

import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.engine.metric_result import Measured
from rankconv.engine.user_sums import why_not_summed
from rankconv.evaluation.streaming.memory import Budget
from rankconv.evaluation.streaming.user_file import measured_in_files
from tests.laws import examples
from tests.laws.test_laws import SIDE_DATA, Data, data, different, lawful, parts


def write_trec(frame: pl.DataFrame, file: Path) -> None:
    """A run with ranks and scores, or labels with grades."""
    fields = (
        ["user", "Q0", "item", "rank", "score", "tag"] if "rank" in frame.columns else ["user", "Q0", "item", "grade"]
    )
    rows = frame.with_columns(Q0=pl.lit("Q0"), tag=pl.lit("t")).select(fields)
    rows.write_csv(file, include_header=False, separator=" ")


FORMS = {"parquet": pl.DataFrame.write_parquet, "arrow": pl.DataFrame.write_ipc, "csv": pl.DataFrame.write_csv}
OF_RANKED = {"trec": write_trec}


@st.composite
def in_files(draw: st.DrawFn) -> tuple[list[pl.DataFrame], int, int, str, int]:
    """Both sides in any order of their rows; how many rows a batch has, how many parts there are, form and files."""
    drawn: Data = draw(data())
    sides = [[(user, *row) for user, rows in side.items() for row in rows] for side in drawn]
    assume({row[0] for row in sides[0]} & {row[0] for row in sides[1]})
    order = draw(st.sampled_from(["sorted", "any", "any"]))
    sides = [
        sorted(side, key=lambda row: row[0]) if order == "sorted" else draw(st.permutations(side)) for side in sides
    ]
    numbers = ("grade", pl.Float64), ("score", pl.Float64)
    frames = [
        pl.DataFrame(rows, {"user": pl.String, "item": pl.String, name: kind}, orient="row")
        for rows, (name, kind) in zip(sides, numbers, strict=True)
    ]
    form, files = draw(st.sampled_from(sorted(FORMS))), draw(st.integers(1, 3))
    return frames, draw(st.sampled_from([3, 8, 20, 10**5])), draw(st.sampled_from([1, 2, 7, 30, 200])), form, files


def written(frame: pl.DataFrame, folder: Path, form: str, files: int) -> Path:
    """The rows in a folder of files, one after the other."""
    folder.mkdir()
    for number in range(files):
        part = frame[len(frame) * number // files : len(frame) * (number + 1) // files]
        if len(part):
            {**FORMS, **OF_RANKED}[form](part, folder / f"part-{number}.{form}")
    return folder


def cut(patch: pytest.MonkeyPatch, rows: int, number: int) -> None:
    """Batches of so many rows, and so many parts where users do not rise."""
    patch.setattr(Budget, "of", classmethod(lambda cls, memory, text: cls(rows, 10**6, 100)))
    patch.setattr(Budget, "for_counts", 10**9)
    patch.setattr("rankconv.evaluation.streaming.large_files.parts_for", lambda rows, budget: number)


def told(one: Measured) -> Any:
    """What came out, without users: of those refused the first is named in memory, of parts that of the least id."""
    return float(one.mean).hex(), one.counts, [(why.policy, why.setting) for why in one.refusals]


@settings(lawful, max_examples=examples.of(quick=1, ci=2, long=40))
@given(given=in_files(), random=st.randoms(use_true_random=False))
def test_all_presets_give_in_parts_what_they_give_in_memory(given: Any, random: Any) -> None:
    frames, rows, number, form, files = given
    asked = list(different() if examples.REQUESTED != "quick" else parts()[random.randrange(9) :: 9])
    asked = [one for one in asked if not why_not_summed(one)]
    joined = rc.join(*frames, **SIDE_DATA)
    whole = list(rc.evaluate(joined, asked, on_error="collect").by_spec.values())
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        cut(patch, rows, number)
        sides = [written(one, Path(folder) / name, form, files) for name, one in zip("lr", frames, strict=True)]
        table = {(one.text, str(place)): one for place, one in enumerate(asked)}
        cells = measured_in_files(sides[0], {"": sides[1]}, table, "4GB", side_data=SIDE_DATA, temp_dir=folder)
        assert {one.name for one in Path(folder).iterdir()} == {"l", "r"}
    for one, in_part in zip(whole, cells.values(), strict=True):
        assert told(one) == told(in_part), one.definition.text


@settings(lawful, max_examples=examples.of(quick=3, ci=6, long=60))
@given(given=in_files(), kind=st.sampled_from([pl.String, pl.Int64]))
def test_compound_ids_give_in_parts_what_they_give_in_memory(given: Any, kind: Any) -> None:
    """Also the values of each user, by their ids."""
    frames, rows, number, form, files = given
    given_of = pl.col("user").str.slice(1).cast(kind)
    frames = [
        one.with_columns(uid=pl.lit("u") + (pl.col("user").str.slice(1).cast(int) // 2).cast(str), given=given_of)
        for one in frames
    ]
    frames = [one.drop("user") for one in frames]
    named, asked = {"user": ("uid", "given")}, ["ndcg@2", "map", "recall(aggregate=median(lower))@2", "auc"]
    sides = rc.Labels(frames[0], **named), rc.Run(frames[1], **named)
    whole = rc.evaluate(*sides, asked)
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        cut(patch, rows, number)
        paths = [written(one, Path(folder) / name, form, files) for name, one in zip("lr", frames, strict=True)]
        file = Path(folder) / "users.parquet"
        parts = rc.evaluate(*paths, asked, memory="4GB", temp_dir=folder, columns=named, per_user=file)
        users = pl.read_parquet(file).sort("user_1", "user_2")
    assert [told(one) for one in whole.by_spec.values()] == [told(one) for one in parts.by_spec.values()]
    kept = pl.DataFrame(whole.to_frame()).with_columns(pl.col("user_2").cast(users["user_2"].dtype))
    assert users.equals(kept.sort("user_1", "user_2").select(users.columns), null_equal=True)
