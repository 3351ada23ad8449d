"""Which column is which, and ids of several columns."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv import protocols
from rankconv.basics.errors import InputError
from rankconv.cli.app import app
from rankconv.data.inputs.columns import find_columns, of_side
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.unnamed_columns import is_header
from rankconv.data.inputs.usual_names import USUAL_NAMES


def found(columns: Sequence[str], **named: str) -> dict[str, str]:
    """The columns of rankings, or of labels if a grade is named."""
    roles = ("user", "item", "score", "rank")
    return find_columns(columns, ColumnSpec("rankings", {role: named.get(role) for role in roles}), "a table")


@pytest.mark.parametrize("role", ["user", "item", "score", "rank"])
def test_every_usual_name_in_any_case(role: str) -> None:
    others = [other for other in ("user", "item") if other != role]
    for name in USUAL_NAMES[role]:
        camel = "".join(part.title() for part in name.split("_"))
        for spelled in (name, name.upper(), name.title(), f" {name} ", name.replace("_", "-"), camel):
            assert found([*others, spelled])[role] == spelled


def test_grades_are_looked_for_in_labels() -> None:
    wanted = ColumnSpec("labels", {"user": None, "item": None, "grade": None})
    for name in USUAL_NAMES["grade"]:
        assert find_columns(["user", "item", name], wanted, "")["grade"] == name


def test_other_columns_do_not_matter() -> None:
    assert found(["tag", "qid", "docno", "sim", "iteration"]) == {"user": "qid", "item": "docno", "score": "sim"}


def test_a_named_column_wins_and_serves_one_role_only() -> None:
    assert found(["user", "query", "item"], user="query") == {"user": "query", "item": "item"}
    assert found(["topic", "query", "doc"], item="query") == {"item": "query", "user": "topic"}


@pytest.mark.parametrize(
    ("columns", "named", "message"),
    [
        (
            ["usr", "doc"],
            {},
            "a table: no column has a usual name of the user (user, user_id, uid, query, query_id, qid, q_id, topic, "
            "topic_id, user_idx, …). The columns are: usr, doc. Did you mean 'usr'? Pass user='usr'.",
        ),
        (
            ["user", "x"],
            {},
            "a table: no column has a usual name of the item (item, item_id, iid, doc, doc_id, docno, document, "
            "document_id, corpus_id, i_id, …). The columns are: user, x. Name it: item=….",
        ),
        (
            ["user", "doc", "prediction"],
            {"score": "predictoin"},
            "a table: there is no column 'predictoin', which was named for the score. The columns are: user, doc, "
            "prediction. Did you mean 'prediction'? Pass score= with the name of one of them.",
        ),
        (
            ["user", "query", "doc"],
            {},
            "a table: the columns 'user' and 'query' could each be the user. Name one: user='user' or user='query'.",
        ),
        (
            ["user", "doc", "score", "sim"],
            {},
            "a table: the columns 'score' and 'sim' could each be the score. Name one: score='score' or score='sim'.",
        ),
        (
            ["user", "doc"],
            {"user": "doc", "item": "doc"},
            "a table: the column 'doc' is named for user and item at once.",
        ),
    ],
)
def test_columns_that_cannot_be_found(columns: list[str], named: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        found(columns, **named)
    assert str(error.value) == message


def test_no_columns() -> None:
    with pytest.raises(InputError, match=r"There are no columns\."):
        found([])


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ("user,item,score", True),
        ("movieGoer,thing,points", True),
        ("userId,movieId,2020", True),
        ("u1,a,0.5", False),
        ("u1,movie,1", False),  # an id that is a usual name too
        ("y,index,1", False),
    ],
)
def test_headers_are_told_from_rows(line: str, header: bool) -> None:
    columns = dict.fromkeys(("user", "item", "score", "rank"))
    assert is_header(line.split(","), ColumnSpec("rankings", columns)) is header


def test_names_of_one_side_go_before_those_of_both() -> None:
    named = {"user": "uid", "run.item": "iid", "grade": "stars"}
    assert of_side(named, "labels") == {"user": "uid", "item": None, "grade": "stars", "group": None}
    assert of_side(named, "run") == {"user": "uid", "item": "iid", "score": None, "rank": None, "call": None}
    assert set(of_side(None, "run").values()) == {None}
    with pytest.raises(InputError, match=r"'run\.itme' is not the role of a column\. .*Did you mean 'run\.item'"):
        of_side({"run.itme": "iid"}, "run")


def test_none_is_no_column() -> None:
    assert found(["user", "item", "x"], score="none") == {"user": "user", "item": "item"}
    with pytest.raises(
        InputError, match="a column is called 'none', and as the score that word says that there is none"
    ):
        found(["user", "item", "none"], score="none")


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
    frame = FRAME.drop("grade")  # whose parts of ids are no numbers that nobody recognised
    writers = {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}
    writers.get(ending, lambda file: frame.write_csv(file, separator="\t"))(file)
    assert rc.Labels(str(file), user=BOTH).rows_of(("bob", one)) == {"x": 1.0, "z": 1.0}


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


def test_checks_take_them() -> None:
    known = rc.Labels(FRAME, user=BOTH)
    assert "user 'ada,1': 2 of 10 rows" in rc.check(known, LISTS).to_text()


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


def test_ratings_of_compound_users_and_items_are_divided_and_asked() -> None:
    rows = [((f"u{user}", user % 3), (item, "film"), 3 + (user + item) % 3) for user in range(30) for item in range(9)]
    simple = [(str(user), str(item), rating) for user, item, rating in rows]
    told = "fastml(given=nested(3), least-users=2, tested=number(8), order=as-given)"
    found = protocols.learning_curve(rows, ["popularity"], "ndcg@5", protocol=told)
    plain = protocols.learning_curve(simple, ["popularity"], "ndcg@5", protocol=told)
    assert found.number("popularity", "ndcg@5") == plain.number("popularity", "ndcg@5")
    frames = found.split.to_frames()
    assert frames["labels"].columns == ["user_1", "user_2", "given", "item_1", "item_2", "grade"]
    back = rc.Labels(frames["labels"], user=("user_1", "user_2", "given"), item=("item_1", "item_2"))
    assert {user: back.rows_of(user) for user in back.users.values} == {
        user: found.labels.rows_of(user) for user in found.labels.users.values
    }


def test_a_column_that_another_role_claims_is_not_proposed() -> None:
    with pytest.raises(rc.InputError, match="no column has a usual name of the user") as raised:
        rc.Labels(pl.DataFrame({"who": ["u"], "item_id": ["a"], "rating": [1]}))
    assert "user='item_id'" not in str(raised.value)
    with pytest.raises(rc.InputError, match="Pass user='usr'"):
        rc.Labels(pl.DataFrame({"usr": ["u"], "item_id": ["a"], "rating": [1]}))


def test_scores_that_are_missing_are_counted() -> None:
    frame = pl.DataFrame({"user": "u", "item": ["a", "b", "c"], "score": [1.0, float("nan"), float("nan")]})
    with pytest.raises(rc.InputError, match=r"the score is missing or not a number \(NaN\), and so are 1 more"):
        rc.Run(frame)
