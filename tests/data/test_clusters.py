"""Clusters of ids: who is drawn together, as a caller names it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankconv.basics.errors import InputError
from rankconv.data.clusters import clusters_of, numbered
from rankconv.data.ids import make_ids

THREE = make_ids([("ann", 1, "x"), ("bob", 1, "x"), ("ann", 2, "x"), ("bob", 1, "y")], "user").values


@pytest.mark.parametrize(
    ("cluster", "expected"),
    [
        (1, [0, 1, 0, 1]),
        ([1], [0, 1, 0, 1]),
        (2, [0, 0, 1, 0]),
        ((1, 2), [0, 1, 2, 1]),
        ({one: len(one[0]) for one in THREE}, [0, 0, 0, 0]),
        ({one: one[2] for one in THREE}, [0, 0, 0, 1]),
    ],
)
def test_parts_of_ids_and_mappings_name_clusters(cluster: Any, expected: list[int]) -> None:
    assert clusters_of(THREE, cluster).of.tolist() == expected


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-100, 100)), max_size=30))
def test_sums_are_those_of_a_loop_and_members_are_each_in_one(rows: list[tuple[int, int]]) -> None:
    told = np.array([one for one, _ in rows], np.int64)
    values = np.array([[value, 1] for _, value in rows], float).reshape(-1, 2)
    found = numbered(told)
    order = list(dict.fromkeys(told.tolist()))
    by_hand = [[sum(value for one, value in rows if one == name), told.tolist().count(name)] for name in order]
    assert found.sums(values).tolist() == by_hand
    assert len(found) == len(order)
    if rows:
        assert [sorted({*told[one].tolist()}) for one in found.members] == [[name] for name in order]
        assert sorted(np.concatenate(found.members).tolist()) == list(range(len(rows)))


def test_clusters_of_some_ids_are_numbered_anew() -> None:
    assert clusters_of(THREE, 1).among(np.array([1, 3])).of.tolist() == [0, 0]


@pytest.mark.parametrize("cluster", [0, 4, -1, True, "uid", [], [1, "x"], 1.0, {("ann", 1, "x"): 1}])
def test_what_names_no_cluster_is_refused(cluster: Any) -> None:
    with pytest.raises(InputError, match="cluster"):
        clusters_of(THREE, cluster)


def test_plain_ids_have_no_parts() -> None:
    with pytest.raises(InputError, match="'ann' have no parts"):
        clusters_of(make_ids(["ann", "bob"], "user").values, 1)
    assert len(clusters_of(make_ids([], "user").values, 1)) == 0
