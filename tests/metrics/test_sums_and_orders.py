"""Sums that are divided otherwise than usual, and metrics that are no sums: worked out by hand, and against scipy."""

import itertools
import math

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.sensitivity.sensitivity import not_known
from rankconv.conventions.setting_table import equivalent
from rankconv.metrics import METRICS
from rankconv.preparation.facts import OnData
from rankconv.presets.definition import settings_of, with_changes

NEUTRAL = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS})
LABELS = {"u": {"a": 3.0, "b": 1.5, "z": 2.0}, "v": {"c": 1.25, "x": 0.0}, "w": {"x": 0.0}}
RUN = {
    "u": [("b", 0.9), ("?", 0.5), ("a", 0.25)],
    "v": [("x", 1.0), ("c", 0.5)],
    "w": [("x", 1.0)],
}
POOLED = "aggregate=micro"
LOG3 = math.log2(3)


def mean(spec: str) -> float:
    return rc.evaluate(LABELS, RUN, spec, NEUTRAL)[spec]


def each(spec: str) -> list[float]:
    return rc.evaluate(LABELS, RUN, spec, NEUTRAL).per_user[spec].tolist()


def worked(spec: str, *expected: float) -> None:
    assert each(spec) == pytest.approx(list(expected), rel=1e-14, nan_ok=True)


# gains and discounts


def test_gains_without_a_discount() -> None:
    worked("dcg(discount=none)@3", 4.5, 1.25, 0)
    worked("ndcg(discount=none)@1", 1.5 / 3, 0, math.nan)
    assert each("dcg(discount=none)@3") == each("cg@3")


def test_a_geometric_discount() -> None:
    worked("dcg(discount=geometric(0.5))@3", 1.5 + 3 / 4, 1.25 / 2, 0)
    rbp = each("rbp(rbp-persistence=0.5, gain=linear)@3")
    assert each("dcg(discount=geometric(0.5))@3") == pytest.approx([2 * value for value in rbp])


def test_gains_on_other_scales() -> None:
    worked("cg(gain=linear-times(25))@3", 112.5, 31.25, 0)
    worked("cg(gain=square-less-one)@3", 9 - 1 + 2.25 - 1, 1.25**2 - 1 - 1, -1)


def test_an_item_without_a_label_may_count_as_one_of_grade_0() -> None:
    """Its gain is that of grade 0, which few gains have other than 0; so has padding."""
    worked("cg(gain=square-less-one, unjudged=grade-0)@3", 9 - 1 + 2.25 - 1 - 1, 1.25**2 - 2, -1)
    worked("cg(gain=square-less-one, unjudged=grade-0, candidates=padded)@4", 9.25 - 2, 1.25**2 - 4, -4)
    for metric in ("dcg@3", "precision@3", "recall@3", "map@3"):
        name, k = metric.split("@")
        assert each(f"{name}(unjudged=grade-0)@{k}") == pytest.approx(each(metric), nan_ok=True)
    worked("judged_share(unjudged=grade-0)@3", 1, 2 / 3, 1 / 3)
    worked("judged_share@3", 2 / 3, 2 / 3, 1 / 3)


def test_an_ideal_list_that_is_filled_with_grade_0() -> None:
    best_u, best_v, best_w = 8 + 3 / LOG3 + 1.25 / 2 - 1 / math.log2(5), 1.25**2 - 1 - 1 / LOG3 - 0.5, 0.0
    best_v -= 1 / math.log2(5)
    best_w = -1 - 1 / LOG3 - 0.5 - 1 / math.log2(5)
    worked("ideal_dcg(gain=square-less-one, ideal=all-labels-then-zeros)@4", best_u, best_v, best_w)
    worked("ideal_dcg(ideal=all-labels-then-zeros)@4", *each("ideal_dcg@4"))
    worked("ideal_dcg(ideal=all-labels-then-zeros)", *each("ideal_dcg"))
    # not filled without a cutoff, also where another user has more labels
    worked(
        "ideal_dcg(gain=square-less-one, ideal=all-labels-then-zeros)",
        best_u + 1 / math.log2(5),
        1.25**2 - 1 - 1 / LOG3,
        -1,
    )


def test_an_ideal_list_of_the_relevant_labels() -> None:
    worked("ideal_dcg(relevant=at-least(2), ideal=relevant-labels)@9", 3 + 2 / LOG3, 0, 0)
    worked("ideal_dcg(relevant=at-least(2), ideal=relevant-labels)@1", 3, 0, 0)
    labels, run = {"u": {"a": 1, "b": -1}}, {"u": ["b", "a"]}
    spec = "ndcg(gain=exponential, ideal=relevant-labels)@2"
    assert rc.evaluate(labels, run, spec, NEUTRAL)[spec] == pytest.approx(-0.5 + 1 / LOG3)


# divisors of DCG and of ranks


def test_dcg_divided() -> None:
    u, v = 1.5 + 3 / 2, 1.25 / LOG3
    worked("dcg(dcg-denominator=by(k))@5", u / 5, v / 5, 0)
    worked("dcg(dcg-denominator=by(min(k, relevant)))@2", 1.5 / 2, v / 1, math.nan)
    worked("dcg(dcg-denominator=dcg-of-ones)@5", u / (1 + 1 / LOG3 + 1 / 2), v / 1, math.nan)
    worked("dcg(dcg-denominator=dcg-of-ones)@1", 1.5, 0, math.nan)
    worked("dcg(dcg-denominator=dcg-of-ones, discount=none)", 4.5 / 3, 1.25, math.nan)


def test_what_divides_dcg_and_its_ideal_weighs_users_in_a_ratio_of_sums() -> None:
    u, v, best_u = 1.5 + 3 / 2, 1.25 / LOG3, 3 + 2 / LOG3 + 1.5 / 2
    assert mean(f"ndcg({POOLED})@3") == pytest.approx((u + v) / (best_u + 1.25))
    assert mean(f"ndcg({POOLED}, dcg-denominator=by(relevant))@3") == pytest.approx((u / 3 + v) / (best_u / 3 + 1.25))
    ones = 1 + 1 / LOG3 + 1 / 2
    assert mean(f"ndcg({POOLED}, dcg-denominator=dcg-of-ones)@3") == pytest.approx(
        (u / ones + v) / (best_u / ones + 1.25)
    )


def test_of_one_user_it_cancels_unless_it_is_0() -> None:
    plain, divided = rc.metric("ndcg@3", NEUTRAL), rc.metric("ndcg(dcg-denominator=by(relevant))@3", NEUTRAL)
    assert divided(LABELS, RUN).per_user.tolist() == pytest.approx(plain(LABELS, RUN).per_user.tolist(), nan_ok=True)
    by_length = rc.metric("ndcg(dcg-denominator=by(length), on-zero-division=nan)", NEUTRAL)
    assert by_length({"u": {"a": 1}}, {"u": []}).per_user.tolist() == [pytest.approx(math.nan, nan_ok=True)]


def test_ranks_divided() -> None:
    worked("relevant_rank", (1 + 3) / 2, 2, math.nan)
    worked("relevant_rank(rank-denominator=relevant)", (1 + 3) / 3, 2, math.nan)
    worked("relevant_rank(rank-denominator=one)", 4, 2, 0)


# average precision times scores


def test_precisions_times_scores() -> None:
    worked("map(ap-weight=score)@3", (0.9 + 2 / 3 * 0.25) / 3, 0.5 / 2, math.nan)
    worked("map(ap-weight=score, ap-denominator=hits)@1", 0.9, math.nan, math.nan)


def test_scores_are_rounded_before_they_are_multiplied() -> None:
    """Also where lists are not ordered by them, so that the setting matters there, and is in the signature."""
    for order in ("given", "score"):
        spec = f"map(ap-weight=score, score-dtype=float32, order={order})@1"
        worked(spec, float(np.float32(0.9)) / 3, 0, math.nan)
        assert "score-dtype" not in rc.metric(spec, NEUTRAL).idle_rules
        assert "score-dtype:float32" in rc.metric(spec, NEUTRAL)(LABELS, RUN).signature
    assert "score-dtype" in rc.metric("map(order=given)@1", NEUTRAL).idle_rules


def test_rounded_scores_are_not_taken_for_the_same_where_none_are_tied() -> None:
    joined = rc.join(LABELS, RUN)
    for weight, same in (("one", True), ("score", False)):
        specs = [f"map(ap-weight={weight}, order=score, score-dtype={dtype})" for dtype in ("float32", "float64")]
        ours, other = (OnData(settings_of(*rc.metric(one, NEUTRAL).setting_sets), joined) for one in specs)
        assert equivalent("score-dtype", ours, other) is same


def test_negative_scores_make_a_worse_order_better() -> None:
    """So the best and the worst order of ties are not known: a hit costs less where the precision is low."""
    labels, run = {"u": ["a"]}, {"u": [("a", -1.0), ("x", -1.0)]}
    [definition] = NEUTRAL.define("map(ap-weight=score)@2")
    assert not_known(definition, rc.join(labels, run)) == "ap-weight=score"
    asked = [with_changes(definition, {"order": "score", "ties": f"relevant-{end}"}) for end in ("first", "last")]
    assert [float(one(labels, run)) for one in asked if one] == [-1, -1 / 2]


def test_scores_need_be_there() -> None:
    with pytest.raises(rc.MetricError, match="needs scores"):
        rc.evaluate(LABELS, {"u": ["a"]}, "map(ap-weight=score)@3", NEUTRAL)


# F of counts


def test_f_of_counts() -> None:
    worked("f1(f-form=counts, precision-denominator=length)", 4 / 6, 2 / 3, 0)
    worked("f1(precision-denominator=length)", 4 / 6, 2 / 3, math.nan)
    worked("f1(f-form=counts)@1", 2 / 4, 0, 0)
    micro = f"f1(f-form=counts, precision-denominator=length, {POOLED})"
    assert mean(micro) == pytest.approx(2 * 3 / (3 + 3 + 2 + 1 + 1 + 0))
    assert mean(f"f(beta=2, f-form=counts, precision-denominator=length, {POOLED})") == pytest.approx(
        5 * 3 / (4 * (3 + 1 + 0) + (3 + 2 + 1))
    )


def test_sums_of_f_of_parts_are_none() -> None:
    with pytest.raises(rc.MetricError, match=r"f has none\. Write f-form=counts"):
        mean(f"f1({POOLED})")
    with pytest.raises(rc.MetricError, match="averages parts, and f has none"):
        mean("f1(f-form=counts, aggregate=mean-of-parts)")


# counts


def test_items_of_which_list_and_labels_differ() -> None:
    worked("count(count-of=differences)", 1 + 1, 1, 1)
    worked("count(count-of=differences)@1", 0 + 2, 1 + 1, 1)
    parts = [each(f"count(count-of={of})") for of in ("misses", "unretrieved")]
    assert each("count(count-of=differences)") == np.add(*parts).tolist()


def test_rows_without_a_judgment() -> None:
    worked("count(count-of=unjudged)", 1, 0, 0)
    worked("count(count-of=unjudged)@1", 0, 0, 0)
    assert mean("count(count-of=unjudged, aggregate=sum)@2") == 1


# orders


def test_the_highest_gain() -> None:
    worked("highest_gain@1", 1.5, 0, 0)
    worked("highest_gain", 3, 1.25, 0)
    worked("highest_gain(gain=exponential)@9", 7, 2**1.25 - 1, 0)
    labels = {"u": {"a": -2, "b": -1}, "v": {"a": 1}}
    negative = rc.evaluate(labels, {"u": ["a", "b"]}, "highest_gain", NEUTRAL)
    assert negative.per_user["highest_gain"].tolist() == [-1, 0]


@pytest.mark.parametrize("grades", [*itertools.product((0, 1, 2), repeat=4)][::7])
def test_kendall_s_tau(grades: tuple[int, ...]) -> None:
    """tau-a, from scipy's tau-b: both have the same numerator."""
    stats = pytest.importorskip("scipy.stats")
    items = "abcd"
    found = rc.evaluate({"u": dict(zip(items, grades, strict=True))}, {"u": [*items]}, "kendall_tau", NEUTRAL)
    pairs = 6 - sum(one == other for one, other in itertools.combinations(grades, 2))
    tau = stats.kendalltau(range(4, 0, -1), grades).statistic if pairs else 0.0
    assert found["kendall_tau"] == pytest.approx(tau * math.sqrt(6 * pairs) / 6, abs=1e-14)


def test_kendall_s_tau_may_fall_when_a_better_item_moves_up() -> None:
    """Into the rows that are read, and below a worse one: so it does not promise to rise."""
    labels, runs = {"u": {"a": 1}}, ({"u": ["x", "y", "a"]}, {"u": ["x", "a", "y"]})
    assert [rc.evaluate(labels, run, "kendall_tau@2", NEUTRAL)["kendall_tau@2"] for run in runs] == [0, -1]
    assert not METRICS["grade_tau"].keeps("rises")


def test_the_ends_of_the_range_of_kendall_s_tau_are_the_worst_and_the_best_list() -> None:
    labels = {user: {item: grade for grade, item in enumerate("abcde")} for user in ("worst", "best")}
    found = rc.evaluate(labels, {"worst": [*"abcde"], "best": [*"edcba"]}, "kendall_tau", NEUTRAL)
    assert tuple(found.per_user["kendall_tau"].tolist()) == METRICS["grade_tau"].range == (-1, 1)


def test_kendall_s_tau_of_the_first_rows() -> None:
    worked("kendall_tau", (1 - 1 - 1) / 3, -1, math.nan)
    worked("kendall_tau@2", 1, -1, math.nan)


# all lists


def test_the_share_of_relevant_items_that_somebody_is_shown() -> None:
    labels = {"u": ["a", "b"], "v": ["b", "c"], "w": ["a"]}
    run = {"u": ["x", "b"], "v": ["c"], "w": ["x", "y", "a"]}
    for k, expected in ((1, 1 / 3), (2, 2 / 3), (3, 1)):
        spec = f"relevant_coverage@{k}"
        assert rc.evaluate(labels, run, spec, NEUTRAL)[spec] == pytest.approx(expected)
    assert math.isnan(rc.evaluate({"u": {"a": 0}}, run, "relevant_coverage", NEUTRAL)["relevant_coverage"])
    away = rc.evaluate(labels, {"u": ["a"], "v": ["a"]}, "relevant_coverage", NEUTRAL)
    assert away["relevant_coverage"] == pytest.approx(1 / 3)  # a of v is no hit


# policies


def test_a_user_with_more_than_one_relevant_label() -> None:
    worked("recall(on-several-relevant=nan)", math.nan, 1, math.nan)
    assert mean("recall(on-several-relevant=skip, on-no-relevant=skip)") == 1


def test_data_in_which_no_user_has_a_relevant_label() -> None:
    refused = "precision(on-no-relevant-at-all=refuse-all)@1"
    assert mean(refused) == pytest.approx(1 / 3)
    with pytest.raises(rc.MetricError, match="no user has a relevant label"):
        rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, refused, NEUTRAL)
