"""The definitions that are a setting or two from a preset's, as far as a change can matter on given data."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from rankconv.aggregation import Aggregation
from rankconv.aggregation.means import AGGREGATE, REPORT
from rankconv.analysis.identify.candidates import (
    CandidateFamily,
    PreparedData,
    mean_follows_from_sums,
    preparation_classes,
)
from rankconv.basics.errors import RankconvError
from rankconv.conventions.setting_set import SettingSet
from rankconv.data.joined import Joined
from rankconv.engine.plan import has_all_needs
from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import K_ACCEPTED
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.steps.ranking import SCOPE
from rankconv.presets.definition import Definition, with_changes

Part = TypeVar("Part", bound=SettingSet)
Occurring = Mapping[str, Sequence[str]]
"""The settings of presets by convention."""


def occurring(families: Iterable[CandidateFamily], fixed: Collection[str]) -> dict[str, list[str]]:
    """The settings that presets give to each convention of a metric, but for conventions that are `fixed`."""
    found: dict[str, dict[str, None]] = {}
    for definition in (one for family in families for one in family.preset_definitions):
        for name, setting in definition.settings.items():
            found.setdefault(name, {})[setting] = None
    return {name: list(settings) for name, settings in found.items() if name not in {*fixed, K_ACCEPTED.name}}


def changed(part: Part, settings: Occurring) -> Iterator[tuple[tuple[str, str], Part]]:
    """It with each other setting of one convention, and what was changed."""
    for name, own in part.stated.items():
        for setting in settings.get(name, ()):
            if setting != own:
                with suppress(RankconvError):
                    yield (name, setting), part.replace({name: setting})


def changed_outside_sums(family: CandidateFamily, settings: Occurring) -> list[Definition]:
    """The presets' definitions with a setting changed whose means follow from no sums: they are measured one by one."""
    found: dict[tuple[SettingSet, ...], Definition] = {}
    for one in family.bases:
        whole = family.strategy.of_all_lists or one.preparation.pools or not mean_follows_from_sums(one.aggregation)
        for name, own in one.settings.items():
            for setting in settings.get(name, ()) if whole or name in (AGGREGATE.name, REPORT.name, SCOPE.name) else ():
                made = with_changes(one, {name: setting}) if setting != own else None
                if made is not None and not made.needs:
                    found.setdefault(made.setting_sets, made)
    return list(found.values())


class ChangedFamily:
    """One strategy: the presets' definitions with a setting of the metric and one of the aggregation changed.

    With `prepared` also one of the preparation, but for a change that changes nothing on these data.
    """

    def __init__(self, joined: Joined, family: CandidateFamily, settings: Occurring, *, prepared: bool) -> None:
        self.strategy, self.k, self.bases = family.strategy, family.k, family.bases
        self._settings = settings
        self._classes: list[list[Preparation]] = []
        self._sources: list[list[Definition]] = []
        """Of each class, the presets' definitions that prepare so, or so but for one setting."""
        self._class_of: dict[Preparation, int] = {}
        self._metrics: dict[Metric, list[Metric]] = {}
        self._aggregations: dict[Aggregation, list[Aggregation]] = {}
        by_preparation = self._prepare(joined)
        if prepared:
            self._change_preparations(joined, by_preparation)
        for one in self.bases:
            if one.metric not in self._metrics:
                several = (metric for _, metric in changed(one.metric, settings))
                self._metrics[one.metric] = [
                    one.metric,
                    *(each for each in several if _possible(replace(one, metric=each))),
                ]
            if one.aggregation not in self._aggregations:
                self._aggregations[one.aggregation] = [one.aggregation, *self._changed_aggregations(one)]

    @property
    def aggregations(self) -> list[Aggregation]:
        """All that are tried."""
        return list(dict.fromkeys(one for several in self._aggregations.values() for one in several))

    def classes(self, joined: Joined) -> list[list[Preparation]]:
        """The preparations, those together that make the same of these data."""
        return self._measured

    @staticmethod
    def follows_from_sums(aggregation: Aggregation) -> bool:
        """Whether its mean follows from sums of users' values, also rounded ones."""
        return mean_follows_from_sums(aggregation)

    def near(self, preparations: Collection[Preparation]) -> list[Metric]:
        """The metrics of presets that prepare so but for a setting, and these metrics with a setting changed."""
        sources = dict.fromkeys(one.metric for one in self._sources_of(preparations))
        return list(dict.fromkeys(metric for one in sources for metric in self._metrics[one]))

    def aggregations_near(self, preparations: Collection[Preparation]) -> list[Aggregation]:
        """Their aggregations, and these with a setting changed."""
        sources = dict.fromkeys(one.aggregation for one in self._sources_of(preparations))
        return list(dict.fromkeys(each for one in sources for each in self._aggregations[one]))

    def _sources_of(self, preparations: Collection[Preparation]) -> list[Definition]:
        return self._sources[self._class_of[next(iter(preparations))]]

    def _prepare(self, joined: Joined) -> dict[Preparation, list[Definition]]:
        """Make the classes of the presets' preparations; return the presets of each preparation."""
        by_preparation: dict[Preparation, list[Definition]] = {}
        for one in self.bases:
            if not one.preparation.pools and has_all_needs(joined, one.preparation):
                by_preparation.setdefault(one.preparation, []).append(one)
        self._classes = preparation_classes(joined, list(by_preparation), self.strategy)
        self._sources = [[one for each in group for one in by_preparation[each]] for group in self._classes]
        self._class_of = {one: place for place, group in enumerate(self._classes) for one in group}
        self._measured = self._classes
        return by_preparation

    def _change_preparations(self, joined: Joined, by_preparation: Mapping[Preparation, list[Definition]]) -> None:
        """Make the classes of preparations with a setting changed, in place of those of presets."""
        of_presets = len(self._classes)
        classes: dict[tuple[int, tuple[str, str]], list[PreparedData]] = {}
        for preparation, sources in by_preparation.items():
            place, base = self._class_of[preparation], PreparedData(joined, preparation, self.strategy)
            for change, one in changed(preparation, self._settings):
                known = self._class_of.get(one)
                if known is not None:
                    self._sources[known] += [each for each in sources if each not in self._sources[known]]
                elif not one.pools and has_all_needs(joined, one) and _possible(replace(sources[0], preparation=one)):
                    made = PreparedData(joined, one, self.strategy)
                    if not made.agrees(base):
                        self._add(made, sources, classes.setdefault((place, change), []))
        self._measured = self._classes[of_presets:]

    def _add(self, made: PreparedData, sources: Sequence[Definition], similar: list[PreparedData]) -> None:
        """Put a preparation into the class of one that agrees, or into a new one."""
        own = next((self._class_of[one.preparation] for one in similar if made.agrees(one)), None)
        if own is None:
            similar.append(made)
            own = len(self._classes)
            self._classes.append([])
            self._sources.append([])
        self._classes[own].append(made.preparation)
        self._sources[own] += [each for each in sources if each not in self._sources[own]]
        self._class_of[made.preparation] = own

    def _changed_aggregations(self, definition: Definition) -> Iterator[Aggregation]:
        for _, one in changed(definition.aggregation, self._settings):
            if _possible(replace(definition, aggregation=one)):
                yield one


def _possible(definition: Definition) -> bool:
    """Whether its parts are possible together."""
    with suppress(RankconvError):
        definition.check()
        return True
    return False
