"""The second opinion: what is worked out from plain rows is what the engine gives, for every metric of every preset."""

import math
from functools import cache
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.engine import Measured, measure
from rankconv.explaining import workings
from rankconv.explaining.outcome import Outcome, outcome
from rankconv.explaining.plain import plain_list
from rankconv.explaining.rows import JudgedList
from rankconv.explaining.sheet import Sheet
from rankconv.explaining.walk import walk
from rankconv.explaining.working import WORKINGS
from rankconv.ranking.joined import Joined
from rankconv.ranking.judging import judge
from tests.laws.test_laws import ITEMS, Data, different, lawful
from tests.laws.test_laws import data as data_of_laws

GRADES = [0.0, 1.0, 2.0, 3.0, 0.5, 2.5, 0.3, -1.0]
"""Also fractions, and a negative one."""


def test_every_metric_of_the_package_is_worked_out() -> None:
    ours = {metric for metric in rc.METRICS.values() if metric.__module__.startswith("rankconv.metrics")}
    assert workings
    assert ours <= set(WORKINGS)


@st.composite
def uneven(draw: st.DrawFn) -> Data:
    """Users with fractional and negative grades, long lists, and scores of 0 and below."""
    items = [*ITEMS, *(str(place) for place in range(20, 40))]
    labels, run = {}, {}
    for place in range(draw(st.integers(1, 3))):
        labels[f"u{place}"] = [
            (item, draw(st.sampled_from(GRADES)))
            for item in draw(st.lists(st.sampled_from(items), unique=True, min_size=1, max_size=20))
        ]
        run[f"u{place}"] = [
            (item, draw(st.sampled_from([2.0, 1.0, 0.5, 0.25, 0.0, -1.0])))
            for item in draw(st.lists(st.sampled_from(items), max_size=25))
        ]
    return labels, run  # type: ignore[return-value]


class Opinions:
    """The users of one data set, each judged once for all definitions that judge alike."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self.judged = cache(self._judged)

    def _judged(self, judging: Any, k: int | None, code: int) -> JudgedList:
        return plain_list(judge(self.joined.block(np.array([code])).copy(k), judging))

    def of(self, one: Measured, code: int) -> Outcome:
        definition = one.definition
        k = definition.k if definition.judging.reads_cutoff else None
        judged = self.judged(definition.judging, k, code)
        working = WORKINGS[type(definition.metric)](Sheet(judged, definition.metric))
        return outcome(definition, judged, working, one, code)


def same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-12) or (math.isnan(one) and math.isnan(other))


def check(drawn: Data) -> None:
    joined = rc.join(*drawn, catalogue=60)
    opinions = Opinions(joined)
    for one in measure(joined, different(), None):
        for code in range(len(one.values)):
            second = opinions.of(one, code)
            where = (one.definition.text, joined.users.id(code), drawn)
            assert second.state == one.state_names[one.states[code]], where
            assert same(second.value, float(one.values[code])), where


@settings(lawful, max_examples=3)
@given(drawn=data_of_laws())
def test_the_working_gives_what_the_engine_gives(drawn: Data) -> None:
    check(drawn)


@settings(lawful, max_examples=3)
@given(drawn=uneven())
def test_it_does_so_with_fractions_and_long_lists(drawn: Data) -> None:
    check(drawn)


@settings(lawful, max_examples=1)
@given(drawn=data_of_laws())
def test_walking_judges_as_the_engine_does(drawn: Data) -> None:
    joined = rc.join(*drawn, catalogue=60)
    for judging, k in {(one.judging, one.k if one.judging.reads_cutoff else None) for one in different()}:
        at_once = plain_list(judge(joined.block(np.array([0])).copy(k), judging))
        assert walk(joined.block(np.array([0])).copy(k), judging)[1] == at_once, judging.stated
