"""Shapes of Python's libraries: what has one reading is read, and the line that a refusal names is executed."""

import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankconv as rc
from rankconv.basics.errors import InputError

RUN = {"u": ["b", "a"], "v": ["c"]}
SCORES = {"u": [0.9, 0.5], "v": [0.7]}
ROWS = pd.DataFrame({"user": ["u", "u", "v"], "item": ["b", "a", "c"], "score": [0.9, 0.5, 0.7]})
LISTS = {"user_id": ["u", "v"], "item_ids": [["b", "a"], ["c"]]}
TABLES: dict[str, Any] = {
    "a Series with users and items in its index": ROWS.set_index(["user", "item"])["score"],
    "such a Series without a name": ROWS.set_index(["user", "item"])["score"].rename(None),
    "a frame with both in its index": ROWS.set_index(["user", "item"]),
    "a frame with users in its index": ROWS.set_index("user"),
    "grouped": ROWS.groupby(["user", "item"], sort=False)["score"].mean(),
    "a column of lists": pd.DataFrame(LISTS),
    "a column of arrays": pd.DataFrame(LISTS | {"item_ids": [np.array(["b", "a"]), np.array(["c"])]}),
    "a column of lists called item": pd.DataFrame({"user": ["u", "v"], "item": [["b", "a"], ["c"]]}),
    "lists of both": pd.DataFrame(LISTS | {"scores": [[0.9, 0.5], [0.7]]}),
    "lists of polars": pl.DataFrame(LISTS | {"scores": [[0.9, 0.5], [0.7]]}),
    "lazy lists": pl.LazyFrame(LISTS),
    "lists of pyarrow": pl.DataFrame(LISTS).to_arrow(),
    "objects in lists": pl.DataFrame({"user": ["u", "v"], "results": [[{"id": "b"}, {"id": "a"}], [{"id": "c"}]]}),
    "a column for each rank": pd.DataFrame({"user_id": ["u", "v"], "rec_1": ["b", "c"], "rec_2": ["a", None]}),
    "ranks of polars": pl.DataFrame({"user_id": ["u", "v"], "item1": ["b", "c"], "item2": ["a", None]}),
    "indexed lists": pd.DataFrame(LISTS).set_index("user_id"),
    "a Series of lists": pd.Series(RUN),
    "grouped lists": ROWS.groupby("user")["item"].apply(list),
    "counted columns": pd.DataFrame({"user": ["u", "v"], 0: ["b", "c"], 1: ["a", None]}),
    "counted columns of indexed users": pd.DataFrame(
        [["b", "a"], ["c", None]], pd.Index(["u", "v"], name="user"), [1, 2]
    ),
    "entries of users": {
        "u": [{"id": "b", "score": 0.9}, {"id": "a", "score": np.float64(0.5)}],
        "v": [{"id": "c", "score": 0.7}],
    },
    "records": [{"query": "u", "retrieved": ["b", "a"]}, {"query": "v", "retrieved": ["c"]}],
    "records with entries": [
        {"question": "u", "results": [{"doc_id": "b"}, {"doc_id": "a"}]},
        {"question": "v", "results": [{"doc_id": "c"}]},
    ],
    "columns of records": {"question": ["u", "v"], "retrieved_ids": [["b", "a"], ["c"]], "answer": ["so", "no"]},
}


@pytest.mark.parametrize("shape", TABLES)
def test_tables_with_one_reading(shape: str) -> None:
    read = rc.Run(TABLES[shape])
    for user, items in RUN.items():
        found, scores = read.rows_of(user)
        assert found == items
        assert scores is None or scores == SCORES[user]


def test_parquet_with_lists(tmp_path: Any) -> None:
    pl.DataFrame({"qid": ["q"], "query": ["how?"], "retrieval_gt": [[["a", "b"], ["c"]]]}).write_parquet(
        tmp_path / "qa.parquet"
    )
    read = rc.Labels(str(tmp_path / "qa.parquet"))
    assert read.rows_of("q") == {"a": 1, "b": 1, "c": 1}
    assert read.groups is not None
    assert len(read.groups.names) == 2


def line_of(error: InputError, pattern: str) -> list[str]:
    return re.findall(pattern, str(error))


@pytest.mark.parametrize(("reader", "found"), [(rc.Run, (["b", "a"], [0.9, 0.5])), (rc.Labels, {"a": 0.5, "b": 0.9})])
def test_a_wide_frame_is_refused_with_the_line_that_reads_it(reader: Any, found: Any) -> None:
    frame = pd.DataFrame({"a": [0.5, 0.1], "b": [0.9, 0.2]}, index=["u", "v"])
    with pytest.raises(InputError) as refused:
        reader(frame)
    wide, named = line_of(refused.value, r"rc\.\w+\(frame[^;]*?\)(?=;|\.$)")
    assert eval(wide, {"rc": rc, "frame": frame}).rows_of("u") == found
    rows = pd.DataFrame({"a": [1, 1], "b": [7, 8]})
    assert [*eval(named, {"rc": rc, "frame": rows}).items.values] == [7, 8]


WIDE = pd.DataFrame([[0.5, 0.9, np.nan], [np.nan, 0.2, 0.1]], ["u", "v"], ["a", "b", "c"])
WIDE_TABLES: dict[str, Any] = {
    "users in the index": WIDE,
    "users in a named index": WIDE.rename_axis("user"),
    "users in a column": WIDE.rename_axis("user").reset_index(),
    "a pivot": WIDE.rename_axis(columns="item"),
    "polars": pl.from_pandas(WIDE.rename_axis("user").reset_index()),
}


@pytest.mark.parametrize("shape", WIDE_TABLES)
def test_the_line_of_a_wide_frame_reads_its_gaps_as_no_items(shape: str) -> None:
    with pytest.raises(InputError, match="hold numbers: rows may be users, and columns items") as refused:
        rc.Run(WIDE_TABLES[shape])
    [line] = re.findall(r"pass (rc\.Run\(.*?\));", str(refused.value))
    run = eval(line, {"rc": rc, "numpy": np, "frame": WIDE_TABLES[shape]})
    assert run.rows_of("u") == (["b", "a"], [0.9, 0.5])
    assert run.rows_of("v") == (["b", "c"], [0.2, 0.1])


def test_columns_of_numbers_may_be_ranks() -> None:
    frame = pd.DataFrame([[7, 3], [5, 9]], ["u", "v"], [0, 1])
    for table in (frame, frame.rename_axis("user").reset_index(), pl.DataFrame({"user": ["u"], "0": [7], "1": [3]})):
        with pytest.raises(InputError, match="if columns are ranks, pass ") as refused:
            rc.Run(table)
        line = str(refused.value).rpartition("if columns are ranks, pass ")[2].rstrip(".")
        assert rc.Run(eval(line, {"frame": table, "pl": pl})).rows_of("u") == ([7, 3], None)


def test_columns_in_two_levels() -> None:
    frame = WIDE.copy()
    frame.columns = pd.MultiIndex.from_tuples([("score", name) for name in WIDE.columns])
    with pytest.raises(InputError, match="names of columns have 2 levels") as refused:
        rc.Run(frame)
    [line] = re.findall(r"frame\.droplevel\(.*?\)", str(refused.value))
    with pytest.raises(InputError, match="rows may be users, and columns items"):
        rc.Run(eval(line, {"frame": frame}))
    named = frame.set_axis(["user", "item", "score"], axis=1)
    assert len(rc.Run(named.fillna(1).astype({"user": int, "item": str})).users) == 2


def test_numbers_at_each_rank_are_items() -> None:
    for frame in (pd.DataFrame, pl.DataFrame):
        read = rc.Run(frame({"user": [1, 2], "rec_1": [7, 5], "rec_2": [3, 9]}))
        assert read.rows_of(1) == ([7, 3], None)


def test_a_frame_of_texts_names_its_users() -> None:
    frame = pd.DataFrame([["b", "a"], ["c", "d"]], ["u", "v"])
    with pytest.raises(InputError, match="no column is that of users, and all hold texts") as refused:
        rc.Run(frame)
    [line] = re.findall(r"frame\.rename_axis\(.*?\)", str(refused.value))
    assert rc.Run(eval(line, {"frame": frame})).rows_of("u") == (["b", "a"], None)


def test_what_is_read_once_is_refused_with_the_line_that_keeps_it() -> None:
    for make in (iter, lambda items: (one for one in items), lambda items: dict.fromkeys(items).keys()):
        data = {user: make(items) for user, items in RUN.items()}
        with pytest.raises(InputError) as refused:
            rc.Run(data)
        [line] = re.findall(r"\{user: list\(items\) .*\}", str(refused.value))
        assert rc.Run(eval(line, {"data": data})).rows_of("u") == (["b", "a"], None)


def test_named_tuples_of_more_fields_are_rows_of_a_table() -> None:
    """As Surprise predicts."""

    class Prediction(NamedTuple):
        uid: str
        iid: str
        r_ui: float
        est: float
        details: dict[str, Any]

    data = [Prediction("u", "b", 4, 0.9, {}), Prediction("u", "a", 4, 0.5, {})]
    with pytest.raises(InputError, match=r"Pass pandas\.DataFrame\(data\), whose columns are uid, iid, r_ui"):
        rc.Run(data)
    assert rc.Run(pd.DataFrame(data)).rows_of("u") == (["b", "a"], [0.9, 0.5])
    assert rc.Labels(pd.DataFrame(data)).rows_of("u") == {"b": 4, "a": 4}


def test_a_series_with_two_levels_without_names_is_refused_with_both_lines() -> None:
    series = ROWS.set_index(["user", "item"])["score"].rename_axis([None, None])
    with pytest.raises(InputError) as refused:
        rc.Run(series)
    users_first, items_first = line_of(refused.value, r"series\.rename_axis\(.*?\)")
    assert rc.Run(eval(users_first, {"series": series})).rows_of("u") == (["b", "a"], [0.9, 0.5])
    assert rc.Run(eval(items_first, {"series": series})).rows_of("a") == (["u"], [0.5])


class TopK(NamedTuple):
    """What `torch.topk` returns."""

    values: Any
    indices: Any


IDS = np.array([[7, 3], [5, -1]])
VALUES = np.array([[0.9, 0.5], [0.7, -np.inf]])


@pytest.mark.parametrize("pair", [(IDS, VALUES), TopK(VALUES, IDS), (IDS.astype(np.int32), VALUES.astype(np.float32))])
def test_pairs_of_arrays(pair: Any) -> None:
    read = rc.Run(pair)
    assert read.rows_of(0)[0] == [7, 3]
    assert read.rows_of(0)[1] == pytest.approx([0.9, 0.5])
    assert read.rows_of(1)[0] == [5]
    labels = {"u": {3: 1.0}, "v": {5: 1.0}}
    assert rc.evaluate(labels, rc.Run(pair, user_ids=["u", "v"]), "mrr")["mrr"] == 0.75


def test_a_pair_of_integers_is_refused_with_lines_that_work() -> None:
    ids, scores = np.array([[7, 3]]), np.array([[9, 5]])
    with pytest.raises(InputError) as refused:
        rc.Run((ids, scores))
    with_scores, alone = line_of(refused.value, r"rc\.Run\(.*?\)(?:\))*(?=,|\.$)")
    assert eval(with_scores, {"rc": rc, "numpy": np, "ids": ids, "scores": scores}).rows_of(0) == ([7, 3], [9.0, 5.0])
    assert eval(alone, {"rc": rc, "ids": ids}).rows_of(0) == ([7, 3], None)
    with pytest.raises(InputError, match=r"Pass the items alone, rc\.Labels\(ids\)"):
        rc.Labels((ids, scores.astype(float)))


class SparseTensor:
    """The methods of a sparse tensor of torch that are called."""

    def __init__(self, layout: str, rows: list[int], columns: list[int], values: list[float]) -> None:
        self.layout, self.shape = layout, (2, 3)
        self._rows, self._columns, self._values = map(np.array, (rows, columns, values))

    def coalesce(self) -> "SparseTensor":
        return self

    def indices(self) -> Any:
        return np.array([self._rows, self._columns])

    def crow_indices(self) -> Any:
        return np.append(0, np.cumsum(np.bincount(self._rows, minlength=2)))

    def col_indices(self) -> Any:
        return self._columns

    def values(self) -> Any:
        return self._values


@pytest.mark.parametrize("layout", ["torch.sparse_coo", "torch.sparse_csr"])
def test_sparse_tensors_are_read_as_matrices_of_scipy(layout: str) -> None:
    tensor = SparseTensor(layout, [0, 0, 1], [2, 1, 0], [0.9, 0.5, 0.7])
    read = rc.Run(tensor)
    assert read.rows_of(0) == ([2, 1], [0.9, 0.5])
    assert read.form.shape == (2, 3)
    assert rc.Labels(tensor).rows_of(1) == {0: 0.7}


@pytest.mark.filterwarnings("ignore:Sparse C|The PyTorch API of nested tensors:UserWarning")
def test_real_tensors() -> None:
    torch = pytest.importorskip("torch")
    scores = torch.tensor([[0.1, 0.9, 0.5], [0.7, 0.2, 0.3]])
    assert rc.Run(torch.topk(scores, 2)).rows_of(0)[0] == [1, 2]
    grades = torch.tensor([[0, 1, 0], [1, 0, 0]])
    for layout in ("to_sparse", "to_sparse_csr", "to_sparse_csc"):
        assert rc.evaluate(getattr(grades.float(), layout)(), scores, "mrr")["mrr"] == 1
    evaluator = rc.Evaluator("mrr")
    for row in range(2):
        evaluator.update([[1], [2]][row : row + 1], torch.topk(scores[row : row + 1], 3))
    assert evaluator.compute()["mrr"] == (1 + 1 / 2) / 2
    rows = torch.nested.nested_tensor([torch.tensor([1, 2]), torch.tensor([0])])
    with pytest.raises(InputError, match=r"Pass tensor\.unbind\(\)"):
        rc.Run(rows)
    assert rc.Run(rows.unbind()).rows_of(0) == ([1, 2], None)
    for sparse in (scores.to_sparse(), scores.to_sparse_csr()):
        assert rc.Run(sparse).rows_of(1)[0] == [0, 2, 1]
