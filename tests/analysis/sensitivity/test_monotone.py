"""Best and worst orders of ties are exact: against every order, for every metric of every preset that says so."""

from collections.abc import Sequence
from itertools import groupby, permutations, product
from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.sensitivity.sensitivity import EXPECTED, by_score, not_known, of_ties
from rankconv.engine import measure
from rankconv.metrics import METRICS
from rankconv.presets.definition import with_changes
from tests.laws import examples
from tests.laws.test_laws import different, of_users_alone, parts

Rows = list[tuple[str, float]]


def orders(rows: Rows) -> list[Rows]:
    """Every order in which rows of equal score may stand, from the highest score down."""
    by_score = sorted(rows, key=lambda row: -row[1])
    ties = [list(permutations(tie)) for _, tie in groupby(by_score, key=lambda row: row[1])]
    return [[row for tie in way for row in tie] for way in product(*ties)]


def drawn(seed: int) -> tuple[list[tuple[str, int]], Rows]:
    """Labels of grade 0 to 2, and a list of a few rows, most of them tied."""
    draw = Random(seed)
    items = [str(place) for place in range(1, 9)]
    labels = [(item, draw.randint(0, 2)) for item in draw.sample(items, draw.randint(2, 6))]
    rows = [(item, draw.choice([2.0, 1.0])) for item in draw.sample(items, draw.randint(4, 6))]
    return labels, rows


def checked(seed: int, asked: Sequence[rc.Definition]) -> set[str]:
    """Compare with all orders, each of them a user's list; the metrics for which ties made a difference."""
    labels, rows = drawn(seed)
    ways = orders(rows)
    users = {f"u{place}": way for place, way in enumerate(ways)}
    joined = rc.join(dict.fromkeys(users, labels), users, catalogue=20)
    known = [one for one in asked if not not_known(one, joined)]
    told = set()
    rules = ("given", "relevant-last", "relevant-first")
    each = [[with_changes(one, {"order": "score", "ties": rule}) for one in known] for rule in rules]
    found = [measure(joined, [one for one in rule if one], None) for rule in each]
    for given, *ends in zip(*found, strict=True):
        values = given.values[~np.isnan(given.values)]
        worst, best = ends[::-1] if given.definition.lower_is_better else ends
        for extreme, end in ((worst, values.min(initial=np.inf)), (best, values.max(initial=-np.inf))):
            expected = end if len(values) else np.nan
            assert extreme.values[0] == pytest.approx(expected, nan_ok=True), (extreme.definition.text, labels, rows)
        if len(values) and values.min() < values.max():
            told.add(given.definition.metric.name)
    return told


def test_best_and_worst_are_those_of_all_orders() -> None:
    """Of every metric that promises it a few definitions, and all of them find lists whose ties matter."""
    promising = {name for name, metric in METRICS.items() if metric.keeps("rises")}
    asked = []
    for name in sorted(promising):
        own = [of_users_alone(one) for one in different() if one.metric.name == name]
        asked += Random(name).sample(own, min(8, len(own)))
    told = set().union(*(checked(seed, asked) for seed in range(4)))
    assert told == promising
    assert told == {
        "ndcg", "dcg", "cg", "scaled_dcg", "gain_mean", "err", "pfound", "rbp", "precision", "recall", "f", "hit_rate",
        "hit_count", "r_precision", "average_precision", "reciprocal_rank", "highest_gain", "work_saved", "jaccard",
    }  # fmt: skip


RISING = {
    "ideal": "all-labels all-labels-unsorted catalogue expected-random all-ones relevant-labels all-labels-then-zeros",
    "aggregate": "mean sequential-mean geometric-mean(floor=0.1) median(lower) percentile(50) minimum maximum sum "
    "smoothed(1) micro,on-zero-division=skip",
    "duplicates": "each once first-row last-row set pairs invalid",
    "subtopics": "ignore any,no-subtopic=one",
    "unjudged": "not-relevant grade-0",
    "scope": "per-user",
    "score-transform": "none",
    "report": "value one-minus",
}
"""Settings under which a number cannot get worse when a better item moves up, where no list repeats an item."""
FALLING = {
    "ideal": "retrieved retrieved-at(2) retrieved-at-k",
    "relevant": "highest",
    "aggregate": "variance standard-deviation",
    "unjudged": "condensed-before-depth condensed-after-depth",
}


@pytest.mark.parametrize("convention_name", RISING)
def test_best_and_worst_are_known_where_a_number_only_rises(convention_name: str) -> None:
    labels, rows = drawn(0)
    joined = rc.join({"u": labels}, {"u": rows}, catalogue=20)
    for setting in RISING[convention_name].split():
        [definition] = rc.preset("rankconv").define(f"ndcg({convention_name}={setting})@3")
        assert not_known(definition, joined) == "", setting
        assert any(checked(seed, [definition]) for seed in range(4)), setting


@pytest.mark.parametrize("convention_name", FALLING)
def test_they_are_not_where_a_number_may_fall(convention_name: str) -> None:
    labels, rows = drawn(0)
    joined = rc.join({"u": labels}, {"u": rows}, catalogue=20)
    for setting in FALLING[convention_name].split():
        [definition] = rc.preset("rankconv").define(f"ndcg({convention_name}={setting})@3")
        assert not_known(definition, joined) == f"{convention_name}={setting}"


@pytest.mark.parametrize(
    "spec", ["ndcg(report=one-minus)@3", "precision(report=one-minus)@2", "mrr(report=one-minus, on-no-hits=1)"]
)
def test_the_best_order_has_the_least_loss(spec: str) -> None:
    [definition] = rc.preset("rankconv").define(spec)
    assert definition.lower_is_better
    assert any(checked(seed, [definition]) for seed in range(8)) == ("on-no-hits" not in spec)
    labels, run = {"u": ["a"]}, {"u": [("x", 1.0), ("a", 1.0)]}
    found = rc.sensitivity(labels, run, "ndcg(report=one-minus)@1", "rankconv")
    means = {order: found.mean("", order, "rankconv") for order in found.orders}
    assert means == {"worst": 1.0, "expected": 0.5, "best": 0.0}


@pytest.mark.parametrize("seed", range(examples.of(quick=1, ci=3)))
def test_averaged_is_the_mean_over_all_orders(seed: int) -> None:
    labels, rows = drawn(seed)
    users = {f"u{place}": way for place, way in enumerate(orders(rows))}
    joined = rc.join(dict.fromkeys(users, labels), users, catalogue=20)
    known = [of_users_alone(one) for one in parts() if one.settings["round-user"] == "none"]
    told = [one for one in known if not not_known(one, joined)]
    asked = [(each, ties[EXPECTED]) for one in told if (each := by_score(one)) and EXPECTED in (ties := of_ties(one))]
    given, averaged = (measure(joined, [pair[side] for pair in asked], None) for side in (0, 1))
    for one, other in zip(given, averaged, strict=True):
        if not np.isnan(one.values).any():
            assert other.values[0] == pytest.approx(one.values.mean()), (other.definition.text, labels, rows)


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("blog:ndcg@3", "ideal=retrieved-at-k"),
        ("rankconv:map(ap-denominator=hits)@3", "ap-denominator=hits"),
        ("rankconv:mrr(rr-hits=hits)@3", "rr-hits=hits"),
        ("rankconv:precision(relevant=any-label)@2", "relevant=any-label"),
        ("rankconv:ndcg(gain=table(1=3))@3", "gain=table(1=3)"),
        ("rankconv:precision(on-zero-value=1)@2", "on-zero-value=1"),
        ("rankconv:f1(on-zero-division=1)@2", "on-zero-division=1"),
    ],
)
def test_what_is_left_out_can_go_beyond(spec: str, reason: str) -> None:
    """With these answers some list has an order that is better than the best by grade, or worse than the worst."""
    [definition] = rc.preset(spec.split(":")[0]).define(spec)
    assert any(goes_beyond(definition, reason, seed) for seed in range(60))


def goes_beyond(definition: rc.Definition, reason: str, seed: int) -> bool:
    labels, rows = drawn(seed)
    users = {f"u{place}": way for place, way in enumerate(orders(rows))}
    joined = rc.join(dict.fromkeys(users, labels), users)
    assert not_known(definition, joined) in (reason, "")
    rules = ("given", "relevant-last", "relevant-first")
    varied = [with_changes(definition, {"order": "score", "ties": rule}) for rule in rules]
    given, worst, best = (one.values for one in measure(joined, [one for one in varied if one], None))
    numbers = given[~np.isnan(given)]
    beyond = bool((numbers > best[0] + 1e-12).any() or (numbers < worst[0] - 1e-12).any())
    assert not beyond or not_known(definition, joined) == reason
    return beyond
