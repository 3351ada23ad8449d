"""Matrices that other libraries keep, on the CPU and on devices, give what the same numbers of NumPy give."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.array_libraries import ArrayLibrary, ScoreMatrix, TorchLibrary, library_of
from rankconv.data.inputs.array_input import as_matrix
from rankconv.data.inputs.first_rows import first_rows
from rankconv.evaluation.results import circumstances
from tests.evaluation.test_matrices import USERS, assert_equal, definitions, few, grades, scores
from tests.laws import examples

Place = Callable[[Any], ScoreMatrix]


OLD = np.lib.NumpyVersion(np.__version__) < "2.1.0"
"""Whether NumPy cannot read arrays on another device."""


def strict(device: str) -> Place:
    """Arrays of the Array API standard and nothing else; also on its CPU its own functions are called."""
    if OLD and device != "CPU_DEVICE":
        pytest.skip("needs NumPy 2.1")
    library = pytest.importorskip("array_api_strict")
    array = lambda values: library.asarray(values, device=library.Device(device))
    return lambda values: ScoreMatrix(array(values), ArrayLibrary(array(values)), "an array")


def torch() -> Place:
    """Tensors that are read as those on a GPU are, by torch's own topk."""
    library = pytest.importorskip("torch")
    return lambda values: ScoreMatrix(library.tensor(values), TorchLibrary(library.tensor(values)), "a tensor")


def jax() -> Place:
    """Arrays that are read as those on a GPU are, by JAX's own top_k."""
    library = pytest.importorskip("jax.numpy")
    return lambda values: ScoreMatrix(library.asarray(values), ArrayLibrary(library.asarray(values)), "an array")


PLACES: dict[str, Callable[[], Place]] = {
    **{device: lambda device=device: strict(device) for device in ("CPU_DEVICE", "device1", "device2")},
    "torch": torch,
    "jax": jax,
}


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest) -> Place:
    return PLACES[request.param]()


@pytest.mark.parametrize(("levels", "kind"), [(1, "graded"), (3, "negative"), (8, "fractions"), (10**6, "binary")])
@pytest.mark.parametrize("dense", [True, False])
def test_values_have_the_bits_of_rows(place: Place, levels: int, kind: str, dense: bool) -> None:
    random = np.random.default_rng([levels, dense])
    run, drawn = scores(random, levels), grades(random, kind).astype(np.float32)
    some = Random(f"{levels}{dense}").sample(definitions(3), examples.of(quick=25, ci=250))
    assert assert_equal(drawn if dense else few(drawn, random), run, some, at=place) < len(some)


@pytest.mark.parametrize("dense", [True, False])
def test_seen_items_are_masked_and_scores_compare_in_single_precision(place: Place, dense: bool) -> None:
    random = np.random.default_rng(3)
    run, drawn = scores(random, 8), grades(random, "graded")
    labels = few(drawn, random)
    seen = {user: [item for item in range(user % 7) if item not in labels.get(user, ())] for user in range(USERS)}
    some = [one.replace(exclude="seen") for one in Random(5).sample(definitions(3), 10)]
    assert assert_equal(labels, run, some, seen, at=place) < len(some)
    narrow = [one for one in definitions(3) if one.applied.compared.narrow][:10]
    assert assert_equal(drawn if dense else labels, run, narrow, at=place) < len(narrow)


def test_grades_on_another_device_than_scores() -> None:
    random = np.random.default_rng(4)
    run, drawn = scores(random, 8), grades(random, "graded")
    drawn[8, :3] = np.nan
    numpy = first_rows(as_matrix(run), 3, grades=as_matrix(drawn))
    for scored, graded in ((strict("device1"), strict("device2")), (strict("device1"), as_matrix)):
        for found, known in zip(first_rows(scored(run), 3, grades=graded(drawn)), numpy, strict=True):
            assert found is not None
            assert known is not None
            assert (found.item.tolist(), found.starts.tolist()) == (known.item.tolist(), known.starts.tolist())


def test_grades_that_the_library_of_the_scores_would_round_are_refused() -> None:
    run, drawn = np.ones((30, 40), np.float32), np.full((30, 40), 0.1)
    with pytest.raises(rc.InputError, match="a NumPy array: the library of the scores would round grades of float64"):
        first_rows(jax()(run), 3, grades=as_matrix(drawn))
    first_rows(jax()(run), 3, grades=as_matrix(drawn * 0))


@pytest.mark.parametrize("levels", [1, 10, 10**6])
def test_few_numbers_come_to_the_cpu(place: Place, levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """20 of each user, a tie or none, of 4,000 scores; 10 labels of each user are given by number."""
    random = np.random.default_rng(5)
    run = place(random.integers(0, levels, (30, 4_000)).astype(np.float32))
    brought, bring = list[int](), type(run.library).numpy
    labels = {user: random.choice(4_000, 10, replace=False).tolist() for user in range(30)}

    def watched(self: ArrayLibrary, array: Any) -> Any:
        brought.append(int(np.prod(array.shape)))
        return bring(self, array)

    monkeypatch.setattr(type(run.library), "numpy", watched)
    first_rows(run, 20, ties="labelled", known=rc.Labels(labels))
    assert 0 < sum(brought) < 30 * 20 * 8
    assert max(brought) <= 30 * 20 * 3


@pytest.mark.parametrize(("value", "says"), [(np.nan, "nan.*nan_to_num"), (np.inf, "inf")])
def test_what_is_no_number_is_refused_with_its_place(place: Place, value: float, says: str) -> None:
    run = np.ones((30, 40), np.float32)
    run[17, 23] = value
    with pytest.raises(rc.InputError, match=f"row 17, column 23 of the scores: the score is {says}"):
        first_rows(place(run), 3)


@pytest.mark.skipif(OLD, reason="needs NumPy 2.1")
def test_where_arrays_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays on the CPU by NumPy, in their own memory; others by their library."""
    library = pytest.importorskip("array_api_strict")
    on = lambda device: library.asarray(np.eye(3), device=library.Device(device))
    assert type(library_of(on("CPU_DEVICE"))) is type(library_of(np.eye(3))) is not ArrayLibrary
    assert type(library_of(on("device1"))) is ArrayLibrary
    monkeypatch.setattr(circumstances, "HELD_ROWS", 0)
    found = rc.evaluate(on("device1"), on("device1"), ["mrr@1", "map"])
    assert (found["mrr@1"], found["map"]) == (1, 1)
    assert rc.Run(on("device2")).rows_of(1)[0][0] == 1


@pytest.mark.parametrize("few_rows", [0, 10**6], ids=["first rows", "all rows"])
@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_half_precision_ties_as_it_is(name: str, few_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """1.001 and 1 are one number of bfloat16, and two of float16; the user's item is the second of these."""
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(circumstances, "HELD_ROWS", few_rows)
    run = torch.tensor([[0.5, 1.001, 1.0]], requires_grad=True).to(getattr(torch, name))
    expected = 0.5 if name == "bfloat16" else 0
    assert rc.evaluate({0: [2]}, run, "precision(ties=expected)@1")["precision(ties=expected)@1"] == expected


@pytest.mark.skipif(not OLD, reason="newer ones read it")
def test_an_old_numpy_is_named_where_it_cannot_read_an_array_of_another_device() -> None:
    library = pytest.importorskip("array_api_strict")
    array = library.asarray(np.eye(3), device=library.Device("device1"))
    with pytest.raises(rc.LibraryError, match=r"by NumPy 2.1 or newer.*pip install 'numpy>=2.1'"):
        ArrayLibrary(array).numpy(array)
