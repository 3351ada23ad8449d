"""Another way to take a finding leaves alone all users whom it does not concern, under every preset."""

from collections.abc import Callable

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.arrays import Mask
from rankconv.engine import measure
from rankconv.engine.metric_result import OUTSIDE, SCORED, Measured
from rankconv.evaluation.findings.lint import LintFacts
from rankconv.evaluation.findings.lint_data import CheckedData, CheckedMetrics
from rankconv.evaluation.findings.moves import LINTS, ways
from tests.analysis.check.test_lints import CASES, Planted
from tests.laws import examples

OF_FEW_USERS = (
    *("ties", "duplicates", "duplicate-labels", "negative-grades", "fractional-grades"),
    *("users-without-list", "users-without-labels", "no-relevant"),
    *("labels-in-training", "lists-from-training"),
)
"""Lints whose planted cases concern three users at most, who are the examples."""

PRESETS = rc.list_presets(eras=True)[:: examples.of(quick=3, ci=1)]
PLANTED = [
    pytest.param(name, case, id=f"{name}-{place}") for name in OF_FEW_USERS for place, case in enumerate(CASES[name])
]


@pytest.mark.parametrize(("name", "case"), PLANTED)
def test_who_is_not_concerned_keeps_his_value(name: str, case: Callable[[], Planted]) -> None:
    labels, run, given, *_ = case()
    joined = rc.join(labels, run)
    base = rc.compare(joined, ["ndcg@10", "map@10", "mrr"], PRESETS)
    measured = {(preset, metric): one for (_, metric, preset), one in base.cells.items()}
    train = rc.Labels(given["train"]) if "train" in given else None
    asked, lint = CheckedMetrics({place: one.definition for place, one in measured.items()}, 10), LINTS[name]
    data = CheckedData(joined, asked, train=train)
    tally = lint.look(data)
    known = LintFacts(data, measured, {name: tally})
    found = lint.found(tally, known)
    assert found is not None
    concerned = {example.user for example in found.examples}
    others = np.array([user not in concerned for user in joined.users.values.tolist()])
    for turn, some in ways([name], known).items():
        other = turn(data) if turn else joined
        for way, after in zip(some, measure(other, [way.definition for way in some], None), strict=True):
            one = measured[way.place]
            both = others & own(one) & own(after)
            assert np.array_equal(one.values[both], after.values[both], equal_nan=True), way
            if not (one.refusals or after.refusals):
                assert np.array_equal(one.states[others] == OUTSIDE, after.states[others] == OUTSIDE), way


def own(one: Measured) -> Mask:
    """Users with a value of their own; nobody where the input is refused."""
    return np.asarray((one.states == SCORED) & (not one.refusals))
