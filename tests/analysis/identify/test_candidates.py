"""The candidates: every preset's own definition, and what is near it."""

import pytest

import rankconv as rc
from rankconv.analysis.identify.candidates import families


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
