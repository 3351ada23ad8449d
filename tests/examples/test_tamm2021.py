"""What follows from definitions alone holds in a published table, and a wrong number in it would be seen."""

import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "reproducing" / "tamm2021"
sys.path.insert(0, str(FOLDER))
from check import definitions, holds, relation, relations, table, whole_numbers  # noqa: E402

sys.path.remove(str(FOLDER))


def test_every_relation_holds() -> None:
    found = list(relations(table()))
    assert [one for one in found if not one[4]] == []
    by_kind = [one[3] for one in found]
    assert (by_kind.count("="), len(by_kind) - by_kind.count("=")) == (47, 8)


@pytest.mark.parametrize(
    ("library", "column", "number"),
    [("Elliot", "MRR@20", "0.1864"), ("RS_metrics", "MAP@20", "0.0393"), ("RecSys2019_DL_Eval", "HitRate@20", "0.4")],
)
def test_a_wrong_number_is_seen(library: str, column: str, number: str) -> None:
    printed = table()
    printed[library] |= {column: number}
    assert {library} <= {name for one in relations(printed) if not one[4] for name in one[1:3]}


def test_users_and_hits_are_whole() -> None:
    numbers = dict(whole_numbers(table()))
    assert numbers == pytest.approx({name: round(number) for name, number in numbers.items()}, abs=1e-8)
    assert list(map(round, numbers.values())) == [1297, 3144, 3144]


def test_how_values_stand() -> None:
    low, high = np.array([0.1, 0.5]), np.array([0.2, 0.5])
    assert [relation(low, low), relation(low, high), relation(high, low)] == ["=", "<=", ">="]
    assert relation(low, np.array([0.2, 0.4])) == ""
    assert not holds("=", 0.1, 0.2)
    assert not holds(">=", 0.1, 0.2)


def test_each_definition_names_a_cell_that_is_printed() -> None:
    printed = table()
    assert all(float(printed[library][column]) > 0 for column, specs in definitions().items() for library in specs)
