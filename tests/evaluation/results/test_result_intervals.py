"""Intervals of numbers: those of SciPy where it has them, the whole number computed anew everywhere, reasons else."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankconv as rc

USERS = [f"u{number}" for number in range(30)]
GENERATOR = np.random.default_rng(2)
LABELS = {user: {item: int(GENERATOR.integers(0, 3)) for item in "abcdef"} for user in USERS}
RUN = {user: {item: float(GENERATOR.random()) for item in "abcdefgh"} for user in USERS}
MEDIAN, POOLED = "ndcg(aggregate=median(lower))@5", "auc(scope=global, order=score)"
GEOMETRIC, EXTREME = "map(aggregate=geometric-mean(floor=0.001))@5", "map(aggregate=minimum)@5"
SPECS = ["ndcg@5", MEDIAN, "implicit:precision@5", "f1(aggregate=mean-of-parts)@5", GEOMETRIC, POOLED, EXTREME]
RESULT = rc.evaluate(LABELS, RUN, SPECS)


def drawn_anew(spec: str, drawn: list[int]) -> float:
    """The number of data in which each user drawn is a user of their own."""
    names = [(f"{USERS[user]}-{copy}", USERS[user]) for copy, user in enumerate(drawn)]
    labels, run = ({name: data[user] for name, user in names} for data in (LABELS, RUN))
    return float(rc.evaluate(labels, run, spec, on_error="collect")[spec])  # type: ignore[call-overload]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 29), min_size=2, max_size=12), st.sampled_from(SPECS))
def test_users_drawn_twice_count_as_two_users_do(drawn: list[int], spec: str) -> None:
    again = RESULT.measured(spec).again
    assert again is not None
    assert again.number(np.array(drawn)) == pytest.approx(drawn_anew(spec, drawn), rel=1e-12, nan_ok=True)


def test_a_plain_mean_has_students_interval_where_it_is_asked_for_or_users_are_many() -> None:
    found, values = RESULT["ndcg@5"].interval(0.9, "t"), RESULT.per_user["ndcg@5"]
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)
    twice = [{f"{copy}{user}": one[user] for copy in "ab" for user in USERS} for one in (LABELS, RUN)]
    assert rc.metric("ndcg@5")(*twice).interval().how == found.how == "t"
    assert RESULT["ndcg@5"].interval(0.9).how == "score"


@pytest.mark.parametrize(
    ("spec", "how"), [(MEDIAN, "percentile"), ("f1(aggregate=mean-of-parts)@5", "bca"), (POOLED, "bca")]
)
def test_all_else_is_computed_anew(spec: str, how: str) -> None:
    found = RESULT[spec].interval(n_resamples=400, seed=3)
    assert found.how == how
    assert found.low < RESULT[spec] < found.high
    generator = np.random.default_rng(3)
    numbers = [drawn_anew(spec, generator.integers(0, 30, 30).tolist()) for _ in range(40)]
    inside = np.mean([found.low <= number <= found.high for number in numbers])
    assert inside >= 0.8


def test_a_ratio_of_sums_has_no_formula_of_means() -> None:
    """Users of many labels weigh more: the interval is that of the ratio, as SciPy draws it from both columns."""
    labels = {user: list("abcdefgh"[: 1 + number % 8]) for number, user in enumerate(USERS)}
    run = {user: list("abxcydze") if number % 3 else list("xyabzc") for number, user in enumerate(USERS)}
    number = rc.metric("implicit:precision@5")(labels, run)
    hits = np.array([len(set(labels[user]) & set(run[user][:5])) for user in USERS])
    most = np.minimum(5, [len(labels[user]) for user in USERS])
    theirs = stats.bootstrap(
        (hits, most),
        lambda one, other, axis: one.sum(axis) / other.sum(axis),
        paired=True,
        n_resamples=5_000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    found = number.interval(n_resamples=5_000)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.012)


def test_where_there_is_none_the_reason_is_said() -> None:
    found = RESULT.intervals(n_resamples=50)
    assert list(found) == SPECS
    assert np.isnan(found[EXTREME].low)
    assert "minimum" in found[EXTREME].why
    assert not found["ndcg@5"].why
    with pytest.raises(rc.MetricError, match="minimum"):
        RESULT[EXTREME].interval()
    with pytest.raises(rc.MetricError, match="plain means alone"):
        RESULT[MEDIAN].interval(how="t")
    with pytest.raises(rc.MetricError, match="all users have one value"):
        rc.metric("mrr")({"u": ["a"], "v": ["a"]}, {"u": ["a"], "v": ["a"]}).interval()
    with pytest.raises(rc.MetricError, match="1 users count"):
        rc.metric("mrr")({"u": ["a"]}, {"u": ["a"]}).interval()
    with pytest.raises(rc.MetricError, match="were not kept"):
        rc.evaluate(LABELS, RUN, MEDIAN, per_user=False)[MEDIAN].interval()
    assert str(pickle.loads(pickle.dumps(RESULT[MEDIAN])).interval()) == str(RESULT[MEDIAN].interval())
    with pytest.raises(rc.MetricError, match="one number of all lists"):
        rc.metric("coverage@3")(rc.join(LABELS, RUN, catalogue=20)).interval()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"confidence_level": 95}, "is not a valid number"),
        ({"how": "bcc"}, "bca"),
        ({"n_resamples": 0}, "n_resamples=0 is not a count"),
    ],
)
def test_what_is_no_interval_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(rc.RankconvError, match=words):
        RESULT["ndcg@5"].interval(**given)  # type: ignore[arg-type]


def test_drawn_intervals_need_ten_users() -> None:
    """Of fewer, users drawn again hold the number in 80 to 90 %, where 95 % are promised."""
    for users in (9, 10):
        labels = {user: ["a", "b"] for user in range(users)}
        found = rc.metric("implicit:precision@5")(labels, {user: ["a", *"xyz"[: user % 3]] for user in labels})
        if users < 10:
            with pytest.raises(rc.MetricError, match=r"9 users count: .* 10 at least are needed"):
                found.interval()
        else:
            assert found.interval(n_resamples=99).how == "bca"
