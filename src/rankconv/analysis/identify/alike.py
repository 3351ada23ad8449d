"""Which judgings are bound to give the same lists on the data at hand?"""

from collections.abc import Sequence
from typing import Any

from rankconv.data.joined import Joined
from rankconv.metrics.base import Metric
from rankconv.preparation.on_data import OnData
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.plain_rows import JudgedLevels
from rankconv.preparation.steps import OF_LABELS
from rankconv.presets.definition import idle_of
from rankconv.specs.mattering import alike


def preparation_classes(
    joined: Joined, preparations: Sequence[Preparation], strategy: type[Metric] | None = None
) -> list[list[Preparation]]:
    """The judgings in groups that change the lists and labels of this data alike, for one strategy or, unsaid, all."""
    classes: list[list[_OnData]] = []
    for preparation in preparations:
        one = _OnData(joined, preparation, strategy)
        own = next((group for group in classes if one.agrees(group[0])), None)
        if own is None:
            classes.append([one])
        else:
            own.append(one)
    return [[one.preparation for one in group] for group in classes]


class _OnData:
    """What one preparation does to the lists and labels of these data."""

    def __init__(self, joined: Joined, preparation: Preparation, strategy: type[Metric] | None) -> None:
        self.preparation = preparation
        self._on_data = OnData(preparation.settings, joined)
        idle = idle_of(preparation, strategy=strategy)
        self._told = {
            convention_name: setting
            for convention_name, setting in preparation.stated.items()
            if convention_name not in idle
        }
        self._labels = self._made_of_labels(joined)

    def _made_of_labels(self, joined: Joined) -> tuple[Any, ...] | None:
        """What becomes of a label of each grade; None where more than its grade decides."""
        by_grade = all(self._on_data.goes_by_grade(asked.name) for asked in OF_LABELS)
        if joined.levels is None or self.preparation.needs or self.preparation.added or not by_grade:
            return None
        return JudgedLevels.of(joined, self.preparation).signature

    def agrees(self, other: "_OnData") -> bool:
        """Whether both are bound to agree: what differs is idle, makes the same of every label, or nothing here.

        Of lists that a plugin's step has changed the data say nothing.
        """
        same_labels = self._labels is not None and self._labels == other._labels
        settled = [asked.name for asked in OF_LABELS] if same_labels else []
        return all(
            self._told.get(convention_name) == other._told.get(convention_name)
            or convention_name in settled
            or (not self.preparation.added and alike(convention_name, self._on_data, other._on_data))
            for convention_name in self.preparation.stated
        )
