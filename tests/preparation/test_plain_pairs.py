"""Groups judged alone in lists that stand as they are: the same numbers, to the bit, as where all rows are repeated."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.engine import plan
from rankconv.errors import RankconvError
from rankconv.preparation import subtopics as subtopics_module
from rankconv.preparation.block import Block
from rankconv.preparation.plain_block import PlainBlock

ITEMS = [f"d{number}" for number in range(9)]
GRADES = st.sampled_from([-1.0, 0.0, 0.25, 1.0, 2.0, 2.75])
GROUPS = st.dictionaries(
    st.sampled_from("rst"), st.dictionaries(st.sampled_from(ITEMS), GRADES, min_size=1, max_size=5), max_size=3
)
GRADED = st.dictionaries(st.sampled_from(ITEMS), GRADES, max_size=6)
LISTS = st.lists(st.tuples(st.sampled_from(ITEMS), st.integers(-3, 9).map(float)), max_size=9)
METRICS = [
    "map(ap-denominator=min(k, relevant))@3",
    "map(ap-denominator=hits)",
    "ndcg(gain=exponential)@4",
    "ndcg(ideal=retrieved-at-k)@2",
    "ndcg(gain=linear, ideal=all-ones)",
    "f1(precision-denominator=length)@3",
    "recall(recall-denominator=relevant-grades)@2",
    "mrr(rr-hits=grades)@5",
    "bpref",
    "auc",
    "err@4",
    "inferred_ap",
    "rbp@3",
    "hit_count@9",
    "r_precision",
]
SETTINGS = [
    "",
    "labels-used=relevant-only, max-depth=cutoff",
    "labels-used=aligned-arrays",
    "labels-used=aligned-arrays, candidates=with-unretrieved(lowest=1)",
    "candidates=with-unretrieved",
    "relevant=any-label",
    "relevant=non-zero, negative=grade",
    "negative=unjudged, grades=integer",
    "grades=binary, order=score",
    "order=score, ties=expected",
    "order=score, ties=item-ascending, duplicates=first-row",
    "duplicates=each",
    "unjudged=condensed-before-depth",
    "grades-allowed=unit-interval",
    "min-score=positive",
    "on-short-ranking=0",
    "subtopic-weight=relevant",
]


def each(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from([f"u{user}" for user in range(6)]), values, min_size=1, max_size=6)


def asked(metric: str, settings: str) -> str:
    """The metric with these settings beside its own."""
    name, _, k = metric.partition("@")
    told = ", ".join(filter(None, [name.partition("(")[2].removesuffix(")") if "(" in name else "", settings]))
    return f"{name.partition('(')[0]}({told})" + (f"@{k}" if k else "")


def numbers(joined: Any, specs: list[str]) -> Any:
    """The values of all users as text, or why there are none."""
    try:
        found = rc.evaluate(joined, specs, preset="rankconv")
    except RankconvError as error:
        return str(error) if len(specs) == 1 else [numbers(joined, [spec]) for spec in specs]
    return [[spec, str(found[spec]), *map(str, found.per_user[spec])] for spec in specs]


def both_ways(labels: Mapping[str, Any], run: Mapping[str, Any], settings: str) -> None:
    joined, specs = rc.join(labels, run), [asked(metric, settings) for metric in METRICS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "FEW_ROWS", 0)
        fast = numbers(joined, specs)
        patch.setattr(plan, "FEW_ROWS", 10**6)
        assert fast == numbers(joined, specs)


@pytest.mark.parametrize("settings", SETTINGS)
@given(labels=each(GROUPS), run=each(LISTS))
@settings(max_examples=12, deadline=None)
def test_labels_in_groups(settings: str, labels: Mapping[str, Any], run: Mapping[str, Any]) -> None:
    run = run | {user: run.get(user, []) for user in labels}
    if any(labels.values()):
        both_ways(labels, run, ", ".join(filter(None, ["subtopics=separate", settings])))


@pytest.mark.parametrize("ungrouped", ["own", "one"])
@pytest.mark.parametrize("settings", SETTINGS)
@given(labels=each(GRADED), run=each(LISTS))
@settings(max_examples=6, deadline=None)
def test_labels_without_groups(settings: str, ungrouped: str, labels: Any, run: Mapping[str, Any]) -> None:
    run = run | {user: run.get(user, []) for user in labels}
    both_ways(labels, run, ", ".join(filter(None, ["subtopics=separate", f"no-subtopic={ungrouped}", settings])))


def ways(labels: Any, run: Any, spec: str, monkeypatch: pytest.MonkeyPatch) -> set[bool]:
    """Whether the groups were judged without their rows, of each block of users."""
    told: set[bool] = set()
    seen = subtopics_module.separate_subtopics

    def noted(block: Block) -> subtopics_module.SeparateSubtopics:
        made = seen(block)
        told.add(isinstance(made.block, PlainBlock))
        return made

    monkeypatch.setattr("rankconv.metrics.base.separate_subtopics", noted)
    monkeypatch.setattr(plan, "FEW_ROWS", 0)
    rc.evaluate(labels, run, spec)
    return told


@pytest.mark.parametrize(
    ("groups", "fast"),
    [
        ([["a", "b"], ["c"]], True),
        ([["a", "b"], ["c", "c"]], False),  # what a group says twice of an item
        ({"s": {"a": 1, "b": 2}, "t": {"a": -1}}, False),  # a grade that the labels of the user do not have
    ],
)
def test_rows_are_repeated_only_where_a_label_says_more_than_its_grade(
    groups: Any, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ways({"u": groups}, {"u": ["x", "b", "a", "c"]}, "map(subtopics=separate)", monkeypatch) == {fast}
