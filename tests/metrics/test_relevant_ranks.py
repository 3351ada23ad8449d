"""Ranks of each relevant item: worked by hand, against SciPy, and against each relevant item as a user of its own."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc

# ada: a at 1, x and b tied at 2 and 3, c at 4, y at 5; bob: x at 1, a at 2
LABELS = {"ada": ["a", "b", "c"], "bob": ["a"]}
RUN = {"ada": [("a", 9), ("x", 8), ("b", 8), ("c", 7), ("y", 6)], "bob": [("x", 2), ("a", 1)]}
RULES = {"min": 0.0, "max": 1.0, "average": 0.5}
STATISTICS = {
    "mean": np.mean,
    "geometric-mean": scipy.stats.gmean,
    "harmonic-mean": scipy.stats.hmean,
    "mean-reciprocal": lambda ranks: np.mean(1 / ranks),
    "hits": lambda ranks: np.mean(ranks <= 2),
    "median": np.median,
    "variance": np.var,
    "standard-deviation": np.std,
    "median-absolute-deviation": lambda ranks: scipy.stats.median_abs_deviation(ranks, scale="normal"),
    "count": len,
}


def values(spec: str) -> list[float]:
    return [float(one) for one in rc.evaluate(LABELS, RUN, spec, per_user=True)[spec].per_user]


@pytest.mark.parametrize(
    ("rule", "competing", "expected"),
    [
        ("min", "all", [(1 + 2 + 4) / 3, 2]),
        ("max", "all", [(1 + 3 + 4) / 3, 2]),
        ("average", "all", [(1 + 2.5 + 4) / 3, 2]),
        ("min", "not-relevant", [(1 + 1 + 2) / 3, 2]),
        ("max", "not-relevant", [(1 + 2 + 2) / 3, 2]),
        ("average", "not-relevant", [(1 + 1.5 + 2) / 3, 2]),
    ],
)
def test_mean_ranks_are_optimistic_pessimistic_or_realistic(rule: str, competing: str, expected: list[float]) -> None:
    assert values(f"relevant_rank(ties=rank({rule}), competing-rows={competing})") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("rank", [7 / 3, 2]), ("reciprocal", [(1 + 1 / 2 + 1 / 4) / 3, 1 / 2]), ("within-k", [2 / 3, 1])],
)
def test_values_of_ranks(value: str, expected: list[float]) -> None:
    assert values(f"relevant_rank(ties=rank(min), rank-value={value})@2") == pytest.approx(expected)
    pairs = f"relevant_rank(ties=rank(min), rank-value={value}, aggregate=micro, on-zero-division=as-computed)@2"
    assert rc.evaluate(LABELS, RUN, pairs)[pairs] == pytest.approx((3 * expected[0] + expected[1]) / 4)


def test_statistics_are_those_of_scipy() -> None:
    assert {*STATISTICS} == {*rc.convention("rank-statistic").setting_types}
    for statistic, of_ranks in STATISTICS.items():
        spec = f"rank_statistic(ties=rank(average), rank-statistic={statistic})@2"
        inverse = spec.replace("rank-statistic", "rank-adjustment=inverse, rank-statistic")
        found, number = rc.evaluate(LABELS, RUN, [spec, inverse]), of_ranks(np.array([1, 2.5, 4, 2]))
        assert (found[spec], found[inverse]) == pytest.approx((number, 1 / number)), statistic


@pytest.mark.parametrize("statistic", ["mean", "geometric-mean", "mean-reciprocal", "hits"])
def test_chance_is_every_rank_of_every_pair(statistic: str) -> None:
    """All ranks that three pairs of 2, 3 and 4 candidates may have, one after the other."""
    sizes = {"u": 2, "v": 3, "w": 4}
    labels = {user: ["a"] for user in sizes}
    run = {user: [("a", 9.0), *((f"x{n}", 9.0 - n) for n in range(1, size))] for user, size in sizes.items()}
    ways = np.array(list(product(*(range(1, size + 1) for size in sizes.values()))), float)
    each = np.array([STATISTICS[statistic](ranks) for ranks in ways])
    value, best = STATISTICS[statistic](np.ones(3)), STATISTICS[statistic](np.ones(3))
    sign = 1 if statistic in ("mean-reciprocal", "hits") else -1
    expected = {
        "ratio": value / each.mean(),
        "index": (value - each.mean()) / (best - each.mean()),
        "z-score": sign * (value - each.mean()) / each.std(),
    }
    specs = [f"rank_statistic(rank-statistic={statistic}, rank-adjustment={one})@2" for one in expected]
    assert [*rc.evaluate(labels, run, specs).values()] == pytest.approx([*expected.values()])


def test_users_may_have_equal_weights() -> None:
    spec = "rank_statistic(ties=rank(min), pair-weight=by-user)"
    assert rc.evaluate(LABELS, RUN, spec)[spec] == pytest.approx(((1 + 2 + 4) / 3 + 2) / 2)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("relevant_rank(ties=expected)", (2 + 3) / 2),
        ("relevant_rank(rank-value=reciprocal, ties=expected)", (1 / 2 + 1 / 3) / 2),
        ("relevant_rank(rank-value=within-k, ties=expected)@2", 1 / 2),
    ],
)
def test_a_tied_item_stands_at_each_rank_of_its_tie_with_one_chance(spec: str, expected: float) -> None:
    run = {"u": [("x", 2.0), ("a", 1.0), ("y", 1.0)]}
    assert rc.evaluate({"u": ["a"]}, run, spec)[spec] == pytest.approx(expected)


def test_a_statistic_without_an_expectation_is_not_adjusted() -> None:
    with pytest.raises(
        rc.MetricError, match=r"rank-adjustment=index is not defined for rank-statistic=median\. It is for"
    ):
        rc.metric("rank_statistic(rank-statistic=median, rank-adjustment=index)")


@pytest.mark.parametrize("adjustment", ["index", "z-score"])
@pytest.mark.parametrize("statistic", ["mean", "geometric-mean", "mean-reciprocal", "hits"])
def test_lists_of_one_item_are_as_good_as_chance(statistic: str, adjustment: str) -> None:
    spec = f"rank_statistic(rank-statistic={statistic}, rank-adjustment={adjustment})@3"
    users = {"u": ["a"], "v": ["b"], "w": ["c"]}
    assert rc.evaluate(users, users, spec)[spec] == 0


def test_nobody_has_a_relevant_item() -> None:
    spec = "rank_statistic(rank-statistic=median, on-no-users=nan)"
    assert math.isnan(rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec)[spec])


@pytest.mark.parametrize(("value", "low"), [("rank", True), ("reciprocal", False)])
def test_a_rank_is_better_low_and_what_falls_with_it_is_better_high(value: str, low: bool) -> None:
    assert rc.metric(f"relevant_rank(rank-value={value})@3").lower_is_better is low


def test_which_end_is_good() -> None:
    low = ("rank-adjustment=none", "rank-adjustment=ratio")
    high = (*(f"rank-adjustment={one}" for one in ("inverse", "index", "z-score")), "rank-statistic=hits")
    for text in (*low, *high, "rank-statistic=hits, rank-adjustment=index"):
        assert rc.metric(f"rank_statistic({text})@3").lower_is_better is (text in low), text


rows = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 2)), min_size=1, unique_by=lambda row: row[0])


@settings(max_examples=40)
@given(
    st.dictionaries(st.sampled_from("uvw"), rows, min_size=1),
    st.dictionaries(st.sampled_from("uvw"), st.sets(st.sampled_from("abc"))),
    st.sampled_from([*RULES]),
    st.booleans(),
)
def test_each_relevant_item_is_a_user_of_its_own(
    run: dict[str, list[tuple[str, int]]], labels: dict[str, set[str]], rule: str, filtered: bool
) -> None:
    """The value of a user is the mean of the first ranks of as many users, each with one relevant item."""
    labels = {user: [*labels.get(user, ())] for user in run}
    pairs: dict[str, Any] = {}
    for user, listed in run.items():
        for item in {item for item, _ in listed} & {*labels[user]}:
            others = {*labels[user]} - {item} if filtered else set()
            pairs[f"{user} {item}"] = [item], [row for row in listed if row[0] not in others]
    competing = "not-relevant" if filtered else "all"
    spec = f"relevant_rank(ties=rank({rule}), competing-rows={competing}, on-zero-division=skip)"
    found = rc.evaluate({user: dict.fromkeys(items, 1) for user, items in labels.items()}, run, spec, per_user=True)
    ours = dict(zip(found.users.tolist(), found[spec].per_user.tolist(), strict=True))
    single = f"first_rank(ties=rank({rule}))"
    each = rc.evaluate(
        {pair: one for pair, (one, _) in pairs.items()},
        {pair: one for pair, (_, one) in pairs.items()},
        single,
        per_user=True,
    )
    ranks = dict(zip(each.users.tolist(), each[single].per_user.tolist(), strict=True))
    for user in run:
        own = [rank for pair, rank in ranks.items() if pair.startswith(f"{user} ")]
        assert ours[user] == pytest.approx(np.mean(own)) if own else math.isnan(ours.get(user, math.nan))
