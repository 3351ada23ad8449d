"""A cutoff that keeps the rows tied with the k-th: every metric under it, explained, and by both ways."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import rankconv as rc
from rankconv.engine import plan
from rankconv.metrics import METRICS

BASE = rc.preset("base").replace(name="base", metrics={name: {} for name in METRICS}, order="score")
KEPT = BASE.replace(name="kept", max_depth="cutoff-and-ties")
LABELS = {"u": {"a": 1, "b": 2, "c": 1, "e": 0, "m": 1}}
RUN = {"u": [("x", 5), ("a", 4), ("b", 4), ("c", 3), ("e", 3), ("f", 3), ("g", 3), ("h", 1)]}
ENDS = {1: 1, 2: 3, 3: 3, 4: 7, 5: 7, 8: 8, 9: 8}
"""How many rows each cutoff reads."""


OF_RANKS = {"discounted_gain", "summed_over_ranks", "summed_over_table", "cwl"}
"""They ask each rank down to k for itself, or tell a reader to stop at rank k; they do not cut a list."""


def asked() -> Iterator[str]:
    for name, metric in METRICS.items():
        try:
            definition = KEPT.define(f"{name}@2")[0].check()
        except rc.RankconvError:
            continue
        if metric.name not in OF_RANKS and set(definition.needs) <= {"catalogue"}:
            yield name


@cache
def value(spec: str, preset: rc.Preset, rows: int | None = None) -> float:
    data = rc.join(LABELS, {"u": RUN["u"][:rows]}, catalogue=20)
    return float(rc.evaluate(data, spec, preset=preset, on_error="collect")[spec])


@pytest.mark.parametrize("metric", sorted(asked()))
def test_a_cutoff_in_a_tie_reads_the_list_cut_behind_it(metric: str) -> None:
    """What is asked at k of the list is what is asked of the list that ends behind the tie, k in divisors aside."""
    for k, end in ENDS.items():
        cut = value(f"{metric}(k-applies-to=divisors-only)@{k}", BASE, rows=end)
        assert value(f"{metric}@{k}", KEPT) == pytest.approx(cut, rel=1e-12, nan_ok=True), k


@pytest.mark.parametrize("metric", sorted(asked()))
def test_what_a_kept_tie_gives_is_explained(metric: str) -> None:
    for k in ENDS:
        worked = rc.explain(rc.join(LABELS, RUN, catalogue=20), None, f"{metric}@{k}", preset=KEPT, user="u")
        assert float(worked.value) == pytest.approx(value(f"{metric}@{k}", KEPT), rel=1e-12, nan_ok=True), k


def test_an_explanation_shows_the_rows_of_the_tie() -> None:
    worked = str(rc.explain(LABELS, RUN, "precision(precision-denominator=length)@4", preset=KEPT, user="u"))
    assert all(f" {item} " in worked for item in "xabcefg")
    assert "1 item dropped: h" in worked
    assert worked.count("3/7") or "0.42857" in worked


def test_without_ties_it_is_the_cutoff_by_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    falling = {f"u{n}": [(f"i{i}", 50.0 - i) for i in random.permutation(40)[:12]] for n in range(30)}
    falling = {user: sorted(rows, key=lambda row: -row[1]) for user, rows in falling.items()}
    tied = {f"t{n}": [(f"i{i}", float(9 - i // 4)) for i in range(12)] for n in range(3)}
    run = falling | tied
    labels = {user: [f"i{i}" for i in random.permutation(40)[:9]] for user in run}
    specs = ["precision@5", "recall@5", "map@5", "ndcg@5", "hit_rate@1", "auc@3"]
    fast = rc.evaluate(labels, run, specs, preset=KEPT)
    plain = rc.evaluate(labels, run, specs, preset=BASE.replace(name="cut", max_depth="cutoff"))
    untied = np.array([str(user)[0] == "u" for user in fast.users])
    monkeypatch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
    by_row = rc.evaluate(labels, run, specs, preset=KEPT)
    for spec in specs:
        assert np.array_equal(fast.per_user[spec], by_row.per_user[spec], equal_nan=True)
        assert np.array_equal(fast.per_user[spec][untied], plain.per_user[spec][untied], equal_nan=True)
    cut, kept = (np.array(one.per_user["recall@5"])[~untied] for one in (plain, fast))
    assert (kept >= cut).all()


def test_a_paper_says_that_the_tie_stays() -> None:
    assert "except those tied with the last one kept" in str(rc.cite("recall@5", preset=KEPT))
