"""Batches of users against one evaluation of all of them."""

import gc
import weakref
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.engine.user_sums import why_not_summed
from tests.laws import examples
from tests.laws.test_laws import SIDE_DATA, Data, data, different, falling, lawful, parts

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}, "eve": {"d": 0}, "kim": {"a": 2}}
UNFIT = "batch 2: parts of the data do not fit each other"
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"], "kim": ["b", "a"], "zoe": ["a"]}


def part(drawn: Data, users: set[str]) -> Data:
    labels, run = drawn
    return {u: rows for u, rows in labels.items() if u in users}, {u: rows for u, rows in run.items() if u in users}


def everything(one: Measured) -> tuple[Any, ...]:
    """All that came out, to the last bit."""
    why = [(refusal.policy, refusal.why) for refusal in one.refusals]
    values = [value.hex() for value in one.values.tolist()]
    return float(one.mean).hex(), values, one.states.tolist(), one.counts, why, one.of_all


def accumulated(batches: list[Data], definitions: dict[str, rc.Definition], **more: Any) -> rc.Result:
    numbers = rc.Evaluator(list(definitions.values()), **SIDE_DATA, **more)
    for labels, run in batches:
        numbers.update(labels, run)
    return numbers.compute(on_error="collect")


@settings(lawful, max_examples=examples.of(quick=1, ci=3))
@given(drawn=data(), random=st.randoms(), plain=st.booleans())
def test_batches_change_no_bit(drawn: Data, random: Any, plain: bool) -> None:
    drawn = falling(drawn) if plain else drawn
    users = list(dict.fromkeys([*drawn[0], *drawn[1]]))
    batch_of = {user: random.randrange(3) for user in users}
    batches = [part(drawn, {user for user in users if batch_of[user] == number}) for number in range(3)]
    in_order = tuple({user: rows for batch in batches for user, rows in batch[side].items()} for side in range(2))
    definitions = {one.text: one for one in parts()[random.randrange(4) :: 4] if not why_not_summed(one)}
    labelled = {item for rows in in_order[0].values() for item, _ in rows}
    joined = rc.join(*in_order, **SIDE_DATA)
    at_once = measure(joined, list(definitions.values()), None)
    found = accumulated(batches, definitions, labelled=labelled)
    assert found.users.tolist() == joined.users.values.tolist()
    for one in at_once:
        assert everything(found.measured(one.definition.text)) == everything(one), one.definition.text
    means = accumulated(batches, dict(list(definitions.items())[::3]), per_user=False, labelled=labelled)
    for one in at_once[::3]:
        got = means.measured(one.definition.text)
        assert (float(got.mean).hex(), got.counts) == (float(one.mean).hex(), one.counts), one.definition.text


def test_the_law_meets_what_looks_across_users() -> None:
    definitions = different()
    assert [one for one in definitions if one.metric.of_all_lists and not why_not_summed(one)]
    assert [one for one in definitions if one.settings.get("judged-scope") == "collection"]
    assert [one for one in definitions if one.aggregation.given("on-one-user") != "as-computed"]
    assert [one for one in definitions if one.aggregation.given("on-k-beyond-rankings") != "as-computed"]


def test_a_setting_of_a_plugin_is_given_batches_where_it_looks_at_each_user_alone() -> None:
    says = {"rule": "some", "says": "some users are looked at"}
    rc.convention("users").setting("first-two", **says)(lambda joined: np.arange(len(joined.users)) < 2)
    rc.convention("users").setting("with-row", **says, spans_users=False)(lambda joined: joined.list_counts > 0)
    with pytest.raises(
        rc.MetricError, match=r"users=first-two is given the data of all users at once.*spans_users=False"
    ):
        rc.Evaluator("recall(users=first-two)@1")
    spec = "recall(users=with-row)@1"
    whole = rc.evaluate(LABELS, {user: RUN[user] for user in LABELS if user in RUN}, spec)
    for more in ({}, {"per_user": False, "repeated_users": "unchecked"}):
        numbers = rc.Evaluator(spec, **more)
        for user in LABELS:
            numbers.update(*part((LABELS, RUN), {user}))
        found = numbers.compute()
        assert (found[spec], found.counts) == (whole[spec], whole.counts)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("recall(users=first(2))@1", "is given the data of all users at once"),
        ("hit_count(max-depth=most-relevant)", "is given the data of all users at once"),
        ("recommenders:auc", "scope=global makes one list of all users"),
        ("beir:hole@2", "Say which items any user has a label for: labelled="),
    ],
)
def test_what_needs_all_users_at_once_is_refused(spec: str, why: str) -> None:
    with pytest.raises(rc.MetricError, match=why):
        rc.Evaluator(spec)


def test_whatever_is_given_the_joined_data_says_whether_it_looks_at_each_user_alone() -> None:
    of_data = [
        one
        for convention in CONVENTIONS.values()
        for one in convention.setting_types.values()
        if "joined" in one.parameters.data
    ]
    assert len(of_data) > 5
    assert [one.name for one in of_data if one.traits.spans_users is None] == []


def test_a_situation_of_the_data_is_that_of_all_batches() -> None:
    spec = "recall(on-one-user=refuse-all, users=union)@1"
    numbers = rc.Evaluator(spec)
    for user in LABELS:
        numbers.update(*part((LABELS, RUN), {user}))
    assert numbers.compute()[spec] == rc.evaluate(LABELS, {**RUN, "zoe": []}, spec)[spec]


def test_data_are_not_kept() -> None:
    labels, run = rc.Labels({"ada": ["a"]}), rc.Run({"ada": {"a": 1.0, "b": 0.5}})
    there = weakref.ref(run)
    numbers = rc.Evaluator("ndcg@2")
    numbers.update(labels, run)
    del labels, run
    gc.collect()
    assert there() is None
    assert len(numbers.compute().users) == 1


def test_arrays_of_a_training_loop() -> None:
    torch = pytest.importorskip("torch")
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, (7, 5)).astype(float)
    scores = random.random((7, 5))
    at_once = rc.evaluate(truth, scores, ["ndcg@3", "recall@3"], "recbole")
    for make in (np.asarray, torch.tensor):
        numbers = rc.Evaluator(["ndcg@3", "recall@3"], "recbole")
        for rows in (slice(0, 3), slice(3, 4), slice(4, 7)):
            numbers.update(make(truth[rows]), make(scores[rows]))
        found = numbers.compute()
        assert found.users.tolist() == list(range(7))
        assert found.per_user["ndcg@3"].tolist() == at_once.per_user["ndcg@3"].tolist()
        assert found["recall@3"] == at_once["recall@3"]


def test_rows_can_be_named() -> None:
    numbers = rc.Evaluator("mrr")
    numbers.update([["a"], ["b"]], [["x", "y"], ["b"]], users=["ada", "bob"])
    numbers.update({"kim": ["c"]}, [["x", "c"]], users=["kim"])
    assert dict(zip(numbers.compute().users, numbers.compute().per_user["mrr"], strict=True)) == {
        "ada": 0.0,
        "bob": 1.0,
        "kim": 0.5,
    }


def test_more_may_follow_a_result() -> None:
    numbers = rc.Evaluator(["map@2", "trec_eval:ndcg"], "mllib")
    for users in (["ada"], ["bob", "kim"]):
        numbers.update(*({user: side[user] for user in users} for side in (LABELS, RUN)))
        first = numbers.compute()
    assert first.to_dict() == numbers.compute().to_dict()
    both = rc.evaluate(
        {u: LABELS[u] for u in RUN if u in LABELS}, {u: RUN[u] for u in RUN if u in LABELS}, first.specs, "mllib"
    )
    assert first.to_dict() == both.to_dict()


def test_what_users_had_seen_and_the_catalogue() -> None:
    numbers = rc.Evaluator(
        ["precision(exclude=seen)@2", "auc_extrapolated", "recommenders:recall(exclude=seen)@2"], catalogue=9
    )
    seen = {"ada": ["x"], "bob": ["y"]}
    labels, run = {u: LABELS[u] for u in seen}, {u: {i: -r for r, i in enumerate(RUN[u])} for u in seen}
    for user in seen:
        numbers.update({user: labels[user]}, {user: run[user]}, seen={user: seen[user]})
    at_once = rc.evaluate(labels, run, numbers.compute("collect").specs, seen=seen, catalogue=9, on_error="collect")
    assert numbers.compute("collect").to_dict() == at_once.to_dict()
    assert at_once["precision(exclude=seen)@2"] == 0.75


def test_what_is_needed_and_missing_is_told_once() -> None:
    numbers = rc.Evaluator("precision(exclude=seen)@2")
    for user in ("ada", "bob"):
        numbers.update({user: LABELS[user]}, {user: RUN[user]})
    (refusal,) = numbers.compute("collect").errors["precision(exclude=seen)@2"]
    assert "needs seen, and none was given" in refusal.why
    with pytest.raises(rc.MetricError, match="needs seen"):
        numbers.compute()


def test_tables_and_joined_data() -> None:
    numbers = rc.Evaluator("mrr")
    numbers.update(pl.DataFrame({"user": ["ada"], "item": ["a"]}), pl.DataFrame({"user": ["ada"], "item": ["a"]}))
    numbers.update(rc.join({"bob": ["b"]}, {"bob": ["x", "b"]}))
    assert numbers.compute()["mrr"] == 0.75


@pytest.mark.parametrize(
    ("labels", "run", "more", "said"),
    [
        (
            {"ada": ["a"]},
            {"ada": ["a"]},
            {},
            "user 'ada' came in batch 1, and again in batch 2. Pass all labels and rows",
        ),
        (
            {1: ["a"]},
            {1: ["a"]},
            {},
            f"{UNFIT} (user ids that are integer and text)",
        ),
        (
            {"bob": [1]},
            {"bob": [1]},
            {},
            f"{UNFIT} (item ids that are integer and text)",
        ),
        (
            {"bob": ["a"]},
            {"bob": {"a": 1.0}},
            {},
            f"{UNFIT} (lists with scores: no and yes)",
        ),
        (
            {"bob": ["a"]},
            {"bob": ["a"]},
            {"seen": {"bob": ["x"]}},
            f"{UNFIT} (seen= given: no and yes)",
        ),
        ({"bob": ["a"]}, {"bob": ["a"]}, {"users": ["bob"]}, "users= names the rows of lists and arrays"),
        ([["a"]], [["a"]], {"users": ["bob", "eve"]}, "2 users were named, and there are 1 rows"),
        ([["a"], ["b"]], [["a"], ["c"]], {"users": ["bob", "bob"]}, "user 'bob' was named twice"),
        ({"bob": {"a": "1,5"}}, {"bob": ["a"]}, {}, "the grade '1,5' is not a number"),
        ({"bob": {"a": "much"}}, {"bob": ["a"]}, {}, "grades that are words: no and yes"),
    ],
)
def test_a_batch_that_is_refused_changes_nothing(labels: Any, run: Any, more: Any, said: str) -> None:
    numbers = rc.Evaluator(["mrr", "beir:hole@2"], labelled=["a"])
    numbers.update({"ada": {"a": 1}}, {"ada": ["x", "a"]})
    before, shown = numbers.compute("collect").to_dict(), repr(numbers)
    with pytest.raises(rc.InputError) as error:
        numbers.update(labels, run, **more)
    assert said in str(error.value)
    assert (numbers.compute("collect").to_dict(), repr(numbers)) == (before, shown)
    numbers.update({"bob": {"a": 1}}, {"bob": ["a"]})
    assert numbers.compute("collect")["mrr"] == 0.75


def test_users_on_one_side_only_may_come_in_a_batch_of_their_own() -> None:
    numbers = rc.Evaluator("recall@2", "mllib")
    numbers.update({"eve": ["a"]}, {})
    numbers.update({}, {"zoe": ["a"]})
    with pytest.raises(rc.InputError, match="the labels and the rankings have no user in common"):
        numbers.compute()
    numbers.update({"ada": ["a"]}, {"ada": ["a"]})
    assert numbers.compute().users.tolist() == ["eve", "ada", "zoe"]
    assert numbers.compute()["recall@2"] == pytest.approx(1 / 3)


def test_nothing_at_all() -> None:
    assert np.isnan(rc.Evaluator("mrr").compute()["mrr"])
    assert rc.Evaluator("mrr").compute().to_dict() == rc.evaluate({}, {}, "mrr").to_dict()


def test_coverage_of_training_is_0_where_nobody_has_a_row() -> None:
    spec, side = "coverage(coverage-of=in-train, users=union)@2", {"train": {"u": ["a", "b"]}, "catalogue": 4}
    labels, run = {"u": ["a"], "v": ["a"]}, dict[str, list[str]](u=[], v=[])
    batches = rc.Evaluator(spec, **side)
    for user in labels:
        batches.update({user: labels[user]}, {user: run[user]})
    assert batches.compute()[spec] == rc.evaluate(labels, run, spec, **side)[spec] == 0


def test_what_refuses_the_data_of_a_batch_is_said_as_of_all_at_once() -> None:
    labels, run = {"u": {"g": {"d1": 1}, "h": {"d2": 1}}}, {"u": [("d1#1", 3.0), ("d2#1", 2.0)]}
    specs = ["ndcg(collapse=max)@3", "map"]
    batches = rc.Evaluator(specs, parents="#")
    batches.update(labels, run)
    whole = rc.evaluate(labels, run, specs, parents="#", on_error="collect")
    assert batches.compute(on_error="collect").to_text() == whole.to_text()
    assert "collapse=max cannot collapse labels in subtopics" in whole.to_text()
