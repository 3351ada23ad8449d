"""Frames whose rows are a run: `frame.rankconv`, by numbers worked by hand and by `rc.evaluate`."""

import copy
from collections.abc import Callable
from math import log2
from typing import Any

import pandas
import polars
import pytest

import rankconv as rc
import rankconv.compat.pandas
import rankconv.compat.polars
from rankconv.metrics import METRICS

MAKE: dict[str, Callable[..., Any]] = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "lazy": polars.LazyFrame,
}
NAMES = {"user": "uid", "item": "sku", "score": "p"}
GRADES = {1: {"a": 3, "b": 1}, 2: {"c": 1}}


@pytest.fixture(params=[*MAKE])
def make(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return MAKE[request.param]


def run_of(make: Callable[..., Any], user: str = "user", item: str = "item", score: str = "score") -> Any:
    return make({user: [1, 1, 2, 2], item: ["b", "a", "x", "c"], score: [0.9, 0.5, 0.8, 0.1]})


def labels_of(make: Callable[..., Any], user: str = "user", item: str = "item", grade: str = "grade") -> Any:
    return make({user: [1, 1, 2], item: ["a", "b", "c"], grade: [3, 1, 1]})


def test_by_hand(make: Callable[..., Any]) -> None:
    run, labels = run_of(make), labels_of(make)
    assert run.rankconv.ndcg(labels, k=10, preset="mllib") == pytest.approx((1 + 1 / log2(3)) / 2), (
        "grades are no gains"
    )
    graded = [(1 + 3 / log2(3)) / (3 + 1 / log2(3)), 1 / log2(3)]
    number = run.rankconv.ndcg(labels, 10, "sklearn")
    assert number.per_user.tolist() == pytest.approx(graded)
    assert (number.definition.text, number.users.tolist()) == ("sklearn:ndcg@10", [1, 2])
    result = run.rankconv.evaluate(labels, "precision@2, map, blog:mrr", preset="trec_eval")
    assert dict(result) == pytest.approx({"precision@2": 0.75, "map": 0.75, "blog:mrr": 0.75})


def test_columns_are_named_once_for_both(make: Callable[..., Any]) -> None:
    run, usual = run_of(make, *NAMES.values()), run_of(make)
    expected = usual.rankconv.ndcg(labels_of(make), k=2)
    assert run.rankconv.ndcg(labels_of(make, "uid", "sku", "stars"), k=2, grade="stars", **NAMES) == expected
    assert run.rankconv.ndcg(GRADES, k=2, **NAMES) == expected, "labels that are no frame have no columns"
    other = rc.Labels(labels_of(make, "who", "what"), user="who", item="what")
    assert run.rankconv.ndcg(other, k=2, **NAMES) == expected
    with pytest.raises(rc.InputError, match=r"labels, .*no column 'uid'.*rc\.Labels\(other, user=…"):
        run.rankconv.ndcg(labels_of(make, "who", "what"), k=2, **NAMES)
    with pytest.raises(rc.InputError, match="no column 'p', which was named for the score"):
        usual.rankconv.ndcg(GRADES, k=2, score="p")


def test_every_metric_is_a_method(make: Callable[..., Any]) -> None:
    frame, known = run_of(make), [*METRICS]
    listed = dir(frame.rankconv)
    assert {"evaluate", "map", "mrr", "f1", *known} <= {*listed}
    assert all(callable(getattr(frame.rankconv, name)) for name in listed)
    for name in ("map", "recall", "hit_rate", "dcg", "mrr", "average_precision"):
        asked = getattr(frame.rankconv, name)
        assert asked.__name__ == name
        assert asked(GRADES, k=1) == rc.metric(f"{name}@1")(GRADES, run_of(pandas.DataFrame))
        assert asked(GRADES) == rc.metric(name)(GRADES, run_of(pandas.DataFrame))


def test_what_evaluate_takes_is_passed_on(make: Callable[..., Any]) -> None:
    frame, catalogue = run_of(make), ["a", "b", "c", "x"]
    assert frame.rankconv.coverage(GRADES, k=1, catalogue=catalogue) == 0.5, "b and x, of four"
    assert frame.rankconv.mrr(GRADES, users=[2]) == 0.5
    by_rank = make({"user": [2, 2], "item": ["x", "c"], "place": [2, 1]})
    assert by_rank.rankconv.mrr(GRADES, users=[2], rank="place") == 1


def test_other_names_are_attribute_errors(make: Callable[..., Any]) -> None:
    offered = run_of(make).rankconv
    with pytest.raises(AttributeError, match=r"'ndgc' is not a metric. Did you mean 'ndcg'\? .*evaluate\(labels"):
        _ = offered.ndgc
    assert not hasattr(offered, "__array__")
    assert not hasattr(copy.copy(offered), "nothing_like_it")
    with pytest.raises(rc.MetricError, match="mllib does not offer rbp"):
        offered.rbp(GRADES, preset="mllib")
    assert "evaluate(labels" in repr(offered)


def test_tables_come_back_of_the_library_of_the_run(make: Callable[..., Any]) -> None:
    frame = run_of(make).rankconv.evaluate(GRADES, "mrr").to_frame()
    assert isinstance(frame, pandas.DataFrame if make is pandas.DataFrame else polars.DataFrame)
    assert frame["mrr"].to_list() == [1, 0.5]
