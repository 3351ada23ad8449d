"""Spans of documents: every form of the same spans is read as the same data, and wrong ones are refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv import InputError

ROWS = [("q", "d", 0, 10, 2.0), ("q", "e", 5, 9, 1.0), ("r", "d", 3, 4, 1.0)]
FRAME = pd.DataFrame(ROWS, columns=["query", "document", "start", "end", "score"])
SPANS = {"q": [("d", 0, 10), ("e", 5, 9)], "r": [("d", 3, 4)]}
ENTRIES = {user: [{"document": d, "start": a, "end": b} for d, a, b in spans] for user, spans in SPANS.items()}
RECORDS = [{"query": user, "retrieved": spans} for user, spans in ENTRIES.items()]


@pytest.mark.parametrize(
    "given",
    [
        FRAME,
        FRAME.drop(columns="score"),
        FRAME.rename(columns={"document": "doc_id", "start": "start_index", "end": "end_index"}),
        FRAME.astype({"start": str, "end": str}),
        FRAME.astype({"start": float}),
        pl.from_pandas(FRAME),
        ENTRIES,
        RECORDS,
        [{"query": one["query"], "results": [{"doc": {**span}} for span in one["retrieved"]]} for one in RECORDS],
    ],
    ids=["frame", "no score", "usual names", "texts", "floats", "polars", "entries", "records", "inside"],
)
def test_forms_of_the_same_run(given: Any) -> None:
    run = rc.Run(given)
    assert run.form.are_spans
    assert {user: run.rows_of(user)[0] for user in run.users.values.tolist()} == SPANS


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl", "json", "arrow"])
def test_files_have_the_same_spans(tmp_path: Path, ending: str) -> None:
    path, frame = tmp_path / f"run.{ending}", pl.from_pandas(FRAME)
    match ending:
        case "csv":
            frame.write_csv(path)
        case "tsv":
            frame.write_csv(path, separator="\t")
        case "parquet":
            frame.write_parquet(path)
        case "arrow":
            frame.write_ipc(path)
        case "jsonl":
            path.write_text("".join(json.dumps(one) + "\n" for one in RECORDS))
        case "json":
            path.write_text(json.dumps(ENTRIES))
    run = rc.Run(path)
    assert {user: run.rows_of(user)[0] for user in run.users.values.tolist()} == SPANS
    assert run.columns["item"].count(",") == 2


def test_a_caller_may_name_the_three_columns() -> None:
    frame = FRAME.rename(columns={"document": "file", "start": "begin"})
    run = rc.Run(frame, item=("file", "begin", "end"))
    assert run.form.are_spans
    assert run.rows_of("r")[0] == [("d", 3, 4)]
    other = FRAME.rename(columns={"start": "page", "end": "line"})
    assert not rc.Run(other, item=("document", "page", "line")).form.are_spans


def test_columns_of_other_items_and_of_ratings_are_no_spans() -> None:
    shop = FRAME.rename(columns={"document": "product_id"})
    assert not rc.Run(shop).form.are_spans
    assert not rc.Labels({"q": [("d", 0, 10)]}).form.are_spans


def test_grades_of_labels_in_spans() -> None:
    labels = rc.Labels(FRAME.rename(columns={"score": "grade"}))
    assert labels.rows_of("q") == {("d", 0, 10): 2.0, ("e", 5, 9): 1.0}


def changed(**columns: Any) -> pd.DataFrame:
    return FRAME.assign(**columns)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (changed(end=[0, 9, 4]), r"row 0.*begins at 0 and ends before 0.*first place after it"),
        (changed(end=[10, 2, 4]), r"row 1.*begins at 5 and ends before 2.*Exchange"),
        (changed(start=[0, -5, 3]), r"row 1.*start of a span is -5.*Count characters from 0"),
        (changed(start=[0, 0.5, 3]), r"row 1.*start of a span is 0.5.*whole number"),
        (changed(end=[10, np.nan, 4]), r"row 1.*end of a span is nan"),
        (changed(end=["10", "x", "4"]), r"row 1.*end of a span is 'x'"),
        (FRAME.drop(columns="end"), r"'start' next to 'document', and no end of a span.*Add a column 'end'"),
        (FRAME.drop(columns="start"), r"'end' next to 'document', and no start of a span.*Add a column 'start'"),
        (FRAME.drop(columns="document"), r"no column has a usual name of the document.*Add a column 'document'"),
        (changed(start_char=[1, 2, 3]), r"'start' and 'start_char' could each be the start"),
        ({"q": [{"document": "d", "start": 4}]}, r"record 0.*no end of a span"),
        ({"q": [ENTRIES["q"][0], {"document": "d", "start": 4}]}, r"entry 1.*no 'end'"),
        ({"q": [{"document": "d", "start": 4, "end": 4}]}, r"record 0.*begins at 4 and ends before 4"),
        ({"q": [{"document": "d", "start": 4, "end": True}]}, r"end of a span is True"),
    ],
)
def test_wrong_spans_are_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rc.Run(given)


def test_lines_of_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("query,document,start,end\nq,d,0,10\nq,d,12,11\n")
    with pytest.raises(InputError, match=r"run\.csv, line 3: the span begins at 12 and ends before 11"):
        rc.Run(path)


def test_one_side_alone_may_not_have_spans() -> None:
    whole = {"q": ["d"], "r": ["e"]}
    with pytest.raises(InputError, match=r"has spans of documents, and a dict has items \('d', 'e'\)"):
        rc.join(whole, ENTRIES)
    with pytest.raises(InputError, match=r"Give both document, start and end, or leave"):
        rc.join(ENTRIES, whole)


def test_data_in_batches_have_whole_items(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    FRAME.drop(columns="score").to_csv(path, index=False)
    for given in (str(path), pl.from_pandas(FRAME).drop("score")):
        with pytest.raises(InputError, match=r"data in batches have whole items. Leave memory= out"):
            rc.evaluate(given, given, "recall", preset="legalbenchrag", memory="2GB")


def test_the_same_spans_have_one_digest() -> None:
    spec, preset = "recall@2", "legalbenchrag"
    by_frame = rc.evaluate(FRAME.rename(columns={"score": "grade"}), FRAME.drop(columns="score"), spec, preset=preset)
    by_entries = rc.evaluate(
        {
            u: [{**one, "grade": g} for one, g in zip(spans, grades, strict=True)]
            for (u, spans), grades in zip(ENTRIES.items(), ([2, 1], [1]), strict=True)
        },
        ENTRIES,
        spec,
        preset=preset,
    )
    assert by_frame.signatures == by_entries.signatures
