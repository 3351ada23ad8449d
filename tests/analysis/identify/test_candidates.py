"""The candidates: every preset's own definition, what is near it, and nothing that is not defined."""

import pytest

import rankconv as rc
from rankconv.analysis.identify.candidates import families, space


@pytest.mark.parametrize("metric", ["hit_rate@10", "mrr"])
def test_each_presets_own_is_there_and_all_are_different_and_read_back(metric: str) -> None:
    found = space(metric)
    parts = {one.parts for one in found}
    offering = [preset for preset in map(rc.preset, rc.list_presets(eras=True)) if preset.offers(metric)]
    assert len(offering) > 10
    assert all(one.parts in parts for preset in offering for one in preset.define(metric))
    assert len(parts) == len(found)
    for one in found[:: len(found) // 30]:
        [again] = rc.preset(one.preset).define(one.spec)
        assert again.fingerprint == one.fingerprint
        assert again.settings | {"k-accepted": ""} == one.settings | {"k-accepted": ""}


def test_a_name_may_mean_several_strategies() -> None:
    names = {family.strategy.name for family in families("map@10")}
    assert names == {"average_precision", "summed_over_ranks", "summed_over_table"}


def test_slips_are_in_it_and_given_settings_hold_everywhere() -> None:
    found = space("dcg(gain=exponential)@5")
    specs = " ".join(one.spec for one in found)
    for setting in ("shift=2)", "aggregate=sum", "on-no-hits=skip", "base=10"):
        assert setting in specs
    assert {one.metric.given("gain") for one in found} == {"exponential"}
