"""Under `ties=expected` a number is the mean over all orders of tied rows, or that of the order that is named."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.data.arrays import Numbers
from rankconv.engine import measure
from rankconv.preparation.pipeline import Expectation
from rankconv.presets.definition import with_changes
from tests.laws import examples
from tests.laws.test_laws import ITEMS, SIDE_DATA, definitions

Grades = dict[str, float]
Rows = list[tuple[str, float]]
REQUESTED = 150
"""So many definitions are asked of each example."""
GIVEN_ORDER = {
    "metric": {"summed_over_table": "looks for the row that was given last"},
    "candidates": {
        "with-unretrieved": "what was not returned stands below the row that was given last",
        "first-k": "keeps the first k rows given",
    },
    "labels-used": {"aligned-arrays": "adds up grades in the order of the rows, which rounds fractions otherwise"},
    "duplicates": {"first-row": "keeps the row given first", "last-row": "keeps the row given last"},
}
"""What goes by the order of rows whatever their scores are, and why."""

REMOVED = GIVEN_ORDER["duplicates"]
"""Rows of an item are removed before the list is ordered, so that orders are those of the rows left."""

lawful = settings(
    derandomize=True, deadline=None, max_examples=examples.of(quick=5, ci=25, long=1000), phases=[Phase.generate]
)


@cache
def asked() -> Sequence[rc.Definition]:
    """The metrics of all presets, of lists by falling score whose tied rows count by expected values.

    Left out is what makes ties of its own, what is one number of all lists, and what rounds the number of a user.
    """
    found: dict[Any, rc.Definition] = {}
    for one in definitions(None, 1, 2, 3):
        changed = with_changes(one, {"order": "score", "ties": "expected"})
        rounds = one.settings["round-user"] != "none"
        of_one = one.aggregation.active_policies(["on-one-user"])  # each order is evaluated as a user beside the others
        of_one = of_one or one.settings["users"].startswith("first")
        if changed is not None and not (one.preparation.compared.ties_made or one.pools or rounds or of_one):
            found.setdefault(changed.setting_sets, changed)
    return list(found.values())


@st.composite
def lists(draw: st.DrawFn) -> tuple[Grades, Rows, Random]:
    """Labels, and rows by falling score: most are tied, and some may hold one item; they have 216 orders at most."""
    items, grades = st.sampled_from(ITEMS), st.sampled_from(draw(st.sampled_from([[0, 1, 2, 3], [-1, 0, 0.1, 0.3, 1]])))
    labels = draw(st.dictionaries(items, grades, min_size=1, max_size=5))
    ties = draw(st.lists(st.integers(1, 3), max_size=3) | st.sampled_from([[4], [1, 4], [4, 1]]))
    listed = draw(st.lists(items, unique=draw(st.booleans()), min_size=sum(ties), max_size=sum(ties))) if ties else []
    scores = np.repeat([1.5, 0.25, -1.0][: len(ties)], ties).tolist()
    return labels, list(zip(listed, scores, strict=True)), Random(draw(st.integers(0, 10**6)))


def orders(rows: Rows) -> Iterator[Rows]:
    """Every order of the tied rows."""
    ties = [list(tie) for _, tie in groupby(rows, key=lambda row: row[1])]
    return ([row for part in parts for row in part] for parts in product(*map(permutations, ties)))


def values(labels: Grades, lists: Sequence[Rows], asked: Sequence[rc.Definition]) -> Numbers:
    """The value of each list under each definition, shape (definitions, lists)."""
    users = {f"v{place}": rows for place, rows in enumerate(lists)}
    joined = rc.join(
        dict.fromkeys(users, labels), users, **{**SIDE_DATA, "train": {"away": ["1", "2", "2", "10", "77"]}}
    )
    place = [joined.users.code_of[user] for user in users]
    return np.array([one.values[place] for one in measure(joined, asked, None)])


def as_given(one: rc.Definition) -> rc.Definition:
    found = with_changes(one, {"order": "given", "ties": "given"})
    assert found is not None
    return found


@lawful
@given(lists())
def test_it_is_the_mean_over_all_orders_or_that_of_the_order_named(drawn: tuple[Grades, Rows, Random]) -> None:
    labels, rows, random = drawn
    repeats = len({item for item, _ in rows}) < len(rows)
    some = [
        one
        for one in random.sample(asked(), REQUESTED)
        if not (repeats and one.preparation.given("duplicates") in REMOVED)
    ]
    rising = sorted(rows, key=lambda row: (-row[1], labels.get(row[0], 0), row[0]))
    by_item = sorted(rows, key=lambda row: (-row[1], row[0]))
    found, of_all = values(labels, [rows], some)[:, 0], values(labels, [*orders(rows)], [*map(as_given, some)])
    named = values(labels, [rising, by_item], [*map(as_given, some)])
    for one, value, each, (last, first_id) in zip(some, found, of_all, named, strict=True):
        match one.expectation:
            case Expectation.CLOSED_FORM:
                assert value == pytest.approx(each.mean(), rel=1e-12, abs=1e-12, nan_ok=True), one.text
            case Expectation.ANY_ORDER:
                assert each.tolist() == pytest.approx([value] * len(each), rel=1e-12, nan_ok=True), one.text
            case Expectation.BY_ITEM:
                assert value == pytest.approx(first_id, rel=1e-12, nan_ok=True), one.text
            case Expectation.RELEVANT_LAST if _by_grade_as_given(one) and min(labels.values()) >= 0:
                assert value == pytest.approx(last, rel=1e-12, nan_ok=True), one.text


@lawful
@given(lists())
def test_the_order_of_rows_changes_no_bit(drawn: tuple[Grades, Rows, Random]) -> None:
    labels, rows, random = drawn
    free = [one for one in asked() if not _goes_by_given_order(one)]
    some = [*random.sample(free, REQUESTED), *(one for one in free if one.preset == "rankconv")]
    lists = values(labels, [rows, *(random.sample(rows, len(rows)) for _ in range(3))], some)
    differ = [
        one.text for one, of_one in zip(some, lists, strict=True) if len({value.hex() for value in of_one.tolist()}) > 1
    ]
    assert differ == []


def _by_grade_as_given(one: rc.Definition) -> bool:
    """Whether rows stand by the grades of their labels: groups that are evaluated alone have grades of their own."""
    return (
        one.preparation.given("grades") == "given"
        and not one.preparation.separates_subtopics
        and not _goes_by_given_order(one)
    )


def _goes_by_given_order(one: rc.Definition) -> bool:
    told = {**one.settings, "metric": one.metric.name}
    return any(told[convention_name].partition("(")[0] in why for convention_name, why in GIVEN_ORDER.items())


def test_every_metric_with_a_closed_form_is_asked() -> None:
    """Of all metrics that the default preset names, these have one there."""
    house = rc.preset("rankconv").replace(order="score", ties="expected")
    closed = {key for key in house.metrics if house.define(key)[0].expectation is Expectation.CLOSED_FORM}
    assert closed >= {"precision", "recall", "f1", "map", "mrr", "hit_rate", "hit_count", "r_precision", "fall_out"}
    assert closed >= {"cg", "dcg", "ideal_dcg", "ndcg", "scaled_dcg", "gain_mean", "rbp", "cwl", "count", "accuracy"}
    assert {one.metric.name for one in asked() if one.expectation is Expectation.CLOSED_FORM} >= {
        house.define(key)[0].metric.name for key in closed - {"cwl"}
    }
