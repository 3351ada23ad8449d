"""A matrix of hits with the number of positives."""

from typing import Any

import numpy as np
import pytest

import rankconv as rc

HITS = [[0, 1, 0], [1, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize("form", [(HITS, [3, 2, 1]), (np.array(HITS, bool), np.array([3, 2, 1]))])
def test_the_lists_and_labels_behind_it(form: tuple[Any, Any]) -> None:
    judged = rc.hit_matrix(*form)
    assert [judged.rankings.rows_of(user)[0] for user in range(3)] == [[0, 1, 2]] * 3
    assert [judged.labels.rows_of(user) for user in range(3)] == [{1: 1, 3: 1, 4: 1}, {0: 1, 1: 1}, {3: 1}]


def test_the_last_column_as_recbole_has_it() -> None:
    judged = rc.hit_matrix(np.column_stack([HITS, [3, 2, 1]]))
    result = rc.evaluate(judged, ["recall@3", "mrr@3"], preset="recbole")
    assert result.per_user["recall@3"].round(4).tolist() == [0.3333, 1.0, 0.0]
    assert result["mrr@3"] == pytest.approx(0.5)


@pytest.mark.filterwarnings("ignore:.*matrix subclass:PendingDeprecationWarning")
def test_a_numpy_matrix() -> None:
    assert rc.hit_matrix(np.asmatrix(np.column_stack([HITS, [3, 2, 1]]))).labels.lengths.tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0],), "a matrix of hits: it has 1 dimensions. One row per user, one column per rank."),
        (([[1, 2]], [2]), "a matrix of hits, row 0, column 1: 2 is neither 0 nor 1. Pass grades as rc.Labels(…)."),
        (([[1, 1]], [1]), "a matrix of hits, row 0: there are 2 hits, and 1 positives. Pass the number of all"),
        (([[1, 1]], [1, 1]), "a matrix of hits: there are 1 rows, and 2 numbers of positives."),
        (([[0], [0]], [1, -1]), "a matrix of hits, row 1: -1 is no number of positives. Pass the number of all"),
        (([[1, 0]], [1.5]), "a matrix of hits, row 0: 1.5 is no number of positives."),
        (([[1, 0.5]],), "a matrix of hits, row 0: 0.5 is no number of positives."),
        (([[1, 0]], [float("nan")]), "a matrix of hits, row 0: nan is no number of positives."),
        (([[1, 0]], [10**18]), "a matrix of hits, row 0: 1000000000000000000 is no number of positives."),
        (([[1, 0]], ["2"]), "the numbers of positives: it holds <U1, and numbers are wanted."),
        (([[1], [1, 0]], [1, 1]), "a matrix of hits: the rows are not equally long."),
        ((np.empty((2, 0)),), "a matrix of hits: it has no column."),
        ((np.ma.masked_equal([[1, 0]], 0), [1]), "a matrix of hits: the array is masked."),
    ],
)
def test_what_cannot_be_read(arguments: Any, message: str) -> None:
    with pytest.raises(rc.InputError) as error:
        rc.hit_matrix(*arguments)
    assert str(error.value).startswith(message)
