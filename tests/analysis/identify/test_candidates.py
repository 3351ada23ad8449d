"""The candidates: every preset's own definition, and what is near it."""

from itertools import product

import pytest

import rankconv as rc
from rankconv.analysis.identify.candidates import _near_combinations, families


@pytest.mark.parametrize("metric", ["hit_rate@10", "mrr"])
def test_each_presets_own_is_there(metric: str) -> None:
    named = {one.setting_sets for family in families(metric) for one in family.preset_definitions}
    offering = [preset for preset in map(rc.preset, rc.list_presets(eras=True)) if preset.offers(metric)]
    assert len(offering) > 10
    assert all(one.setting_sets in named for preset in offering for one in preset.define(metric))


def test_a_name_may_mean_several_strategies() -> None:
    names = {family.strategy.name for family in families("map@10")}
    assert names == {"average_precision", "reciprocal_rank", "summed_over_ranks", "summed_over_table"}


def test_slips_are_in_it_and_given_settings_hold_everywhere() -> None:
    [family] = families("dcg(gain=exponential)@5")
    settings = {pair for one in (*family.metrics, *family.aggregations) for pair in one.stated.items()}
    slips = {"discount": "log(base=2, shift=2)", "aggregate": "sum", "on-no-hits": "skip"}
    assert settings >= {*slips.items(), ("discount", "log(base=10)")}
    assert {one.given("gain") for one in family.metrics} == {"exponential"}


def test_combinations_are_those_of_all_that_are_near_a_known_one() -> None:
    listed = {
        "gain": ["a", "b", "mine"],
        "discount": ["x", "y", "mine"],
        "k-accepted": ["k"],
        "k-applies-to": ["l", "m"],
    }
    own = [("a", "x", "k", "l"), ("b", "y", "other", "l"), ("a", "y", "k", "m")]
    far = {"mine": 2, "k": 0, "l": 3, "m": 3}  # a setting that none has counts 2, the form of a metric nothing
    near = [
        each
        for each in product(*listed.values())
        if min(sum(far.get(one, 1) for one, other in zip(each, preset, strict=True) if one != other) for preset in own)
        <= 2
    ]
    known = [dict(zip(listed, each, strict=True)) for each in own]
    assert [tuple(one.values()) for one in _near_combinations(listed, known)] == near
    assert 0 < len(near) < 18
