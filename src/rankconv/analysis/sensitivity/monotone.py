"""Under which definitions are the best and the worst order of tied rows known without trying them all?

Where a number cannot fall when a better item moves up past a worse one of the same score, rows of equal score by
falling grade give the best value that any order of them has, and by rising grade the worst: any other order gets there
by such exchanges. Of a loss the best value is the least. Metrics promise that (`rises`), unless one of the settings
lets something else depend on the order.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from rankconv.aggregation import JUDGED_POLICIES, POLICIES
from rankconv.data.arrays import Numbers
from rankconv.data.joined import Joined
from rankconv.metrics.divisors import counts_hits
from rankconv.preparation.block import of_lists
from rankconv.preparation.on_data import OnData
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition, settings_of
from rankconv.specs.convention import CONVENTIONS, Registry, Setting


def not_known(definition: Definition, joined: Joined) -> str:
    """Why the best and the worst order cannot be told; nothing where they can."""
    return next(_reasons(definition, OnData(settings_of(*definition.parts), joined)), "")


def _reasons(definition: Definition, here: OnData) -> Iterator[str]:
    metric, settings = definition.metric, here.settings
    if definition.preparation.tie_rule is TieEffect.SHARED:
        yield f"ties={settings['ties'].text}, so no order of them matters"
    if not metric.keeps("rises"):
        yield f"{metric.name} need not rise when a better item moves up"
    falling = (
        convention_name for convention_name, setting in settings.items() if _may_fall(convention_name, setting, here)
    )
    falling_cases = (name for name, case in POLICIES.items() if case.may_fall(type(metric), settings[name]))
    falling_data = (name for name, case in JUDGED_POLICIES.items() if case.may_fall(settings[name]))
    for convention_name in (*falling, *falling_cases, *falling_data):
        yield f"{convention_name}={settings[convention_name].text}"
    yield from _grade_reasons(definition, here)


def _may_fall(convention_name: str, setting: Setting, here: OnData) -> bool:
    """Whether a number may fall under this setting though a better item moved up.

    One that is turned as a whole, as a loss is, falls where it would rise: its best order has the least value.
    """
    if counts_hits(setting):
        return True
    if setting.trait("turns"):
        return False
    rises = setting.setting_type.traits.get("rises")
    if rises is None:
        return _says(convention_name, Registry.generation)
    return not (rises is True or (rises and here.facts.of(str(rises), None).all()))


@lru_cache(maxsize=256)
def _says(convention_name: str, generation: int) -> bool:
    """Whether the convention says it of some settings; then it says it of all under which a number cannot fall."""
    return any(setting_type.traits.get("rises") for setting_type in CONVENTIONS[convention_name].setting_types.values())


def _grade_reasons(definition: Definition, here: OnData) -> Iterator[str]:
    """A higher grade must be no worse, and grade 0 worth nothing, as an item without a label is."""
    if (here.facts.grades < 0).any():
        yield "grades below 0"
    grades = np.union1d(here.facts.grades, 0.0)
    hits = here.relevant(grades).astype(float)
    if hits[0] or (np.diff(hits) < 0).any():
        yield f"relevant={here.settings['relevant'].text}"
    settings = definition.metric.settings
    if "gain" in settings:
        gains = here.gains(grades)
        too_great = definition.metric.gains_are_probabilities and gains[-1] > 1
        if gains[0] or (np.diff(gains) < 0).any() or too_great:
            yield f"gain={settings['gain'].text}"
    ranks = np.arange(1.0, (definition.metric.scope or 1024) + 1)
    if "discount" in settings and _discount_rises(settings["discount"], ranks):
        yield f"discount={settings['discount'].text}"


def _discount_rises(discount: Setting, ranks: Numbers) -> bool:
    """Whether one of these ranks, shape (ranks,), counts more than one above it.

    A discount that hangs on the list says itself that none does (`falls`).
    """
    if of_lists(discount):
        return not discount.trait("falls")
    return bool((np.diff(discount(ranks=ranks)) > 0).any())
