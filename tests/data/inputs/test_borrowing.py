"""The law: what the caller does to the data afterwards, and to what was handed out, changes no number."""

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import rankconv as rc

SPECS = ["ndcg@2", "map", "auc", "ndcg(ties=item-descending)@2", "ndcg(ties=expected)@2", "precision(exclude=seen)@2"]
USERS, ITEMS = np.array([2, 2, 0, 0, 1]), np.array([3, 1, 0, 3, 2])
NUMBERS = np.array([3.0, 1.0, 0.25, 2.0, 1.5])
IDS = np.array([[0, 3], [2, 1], [3, 1]])
MATRIX = np.array([[0.25, 0.0, 1.5, 2.0], [1.0, 3.0, 0.75, 0.5], [2.5, 1.25, 0.0, 4.0]])

Made = tuple[Any, Callable[[], None]]
"""Data, and what spoils them in place."""


def spoiled(array: np.ndarray) -> Callable[[], None]:
    return lambda: array.fill(0)


def of_arrays(data: Any, *arrays: np.ndarray) -> Made:
    return data, lambda: [array.fill(0) for array in arrays] and None


def columns(number: str) -> dict[str, np.ndarray]:
    return {"user": USERS.copy(), "item": ITEMS.copy(), number: NUMBERS.copy()}


def of_columns(make: Callable[[dict[str, np.ndarray]], Any], number: str) -> Made:
    given = columns(number)
    return of_arrays(make(given), *given.values())


def pandas_in_place(number: str) -> Made:
    frame = pd.DataFrame(columns(number))

    def spoil() -> None:
        frame.loc[:, "item"] = 0
        frame.loc[:, number] = 0.0

    return frame, spoil


def nested(number: str) -> Made:
    data = {2: {3: 3.0, 1: 1.0}, 0: {0: 0.25, 3: 2.0}, 1: {2: 1.5}}

    def spoil() -> None:
        data[2].clear()
        data[7] = data.pop(0)

    return data, spoil


def listed(number: str) -> Made:
    data = [[0, 3], [2, 1], [3, 1]]
    return data, lambda: [items.reverse() for items in data] and data.clear()


def stored(make: Callable[[Any], Any]) -> Made:
    matrix = make(sparse.coo_matrix(MATRIX))
    arrays = (matrix.row, matrix.col) if matrix.format == "coo" else (matrix.indices, matrix.indptr)
    return of_arrays(matrix, matrix.data, *arrays)


def pairs(number: str) -> Made:
    data = [(list(row), list(row)) for row in IDS.tolist()]
    return data, lambda: [side.clear() for pair in data for side in pair] and None


def matrix(make: Callable[[np.ndarray], Any]) -> Made:
    array = MATRIX.copy()
    return of_arrays(make(array), array)


def ids(make: Callable[[np.ndarray], Any]) -> Made:
    array = IDS.copy()
    return of_arrays(make(array), array)


FORMS: dict[str, Callable[[str], Made]] = {
    "ids": lambda _: ids(lambda array: array),
    "ids, read-only view": lambda _: ids(read_only),
    "rows of ids": lambda _: ids(list),
    "matrix": lambda _: matrix(lambda array: array),
    "numpy.matrix": lambda _: matrix(np.asmatrix),
    "float32": lambda _: matrix(lambda array: array.astype(np.float32)),
    "csr": lambda _: stored(lambda coo: coo.tocsr()),
    "csc": lambda _: stored(lambda coo: coo.tocsc()),
    "coo": lambda _: stored(lambda coo: coo.copy()),
    "polars": lambda number: of_columns(pl.DataFrame, number),
    "lazy": lambda number: of_columns(pl.LazyFrame, number),
    "arrow": lambda number: of_columns(pa.table, number),
    "pandas on arrays": lambda number: of_columns(lambda one: pd.DataFrame(one, copy=False), number),
    "pandas": pandas_in_place,
    "duckdb": lambda number: of_columns(lambda one: duckdb.from_arrow(pa.table(one)), number),
    "dicts": nested,
    "lists": listed,
    "pairs": pairs,
}


def read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def bits(joined: Any) -> list[bytes]:
    result = rc.evaluate(joined, SPECS, on_error="collect")
    return [result.per_user[spec].tobytes() for spec in SPECS] + [np.array([result[spec] for spec in SPECS]).tobytes()]


@pytest.mark.filterwarnings("ignore:.*matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("form", FORMS)
def test_a_later_change_of_the_data_changes_nothing(form: str) -> None:
    (labels, spoil_labels), (run, spoil_run) = FORMS[form]("grade"), FORMS[form]("score")
    seen = np.array([[1], [0], [2]])
    known, returned, joined = rc.Labels(labels), rc.Run(run), rc.join(labels, run, seen=seen)
    numbers = rc.Evaluator(SPECS[:3])
    numbers.update(labels, run)
    expected, accumulated = bits(joined), numbers.compute("collect")["ndcg@2"]
    spoil_labels()
    spoil_run()
    seen[:] = 3
    assert bits(rc.join(known, returned, seen=[[1], [0], [2]])) == bits(joined) == expected
    assert numbers.compute("collect")["ndcg@2"] == accumulated == rc.evaluate(known, returned, "ndcg@2")["ndcg@2"]


def test_nor_of_flat_arrays() -> None:
    given = NUMBERS.copy(), NUMBERS[::-1].copy(), USERS.copy()
    joined = rc.grouped(*given[:2], query_id=given[2])
    expected = rc.evaluate(joined, "ndcg@2").per_user["ndcg@2"].tobytes()
    for array in given:
        array[:] = 0
    assert rc.evaluate(joined, "ndcg@2").per_user["ndcg@2"].tobytes() == expected


def test_arrays_given_to_labels_themselves_are_copied() -> None:
    known = rc.Labels({"u": {"a": 2, "b": 1}})
    item, grade = known.item.copy(), known.grade.copy()
    ours = rc.Labels(known.users, known.items, known.starts, item, read_only(grade))
    item[:], grade[:] = 0, 7
    assert ours.rows_of("u") == {"a": 2.0, "b": 1.0}


def arrays_in(value: Any, seen: dict[int, Any]) -> Iterator[np.ndarray]:
    """Every array that can be reached from a value."""
    if id(value) in seen or isinstance(value, str | int | float | type | np.generic):
        return
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for one in (*inside, *getattr(value, "__dict__", {}).values()):
        yield from arrays_in(one, seen)


@pytest.fixture(scope="module")
def joined() -> Any:
    labels = {"u": {"a": 2, "b": 0, "c": -1}, "v": {"c": 1.5}, "w": {"d": 1}}
    run = {"u": {"a": 0.2, "c": 0.2, "x": 0.3}, "w": {"d": 0.1, "u": 0.1}, "z": {"q": 1.0}}
    return rc.join(labels, run, seen={"u": ["x"]}, catalogue=20)


@pytest.mark.parametrize("through", [lambda one: one, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_no_array_that_is_handed_out_can_be_written_to(joined: Any, through: Callable[[Any], Any]) -> None:
    kept = (joined.labels, joined.rankings, joined.users, joined.items, joined.extra, joined.levels)
    for one in map(through, kept):
        arrays = list(arrays_in(one, {}))
        assert arrays
        assert not [array for array in arrays if array.flags.writeable]


def test_nor_one_of_a_join_or_a_setting(joined: Any) -> None:
    result = rc.evaluate(joined, SPECS, on_error="collect")
    compared = rc.compare(joined, ["ndcg@3"], ["mllib", "trec_eval"])
    for one in (joined, result, compared, rc.explain(joined, "map", user="u"), rc.check(joined)):
        assert not [array for array in arrays_in(one, {}) if array.flags.writeable]
    assert len(list(arrays_in(joined, {}))) > 10


def test_what_a_result_hands_out_spoils_nothing(joined: Any) -> None:
    result = rc.evaluate(joined, SPECS, on_error="collect")
    for array in (result.users, result.per_user["map"]):
        with pytest.raises(ValueError, match="read-only"):
            array.sort()
    before, users = result.state["map"].tolist(), result.users.tolist()
    result.state["map"][:] = "scored"
    result.counts["map"].clear()
    result.errors.clear()
    refused = rc.evaluate(joined, "map(negative=invalid)", on_error="collect")
    refused.errors["map(negative=invalid)"].clear() if refused.errors else None
    again = rc.evaluate(joined, SPECS, on_error="collect")
    assert (result.state["map"].tolist(), again.users.tolist()) == (before, users)
    assert result.counts["map"] == again.counts["map"] != {}
