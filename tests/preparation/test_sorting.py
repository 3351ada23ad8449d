"""Rows by falling score, held against one long sort."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.preparation.ties import by_falling_score

rows = st.tuples(st.sampled_from([-np.inf, -1.5, 0.0, 0.25, 3.0, 3.5, np.inf]), st.integers(-2, 2))
lists = st.lists(st.lists(rows, max_size=9), max_size=9)


@given(lists, st.booleans(), st.booleans())
@settings(max_examples=80)
def test_as_python_sorts(drawn: list[list[tuple[float, int]]], keyed: bool, finite: bool) -> None:
    """A user without rows, a short list beside a long one, ties with and without a second key."""
    if finite:
        drawn = [[(score, key) for score, key in of_user if np.isfinite(score)] for of_user in drawn]
    flat = [(user, score, key) for user, of_user in enumerate(drawn) for score, key in of_user]
    user, score = np.array([row[0] for row in flat], np.int64), np.array([row[1] for row in flat], float)
    key = np.array([row[2] for row in flat], np.int64)
    found = by_falling_score(user, score, lambda: key if keyed else None)
    expected = sorted(range(len(flat)), key=lambda row: (flat[row][0], -flat[row][1], flat[row][2] if keyed else 0))
    assert found.tolist() == expected
