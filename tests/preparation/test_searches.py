"""Several searches for one task: each setting of `calls` by hand, and as what the same data would be without calls."""

from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.metrics import METRICS

LABELS = {"t": {"a": 1, "b": 2, "c": 1}, "u": {"x": 1}, "v": {"y": 1}}
CALLS = {"t": [["a", "z", "b"], ["c", "a"], []], "u": [["y", "x"]], "v": []}
SCORED = {"t": [[("a", 0.9), ("z", 0.8), ("b", 0.1)], [("c", 0.85), ("a", 0.2)]], "u": [[("y", 3), ("x", 2)]]}
BY_HAND: dict[str, dict[str, float]] = {
    # t: a z b c a | a c z a b | a (1/61 + 1/62) c z b | best and mean of the two lists and the empty one
    "one-after-the-other": {"precision@3": 2 / 3, "recall@3": 2 / 3, "mrr": 1, "dcg@3": 1 + 2 / 3},
    "by-turns": {"precision@3": 2 / 3, "recall@3": 2 / 3, "mrr": 1, "dcg@3": 1 + 1 / 2},
    "rrf": {"precision@3": 2 / 3, "recall@3": 2 / 3, "mrr": 1, "dcg@3": 1 + 1 / 2},
    "last": {"precision@3": 0, "recall@3": 0, "mrr": 0, "dcg@3": 0},
    "best": {"precision@3": 2 / 3, "recall@3": 2 / 3, "mrr": 1, "dcg@3": 1 + 2 / 3},
    "mean": {"precision@3": 4 / 9, "recall@3": 4 / 9, "mrr": 2 / 3, "dcg@3": (1 + 2 / 3 + 1 + 1 / 2) / 3},
}


def spec(metric: str, how: str, *more: str) -> str:
    name, at, k = metric.partition("@")
    return f"{name}({', '.join([f'calls={how}', *more])}){at}{k}"


def value(run: Any, metric: str, how: str, *more: str, user: str = "t") -> float:
    asked = spec(metric, how, *more)
    result = rc.evaluate(LABELS, run, asked)
    return float(result.per_user[asked][result.users.tolist().index(user)])


@pytest.mark.parametrize("how", BY_HAND)
def test_by_hand(how: str) -> None:
    for metric, expected in BY_HAND[how].items():
        more = ["discount=reciprocal"] if metric.startswith("dcg") else []
        assert value(CALLS, metric, how, *more) == pytest.approx(expected), metric


def test_the_lists_that_calls_become() -> None:
    def items(how: str) -> list[str]:
        return [
            row.item for row in rc.explain(LABELS, CALLS, spec("mrr", how, "duplicates=each"), user="t").prepared.rows
        ]

    assert items("one-after-the-other") == [*"azbca"]
    assert items("by-turns") == [*"aczab"]
    assert items("rrf") == [*"aczb"]
    assert items("last") == []


def test_every_setting_has_its_values() -> None:
    assert {*BY_HAND, "refuse"} == {*rc.convention("calls").setting_types}


def test_rrf_adds_up_reciprocal_ranks() -> None:
    """An item that a call repeats counts at its first rank there."""
    run = {"t": [["a", "b", "a"], ["c", "b"]], "u": [["x"]]}
    explained = rc.explain(LABELS, run, "mrr(calls=rrf(constant=1), order=score, ties=given)", user="t")
    assert [row.item for row in explained.prepared.rows] == ["b", "a", "c"]
    assert [row.score for row in explained.prepared.rows] == pytest.approx([2 / 3, 1 / 2, 1 / 2])
    assert [row.calls for row in explained.prepared.rows] == [("1", "2"), ("1",), ("2",)]


def test_scores_of_calls_order_a_list_only_where_they_are_kept() -> None:
    assert value(SCORED, "dcg@2", "one-after-the-other", "discount=reciprocal") == 1
    kept = value(
        SCORED, "dcg@2", "one-after-the-other(scores=kept)", "discount=reciprocal", "order=score", "ties=given"
    )
    assert kept == 1 + 1 / 2  # a 0.9, c 0.85


@pytest.mark.parametrize(
    "metric", ["ndcg@3", "map", "precision@2", "rbp", "err@3", "bpref", "auc", "ndcg(ties=given)@3"]
)
def test_each_call_is_as_a_task_of_its_own(metric: str) -> None:
    """`mean` and `best` are the mean and the best of tasks that are named task#call, with the labels of the task."""
    generator = np.random.default_rng(11)
    items = [f"d{one}" for one in range(12)]
    labels = {f"t{one}": dict.fromkeys(generator.choice(items, 4, replace=False).tolist(), 1) for one in range(30)}
    calls = {
        task: [generator.choice(items, generator.integers(0, 6), replace=False).tolist() for _ in range(1 + at % 4)]
        for at, task in enumerate(labels)
    }
    named = {(task, at): one for task, lists in calls.items() for at, one in enumerate(lists)}
    alone = rc.evaluate(
        {f"{task}#{at}": labels[task] for task, at in named},
        {f"{task}#{at}": one for (task, at), one in named.items()},
        metric,
    )
    values = dict(zip(alone.users.tolist(), np.nan_to_num(alone.per_user[metric]), strict=True))
    name, _, rest = metric.partition("@")
    more = (name.partition("(")[2].rstrip(")"),) if "(" in name else ()
    name = name.partition("(")[0] + (f"@{rest}" if rest else "")
    for how, together in (("mean", np.mean), ("best", np.max)):
        asked = spec(name, how, *more)
        found = rc.evaluate(labels, calls, asked)
        expected = [
            together([values[f"{task}#{at}"] for at in range(len(calls[task]))]) for task in found.users.tolist()
        ]
        assert found.per_user[asked] == pytest.approx(expected), how


def test_the_best_call_of_a_metric_that_is_good_when_low_has_the_least_value() -> None:
    run = {"t": [["z", "b"], ["a"], ["z", "y", "c"]], "u": [["x"]]}
    assert value(run, "first_rank", "best") == 1
    assert value(run, "first_rank", "mean") == 2


@pytest.mark.parametrize("how", ["refuse", *BY_HAND, "rrf(constant=1)"])
def test_a_run_without_calls_is_not_changed(how: str) -> None:
    run = {"t": {"a": 3.0, "z": 3.0, "b": 1.0}, "u": {"x": 1.0}}
    for name in METRICS:
        try:
            plain = rc.metric(f"{name}")
            other = plain.replace(calls=how)
        except rc.RankconvError:
            continue  # without a cutoff, or one number of all lists
        options = {"catalogue": ["a", "b", "c", "x", "y", "z"], "train": {"t": ["a"]}, "on_error": "collect"}
        before, after = (rc.evaluate(LABELS, run, [one], **options) for one in (plain, other))
        assert repr([*before.values()]) == repr([*after.values()]), name
        for users in zip(before.per_user.values(), after.per_user.values(), strict=True):
            assert np.array_equal(*users, equal_nan=True), name


def test_calls_are_refused_unless_a_setting_says_what_becomes_of_them() -> None:
    with pytest.raises(rc.MetricError) as refused:
        rc.evaluate(LABELS, CALLS, "ndcg@3")
    assert "calls=refuse, and the run has several searches for one task (3 for user 't')" in str(refused.value)
    assert "one-after-the-other, by-turns, rrf, last, best or mean" in str(refused.value)
    assert "Say what becomes of them: 'ndcg(calls=one-after-the-other)@3'" in str(refused.value)
    assert "-m 'ndcg(calls=one-after-the-other)@3'" in refused.value.shell
    found = rc.evaluate(LABELS, CALLS, ["ndcg@3", "ndcg(calls=last)@3"], on_error="collect")
    assert [*found.errors] == ["ndcg@3"]


@pytest.mark.parametrize(
    ("metric", "wrong"),
    [
        ("recall(calls=mean, aggregate=micro)", "aggregate=micro looks inside a user's number"),
        ("precision(calls=best, scope=global)", "makes one number of the lists of all users"),
        ("coverage(calls=best)@3", "coverage makes one number of the lists of all users"),
        ("ndcg(calls=mean, collapse=first)@3", "collapse=first joins items of one list"),
    ],
)
def test_calls_that_are_evaluated_one_by_one_need_a_value_of_each_user(metric: str, wrong: str) -> None:
    with pytest.raises(rc.MetricError, match=wrong):
        rc.metric(metric)


def test_the_number_of_calls() -> None:
    asked = "count(count-of=calls, calls=last)"
    found = rc.evaluate(LABELS, CALLS, asked)
    assert dict(zip(found.users.tolist(), found.per_user[asked], strict=True)) == {"t": 3, "u": 1, "v": 0}
    plain = rc.evaluate(LABELS, {"t": ["a"], "u": []}, "count(count-of=calls)")
    assert plain.per_user["count(count-of=calls)"].tolist() == [1, 0, 0]


def test_an_explanation_has_the_call_of_each_row() -> None:
    found = rc.explain(LABELS, CALLS, "ndcg(calls=by-turns)@3", user="t")
    assert [row.calls for row in found.prepared.rows] == [("1",), ("2",), ("1",), ("2",), ("1",)]
    assert found.to_dict()["list"][1]["calls"] == ["2"]
    assert "call" in found.to_text().split("The list")[1].splitlines()[1]
    collapsed = rc.explain(
        {"t": ["d"]}, {"t": [["d#1", "e#0"], ["d#0"]]}, "mrr(calls=last, collapse=max)", user="t", parents="#"
    )
    assert [(row.item, row.calls) for row in collapsed.prepared.rows] == [("d", ("2",))]


@pytest.mark.parametrize("how", ["mean", "best"])
def test_an_explanation_works_out_the_value_of_each_call(how: str) -> None:
    found = rc.explain(LABELS, CALLS, spec("ndcg@3", how), user="t")
    assert found.agrees
    assert [what for what, _ in found.working.says][:3] == ["call 1", "call 2", "call 3"]


def test_a_difference_is_attributed_to_calls() -> None:
    found = rc.why(LABELS, CALLS, a="rankconv:recall(calls=by-turns)@2", b="rankconv:recall(calls=mean)@2").to_dict()
    [only] = found["contributions"]
    assert only["settings"] == {"calls": ["by-turns", "mean"]}


def test_identify_tries_the_settings() -> None:
    number = f"{rc.evaluate(LABELS, CALLS, 'ndcg(calls=mean)@3')['ndcg(calls=mean)@3']:.6f}"
    found = rc.identify(LABELS, CALLS, "ndcg@3", number)
    assert "rankconv:ndcg(calls=mean)@3" in found.rows[0].presets


def test_the_signature_has_the_digest_of_the_calls() -> None:
    def stated(run: Any) -> dict[str, str]:
        signature = rc.evaluate(LABELS, run, "mrr(calls=last)").signatures["mrr(calls=last)"]
        return dict(pair.split(":", 1) for pair in signature.partition("||")[2].split("|"))

    assert "calls" not in stated({"t": ["a", "b"], "u": ["x"]})
    runs = [
        {"t": [["a", "b"], ["c"]]},
        {"t": [["a"], ["b", "c"]]},
        {"t": [["c"], ["a", "b"]]},
        {"t": [["b", "a"], ["c"]]},
        {"t": [["a", "b"], ["c"], []]},
        {"t": [[("a", 3), ("b", 2)], [("c", 1)]]},
        {"t": [[("a", 3), ("b", 1)], [("c", 1)]]},
    ]
    digests = [stated(one)["calls"] for one in runs]
    assert len({*digests}) == len(runs)


def test_seen_items_are_those_of_the_task() -> None:
    asked = "recall(calls=mean, exclude=seen)@1"
    run = {"t": [["a", "b"], ["b", "c"]], "u": [["z", "x"]]}
    found = rc.evaluate(LABELS, run, asked, seen={"t": ["b"], "u": ["z"]})
    assert found.per_user[asked].tolist()[:2] == pytest.approx([1 / 3, 1])  # a, c; x


def test_batches_give_the_same_numbers() -> None:
    for how in ("by-turns", "mean"):
        asked = spec("ndcg@3", how)
        evaluator = rc.Evaluator(asked)
        for user in CALLS:
            evaluator.update({user: LABELS[user]}, {user: CALLS[user]})
        assert evaluator.compute()[asked] == pytest.approx(rc.evaluate(LABELS, CALLS, asked)[asked])


def test_long_runs_are_prepared_row_by_row_where_each_call_is_evaluated() -> None:
    """Above a hundred rows plain lists are prepared otherwise; the numbers are those of few rows."""
    labels = {f"{user}{one}": items for user, items in LABELS.items() for one in range(60)}
    calls = {f"{user}{one}": lists for user, lists in CALLS.items() for one in range(60)}
    for how in BY_HAND:
        asked = spec("ndcg@3", how)
        assert rc.evaluate(labels, calls, asked)[asked] == pytest.approx(rc.evaluate(LABELS, CALLS, asked)[asked])
