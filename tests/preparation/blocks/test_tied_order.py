"""Lists with ties prepared many at a time, against the same lists prepared row by row: equal to the last bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.engine import plan
from rankconv.preparation.blocks.grade_table import TieRule
from rankconv.presets.arguments import define

RULES = ["given", "reversed", "item-ascending", "item-descending", "number-descending", "undefined"]
RULES += ["expected", "relevant-last-then-item"]
REQUESTED = ["ndcg@3", "map@2", "mrr", "precision@4", "recall@1", "ndcg"]
SPECS = [
    f"{metric}(order=score, ties={rule}){at}{k}"
    for rule in RULES
    for metric, at, k in (one.partition("@") for one in REQUESTED)
]
OF_ROWS = [
    "hit_rate@2",
    "fall_out@3",
    "bpref@3",
    "judged_share@2",
    "err@3",
    "r_precision",
    "cwl(cwl-unjudged-gain=highest)@3",
]
SPECS += [
    f"{metric.removesuffix(')')}{', ' if '(' in metric else '('}order=score, ties={rule}){at}{k}"
    for metric, at, k in (one.partition("@") for one in OF_ROWS)
    for rule in ("expected", "relevant-last-then-item")
]
SPECS += [
    "map(order=score, ties=expected, min-score=positive)@3",
    "dcg(order=score, ties=expected, gain=linear-over(7))",
]
SPECS += [
    "dcg(order=score, ties=expected, gain=exponential-over-own-highest)@3",
    "mrr(order=score, ties=expected, labels-used=aligned-arrays)",
]
SPECS += ["ndcg(order=score, ties=expected, gain=exponential)@2", "precision(order=score, score-dtype=float32)@3"]
SPECS += ["map(order=score, ties=item-ascending, score-dtype=float32)@3"]
PRESETS = ["trec_eval-c", "sklearn", "sklearn+unretrieved", "ranx", "pytrec_eval", "replay_rec"]

items = st.sampled_from(["1", "2", "3", "9", "10", "11", "20", "100", "x"])
scores = st.sampled_from([0.0, 0.5, 1.0, 1.0 + 2.0**-40])
grades = st.sampled_from([-1.0, 0.0, 0.3, 1.0, 2.0, 3.0])


def numbers(labels: Any, run: Any, specs: list[str], preset: str | None, *, at_once: bool) -> list[Any]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plan, "FEW_ROWS", 0)
        if not at_once:
            patched.setattr(TieRule, "of", lambda preparation: None)
        result = rc.evaluate(labels, run, specs, preset=preset, on_error="collect")
    whys = {spec: [refusal.why for refusal in refusals] for spec, refusals in result.errors.items()}
    return [whys, *((result.per_user[spec].tobytes(), result.counts[spec]) for spec in specs)]


@settings(max_examples=25, deadline=None)
@given(
    run=st.dictionaries(st.integers(0, 6), st.dictionaries(items, scores, max_size=9), min_size=1, max_size=5),
    labels=st.dictionaries(st.integers(0, 6), st.dictionaries(items, grades, max_size=5), min_size=1, max_size=5),
    preset=st.sampled_from([None, *PRESETS]),
)
@example(  # the last score is infinite in single precision, and other lists are longer
    run={0: {"3": 1.0, "2": 1.0, "9": 1.0, "1": -1e300}, 1: {"9": -1e300, "2": 1.0, "10": -1e300}},
    labels={0: {"2": 2.0, "9": 1.0}, 1: {"10": 1.0, "2": 1.0}},
    preset=None,
)
def test_ties_at_once_are_ties_row_by_row(run: Any, labels: Any, preset: str | None) -> None:
    try:
        rc.join(labels, run)
    except rc.InputError:
        assume(False)  # they look like rankings and labels
    run, labels = {7: {"1": 1.0, "2": 1.0}, **run}, {7: {"2": 1.0}, **labels}
    asked = SPECS if preset is None else [spec for spec in REQUESTED if offered(preset, spec)]
    assert numbers(labels, run, asked, preset, at_once=True) == numbers(labels, run, asked, preset, at_once=False)


def test_tied_rows_are_not_prepared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "FEW_ROWS", 0)
    joined = rc.join({1: ["a"]}, {1: {"a": 1.0, "b": 1.0, "c": 0.5}})
    specs = [f"ndcg(order=score, ties={rule})@2" for rule in ("item-descending", "expected", "reversed")]
    asked = define(specs, rc.preset("rankconv")).values()
    readers = [plan.BlockReader(one.preparation, 2, 2, np.ones(1, bool), lambda block, who: None) for one in asked]
    made = plan.Plan.of(joined, readers)
    assert not made.by_row
    assert len(made.plain) == len(specs)


def offered(preset: str, spec: str) -> bool:
    try:
        rc.evaluate({1: ["a"]}, {1: {"a": 1.0}}, spec, preset=preset, on_error="collect")
    except rc.RankconvError:
        return False
    return True
