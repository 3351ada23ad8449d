"""Labels and a run, or one joined object in their place: the same setting, however arguments are passed."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import rankconv as rc

LABELS = {"u": {"a": 2, "b": 1}, "v": {"c": 1, "d": 0}, "w": {"a": 1}}
RUN = {"u": [("a", 0.9), ("x", 0.5), ("b", 0.5)], "v": [("y", 0.7), ("c", 0.2)], "w": [("b", 0.4), ("a", 0.3)]}
CALLS: dict[Callable[..., Any], dict[str, Any]] = {
    rc.evaluate: {"metrics": "ndcg@2", "preset": "mllib"},
    rc.compare: {"metrics": "ndcg@2", "preset": ["blog", "mllib"]},
    rc.check: {"metrics": "ndcg@2", "preset": ["blog", "mllib"]},
    rc.sensitivity: {"metric": "ndcg@2", "preset": ["blog", "mllib"]},
    rc.identify: {"metric": "hit_rate@2", "value": "1"},
    rc.why: {"metric": "ndcg@2", "a": "blog", "b": "mllib"},
    rc.explain: {"metric": "ndcg@2", "preset": ["mllib", "blog"]},
    rc.by_rank: {"metrics": "ndcg@2", "preset": "mllib"},
}
"""Every function that takes labels and rankings or what `rc.join` gives, with arguments by position."""
BY_NAME: dict[Any, dict[str, Any]] = {
    rc.explain: {"user": "u"},
    rc.by_rank: {"user": "u"},
}
"""What they need besides, by keyword."""
NOT_JOINED = {"join": "makes it", "report": "", "curve": "", "gate": "", "segments": "read their own data"}


def test_no_function_is_missing() -> None:
    functions = {name: getattr(rc, name) for name in dir(rc) if inspect.isfunction(getattr(rc, name))}
    both = {name for name, one in functions.items() if [*inspect.signature(one).parameters][:2] == ["labels", "run"]}
    assert both == {one.__name__ for one in CALLS} | NOT_JOINED.keys()
    for function, named in CALLS.items():
        parameters = inspect.signature(function).parameters.values()
        assert [*named] == [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD][2:]


@pytest.mark.parametrize("function", CALLS, ids=lambda one: one.__name__)
def test_position_and_keyword_joined_or_not(function: Callable[..., Any]) -> None:
    given, named = CALLS[function], BY_NAME.get(function, {})
    joined = rc.join(LABELS, RUN)
    expected = function(LABELS, RUN, **given, **named).to_dict()
    ways: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((LABELS, RUN), {}),
        ((LABELS,), {"run": RUN}),
        ((joined,), {}),
        ((joined, None), {}),
        ((), {"labels": joined}),
    ]
    names = [*given]
    for data, more in ways:  # by position where nothing before is named
        by_place = len(names) if data and not more else 0
        rest = {name: given[name] for name in names[by_place:]}
        assert (
            function(*data, *(given[name] for name in names[:by_place]), **more, **rest, **named).to_dict() == expected
        )


SIDE: dict[str, tuple[str, Any]] = {
    "seen": ("precision(exclude=seen)@2", {"u": ["x"], "v": ["y"]}),
    "catalogue": ("coverage@2", 40),
    "train": ("popularity@2", {"u": ["a", "x"], "w": ["b"]}),
    "item_features": ("diversity@2", {item: {"k", item} for item in "abcdxy"}),
}


@pytest.mark.parametrize("name", SIDE)
@pytest.mark.parametrize("function", [rc.evaluate, rc.compare, rc.check], ids=lambda one: one.__name__)
def test_side_data_count_whichever_way_they_come(function: Callable[..., Any], name: str) -> None:
    metric, data = SIDE[name]
    expected = function(LABELS, RUN, metric, "rankconv", **{name: data}).to_dict()
    assert function(rc.join(LABELS, RUN, **{name: data}), metric, "rankconv").to_dict() == expected
    assert function(rc.join(LABELS, RUN), metric, "rankconv", **{name: data}).to_dict() == expected


def test_rankings_beside_a_joined_object_are_refused() -> None:
    with pytest.raises(rc.InputError, match="joined already"):
        rc.evaluate(rc.join(LABELS, RUN), run=RUN, metrics="map")


def test_a_cutoff_beside_the_metric_says_what_to_write() -> None:
    with pytest.raises(rc.MetricError, match=r"Write 'ndcg@10', without k="):
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "ndcg", k=10)  # type: ignore[call-overload]
    with pytest.raises(rc.MetricError, match=r"Write 'mllib:map\(relevant=at-least\(2\)\)@5,10', without k="):
        rc.compare({"u": ["a"]}, {"u": ["a"]}, ["mllib:map(relevant=at-least(2))@3", "mrr"], k=[5, 10])  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"exclude": "seen"}, rc.MetricError, r"Write 'ndcg\(exclude=seen\)@3', without exclude="),
        ({"ideal_cutoff": "none"}, rc.MetricError, r"Write 'ndcg\(ideal-cutoff=none\)@3'"),
        ({"presets": ["mllib"]}, TypeError, r"keyword argument 'presets'\. Did you mean 'preset'\?"),
    ],
)
@pytest.mark.parametrize("verb", [rc.evaluate, rc.compare])
def test_a_parameter_that_is_guessed_says_what_to_write(
    verb: Callable[..., Any], given: dict[str, Any], error: type[Exception], said: str
) -> None:
    for data in (({"u": ["a"]}, {"u": ["a"]}), (rc.join({"u": ["a"]}, {"u": ["a"]}), None)):
        with pytest.raises(error, match=said):
            verb(*data, "ndcg@3", **given)


@pytest.mark.parametrize(("labels", "run"), [({"u": ["a"]}, "frame"), ("frame", {"u": ["a"]})])
def test_advice_on_unread_columns_names_functions_that_exist(labels: Any, run: Any) -> None:
    import polars as pl

    frame = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "mystery": [0.1, 0.2]})
    with pytest.raises(rc.InputError) as error:
        rc.evaluate(frame if labels == "frame" else labels, frame if run == "frame" else run, "mrr")
    names = re.findall(r"rc\.([\w.]+)\(", str(error.value))
    assert names
    assert all(hasattr(rc, name.partition(".")[0]) for name in names)
