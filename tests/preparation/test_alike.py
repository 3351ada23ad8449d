"""Whether two settings can differ on these labels and lists, told by hand."""

import pytest

import rankconv as rc
from rankconv.engine import measure
from rankconv.evaluation.results.differences import Differences
from tests.metrics.worked import neutral

NEUTRAL = neutral()
LABELS: dict[str, dict[str, float]] = {
    "1": {"a": 1},
    "1 and 0": {"a": 1, "b": 0},
    "1 and 1": {"a": 1, "b": 1},
    "2 and 0": {"a": 2, "b": 0},
    "2 and 1": {"a": 2, "b": 1},
    "half": {"a": 0.5},
    "below 0": {"a": 1, "b": -1},
    "0": {"a": 0},
}

SKIPPED, NO_HITS_FIRST = "on-no-relevant=skip", "in-order(on-no-hits, on-no-relevant)"
CASES: list[tuple[str, str, str, str, str, bool]] = [
    # the convention, its two settings, others beside both, the labels; whether it matters
    ("labels-used", "all", "relevant-only", "", "1 and 0", True),
    ("labels-used", "all", "relevant-only", "", "1 and 1", False),
    ("relevant", "above(0)", "at-least(0)", "", "1", False),
    ("relevant", "above(0)", "at-least(0)", "", "1 and 0", True),
    (
        "relevant",
        "above(0)",
        "at-least(0)",
        "labels-used=aligned-arrays",
        "1",
        True,
    ),  # a row without a label has grade 0
    ("relevant", "highest", "at-least(0.5)", "", "half", False),
    ("relevant", "highest", "at-least(0.5)", "labels-used=aligned-arrays", "half", True),  # a list may hold no label
    ("gain", "linear", "binary", "", "1 and 0", False),
    ("gain", "linear", "binary", "", "2 and 0", True),
    ("gain", "linear", "exponential", "", "1 and 0", False),
    ("gain", "linear", "exponential", "", "below 0", True),
    ("gain", "exponential-over-own-highest", "exponential-over(1)", "", "1", True),  # another user may have a 2
    ("negative", "grade", "zero", "", "1 and 0", False),
    ("negative", "grade", "zero", "", "below 0", True),
    ("candidates", "returned", "at-least-one", "", "1", False),
    ("candidates", "returned", "labelled-only", "", "1", True),
    ("duplicates", "each", "set", "", "1", False),
    ("exclude", "none", "identical-ids", "", "1", False),
    ("on-no-users", "0", "1", SKIPPED, "1", False),
    ("on-no-users", "0", "1", SKIPPED, "0", True),
    ("on-no-users", "0", "1", f"{SKIPPED}, aggregate=weighted-mean", "1", True),  # all weights may be 0
    ("policy-order", "default", NO_HITS_FIRST, "on-no-relevant=0, on-no-hits=1", "0", True),
    ("policy-order", "default", NO_HITS_FIRST, "on-no-relevant=0, on-no-hits=1", "1", False),
    ("policy-order", "default", NO_HITS_FIRST, "on-no-relevant=0, on-no-hits=as-computed", "0", False),  # one decides
    ("gain", "exponential", "exponential-above-level", "relevant=at-least(1)", "2 and 1", False),
    ("gain", "exponential", "exponential-above-level", "relevant=above(0)", "2 and 1", True),  # its level is 0
    ("gain", "exponential", "exponential-above-level", "relevant=highest", "2 and 1", True),
]


@pytest.mark.parametrize(("convention_name", "one", "other", "beside", "labels", "expected"), CASES)
def test_whether_a_setting_matters_on_these_labels(
    convention_name: str, one: str, other: str, beside: str, labels: str, expected: bool
) -> None:
    joined = rc.join({"u": LABELS[labels]}, {"u": ["a", "b", "x"]})
    asked = [NEUTRAL.define(f"ndcg({convention_name}={setting}, {beside})")[0] for setting in (one, other)]
    assert Differences(joined).matters(convention_name, *measure(joined, asked, None)) == expected


def test_a_row_is_a_label_for_one_of_two_definitions() -> None:
    joined = rc.join({"u": {"a": 1}}, {"u": ["a", "x"]})
    specs = ["ndcg(relevant=above(0), labels-used=aligned-arrays)", "ndcg(relevant=at-least(0), labels-used=all)"]
    asked = [NEUTRAL.define(spec)[0] for spec in specs]
    for pair in (asked, asked[::-1]):
        assert Differences(joined).matters("relevant", *measure(joined, pair, None))


@pytest.mark.parametrize(("mean", "idle"), [("mean", True), ("median(lower)", True), ("weighted-mean", False)])
def test_a_weight_is_idle_unless_the_mean_weighs(mean: str, idle: bool) -> None:
    assert ("auc-weight" in NEUTRAL.define(f"auc(aggregate={mean})")[0].idle_rules) == idle
