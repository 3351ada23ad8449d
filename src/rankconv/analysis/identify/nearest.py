"""How far is a definition from that of the nearest preset, counted in answers?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankconv.analysis.identify.candidates import Alike
from rankconv.analysis.identify.chance import Counts
from rankconv.metrics.base import Metric
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition, idle_of
from rankconv.presets.registry import neutral_settings, preset
from rankconv.specs.setting_set import SettingSet


@dataclass(frozen=True, eq=False)
class Written:
    """A definition as a preset's with other settings."""

    distance: int
    """How many settings are others."""
    near: Definition
    parts: Sequence[SettingSet]


class Given:
    """Which of several definitions give which answer to each convention."""

    def __init__(self, parts: Sequence[SettingSet], strategy: type[Metric]) -> None:
        self._strategy = strategy
        told = [_told(part, strategy) for part in parts]
        self.conventions = np.array([len(one) for one in told])
        self.by_setting: dict[tuple[str, str], Counts] = {}
        for place, one in enumerate(told):
            for pair in one.items():
                self.by_setting.setdefault(pair, np.zeros(len(told), np.int64))[place] = 1

    def differing(self, part: SettingSet) -> Counts:
        """How many of their conventions each definition answers otherwise than this, shape (definitions,)."""
        equal = (self.by_setting[pair] for pair in _told(part, self._strategy).items() if pair in self.by_setting)
        return self.conventions - sum(equal, np.zeros(len(self.conventions), np.int64))


class Nearest:
    """The presets' definitions of one strategy, and how many settings lie between them and any other."""

    def __init__(self, named: Sequence[Definition]) -> None:
        self.named = named
        self._known: dict[int, tuple[SettingSet, Counts]] = {}
        self._settings: dict[int, tuple[SettingSet, dict[str, str]]] = {}

    def distances(self, part: SettingSet) -> Counts:
        """In how many settings a preparation, metric or aggregation differs from each preset, shape (presets,)."""
        if id(part) not in self._known:
            self._known[id(part)] = part, self._of(part).differing(part)
        return self._known[id(part)][1]

    def _of(self, part: SettingSet) -> Given:
        if isinstance(part, Preparation):
            return self._preparations
        return self._metrics if isinstance(part, Metric) else self._aggregations

    @cached_property
    def _preparations(self) -> Given:
        return Given([one.preparation for one in self.named], type(self.named[0].metric))

    @cached_property
    def _metrics(self) -> Given:
        return Given([one.metric for one in self.named], type(self.named[0].metric))

    @cached_property
    def _aggregations(self) -> Given:
        return Given([one.aggregation for one in self.named], type(self.named[0].metric))

    def least(self, alike: Alike) -> "Written":
        """Of definitions that are alike the one with the fewest answers that differ from a preset's."""
        parts: tuple[Sequence[SettingSet], ...] = (alike.preparations, alike.metrics, alike.aggregations)
        counts = [np.array([self.distances(part) for part in several]) for several in parts]
        least = sum((each.min(axis=0) for each in counts), np.zeros(len(self.named), np.int64))
        at = int(np.argmin(least))
        chosen = [several[int(each[:, at].argmin())] for several, each in zip(parts, counts, strict=True)]
        return Written(int(least[at]), self.named[at], chosen)

    def stated(self, near: Definition, *parts: SettingSet) -> Definition:
        """The preset's definition with the settings of these parts."""
        setting_types = dict(near.changed)
        for own, part in zip(near.parts, parts, strict=True):
            before, after = self._told(own), self._told(part)
            setting_types |= {
                convention_name: part.given(convention_name)
                for convention_name in after
                if before[convention_name] != after[convention_name]
            }
        told = tuple((convention_name, setting) for convention_name, setting in setting_types.items())
        made = preset(near.preset).definition(near.key, told, near.asked_k)
        return replace(made, asked_k=near.asked_k)

    def _told(self, part: SettingSet) -> dict[str, str]:
        """Its answers that matter: the parts of few presets are asked for again and again."""
        if id(part) not in self._settings:
            self._settings[id(part)] = part, _told(part, type(self.named[0].metric))
        return self._settings[id(part)][1]


def _told(part: SettingSet, strategy: type[Metric]) -> dict[str, str]:
    """The answers that matter; in place of one that cannot, the neutral one, which need not be told."""
    neutral, idle = neutral_settings(), idle_of(part, strategy=strategy)
    return {
        **part.stated,
        **{convention_name: neutral[convention_name] for convention_name in idle if convention_name in neutral},
    }
