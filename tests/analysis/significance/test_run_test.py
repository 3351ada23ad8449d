"""Two runs and more, tested under one definition and many, against SciPy, hand-worked users and what must hold."""

import json

import numpy as np
import pytest
from scipy import stats

import rankconv as rc
from rankconv.evaluation.statistics.intervals import of_mean
from rankconv.metrics import METRICS

USERS = [f"u{number}" for number in range(12)]
LABELS = {user: {"a": 1, "b": 1} for user in USERS}


def run_of(ranks: list[int]) -> dict[str, list[str]]:
    """Runs whose reciprocal rank for each user is 1 / rank."""
    return {user: [*"xyz"[: rank - 1], "a"] for user, rank in zip(USERS, ranks, strict=False)}


GOOD, BAD = run_of([1, 1, 2, 1, 3, 1, 2, 1, 1, 2, 1, 1]), run_of([2, 1, 3, 2, 1, 2, 2, 3, 1, 4, 2, 1])
DIFFERENCES = np.array([0.5, 0, 1 / 6, 0.5, -2 / 3, 0.5, 0, 2 / 3, 0, 0.25, 0.5, 0])


def test_two_runs_by_hand() -> None:
    found = rc.test(LABELS, {"good": GOOD, "bad": BAD}, "mrr")
    [one] = found.tests
    assert (one.runs, one.users, one.alone) == (("good", "bad"), 12, (0, 0))
    assert one.effect.mean == pytest.approx(DIFFERENCES.mean(), rel=1e-14)
    assert (one.effect.wins, one.effect.losses, one.effect.ties) == (7, 1, 4)
    theirs = stats.permutation_test(
        (DIFFERENCES,), lambda x, axis: x.mean(axis), permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert one.permutation.exact
    assert one.p == one.permutation.p == pytest.approx(theirs.pvalue, rel=1e-12)
    t = stats.ttest_1samp(DIFFERENCES, 0)
    assert one.t == pytest.approx(t.pvalue, rel=1e-12)
    ours = of_mean(DIFFERENCES, within=(-1, 1))
    assert (one.interval.low, one.interval.high) == pytest.approx((ours.low, ours.high), rel=1e-12)
    assert one.means == pytest.approx(tuple(rc.evaluate(LABELS, run, "mrr")["mrr"] for run in (GOOD, BAD)), rel=1e-14)


def test_identical_runs_have_no_difference_and_p_1() -> None:
    found = rc.test(LABELS, {"one": GOOD, "copy": dict(GOOD)}, ["mrr", "ndcg@3"])
    assert {(one.p, one.effect.mean, one.better, one.interval.why) for one in found.tests} == {
        (1.0, 0.0, None, "all users have one value")
    }


def test_of_a_metric_where_less_is_better_the_run_with_less_is_better() -> None:
    metric = next(name for name, one in METRICS.items() if one.lower_is_better and name == "first_rank")
    runs = {"good": run_of([1] * 12), "bad": run_of([3] * 12)}
    [one] = rc.test(LABELS, runs, metric).tests
    assert one.better == "good"
    assert one.effect.mean == 2.0
    assert one.means == (1.0, 3.0)


def test_turned_pairs_turn_the_sign_alone_and_corrections_lower_nothing() -> None:
    runs = {"a": GOOD, "b": BAD, "c": run_of([2, 1, 1, 3, 1, 4, 1, 2, 2, 1, 3, 1])}
    found = rc.test(LABELS, runs, "mrr", correction="holm")
    ours = {one.runs: one for one in found.tests}
    for one in rc.test(LABELS, dict(reversed(runs.items())), "mrr", correction="holm").tests:
        other = ours[one.runs[::-1]]
        assert (one.p, one.permutation, one.users) == (other.p, other.permutation, other.users)
        assert one.effect.mean == -other.effect.mean
        assert one.better == other.better
    for correction in ("max-t", "tukey", "holm", "bh"):
        for one in rc.test(LABELS, runs, "mrr", correction=correction, n_resamples=2_000).tests:
            assert one.p >= ours[one.runs].permutation.p - 1e-12


def test_who_counts_is_asked_and_told() -> None:
    """Under mllib-like skipping, users without a list count in one run alone."""
    part = {user: GOOD[user] for user in USERS[:8]}
    asked = {
        count: rc.test(LABELS, {"good": part, "bad": BAD}, "mrr(on-no-ranking=skip)", include_users=count).tests[0]
        for count in ("both", "either", "baseline")
    }
    assert {count: (one.users, one.alone) for count, one in asked.items()} == {
        "both": (8, (0, 4)),
        "either": (12, (0, 4)),
        "baseline": (12, (0, 4)),
    }
    with_zeros = np.append(DIFFERENCES[:8], [-1, -0.25, -0.5, -1])
    assert asked["both"].effect.mean == pytest.approx(DIFFERENCES[:8].mean())
    assert asked["either"].effect.mean == pytest.approx(with_zeros.mean())


def test_all_tests_of_a_call_are_corrected_together() -> None:
    runs = {"good": GOOD, "bad": BAD}
    alone = rc.test(LABELS, runs, "mrr").tests[0]
    both = rc.test(LABELS, runs, ["mrr", "ndcg@3"], correction="holm").tests
    less, more = sorted(one.permutation.p for one in both)
    assert sorted(one.p for one in both) == [min(1, 2 * less), min(1, max(2 * less, more))]
    assert both[0].permutation.p == alone.p < both[0].p


def test_against_a_baseline_each_other_run_is_tested_once() -> None:
    runs = {"a": GOOD, "b": BAD, "c": run_of([2] * 12)}
    assert [one.runs for one in rc.test(LABELS, runs, "mrr", baseline="b").tests] == [("a", "b"), ("c", "b")]
    assert len(rc.test(LABELS, runs, "mrr").tests) == 3


def test_a_number_that_is_no_mean_of_users_is_said_not_to_be_tested() -> None:
    found = rc.test(
        LABELS, {"good": GOOD, "bad": BAD}, ["mrr", "mrr(aggregate=median(lower))", "auc(scope=global, order=score)"]
    )
    assert [one.metric for one in found.tests] == ["mrr"]
    reasons = {one.metric: one.why for one in found.untested}
    assert "median" in reasons["mrr(aggregate=median(lower))"]


@pytest.mark.parametrize(
    ("runs", "more", "words"),
    [
        ({"a": GOOD}, {}, "there is one run, 'a'"),
        ({"a": GOOD, "b": BAD}, {"baseline": "bb"}, "no run is called 'bb'"),
        ({"a": GOOD, "b": BAD}, {"correction": "holms"}, "holm"),
        ({"a": GOOD, "b": BAD}, {"alpha": 5}, "alpha=5 is not a valid number. It is a number from 0.0001 to 0.5"),
        ({"a": GOOD, "b": BAD}, {"alpha": float("nan")}, "alpha=nan is not a valid number"),
        ({"a": GOOD, "b": BAD}, {"n_resamples": 0}, "n_resamples=0 is not a count"),
        ({"a": GOOD, "b": BAD}, {"seed": "x"}, "seed='x' is not a count"),
        ({"a": GOOD, "b": {user: ["a"] for user in USERS[:4]}}, {}, "4 users count in both"),
    ],
)
def test_what_cannot_be_tested_says_why(runs: dict[str, object], more: dict[str, object], words: str) -> None:
    with pytest.raises(rc.RankconvError, match=words):
        rc.test(LABELS, runs, "mrr(on-no-ranking=skip)", **more)  # type: ignore[arg-type]


def test_every_form_holds_every_test() -> None:
    runs = {"good": GOOD, "bad": BAD, "middle": run_of([2] * 12)}
    found = rc.test(LABELS, runs, ["mrr", "ndcg@3"])
    assert found.to_frame().height == len(found.table().rows) == len(found.to_dict()["tests"]) == 6
    assert json.loads(json.dumps(found.to_dict()))["tests"][0]["metric"] == "mrr"
    for form in (found.to_text(80), found.to_markdown(), found.to_latex()):
        assert "middle" in form
    assert max(map(len, found.to_text(80).splitlines())) <= 80
