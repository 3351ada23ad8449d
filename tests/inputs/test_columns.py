"""Which column is which."""

from collections.abc import Sequence

import pytest

from rankconv.errors import InputError
from rankconv.inputs.columns import USUAL_NAMES, find_columns, is_header, of_side
from rankconv.inputs.reader import ColumnSpec


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
    assert of_side(named, "run") == {"user": "uid", "item": "iid", "score": None, "rank": None}
    assert set(of_side(None, "run").values()) == {None}
    with pytest.raises(InputError, match=r"'run\.itme' is not the role of a column\. .*Did you mean 'run\.item'"):
        of_side({"run.itme": "iid"}, "run")


def test_none_is_no_column() -> None:
    assert found(["user", "item", "x"], score="none") == {"user": "user", "item": "item"}
    with pytest.raises(
        InputError, match="a column is called 'none', and as the score that word says that there is none"
    ):
        found(["user", "item", "none"], score="none")
