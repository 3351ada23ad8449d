"""Words in place of grades and scores, in every form of data that is read."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv.basics.errors import InputError

NUGGETS = {
    "q1": [("n1", "vital", "support"), ("n2", "okay", "partial_support")],
    "q2": [("n1", "vital", "not_support")],
}
ROWS = [(query, *nugget) for query, nuggets in NUGGETS.items() for nugget in nuggets]
COLUMNS = ["query", "nugget", "importance", "support"]


def records(item: str = "nugget", support: str = "assignment") -> list[dict[str, Any]]:
    """What nuggetizer writes."""
    return [
        {
            "query": "what?",
            "qid": query,
            "run_id": "r",
            "nuggets": [{item: n, "importance": i, support: s} for n, i, s in nuggets],
        }
        for query, nuggets in NUGGETS.items()
    ]


def lines(objects: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


FILES = {
    "nuggets.csv": "\n".join(",".join(row) for row in [COLUMNS, *ROWS]),
    "nuggets.tsv": "\n".join("\t".join(row) for row in [COLUMNS, *ROWS]),
    "rows.jsonl": lines([dict(zip(COLUMNS, row, strict=True)) for row in ROWS]),
    "nuggetizer.jsonl": lines(records()),
    "text.jsonl": lines(records("text")),
    "support.jsonl": lines(records("nugget_id", "support")),
    "nuggets.json": json.dumps(records()),
}
OBJECTS = {
    "pandas": pd.DataFrame(ROWS, columns=COLUMNS),
    "polars": pl.DataFrame(ROWS, schema=COLUMNS, orient="row"),
    "records": records(),
}


def is_read(data: Any) -> None:
    labels, run = rc.Labels(data), rc.Run(data)
    for query, nuggets in NUGGETS.items():
        assert labels.rows_of(query) == {nugget: importance for nugget, importance, _ in nuggets}
        assert run.rows_of(query) == ([nugget for nugget, *_ in nuggets], [support for *_, support in nuggets])


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name])
    is_read(tmp_path / name)
    assert rc.evaluate(tmp_path / name, tmp_path / name, "all_score", "nuggetizer")["all_score"] == 3 / 8


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(name: str) -> None:
    is_read(OBJECTS[name])


def test_dicts_and_rows() -> None:
    labels = rc.Labels([(query, nugget, importance) for query, nugget, importance, _ in ROWS])
    run = rc.Run({query: {nugget: support for nugget, _, support in nuggets} for query, nuggets in NUGGETS.items()})
    assert labels.rows_of("q1") == {"n1": "vital", "n2": "okay"}
    assert run.rows_of("q1") == (["n1", "n2"], ["support", "partial_support"])
    assert str(labels) == "Labels(2 users, 3 rows graded okay, vital, from a list)"
    assert str(run) == "Run(2 users, 3 rows, scored not_support, partial_support, support, from a dict)"


def test_words_keep_the_order_of_the_rows() -> None:
    assert rc.Run({"q": {"b": "support", "a": "not_support", "c": "support"}}).rows_of("q")[0] == ["b", "a", "c"]


def test_a_column_may_be_named() -> None:
    table = pd.DataFrame({"user": ["u"], "item": ["a"], "level": ["good"]})
    assert rc.Labels(table, grade="level").rows_of("u") == {"a": "good"}


def test_the_first_row_of_each_word_is_known(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text(FILES["nuggets.csv"])
    words = rc.Labels(tmp_path / "n.csv").words
    assert words is not None
    assert dict(zip(words.texts, words.places, strict=True)) == {
        "vital": f"{tmp_path / 'n.csv'}, line 2",
        "okay": f"{tmp_path / 'n.csv'}, line 3",
    }


@pytest.mark.parametrize(
    ("grades", "wrong"),
    [
        (["vital", "okay", "3", "vital"], "the grade '3' is no word, and most are: 'vital', 'okay'"),
        ([1, 2, "okay", 3], "the grade 'okay' is not a number"),
        (["1,5", "2,5"], "the grade '1,5' is not a number"),
        (["nan", "none"], "the grade 'nan' is not a number|missing"),
        ([f"word {at}" for at in range(60)], "is not a number"),
    ],
    ids=["one number", "one word", "decimal commas", "gaps", "texts"],
)
def test_what_is_neither_words_nor_numbers_is_refused(grades: list[Any], wrong: str) -> None:
    with pytest.raises(InputError, match=wrong):
        rc.Labels({"u": {f"i{at}": grade for at, grade in enumerate(grades)}})


def test_a_number_next_to_words_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("query,nugget,importance\nq,a,vital\nq,b,okay\nq,c,1\n")
    with pytest.raises(InputError, match="line 4: the grade '1' is no word"):
        rc.Labels(tmp_path / "n.csv")


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1, 0]], ids=["users rise", "users return"])
def test_words_in_batches_are_as_in_memory(tmp_path: Path, order: list[int]) -> None:
    words, files = ["vital", "okay", "not"], [tmp_path / "labels.csv", tmp_path / "run.csv"]
    rows = [f"u{user},i{at}{n}," for n, user in enumerate(order) for at in range(3)]
    files[0].write_text("user,item,grade\n" + "".join(f"{row}{words[at % 3]}\n" for at, row in enumerate(rows)))
    files[1].write_text("user,item,score\n" + "".join(f"{row}{at / 2}\n" for at, row in enumerate(rows)))
    spec = "ndcg(grade-words=numbers(vital=2, okay=1, not=0))@2"
    whole, parts = (rc.evaluate(*files, spec, **more) for more in ({}, {"memory": "4GB"}))
    assert 0 < whole[spec] < 1
    assert parts[spec] == whole[spec]
    with pytest.raises(rc.MetricError, match="the grades 'not', 'okay', 'vital' have no number"):
        rc.evaluate(*files, "ndcg@2", memory="4GB")


def test_words_of_one_file_and_numbers_of_another_are_refused_in_batches(tmp_path: Path) -> None:
    folder, run = tmp_path / "labels", tmp_path / "run.csv"
    folder.mkdir()
    (folder / "part-0.csv").write_text("user,item,grade\nu,a,1\n")
    (folder / "part-1.csv").write_text("user,item,grade\nv,a,vital\n")
    run.write_text("user,item,score\nu,a,0.5\nv,a,0.5\n")
    with pytest.raises(InputError, match=r"part-1\.csv, line 2: 'vital' is a word, and other rows have numbers"):
        rc.evaluate(folder, run, "ndcg@2", memory="4GB")


def test_a_table_with_scores_and_a_column_called_support_has_scores() -> None:
    table = pd.DataFrame({"user": ["u"], "item": ["a"], "score": [0.5], "support": [3]})
    assert rc.Run(table).rows_of("u") == (["a"], [0.5])
