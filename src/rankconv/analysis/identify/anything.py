"""Which metric is it at all? Every metric of every preset, and simple multiples of it."""

from collections.abc import Iterator, Sequence

import numpy as np

from rankconv.analysis.identify.circumstances import Chance
from rankconv.analysis.identify.identified import IdentifyResult
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.rows import Found, as_rows, classes, of_presets
from rankconv.analysis.identify.space import every_preset
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.engine.measured import OUTSIDE, Measured
from rankconv.presets.definition import Definition
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import Asked, at_cutoff, read_spec

ANY = "any"
CUTOFFS = (None, 1, 3, 5, 10, 20, 50, 100)
"""Those that are tried where none is given: `any@20` asks for one."""


def identify_anything(joined: Joined, asked: Asked, number: PrintedValue, chosen: Mask | None) -> IdentifyResult:
    """The metrics of presets that give this number, also times k, times the users, or twice.

    `chosen` restricts the population, shape (users,).
    """
    cutoffs = read_spec(asked).cutoffs if "@" in str(asked) else CUTOFFS
    presets = every_preset()
    different = {one.parts: one for k in cutoffs for one in _all_at(k, presets)}
    measured = of_presets(joined, list(different.values()), chosen)
    found = [
        Found(one, how, 0, 1, of_preset=True, times=times)
        for one in measured
        for times in _multiples(one)
        if (how := number.how(one.mean * times)) is not None
    ]
    gaps = sorted(measured, key=lambda one: number.gap(one.mean))[:5]
    nearest = [] if found else as_rows(joined, classes([Found(one, "", 0, 1, of_preset=True) for one in gaps], number))
    chance = Chance.of_presets(number, (one.mean * times for one in measured for times in _multiples(one)))
    rows = as_rows(joined, classes(found, number), chance)
    size = len(joined.users)
    return IdentifyResult(str(asked), number, rows, len(different), size, chance, nearest=nearest)


def is_any(asked: Asked) -> bool:
    """Whether the metric is not known."""
    return str(asked).partition("@")[0].strip() == ANY


def _all_at(k: int | None, presets: Sequence[Preset]) -> Iterator[Definition]:
    """Every metric of every preset at this cutoff."""
    for one in presets:
        for key in one.metrics:
            if one.offers(at_cutoff(key, k)):
                yield one.definition(key, (), k)


def _multiples(one: Measured) -> list[int]:
    users = int(np.count_nonzero(one.states != OUTSIDE))
    times = [1, 2, users, *([one.definition.k] if one.definition.k else [])]
    return list(dict.fromkeys(times)) if one.mean else [1]
