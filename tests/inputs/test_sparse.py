"""SciPy sparse matrices."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import rankconv as rc
from rankconv.errors import InputError
from rankconv.inputs import labels, rankings


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
    run = [[3, 2, 1, 0]] * 3
    asked = "precision(exclude=seen)@2"
    one, other = (rc.evaluate([[0], [1], [2]], run, asked, seen=told) for told in (coo, stored))
    assert one[asked] == other[asked]


def test_truth_values_are_grades() -> None:
    assert labels(sparse.csr_matrix(np.array([[True, False]]))).rows_of(0) == {0: 1.0}


def test_a_dict_of_integers_gives_the_same() -> None:
    known, listed = labels(stored()), labels([{5: 1, 3: 0}, {}, {5: 2}])
    assert known.items.values.tolist() == listed.items.values.tolist()
    assert known.item.tolist() == listed.item.tolist()
    assert known.starts.tolist() == listed.starts.tolist()
    assert known.grade.tolist() == listed.grade.tolist()


def test_no_entries() -> None:
    assert len(labels(sparse.csr_matrix((2, 3))).item) == 0
    assert len(labels(sparse.csr_matrix((2, 3))).users) == 2


def test_stored_entries_are_scores_too() -> None:
    returned = rankings(stored())
    assert [returned.rows_of(user) for user in range(3)] == [([5, 3], [1.0, 0.0]), ([], []), ([5], [2.0])]


def test_scores_are_no_truth_values() -> None:
    with pytest.raises(InputError, match=r"a SciPy CSR matrix: it holds bool\. Scores are numbers\."):
        rankings(stored().astype(bool))


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (
            stored().tolil(),
            "a SciPy LIL matrix: the format cannot be read. These formats can be read: csr, csc, coo. "
            "Pass matrix.tocsr().",
        ),
        (stored().astype(complex), "a SciPy CSR matrix: it holds complex128. Grades are numbers."),
        (
            sparse.csr_matrix(np.array([[0, 1], [2, np.nan]])),
            "a SciPy CSR matrix, user 1, item 1: the grade is missing or not a number (NaN). "
            "Give the row a finite grade, or leave it out.",
        ),
    ],
)
def test_matrices_that_cannot_be_read(matrix: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        labels(matrix)
    assert str(error.value) == message


def test_one_dimension() -> None:
    array = sparse.coo_array(np.array([1, 2]))
    if array.ndim == 2:
        pytest.skip("this SciPy has none")
    with pytest.raises(InputError) as error:
        labels(array)
    assert str(error.value) == (
        "a SciPy COO matrix: it has 1 dimensions. It must have users in rows and items in columns."
    )
