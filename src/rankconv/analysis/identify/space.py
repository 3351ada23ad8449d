"""The definitions that a number may come from: those of the presets, and every combination of further settings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation import Aggregation
from rankconv.errors import ConventionError, MetricError, RankconvError
from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import CUTOFF, CUTOFF_SCOPE
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition, idle_of
from rankconv.presets.registry import HOUSE, list_presets, neutral_settings, preset, readable
from rankconv.presets.resolved import Preset
from rankconv.specs.convention import CONVENTIONS, NUMBER, Registry, SettingType
from rankconv.specs.parameters import Base
from rankconv.specs.setting_set import SettingSet
from rankconv.specs.spec import Spec, SpecLike, read_spec

USUAL_BASES = ("2", "e", "10")
"""Of logarithms, where a text does not say which one it takes."""
FARTHEST = 2
"""So many settings of a combination may differ from those of the nearest preset that has the metric: two of those that
other presets give, or one that none gives."""
SLIPS = {"discount": ("log(base=2, shift=2)",), "aggregate": ("sum",), "on-no-hits": ("skip",)}
"""Slips that papers make, and no preset: ranks counted from 0 and shifted twice, a sum called a mean, a mean over the
users who have a hit. The others (the ideal list not cut at k, all occurrences of an item counted as hits) are settings
that are tried anyway."""


def combinations(
    strategy: type[Metric], k: int | None, known: Iterable[Metric], fixed_settings: tuple[tuple[str, str], ...]
) -> list[Metric]:
    """The strategy under every combination of settings that can matter and is not too far from all presets.

    `labels-used` are the combinations of presets, `fixed_settings` are settings that all shall have.
    """
    return list(_combinations(strategy, k, tuple(dict.fromkeys(known)), fixed_settings, Registry.generation))


@lru_cache(maxsize=64)
def _combinations(
    strategy: type[Metric],
    k: int | None,
    known: tuple[Metric, ...],
    fixed_settings: tuple[tuple[str, str], ...],
    generation: int,
) -> tuple[Metric, ...]:
    fixed = {**_of_cutoff(strategy, k), **dict(fixed_settings)}
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
    near = [each for each, row in zip(every, differing_settings(every, own), strict=True) if row.min() <= FARTHEST]
    found = [strategy.with_settings({**each, "k": k}) for each in near]
    return tuple(metric for metric in found if not _repeats(metric, settings))


def differing_settings(stated: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]]) -> NDArray[np.int64]:
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


@dataclass(frozen=True)
class Family:
    """One strategy: every combination of its settings, and how presets judge and average where they have it."""

    named: list[Definition]
    metrics: list[Metric]
    preparations: list[Preparation]
    aggregations: list[Aggregation]

    def near(self, preparations: Collection[Preparation]) -> list[Metric]:
        """The combinations to try under these judgings: those close to a preset that judges so, and every preset's own.

        One that reads the list below its cutoff is tried only where it is close.
        """
        judges_so = np.array([one.preparation in preparations for one in self.named])
        close = self._differing[:, judges_so].min(axis=1, initial=FARTHEST + 1) <= FARTHEST
        own = (self._differing.min(axis=1) == 0) & [metric.scope == metric.k for metric in self.metrics]
        return [self.metrics[place] for place in np.flatnonzero(close | own)]

    @cached_property
    def _differing(self) -> NDArray[np.int64]:
        """How far each combination is from each preset's, shape (metrics, presets)."""
        return differing_settings([metric.stated for metric in self.metrics], [one.metric.stated for one in self.named])

    @property
    def bases(self) -> list[Definition]:
        """Those that a combination can be written with: not those of presets whose default cutoff is another."""
        return [one for one in self.named if one.k == self.metrics[0].k] or self.named

    @property
    def strategy(self) -> type[Metric]:
        """What computes it."""
        return type(self.metrics[0])


def families(wanted: SpecLike) -> list[Family]:
    """What a metric's name may mean: a family for each strategy that some preset has under this name.

    A metric that nobody knows, or a spec that names a preset or several cutoffs, is a MetricError.
    """
    spec = one_metric(wanted)
    parts = tuple(
        (convention_name, CONVENTIONS[convention_name].validate(setting)) for convention_name, setting in spec.settings
    )
    named = entries(wanted)
    if not named:
        preset(HOUSE).define(wanted)
        raise MetricError(f"no preset offers {wanted}", do="Ask for it with or without a cutoff.")
    by_strategy: dict[type[Metric], list[Definition]] = {}
    for one in named:
        by_strategy.setdefault(type(one.metric), []).append(one)
    return [_family(strategy, group, spec.cutoffs[0], parts) for strategy, group in by_strategy.items()]


def one_metric(wanted: SpecLike) -> Spec:
    """A spec of one number under any preset."""
    spec = read_spec(wanted)
    if spec.preset is not None:
        raise MetricError(f"'{wanted}' names a preset", do="All presets are searched: leave the prefix out.")
    if len(spec.cutoffs) > 1:
        raise MetricError(f"'{wanted}' has several cutoffs", do="Give each number with its own metric.")
    return spec


def every_preset() -> list[Preset]:
    """All presets that there are and hold together."""
    return readable(list_presets())


def entries(spec: SpecLike, presets: Iterable[Preset] | None = None) -> list[Definition]:
    """What each preset that offers the metric means by it."""
    found = []
    for one in every_preset() if presets is None else presets:
        try:
            found += one.define(spec) if one.offers(spec) else []
        except (ConventionError, MetricError):
            continue  # it does not ask, or does not allow, what the spec sets
    return found


def _family(
    strategy: type[Metric], named: list[Definition], k: int | None, fixed_settings: tuple[tuple[str, str], ...]
) -> Family:
    own = tuple(
        (convention_name, setting)
        for convention_name, setting in fixed_settings
        if convention_name in strategy.conventions()
    )
    metrics = combinations(strategy, k, [one.metric for one in named], own)
    aggregations = list(dict.fromkeys(one.aggregation for one in named))
    fixed = {convention_name for convention_name, _ in fixed_settings}
    slips = [
        one.replace({q: a})
        for q in ("aggregate", "on-no-hits")
        if q not in fixed
        for a in SLIPS[q]
        for one in aggregations
    ]
    preparations = list(dict.fromkeys(one.preparation for one in named))
    return Family(named, metrics, preparations, list(dict.fromkeys([*aggregations, *slips])))


def space(wanted: str) -> list[Definition]:
    """The definitions that a number called `wanted` may come from, as a list.

    First each preset's own; then, under the preparation and aggregation of each preset that has it and under the slips
    that
    papers make, the combinations of the metric's settings that are near it. What is not defined is left out, and so are
    settings that cannot matter. `identify` crosses the judgings with all averagings besides, without listing them.

    >>> found = space("hit_rate@10")
    >>> found[0].spec, len(found) > 200
    ('hit_rate@10', True)
    """
    whole = families(wanted)
    named = {one.parts: one for family in whole for one in reversed(family.named)}
    return [*reversed(named.values()), *(one for family in whole for one in _definitions_of(family))]


def _definitions_of(family: Family) -> Iterator[Definition]:
    """What is near a family's own definitions and none of them, each setting once."""
    settings = {(one.preparation, aggregation): one for one in family.bases for aggregation in _with_slips(one, family)}
    own = {one.parts for one in family.named}
    for (preparation, aggregation), one in settings.items():
        slip = _changes(one.aggregation, aggregation)
        for metric in family.near({preparation}):
            changed = replace(one, metric=metric, aggregation=aggregation)
            same = metric == one.metric and not slip
            if not same and changed.parts not in own and defined(changed):
                yield replace(changed, changed=(*one.changed, *_changes(one.metric, metric), *slip))


def _with_slips(one: Definition, family: Family) -> list[Aggregation]:
    """A definition's aggregation, and the same with each slip."""
    known = set(family.aggregations)
    slips = [one.aggregation.replace({q: a}) for q in ("aggregate", "on-no-hits") for a in SLIPS[q]]
    return [one.aggregation, *(slip for slip in slips if slip in known)]


def _changes(before: SettingSet, after: SettingSet) -> tuple[tuple[str, str], ...]:
    """The settings that are others, but for the form in which a metric is offered."""
    own = before.stated
    return tuple(pair for pair in after.stated.items() if pair[0] != CUTOFF.name and own[pair[0]] != pair[1])


def defined(definition: Definition) -> bool:
    """Whether its settings are possible together."""
    try:
        definition.check()
    except RankconvError:
        return False
    return True
