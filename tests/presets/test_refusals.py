"""What libraries refuse and what they do not, on small data of which a preset once said otherwise.

Each number, or None for a refusal, is from a run of the library in the version that the preset names.
"""

import math
import re
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


REFUSED = [
    ("on-no-ranking", {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]}),
    ("on-invalid", {"q1": {"a": 1}}, {"q1": ["a", "a"]}),
]


@pytest.mark.parametrize("metric", ["map", "P_5", "rbp", "num_q"])
@pytest.mark.parametrize(("policy", "labels", "run"), REFUSED)
def test_trec_eval_names_the_presets_that_take_what_it_refuses(policy: str, labels: Any, run: Any, metric: str) -> None:
    with pytest.raises(rc.MetricError, match=r"topic 'q[12]'.*leave such topics out") as refused:
        rc.evaluate(labels, run, metric, preset="trec_eval")
    named = re.search(r"Presets that take such data: (.*?);", str(refused.value))
    offering = [name for name in rc.preset("trec_eval").alternatives[policy] if rc.preset(name).offers(metric)]
    taking = re.findall(r"'([^']+)'", named[1]) if named else []
    assert [text.partition(":")[0].partition("@")[0] for text in taking] == [
        name.partition("@")[0] for name in offering
    ]
    for text in taking:
        assert math.isfinite(rc.evaluate(labels, run, text)[text])


@pytest.mark.parametrize(
    ("preset", "word"),
    [("trec_eval-c", "topic"), ("pytrec_eval", "query"), ("opensearch", "query"), ("recbole", "user")],
)
def test_a_preset_has_the_word_of_its_system_for_a_user(preset: str, word: str) -> None:
    assert rc.preset(preset).user_word == word


def test_a_message_has_the_word_of_the_system() -> None:
    with pytest.raises(rc.MetricError, match=r"query 'q' has .* leave such queries out"):
        rc.evaluate({"q": {"a": FRACTION}}, {"q": ["a"]}, "map", preset="pytrec_eval")
