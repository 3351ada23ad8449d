"""The settings behind a change of the order of runs."""

import rankconv as rc
from rankconv.analysis.sensitivity.sensitivity_page import OrderChange

LABELS = {"u": {"a": 1, "b": 0, "c": 0}, "v": {"d": 1}}
RUNS = rc.Runs(
    good={"u": ["a", "x"], "v": ["y", "d"]},
    bad={"u": ["b", "c"], "v": ["d", "y"]},
    worst={"u": ["x", "y"], "v": ["y", "x"]},
)
"""`bad` returns what was judged to be bad."""


def test_a_flip_names_the_settings_behind_it() -> None:
    every = rc.preset("rankconv").replace(relevant="any-label", name="every")
    found = rc.sensitivity(LABELS, RUNS, "precision@2", ["rankconv", "mllib", every])
    [flip] = found.flips
    assert (flip.usual, flip.agree) == (("good", "bad"), ["rankconv", "mllib"])
    assert flip.changes == [OrderChange("every", "rankconv", ("relevant=any-label",))]
    assert found.to_text().count("relevant=any-label  every against rankconv") == 1
