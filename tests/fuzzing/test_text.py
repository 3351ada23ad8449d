"""Files of text: the fast ways read what the slow ways read, and nothing ends in another error than ours."""

import gzip
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankconv.basics.errors import RankconvError
from rankconv.data.inputs import labels, rankings
from tests.fuzzing.mutating import mutated, outcome, searching

words = st.sampled_from(["q1", "q2", "7", "007", "d1", "d 2", "é", '5"', "a,b", "a:b"]) | st.text(max_size=3)
plain_words = st.sampled_from(["q1", "q2", "7", "007", "d1", "d2", "é", '5"', "a,b", "a:b"])
values = st.sampled_from(["0", "1", "2", "-1", "0.5", "1e3", "+1", ".5", "3"])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n"])


def lines(*fields: st.SearchStrategy[str], between: str) -> st.SearchStrategy[bytes]:
    """A text of lines, each of these fields."""
    rows = st.lists(st.tuples(*fields), max_size=6)
    return st.builds(lambda rows, end: "".join(between.join(row) + end for row in rows).encode(), rows, ends)


def fixed(text: str) -> st.SearchStrategy[str]:
    return st.just(text)


qrels = lines(plain_words, fixed("0"), plain_words, values, between=" ")
runs = lines(plain_words, fixed("Q0"), plain_words, values, values, fixed("tag"), between="\t")
movielens = lines(plain_words, plain_words, values, fixed("978300760"), between="::")
tables = lines(plain_words, plain_words, values, between=",").map(b"user,item,score\n".__add__)
quoted = lines(*[words.map(lambda word: '"' + word.replace('"', '""') + '"')] * 2, values, between="\t").map(
    b"query_id\tdocno\tsim\n".__add__
)
nested = st.dictionaries(words, st.dictionaries(words, st.integers(0, 3) | st.floats(0, 1)), max_size=3)
lists = st.dictionaries(words, st.lists(words), max_size=3) | st.lists(st.lists(words), max_size=3)
records = st.lists(
    st.fixed_dictionaries({"user": words, "item": words | st.lists(words, max_size=2)}, optional={"score": values}),
    max_size=4,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def read_both(path: Path) -> tuple[Any, Any]:
    return outcome(lambda: labels(path)), outcome(lambda: rankings(path))


def same(one: Any, other: Any) -> bool:
    return str(one) == str(other) if isinstance(one, RankconvError) else one == other


@searching
@given(text=mutated(qrels | runs))
@example(text=b"\xef\xbb\xbf" * 2)
@example(text=b"\xef\xbb\xbf" * 2 + b"q1 0 d1 1\n")
def test_trec_is_read_the_same_fast_and_slowly(file: Path, text: bytes) -> None:
    path = file.with_suffix(".trec")
    path.write_bytes(text)
    fast = read_both(path)
    with patch("rankconv.data.inputs.line_files.well_formed", lambda *_: None):
        slow = read_both(path)
    assert all(map(same, fast, slow)), (fast, slow)


@searching
@given(text=mutated(tables | quoted), ending=st.sampled_from([".csv", ".tsv"]))
def test_tables_are_read_the_same_fast_and_slowly(file: Path, text: bytes, ending: str) -> None:
    path = file.with_suffix(ending)
    path.write_bytes(text)
    fast = read_both(path)
    with patch("rankconv.data.inputs.delimited._RecordLayout._fast", lambda *_, **__: None):
        slow = read_both(path)
    for one, other in zip(fast, slow, strict=True):
        assert same(one, other) or isinstance(other, RankconvError), (fast, slow)


@searching
@given(text=mutated(movielens))
@example(text=b"q1::1::q1::0:978300760\n")
def test_movielens_is_read_as_by_hand(file: Path, text: bytes) -> None:
    path = file.with_suffix(".dat")
    path.write_bytes(text)
    found, _ = read_both(path)
    if not isinstance(found, RankconvError):
        fields = [line.strip().split(b"::") for line in text.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
        if b"::" in text:
            assert sorted(found["items"]) == sorted(row[1].decode() for row in fields)
            given = [row[2].decode() for row in fields]
            are_words = all(isinstance(one, str) for one in found["numbers"])
            assert sorted(found["numbers"]) == sorted(given if are_words else map(float, given))


@searching
@given(
    text=mutated((nested | lists | records).map(json.dumps).map(str.encode)),
    name=st.sampled_from(["a.json", "a.jsonl", "a"]),
)
def test_json(file: Path, text: bytes, name: str) -> None:
    path = file.with_name(name)
    path.write_bytes(text)
    read_both(path)


@searching
@given(text=mutated(records.map(lambda rows: "\n".join(map(json.dumps, rows)).encode())))
def test_json_lines(file: Path, text: bytes) -> None:
    path = file.with_suffix(".jsonl")
    path.write_bytes(text)
    read_both(path)


@searching
@given(text=mutated(qrels | runs | movielens | tables | quoted))
def test_files_without_an_ending(file: Path, text: bytes) -> None:
    file.write_bytes(text)
    read_both(file)


@searching
@given(packed=mutated(st.just(gzip.compress(b"q1 0 d1 1\n" * 40))))
def test_packed_files_are_whole_or_refused(file: Path, packed: bytes) -> None:
    file.write_bytes(packed)
    found, _ = read_both(file)
    assert isinstance(found, RankconvError) or set(found["items"]) == {"d1"}
