"""CSV files of Quepid."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings

HEAD = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title\r\n"
DETAILED = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def test_a_query_without_ratings_is_there(tmp_path: Path) -> None:
    read = labels(written(tmp_path / "a.csv", 'query,docid,rating\ntwo,,\n"I like, commas!",007,3.0\none,d1,1.0'))
    assert read.users.values.tolist() == ["two", "I like, commas!", "one"]
    assert read.rows_of("two") == {}
    assert read.rows_of("I like, commas!") == {"007": 3}


def test_a_snapshot_is_ranked_by_position(tmp_path: Path) -> None:
    text = HEAD + 'base,2026,5,dog,d2,2,"a, b"\r\nbase,2026,5,dog,d1,1,x\r\nbase,2026,5,cat,c1,1,x\r\n'
    read = rankings(written(tmp_path / "a.csv", text))
    assert read.rows_of("dog")[0] == ["d1", "d2"]
    assert read.rows_of("cat")[0] == ["c1"]


def test_results_of_a_case_name_queries_without_results(tmp_path: Path) -> None:
    read = rankings(written(tmp_path / "a.csv", DETAILED + "T,Pets,5,dog\r\nT,Pets,5,cat,c1,1,x,3\r\n"))
    assert read.users.values.tolist() == ["dog", "cat"]
    assert read.rows_of("dog")[0] == []


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (labels, "query,docid,rating\ntwo,,\none,d1,", ", line 3: there is no grade."),
        (labels, "query,docid,rating\ntwo,,\none,d1,high", ", line 3: the grade 'high' is not a number."),
        (labels, "query,docid,rating\ntwo,,\n,d1,2", ", line 3: there is no user id."),
        (labels, "query,docid,rating\ntwo,,\none,d1,2,5", ", line 3: there are 4 fields, and the first line has 3."),
        (
            labels,
            HEAD + "base,2026,5,dog,d1,1,x\r\n",
            ": these are results of Quepid, and labels are wanted here. Export the ratings.",
        ),
        (
            rankings,
            "query,docid,rating\ntwo,,\n",
            ": these are ratings of Quepid, and rankings are wanted here. Export a snapshot.",
        ),
        (
            rankings,
            HEAD + "a,2026,5,dog,d1,1,x\r\nb,2027,5,dog,d1,1,x\r\n",
            ": there are the results of several runs. They are, as Snapshot Name, Snapshot Time, Case ID: a · 2026",
        ),
        (rankings, HEAD + "base,2026,5,dog,d1,first,x\r\n", ", line 2: the rank 'first' is not a number."),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, read: Callable[[Path], Any], text: str, message: str) -> None:
    path = written(tmp_path / "a.csv", text)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}{message}")
