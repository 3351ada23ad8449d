"""New users in a factor model: every form of their ratings gives one setting, and what is no form is refused."""

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import rankconv as rc
from rankconv import protocols

FACTORS = np.random.default_rng(3).normal(size=(6, 3))
USERS = st.lists(st.dictionaries(st.integers(0, 5), st.integers(0, 5).map(float), max_size=6), min_size=1, max_size=4)


@given(USERS, st.sampled_from([None, 2.0]), st.sampled_from(["csr", "csc", "coo", "lil", "dok"]))
def test_every_form_of_the_same_ratings_gives_the_same_factors(
    users: list[dict[int, float]], alpha: float | None, kind: str
) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    users = [{at: value for at, value in sorted(user.items()) if value} for user in users]  # not all forms hold zeros
    cells = [(row, at, value) for row, user in enumerate(users) for at, value in user.items()]
    rows, columns, values = (list(part) for part in zip(*cells, strict=True)) if cells else ([], [], [])
    matrix = sparse.coo_array((np.array(values, float), (rows, columns)), shape=(len(users), 6)).asformat(kind)
    one_by_one = [protocols.fold_in(FACTORS, user, 0.3, alpha=alpha).tolist() for user in users]
    pairs = [(list(user), list(user.values())) for user in users]
    for form in (users, pairs, matrix):
        assert protocols.fold_in(FACTORS, form, 0.3, alpha=alpha).tolist() == one_by_one


def test_a_stored_zero_is_a_rating() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix(([0.0, 4.0], [1, 2], [0, 2]), shape=(1, 6))
    assert protocols.fold_in(FACTORS, matrix, 0.3).tolist() == [
        protocols.fold_in(FACTORS, {1: 0.0, 2: 4.0}, 0.3).tolist()
    ]


def of_shape(*shape: int) -> Any:
    return pytest.importorskip("scipy.sparse").csr_matrix(np.ones(shape))


@pytest.mark.parametrize(
    ("ratings", "words"),
    [
        (lambda: of_shape(6, 2), r"has the shape \(6, 2\)\. Its shape is \(users, 6\)\. Pass ratings\.T"),
        (lambda: of_shape(2, 5), r"has the shape \(2, 5\).*a column for each row of item_factors"),
        (lambda: [of_shape(1, 6)], "not the ratings of a user.*csr_array"),
        (lambda: of_shape(2, 6).tobsr(), "BSR matrix may hold zeros that are not ratings"),
        (lambda: np.ones((2, 6)), "not the ratings of a user.*csr_array"),
        (lambda: np.ones(6), "not the ratings of a user.*csr_array"),
        (lambda: [[0, 1], [4.0, 5.0]], r"the shapes \(\) and \(\)"),
        (lambda: (([0], [4.0]), ([1], [5.0])), r"the shapes \(2, 1\) and \(2, 1\)"),
        (lambda: ([0, 1], [4.0]), r"the shapes \(2,\) and \(1,\)"),
        (lambda: ([0], [4.0], [1]), "not the ratings of a user"),
        (lambda: {"a": 4.0}, "not the ratings of a user"),
        (lambda: None, "not the ratings of a user"),
        (lambda: ([0.5], [4.0]), "item 0.5 has no factors"),
        (lambda: ([-1], [4.0]), "item -1 has no factors"),
        (lambda: {6: 1.0}, "item 6 has no factors. There are 6 items"),
        (lambda: ([np.nan], [4.0]), "item nan has no factors"),
        (lambda: {0: np.inf}, "a rating is not finite"),
    ],
)
def test_what_is_not_in_a_form_of_ratings_is_refused(ratings: Any, words: str) -> None:
    with pytest.raises(rc.InputError, match=words):
        protocols.fold_in(FACTORS, ratings())
