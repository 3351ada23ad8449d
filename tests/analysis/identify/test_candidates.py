"""What the sweep says of many definitions at once is what the engine says of each."""

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.identify.candidates import EquivalentDefinitions, Swept
from rankconv.analysis.identify.space import defined, families
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.presets.definition import Definition
from tests.laws import examples

EVERYWHERE = [(-np.inf, np.inf)]


def data(seed: int) -> Joined:
    """Users without labels, relevant labels or a list; ties, repeated items, negative and fractional grades."""
    random = np.random.default_rng(seed)
    items = [f"i{n}" for n in range(9)]
    labels, run = {}, {}
    for user in [f"u{n}" for n in range(12)]:
        labels[user] = {str(item): float(random.choice([-1, 0, 0, 1, 1, 2, 0.5])) for item in random.choice(items, 4)}
        run[user] = [(str(item), float(random.integers(0, 5))) for item in random.choice(items, random.integers(0, 8))]
    labels["only labels"], labels["nothing relevant"], run["only a list"] = {"i1": 1}, {"i1": 0}, [("i1", 1.0)]
    run["nothing relevant"] = [("i2", 1.0), ("i1", 0.5)]
    return rc.join(labels, run)


PLAIN = rc.join(
    {"u": {"a": 3, "b": 1}, "v": {"c": 1}, "w": {"d": 1, "e": 2, "f": 1}, "x": {"a": 1}},
    {"u": ["a", "x", "b"], "v": ["y", "c", "z"], "w": ["d", "q", "e"], "x": ["z", "y", "x"]},
)


def some_of(alike: EquivalentDefinitions, random: np.random.Generator) -> Definition:
    parts = (alike.preparations, alike.metrics, alike.aggregations)
    chosen = [several[int(random.integers(len(several)))] for several in parts]
    return Definition("", "", *chosen)


CASES = [
    *((data(1), asked) for asked in ("ndcg@3", "map@3", "f1@3", "mrr", "auc", "dcg")),
    *((data(2), asked) for asked in ("precision@3", "recall@2", "hit_rate@1")),
    *((PLAIN, asked) for asked in ("ndcg@2", "map@3", "precision")),
]


@pytest.mark.parametrize(("joined", "asked"), CASES[:: examples.of(quick=2, ci=1)])
def test_the_engine_gives_the_same_mean(joined: Joined, asked: str) -> None:
    random = np.random.default_rng(7)
    for family in families(asked):
        found = Swept(joined, family).between(EVERYWHERE)
        chosen = [found[place] for place in random.permutation(len(found))[: examples.of(quick=30, ci=80)]]
        definitions = [some_of(alike, random) for alike in chosen]
        assert all(map(defined, definitions))
        for alike, one in zip(chosen, measure(joined, definitions, None), strict=True):
            assert not one.refusals
            assert one.mean == pytest.approx(alike.mean, rel=1e-12, abs=1e-14)


def test_users_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some judged row by row, one user at a time, while others are left as they are."""
    monkeypatch.setattr("rankconv.data.joined._in_groups", lambda users, widths, cells: iter(users[:, None]))
    joined = rc.join(
        {"a": {"a": 2, "b": 1}, "v": {"c": 1}, "w": {"d": 1, "e": 2}},
        {"a": ["a", "x", "b"], "v": ["y", "c"], "w": ["d", "q", "d"]},
    )
    for family in families("ndcg@2"):
        found = Swept(joined, family).between(EVERYWHERE)
        found = found[:: examples.of(quick=100, ci=20)]
        definitions = [some_of(alike, np.random.default_rng(1)) for alike in found]
        for alike, one in zip(found, measure(joined, definitions, None), strict=True):
            assert one.mean == pytest.approx(alike.mean, rel=1e-12, abs=1e-14)
