"""Work saved over sampling, against orders that are gone through, and cutoffs and levels that are typed in per cent."""

import re
from fractions import Fraction
from itertools import permutations
from math import ceil
from random import Random

import pytest

import rankconv as rc

LEVELS = {"0.3": Fraction(3, 10), "0.5": Fraction(1, 2), "0.95": Fraction(95, 100), "1": Fraction(1)}
RANDOM = Random(7)


def saved(order: list[str], relevant: list[str], level: Fraction) -> Fraction:
    """Work saved by an order, as Cohen et al. have it: what is below the rank, less what a random order saves."""
    ranks = [rank for rank, item in enumerate(order, 1) if item in relevant]
    needed = ceil(level * len(relevant))
    return Fraction(len(order) - ranks[needed - 1], len(order)) - (1 - level) if len(ranks) >= needed else Fraction(0)


@pytest.mark.parametrize("level", LEVELS)
def test_tied_rows_have_the_mean_over_all_orders(level: str) -> None:
    for _ in range(20):
        items = [*"abcdef"[: RANDOM.randint(1, 6)]]
        scores = {item: float(RANDOM.randint(1, 2)) for item in items}
        relevant = [item for item in [*items, "z"] if RANDOM.random() < 0.5] or ["a"]
        orders = [sorted(order, key=lambda item: -scores[item]) for order in permutations(items)]
        mean = sum(saved(order, relevant, LEVELS[level]) for order in orders) / len(orders)
        spec = f"work_saved(recall-level={level})"
        assert rc.evaluate({"u": relevant}, {"u": scores}, spec)[spec] == pytest.approx(float(mean), abs=1e-12)


def test_a_repeated_item_in_a_tie_has_the_mean_over_all_orders() -> None:
    rows = [("a", 1.0), ("a", 1.0), ("x", 1.0), ("b", 1.0)]
    orders = [[rows[place][0] for place in order] for order in permutations(range(4))]
    hits = [[rank for rank, item in enumerate(order) if item != "x" and item not in order[:rank]] for order in orders]
    mean = sum(Fraction(4 - (each[1] + 1), 4) for each in hits) / len(orders)
    spec = "work_saved(recall-level=1)"
    assert rc.evaluate({"u": ["a", "b"]}, {"u": rows}, spec)[spec] == pytest.approx(float(mean), abs=1e-12)


def test_a_user_without_a_relevant_label_has_no_work_to_save() -> None:
    spec = "work_saved(on-no-relevant=as-computed, on-zero-division=as-computed)"
    assert rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec)[spec] != 0


def advised(metric: str) -> list[str]:
    """The metrics that the error for this one says to write."""
    with pytest.raises(rc.MetricError) as refused:
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, metric)
    return re.findall(r"\w+\((?:[^()]|\([^()]*\))*\)", refused.value.do)


@pytest.mark.parametrize(
    ("typed", "values"),
    [("wss@95", [0.75 - 0.05]), ("recall@10%", [1, 1]), ("precision@25.0%", [1, 0.25]), ("wss@100", [0.75])],
)
def test_what_is_typed_in_per_cent_is_refused_with_what_to_write(typed: str, values: list[float]) -> None:
    labels, run = {"u": {"a": 1} | dict.fromkeys("bcdefghijklmnop", 0)}, {"u": [*"axyz"]}
    found = [rc.evaluate(labels, run, spec)[spec] for spec in advised(typed)]
    assert found == pytest.approx(values)
