"""The means of presets with settings changed are those that the engine gives, whatever is changed together."""

import numpy as np
import pytest

from rankconv.analysis.identify.candidate_values import of_presets
from rankconv.analysis.identify.candidates import families
from rankconv.analysis.identify.changes import changed, occurring
from rankconv.analysis.identify.neighbours import Neighbours, gaps_to
from rankconv.analysis.identify.printed_value import sought
from rankconv.engine import measure
from tests.laws import examples, invented


@pytest.mark.parametrize("metric", ["mrr@3", "hit_rate@2"][: examples.of(quick=1, ci=2)])
def test_one_or_two_changed_settings(metric: str) -> None:
    """Those of one setting; of two most, as two changes may meet in one user."""
    joined, random = invented.data(40, 5), np.random.default_rng(4)
    wrong, tried = {1: 0, 2: 0}, {1: 0, 2: 0}
    kinds = set()
    for family in families(metric):
        own = [one for one in family.preset_definitions if one.preset in ("rankconv", "mllib", "torcheval")]
        gaps = gaps_to(sought("0.5"), of_presets(joined, own, None))
        near = Neighbours(joined, own, occurring(family.preset_definitions, ()), gaps)
        found = near.between([(-np.inf, np.inf)])
        for changes in tried:
            some = [one for one in found if len(one.changes) == changes]
            few = [some[place] for place in random.permutation(len(some))[: examples.of(quick=60, ci=400)].tolist()]
            made = [(one, definition) for one in few if (definition := one.definition)]
            measured = measure(joined, [definition for _, definition in made], None)
            for (one, _), each in zip(made, measured, strict=True):
                right = not each.refusals and each.mean == pytest.approx(one.value, rel=1e-9, abs=1e-12)
                wrong[changes], tried[changes] = wrong[changes] + (not right), tried[changes] + 1
                kinds |= {name for name, _ in one.changes}
    assert min(tried.values()) > 30
    assert len(kinds) > 10
    assert wrong[1] <= tried[1] // 50
    assert wrong[2] <= tried[2] // 3


def test_a_part_with_one_setting_is_that_which_is_read_from_text() -> None:
    [family, *_] = families("ndcg@3")
    settings = occurring(family.preset_definitions, ())
    for definition in family.preset_definitions[::50]:
        for part in definition.setting_sets:
            for change, one in changed(part, settings):
                other = part.replace(dict([change]))
                assert (one, one.fields, dict(one.settings)) == (other, other.fields, dict(other.settings))
