"""The definitions that a number may come from: those of the presets, and every combination of further settings."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import prod
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation import POLICIES, PREPARED_DATA_POLICIES, Aggregation
from rankconv.aggregation.means import MeanTraits
from rankconv.basics.errors import ConventionError, MetricError
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Registry, SettingType
from rankconv.conventions.parameters import Base
from rankconv.conventions.setting_set import SettingSet
from rankconv.conventions.setting_table import EQUIVALENCE, equivalent
from rankconv.conventions.spec import Spec, SpecLike, read_spec
from rankconv.data.arrays import Codes
from rankconv.data.joined import Joined
from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import K_ACCEPTED, K_APPLIES_TO
from rankconv.preparation.blocks.grade_table import PreparedLevels
from rankconv.preparation.facts import OnData
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.steps import OF_LABELS
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition, idle_of
from rankconv.presets.neutral import neutral_settings
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE, list_presets, preset, readable

SettingPairs = tuple[tuple[str, str], ...]
"""Settings by convention."""

USUAL_BASES = ("2", "e", "10")
"""Of logarithms, where a text does not say which one it takes."""
FARTHEST = 2
"""So many settings of a combination may differ from those of the nearest preset that has the metric: two of those that
other presets give, or one that none gives."""
OF_AGGREGATION = {"aggregate": "sum", "on-no-hits": "skip"}
SLIPS = {"discount": "log(base=2, shift=2)", **OF_AGGREGATION}
"""Slips that papers make, and no preset: ranks counted from 0 and shifted twice, a sum called a mean, a mean over the
users who have a hit. The others (the ideal list not cut at k, all occurrences of an item counted as hits) are settings
that are tried anyway."""


NAMES_OF_LABELS = {one.name for one in OF_LABELS}


def every_preset() -> list[Preset]:
    """All presets that there are and hold together: also of earlier versions, and of test collections."""
    return readable(list_presets(eras=True, collections=True))


def one_metric(wanted: SpecLike) -> Spec:
    """A spec of one number under any preset."""
    spec = read_spec(wanted)
    if spec.preset is not None:
        raise MetricError(f"'{wanted}' names a preset", do="All presets are searched: leave the prefix out.")
    if len(spec.cutoffs) > 1:
        raise MetricError(f"'{wanted}' has several cutoffs", do="Give each number with its own metric.")
    return spec


def entries(spec: SpecLike, presets: Iterable[Preset] | None = None) -> list[Definition]:
    """The definitions of the metric under each preset that offers it."""
    found = []
    for one in every_preset() if presets is None else presets:
        try:
            found += one.define(spec) if one.offers(spec) else []
        except (ConventionError, MetricError):
            continue  # it does not know, or does not allow, what the spec sets
    return found


def at_cutoff(definition: Definition, k: int | None) -> Definition:
    """This definition with its settings at another cutoff."""
    if k == definition.k:
        return definition
    return replace(definition, metric=definition.metric.replace({}, k=k), requested_k=k)


@dataclass(frozen=True)
class CandidateFamily:
    """One strategy: every combination of its settings, and how presets prepare and aggregate where they have it."""

    preset_definitions: list[Definition]
    metrics: list[Metric]
    preparations: list[Preparation]
    aggregations: list[Aggregation]

    def near(self, preparations: Collection[Preparation]) -> list[Metric]:
        """The combinations to try under these preparations: those close to a preset that has one, and all presets' own.

        One that reads the list below its cutoff is tried only where it is close.
        """
        prepares_so = np.array([one.preparation in preparations for one in self.preset_definitions])
        close = self._differing[:, prepares_so].min(axis=1, initial=FARTHEST + 1) <= FARTHEST
        own = (self._differing.min(axis=1) == 0) & [metric.scope == metric.k for metric in self.metrics]
        return [self.metrics[place] for place in np.flatnonzero(close | own)]

    @cached_property
    def _differing(self) -> NDArray[np.int8]:
        """How far each combination is from each preset's, shape (metrics, presets)."""
        return _differing_settings(
            [one.stated for one in self.metrics], [one.metric.stated for one in self.preset_definitions]
        )

    @property
    def bases(self) -> list[Definition]:
        """Those that a combination can be written with: not those of presets whose default cutoff is another."""
        return [one for one in self.preset_definitions if one.k == self.metrics[0].k] or self.preset_definitions

    @property
    def strategy(self) -> type[Metric]:
        """What computes it."""
        return type(self.metrics[0])


def families(wanted: SpecLike) -> list[CandidateFamily]:
    """What a metric's name may mean: a family for each strategy that some preset has under this name.

    A metric that nobody knows, or a spec that names a preset or several cutoffs, is a MetricError.
    """
    spec = one_metric(wanted)
    fixed = tuple((name, CONVENTIONS[name].validate(setting)) for name, setting in spec.settings)
    named = entries(wanted) or preset(HOUSE).define(wanted)
    by_strategy: dict[type[Metric], list[Definition]] = {}
    for one in named:
        by_strategy.setdefault(type(one.metric), []).append(one)
    return [_family(strategy, group, spec.cutoffs[0], fixed) for strategy, group in by_strategy.items()]


def _family(strategy: type[Metric], named: list[Definition], k: int | None, fixed: SettingPairs) -> CandidateFamily:
    own = tuple((name, setting) for name, setting in fixed if name in strategy.conventions())
    known = tuple(dict.fromkeys(one.metric for one in named))
    preparations = dict.fromkeys(one.preparation for one in named)
    aggregations = list(dict.fromkeys(one.aggregation for one in named))
    slips = [{name: setting} for name, setting in OF_AGGREGATION.items() if name not in dict(fixed)]
    slipped = [one.replace(slip) for slip in slips for one in aggregations]
    metrics = _combinations(strategy, k, known, own, Registry.generation)
    return CandidateFamily(named, list(metrics), list(preparations), list(dict.fromkeys([*aggregations, *slipped])))


@lru_cache(maxsize=64)
def _combinations(
    strategy: type[Metric], k: int | None, known: tuple[Metric, ...], fixed_settings: SettingPairs, generation: int
) -> tuple[Metric, ...]:
    """The strategy under every combination of settings that can matter and is not too far from all presets.

    `known` are the combinations of presets, `fixed_settings` are settings that all shall have. In which form a metric
    is offered changes no number; and without a cutoff there is nothing that it could cut.
    """
    fixed = {K_ACCEPTED.name: "optional" if strategy.cuts else "never"}
    fixed |= {K_APPLIES_TO.name: neutral_settings()[K_APPLIES_TO.name]} if k is None else {}
    fixed |= dict(fixed_settings)
    own = [{name: fixed.get(name, setting) for name, setting in one.stated.items()} for one in known]
    settings = {
        name: [fixed[name]] if name in fixed else settings_to(name, sorted({one.given(name) for one in known}))
        for name in strategy.conventions()
    }
    near = _near_combinations(settings, own)
    found = [strategy.with_settings({**each, "k": k}) for each in near]
    possible = (metric for metric in found if not any(metric.unmet_requirements()))
    return tuple(metric for metric in possible if not _repeats(metric, settings))


def _near_combinations(
    settings: Mapping[str, Sequence[str]], known: Sequence[Mapping[str, str]]
) -> list[dict[str, str]]:
    """The combinations of these settings that are not too far from all known ones; those of the last one change first.

    Settings are added one after the other, since what is too far comes no nearer.
    """
    found: list[dict[str, str]] = [{}]
    distance = np.zeros((1, len(known)), np.int8)
    for name, listed in settings.items():
        own = [{name: one[name]} for one in known]
        more = distance[:, None] + _differing_settings([{name: one} for one in listed], own)
        near = np.argwhere(more.min(axis=2) <= FARTHEST)
        distance = more[tuple(near.T)]
        found = [{**found[place], name: listed[which]} for place, which in near.tolist()]
    return found


def _differing_settings(stated: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]]) -> NDArray[np.int8]:
    """How far each combination is from each known one, shape (combinations, known).

    A setting counts 1 where another known one gives it, 2 where none does; what is read of the list counts 3.
    """
    distance = np.zeros((len(stated), len(known)), np.int8)
    for name in known[0].keys() - {K_ACCEPTED.name}:
        codes: dict[str, int] = {}
        own = np.array([codes.setdefault(one[name], len(codes)) for one in known], np.int32)
        occurring = len(codes)
        given = np.array([codes.setdefault(one[name], len(codes)) for one in stated], np.int32)
        weight = np.where(given < occurring, 1, FARTHEST).astype(np.int8)
        if name == K_APPLIES_TO.name:
            weight[:] = FARTHEST + 1
        distance += weight[:, None] * (given[:, None] != own)
    return distance


def _repeats(metric: Metric, settings: Mapping[str, Sequence[str]]) -> bool:
    """Whether it differs from another one in a setting that cannot matter."""
    return any(
        metric.given(name) != next(one for one in settings[name] if name in idle_of(metric.replace({name: one})))
        for name in idle_of(metric)
        if len(settings.get(name, ())) > 1
    )


def settings_to(convention_name: str, occurring: Iterable[str]) -> list[str]:
    """The neutral setting first, then the others that can be given without parameters, those of presets, and the usual.

    >>> settings_to("ideal-cutoff", [])
    ['k', 'none', 'length']
    """
    convention = CONVENTIONS[convention_name]
    own = [text for setting_type in convention.setting_types.values() for text in _texts(setting_type)]
    slip = [SLIPS[convention_name]] if convention_name in SLIPS else []
    listed = [neutral_settings()[convention_name], *own, *occurring, *slip]
    return list(dict.fromkeys(convention.validate(setting) for setting in listed))


def _texts(setting_type: SettingType) -> list[str]:
    """The setting as text: with each usual base where it needs that alone; none where it needs another parameter."""
    if setting_type.name == NUMBER:
        return []
    if not setting_type.parameters.required:
        return [setting_type.name]
    types = setting_type.parameters.types
    needed = [one.name for one in setting_type.parameters.own if one.default is one.empty]
    is_base = (any(isinstance(mark, Base) for mark in get_args(types[name])) for name in needed)
    return [f"{setting_type.name}({needed[0]}={base})" for base in USUAL_BASES] if all(is_base) else []


def mean_follows_from_sums(aggregation: Aggregation) -> bool:
    """Whether the mean follows from how many users are in which situation, and the sums of their values."""
    deep = aggregation.active_policies(
        name
        for policies in (POLICIES, PREPARED_DATA_POLICIES)
        for name, policy in policies.items()
        if policy.reads_deep
    )
    mean = aggregation.settings["aggregate"]
    plain = all(aggregation.settings[name].changes_nothing for name in ("report", "round-user"))
    return bool(MeanTraits.of(mean).share) and mean.reads == ("summed",) and plain and not deep


def defined_together(
    preparations: Sequence[Preparation], metrics: Sequence[Metric]
) -> Iterator[tuple[list[Preparation], list[Metric]]]:
    """Preparations that make the same of this data, with the metrics that are defined under them.

    The first of the preparations was measured: a gain that reads its level says nothing of other levels.
    """
    measured = _level(preparations[0])
    any_level = [one for one in metrics if not any("level" in setting.reads for setting in one.settings.values())]
    by_kind: dict[tuple[TieEffect, bool], list[Preparation]] = {}
    for preparation in preparations:
        by_kind.setdefault((preparation.tie_rule, _level(preparation) == measured), []).append(preparation)
    for (rule, same_level), group in by_kind.items():
        there = [one for one in (metrics if same_level else any_level) if is_defined(rule, one)]
        if there:
            yield group, there


def is_defined(rule: TieEffect, metric: Metric) -> bool:
    return rule is not TieEffect.SHARED or metric.shares_ranks


def _level(preparation: Preparation) -> float:
    return float(preparation.settings["relevant"].keywords.get("level", 0.0))


def preparation_classes(
    joined: Joined, preparations: Sequence[Preparation], strategy: type[Metric] | None = None
) -> list[list[Preparation]]:
    """Group the preparations that change lists and labels of this data in the same way, for one strategy or all."""
    classes: list[list[_PreparedData]] = []
    for preparation in preparations:
        one = _PreparedData(joined, preparation, strategy)
        own = next((group for group in classes if one.agrees(group[0])), None)
        if own is None:
            classes.append([one])
        else:
            own.append(one)
    return [[one.preparation for one in group] for group in classes]


class _PreparedData:
    """What one preparation does to the lists and labels of these data."""

    def __init__(self, joined: Joined, preparation: Preparation, strategy: type[Metric] | None) -> None:
        self.preparation = preparation
        self._on_data = OnData(preparation.settings, joined)
        idle = idle_of(preparation, strategy=strategy)
        self._active = frozenset(pair for pair in preparation.stated.items() if pair[0] not in idle)
        self._labels: tuple[Any, ...] | None = None
        """What becomes of a label of each grade; None where more than its grade decides."""
        by_grade = all(self._on_data.goes_by_grade(one.name) for one in OF_LABELS)
        if joined.levels is not None and by_grade and not preparation.needs and not preparation.added:
            self._labels = PreparedLevels.of(joined, preparation).signature

    def agrees(self, other: "_PreparedData") -> bool:
        """Whether both are bound to agree: what differs is idle, makes the same of every label, or nothing here.

        Of lists that a plugin's step has changed the data say nothing.
        """
        known = self._labels is not None and other._labels is not None
        if known and self._labels != other._labels:
            return False
        differing = {name for name, _ in self._active ^ other._active}
        if known:
            differing -= NAMES_OF_LABELS
        if not differing or self.preparation.added or not differing <= EQUIVALENCE.keys():
            return not differing
        by_cost = sorted(differing, key=NAMES_OF_LABELS.__contains__)  # which look at all grades
        return all(equivalent(name, self._on_data, other._on_data) for name in by_cost)


@dataclass(frozen=True, eq=False)
class EquivalentDefinitions:
    """Definitions that are bound to give every user of this data the same: all of these, crossed."""

    preparations: Sequence[Preparation]
    metrics: Sequence[Metric]
    aggregations: Sequence[Aggregation]
    mean: float

    @property
    def crossed_lists(self) -> tuple[Sequence[SettingSet], ...]:
        """The three lists that are crossed."""
        return self.preparations, self.metrics, self.aggregations

    @property
    def count(self) -> int:
        """How many definitions there are."""
        return prod(map(len, self.crossed_lists))


class NearestDefinitions:
    """The presets' definitions of one strategy, and how many settings are between them and any other."""

    def __init__(self, named: Sequence[Definition]) -> None:
        self.preset_definitions = named
        self._texts: dict[SettingSet, dict[str, str]] = {}
        self._distances: dict[SettingSet, Codes] = {}
        self._giving: dict[tuple[str, str], Codes] = {}
        """Which of the presets' definitions give which setting of each convention."""
        for place, one in enumerate(named):
            for pair in (pair for part in one.setting_sets for pair in self._mattering(part).items()):
                self._giving.setdefault(pair, np.zeros(len(named), np.int64))[place] = 1

    @cached_property
    def different(self) -> Codes:
        """The places of those that differ from each other, shape (different,)."""
        return np.array(list({one.setting_sets: place for place, one in enumerate(self.preset_definitions)}.values()))

    def _mattering(self, part: SettingSet) -> dict[str, str]:
        """Its settings; in place of one that cannot matter, the neutral one, which need not be stated."""
        if part not in self._texts:
            neutral, idle = neutral_settings(), idle_of(part, strategy=type(self.preset_definitions[0].metric))
            self._texts[part] = {**part.stated, **{name: neutral[name] for name in idle if name in neutral}}
        return self._texts[part]

    def distances(self, part: SettingSet) -> Codes:
        """In how many settings a preparation, metric or aggregation differs from each preset, shape (presets,)."""
        if part not in self._distances:
            pairs = self._mattering(part).items()
            equal = sum(
                (self._giving[pair] for pair in pairs if pair in self._giving),
                np.zeros(len(self.preset_definitions), int),
            )
            self._distances[part] = len(pairs) - equal
        return self._distances[part]

    def closest(self, parts: Sequence[SettingSet]) -> Codes:
        """In how many settings the nearest of these parts differs from each preset, shape (presets,)."""
        return np.asarray(np.min([self.distances(part) for part in parts], axis=0))

    def distance(self, equivalents: EquivalentDefinitions) -> int:
        """How many settings differ from a preset's in the nearest of these definitions."""
        return int(np.sum([self.closest(parts) for parts in equivalents.crossed_lists], axis=0).min())

    def stated(self, near: Definition, *parts: SettingSet) -> Definition:
        """The preset's definition with the settings of these parts."""
        changed = dict(near.changed)
        for own, part in zip(near.setting_sets, parts, strict=True):
            before, after = self._mattering(own), self._mattering(part)
            changed |= {name: part.given(name) for name in after if before[name] != after[name]}
        return preset(near.preset).definition(near.key, tuple(changed.items()), near.requested_k)


@dataclass(frozen=True)
class SharedGroups:
    """Groups of equivalent definitions, one of each number, with the preparations and aggregations that all have."""

    groups: tuple[tuple[NearestDefinitions, EquivalentDefinitions], ...]
    preparations: frozenset[SettingSet]
    aggregations: frozenset[SettingSet]

    @classmethod
    def of(cls, near: NearestDefinitions, group: EquivalentDefinitions) -> "SharedGroups":
        """Those of one number."""
        return cls(((near, group),), frozenset(group.preparations), frozenset(group.aggregations))

    def __and__(self, other: "SharedGroups") -> "SharedGroups":
        """What both have in common."""
        preparations, aggregations = self.preparations & other.preparations, self.aggregations & other.aggregations
        return SharedGroups(self.groups + other.groups, preparations, aggregations)

    def closest(self) -> tuple[int, list[Definition]]:
        """The definition of each group under one preset, and how many settings they change of it; the fewest possible.

        They have one preparation and one aggregation. There are none where no preset has all metrics, and where a
        metric is not possible with a preparation, such as characters of spans with a weight of items.
        """
        places = [{one.preset: place for place, one in enumerate(near.preset_definitions)} for near, _ in self.groups]
        names = [name for name in places[0] if all(name in others for others in places)]
        if not names:
            return 0, []
        sides = [(near, [place[name] for name in names]) for (near, _), place in zip(self.groups, places, strict=True)]
        first = self.groups[0][1]
        choices: list[tuple[Sequence[SettingSet], list[tuple[NearestDefinitions, list[int]]]]] = [
            ([one for one in first.preparations if one in self.preparations], sides),
            ([one for one in first.aggregations if one in self.aggregations], sides),
            *((group.metrics, [side]) for (_, group), side in zip(self.groups, sides, strict=True)),
        ]
        far = [
            np.array([sum(near.distances(part)[at] for near, at in own) for part in parts]) for parts, own in choices
        ]
        total = np.sum([each.min(axis=0) for each in far], axis=0)
        best = int(total.argmin())
        chosen = [parts[int(row[:, best].argmin())] for (parts, _), row in zip(choices, far, strict=True)]
        preparation, aggregation, *metrics = chosen
        stated = list[Definition]()
        with suppress(MetricError):
            for (near, at), metric in zip(sides, metrics, strict=True):
                stated.append(near.stated(near.preset_definitions[at[best]], preparation, metric, aggregation))
        return int(total[best]), stated if len(stated) == len(sides) else []
