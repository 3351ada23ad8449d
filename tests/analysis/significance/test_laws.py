"""What is tested does not depend on the order of users, runs and presets, nor a single p on what else is tested."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rankconv as rc
from rankconv.typing import SignificanceResult

ITEMS = np.arange(25)
Data = tuple[dict[str, list[int]], dict[str, dict[str, list[int]]]]


def data(seed: int, users: int = 36, names: str = "abc") -> Data:
    """Labels and lists drawn at random."""
    random = np.random.default_rng(seed)
    labels = {f"u{user}": random.choice(ITEMS, random.integers(1, 6), replace=False).tolist() for user in range(users)}
    return labels, {name: {user: random.permutation(ITEMS)[:6].tolist() for user in labels} for name in names}


def shuffled(one: Mapping[str, Any], seed: int) -> dict[str, Any]:
    return {key: one[key] for key in np.random.default_rng(seed).permutation([*one]).tolist()}


def told(found: SignificanceResult) -> dict[Any, tuple[float, ...]]:
    """All p-values by metric, presets and runs, exact, and the ends of the intervals, which may differ by rounding."""
    return {
        (one.metric, *sorted(one.presets), *sorted(one.runs)): (one.permutation.p, one.p)
        + (() if one.interval.why else tuple(sorted(abs(end) for end in (one.interval.low, one.interval.high))))
        for one in found.tests
    }


def same(ours: SignificanceResult, other: SignificanceResult) -> None:
    one, two = told(ours), told(other)
    assert one.keys() == two.keys()
    for place, numbers in one.items():
        assert numbers[:2] == two[place][:2], place
        assert numbers[2:] == pytest.approx(two[place][2:], rel=1e-12)


@pytest.mark.parametrize(("seed", "correction", "count"), [(1, "max-t", "both"), (2, "tukey", "either")])
def test_the_order_of_users_runs_and_presets_does_not_matter(seed: int, correction: Any, count: Any) -> None:
    (labels, runs), presets = data(seed), ["mllib", "trec_eval", "sklearn"]
    runs["b"].pop("u3")
    asked = {"correction": correction, "n_resamples": 300, "include_users": count}
    turned = {name: shuffled(run, seed + 1) for name, run in shuffled(runs, seed).items()}
    specs = ["ndcg@5", "precision@1"]
    ours = rc.test(labels, runs, specs, presets, **asked)
    same(ours, rc.test(shuffled(labels, seed), turned, specs, presets[::-1], **asked))


def test_a_single_p_is_that_of_the_test_alone() -> None:
    labels, runs = data(1, 200)
    every = rc.test(labels, runs, ["ndcg@3", "recall@5"], n_resamples=99, correction="holm")
    for one in every.tests:
        [alone] = rc.test(labels, {run: runs[run] for run in one.runs}, one.metric, n_resamples=99).tests
        assert one.permutation == alone.permutation


@pytest.mark.parametrize("correction", ["max-t", "tukey"])
def test_corrections_use_the_resamples_asked_for_and_papers_say_so(correction: Any) -> None:
    labels, runs = data(2, 30)
    runs["a"] = {user: [*items, 30, 31] for user, items in labels.items()}
    found = rc.test(labels, runs, "ndcg@5", correction=correction, n_resamples=12_345)
    assert min(one.p for one in found.tests) == pytest.approx(1 / 12_346)
    assert "12,345" in found.methods().paragraph.partition("corrected")[2]
    assert "12,345" in found.to_text(200)


def test_presets_are_one_definition_where_their_values_agree_to_twelve_digits() -> None:
    (labels, runs), presets = data(9), ["blog", "daisyrec", "mllib", "haystack", "cornac", "recommenders", "sklearn"]
    found = rc.test(labels, runs, "ndcg@5", presets, n_resamples=20)
    values = {
        name: np.concatenate([rc.evaluate(labels, run, "ndcg@5", name).per_user["ndcg@5"] for run in runs.values()])
        for name in presets
    }
    group = {name: place for place, one in enumerate(found.tests) for name in one.presets}
    group = {name: found.tests[place].presets[0] for name, place in group.items()}
    for one in presets:
        for other in presets:
            near = np.allclose(values[one], values[other], rtol=1e-12, atol=1e-15, equal_nan=True)
            assert near == (group[one] == group[other]), (one, other)
    assert len(found.tests) == 3 * len({*group.values()})
    assert sum(camp.definitions for camps in found.verdicts.values() for camp in camps) == len(found.tests)
    assert "different definitions" in " ".join(found.to_text(80).split())


def test_a_hit_rate_has_an_exact_p_and_the_page_says_so() -> None:
    labels, runs = data(3, 120, "ab")
    found = rc.test(labels, runs, ["hit_rate@3", "ndcg@3"], correction="none")
    hits, ndcg = found.tests
    wins, losses = hits.effect.wins, hits.effect.losses
    assert hits.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue)
    assert hits.permutation.exact
    assert not ndcg.permutation.exact
    assert "every choice of signs" in " ".join(found.to_text(200).split())
    assert "exact where users differ by one size" in found.methods().paragraph
    assert hits.smallest_p == max(2.0 ** (1 - wins - losses), 0)
    assert ndcg.smallest_p == 1 / (found.n_resamples + 1)


def test_few_hits_print_the_size_of_the_t_test() -> None:
    labels = {user: ["a"] for user in range(12)}
    runs = {"a": {user: ["a"] for user in labels}, "b": {user: ["a"] if user < 5 else ["x"] for user in labels}}
    runs["a"][11], runs["b"][11] = ["x"], ["a"]
    found = rc.test(labels, runs, "hit_rate@1")
    [one] = found.tests
    assert (one.differing, round(one.t_size, 4)) == (7, 0.0156)
    runs = {name: {user: run[user] for user in range(5, 12)} for name, run in runs.items()}
    found = rc.test({user: ["a"] for user in range(5, 12)}, runs, "hit_rate@1")
    [one] = found.tests
    assert one.t_size == 0.125
    assert found.to_frame()["t_size"].to_list() == [0.125]
    text = " ".join(found.to_text(200).split())
    assert "size of t" in text
    assert "12.5%" in text
    assert "Read p, not p of t" in text


RATIO = "implicit:precision@5"


@pytest.mark.parametrize(
    ("users", "spec", "how"), [(60, RATIO, None), (2_100, RATIO, "bca"), (60, "ndcg@5", "percentile")]
)
def test_the_order_of_users_does_not_matter_for_drawn_intervals(users: int, spec: str, how: Any) -> None:
    labels, runs = data(4, users, "a")
    ours = rc.metric(spec)(labels, runs["a"]).interval(how=how, n_resamples=60)
    other = rc.metric(spec)(shuffled(labels, 5), shuffled(runs["a"], 6)).interval(how=how, n_resamples=60)
    assert (ours.low, ours.high) == pytest.approx((other.low, other.high), rel=1e-12)


def test_the_order_of_users_does_not_matter_for_bands_and_segments() -> None:
    labels, runs = data(7, 50, "a")
    turned = shuffled(labels, 8), shuffled(runs["a"], 9)
    [one], [two] = (
        rc.curve(*both, "ndcg", max_k=3, n_resamples=50).lines.values() for both in ((labels, runs["a"]), turned)
    )
    assert np.allclose([one.low, one.high], [two.low, two.high], rtol=1e-12)
    teams = {user: {"team": user[-1] < "5"} for user in labels}
    ours, other = (
        rc.segments(*both, "precision@5", "implicit", by="team", user_features=teams, n_resamples=40).to_dict()[
            "segments"
        ]
        for both in ((labels, runs["a"]), turned)
    )
    for first, second in zip(*(sorted(part, key=lambda row: row["name"]) for part in (ours, other)), strict=True):
        for ends in ("interval", "difference"):
            assert first[ends]["low"] == pytest.approx(second[ends]["low"], rel=1e-12)


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 12), st.integers(0, 999), st.sampled_from(["ndcg@3", "mrr", "recall@2"]))
def test_no_interval_is_outside_the_range_of_the_metric(users: int, seed: int, spec: str) -> None:
    labels, runs = data(seed, max(users, 5))
    for one in rc.evaluate(labels, runs["a"], spec).intervals().values():
        assert one.why or 0 <= one.low <= one.high <= 1
    for test in rc.test(labels, runs, spec, n_resamples=20).tests:
        assert test.interval.why or -1 <= test.interval.low <= test.effect.mean <= test.interval.high <= 1
    pair = dict([*labels.items()][:2])
    found = rc.evaluate(pair, {user: runs["a"][user] for user in pair}, "ndcg@6").intervals()["ndcg@6"]
    assert found.why or 0 <= found.low <= found.high <= 1
