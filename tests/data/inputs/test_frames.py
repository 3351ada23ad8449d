"""Tables of all libraries, streams of Arrow batches, and Parquet and Arrow files."""

import contextlib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings, sides

Make = Callable[[dict[str, list[Any]]], Any]

MAKERS: dict[str, Make] = {
    "a pandas frame": pd.DataFrame,
    "a polars frame": pl.DataFrame,
    "a pyarrow table": pa.table,
    "a narwhals frame": lambda columns: nw.from_native(pd.DataFrame(columns)),
}
each_library = pytest.mark.parametrize(("source", "make"), MAKERS.items())


@each_library
def test_scores_order_rows_and_ties_stand_as_they_came(source: str, make: Make) -> None:
    table = make({"query": ["q2", "q1", "q2", "q2"], "Doc_ID": ["a", "b", "c", "d"], "score": [1, 3, 2, 2]})
    returned = rankings(table)
    assert returned.users.values.tolist() == ["q2", "q1"]
    assert returned.rows_of("q2") == (["c", "d", "a"], [2, 2, 1])
    assert returned.source == source


@each_library
def test_ranks_order_rows_and_scores_are_kept(source: str, make: Make) -> None:
    table = make({"u": [1, 1, 1, 2], "i": [7, 8, 9, 9], "r": [2, 1, 3, 1], "s": [0.2, 0.3, 0.1, 0.4]})
    returned = rankings(table, user="u", item="i", rank="r", score="s")
    assert returned.rows_of(1) == ([8, 7, 9], [0.3, 0.2, 0.1])
    assert returned.rank is not None
    assert returned.rank.tolist() == [1, 2, 3, 1]
    assert returned.items.kind == "integer"
    assert returned.source == source


def test_a_lazy_frame_computes_only_what_matters() -> None:
    def explode(_: pl.Series) -> pl.Series:
        raise AssertionError

    lazy = pl.LazyFrame({"user": ["q1"], "item": ["a"], "score": [0.5]})
    lazy = lazy.with_columns(other=pl.col("user").map_batches(explode, return_dtype=pl.String))
    assert rankings(lazy).rows_of("q1") == (["a"], [0.5])


def test_a_lazy_frame_that_fails() -> None:
    broken = pl.LazyFrame({"user": ["q1"]}).with_columns(pl.col("itme"))
    with pytest.raises(InputError, match=r"^a polars frame: the table cannot be computed: .*itme"):
        rankings(broken)


@pytest.mark.parametrize(
    "ids",
    [
        pd.Series(["x", "y"], dtype="category"),
        pd.Series(["x", "y"], dtype=object),
        pd.Series(["x", "y"], dtype="string[python]"),
    ],
)
def test_text_of_every_kind(ids: Any) -> None:
    assert rankings(pd.DataFrame({"user": [1, 1], "item": ids})).rows_of(1) == (["x", "y"], None)


@pytest.mark.parametrize(
    "ids",
    [
        pl.Series([7, 5], dtype=pl.UInt8),
        pl.Series([7, 5], dtype=pl.Int128),
        pd.Series([7, 5], dtype="Int64"),
        pd.Series([7, 5], dtype=object),
        pd.Series([7, 5], dtype="category"),
    ],
)
def test_integers_of_every_kind(ids: Any) -> None:
    table = type(ids.to_frame())({"user": ["u", "u"], "item": ids})
    assert rankings(table).rows_of("u") == ([7, 5], None)


def test_grades_of_every_kind() -> None:
    for grades in (pl.Series([True, False]), pl.Series(["1.0", "0.0"]).cast(pl.Decimal(5, 1)), pl.Series([1, 0])):
        assert labels(pl.DataFrame({"user": [1, 1], "item": [7, 5], "rel": grades})).grade.tolist() == [1, 0]
    assert labels(pd.DataFrame({"user": [1], "item": [7], "rel": np.array([2], object)})).grade.tolist() == [2]


def test_columns_named_by_numbers() -> None:
    assert rankings(pd.DataFrame([["q1", "a"]]), user="0", item="1").rows_of("q1") == (["a"], None)


@each_library
def test_tables_without_rows(source: str, make: Make) -> None:
    returned = rankings(make({"user": [], "item": []}))
    assert (len(returned.users), len(returned.item), returned.source) == (0, 0, source)


ORDERED = {"user": ["q1", "q2"], "item": ["a", "b"]}
OF_TYPE = "Ids are text or integers. Convert the column to text or to integers."


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"user": [1.0, None, None], "item": [7, 8, 9]}), "a pandas frame, row 1 (counted from"),
        (pl.DataFrame({"user": [1, 2], "item": ["a", None]}), "a polars frame, row 1 (counted from 0): there"),
        (
            pa.table({"user": [1.0, 2.5], "item": [7, 8]}),
            f"a pyarrow table, row 1 (counted from 0): the user column 'user' is of type Float64. {OF_TYPE}",
        ),
        (
            pl.DataFrame({"user": [date(2020, 1, 1)], "item": [7]}),
            f"a polars frame: the user column 'user' is of type Date. {OF_TYPE}",
        ),
        (pd.DataFrame({"user": [1, "1"], "item": [7, 8]}), "a pandas frame, row 1 (counted from 0): user ids"),
        (pl.DataFrame(ORDERED | {"score": [0.5, None]}), "a polars frame, user 'q2', item 'b': the score is"),
        (pl.DataFrame(ORDERED | {"rank": [1.0, float("inf")]}), "a polars frame, user 'q2', item 'b': the rank"),
        (pd.DataFrame(ORDERED | {"score": ["0.5", "high"]}), "a pandas frame, user 'q1', item 'a': the score"),
        (pl.DataFrame(ORDERED | {"score": [True, False]}), "a polars frame, user 'q1', item 'a': the score"),
        (pd.DataFrame([[1, 2]], columns=["user", "user"]), "a pandas frame: two columns have the same name."),
        (pd.Series([1]), "a pandas frame: a Series is not a table. Pass series.to_dict() if"),
    ],
)
def test_tables_that_cannot_be_read(table: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(table)
    assert str(error.value).startswith(message)


FRAME = pl.DataFrame({"user": ["q1", "q1"], "item": [7, 5], "grade": [2, 0], "other": [None, "x"]})


@pytest.mark.parametrize("name", ["a.parquet", "a.pq", "a"])
def test_parquet(tmp_path: Path, name: str) -> None:
    FRAME.write_parquet(tmp_path / name)
    known = labels(tmp_path / name)
    assert known.rows_of("q1") == {7: 2, 5: 0}
    assert known.source == name


@pytest.mark.parametrize("name", ["a.arrow", "a.feather", "a"])
def test_arrow(tmp_path: Path, name: str) -> None:
    FRAME.write_ipc(tmp_path / name)
    assert labels(tmp_path / name).rows_of("q1") == {7: 2, 5: 0}


def test_a_stream_as_datasets_keeps_it(tmp_path: Path) -> None:
    FRAME.write_ipc_stream(tmp_path / "a.arrow")
    assert labels(tmp_path / "a.arrow", grade="grade").rows_of("q1") == {7: 2, 5: 0}


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
@pytest.mark.parametrize("start", [b"PAR1", b"ARROW1", b"user,item"])
def test_files_that_are_not_whole(tmp_path: Path, name: str, start: bytes) -> None:
    (tmp_path / name).write_bytes(start + b" and then nothing that fits\n")
    with pytest.raises(InputError, match=r"this is no whole Parquet or Arrow file|cannot be computed") as error:
        rankings(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


def test_feather_1(tmp_path: Path) -> None:
    (tmp_path / "a.feather").write_bytes(b"FEA1 and more")
    with pytest.raises(InputError, match="this is no whole Parquet or Arrow file"):
        rankings(tmp_path / "a.feather")


def test_the_place_of_an_error_is_the_file(tmp_path: Path) -> None:
    pl.DataFrame({"user": [1.5], "item": [7]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError) as error:
        rankings(tmp_path / "a.parquet")
    assert str(error.value).startswith(
        f"{tmp_path / 'a.parquet'}, row 0 (counted from 0): the user column 'user' is of type Float64."
    )


def test_a_byte_that_is_wrong_is_no_panic(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    for at in range(0, min(400, len(whole)), 7):
        data = bytearray(whole)
        data[-at] ^= 0xFF
        (tmp_path / "a.parquet").write_bytes(data)
        with contextlib.suppress(InputError):
            labels(tmp_path / "a.parquet")


ROWS = 50
NUMBERS = range(ROWS)
USERS = [f"u{n % 7}" for n in NUMBERS]
LABELS = pa.table({"user": USERS, "item": [n * 3 % 40 for n in NUMBERS], "grade": [1.0 + n % 3 for n in NUMBERS]})
SCORES = [n * 11 % 17 / 4 for n in NUMBERS]
RUN = pa.table({"user": USERS, "item": [n * 7 % 40 for n in NUMBERS], "score": SCORES, "more": ["x"] * ROWS})
SPECS = ["ndcg@3", "trec_eval:map", "blog:map@3"]


class Stream:
    """A table of a library that nobody knows, which is computed each time that it is asked for."""

    def __init__(self, table: pa.Table) -> None:
        self._table, self.computed = table, 0

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        self.computed += 1
        return self._table.to_reader(max_chunksize=9).__arrow_c_stream__(requested_schema)


def duckdb_table(table: pa.Table) -> Any:
    return pytest.importorskip("duckdb").from_arrow(table)


def ibis_table(table: pa.Table) -> Any:
    return pytest.importorskip("ibis").memtable(table)


MAKE: dict[str, Callable[[pa.Table], Any]] = {
    "stream": Stream,
    "reader": pa.Table.to_reader,
    "duckdb": duckdb_table,
    "ibis": ibis_table,
}


def told(result: rc.Result) -> Any:
    return {spec: (float(one.mean).hex(), one.counts) for spec, one in result.by_spec.items()}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # ibis asks DuckDB in its own way
@pytest.mark.parametrize("kind", MAKE)
def test_streams_are_taken_wherever_data_are(kind: str, tmp_path: Path) -> None:
    expected = told(rc.evaluate(LABELS, RUN, SPECS, on_error="collect"))
    assert told(rc.evaluate(MAKE[kind](LABELS), MAKE[kind](RUN), SPECS, on_error="collect")) == expected
    within = {"memory": "4GB", "temp_dir": tmp_path}
    assert told(rc.evaluate(MAKE[kind](LABELS), MAKE[kind](RUN), SPECS, on_error="collect", **within)) == expected
    both = rc.compare(
        MAKE[kind](LABELS), {"a": MAKE[kind](RUN), "b": MAKE[kind](RUN)}, "ndcg@3", ["mllib", "blog"], **within
    )
    in_memory = rc.compare(LABELS, {"a": RUN, "b": RUN}, "ndcg@3", ["mllib", "blog"])
    assert both.to_dict()["metrics"] == in_memory.to_dict()["metrics"]
    assert not list(tmp_path.iterdir())


def test_a_table_is_computed_once(tmp_path: Path) -> None:
    labels, run = Stream(LABELS), Stream(RUN)
    rc.evaluate(labels, run, "judged(judged-scope=collection)@3", memory="4GB", temp_dir=tmp_path)
    assert (labels.computed, run.computed) == (1, 1)


def test_columns_are_named_as_elsewhere(tmp_path: Path) -> None:
    uid = [Stream(one.rename_columns(["id_of_user", *one.column_names[1:]])) for one in (LABELS, RUN)]
    found = rc.evaluate(*uid, "ndcg@3", memory="4GB", columns={"user": "id_of_user"}, temp_dir=tmp_path)
    assert found["ndcg@3"] == rc.evaluate(LABELS, RUN, "ndcg@3")["ndcg@3"]
    with pytest.raises(rc.InputError, match="no column has a usual name of the user"):
        rc.evaluate(*uid, "ndcg@3", memory="4GB", temp_dir=tmp_path)


def test_what_cannot_be_computed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    broken = duckdb.from_arrow(RUN).project("error('out of luck') AS user, item, score")
    for more in ({}, {"memory": "4GB", "temp_dir": tmp_path}):
        with pytest.raises(rc.InputError, match=r"table cannot be computed: .*out of luck"):
            rc.evaluate(LABELS, broken, "ndcg@3", **more)
    with pytest.raises(rc.InputError, match="there is no row in it"):
        rc.evaluate(LABELS, Stream(RUN.slice(0, 0)), "ndcg@3", memory="4GB", temp_dir=tmp_path)
    full = lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left"))
    monkeypatch.setattr("pyarrow.ipc.new_stream", full)
    with pytest.raises(rc.InputError, match="temporary files cannot be written: No space left"):
        rc.evaluate(LABELS, Stream(RUN), "ndcg@3", memory="4GB", temp_dir=tmp_path)
    assert not list(tmp_path.iterdir())
    assert sides.gives_batches(LABELS)
    assert not sides.gives_batches({"u": ["a"]})


@pytest.mark.parametrize("written", ["['a', 'b']", '["a"]', "[1 2]", "[]"])
def test_a_list_that_is_written_as_a_text_is_no_item(written: str) -> None:
    """As pandas reads the lists of a CSV; read as an id it would match nothing, or the whole list alone."""
    rows = {"user": ["u"], "items": [written]}
    for data in (pd.DataFrame(rows), pl.DataFrame(rows), [{"user": "u", "items": written}]):
        with pytest.raises(rc.InputError, match="is a list that is written as a text"):
            rc.Run(data, item="items")
    assert rc.Run(pd.DataFrame({"user": ["u"], "item": ["[removed]"]})).row_count == 1
