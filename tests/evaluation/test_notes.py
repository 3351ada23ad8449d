"""Notes on input: data that were passed and that no definition reads."""

from typing import Any

import pytest

import rankconv as rc
from rankconv.errors import UnreadData


@pytest.mark.parametrize(
    ("given", "metric", "said"),
    [
        (
            {"seen": {"u": ["x"]}},
            "ndcg@3",
            r"seen= is not read by ndcg@3 \(exclude=none\)\. ndcg\(exclude=seen\)@3 takes",
        ),
        ({"parents": "#"}, "mrr", r"parents= is not read by mrr \(collapse=none\)\. mrr\(collapse=max\) joins items"),
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


def test_items_of_training_are_expected_to_be_masked_and_the_warning_says_how() -> None:
    with pytest.warns(
        UnreadData, match=r"train= is not read by mrr, map, ndcg@3 and 1 more .* as seen= to mrr\(exclude=seen\)"
    ):
        rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, ["mrr", "map", "ndcg@3", "recall@3"], train={"u": ["x"]})
    for name in ("exclude", "mask"):
        with pytest.raises(
            (rc.RankconvError, TypeError), match=r"[Pp]ass (the items|them) as seen=.*'ndcg\(exclude=seen\)@10'"
        ) as raised:
            rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, "mrr", **{name: {"u": ["x"]}})
        assert "{'u'" not in str(raised.value)
