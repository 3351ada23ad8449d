"""Discounts that hang on the user's list: how long it is, how many labels are relevant; shipped, and of a plugin."""

from collections.abc import Iterator
from math import exp
from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.metrics import METRICS

Labels = dict[str, dict[str, float]]
Run = dict[str, list[str]]
BASE = rc.preset("base").replace(name="lists", metrics={name: {} for name in METRICS}, users="union")
ITEMS = [f"i{place}" for place in range(12)]


@pytest.fixture(autouse=True)
def added() -> Iterator[None]:
    discount, gain, divisor = rc.convention("discount"), rc.convention("gain"), rc.convention("divisor")

    @discount.setting("first-relevant", rule="1 down to rank R, then 0", says="ranks below R do not count")
    def _(ranks, relevant_counts):  # type: ignore[no-untyped-def]
        return np.where(ranks <= relevant_counts, 1.0, 0.0)

    @discount.setting("linear", rule="1 - (rank - 1) / length", says="ranks count less and less", falls=True)
    def _(ranks, lengths):  # type: ignore[no-untyped-def]
        return np.maximum(1 - (ranks - 1) / np.maximum(lengths, 1), 0)

    @gain.setting("half", rule="g / 2")
    def _(grades):  # type: ignore[no-untyped-def]
        return grades / 2

    @divisor.setting("half-length", rule="half of the rows", called="half of the rows")
    def _(block):  # type: ignore[no-untyped-def]
        return block.lengths / 2

    yield
    for convention, names in ((discount, ("first-relevant", "linear")), (gain, ("half",)), (divisor, ("half-length",))):
        for name in names:
            del convention.setting_types[name]


def drawn(seed: int, users: int = 30) -> tuple[Labels, Run]:
    """Lists of many lengths, and labels that are not all returned."""
    draw = Random(seed)
    names = [f"u{place}" for place in range(users)]
    labels = {user: {i: float(draw.randint(0, 3)) for i in draw.sample(ITEMS, draw.randint(0, 9))} for user in names}
    return labels, {user: draw.sample(ITEMS, draw.randint(0, 12)) for user in names}


def values(spec: str, labels: Labels, run: Run) -> dict[str, float]:
    found = rc.evaluate(labels, run, spec, BASE, on_error="collect")
    return dict(zip(found.users.tolist(), found.per_user[found.specs[0]].tolist(), strict=True))


def test_dcg_of_the_first_r_ranks_is_r_precision() -> None:
    labels, run = drawn(0, users=90)
    ours = values("dcg(discount=first-relevant, gain=binary)", labels, run)
    for user, number in values("r_precision", labels, run).items():
        relevant = sum(grade > 0 for grade in labels[user].values())
        assert ours[user] == pytest.approx(number * relevant) if relevant else ours[user] == 0


@pytest.mark.parametrize("k", [None, 3])
@pytest.mark.parametrize("discount", ["linear", "exponential-of-length(2)"])
def test_every_metric_of_discounts_by_hand(discount: str, k: int | None) -> None:
    labels, run = drawn(7)
    at = f"@{k}" if k else ""
    found = {
        name: values(f"{name}(discount={discount}{more}){at}", labels, run)
        for name, more in (("dcg", ""), ("ndcg", ""), ("scaled_dcg", ""), ("discounted_gain", ""), ("ideal_dcg", ""))
    }
    for user, items in run.items():
        n, grades = len(items), [labels[user].get(item, 0.0) for item in items]
        weigh = {"linear": lambda j, n=n: max(1 - (j - 1) / max(n, 1), 0)}.get(
            discount, lambda j, n=n: exp(-2 * j / max(n, 1))
        )
        read, best = grades[:k], sorted(labels[user].values(), reverse=True)[:k]
        dcg, ideal = (sum(gain * weigh(j) for j, gain in enumerate(gains, 1)) for gains in (read, best))
        least = sum(weigh(j) for j in range(1, (k or n) + 1))
        assert found["dcg"][user] == pytest.approx(dcg)
        assert found["ideal_dcg"][user] == pytest.approx(ideal)
        assert found["ndcg"][user] == pytest.approx(dcg / ideal if ideal else np.nan, nan_ok=True)
        assert found["scaled_dcg"][user] == pytest.approx(dcg / least if least else np.nan, nan_ok=True)
        one = grades[(k or n) - 1] * weigh(k or n) if 0 < (k or n) <= n else 0.0
        assert found["discounted_gain"][user] == pytest.approx(one)


def test_tied_rows_that_share_a_rank_are_discounted_by_it() -> None:
    labels, run = {"u": {"a": 1, "b": 2}}, {"u": [("a", 2.0), ("b", 2.0), ("x", 1.0)]}
    spec = "dcg(discount=exponential-of-length(3), ties=rank(average), order=score)"
    assert rc.evaluate(labels, run, spec, BASE)[spec] == pytest.approx(3 * exp(-1.5))


def test_readers_and_groups_know_such_discounts() -> None:
    """Weights that fall as the discounts do are those of scaled DCG; alpha-DCG with one group and alpha 0 is DCG."""
    labels, run = drawn(11)
    spec = "cwl(cwl-continuation=discount(exponential-of-length(2)), gain=linear)"
    scaled = values("scaled_dcg(discount=exponential-of-length(2), gain=linear)@4", labels, run)
    for user, number in values(f"{spec}@4", labels, run).items():
        assert number == pytest.approx(scaled[user])
    grouped = {user: {"one": [item for item, grade in own.items() if grade > 0]} for user, own in labels.items()}
    grouped = {user: groups for user, groups in grouped.items() if groups["one"]}
    asked = "alpha_{}(subtopic-alpha=0, discount=exponential-of-length(2){})@5"
    fractions = values(asked.format("ndcg", ", subtopic-ideal=greedy"), grouped, run)
    binary = values("ndcg(gain=binary, discount=exponential-of-length(2))@5", labels, run)
    assert {user: pytest.approx(binary[user]) for user in grouped} == {user: fractions[user] for user in grouped}


@pytest.mark.parametrize(
    "spec",
    [
        "ndcg(discount=linear)@4",
        "dcg(discount=first-relevant)",
        "scaled_dcg(discount=first-relevant)",
        "scaled_dcg(discount=exponential-of-length(2))@4",
    ],
)
def test_explained_as_it_is_computed(spec: str) -> None:
    labels, run = drawn(3, users=6)
    for user, number in values(spec, labels, run).items():
        told = rc.explain(labels, run, spec, user=user, preset=BASE)
        assert told.value == pytest.approx(number, nan_ok=True)
        assert "is not worked out" not in str(told)


def test_no_order_of_ties_is_told_where_a_discount_might_rise() -> None:
    labels, run = {"u": ["a"]}, {"u": [("x", 1.0), ("a", 1.0)]}
    told = rc.sensitivity(labels, run, "dcg(discount=linear)@2", BASE)
    assert told.orders == ["worst", "expected", "best"]
    assert list(rc.sensitivity(labels, run, "dcg(discount=first-relevant)", BASE).left_out) == [
        "discount=first-relevant"
    ]


def test_chance_has_1() -> None:
    """The mean over all orders of a list divided by what `expected-random` says is 1; of a list with one hit by
    hand."""
    orders = {f"u{place}": [f"x{j}" if j != place else "a" for j in range(5)] for place in range(5)}
    labels = {user: {"a": 1.0} for user in orders}
    found = values("ndcg(ideal=expected-random, discount=reciprocal, ideal-cutoff=none)", labels, orders)
    assert np.mean(list(found.values())) == pytest.approx(1)
    assert found["u0"] == pytest.approx(5 / (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5))


# answers of plugins inside answers


def test_a_divisor_of_a_plugin_inside_min() -> None:
    labels, run = {"u": {"a": 1.0, "b": 1.0, "c": 1.0}}, {"u": ["a", "x", "b", "y"]}
    assert values("precision(precision-denominator=min(k, half-length))@3", labels, run)["u"] == 2 / 2
    assert values("map(ap-denominator=min(relevant, min(half-length, k)))@3", labels, run)["u"] == (1 + 2 / 3) / 2
    told = str(rc.explain(labels, run, "precision(precision-denominator=min(k, half-length))@3", user="u", preset=BASE))
    assert "min(half of the rows, k) = min(2, 3)" in told


def test_gains_and_discounts_of_a_plugin_inside_other_settings() -> None:
    labels, run = {"u": {"a": 3.0, "b": 1.0}}, {"u": ["b", "a"]}
    assert values("dcg(gain=of-relevant(half), relevant=at-least(2), discount=reciprocal)", labels, run)["u"] == 0.75
    reader = values("cwl(cwl-continuation=discount(linear), gain=half)@2", labels, run)["u"]
    assert reader == pytest.approx((0.5 * 1 + 1.5 * 0.5) / 1.5)
    both = values("cwl(cwl-continuation=all(discount(linear), 0.5), gain=half)@2", labels, run)["u"]
    assert both == pytest.approx((0.5 + 1.5 * 0.25) / 1.25)
