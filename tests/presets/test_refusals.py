"""What libraries refuse and what they do not, on small data of which a preset once said otherwise.

Each number, or None for a refusal, is from a run of the library in the version that the preset names.
"""

from typing import Any

import pytest

import rankconv as rc

A_LIST_AND_NO_LABELS = {"u": {"x": 0.9}, "v": {}}
FRACTION, LOSS = 1.75, -1.5

RUNS = [
    # a Run with a row is no empty Run, whoever has the row
    ("ranx", {"u": {}, "v": {"b": 1}}, A_LIST_AND_NO_LABELS, "precision@3", 0),
    ("ranx", {"u": {}, "v": {"b": 1, "c": 2}}, {"u": {}, "v": {}}, "precision@3", None),
    ("ranx", {"u": {"a": 1}, "v": {"b": 1}}, {"u": {"a": 0.9}, "v": {}}, "precision@3", 1 / 6),
    ("ranx", {"u": {"a": 0}, "v": {"b": 1}}, {"u": {"a": 0.9}, "v": {}}, "precision@3", 0),
    # all qrels are read before anything is asked of the run, and pooled items have grades too
    ("pytrec_eval", {"u": {"a": 1}, "v": {"b": FRACTION}}, {"u": {"a": 0.9}}, "map", None),
    ("pytrec_eval", {"u": {"a": 1}, "v": {"b": 2}}, {"u": {"a": 0.9}}, "map", 1),
    ("pytrec_eval", {"u": {"a": 1, "b": LOSS}}, {"u": {"a": 0.9}}, "map", None),
    ("pytrec_eval", {"u": {"a": 1, "b": -1}}, {"u": {"a": 0.9}}, "map", 1),
    ("pytrec_eval", {"u": {"a": 1}}, {"u": {"a": 0.9}, "v": {"b": 0.5}}, "map", 1),
    ("ir_measures", {"u": {"a": 1, "b": LOSS}}, {"u": {"a": 0.9}}, "map", None),
    # a document that is judged twice for a topic, whatever the grades; version 9 does not look where the run lacks it
    ("trec_eval", {"u": ["a", "a", "b"], "v": ["c"]}, {"u": {"a": 2, "b": 1}, "v": {"c": 1}}, "map", None),
    ("trec_eval@9", {"u": ["a", "a", "b"], "v": ["c"]}, {"u": {"a": 2, "b": 1}, "v": {"c": 1}}, "map", None),
    ("trec_eval@9", {"u": ["a", "a", "b"], "v": ["c"]}, {"v": {"c": 1}}, "map", 1),
    ("trec_eval-c", {"u": ["a", "a", "b"], "v": ["c"]}, {"v": {"c": 1}}, "map", None),
    ("trec_eval-c@9", {"u": ["a", "a", "b"], "v": ["c"]}, {"u": {"a": 2, "b": 1}, "v": {"c": 1}}, "map", None),
    ("trec_eval-c@9", {"u": ["a", "a", "b"], "v": ["c"]}, {"v": {"c": 1}}, "map", 1 / 2),
    # a dict has a document once
    ("pytrec_eval", {"u": ["a", "a", "b"], "v": ["c"]}, {"u": {"a": 2, "b": 1}, "v": {"c": 1}}, "map", 1),
    # ranks of users who are left out set no limit
    ("evidently", {"u": {"a": 1}, "v": {"b": 0}}, {"u": {"a": 0.9}, "v": {"a": 0.9, "b": 0.5}}, "ndcg@2", None),
    ("evidently", {"u": {"a": 1}, "v": {"b": 0}}, {"u": {"a": 0.9}, "v": {"a": 0.9, "b": 0.5}}, "ndcg@1", 1),
]


@pytest.mark.parametrize(("preset", "labels", "run", "metric", "expected"), RUNS)
def test_a_preset_refuses_what_its_library_refuses(
    preset: str, labels: Any, run: Any, metric: str, expected: float | None
) -> None:
    found = rc.evaluate(labels, run, metric, preset=preset, on_error="collect")
    assert bool(found.errors) == (expected is None)
    if expected is not None:
        assert found[metric] == pytest.approx(expected)
