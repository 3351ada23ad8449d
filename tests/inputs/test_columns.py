"""Which column is which."""

from collections.abc import Sequence

import pytest

from rankconv.errors import InputError
from rankconv.inputs.columns import USUAL_NAMES, find_columns
from rankconv.inputs.reader import Wanted


def found(columns: Sequence[str], **named: str) -> dict[str, str]:
    """The columns of rankings, or of labels if a grade is named."""
    roles = ("user", "item", "score", "rank")
    return find_columns(columns, Wanted("rankings", {role: named.get(role) for role in roles}), "a table")


@pytest.mark.parametrize("role", ["user", "item", "score", "rank"])
def test_every_usual_name_in_any_case(role: str) -> None:
    others = [other for other in ("user", "item") if other != role]
    for name in USUAL_NAMES[role]:
        for spelled in (name, name.upper(), name.title(), f" {name} "):
            assert found([*others, spelled])[role] == spelled


def test_grades_are_looked_for_in_labels() -> None:
    wanted = Wanted("labels", {"user": None, "item": None, "grade": None})
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
