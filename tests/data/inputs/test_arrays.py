"""Arrays of item ids and of a number for each item, sparse matrices, flat arrays and matrices of hits."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings


def test_rows_are_users_and_columns_are_positions() -> None:
    returned = rankings(np.array([[7, 5], [5, 9]]))
    assert (returned.users.values.tolist(), returned.users.kind) == ([0, 1], "integer")
    assert returned.items.values.tolist() == [7, 5, 9]
    assert returned.item.tolist() == [0, 1, 1, 2]
    assert returned.score is None
    assert returned.source == "a NumPy array"


def test_padding_is_no_item() -> None:
    returned = rankings(np.array([[7, -1, -1], [-1, -1, -1], [5, 7, -1]]))
    assert returned.starts.tolist() == [0, 1, 1, 3]
    assert -1 not in returned.items.values


HOLDS = "An array holds item ids, which are integers, or a floating-point number for each item. Pass text ids as lists"


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([[1, 2, 3], [4, -1, 5]]), "a NumPy array, row 1, column 1: -1 means no item, and an item"),
        (np.array([["a"]]), f"a NumPy array: the array holds <U1. {HOLDS}: array.tolist()."),
        (np.array([[True]]), f"a NumPy array: the array holds bool. {HOLDS}: array.tolist()."),
        (np.array([1, 2]), "a NumPy array: the array has 1 dimensions."),
        (np.ma.masked_equal(np.array([[1, 2]]), 2), "a NumPy array: the array is masked."),
    ],
)
def test_arrays_that_cannot_be_read(array: np.ndarray, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(array)
    assert str(error.value).startswith(message)


def test_any_padding() -> None:
    assert rankings(np.array([[7, 0], [5, 9]]), padding=0).rows_of(0) == ([7], None)
    with pytest.raises(InputError, match=r"row 0, column 0: 0 means no item, and an item follows it"):
        rankings(np.array([[0, 7]]), padding=0)
    with pytest.raises(InputError, match=r"^padding= is for arrays of item ids, and this is none"):
        rankings({"q": [1]}, padding=0)


def test_scores_of_the_catalogue() -> None:
    returned = rankings(np.array([[0.1, 0.3, 0.3], [0.5, -np.inf, -np.inf]]))
    assert returned.rows_of(0) == ([1, 2, 0], [0.3, 0.3, 0.1])
    assert returned.rows_of(1) == ([0], [0.5])
    assert returned.source == "a NumPy array of scores"


def test_grades_of_the_catalogue() -> None:
    assert labels(np.array([[2.0, 0.0, np.nan]])).rows_of(0) == {0: 2.0, 1: 0.0}
    assert labels(np.array([[True, False]])).rows_of(0) == {0: 1.0, 1: 0.0}


def test_an_infinite_grade_is_refused() -> None:
    with pytest.raises(InputError, match=r"^a NumPy array of grades, user 0, item 1: the grade is infinite"):
        labels(np.array([[1.0, -np.inf]]))


class Foreign:
    """An array of another library: it has a shape, and says how NumPy reads it."""

    __module__ = "jaxlib.xla"

    def __init__(self, values: np.ndarray, problem: str = "") -> None:
        self.values, self.problem, self.shape = values, problem, values.shape

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        if self.problem:
            raise TypeError(self.problem)
        return self.values

    def __len__(self) -> int:
        return len(self.values)


def test_arrays_of_other_libraries() -> None:
    assert rankings(Foreign(np.array([[7, -1]]))).rows_of(0) == ([7], None)
    assert rankings({"q": Foreign(np.array([7, 5]))}).rows_of("q") == ([7, 5], None)
    with pytest.raises(InputError) as error:
        rankings(Foreign(np.array([[7]]), "it is on the GPU"))
    assert str(error.value) == (
        "a jax array: the array cannot be read: it is on the GPU. Bring it to the CPU first, as a NumPy array."
    )


def test_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    assert rankings(torch.tensor([[7, 5], [9, -1]])).rows_of(0) == ([7, 5], None)
    assert rankings(torch.tensor([[0.25, 0.5]])).rows_of(0) == ([1, 0], [0.5, 0.25])
    assert rankings([torch.tensor([7, 5])]).rows_of(0) == ([7, 5], None)
    assert rankings(torch.tensor([[0.5]], requires_grad=True)).rows_of(0) == ([0], [0.5])


def test_whole_grades_do_not_pass_for_ids() -> None:
    with pytest.raises(InputError) as error:
        rc.evaluate(np.array([[1, 2, 0], [0, 2, 0]]), np.array([[1], [2]]), "mrr")
    assert str(error.value) == (
        "a NumPy array, row 1: item 0 is there twice. Pass numpy.asarray(array, float) if these are grades of users "
        "by items, lists if it was labelled twice."
    )
    assert len(labels(np.array([[1, -1, -1]])).item) == 1
    assert len(rankings(np.array([[1, 1]])).item) == 2


@pytest.mark.filterwarnings("ignore:.*matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize("values", [[[1, 2], [3, 4]], [[0.5, 0.25], [0.75, 1.0]]])
def test_a_numpy_matrix_is_an_array(values: list[list[float]]) -> None:
    for read in (labels, rankings):
        array, matrix = read(np.array(values)), read(np.asmatrix(values))
        assert [array.rows_of(user) for user in (0, 1)] == [matrix.rows_of(user) for user in (0, 1)]


def test_masked_arrays_are_refused_wherever_they_come() -> None:
    masked = np.ma.masked_equal(np.array([0.5, 1.0]), 1.0)
    for read in (
        lambda: rankings(masked[None, :]),
        lambda: rankings({"u": masked}),
        lambda: rc.grouped(masked, [1, 2]),
        lambda: rc.evaluate([[1]], [[1]], "mrr", catalogue=masked),
    ):
        with pytest.raises(
            InputError, match=r"the array is masked. Fill scores with no item, array.filled\(-numpy.inf\), and labels"
        ):
            read()


def test_rows_and_columns_have_ids() -> None:
    scores = np.array([[0.1, 0.9, 0.5], [0.3, -np.inf, 0.8]])
    run = rankings(scores, user_ids=["ann", "bob"], item_ids=np.array(["x", "y", "z"]))
    assert run.rows_of("ann") == (["y", "z", "x"], [0.9, 0.5, 0.1])
    assert run.rows_of("bob") == (["z", "x"], [0.8, 0.3])
    known = labels(scores > 0.4, user_ids=["ann", "bob"], item_ids="xyz")
    assert known.rows_of("bob") == {"x": 0.0, "y": 0.0, "z": 1.0}
    assert rankings(np.array([[1, 0], [2, -1]]), item_ids=["x", "y", "z"]).rows_of(1) == (["z"], None)


@pytest.mark.parametrize(
    ("data", "ids", "message"),
    [
        ({"u": ["a"]}, {"user_ids": ["v"]}, "name the rows and columns of arrays"),
        (np.ones((2, 3)), {"item_ids": ["x"]}, "1 items were named, and there are 3 columns"),
        (np.ones((2, 3)), {"item_ids": ["x", "y", "x"]}, "item 'x' was named twice"),
        (np.ones((2, 3)), {"user_ids": ["x"]}, "1 users were named, and there are 2 rows"),
        (np.array([[1, 7]]), {"item_ids": ["x", "y", "z"]}, "the array holds item 7, and 3 items were named"),
        (np.array([[1, 0]]), {"item_ids": ["x", "y"]}, "may be a number for each of the 2 items, or item numbers"),
    ],
)
def test_ids_that_do_not_fit(data: Any, ids: dict[str, Any], message: str) -> None:
    for read in (labels, rankings):
        with pytest.raises(InputError, match=message):
            read(data, **ids)


def stored() -> sparse.csr_matrix:
    """User 0 has item 5, and item 3 with a stored zero; user 1 has none; user 2 has item 5."""
    return sparse.csr_matrix((np.array([1.0, 0.0, 2.0]), np.array([5, 3, 5]), np.array([0, 2, 2, 3])), shape=(3, 9))


@pytest.mark.parametrize("form", [stored(), stored().tocsc(), stored().tocoo(), sparse.csr_array(stored())])
def test_stored_entries_are_labels(form: Any) -> None:
    known = labels(form)
    assert known.users.values.tolist() == [0, 1, 2]
    assert known.items.kind == "integer"
    assert [known.rows_of(user) for user in range(3)] == [{5: 1.0, 3: 0.0}, {}, {5: 2.0}]


def test_csr_rows_keep_their_order() -> None:
    assert labels(stored()).items.values.tolist() == [5, 3]
    assert labels(stored().tocsc()).items.values.tolist() == [3, 5]


def test_entries_of_one_place_are_added() -> None:
    """As SciPy says; 100 + 100 does not fit into 8 bits, and is 200 all the same."""
    twice = sparse.coo_matrix((np.array([1, 100, 2, 100], np.int8), ([0, 1, 0, 1], [4, 2, 4, 2])), shape=(2, 5))
    assert labels(twice).rows_of(0) == {4: 3.0}
    assert labels(twice).rows_of(1) == {2: 200.0}
    assert rankings(twice).rows_of(0) == ([4], [3.0])


numbers = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.0])
"""Sums of these are exact, in whatever order."""
entries = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), numbers), max_size=12)


@settings(max_examples=40, deadline=None)
@given(entries)
def test_repeated_places_mean_what_the_dense_matrix_holds(given_entries: list[tuple[int, int, float]]) -> None:
    rows, columns, values = ([one[at] for one in given_entries] for at in range(3))
    coo = sparse.coo_matrix((np.array(values, np.float64), (rows, columns)), shape=(3, 4), dtype=np.float64)
    order = np.argsort(np.array(rows, np.int64), kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(np.array(rows, np.int64), minlength=3)))
    csr = sparse.csr_matrix((coo.data[order], coo.col[order], starts), shape=(3, 4))
    csc = sparse.csc_matrix((coo.T.tocsr().T).tocsc())
    dense = coo.toarray()
    stored = {row: list(dict.fromkeys(c for r, c, _ in given_entries if r == row)) for row in range(3)}
    for matrix in (coo, csr, csc):
        known, returned = labels(matrix), rankings(matrix)
        for user in range(3):
            expected = {column: dense[user, column] for column in stored[user]}
            assert known.rows_of(user) == expected
            items, scores = returned.rows_of(user)
            assert dict(zip(items, scores or [], strict=True)) == expected
    assert [list(labels(coo).rows_of(user)) for user in range(3)] == [stored[user] for user in range(3)]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (stored().tolil(), "a SciPy LIL matrix: the format cannot be read."),
        (stored().astype(complex), "a SciPy CSR matrix: it holds complex128. Grades are numbers."),
        (sparse.csr_matrix(np.array([[0, 1], [2, np.nan]])), "a SciPy CSR matrix, user 1, item 1: the grade is"),
    ],
)
def test_sparse_matrices_that_cannot_be_read(matrix: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        labels(matrix)
    assert str(error.value).startswith(message)
    with pytest.raises(InputError, match=r"a SciPy CSR matrix: it holds bool\. Scores are numbers\."):
        rankings(stored().astype(bool))


def torch_tensor(values: list[Any]) -> Any:
    torch = pytest.importorskip("torch")
    return torch.tensor(values, dtype=torch.float64 if isinstance(values[0], float) else None)


TRUE, SCORE = [2, 0, 0, 1, 1], [0.1, 0.9, 0.5, 0.4, 0.8]


@pytest.mark.parametrize("make", [list, np.array, pd.Series, torch_tensor])
def test_sizes_and_ids_of_queries_say_the_same(make: Any) -> None:
    by_size = rc.grouped(make(TRUE), make(SCORE), group=make([3, 2]))
    by_id = rc.grouped(make(TRUE), make(SCORE), query_id=make([0, 0, 0, 1, 1]))
    for joined in (by_size, by_id):
        assert joined.rankings.rows_of(0) == ([1, 2, 0], [0.9, 0.5, 0.1])
        assert joined.labels.rows_of(1) == {3: 1, 4: 1}


def test_rows_of_a_query_need_not_stand_together() -> None:
    joined = rc.grouped(TRUE, SCORE, query_id=["q", "p", "q", "p", "q"])
    assert joined.labels.rows_of("q") == {0: 2, 2: 0, 4: 1}
    assert joined.rankings.rows_of("p")[0] == [1, 3]


def test_one_query_and_queries_without_rows() -> None:
    assert rc.grouped(TRUE, SCORE).users.values.tolist() == [0]
    assert rc.grouped(TRUE, SCORE, group=[5, 0]).labels.rows_of(1) == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1], [1, 2]), "y_true has 1 entries, and y_score has 2. Give each row both."),
        (([[1]], [1]), "y_true has 2 dimensions, and one is wanted. Pass arrays of users by items as rc.Labels"),
        ((["a"], [1]), "y_true holds <U1, and numbers are wanted."),
        (([1], [float("nan")]), "the grouped rows, row 0: the score is missing or not a number (NaN)."),
    ],
)
def test_flat_arrays_that_cannot_be_read(arguments: Any, message: str) -> None:
    with pytest.raises(rc.InputError) as error:
        rc.grouped(*arguments)
    assert str(error.value).startswith(message)


def test_groups_that_do_not_fit() -> None:
    with pytest.raises(
        rc.InputError, match=r"^the group sizes sum to 4, and there are 5 rows\. Pass the number of rows"
    ):
        rc.grouped(TRUE, SCORE, group=[2, 2])
    with pytest.raises(rc.InputError, match=r"^query_id has 1 entries, and there are 5 rows"):
        rc.grouped(TRUE, SCORE, query_id=["q"])
    with pytest.raises(rc.InputError, match=r"^group= and query_id= say the same thing twice"):
        rc.grouped(TRUE, SCORE, group=[5], query_id=TRUE)
