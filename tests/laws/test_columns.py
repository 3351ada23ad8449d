"""The law: no number of a table is left out in silence, whatever its column is called and whatever reads it.

It is the score, or the grade, as it would be by the plain name; or it is refused, with its name and the fix.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pyarrow import ipc, parquet

import rankconv as rc
from rankconv.data.inputs.usual_names import USUAL_NAMES, is_aside, is_usual
from tests.laws import examples

Table = dict[str, list[Any]]
PARTS = [
    "user",
    "item",
    "pred",
    "score",
    "click",
    "weight",
    "my",
    "value",
    "rel",
    "prob",
    "stars",
    "n",
    "x2",
    "gewicht",
]
SPELLINGS: list[Callable[[list[str]], str]] = [
    "_".join,
    "-".join,
    ".".join,
    " ".join,
    "".join,
    lambda parts: "_".join(parts).upper(),
    lambda parts: parts[0] + "".join(part.title() for part in parts[1:]),
    lambda parts: "_".join(part.title() for part in parts),
]
KNOWN = [name.split("_") for role in ("grade", "score", "rank") for name in USUAL_NAMES[role]]
names = st.builds(
    lambda parts, spelled: spelled(parts),
    st.sampled_from(KNOWN) | st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
    st.sampled_from(SPELLINGS),
)


def as_csv(table: Table, folder: Path) -> str:
    pl.DataFrame(table).write_csv(folder / "table.csv")
    return str(folder / "table.csv")


def as_tsv(table: Table, folder: Path) -> str:
    pl.DataFrame(table).write_csv(folder / "table.tsv", separator="\t")
    return str(folder / "table.tsv")


def as_lines(table: Table, folder: Path) -> str:
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    (folder / "table.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(folder / "table.jsonl")


def as_parquet(table: Table, folder: Path) -> str:
    parquet.write_table(pa.table(table), folder / "table.parquet")
    return str(folder / "table.parquet")


def as_arrow(table: Table, folder: Path) -> str:
    with ipc.new_file(str(folder / "table.arrow"), pa.table(table).schema) as file:
        file.write_table(pa.table(table))
    return str(folder / "table.arrow")


FORMS: dict[str, Callable[[Table, Path], Any]] = {
    "pandas": lambda table, _: pd.DataFrame(table),
    "pandas, objects": lambda table, _: pd.DataFrame(table).astype(object),
    "polars": lambda table, _: pl.DataFrame(table),
    "polars, texts": lambda table, _: pl.DataFrame(table).cast(pl.String),
    "polars, lazy": lambda table, _: pl.DataFrame(table).lazy(),
    "pyarrow": lambda table, _: pa.table(table),
    "duckdb": lambda table, _: duckdb.from_arrow(pa.table(table)),
    "csv": as_csv,
    "tsv": as_tsv,
    "jsonl": as_lines,
    "parquet": as_parquet,
    "arrow": as_arrow,
}
BY_BATCHES = ("csv", "tsv", "jsonl", "parquet", "arrow", "duckdb")
LABELS: Table = {"user": ["u", "u"], "item": ["a", "b"]}


NUMBERS = {"labels": {"grade": [0, 1]}, "run": {"score": [1, 2], "rank": [2, 1]}}
"""Numbers of each side under which MRR is 0.5, or 1 in the run; without them it would be 1, or 0.5."""
OTHER: dict[str, Table] = {
    "labels": {**LABELS, "score": [0.9, 0.1]},
    "run": {"user": ["u"], "item": ["b"], "grade": [1]},
}


@pytest.mark.parametrize("side", ["labels", "run"])
@settings(deadline=None, max_examples=examples.of(quick=40, ci=300))
@given(name=names, form=st.sampled_from(sorted(FORMS)), by_batches=st.booleans())
def test_no_number_is_left_out(side: str, name: str, form: str, by_batches: bool, tmp_path_factory: Any) -> None:
    assume(not is_aside(name) and not any(is_usual(role, name) for role in ("user", "item")))
    roles = [role for role in NUMBERS[side] if is_usual(role, name)]
    folders = [tmp_path_factory.mktemp("law") for _ in range(2)]
    table = FORMS[form]({**LABELS, name: NUMBERS[side][roles[0] if roles else next(iter(NUMBERS[side]))]}, folders[0])
    in_batches = by_batches and form in BY_BATCHES
    other = FORMS[form if in_batches else "polars"](OTHER[side], folders[1])
    more: dict[str, Any] = {"memory": "4GB", "temp_dir": folders[1]} if in_batches else {}
    labels, run = (table, other) if side == "labels" else (other, table)
    try:
        found = rc.evaluate(labels, run, "mrr", **more)["mrr"]
    except rc.InputError as error:
        said = str(error), error.on_command_line
    else:
        assert roles
        assert found == {"labels": 0.5, "run": 1.0}[side]
        return
    if roles and form == "polars, texts":
        assert "is not a number" in said[0]
    else:
        assert not roles, said
        assert name in said[0]
        assert re.search(r"[Pp]ass (grade|score)=", said[0])
        assert "--column" in said[1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("aside", ["timestamp", "Unnamed: 0", "index", "__index_level_0__", "fold", "Title", "brandId"])
def test_what_is_known_to_be_no_number_is_left_out_and_that_is_said(form: str, aside: str, tmp_path: Path) -> None:
    table = FORMS[form]({**LABELS, aside: [7, 8]}, tmp_path)
    labels, run = rc.Labels(table), rc.Run(pl.DataFrame(LABELS))
    assert labels.rows_of("u") == {"a": 1.0, "b": 1.0}
    notes = (
        "Labels: no grades, so every row is relevant.",
        "Run: neither scores nor ranks, so the order of the rows is the ranking.",
    )
    assert rc.evaluate(labels, run, "mrr").notes == notes
    if form in BY_BATCHES:
        assert rc.evaluate(table, table, "mrr", memory="4GB", temp_dir=tmp_path).notes == notes


@pytest.mark.parametrize("form", [form for form in FORMS if form != "polars, texts"])
def test_that_there_is_no_number_can_be_said(form: str, tmp_path: Path) -> None:
    table = FORMS[form]({**LABELS, "x": [0, 1]}, tmp_path)
    assert rc.Labels(table, grade="none").rows_of("u") == {"a": 1.0, "b": 1.0}
    assert rc.Run(table, score="none").rows_of("u") == (["a", "b"], None)
    assert rc.Run(table, score="x").rows_of("u") == (["b", "a"], [1.0, 0.0])
    assert rc.Run(table, rank="x").rows_of("u")[0] == ["a", "b"]
    found = rc.evaluate(table, table, "mrr", columns={"labels.grade": "x", "run.score": "none"})
    assert (found["mrr"], found.notes) == (0.5, ())


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("csv", "tsv", "polars, texts")])
def test_whole_floats_are_ids(form: str, tmp_path: Path) -> None:
    table = FORMS[form]({"user": [1.0, 2.0], "item": [7.0, 8.0]}, tmp_path)
    assert rc.evaluate(table, pl.DataFrame({"user": [1, 2], "item": [7, 8]}), "mrr")["mrr"] == 1
    with pytest.raises(rc.InputError, match="user"):
        rc.Labels(FORMS[form]({"user": [1.0, 2.5], "item": [7.0, 8.0]}, tmp_path))
