"""Where no definition gives a number: does it come out at another cutoff, or with another level of relevance?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankconv.analysis.identify.circumstances import Chance, preparation_classes
from rankconv.analysis.identify.identified import Row
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.rows import Found, as_rows, classes, of_presets
from rankconv.analysis.identify.space import entries, every_preset, one_metric
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine.plan import has_all_needs
from rankconv.preparation.steps.relevance import RELEVANT
from rankconv.presets.definition import Definition
from rankconv.presets.registry import preset
from rankconv.specs.spec import Asked

CUTOFFS = (None, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500, 1000)
MANY_ROWS, FEW_CUTOFFS = 200_000, (None, 1, 5, 10, 20, 100)
"""On more rows than this fewer cutoffs are tried."""
MOST_LEVELS = 10


def elsewhere(joined: Joined, metric: Asked, sought: PrintedValue, chosen: Mask | None) -> list[Row]:
    """The presets that give the number at a usual cutoff, or where another grade is the lowest relevant one.

    `chosen` restricts the population, shape (users,).
    """
    asked = _different(joined, [*_at_other_cutoffs(joined, metric), *_at_other_levels(joined, metric)])
    measured = of_presets(joined, asked, chosen)
    found = [Found(one, how, 1, 1, of_preset=True) for one in measured if (how := sought.how(one.mean)) is not None]
    return as_rows(joined, classes(found, sought), Chance.of_presets(sought, (one.mean for one in measured)))


def _different(joined: Joined, definitions: Sequence[Definition]) -> list[Definition]:
    """One of those that judge this data alike and are the same otherwise."""
    preparations = dict.fromkeys(one.preparation for one in definitions if has_all_needs(joined, one.preparation))
    class_of = {
        preparation: place
        for place, each in enumerate(preparation_classes(joined, list(preparations)))
        for preparation in each
    }
    known = [one for one in definitions if one.preparation in class_of]
    return list({(class_of[one.preparation], one.metric, one.aggregation): one for one in reversed(known)}.values())


def _at_other_cutoffs(joined: Joined, metric: Asked) -> list[Definition]:
    spec = one_metric(metric)
    rows = joined.rankings.row_count + joined.labels.row_count
    cutoffs = [k for k in (CUTOFFS if rows <= MANY_ROWS else FEW_CUTOFFS) if k not in spec.cutoffs]
    presets = every_preset()
    whole = entries(spec.at(None), presets) if None in cutoffs else []
    first, *others = (k for k in cutoffs if k is not None)
    at_first = entries(spec.at(first), presets)
    return [*whole, *at_first, *(_at(one, k) for k in others for one in at_first)]


def _at(one: Definition, k: int) -> Definition:
    """What is defined at one cutoff at another: a preset's settings are the same at all of them."""
    return replace(one, metric=one.metric.replace({}, k=k), asked_k=k)


def _at_other_levels(joined: Joined, metric: Asked) -> list[Definition]:
    grades = np.unique(joined.labels.grade)
    if not 1 < len(grades) <= MOST_LEVELS or any(
        convention_name == RELEVANT.name for convention_name, _ in one_metric(metric).settings
    ):
        return []
    told = [(RELEVANT.name, f"at-least({grade:g})") for grade in grades[1:].tolist()]
    return [_but(one, pair) for one in entries(metric) for pair in told]


def _but(one: Definition, told: tuple[str, str]) -> Definition:
    made = preset(one.preset).definition(one.key, (*one.changed, told), one.asked_k)
    return replace(made, asked_k=one.asked_k)
