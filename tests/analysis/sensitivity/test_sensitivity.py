"""How far a number goes, by hand; what is left out; and which run is first."""

import json
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.cli.five_users import LABELS, RUN
from rankconv.typing import SensitivityResult

TIED = {"u": [("x", 2.0), ("a", 2.0), ("y", 1.0), ("b", 1.0)]}
WORST, EXPECTED, BEST = "worst", "expected", "best"


def test_orders_of_ties_by_hand() -> None:
    """`a` is first or second, `b` third or fourth, one of two relevant in each tie."""
    found = rc.sensitivity({"u": ["a", "b"]}, TIED, "dcg", ["rankconv", "trec_eval"])
    places = [1 / np.log2(rank + 1) for rank in range(1, 5)]
    expected = {WORST: places[1] + places[3], EXPECTED: sum(places) / 2, BEST: places[0] + places[2]}
    for order, value in expected.items():
        for preset in ("rankconv", "trec_eval"):
            assert found.mean("", order, preset) == pytest.approx(value)
    [presets, ties] = found.ranges
    assert (ties.kind, ties.lowest, ties.highest, ties.presets) == pytest.approx(
        ("tie orders", expected[WORST], expected[BEST], 2)
    )
    assert presets.lowest >= ties.lowest


def test_without_ties_there_is_no_order_of_them() -> None:
    found = rc.sensitivity({"u": ["a"]}, {"u": [("a", 2.0), ("b", 1.0)]}, "ndcg@2", ["mllib", "trec_eval"])
    assert found.kinds == {"presets": ["as given"]}
    assert "No list has rows of equal score" in found.to_text()


def test_who_is_left_out_and_why() -> None:
    found = rc.sensitivity({"u": ["a", "b"]}, TIED, "ndcg@3", ["blog", "rankconv", "evidently", "mllib-graded"])
    assert found.left_out == {
        "ideal=retrieved-at-k": ["blog"],
        "ties=rank(average-floor), so no order of them matters": ["evidently"],
        "relevant=any-label": ["mllib-graded"],
    }
    assert np.isnan(found.mean("", WORST, "blog"))
    assert "No orders of ties for blog: ideal=retrieved-at-k.\n" in found.to_text()


def test_lists_that_do_not_stand_by_score_have_no_ties_where_the_order_given_counts() -> None:
    run = {"u": [("x", 1.0), ("a", 2.0), ("b", 2.0)]}
    found = rc.sensitivity({"u": ["a"]}, run, "mrr", ["blog", "trec_eval"])
    assert found.left_out == {"order=given, and the lists are not in falling order of score": ["blog"]}
    assert (found.mean("", WORST, "trec_eval"), found.mean("", BEST, "trec_eval")) == (0.5, 1.0)


@pytest.fixture(scope="module")
def two() -> SensitivityResult:
    """`deep` finds all, but late; `short` finds one, at once."""
    labels = {"u": ["a", "b", "c"], "v": ["d"]}
    runs = rc.Runs(
        deep={"u": ["x", "a", "b", "c"], "v": ["y", "d"]},
        short={"u": ["a", "x", "y", "z"], "v": ["d", "x"]},
    )
    return rc.sensitivity(labels, runs, "map@4", ["blog", "ir-book", "rankconv"])


def test_which_run_is_first(two: SensitivityResult) -> None:
    assert two.firsts("presets") == {"deep": 0, "short": 3, "": 0}
    assert two.flips == []
    assert "No preset changes the order of two runs." in two.to_text()


def test_every_number_is_one_of_compare(two: SensitivityResult) -> None:
    for preset in ("blog", "ir-book", "rankconv"):
        for run in ("deep", "short"):
            assert two.mean(run, "as given", preset) == two.comparison["map@4", preset, run]


def test_forms(two: SensitivityResult) -> None:
    told = json.loads(json.dumps(two.to_dict()))
    assert {one["ties"] for one in told["numbers"]} == {"as given"}
    assert "| preset " in two.to_markdown()
    assert r"\toprule" in two.to_latex()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"metric": None}, "no metric is given"),
        ({"metric": "map@3,5"}, "has several cutoffs"),
        ({"metric": "map@3", "preset": "mlib"}, "Did you mean 'mllib'"),
    ],
)
def test_mistakes(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        rc.sensitivity(LABELS, RUN, **asked)
