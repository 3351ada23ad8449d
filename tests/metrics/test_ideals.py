"""The ideal list of a whole catalogue, against lists that are made item by item."""

from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv import plugin
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.working_rows import working_block

ITEMS = [f"i{place}" for place in range(12)]
GRADES = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
LABELS = st.dictionaries(st.sampled_from(ITEMS), GRADES, min_size=1)
LISTS = st.lists(st.sampled_from(ITEMS), unique=True, max_size=len(ITEMS))
USERS = st.lists(st.tuples(LABELS, LISTS), min_size=1, max_size=4)


def dcg(gains: list[float], k: int) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))


def by_hand(labels: dict[str, float], ranking: list[str], k: int) -> tuple[float, float]:
    """NDCG from 0, and from the worst DCG: all items are put into the best and into the worst order."""
    catalogue = [*labels.values(), *[0.0] * k]
    best, worst = dcg(sorted(catalogue, reverse=True), k), dcg(sorted(catalogue), k)
    own = dcg([labels.get(item, 0.0) for item in ranking], k)
    return (own / best, (own - worst) / (best - worst)) if best else (0.0, 0.0)


@settings(max_examples=40, deadline=None)
@given(USERS, st.integers(1, 14))
def test_ndcg_of_fastml_is_that_of_all_items(users: list[tuple[dict[str, float], list[str]]], k: int) -> None:
    labels, run = ({f"u{place}": user[side] for place, user in enumerate(users)} for side in (0, 1))
    joined, specs = rc.join(labels, run), [f"ndcg@{k}", f"ndcg_worst@{k}"]
    found = rc.evaluate(joined, specs, preset="fastml")
    expected = np.array([by_hand(*user, k) for user in users]).T
    for spec, values in zip(specs, expected, strict=True):
        assert found.per_user[spec] == pytest.approx(values, rel=1e-12, abs=1e-12)
        assert (found.per_user[spec] <= 1 + 1e-12).all()
        [definition] = rc.preset("fastml").define(spec)
        block = prepare(working_block(joined, np.arange(len(users))).copy(k), definition.preparation)
        ratio = definition.metric.per_user(block)
        assert isinstance(ratio, plugin.Ratio)
        in_rows = np.where(block.relevant_count > 0, ratio.value, 0.0)
        assert np.array_equal(found.per_user[spec], in_rows), "prepared row by row"


def test_the_ideal_of_a_random_order_ends_where_the_list_ends() -> None:
    """One of two rows is relevant, or one of three: each rank of the list has the mean gain of its rows."""
    run = {"short": ["a", "b"], "long": ["a", "b", "c"]}
    found = rc.NDCG(k=3, ideal="expected-random")({"short": ["a"], "long": ["a"]}, run)
    by_user = dict(zip(found.users.tolist(), found.per_user.tolist(), strict=True))
    discounts = [1 / log2(rank + 1) for rank in (1, 2, 3)]
    assert by_user["short"] == pytest.approx(1 / (sum(discounts[:2]) / 2), rel=1e-12)
    assert by_user["long"] == pytest.approx(1 / (sum(discounts) / 3), rel=1e-12)


@pytest.mark.parametrize("users", [4, 3000])
def test_the_best_order_of_the_list_has_its_rows_alone_where_a_grade_is_negative(users: int) -> None:
    """A list that is sorted is its own best order, however long others are, and a row without a label is above -1."""
    lists = [["a", "c"], ["a", "b"], ["a", "x", "c"], ["a", "b", "x", "c"]]
    run = {f"u{user}": lists[user % 4] for user in range(users)}
    labels = {user: {"a": 2, "b": 1, "c": -1} for user in run}
    found = rc.NDCG(k=4, gain="linear", ideal="retrieved-at-k", negative="grade")(labels, run)
    assert found.per_user == pytest.approx(np.ones(users), rel=1e-12)


def test_ndcg_at_relevant_ranks_is_0_by_0_for_a_user_without_a_gain() -> None:
    spec = "ndcg_rel(on-no-relevant=as-computed, on-zero-division=0.25, on-nonzero-over-zero=0.75)"
    assert rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec)[spec] == 0.25


def test_the_best_order_of_a_tied_list_is_no_mean_of_orders() -> None:
    """Were gains averaged over the tie first, a list would be its own best order, and its value 1."""
    definition, tied = rc.NDCG(ideal="retrieved", ties="expected"), {"u": {"a": 1.0, "b": 1.0, "c": 1.0}}
    assert definition({"u": ["b"]}, tied) == pytest.approx(1 / log2(4), rel=1e-12), "the relevant row is last"
