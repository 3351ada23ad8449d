"""Kendall's tau against a count of pairs, and the settings behind a change of the order of runs."""

from itertools import combinations
from math import sqrt
from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.sensitivity.variations import Change, kendall

LABELS = {"u": {"a": 1, "b": 0, "c": 0}, "v": {"d": 1}}
RUNS = rc.Runs(
    good={"u": ["a", "x"], "v": ["y", "d"]},
    bad={"u": ["b", "c"], "v": ["d", "y"]},
    worst={"u": ["x", "y"], "v": ["y", "x"]},
)
"""`bad` returns what was judged to be bad."""


def by_counting(one: list[float], other: list[float]) -> float:
    """Tau-b: pairs in the same order less pairs turned round, by the pairs that are not tied on either side."""
    pairs = [(one[i] - one[j], other[i] - other[j]) for i, j in combinations(range(len(one)), 2)]
    both = sum(np.sign(ours) * np.sign(theirs) for ours, theirs in pairs)
    sizes = [sum(pair[side] != 0 for pair in pairs) for side in (0, 1)]
    return float(both) / sqrt(sizes[0] * sizes[1]) if all(sizes) else float("nan")


def test_tau_is_what_pairs_say() -> None:
    pytest.importorskip("scipy.stats")
    draw = Random(0)
    rows = [[float(draw.randint(0, 4)) for _ in range(4)] for _ in range(12)]
    found = kendall({str(name): {str(run): mean for run, mean in enumerate(row)} for name, row in enumerate(rows)})
    for one, other in combinations(range(len(rows)), 2):
        assert found[one, other] == pytest.approx(by_counting(rows[one], rows[other]), nan_ok=True)
        assert found[other, one] == pytest.approx(found[one, other], nan_ok=True)


def test_a_flip_names_the_settings_behind_it() -> None:
    every = rc.preset("rankconv").replace(relevant="any-label", name="every")
    found = rc.sensitivity(LABELS, RUNS, "precision@2", ["rankconv", "mllib", every])
    [flip] = found.flips
    assert (flip.usual, flip.agree) == (("good", "bad"), ["rankconv", "mllib"])
    assert flip.changes == [Change("every", "rankconv", ("relevant=any-label",))]
    assert "every differs from rankconv only in relevant=any-label" in found.to_text()
    names, tau = found.tau
    assert names == ["rankconv", "mllib", "every"]
    assert tau[0, 2] == pytest.approx(by_counting([0.5, 0.25, 0.0], [0.5, 0.75, 0.0])) == pytest.approx(1 / 3)
    assert "Kendall's tau between two presets' orders of the runs: 0.56 on average, 0.33 at least" in found.to_text()
