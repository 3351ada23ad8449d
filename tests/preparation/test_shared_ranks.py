"""Ranks that tied rows share, against counts of higher scores, as evaluators of knowledge graphs define them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.metrics import METRICS

BASE = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS})
LABELS = {"u": {"a": 1, "b": 2, "c": 1, "m": 1}}
RUN = {"u": [("x", 5), ("a", 4), ("b", 4), ("c", 3), ("e", 3), ("f", 3), ("g", 3), ("h", 1)]}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=9), st.integers(0, 8), st.integers(1, 9))
def test_optimistic_realistic_and_pessimistic_ranks(scores: list[int], place: int, k: int) -> None:
    """PyKEEN, pykeen/evaluation/ranks.py: higher scores + 1, scores at least as high, and the mean of both."""
    true = scores[place % len(scores)]
    higher, as_high = sum(one > true for one in scores), sum(one >= true for one in scores)
    ranks = {"min": higher + 1, "max": as_high, "average": (higher + 1 + as_high) / 2}
    labels = {"u": [str(place % len(scores))]}
    run = {"u": [(str(at), float(one)) for at, one in enumerate(scores)]}
    for at, rank in ranks.items():
        preset = BASE.replace(name="graph", order="score", ties=f"rank({at})")
        found = rc.evaluate(labels, run, ["first_rank", "mrr", f"hit_rate@{k}"], preset=preset)
        assert list(dict(found).values()) == [rank, 1 / rank, rank <= k]


METRICS = ["mrr", "map", "precision@3", "dcg", "ndcg@5", "rbp", "err", "mean_position", "coverage_error", "auc@3"]


@pytest.mark.parametrize("at", ["min", "max", "average-floor", "average"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_shared_rank_is_explained(metric: str, at: str) -> None:
    preset = BASE.replace(name="shared", order="score", ties=f"rank({at})")
    value = rc.evaluate(LABELS, RUN, metric, preset=preset)[metric]
    worked = rc.explain(LABELS, RUN, metric, preset=preset, user="u")
    assert float(worked.value) == pytest.approx(value, rel=1e-12)


def test_half_a_rank_is_printed_as_such() -> None:
    preset = BASE.replace(name="shared", order="score", ties="rank(average)", discount="reciprocal")
    worked = rc.explain(LABELS, RUN, "dcg", preset=preset, user="u")
    assert [row["rank"] for row in worked.to_dict()["list"]][:4] == [1, 2.5, 2.5, 5.5]
    assert "tie group of 2 shares rank 2.5: a, b" in str(worked)
    assert worked.value == pytest.approx(3 / 2.5 + 1 / 5.5)


def test_a_function_gets_whole_ranks_as_whole_numbers_and_halves_as_halves() -> None:
    asked = []

    def discount(rank: float) -> float:
        asked.append(rank)
        return 1 / rank

    preset = BASE.replace(name="shared", order="score", ties="rank(average)")
    [value] = dict(rc.evaluate(LABELS, RUN, rc.DCG(preset=preset, discount=discount))).values()
    assert value == pytest.approx(3 / 2.5 + 1 / 5.5)
    assert {type(rank) for rank in asked if rank == int(rank)} == {int}
    assert 2.5 in asked


def test_a_value_does_not_hang_on_the_company() -> None:
    """Half ranks read a table of their own, whoever else is in the block."""
    random = np.random.default_rng(3)
    lists = {f"u{at}": [(f"i{i}", float(s)) for i, s in enumerate(random.integers(0, 3, at % 40))] for at in range(60)}
    labels = {user: {item: 2 for item, _ in rows[::3]} | {"i0": 1} for user, rows in lists.items()}
    preset = BASE.replace(name="shared", order="score", ties="rank(average)", users="intersection")
    together = rc.evaluate(labels, lists, "dcg", preset=preset)
    values = dict(zip(together.users.tolist(), together.per_user["dcg"].tolist(), strict=True))
    for user in list(lists)[1::7]:
        alone = rc.evaluate({user: labels[user]}, {user: lists[user]}, "dcg", preset=preset)
        assert alone.per_user["dcg"].tolist() == [values[user]]
