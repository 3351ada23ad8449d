"""Weights of items: every setting against numbers worked out by hand, what is refused, and laws."""

from math import log, nan, sqrt
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from tests.metrics.worked import Row, cells, neutral, value_of

pytestmark = pytest.mark.filterwarnings("ignore::rankconv.basics.errors.UnreadData")
LABELS = {"u": ["a", "b", "c"], "v": ["d"]}
RUN = {"u": ["a", "x", "b"], "v": ["d"]}
SIDE: dict[str, Any] = {
    "propensities": {"a": 0.5, "b": 0.25, "c": 1.0, "d": 0.5, "x": 0.1},
    "train": {"s": ["a", "b"], "t": ["a"], "w": ["a"], "y": ["c"]},
    "shown": {"u": ["b", "x", "a", "c"], "v": ["d"]},
}
"""In training 4 users, of whom 3 have a, 1 has b, 1 has c and none has d."""
NEUTRAL = neutral()


def jain(count: int) -> float:
    """1 + C / (n + 1), with a and b of 1."""
    return 1 + (log(4) - 1) * 2 / (count + 1)


GIVEN = "item-weight=inverse-propensity"
ROWS = [
    Row(
        "item-weight",
        "u",
        "recall@3",  # a and b of three relevant items
        {
            "none": 2 / 3,
            "inverse-propensity": (2 + 4) / 3,
            "jain(a=1, b=1)": (jain(3) + jain(1)) / 3,
            "popularity(power=0.5, clip=0.1)": (1 + sqrt(3)) / 3,
            "popularity(power=1, clip=0.5)": (1 + 2) / 3,
            "frequency": (4 / 3 + 4) / 3,
            "position(eta=1, clip=0)": (3 + 1) / 3,
            "position(eta=2)": (9 + 1) / 3,
            "position(eta=2, clip=0.25)": (4 + 1) / 3,
        },
        "on-invalid=skip",
    ),
    Row(
        "missing-weight",
        "v",
        "recall@1",  # of an item that training lacks
        {"refuse": nan, "1": 1, "0": 0, "2.5": 2.5},
        "item-weight=frequency, on-invalid=skip",
    ),
    Row("weight-clip", "u", "recall@3", {"none": (2 + 4) / 3, "3": (2 + 3) / 3}, GIVEN),
    Row("weight-norm", "u", "recall@1", {"none": 2 / 3, "best": 2 / 4}, GIVEN),
    Row("weight-norm", "u", "precision@2", {"none": 2 / 2, "best": 2 / (4 + 2)}, GIVEN),
    Row("weight-norm", "u", "precision@2", {"none": 1 / 2, "best": 1 / 2}),
    Row("recall-denominator", "u", "recall@3", {"relevant": 6 / 3, "relevant-weights": 6 / 7}, GIVEN),
    Row("precision-denominator", "u", "precision@2", {"k": 2 / 2, "row-weights": 2 / (2 + 10)}, GIVEN),
    Row(
        "dcg-denominator",
        "u",
        "dcg@3",
        {"none": 2 + 4 / 3, "relevant-weights": (2 + 4 / 3) / 7},
        f"{GIVEN}, discount=reciprocal",
    ),
]


@pytest.mark.parametrize(("row", "setting", "expected"), cells(ROWS))
def test_each_setting_gives_the_number_worked_out_by_hand(row: Row, setting: str, expected: float) -> None:
    settings = ", ".join(filter(None, (f"{row.convention_name}={setting}", row.beside)))
    found = value_of(LABELS, RUN, NEUTRAL, row.user, row.metric, settings, **SIDE)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def number(spec: str, labels: Any = LABELS, run: Any = RUN, **side: Any) -> float:
    """The mean under the neutral preset."""
    return float(rc.evaluate(labels, run, spec, preset=NEUTRAL, **{**SIDE, **side})[spec])


def test_dcg_and_its_ideal_count_the_weights() -> None:
    weighed = f"ndcg({GIVEN}, discount=reciprocal)@2"  # a of weight 2; b, a are the best
    assert number(weighed) == pytest.approx((2 / (4 + 2 / 2) + 1) / 2)
    of_ones = f"ndcg({GIVEN}, discount=reciprocal, dcg-denominator=dcg-of-ones, aggregate=micro)@2"
    assert number(of_ones) == pytest.approx((2 / 1.5 + 2) / ((4 + 2 / 2) / 1.5 + 2))
    graded = {"u": {"a": 3, "b": 1}}
    assert number(f"dcg({GIVEN}, discount=none)@3", graded) == pytest.approx(3 * 2 + 1 * 4)
    assert number(f"recall({GIVEN}, hit-weight=grade)@3", graded) == pytest.approx((3 * 2 + 1 * 4) / 2)
    assert number(f"hit_count({GIVEN})@3", graded) == pytest.approx(2 + 4)


def test_three_numbers_are_called_self_normalised() -> None:
    """Of each user and averaged; of all hits together; of the means of lists and of best lists."""
    by_user = number(f"recall({GIVEN}, recall-denominator=relevant-weights)@1")
    pooled = number(f"recall({GIVEN}, recall-denominator=relevant-weights, aggregate=micro)@1")
    of_means = number(f"recall({GIVEN}, weight-norm=best, aggregate=ratio-of-means)@1")
    assert by_user == pytest.approx((2 / 7 + 1) / 2)
    assert pooled == pytest.approx((2 + 2) / (7 + 2))
    assert of_means == pytest.approx((2 / 3 + 2) / (4 / 3 + 2))
    found = rc.metric(f"recall({GIVEN}, weight-norm=best, aggregate=ratio-of-means)@1", preset=NEUTRAL)
    assert found.settings["aggregate"] == "micro"


def test_tied_items_count_their_expected_weight() -> None:
    run = {"u": {"a": 1.0, "b": 1.0, "x": 1.0}}
    labels = {"u": ["a", "b"]}
    for spec, expected in (
        (f"recall({GIVEN}, order=score, ties=expected)@1", (2 + 4 + 0) / 3 / 2),
        (f"dcg({GIVEN}, discount=none, order=score, ties=expected)@2", 2 * (2 + 4 + 0) / 3),
    ):
        assert number(spec, labels, run) == pytest.approx(expected)


@pytest.mark.parametrize("ties", ["given", "expected", "item-ascending"])
def test_many_users_have_the_values_of_each_alone(ties: str) -> None:
    """Lists that are prepared by the levels of grades, and those that are prepared row by row, have one value."""
    rnd = np.random.default_rng(5)
    items = [f"i{number}" for number in range(30)]
    labels = {f"u{user}": {str(item): 1 for item in rnd.choice(items, 4, replace=False)} for user in range(60)}
    run = {
        user: {str(item): float(rnd.integers(3)) for item in rnd.choice(items, 12, replace=False)} for user in labels
    }
    side = {"propensities": dict(zip(items, rnd.uniform(0.05, 1, 30).tolist(), strict=True))}
    specs = [
        f"{name}({GIVEN}, order=score, ties={ties}{more})@5"
        for name, more in (
            ("recall", ""),
            ("precision", ", weight-norm=best"),
            ("ndcg", ""),
            ("dcg", ", weight-clip=3"),
        )
    ]
    whole = rc.evaluate(labels, run, specs, preset=NEUTRAL, **side)
    for at, user in enumerate(whole.users.tolist()):
        alone = rc.evaluate({user: labels[user]}, {user: run[user]}, specs, preset=NEUTRAL, **side)
        for spec in specs:
            assert whole.per_user[spec][at] == pytest.approx(alone[spec], abs=1e-12)


def test_weights_of_one_change_nothing_and_all_weights_scale() -> None:
    ones = dict.fromkeys("abcdx", 1.0)
    for name in ("recall", "precision", "ndcg", "dcg", "hit_count"):
        assert number(f"{name}({GIVEN})@3", propensities=ones) == number(f"{name}@3")
        half = number(f"{name}({GIVEN})@3", propensities=dict.fromkeys("abcdx", 0.5))
        assert half == pytest.approx((1 if name == "ndcg" else 2) * number(f"{name}@3"))


def test_a_relevant_item_without_a_weight_is_refused_by_name() -> None:
    labels = {"u": {"a": 1, "x": 0}, "v": {"z": 1}}
    with pytest.raises(
        rc.MetricError, match=r"user 'v' has item 'z' without a weight \(item-weight=inverse-propensity"
    ):
        number(f"recall({GIVEN})@3", labels, RUN)
    assert number(f"recall({GIVEN}, missing-weight=one)@3", labels, {"u": ["a"], "v": ["z"]}) == (2 + 1) / 2
    assert number(f"recall({GIVEN}, missing-weight=nothing)@3", labels, {"u": ["a"], "v": ["z"]}) == (2 + 0) / 2
    assert number(f"recall({GIVEN}, on-invalid=skip)@3", labels, {"u": ["a"], "v": ["z"]}) == 2
    unjudged = {"u": ["a", "q"], "v": ["q"]}  # an item without a label needs no weight
    assert number(f"recall({GIVEN})@3", {"u": ["a"], "v": ["b"]}, unjudged) == (2 + 0) / 2


def test_few_users_of_training_give_no_weights() -> None:
    """The logarithm of their number is below 1, so that propensities would pass 1."""
    with pytest.raises(rc.MetricError, match="without a weight"):
        number("recall(item-weight=jain)@3", train={"s": ["a", "b", "c", "d"], "t": ["a"]})


def test_positions_belong_to_a_user() -> None:
    shown = {"u": ["b", "x", "a", "c"], "v": ["x", "y", "d"]}
    assert number("recall(item-weight=position)@3", shown=shown) == pytest.approx(((3 + 1) / 3 + 3) / 2)
    with pytest.raises(rc.MetricError, match="is of each user, and the lists of all users are pooled"):
        number("recall(item-weight=position, scope=global)@3")
    assert number(f"recall({GIVEN}, scope=global)") == pytest.approx((2 + 4 + 2) / 4)


def test_what_is_missing_is_named() -> None:
    for weight, given in (("inverse-propensity", "propensities"), ("jain", "train"), ("position", "shown")):
        with pytest.raises(
            rc.MetricError, match=rf"item-weight={weight} needs {given}, and none was given. Pass {given}="
        ):
            number(f"recall(item-weight={weight})@3", **{given: None})


def test_weights_of_labels_in_groups_are_those_of_their_items() -> None:
    labels = rc.Labels({"u": {"x": ["a"], "y": ["b"]}})
    spec = f"recall({GIVEN}, subtopics=separate)@1"
    assert number(spec, labels, {"u": ["a", "b"]}) == pytest.approx((2 + 0) / 2)


def test_an_explanation_has_the_weight_of_each_hit() -> None:
    found = rc.explain(LABELS, RUN, f"recall({GIVEN})@3", NEUTRAL, user="u", **SIDE)
    cells = [cell for cell in found.working.columns["weight"] if not isinstance(cell, str)]
    assert [cell.value for cell in cells if cell.value] == [2, 4]
    assert found.working.ratio.value == pytest.approx(6 / 3)


def test_why_names_how_each_is_normalised() -> None:
    sides = {name: SIDE[name] for name in ("propensities",)}
    found = rc.why(LABELS, RUN, a="pyxclib:psrecall@1", b="warprec:SNIPSRecall@1", **sides)
    text = found.to_text()
    assert "weight-norm: best → none" in text
    assert "recall-denominator: relevant → relevant-weights" in text
    assert "aggregate: micro → mean" in text
