"""Ids of several columns: tuples of texts and integers, wherever an id can stand."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.cli.app import app

ROWS = [("ada", 1, "x", 2), ("bob", 1, "x", 1), ("ada", 2, "y", 1), ("bob", 1, "z", 3)]
LISTS = {("ada", 1): ["x", "y"], ("ada", 2): ["x", "y"], ("bob", 1): ["z", "x"]}
FRAME = pl.DataFrame(ROWS, schema=["uid", "given", "item", "grade"], orient="row")
BOTH = ("uid", "given")


@pytest.mark.parametrize("make", [lambda: FRAME, lambda: FRAME.to_pandas(), lambda: FRAME.to_arrow(), FRAME.lazy])
def test_columns_of_tables_become_tuples_in_the_order_of_the_rows(make: Any) -> None:
    known = rc.Labels(make(), user=BOTH)
    assert known.users.values.tolist() == [("ada", 1), ("bob", 1), ("ada", 2)]
    assert known.rows_of(("bob", 1)) == {"x": 1.0, "z": 3.0}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_columns_of_files(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"labels.{ending}"
    writers = {"csv": FRAME.write_csv, "parquet": FRAME.write_parquet, "jsonl": FRAME.write_ndjson}
    writers.get(ending, lambda file: FRAME.write_csv(file, separator="\t"))(file)
    one = "1" if ending in ("csv", "tsv") else 1
    assert rc.Labels(str(file), user=list(BOTH)).rows_of(("bob", one)) == {"x": 1.0, "z": 3.0}
    assert rc.Labels(str(file), user="uid", item=("item", "given")).rows_of("bob") == {("x", one): 1.0, ("z", one): 3.0}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_a_part_of_an_id_is_no_number_that_nobody_recognised(ending: str, tmp_path: Path) -> None:
    frame, file = FRAME.drop("grade"), tmp_path / f"labels.{ending}"
    writers = {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}
    writers.get(ending, lambda file: frame.write_csv(file, separator="\t"))(file)
    one = "1" if ending in ("csv", "tsv") else 1
    assert rc.Labels(str(file), user=BOTH).rows_of(("bob", one)) == {"x": 1.0, "z": 1.0}
    assert rc.Labels(str(file), user="uid", item=("item", "given")).rows_of("bob") == {("x", one): 1.0, ("z", one): 1.0}


def test_three_parts_and_integers() -> None:
    frame = FRAME.with_columns(pl.Series("day", [1, 1, 1, 2]))
    assert rc.Labels(frame, user=("given", "day", "uid")).users.values.tolist() == [
        (1, 1, "ada"),
        (1, 1, "bob"),
        (2, 1, "ada"),
        (1, 2, "bob"),
    ]


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"user": ("uid", "givn")}, "no column 'givn'"),
        ({"user": ()}, "names no columns"),
        ({"user": "uid", "grade": ("grade", "given")}, "the grade is named as 2 columns, grade,given"),
    ],
)
def test_what_names_no_id(named: Any, said: str) -> None:
    with pytest.raises(rc.InputError, match=said):
        rc.Labels(FRAME, **named)


def test_parts_of_other_types_cannot_match(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "labels.csv")
    with pytest.raises(rc.InputError, match=r"of \(text, text\) in the labels .* of \(text, integer\) in the rankings"):
        rc.evaluate(rc.Labels(str(tmp_path / "labels.csv"), user=BOTH), LISTS, "ndcg@2")


def test_a_result_is_a_frame_and_a_file(tmp_path: Path) -> None:
    found = rc.evaluate(rc.Labels(FRAME, user=BOTH), LISTS, "ndcg@2")
    expected = {"user_1": ["ada", "bob", "ada"], "user_2": [1, 1, 2], "ndcg@2": found.per_user["ndcg@2"].tolist()}
    assert found.to_frame().to_dict(as_series=False) == expected
    found.save(tmp_path / "found.json")
    again = rc.Result.load(tmp_path / "found.json")
    assert again.users.tolist() == found.users.tolist()
    assert again.to_frame().equals(found.to_frame())


def test_checks_and_reports_take_them() -> None:
    runs = {"one": LISTS, "other": {user: items[::-1] for user, items in LISTS.items()}}
    known = rc.Labels(FRAME, user=BOTH)
    assert "user 'ada,1': 2 of 10 rows" in rc.check(known, LISTS).to_text()
    assert "bob" in rc.report(known, runs).to_html()
    assert rc.curve(known, LISTS, "ndcg", user=("ada", 2)).lines["ndcg"].up[0] == 0


def test_commands_name_columns_and_users_with_commas(tmp_path: Path) -> None:
    labels, run = tmp_path / "labels.csv", tmp_path / "run.csv"
    FRAME.write_csv(labels)
    FRAME.rename({"grade": "score"}).write_csv(run)
    shell = ["-m", "ndcg@2", "--column", "user=uid,given"]
    asked = CliRunner().invoke(app, ["explain", str(labels), str(run), *shell, "-u", "bob,1"], catch_exceptions=False)
    assert "user bob,1" in asked.stdout
    quoted = FRAME.rename({"uid": "u,id"})
    quoted.write_csv(labels)
    quoted.rename({"grade": "score"}).write_csv(run)
    shell = ["-m", "ndcg@2", "--column", 'user="u,id"', "--format", "json"]
    told = CliRunner().invoke(app, ["evaluate", str(labels), str(run), *shell], catch_exceptions=False)
    assert '"users": 2' in told.stdout


def test_ratings_of_compound_users_and_items_are_divided_and_asked(tmp_path: Path) -> None:
    rows = [((f"u{user}", user % 3), (item, "film"), 3 + (user + item) % 3) for user in range(30) for item in range(9)]
    simple = [(str(user), str(item), rating) for user, item, rating in rows]
    told = "fastml(given=nested(3), least-users=2, tested=number(8), order=as-given)"
    found = protocols.learning_curve(rows, ["popularity"], "ndcg@5", protocol=told, rows=tmp_path / "lists")
    plain = protocols.learning_curve(simple, ["popularity"], "ndcg@5", protocol=told)
    assert found.number("popularity", "ndcg@5") == plain.number("popularity", "ndcg@5")
    again = protocols.learning_curve(rows, None, "ndcg@5", protocol=told, rows=tmp_path / "lists")
    assert again.lists == found.lists
    frames = found.split.to_frames()
    assert frames["labels"].columns == ["user_1", "user_2", "given", "item_1", "item_2", "grade"]
    back = rc.Labels(frames["labels"], user=("user_1", "user_2", "given"), item=("item_1", "item_2"))
    assert {user: back.rows_of(user) for user in back.users.values} == {
        user: found.labels.rows_of(user) for user in found.labels.users.values
    }
