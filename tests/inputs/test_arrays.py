"""Arrays: of item ids, and of a number for each item; NumPy's, torch's and jax's."""

from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.errors import InputError
from rankconv.inputs import labels, rankings


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


def test_labels_have_grade_1() -> None:
    assert labels(np.array([[7, -1], [5, 9]], np.int16)).rows_of(1) == {5: 1.0, 9: 1.0}


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_arrays_without_items(shape: tuple[int, int]) -> None:
    returned = rankings(np.empty(shape, np.int64))
    assert (len(returned.users), len(returned.item)) == (shape[0], 0)


def test_lists_of_integers_give_the_same() -> None:
    array, listed = rankings(np.array([[7, 5], [9, -1]])), rankings([[7, 5], [9]])
    assert array.items.values.tolist() == listed.items.values.tolist()
    assert array.starts.tolist() == listed.starts.tolist()
    assert array.item.tolist() == listed.item.tolist()


HOLDS = "An array holds item ids, which are integers, or a floating-point number for each item. Pass text ids as lists"


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (
            np.array([[1, 2, 3], [4, -1, 5]]),
            "a NumPy array, row 1, column 1: -1 means no item, and an item follows it. Move -1 to the end of the row.",
        ),
        (np.array([["a"]]), f"a NumPy array: the array holds <U1. {HOLDS}: array.tolist()."),
        (np.array([[True]]), f"a NumPy array: the array holds bool. {HOLDS}: array.tolist()."),
        (
            np.array([1, 2]),
            "a NumPy array: the array has 1 dimensions. "
            "An array has one row per user and its items in the columns, best first. "
            "For flat arrays with groups: rc.grouped(y_true, y_score, group=…).",
        ),
        (
            np.ma.masked_equal(np.array([[1, 2]]), 2),
            "a NumPy array: the array is masked. Fill it with no item: array.filled(-1).",
        ),
    ],
)
def test_arrays_that_cannot_be_read(array: np.ndarray, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(array)
    assert str(error.value) == message


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
        "a jax array: the array cannot be read: it is on the GPU. Bring it to the CPU first: tensor.detach().cpu()."
    )


def test_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    assert rankings(torch.tensor([[7, 5], [9, -1]])).rows_of(0) == ([7, 5], None)
    assert rankings(torch.tensor([[0.25, 0.5]])).rows_of(0) == ([1, 0], [0.5, 0.25])
    assert rankings([torch.tensor([7, 5])]).rows_of(0) == ([7, 5], None)
    with pytest.raises(InputError, match=r"^a torch tensor: the array cannot be read: .*requires grad"):
        rankings(torch.tensor([[0.5]], requires_grad=True))


def test_whole_grades_do_not_pass_for_ids() -> None:
    with pytest.raises(InputError) as error:
        rc.evaluate(np.array([[1, 2, 0], [0, 2, 0]]), np.array([[1], [2]]), "mrr")
    assert str(error.value) == (
        "a NumPy array, row 1: item 0 is there twice. Pass array.astype(float) if these are grades of users by items, "
        "and lists if the item was labelled twice."
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
        with pytest.raises(InputError, match=r"the array is masked. Fill it with no item: array.filled\(numpy.nan\)"):
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
