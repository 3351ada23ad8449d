"""`ties=expected` against the mean over all orders of the tied rows, also of repeated items."""

from itertools import permutations

import pytest

import rankconv as rc

LABELS = {"a": 2, "b": 1}
METRICS = ("map", "map@2", "mrr", "hit_rate@2", "precision@2", "ndcg@3", "dcg(gain=exponential)@3", "rbp")
"""Each has a closed form."""


def of_orders(metric: str, items: list[str]) -> float:
    """The mean over all orders of rows that share one score."""
    orders = {str(place): list(order) for place, order in enumerate(permutations(items))}
    return rc.metric(metric).replace(ties="given")(dict.fromkeys(orders, LABELS), orders)


@pytest.mark.parametrize("items", ["abx", "abxy", "abxyz", "aab", "aabbx"])
@pytest.mark.parametrize("duplicates", ["once", "each"])
@pytest.mark.parametrize("metric", METRICS)
def test_the_value_of_a_tie_is_the_mean_over_its_orders(metric: str, duplicates: str, items: str) -> None:
    definition = rc.metric(metric).replace(ties="expected", duplicates=duplicates)
    rows = [(item, 1.0) for item in items]
    assert definition({"u": LABELS}, {"u": rows}) == pytest.approx(of_orders(definition.spec, [*items]), rel=1e-12)


def test_a_policy_that_depends_on_the_order_takes_the_closed_form_away() -> None:
    """Of three tied rows two are relevant: with the relevant ones last the first is no hit, and the policy decides."""
    plain, tied = rc.metric("precision(ties=expected)@1"), {"u": {"a": 1.0, "b": 1.0, "x": 1.0}}
    assert plain({"u": LABELS}, tied) == pytest.approx(2 / 3)
    assert plain.replace(on_no_hits=0.5)({"u": LABELS}, tied) == 0.5


def test_a_mean_over_the_hits_of_a_list_has_no_closed_form() -> None:
    """Of three tied rows two are relevant, which are last: (1/2 + 1/3) / 2."""
    definition = rc.metric("mrr(ties=expected, rr-hits=hits)")
    assert definition({"u": LABELS}, {"u": {"a": 1.0, "b": 1.0, "x": 1.0}}) == pytest.approx(5 / 12, rel=1e-12)
