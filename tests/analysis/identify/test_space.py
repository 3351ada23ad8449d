"""The search space: every preset's own definition, what lies near it, and nothing that is not defined."""

import pytest

import rankconv as rc
from rankconv.analysis.identify.space import families, space
from rankconv.presets.registry import neutral_settings


@pytest.mark.parametrize("asked", ["ndcg@10", "map", "precision@5", "mrr@10", "f1@3"])
def test_each_presets_own_is_there(asked: str) -> None:
    found = {one.parts for one in space(asked)}
    offering = [rc.preset(name) for name in rc.list_presets() if rc.preset(name).offers(asked)]
    assert len(offering) > 10
    assert all(one.parts in found for preset in offering for one in preset.define(asked))


@pytest.mark.parametrize("asked", ["hit_rate@10", "mrr", "err@5"])
def test_all_are_different_defined_and_read_back(asked: str) -> None:
    found = space(asked)
    neutral = neutral_settings() | {"k-accepted": ""}
    assert len({one.parts for one in found}) == len(found)
    for one in found[:: max(1, len(found) // 100)]:
        [again] = rc.preset(one.preset).define(one.spec)
        assert again.fingerprint_over(neutral | again.settings) == one.fingerprint_over(neutral | one.settings)
        forms = ({**each.settings, "k-accepted": ""} for each in (again, one))
        assert len({tuple(form.items()) for form in forms}) == 1


def test_a_name_may_mean_several_strategies() -> None:
    names = {family.strategy.name for family in families("map@10")}
    assert names == {"average_precision", "summed_over_ranks", "summed_over_table"}


def test_slips_are_in_it() -> None:
    specs = " ".join(one.spec for one in space("ndcg@10"))
    for setting in ("shift=2)", "ideal-cutoff=none", "aggregate=sum", "on-no-hits=skip", "base=10"):
        assert setting in specs


def test_told_settings_hold_everywhere() -> None:
    assert {one.metric.given("gain") for one in space("dcg(gain=exponential)@5")} == {"exponential"}
