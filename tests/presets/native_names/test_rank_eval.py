"""Metrics as bodies of _rank_eval requests, with the numbers of Elasticsearch's own tests."""

import json
import math
from typing import Any

import pytest

import rankconv as rc

SIX = {"q": {"0": 3, "1": 2, "2": 3, "3": 0, "4": 1, "5": 2}}
RUN = {"q": ["0", "1", "2", "3", "4", "5"]}
DCG = 13.84826362927298
"""DiscountedCumulativeGainTests.java, line 67."""
IDEAL = 14.595390756454922
"""The same file, line 39."""
BINARY = {"q": {"0": 1, "1": 1, "2": 0}}
"""Of four hits that are looked at below, two are relevant, one is rated 0 and one is unrated."""
FOUR = {"q": ["0", "1", "2", "x"]}
BODIES = [
    ({"dcg": {"k": 10}}, SIX, RUN, DCG),
    ({"dcg": {}}, SIX, RUN, DCG),
    ({"dcg": {"k": 10, "normalize": True}}, SIX, RUN, DCG / IDEAL),
    ({"dcg": {"k": 10, "normalize": False}}, SIX, RUN, DCG),
    ({"metric": {"dcg": {"normalize": True}}, "requests": []}, SIX, RUN, DCG / IDEAL),
    ({"dcg": {"k": 3}}, SIX, RUN, 7 + 3 / math.log2(3) + 7 / 2),
    ({"precision": {"k": 5, "relevant_rating_threshold": 2}}, SIX, RUN, 3 / 5),
    ({"precision": {}}, BINARY, FOUR, 2 / 4),
    ({"precision": {"ignore_unlabeled": True}}, BINARY, FOUR, 2 / 3),
    ({"recall": {"k": 1}}, BINARY, FOUR, 1 / 2),
    ({"recall": {"k": 5, "relevant_rating_threshold": 3}}, SIX, RUN, 1.0),
    ({"mean_reciprocal_rank": {"relevant_rating_threshold": 2}}, {"q": {"0": 1, "1": 2}}, RUN, 1 / 2),
    # ExpectedReciprocalRankTests.java, lines 68 and 71
    (
        {"expected_reciprocal_rank": {"maximum_relevance": 3, "k": 3}},
        {"q": {"0": 3, "1": 2, "2": 0, "3": 1}},
        RUN,
        0.8984375,
    ),
    ({"expected_reciprocal_rank": {"maximum_relevance": 5}}, {"q": {"0": 4}}, {"q": ["0"]}, 15 / 32),
]


@pytest.mark.parametrize("preset", ["elasticsearch", "opensearch"])
@pytest.mark.parametrize(("body", "labels", "run", "value"), BODIES)
def test_a_body_gives_the_number_of_the_system(preset: str, body: Any, labels: Any, run: Any, value: float) -> None:
    text = json.dumps(body)
    assert rc.evaluate(labels, run, text, preset=preset)[text] == pytest.approx(value, rel=1e-12)
    assert rc.evaluate(labels, run, f"{preset}:{text}")[f"{preset}:{text}"] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"dcg": {"size": 3}}', ["size", "k, normalize"]),
        ('{"ndcg": {"k": 3}}', ["ndcg", "expected_reciprocal_rank"]),
        ('{"dcg": {"k": 3}, "recall": {}}', ["recall", "one metric"]),
        ('{"dcg": {"k": 0}}', ["k 0", "from 1 up"]),
        ('{"dcg": {"k": "10"}}', ['k "10"', "whole number"]),
        ('{"dcg": {"normalize": 1}}', ["normalize 1", "true or false"]),
        ('{"dcg": [10]}', ["an object"]),
        ('{"expected_reciprocal_rank": {"k": 5}}', ["maximum_relevance"]),
        ('{"expected_reciprocal_rank": {"maximum_relevance": 3, "unknown_doc_rating": 1}}', ["unknown_doc_rating"]),
        ("{dcg: 3}", ["not a JSON object", '{"dcg": {"k": 10, "normalize": true}}']),
    ],
)
def test_another_body_is_refused_and_repeated(text: str, named: list[str]) -> None:
    with pytest.raises(rc.MetricError) as refused:
        rc.evaluate(SIX, RUN, text, preset="elasticsearch")
    assert all(one in str(refused.value) for one in [text, *named])
