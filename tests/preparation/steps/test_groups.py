"""Labels in groups: every setting on one small data set, worked out by hand, and the laws of groups."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.engine import plan
from rankconv.preparation.blocks import row_block
from rankconv.preparation.steps.subtopics import split
from tests.metrics.worked import Row, cells, neutral, value_of

LABELS: dict[str, dict[str, dict[str, float]]] = {
    "two": {"s": {"a": 1, "b": 1}, "t": {"c": 1}},
    "wide": {"s": {"a": 2}, "t": {"a": 1, "b": 3}, "n": {"b": 0}},  # a serves two groups, and n has nothing relevant
    "none": {"s": {"a": 0}},
}
RUN = {"two": ["x", "b", "a", "c"], "wide": ["x", "a", "b"], "none": ["a"]}
NEUTRAL = neutral()

ROWS = [
    Row("subtopics", "two", "recall", {"ignore": 3 / 3, "any": 2 / 2, "separate": 1}),
    Row("subtopics", "two", "recall@2", {"ignore": 1 / 3, "any": 1 / 2, "separate": (1 / 2 + 0) / 2}),
    Row("subtopics", "two", "precision@4", {"ignore": 3 / 4, "any": 2 / 4, "separate": (2 / 4 + 1 / 4) / 2}),
    Row("subtopics", "two", "mrr", {"ignore": 1 / 2, "any": 1 / 2, "separate": (1 / 2 + 1 / 4) / 2}),
    Row(
        "subtopics",
        "two",
        "map",
        {
            "ignore": (1 / 2 + 2 / 3 + 3 / 4) / 3,
            "any": (1 / 2 + 2 / 4) / 2,
            "separate": ((1 / 2 + 2 / 3) / 2 + 1 / 4) / 2,
        },
    ),
    # a is the first for both groups and counts for each, b is the first for none
    Row("subtopics", "wide", "hit_count", {"ignore": 2, "any": 2, "separate": (1 + 2) / 2}),
    Row("subtopics", "wide", "recall@2", {"ignore": 1 / 2, "any": 2 / 2, "separate": (1 / 1 + 1 / 2) / 2}),
    Row("subtopics", "wide", "cg", {"ignore": 2 + 3, "any": 2 * 2, "separate": (2 + (1 + 3)) / 2}),
    Row(
        "subtopics",
        "wide",
        "ideal_dcg",
        {"ignore": 3 + 2 / 2, "any": 3 + 2 / 2, "separate": (2 + (3 + 1 / 2)) / 2},
        "discount=reciprocal",
    ),
    Row("subtopics", "none", "precision", {"ignore": 0, "any": 0}),
    Row(
        "subtopic-weight",
        "wide",
        "recall@2",
        {"even": (1 + 1 / 2) / 2, "relevant": (1 * 1 + 2 * 1 / 2) / 3, "one": 1 + 1 / 2},
        "subtopics=separate",
    ),
]
PLAIN_ROWS = [
    Row("no-subtopic", "u", "recall", {"own": 2 / 3, "one": 1 / 1}, "subtopics=any"),
    Row("no-subtopic", "u", "mrr", {"own": (1 / 2 + 1 / 3 + 0) / 3, "one": 1 / 2}, "subtopics=separate"),
]


@pytest.mark.parametrize(("row", "setting", "expected"), cells(ROWS))
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    found = value_of(LABELS, RUN, NEUTRAL, row.user, row.metric, f"{row.convention_name}={setting}, {row.beside}")
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("row", "setting", "expected"), cells(PLAIN_ROWS))
def test_labels_without_groups(row: Row, setting: str, expected: float) -> None:
    found = value_of(
        {"u": ["a", "b", "c"]}, {"u": ["x", "b", "a"]}, NEUTRAL, "u", row.metric, f"no-subtopic={setting}, {row.beside}"
    )
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("convention_name", ["subtopics", "no-subtopic", "subtopic-weight"])
def test_no_setting_is_left_out(convention_name: str) -> None:
    told = {setting for row in ROWS + PLAIN_ROWS if row.convention_name == convention_name for setting in row.values}
    elsewhere = {"no-subtopic": {"refuse"}, "subtopic-weight": {"given"}}  # tests/data/test_group_weights.py
    assert told | elsewhere.get(convention_name, set()) == set(rc.convention(convention_name).setting_types)


def test_labels_without_groups_are_refused_where_nothing_says_what_they_are() -> None:
    with pytest.raises(rc.MetricError) as error:
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "recall(subtopics=any)")
    assert str(error.value) == (
        "rankconv:recall(subtopics=any): subtopics=any needs labels in groups, and these came in none. Give the "
        "groups: rc.Labels({user: {group: [items]}}) or rc.Labels(…, group='column'); or say what labels without "
        "groups are: 'recall(subtopics=any, no-subtopic=own)' or 'recall(subtopics=any, no-subtopic=one)'."
    )
    assert rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "recall")["recall"] == 1.0


def test_a_user_without_a_group_that_can_be_served_has_no_value() -> None:
    found = rc.evaluate(
        LABELS,
        RUN,
        "recall(subtopics=separate, on-no-relevant=as-computed, on-zero-division=as-computed)",
        preset=NEUTRAL,
    )
    [values] = found.per_user.values()
    assert str(values[found.users.tolist().index("none")]) == "nan"


def test_pooled_lists_have_no_groups() -> None:
    with pytest.raises(rc.MetricError, match="the lists of all users are pooled"):
        rc.evaluate(LABELS, RUN, "precision(subtopics=separate, scope=global)", preset=NEUTRAL)


@pytest.mark.parametrize(
    "spec", ["f1(subtopics=separate, aggregate=mean-of-parts)", "precision(subtopics=separate, aggregate=micro)"]
)
def test_a_mean_over_groups_has_no_parts_and_no_denominator(spec: str) -> None:
    with pytest.raises(rc.MetricError, match="which is a mean over groups here"):
        rc.evaluate(LABELS, RUN, spec, preset=NEUTRAL)


def test_what_is_judged_for_another_group_is_judged() -> None:
    """b is labelled in one group alone, and stays in the list of the other, as a miss."""
    labels, run = {"u": {"s": ["a"], "t": ["b"]}}, {"u": ["x", "b", "a"]}
    spec = "mrr(subtopics=separate, unjudged=condensed-before-depth)"
    assert rc.evaluate(labels, run, spec)[spec] == (1 / 2 + 1 / 1) / 2
    spec = "recall(subtopics=separate, relevant=any-label)"
    assert rc.evaluate(labels, run, spec)[spec] == 1.0


# laws, and AutoRAG's formulas written down once more

ITEMS = [f"d{number}" for number in range(8)]
GROUPS = st.lists(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=4, unique=True), min_size=1, max_size=4)
LISTS = st.lists(st.sampled_from(ITEMS), max_size=8)
Several = Mapping[str, Sequence[Sequence[str]]]


def users(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(dict.fromkeys(("u", "v", "w"), values))


def as_sets(groups: Several) -> dict[str, dict[int, set[str]]]:
    """Groups by name."""
    return {user: dict(enumerate(map(set, several))) for user, several in groups.items()}


def values(labels: Any, run: Any, spec: str, preset: Any = NEUTRAL) -> list[float]:
    return [float(value) for value in rc.evaluate(labels, run, spec, preset=preset).per_user[spec]]


AP = "map(subtopics=separate, ap-denominator=hits, on-zero-division=0)"


@given(users(GROUPS), users(LISTS))
@settings(max_examples=30, deadline=None)
def test_recall_mrr_and_ap_over_groups_as_autorag_has_them(groups: Several, run: Mapping[str, Sequence[str]]) -> None:
    labels = as_sets(groups)
    one_each = {user: list(dict.fromkeys(items)) for user, items in run.items()}
    recall, once, mrr, mean_ap = (
        values(labels, one_each, spec)
        for spec in ("hit_rate(subtopics=separate)", "recall(subtopics=any)", "mrr(subtopics=separate)", AP)
    )
    for at, user in enumerate(labels):
        sought, items = labels[user].values(), one_each[user]
        found = sum(bool(group & set(items)) for group in sought) / len(sought)
        assert recall[at] == pytest.approx(found)
        assert once[at] == pytest.approx(found)
        first = [next((1 / rank for rank, item in enumerate(items, 1) if item in group), 0.0) for group in sought]
        assert mrr[at] == pytest.approx(sum(first) / len(sought))
        assert mean_ap[at] == pytest.approx(sum(_ap(group, items) for group in sought) / len(sought))


def _ap(group: set[str], items: Sequence[str]) -> float:
    ranks = [rank for rank, item in enumerate(items, 1) if item in group]
    return sum(hits / rank for hits, rank in enumerate(ranks, 1)) / len(ranks) if ranks else 0.0


SPECS = ["precision@2", "recall@3", "map", "mrr", "ndcg@4", "bpref", "err", "rbp@3", "f1@3", "auc", "count"]


@given(users(LISTS), users(LISTS))
@settings(max_examples=12, deadline=None)
def test_one_group_of_all_labels_is_as_good_as_none(labels: Mapping[str, Any], run: Mapping[str, Any]) -> None:
    alone = {user: {0: set(items)} if items else {} for user, items in labels.items()}
    plain = {user: set(items) for user, items in labels.items()}
    if not any(labels.values()):
        return
    for spec in SPECS:
        name, _, k = spec.partition("@")
        apart = f"{name}(subtopics=separate)@{k}" if k else f"{name}(subtopics=separate)"
        assert str(values(alone, run, apart, "rankconv")) == str(values(plain, run, spec, "rankconv")), spec


@given(users(LISTS), users(LISTS))
@settings(max_examples=12, deadline=None)
def test_where_each_label_is_a_group_each_counts_once(labels: Mapping[str, Any], run: Mapping[str, Any]) -> None:
    plain = {user: set(items) for user, items in labels.items()}
    for spec in ("precision@2", "recall@3", "map", "mrr", "ndcg@4", "bpref"):
        name, _, k = spec.partition("@")
        once = f"{name}(subtopics=any, no-subtopic=own)@{k}" if k else f"{name}(subtopics=any, no-subtopic=own)"
        assert values(plain, run, once, "rankconv") == pytest.approx(
            values(plain, run, spec, "rankconv"), nan_ok=True
        ), spec


@given(users(GROUPS), users(LISTS))
@settings(max_examples=12, deadline=None)
def test_fast_and_row_by_row_are_the_same_and_users_do_not_meet(groups: Several, run: Mapping[str, Any]) -> None:
    labels = as_sets(groups)
    backwards = dict(reversed(labels.items()))
    for spec in ("map(subtopics=separate)", "ndcg(subtopics=any)@3", "recall(subtopics=separate)@2", "recall@2"):
        by_row = values(labels, run, spec, "rankconv")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plan, "FEW_ROWS", 0)
            assert values(labels, run, spec, "rankconv") == by_row
        assert values(backwards, run, spec, "rankconv") == by_row[::-1]
        for at, user in enumerate(labels):
            assert values({user: labels[user]}, {user: run[user]}, spec, "rankconv") == [by_row[at]]


@pytest.mark.parametrize(
    "settings",
    [
        "",
        "on-short-ranking=0",
        "candidates=with-unretrieved",
        "labels-used=aligned-arrays",
        "ties=reversed, order=score",
    ],
)
@pytest.mark.parametrize("metric", ["map(ap-denominator=k)@3", "precision(precision-denominator=length)@2", "bpref@4"])
@pytest.mark.parametrize("ungrouped", ["own", "one"])
def test_lists_longer_than_what_is_read_of_them(metric: str, settings: str, ungrouped: str) -> None:
    """The first rows of a plain list, repeated for each group, give what all of its rows give."""
    draw, items = Random(0), range(30)
    labels = {user: {item: draw.randint(0, 2) for item in draw.sample(items, user)} for user in range(12)}
    run = {user: {item: draw.randint(1, 20) for item in draw.sample(items, 2 * user)} for user in range(12)}
    name, _, k = metric.partition("@")
    told = ", ".join(filter(None, ["subtopics=separate", f"no-subtopic={ungrouped}", settings]))
    spec = f"{name[:-1]}, {told})@{k}" if name.endswith(")") else f"{name}({told})@{k}"
    with pytest.MonkeyPatch.context() as patch:
        found = []
        for few in (0, 10**6):
            patch.setattr(plan, "FEW_ROWS", few)
            found.append(values(labels, run, spec, "rankconv"))
    assert found[0] == pytest.approx(found[1], abs=0, nan_ok=True)


def test_definitions_that_differ_in_groups_alone_do_not_share_their_blocks() -> None:
    """Blocks of lists that preparation leaves as they are are shared; asked together, each has its own number."""
    labels = {f"u{user}": [f"a{item}" for item in range(3)] for user in range(40)}
    run = {user: ["x", "a0", "a1", "y"] for user in labels}
    specs = ["hit_rate", *(f"hit_rate(subtopics=separate, no-subtopic={one})" for one in ("own", "one"))]
    assert dict(rc.evaluate(labels, run, specs, preset=NEUTRAL)) == pytest.approx(
        dict(zip(specs, (1, 2 / 3, 1), strict=True))
    )
    weighed = ["recall(subtopics=separate)", "recall(subtopics=separate, subtopic-weight=relevant)"]
    in_groups = {user: {1: {"a0", "a1"}, 2: {"a2"}} for user in labels}
    found = rc.evaluate(in_groups, run, weighed, preset=NEUTRAL)
    assert [found[spec] for spec in weighed] == pytest.approx([1 / 2, 2 / 3])


def test_f_of_precision_by_rows_and_recall_by_groups() -> None:
    spec = "f1(f-recall=subtopics, precision-denominator=length)@3"
    found = rc.evaluate({"u": {1: ["a", "b"], 2: ["c"]}}, {"u": ["x", "b", "a", "c"]}, spec)
    assert found[spec] == pytest.approx(2 * (2 / 4) * (1 / 2) / (2 / 4 + 1 / 2))
    with pytest.raises(rc.MetricError, match="f-recall=subtopics needs labels in groups"):
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, spec)


@pytest.mark.parametrize("settings", ["subtopics=any", "subtopics=separate"])
def test_batches_of_users_keep_their_groups(settings: str) -> None:
    spec = f"recall({settings})@2"
    numbers = rc.Evaluator([spec], preset=NEUTRAL)
    for user in ("two", "wide"):
        numbers.update({user: LABELS[user]}, {user: RUN[user]})
    both = ({user: found[user] for user in ("two", "wide")} for found in (LABELS, RUN))
    assert numbers.compute()[spec] == rc.evaluate(*both, spec, preset=NEUTRAL)[spec]


@pytest.mark.parametrize("duplicates", ["once", "first-row", "last-row", "set", "pairs"])
def test_rows_that_go_after_the_depth_are_no_labels_of_a_subtopic(duplicates: str) -> None:
    labels = {"u": {"s1": {"a": 1, "b": 2}, "s2": {"a": 2, "c": 1}}, "v": {"s1": {"c": 1}}}
    run = {"u": ["a", "x", "a", "b", "c", "a"], "v": ["c", "c", "y"]}
    settings = {"labels-used": "aligned-arrays", "subtopics": "any", "duplicates": duplicates, "order": "given"}
    inside = ", ".join(f"{name}={setting}" for name, setting in settings.items())
    metric = rc.metric(f"ndcg({inside}, ideal=all-labels)@3")
    together = metric(labels, run)
    alone = [metric({user: labels[user]}, {user: run[user]}) for user in labels]
    assert float(together) == pytest.approx(sum(alone) / 2, rel=1e-12)


def test_groups_that_weigh_nothing_are_not_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 300 judged items, each a group of its own, three are relevant: what is prepared grows with these."""
    labels = {user: {f"d{i}": float(i % 100 == 0) for i in range(300)} for user in ("u", "v")} | {"w": {"d1": 0.0}}
    run = {"u": ["x", "d100"], "v": ["d0"], "w": ["d1"]}
    prepared: list[int] = []

    def counted(joined: Any, users: Any, pairs: Any, *rest: Any) -> Any:
        prepared.append(len(pairs.user))
        return split(joined, users, pairs, *rest)

    monkeypatch.setattr(row_block, "split", counted)
    definition = rc.metric("mrr(subtopics=separate, no-subtopic=own, on-no-relevant=skip)")
    assert definition(labels, run) == pytest.approx((1 / 2 / 3 + 1 / 3) / 2)
    assert sum(prepared) == 6
