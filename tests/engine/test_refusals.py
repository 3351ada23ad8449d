"""What a refusal advises is a definition that gives a number."""

import re

import numpy as np
import pytest

import rankconv as rc
from tests.laws import examples

ITEMS = [f"i{n}" for n in range(7)]
LABELS = {"u": ["a"], "v": ["b"]}


def messy(random: np.random.Generator) -> tuple[dict[str, dict[str, float]], dict[str, list[tuple[str, float]]]]:
    """Users without labels, without relevant ones, without a list or a row; negative grades, repeated items."""
    labels, run = {}, {}
    for user in ("u", "v", "w", "x", "y"):
        if random.random() < 0.85:
            some = random.choice(ITEMS, random.integers(0, 5), replace=False).tolist()
            labels[user] = {item: float(random.choice([0, 1, 1, 2, 0.5, -1])) for item in some}
        if random.random() < 0.85:
            rows = random.choice(ITEMS, random.integers(0, 6), replace=random.random() < 0.3).tolist()
            run[user] = [(item, float(random.integers(0, 5))) for item in rows]
    labels["z"], run["z"] = {"i0": 1.0, "i1": 0.0}, [("i0", 2.0), ("i1", 1.0), ("i2", 0.5)]  # who always counts
    return labels, run


def test_the_advice_gives_a_number() -> None:
    random = np.random.default_rng(3)
    followed = 0
    for name in rc.list_presets(eras=True)[:: examples.of(quick=6, ci=3, long=1)]:
        preset, joined = rc.preset(name), rc.join(*messy(random))
        for spec in [f"{key}@2" for key in preset.metrics if preset.offers(f"{key}@2")]:
            result = rc.evaluate(joined, spec, preset, on_error="collect")
            for refusals in result.errors.values():
                said = str(refusals[0].error_with(refusals[1:]))
                if refusals[0].policy in result.definition(spec).aggregation.settings:
                    assert "'" in said, (name, spec)
                for advised in re.findall(r"to (?:leave|count)[^']*'([^']+)'", said):
                    assert not np.isnan(rc.evaluate(joined, advised)[advised]), (name, spec, advised)
                    followed += 1
    assert followed > 25


@pytest.mark.parametrize(
    ("run", "spec", "skipped"),
    [
        ({"u": ["a"], "v": []}, "sklearn:map", "sklearn:map(on-empty-ranking=skip)"),
        ({"u": ["a"]}, "trec_eval:map", "trec_eval:map(on-no-ranking=skip)"),
    ],
)
def test_the_exact_change(run: dict[str, list[str]], spec: str, skipped: str) -> None:
    with pytest.raises(rc.MetricError, match=rf"to leave such \w+ out: {re.escape(repr(skipped))}"):
        rc.evaluate(LABELS, run, spec)
    assert rc.evaluate(LABELS, run, skipped)[skipped] == 1


def test_grades_that_are_too_high_are_first_taken_as_relevant() -> None:
    """Leaving out such users, or scoring them 0, would give a value of few users, or a value near 0."""
    labels, run = {"u": {"a": 5}}, {"u": {"a": 0.5}}
    with pytest.raises(rc.MetricError, match=r"above 0 as 1: 'torchmetrics:recall\(grades=binary\)@20'; or to leave"):
        rc.evaluate(labels, run, "recall@20", "torchmetrics")
    assert rc.evaluate(labels, run, "recall(grades=binary)@20", "torchmetrics")["recall(grades=binary)@20"] == 1
