"""From users to one number: who counts, which mean, the mean over nobody, rounding."""

import math
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv import plugin
from rankconv.aggregation.means import MeanInputs, divide, sums_of, variance
from rankconv.data.arrays import ExactSum
from rankconv.metrics import METRICS

NEUTRAL = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS})

# precision@4 is 3/4, 2/4, 1/4 and 0; precision by length 3/4, 2/2, 1/3 and 0/1
LABELS = {"t": ["a", "b", "c"], "u": ["a", "b"], "v": ["a", "c"], "w": ["a"]}
RUN = {"t": ["a", "b", "c", "x"], "u": ["a", "b"], "v": ["a", "x", "y"], "w": ["x"]}


def mean(spec: str, labels: Any = LABELS, run: Any = RUN, **more: Any) -> float:
    return rc.evaluate(labels, run, spec, preset=NEUTRAL, **more)[spec]


def test_who_counts_hangs_on_the_user_alone_where_a_setting_says_so() -> None:
    labels: dict[str, Any] = {"t": {"a": 1}, "u": {"a": 0}, "v": {"b": 1}, "x": {}}
    run = {"t": ["a"], "v": [], "w": ["b"], "x": ["a"]}
    users = rc.convention("users")
    for name in users.setting_types:
        setting, whole = users("first(1)" if name == "first" else name), rc.join(labels, run)
        counted = {user for user, counts in zip(whole.users.values, setting(joined=whole), strict=True) if counts}
        alone = {
            user: rc.join(*({user: side[user]} if user in side else {} for side in (labels, run))) for user in "tuvwx"
        }
        own = {user for user, joined in alone.items() if any(setting(joined=joined))}
        assert (counted == own) == (setting.traits.spans_users is False), (name, counted, own)


@pytest.mark.parametrize(
    ("numerator", "denominator", "quotient"),
    [(3, 2, 1.5), (1, 0, math.inf), (-2, 0, -math.inf), (0, 0, math.nan), (math.nan, 0, math.nan), (-0.0, 0, math.nan)],
)
def test_a_quotient_of_sums(numerator: float, denominator: float, quotient: float) -> None:
    assert divide(numerator, denominator) == pytest.approx(quotient, nan_ok=True)


@pytest.mark.parametrize(
    ("values", "expected"), [([1, 3], 1), ([2], 0), ([1, math.inf], math.nan), ([math.nan, 1], math.nan)]
)
def test_the_variance_of_values(values: list[float], expected: float) -> None:
    assert variance(np.array(values, float)) == pytest.approx(expected, nan_ok=True)


MEANS = {
    "mean": (3 / 4 + 2 / 4 + 1 / 4 + 0) / 4,
    "sequential-mean": (3 / 4 + 2 / 4 + 1 / 4 + 0) / 4,
    "smoothed(0.25)": (3 / 4 + 2 / 4 + 1 / 4 + 0 + 1 / 4) / (4 + 2 / 4),
    "geometric-mean(floor=0.125)": (3 / 4 * 2 / 4 * 1 / 4 * 1 / 8) ** (1 / 4),
    "median(lower)": 1 / 4,
    "median(interpolated)": (1 / 4 + 2 / 4) / 2,
    "percentile(25)": 0 + (1 / 4 - 0) * 3 / 4,
    "standard-deviation": (((3 / 4) ** 2 + (2 / 4) ** 2 + (1 / 4) ** 2) / 4 - ((3 / 4 + 2 / 4 + 1 / 4) / 4) ** 2)
    ** 0.5,
    "variance": ((3 / 4) ** 2 + (2 / 4) ** 2 + (1 / 4) ** 2) / 4 - ((3 / 4 + 2 / 4 + 1 / 4) / 4) ** 2,
    "minimum": 0,
    "maximum": 3 / 4,
    "sum": 3 / 4 + 2 / 4 + 1 / 4 + 0,
    "micro": (3 + 2 + 1 + 0) / (4 * 4),
    "weighted-mean": (3 / 4 + 2 / 4 + 1 / 4 + 0) / 4,  # precision weighs all users alike
}


@pytest.mark.parametrize("setting", MEANS)
def test_the_mean_of_four_users(setting: str) -> None:
    assert mean(f"precision(aggregate={setting})@4") == pytest.approx(MEANS[setting], rel=1e-15)


def test_no_mean_is_left_out() -> None:
    told = {rc.convention("aggregate")(setting).setting_type.name for setting in MEANS}
    assert told | {"mean-of-parts"} == set(rc.convention("aggregate").setting_types)


def test_parts_are_averaged_before_they_are_combined() -> None:
    """The harmonic mean of the mean precision and the mean recall, which is not the mean F."""
    spec = "f1(aggregate=mean-of-parts, precision-denominator=length)"
    precision, recall = (3 / 4 + 2 / 2 + 1 / 3 + 0) / 4, (3 / 3 + 2 / 2 + 1 / 2 + 0) / 4
    assert mean(spec) == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-15)


def test_a_user_answered_by_a_policy_has_the_setting_in_each_part() -> None:
    spec = "f1(aggregate=mean-of-parts, on-no-hits=0.5, precision-denominator=length)"
    precision, recall = (3 / 4 + 2 / 2 + 1 / 3 + 0.5) / 4, (3 / 3 + 2 / 2 + 1 / 2 + 0.5) / 4
    assert mean(spec) == pytest.approx(2 * precision * recall / (precision + recall), rel=1e-15)


def test_a_metric_without_parts_has_no_mean_of_them() -> None:
    with pytest.raises(rc.MetricError, match="precision has none"):
        mean("precision(aggregate=mean-of-parts)")


def test_a_ratio_of_sums_weighs_users_by_their_denominators() -> None:
    spec = "precision(precision-denominator=length, aggregate=micro)"
    assert mean(spec) == (3 + 2 + 1 + 0) / (4 + 2 + 3 + 1)
    assert mean("precision(precision-denominator=length)") == pytest.approx((3 / 4 + 1 + 1 / 3 + 0) / 4, rel=1e-15)


def test_a_skipped_user_is_in_neither_sum() -> None:
    spec = "precision(precision-denominator=length, aggregate=micro, on-no-hits=skip)"
    assert mean(spec) == (3 + 2 + 1) / (4 + 2 + 3)


@pytest.fixture
def by_labels() -> Iterator[None]:
    """A metric in which a user weighs as much as he has labels."""

    class ByLabels(plugin.Metric):
        """Which share of the list is relevant?"""

        name = "by_labels"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(block.hits.sum(axis=1), block.lengths, weight=block.relevant_count)

    yield
    del METRICS["by_labels"]


@pytest.mark.usefixtures("by_labels")
def test_a_weighted_mean() -> None:
    preset = NEUTRAL.replace(metrics={"by_labels": {"aggregate": "weighted-mean"}})
    expected = (3 * 3 / 4 + 2 * 1 + 2 * 1 / 3 + 1 * 0) / (3 + 2 + 2 + 1)
    assert rc.evaluate(LABELS, RUN, "by_labels", preset=preset)["by_labels"] == pytest.approx(expected, rel=1e-15)


@pytest.mark.usefixtures("by_labels")
def test_a_user_answered_by_a_policy_keeps_his_weight() -> None:
    preset = NEUTRAL.replace(metrics={"by_labels": {"aggregate": "weighted-mean", "on-no-hits": 1}})
    expected = (3 * 3 / 4 + 2 * 1 + 2 * 1 / 3 + 1 * 1) / (3 + 2 + 2 + 1)
    assert rc.evaluate(LABELS, RUN, "by_labels", preset=preset)["by_labels"] == pytest.approx(expected, rel=1e-15)


@pytest.mark.usefixtures("by_labels")
def test_where_all_weights_are_0_nobody_counts() -> None:
    preset = NEUTRAL.replace(metrics={"by_labels": {"aggregate": "weighted-mean", "on-no-users": 0.5}})
    assert rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, "by_labels", preset=preset)["by_labels"] == 0.5


def test_the_weight_of_an_auc_matters_in_a_weighted_mean_alone() -> None:
    assert rc.metric("auc(auc-weight=rows, aggregate=weighted-mean)").diff(rc.metric("auc(aggregate=weighted-mean)"))
    with pytest.raises(rc.ConventionError, match="auc-weight=rows has no effect: the mean is not weighted"):
        rc.metric("auc(auc-weight=rows)")


values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def carried_out(setting: str, users: list[float]) -> float:
    """The mean of these values, each user weighing his value, divided from his value and itself."""
    summed, own, mean = ExactSum(), np.array(users), rc.convention("aggregate")(setting)
    summed.add(own)
    sums = sums_of(mean, MeanInputs(own, own, (own, own), (own,)))
    return float(mean(summed=summed, values=own, sums=sums, combine=lambda x: plugin.Ratio(x, x * 0 + 1)))


@given(values)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_means_agree_with_the_standard_library(users: list[float]) -> None:
    def one(setting: str) -> float:
        return carried_out(setting, users)

    assert one("mean") == statistics.fmean(users)
    assert one("median(lower)") == statistics.median_low(users)
    assert one("median(interpolated)") == pytest.approx(statistics.median(users), rel=1e-15)
    assert one("geometric-mean(floor=0.01)") == pytest.approx(
        statistics.geometric_mean([max(user, 0.01) for user in users]), rel=1e-12
    )
    assert (one("minimum"), one("maximum")) == (min(users), max(users))
    assert one("sum") == math.fsum(users)


@given(values, st.randoms())
@settings(derandomize=True, deadline=None, max_examples=50)
def test_no_mean_depends_on_the_order_of_users(users: list[float], random: Any) -> None:
    shuffled = random.sample(users, len(users))
    for setting_type in rc.convention("aggregate").setting_types.keys() - {"sequential-mean"}:
        given = {
            "geometric-mean": "geometric-mean(floor=0.01)",
            "median": "median(interpolated)",
            "smoothed": "smoothed(2)",
            "percentile": "percentile(30)",
        }
        text = given.get(setting_type, setting_type)
        one, other = carried_out(text, users), carried_out(text, shuffled)
        assert np.array_equal(one, other, equal_nan=True), setting_type


@pytest.mark.parametrize("setting", sorted(MEANS.keys() - {"micro"}))
def test_one_undefined_user_makes_the_mean_undefined(setting: str) -> None:
    assert math.isnan(mean(f"recall(aggregate={setting})", {"u": {"a": 1}, "v": {"a": 0}}, {"u": ["a"], "v": ["a"]}))


def test_a_user_with_nothing_to_sum_does_not_make_a_ratio_of_sums_undefined() -> None:
    assert mean("recall(aggregate=micro)", {"u": {"a": 1}, "v": {"a": 0}}, {"u": ["a"], "v": ["a"]}) == 1


# users

LEARNED = {"t": ["x"], "v": ["a"], "away": ["a"]}


@pytest.mark.parametrize(
    ("setting", "counted"),
    [
        *(("labelled", "tu"), ("ranked", "uv"), ("intersection", "u"), ("union", "tuv"), ("in-training", "tv")),
        ("first(2)", "tu"),
        ("named-in-labels", "tu"),
    ],
)
def test_who_is_looked_at(setting: str, counted: str) -> None:
    spec = f"hit_rate(users={setting})"
    result = rc.evaluate({"t": ["a"], "u": ["a"]}, {"u": ["a"], "v": ["a"]}, spec, preset=NEUTRAL, train=LEARNED)
    states = dict(zip(result.users.tolist(), result.state[spec].tolist(), strict=True))
    assert states == {user: "scored" if user in counted else "outside" for user in "tuv"}
    assert result[spec] == ("u" in counted) / len(counted)
    assert result.counts[spec] == {"scored": len(counted)} | ({"outside": 3 - len(counted)} if counted != "tuv" else {})
    assert np.isnan(result.per_user[spec]).tolist() == [user not in counted for user in result.users.tolist()]
    named = {"labelled", "ranked", "intersection", "union", "in-training", "first", "named-in-labels"}
    assert rc.convention("users").setting_types.keys() == named


def test_a_user_with_an_empty_list_of_labels_is_named() -> None:
    """Who is named by the labels counts, with a list or without; v is named by the run alone."""
    labels, run = {"t": ["a"], "u": [], "w": []}, {"t": ["a"], "u": ["a"], "v": ["a"]}
    spec = "hit_rate(users=named-in-labels)"
    result = rc.evaluate(labels, run, spec, NEUTRAL)
    states = dict(zip(result.users.tolist(), result.state[spec].tolist(), strict=True))
    assert states == {"t": "scored", "u": "scored", "w": "scored", "v": "outside"}
    assert result[spec] == 1 / 3


def test_listed_users_are_the_only_ones() -> None:
    assert mean("precision@4", users=["t", "v"]) == (3 / 4 + 1 / 4) / 2
    assert mean("precision@4", users=("v" for _ in range(2))) == 1 / 4
    result = rc.evaluate(LABELS, RUN, "precision@4", NEUTRAL, users=["t"])
    assert result.counts["precision@4"] == {"scored": 1, "outside": 3}


def test_a_listed_user_outside_the_population_stays_outside() -> None:
    result = rc.evaluate({"u": ["a"]}, {"u": ["a"], "v": ["a"]}, "hit_rate", NEUTRAL, users=["u", "v"])
    assert result.counts["hit_rate"] == {"scored": 1, "outside": 1}


@pytest.mark.parametrize(("population", "state"), [("union", "on-no-ranking: 0.5"), ("labelled", "outside")])
def test_a_listed_user_whom_the_data_cannot_name(population: str, state: str) -> None:
    """Neither labels nor list: counted where every user is, and only there."""
    spec = f"precision(users={population}, on-no-ranking=0.5)@1"
    result = rc.evaluate({"u": ["a"]}, {"u": ["a"]}, spec, NEUTRAL, users=["u", "ghost"])
    assert result.users.tolist() == ["u", "ghost"]
    assert result.state[spec].tolist() == ["scored", state]


# nobody


@pytest.mark.parametrize(("setting", "expected"), [("nan", math.nan), ("0", 0), ("0.5", 0.5)])
def test_the_mean_over_nobody(setting: str, expected: float) -> None:
    spec = f"recall(on-no-relevant=skip, on-no-users={setting})"
    result = rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec, NEUTRAL)
    assert result[spec] == pytest.approx(expected, nan_ok=True)
    assert result.counts[spec] == {"scored": 0, "on-no-relevant: skip": 1}
    assert not result.errors


def test_a_mean_over_nobody_may_be_refused() -> None:
    spec = "recall(on-no-relevant=skip, on-no-users=refuse-all)"
    with pytest.raises(rc.MetricError, match="no user counts, and the preset says on-no-users=refuse-all"):
        rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec, NEUTRAL)
    result = rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec, NEUTRAL, on_error="collect")
    assert math.isnan(result[spec])
    assert [refusal.policy for refusal in result.errors[spec]] == ["on-no-users"]


@pytest.mark.parametrize("setting", MEANS)
def test_no_mean_fails_over_nobody(setting: str) -> None:
    assert math.isnan(mean(f"recall(aggregate={setting}, on-no-relevant=skip)", {"u": {"a": 0}}, {"u": ["a"]}))


def test_no_user_at_all() -> None:
    assert math.isnan(mean("recall", {}, {}))
    assert mean("recall(on-no-users=0)", {}, {}) == 0


@pytest.mark.parametrize(("items", "quarter", "middle", "top"), [("zz", "zz", "zz", "zz"), ("aazz", "aa", "az", "zz")])
def test_means_between_infinite_values(items: str, quarter: str, middle: str, top: str) -> None:
    """An item of half of the users in training has novelty 1, one of nobody there infinite novelty."""
    run = {f"u{place}": [item] for place, item in enumerate(items)}
    expected = {"percentile(25)": quarter, "median(interpolated)": middle, "percentile(50)": middle, "maximum": top}
    for setting, between in expected.items():
        spec = f"novelty(popularity=user-share, unseen-item=0, aggregate={setting})"
        found = rc.evaluate({user: ["a"] for user in run}, run, spec, NEUTRAL, train={"t": ["a"], "s": ["b"]})
        assert found[spec] == (math.inf if "z" in between else 1), setting


# rounding

HUNDRED_SIXTIETH = {"u": ["a"]}, {"u": ["a"]}
"""Its user has precision 1/160: a double just above, which falls on a half when it is scaled to 4 places."""


@pytest.mark.parametrize(("setting", "expected"), [("none", 1 / 160), ("numpy(4)", 0.0062), ("exact(4)", 0.0063)])
@pytest.mark.parametrize("convention_name", ["round-user", "round-mean"])
def test_roundings_differ(convention_name: str, setting: str, expected: float) -> None:
    spec = f"precision({convention_name}={setting})@160"
    result = rc.evaluate(*HUNDRED_SIXTIETH, spec, NEUTRAL)
    assert result[spec] == expected
    assert result.per_user[spec].tolist() == [expected if convention_name == "round-user" else 1 / 160]
    assert rc.convention(convention_name).setting_types.keys() == {"none", "numpy", "exact"}


def test_a_user_is_rounded_before_the_mean() -> None:
    specs = ["precision(round-user=exact(0))@4", "precision(round-mean=exact(0))@4"]
    result = rc.evaluate(LABELS, RUN, specs, NEUTRAL)
    assert [result[spec] for spec in specs] == [1 / 4, 0]  # 3/4 is 1, 1/2 and 1/4 are 0; the mean is 3/8


HALVES = st.integers(-4000, 4000).map(lambda number: number / 1600)
"""Many are half a unit of some digit, or next to it."""


@given(st.lists(st.floats(-1, 1) | HALVES | st.floats(-1e6, 1e6), min_size=1, max_size=5), st.integers(0, 17))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_roundings_are_those_of_numpy_and_python(users: list[float], places: int) -> None:
    by_python, by_numpy = (rc.convention("round-user")(f"{rule}({places})") for rule in ("exact", "numpy"))
    assert by_python(values=np.array(users)).tolist() == [round(user, places) for user in users]
    assert by_numpy(values=np.array(users)).tolist() == np.round(users, places).tolist()


def test_what_is_undefined_stays_so_when_rounded() -> None:
    spec = "recall(round-user=exact(2), round-mean=exact(2))"
    assert math.isnan(mean(spec, {"u": {"a": 0}}, {"u": ["a"]}))


@pytest.mark.parametrize("floor", ["0", "-1"])
def test_a_geometric_mean_without_a_floor_above_0(floor: str) -> None:
    try:
        assert mean(f"precision(aggregate=geometric-mean(floor={floor}))@4") == 0
    except RuntimeWarning as warning:
        pytest.fail(str(warning))
    except rc.ConventionError:
        pass


@pytest.mark.parametrize(
    "setting", ["as-computed", "skip", "refuse-user", "refuse-all", "nan", "numerator", "numerator-over(3)", "0", "0.5"]
)
def test_a_ratio_of_sums_has_no_values_that_users_could_count_as(setting: str) -> None:
    spec = f"precision(aggregate=micro, on-no-relevant={setting}, on-zero-division=skip)@2"
    if setting in ("as-computed", "skip", "refuse-user", "refuse-all"):
        assert rc.metric(spec).settings["on-no-relevant"] == setting
    else:
        with pytest.raises(rc.MetricError, match="has no value of their own"):
            rc.metric(spec)


# what is reported


@pytest.mark.parametrize("setting", ["mean", "micro", "median(interpolated)", "weighted-mean"])
def test_a_loss_is_what_the_mean_lacks_of_1(setting: str) -> None:
    value, loss = (mean(f"recall(aggregate={setting}, report={how})@2") for how in ("value", "one-minus"))
    assert loss == pytest.approx(1 - value, rel=1e-15)
    assert mean("precision(aggregate=minimum, report=one-minus)@4") == 1 - 3 / 4
    assert mean("precision(aggregate=sum, report=one-minus)@4") == 4 - (3 / 4 + 2 / 4 + 1 / 4)


def test_a_loss_of_parts_is_turned_once() -> None:
    spec = "f1(aggregate=mean-of-parts, on-no-hits=0.5, precision-denominator=length"
    assert mean(f"{spec}, report=one-minus)") == pytest.approx(1 - mean(f"{spec})"), rel=1e-15)


def test_what_a_policy_says_is_turned_too_and_a_user_left_out_stays_out() -> None:
    labels, run = {"u": {"a": 1}, "v": {"b": 0}, "w": {"c": 1}}, {"u": ["a"], "v": ["b"], "w": ["x"]}
    spec = "recall(on-no-relevant=0.25, on-no-hits={}, report=one-minus)"
    result = rc.evaluate(labels, run, [spec.format("0"), spec.format("skip")], NEUTRAL)
    assert result.per_user[spec.format("0")].tolist() == [0, 3 / 4, 1]
    assert (result[spec.format("0")], result[spec.format("skip")]) == (7 / 12, 3 / 8)
    assert math.isnan(result.per_user[spec.format("skip")][2])


def test_the_setting_for_the_data_as_a_whole_and_one_list_are_turned() -> None:
    assert mean("recall(on-one-user=0.25, report=one-minus)", {"u": ["a"]}, {"u": ["a"]}) == 3 / 4
    assert mean("recall(scope=global, report=one-minus)") == pytest.approx(1 - mean("recall(scope=global)"), rel=1e-15)


def test_a_loss_is_best_where_it_is_least() -> None:
    loss, turned_back = NEUTRAL.define("recall(report=one-minus)")[0], NEUTRAL.define("fall_out(report=one-minus)")[0]
    assert (loss.lower_is_better, turned_back.lower_is_better) == (True, False)
    table = rc.compare(LABELS, rc.Runs(good=RUN, bad={"t": ["x"]}), loss)
    assert list(table.orders("recall").values()) == [("good", "bad")]


def test_a_loss_is_explained_and_cited() -> None:
    found = rc.explain(LABELS, RUN, "precision(report=one-minus)@4", user="t", preset=NEUTRAL)
    assert (found.value, found.agrees) == (1 / 4, True)
    assert "Then report=one-minus: 1 less the value." in " ".join(found.to_text().split())
    told = rc.cite("rbp(report=one-minus)@4", NEUTRAL).cited[0]
    assert told.formula.startswith(r"m = 1 - \left((1 - p)")
    assert told.formula.endswith(r"\right), \quad p = 0.8")
    assert "The value x of a user is reported as the loss 1 - x; the reported number is" in told.paragraph
