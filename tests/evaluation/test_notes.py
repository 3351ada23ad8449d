"""Notes on input: data that were passed and that no definition reads."""

from typing import Any

import pytest

import rankconv as rc
from rankconv.errors import UnreadData


@pytest.mark.parametrize(
    ("given", "metric", "said"),
    [
        ({"seen": {"u": ["x"]}}, "ndcg@3", r"seen= is not read: ndcg@3 has exclude=none\. ndcg\(exclude=seen\)@3"),
        ({"parents": "#"}, "mrr", r"parents= is not read: mrr has collapse=none\. mrr\(collapse=max\) joins items"),
    ],
)
def test_data_that_no_metric_reads_are_warned_of(given: dict[str, Any], metric: str, said: str) -> None:
    labels, run = {"u": {"a#1": 1}}, {"u": {"x": 2.0, "a#1": 1.0}}
    for verb in (rc.evaluate, rc.compare):
        with pytest.warns(UnreadData, match=said):
            verb(labels, run, [metric], **given)
    with pytest.warns(UnreadData, match=said):
        rc.explain(labels, run, metric, user="u", **given)


def test_data_that_one_of_the_metrics_reads_are_not_warned_of() -> None:
    found = rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, ["mrr", "mrr(exclude=seen)"], seen={"u": ["x"]})
    assert [*found.values()] == [0.5, 1.0]
