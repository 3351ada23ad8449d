"""Tables that come as streams: of DuckDB, ibis and whoever speaks Arrow, in memory and within a budget."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import rankconv as rc
from rankconv.inputs.streams import spooled

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
    within = {"memory": "4GB", "temp": tmp_path}
    assert told(rc.evaluate(MAKE[kind](LABELS), MAKE[kind](RUN), SPECS, on_error="collect", **within)) == expected
    both = rc.compare(
        MAKE[kind](LABELS), {"a": MAKE[kind](RUN), "b": MAKE[kind](RUN)}, "ndcg@3", ["mllib", "blog"], **within
    )
    in_memory = rc.compare(LABELS, {"a": RUN, "b": RUN}, "ndcg@3", ["mllib", "blog"])
    assert both.to_dict() == in_memory.to_dict()
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
    for more in ({}, {"memory": "4GB", "temp": tmp_path}):
        with pytest.raises(rc.InputError, match=r"table cannot be computed: .*out of luck"):
            rc.evaluate(LABELS, broken, "ndcg@3", **more)
    with pytest.raises(rc.InputError, match="there is no row in it"):
        rc.evaluate(LABELS, Stream(RUN.slice(0, 0)), "ndcg@3", memory="4GB", temp_dir=tmp_path)
    full = lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left"))
    monkeypatch.setattr("pyarrow.ipc.new_stream", full)
    with pytest.raises(rc.InputError, match="temporary files cannot be written: No space left"):
        rc.evaluate(LABELS, Stream(RUN), "ndcg@3", memory="4GB", temp_dir=tmp_path)
    assert not list(tmp_path.iterdir())
    assert spooled.streams(LABELS)
    assert not spooled.streams({"u": ["a"]})
