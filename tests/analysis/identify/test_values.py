"""The sweep gives each definition the mean that the engine gives it."""

import numpy as np
import pytest

import rankconv as rc
from rankconv.analysis.identify.candidate_values import Swept
from rankconv.analysis.identify.candidates import EquivalentDefinitions, families
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


def some_of(equivalent: EquivalentDefinitions, random: np.random.Generator) -> Definition:
    parts = (equivalent.preparations, equivalent.metrics, equivalent.aggregations)
    return Definition("", "", *(several[int(random.integers(len(several)))] for several in parts))


QUICK = [(data(1), "map@3"), (data(2), "hit_rate@1"), (PLAIN, "precision")]
MORE = [
    *((data(1), metric) for metric in ("ndcg@3", "f1@3", "mrr", "auc", "dcg")),
    *((data(2), metric) for metric in ("precision@3", "recall@2")),
    *((PLAIN, metric) for metric in ("ndcg@2", "map@3")),
]


@pytest.mark.parametrize("blocks", ["whole", "of one user"][: examples.of(quick=1, ci=2)])
def test_the_engine_gives_the_same_mean(blocks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where users are prepared row by row in several blocks, while others are left as they are."""
    if blocks == "of one user":
        monkeypatch.setattr("rankconv.data.joined.Joined.groups", lambda joined, users, *_: iter(users[:, None]))
    random = np.random.default_rng(7)
    cases = [*QUICK, *MORE][: examples.of(quick=len(QUICK), ci=len(QUICK) + len(MORE))]
    for joined, metric in cases if blocks == "whole" else cases[:1]:
        for family in families(metric):
            swept = Swept(joined, family)
            swept.search()
            found = swept.between(EVERYWHERE)
            chosen = [found[place] for place in random.permutation(len(found))[: examples.of(quick=30, ci=80)]]
            definitions = [some_of(one, random) for one in chosen]
            for definition in definitions:
                definition.check()
            for one, measured in zip(chosen, measure(joined, definitions, None), strict=True):
                assert not measured.refusals
                assert measured.mean == pytest.approx(one.mean, rel=1e-12, abs=1e-14)
