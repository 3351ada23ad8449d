"""Which settings to a convention are tried: all of them, with the parameters that presets and the field use."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import CUTOFF, CUTOFF_SCOPE
from rankconv.presets.definition import idle_of
from rankconv.presets.registry import neutral_settings
from rankconv.specs.convention import CONVENTIONS, NUMBER, Registry, SettingType
from rankconv.specs.parameters import Base

USUAL_BASES = ("2", "e", "10")
"""Of logarithms, where a text does not say which one it takes."""
FARTHEST = 2
"""So many settings of a combination may differ from those of the nearest preset that has the metric: two of those that
other presets give, or one that none gives."""
SLIPS = {"discount": ("log(base=2, shift=2)",), "aggregate": ("sum",), "on-no-hits": ("skip",)}
"""Slips that papers make, and no preset: ranks counted from 0 and shifted twice, a sum called a mean, a mean over the
users who have a hit. The others (the ideal list not cut at k, all occurrences of an item counted as hits) are answers
that are tried anyway."""


def combinations(
    strategy: type[Metric], k: int | None, known: Iterable[Metric], told: tuple[tuple[str, str], ...]
) -> list[Metric]:
    """The strategy under every combination of answers that can matter and is not too far from all presets.

    `labels-used` are the combinations of presets, `told` are answers that all shall have.
    """
    return list(_combinations(strategy, k, tuple(dict.fromkeys(known)), told, Registry.generation))


@lru_cache(maxsize=64)
def _combinations(
    strategy: type[Metric],
    k: int | None,
    known: tuple[Metric, ...],
    told: tuple[tuple[str, str], ...],
    generation: int,
) -> tuple[Metric, ...]:
    fixed = {**_of_cutoff(strategy, k), **dict(told)}
    own = [
        {convention_name: fixed.get(convention_name, setting) for convention_name, setting in one.stated.items()}
        for one in known
    ]
    settings = {
        convention_name: [fixed[convention_name]]
        if convention_name in fixed
        else settings_to(convention_name, sorted({one.given(convention_name) for one in known}))
        for convention_name in strategy.conventions()
    }
    every = [dict(zip(settings, each, strict=True)) for each in product(*settings.values())]
    near = [each for each, row in zip(every, apart(every, own), strict=True) if row.min() <= FARTHEST]
    found = [strategy.with_settings({**each, "k": k}) for each in near]
    return tuple(metric for metric in found if not _repeats(metric, settings))


def apart(stated: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]]) -> NDArray[np.int64]:
    """How far each combination is from each known one, shape (combinations, known).

    A setting counts 1 where another known one gives it, 2 where none does; what is read of the list counts 3.
    """
    distance = np.zeros((len(stated), len(known)), np.int64)
    for convention_name in known[0]:
        own = np.array([one[convention_name] for one in known])
        given = np.array([one[convention_name] for one in stated])
        heavy = FARTHEST + 1 if convention_name == CUTOFF_SCOPE.name else FARTHEST
        if convention_name != CUTOFF.name:
            weight = np.where(np.isin(given, own) & (convention_name != CUTOFF_SCOPE.name), 1, heavy)
            distance += weight[:, None] * (given[:, None] != own)
    return distance


def _of_cutoff(strategy: type[Metric], k: int | None) -> dict[str, str]:
    """In which form it is offered changes no number; and without a cutoff there is nothing that it could cut."""
    form = {CUTOFF.name: "optional" if strategy.cuts else "never"}
    return form if k is not None else {**form, CUTOFF_SCOPE.name: neutral_settings()[CUTOFF_SCOPE.name]}


def _repeats(metric: Metric, settings: dict[str, list[str]]) -> bool:
    """Whether it differs from another one in a setting that cannot matter."""
    idle = [convention_name for convention_name in idle_of(metric) if convention_name in settings]
    return any(
        len(settings[convention_name]) > 1 and _can_be_first(metric, convention_name, settings)
        for convention_name in idle
    )


def _can_be_first(metric: Metric, convention_name: str, settings: dict[str, list[str]]) -> bool:
    first = next(
        setting
        for setting in settings[convention_name]
        if convention_name in idle_of(metric.replace({convention_name: setting}))
    )
    return metric.given(convention_name) != first


def settings_to(convention_name: str, occurring: Iterable[str]) -> list[str]:
    """The neutral setting first, then the others that can be given without parameters, those of presets, and the usual.

    >>> settings_to("ideal-cutoff", [])
    ['k', 'none', 'length']
    """
    convention = CONVENTIONS[convention_name]
    own = [text for setting_type in convention.setting_types.values() for text in _texts(setting_type)]
    listed = [neutral_settings()[convention_name], *own, *occurring, *SLIPS.get(convention_name, ())]
    return list(dict.fromkeys(convention.validate(setting) for setting in listed))


def _texts(setting_type: SettingType) -> list[str]:
    if setting_type.name == NUMBER:
        return []
    if not setting_type.parameters.required:
        return [setting_type.name]
    needed = [parameter.name for parameter in setting_type.parameters.own if parameter.default is parameter.empty]
    bases = [
        name for name in needed if any(isinstance(mark, Base) for mark in get_args(setting_type.parameters.types[name]))
    ]
    return [f"{setting_type.name}({needed[0]}={base})" for base in USUAL_BASES] if bases == needed else []
