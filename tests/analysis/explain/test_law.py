"""The second opinion: what is worked out from plain rows is what the engine gives, for every metric of every preset."""

import math
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import rankconv as rc
from rankconv import plugin
from rankconv.analysis.explain.derivation import Derivation, derived
from rankconv.analysis.explain.exact_block import ExactBlock
from rankconv.analysis.explain.explain import explain_measured, outcome
from rankconv.analysis.explain.explanation import UserOutcome
from rankconv.analysis.explain.prepared_list import prepared_list, trace_preparation
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import OUTSIDE, Measured
from rankconv.metrics import METRICS
from rankconv.metrics.groups.item_groups import OfGroups
from rankconv.preparation.blocks.row_block import RowBlock, prepare
from rankconv.preparation.steps.subtopics import NEED
from rankconv.preparation.working_rows import working_block
from tests.analysis.explain.by_hand import HOLDS, SEVEN, ByHand, Case
from tests.laws import examples
from tests.laws.test_laws import ITEMS, SIDE_DATA, Data, different, different_alone, lawful, parts, parts_alone
from tests.laws.test_laws import data as data_of_laws

GRADES = [0.0, 1.0, 2.0, 3.0, 0.5, 2.5, 0.3, -1.0]
"""Also fractions, and a negative one."""


ALL_ITEMS = [*ITEMS, *(str(place) for place in range(20, 40))]
SIDES = SIDE_DATA | {"catalogue": 60}
OF_GROUPS = SIDES | {
    "item_features": {item: ("jazz", "rock", "folk")[place % 3] for place, item in enumerate(ALL_ITEMS)},
    "group_target": {"jazz": 0.5, "rock": 0.3, "folk": 0.2},
    "train": {f"u{place}": ALL_ITEMS[place:] for place in range(len(ALL_ITEMS))},
}
"""For metrics of groups of items, whose features are no vectors; no two items are equally popular."""

OURS = [metric for metric in METRICS.values() if metric.__module__.startswith("rankconv.metrics")]


def uneven(seed: int) -> Data:
    """Two users with fractional and negative grades, repeated items, scores from -1; the first has long lists."""
    draw = Random(seed)
    items, scores = ALL_ITEMS, [2.0, 1.0, 0.5, 0.25, 0.0, -1.0]
    sizes = {"u0": (18, 22), "u1": (6, 8)}
    labels = {
        user: [(item, draw.choice(GRADES)) for item in draw.sample(items, size)] for user, (size, _) in sizes.items()
    }
    run = {user: [(draw.choice(items), draw.choice(scores)) for _ in range(rows)] for user, (_, rows) in sizes.items()}
    return labels, run  # type: ignore[return-value]


def even(seed: int) -> Data:
    """Three users with grades of 0 and 1, and short lists without repetition, which no system refuses."""
    draw = Random(seed)
    users = ("u0", "u1", "u2")
    labels = {user: [(item, draw.randint(0, 1)) for item in draw.sample(ITEMS, 5)] for user in users}
    run = {user: [(item, draw.choice([3.0, 2.0, 1.0])) for item in draw.sample(ITEMS, 6)] for user in users}
    return labels, run  # type: ignore[return-value]


class Opinions:
    """The users of one data set, each prepared and worked out once for all definitions that do so alike."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self.block, self.worked_out = cache(self._block), cache(self._worked_out)

    def _block(self, preparation: Any, k: int | None, code: int) -> RowBlock:
        return prepare(working_block(self.joined, np.array([code])).copy(k), preparation)

    def _worked_out(
        self, preparation: Any, k: int | None, metric: plugin.Metric, code: int
    ) -> tuple[Derivation, ByHand]:
        """Where the metric is one of the seven, compared with its formula by hand."""
        block = self.block(preparation, k, code)
        working, hand = derived(metric, ExactBlock(block.prepared, block.hit_rows, preparation)), ByHand(block, metric)
        if metric.name in SEVEN and metric.fields.get("item_weight") == "none":  # by hand items are equal
            ours = (working.numerator.value, working.denominator.value)
            for one, other in zip(ours, getattr(hand, metric.name)(), strict=True):
                assert same(one, other, 1e-12), (metric, hand.prepared)
        return working, hand

    def of(self, one: Measured, code: int) -> UserOutcome:
        definition = one.definition
        k = definition.k if definition.preparation.reads_cutoff else None
        working, hand = self.worked_out(definition.applied, k, definition.metric, code)
        if one.states[code] != OUTSIDE and not one.of_all:
            policy = Case(hand, working, definition).policy()
            told = "scored" if policy is None else f"{policy}: {definition.aggregation.given(policy)}"
            assert told == one.state_names[one.states[code]], (definition.text, hand.prepared)
        return outcome(definition, hand.prepared, working, one, code)


def same(one: float, other: float, room: float = 0.0) -> bool:
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=room) or (math.isnan(one) and math.isnan(other))


def check(drawn: Data, asked: Sequence[rc.Definition]) -> set[str]:
    """Compare value and state of every user; the metrics of which a number other than 0 was compared."""
    told = set[str]()
    of_groups = {one for one in asked if one.preparation.separates_subtopics or NEED in one.needs}
    untold = {one for one in asked if not HOLDS.keys() >= {*one.aggregation.policies}}
    by_user = [one for one in asked if not one.metric.of_all_lists and one not in of_groups | untold]
    for sides, in_item_groups in ((SIDES, False), (OF_GROUPS, True)):
        opinions = Opinions(rc.join(*drawn, **sides))
        some = [one for one in by_user if isinstance(one.metric, OfGroups) == in_item_groups]
        for one in measure(opinions.joined, some, None):
            told |= compared(opinions, one, drawn)
    return told


def compared(opinions: Opinions, one: Measured, drawn: Data) -> set[str]:
    """The metric, if a number of it other than 0 was compared. What lacks data is refused, and is not explained."""
    told, users = set[str](), opinions.joined.users
    if any(refusal.policy == "needs" for refusal in one.refusals):
        with pytest.raises(rc.MetricError):
            explain_measured(opinions.joined, 0, one)
        return told
    for code, value in enumerate(one.values.tolist()):
        second = opinions.of(one, code)
        where = (one.definition.text, users.id(code), drawn)
        assert second.state == one.state_names[one.states[code]], where
        assert same(second.value, value), where
        told |= {one.definition.metric.name} if value and math.isfinite(value) else set()
    return told


@settings(lawful, max_examples=examples.of(quick=1, ci=2))
@given(drawn=data_of_laws())
def test_the_working_gives_what_the_engine_gives(drawn: Data) -> None:
    check(drawn, parts()[:: examples.of(quick=5, ci=1)])


def test_it_does_so_with_fractions_and_long_lists_of_every_metric() -> None:
    """And where no user, and no situation of all of them, takes the values of others."""
    of_each_part = parts_alone()
    worked_out = {id(one) for one in of_each_part}
    others = [one for one in different_alone() if id(one) not in worked_out]
    some = {
        one.text: one for one in [*others[:: examples.of(quick=12, ci=1)], *{o.metric.name: o for o in others}.values()]
    }
    told = check(uneven(0), of_each_part)
    untold = [one for one in of_each_part if one.metric.name not in told]
    told |= check(even(0), [*some.values(), *untold])
    assert told == {one.name for one in OURS if not one.of_all_lists and NEED not in one.needs}


@settings(lawful, max_examples=1)
@given(drawn=data_of_laws())
def test_walking_prepares_as_the_engine_does(drawn: Data) -> None:
    joined = rc.join(*drawn, **SIDES)
    asked = {(one.preparation, one.k if one.preparation.reads_cutoff else None) for one in different()}
    for preparation, k in asked:
        at_once = prepared_list(prepare(working_block(joined, np.array([0])).copy(k), preparation))
        assert trace_preparation(working_block(joined, np.array([0])).copy(k), preparation)[1] == at_once, (
            preparation.stated
        )
