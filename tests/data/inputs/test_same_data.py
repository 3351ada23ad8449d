"""The law: the same data in any form gives identical `Run` and `Labels`."""

import csv
import gzip
import json
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

import rankconv as rc
from rankconv.data.inputs import labels, rankings
from rankconv.data.labels_and_rankings import Labels, Run
from tests.laws import examples

tensors = [pytest.importorskip("torch").tensor] if find_spec("torch") else []

Data = dict[Any, dict[Any, float]]

# Whatever a TREC file can hold: no blanks and no control characters, no byte order mark, which files lose, and no #,
# which begins comments.
texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp"), exclude_characters="\ufeff#"),
    min_size=1,
    max_size=4,
).filter(lambda text: not (text[0] == "[" and text[-1] == "]"))
"""No list that was written as a text, which is refused as an item."""
few_numbers = st.sampled_from([0.0, 1.0, 2.0])  # so that ties are common
finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = few_numbers | finite


of_files = settings(deadline=None, max_examples=examples.of(quick=6, ci=30))
"""Reading twenty forms costs the same for few rows and for many: fewer tables than usual, each with more users."""


def tables(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Data]:
    of_user = st.dictionaries(ids, numbers, min_size=1, max_size=6)
    return st.dictionaries(ids, of_user, min_size=1, max_size=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("forms")


@of_files
@given(data=tables(texts))
def test_rankings_of_text(data: Data, folder: Path) -> None:
    expected = rankings(data)
    best_first = {user: sorted(items.items(), key=lambda pair: -pair[1]) for user, items in data.items()}
    for form in (best_first, *in_memory(data, "score"), *tables_in_files(data, "score", folder)):
        assert_same(rankings(form), expected)
    assert_same(rankings(write_run(best_first, folder / "run.trec")), expected)
    listed = rankings({user: [item for item, _ in pairs] for user, pairs in best_first.items()})
    assert_same(listed, expected, with_numbers=False)


@of_files
@given(data=tables(texts))
def test_labels_of_text(data: Data, folder: Path) -> None:
    expected = labels(data)
    pairs = {user: list(items.items()) for user, items in data.items()}
    for form in (pairs, *in_memory(data, "grade"), *tables_in_files(data, "grade", folder)):
        assert_same(labels(form), expected)
    assert_same(labels(write_qrels(data, folder / "labels.trec")), expected)
    assert_same(labels({user: list(items) for user, items in data.items()}), expected, with_numbers=False)


@of_files
@given(data=tables(st.integers(-(2**63), 2**63 - 1)))
def test_rankings_and_labels_of_integers(data: Data) -> None:
    for form in in_memory(data, "score"):
        assert_same(rankings(form), rankings(data))
    for form in in_memory(data, "grade"):
        assert_same(labels(form), labels(data))


@of_files
@given(data=tables(texts), seed=st.randoms(use_true_random=False))
def test_with_ranks_the_order_of_rows_does_not_matter(data: Data, seed: Any) -> None:
    rows = [(user, item, rank) for user, items in data.items() for rank, item in enumerate(items)]
    seed.shuffle(rows)
    returned = rankings(pl.DataFrame(rows, schema=["user", "item", "rank"], orient="row"))
    assert {user: returned.rows_of(user)[0] for user in data} == {user: list(items) for user, items in data.items()}


matrices = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=5), elements=few_numbers | st.floats(-5, 5))


@settings(deadline=None, max_examples=examples.of(quick=15, ci=100))
@given(matrix=matrices)
def test_matrices_of_numbers(matrix: np.ndarray) -> None:
    nested = [dict(enumerate(row)) for row in matrix.tolist()]
    rows, columns = np.indices(matrix.shape).reshape(2, -1)
    stored = sparse.coo_array((matrix.ravel(), (rows, columns)), shape=matrix.shape)
    for form in (matrix, *(tensor(matrix) for tensor in tensors), stored, stored.tocsr(), stored.tocsc().tocsr()):
        assert_same(rankings(form), rankings(nested))
        assert_same(labels(form), labels(nested))
    assert_same(rankings(stored.tocsc()), rankings(nested))


@settings(deadline=None, max_examples=examples.of(quick=15, ci=100))
@given(data=st.lists(st.lists(st.integers(0, 20), unique=True, max_size=5), min_size=1, max_size=5))
def test_arrays_of_ids(data: list[list[int]]) -> None:
    width = max(map(len, data))
    padded = np.array([items + [-1] * (width - len(items)) for items in data], np.int64).reshape(len(data), width)
    pairs = [(items, items) for items in data]
    forms = (padded, padded.astype(np.int8), *(tensor(padded) for tensor in tensors), pairs)
    for form in (*forms, [np.array(items, np.int64) for items in data]):
        assert_same(rankings(form), rankings(data))
        assert_same(labels(form), labels(data))
    other = np.where(padded < 0, 99, padded)
    assert_same(rankings(other, padding=99), rankings(data))


def in_memory(data: Data, number: str) -> Iterator[Any]:
    """The data as tuples, and as tables of every library."""
    rows = list(interleaved(data))
    yield rows
    users, items, values = (list(column) for column in zip(*rows, strict=True))
    columns = {"user": users, "item": items, number: values}
    yield from (pd.DataFrame(columns), pl.DataFrame(columns), pl.LazyFrame(columns), pa.table(columns))
    yield duckdb.from_arrow(pa.table(columns))


def interleaved(data: Data) -> Iterator[tuple[Any, Any, float]]:
    """The first row of every user, then the second of every user, …: tables need not be grouped."""
    for place in range(max(map(len, data.values()))):
        for user, items in data.items():
            yield from ((user, item, value) for item, value in list(items.items())[place : place + 1])


def tables_in_files(data: Data, number: str, folder: Path) -> Iterator[Path]:
    for name, separator in (("table.csv", ","), ("table.tsv", "\t")):
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=separator)
            writer.writerow(["user", "item", number])
            writer.writerows(interleaved(data))
        yield folder / name
    rows = list(interleaved(data))
    frame = pl.DataFrame(rows, schema=["user", "item", number], orient="row")
    frame.write_parquet(folder / "table.parquet")
    frame.write_ipc(folder / "table.arrow")
    frame.write_ipc_stream(folder / "table.arrows")
    yield from (folder / "table.parquet", folder / "table.arrow", folder / "table.arrows")
    records = [{"user": user, "item": item, number: value} for user, item, value in rows]
    text = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    (folder / "table.jsonl").write_text(text, encoding="utf-8")
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    yield from (folder / "table.jsonl", folder / "packed.jsonl.gz")
    (folder / "records.json").write_text(json.dumps(records), encoding="utf-8")
    (folder / "nested.json").write_text(json.dumps(data), encoding="utf-8")
    yield from (folder / "records.json", folder / "nested.json")


def write_run(data: dict[Any, list[tuple[Any, float]]], path: Path) -> Path:
    lines = [f"{u} Q0 {i} {rank} {s!r} t\n" for u, pairs in data.items() for rank, (i, s) in enumerate(pairs)]
    path.write_text("".join(lines), encoding="utf-8", newline="")
    return path


def write_qrels(data: Data, path: Path) -> Path:
    lines = [f"{u} 0 {i} {grade!r}\n" for u, items in data.items() for i, grade in items.items()]
    path.write_text("".join(lines), encoding="utf-8", newline="")
    return path


def assert_same(one: Run | Labels, other: Run | Labels, *, with_numbers: bool = True) -> None:
    assert (one.users.kind, one.users.values.tolist()) == (other.users.kind, other.users.values.tolist())
    assert (one.items.kind, one.items.values.tolist()) == (other.items.kind, other.items.values.tolist())
    assert one.starts.tolist() == other.starts.tolist()
    assert one.item.tolist() == other.item.tolist()
    if with_numbers:
        np.testing.assert_array_equal(number_of(one), number_of(other), strict=True)


def number_of(data: Run | Labels) -> Any:
    return data.score if isinstance(data, Run) else data.grade


RATINGS = pd.DataFrame({"userId": [1, 1, 2], "movieId": [5, 6, 5], "rating": [4, 2, 5]})
FOLLOWED = pd.DataFrame({"userId": [1, 1, 2], "movieId": [5, 7, 5], "prediction": [3, 4, 1]})


@pytest.mark.parametrize("orient", ["records", "columns", "index", "split", "values", "table"])
def test_a_table_that_pandas_writes_as_json_is_itself_or_refused(orient: Any, tmp_path: Path) -> None:
    for name, table in (("labels", RATINGS), ("run", FOLLOWED)):
        table.to_json(tmp_path / f"{name}.json", orient=orient)
    check_the_same_or_refused(str(tmp_path / "labels.json"), str(tmp_path / "run.json"))


@pytest.mark.parametrize("orient", ["records", "dict", "index", "split", "list", "series", "tight"])
def test_a_table_as_python_objects_is_itself_or_refused(orient: Any) -> None:
    check_the_same_or_refused(RATINGS.to_dict(orient), FOLLOWED.to_dict(orient))
    with pytest.raises(rc.InputError, match=r"array has named fields: userId, .* Pass pandas\.DataFrame\(array\)"):
        rc.Labels(RATINGS.to_records(index=False))


def check_the_same_or_refused(labels: Any, run: Any) -> None:
    """Or the note says what was assumed."""
    with suppress(rc.InputError):
        found = rc.evaluate(labels, run, "mrr")
        as_rows = [one for one in found.notes if "rows (user, item, number) are tuples" in one]
        assert as_rows or found["mrr"] == rc.evaluate(RATINGS, FOLLOWED, "mrr")["mrr"] == 0.75
