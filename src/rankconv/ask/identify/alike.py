"""Which judgings are bound to give the same lists on the data at hand?"""

from collections.abc import Sequence
from typing import Any

from rankconv.data.joined import Joined
from rankconv.judging.on_data import OnData
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_rows import JudgedLevels
from rankconv.judging.steps import OF_LABELS
from rankconv.metrics.base import Metric
from rankconv.presets.definition import idle_of
from rankconv.questions.mattering import alike


def judging_classes(
    joined: Joined, judgings: Sequence[Judging], strategy: type[Metric] | None = None
) -> list[list[Judging]]:
    """The judgings in groups that change the lists and labels of this data alike, for one strategy or, unsaid, all."""
    classes: list[list[_OnData]] = []
    for judging in judgings:
        one = _OnData(joined, judging, strategy)
        own = next((group for group in classes if one.agrees(group[0])), None)
        if own is None:
            classes.append([one])
        else:
            own.append(one)
    return [[one.judging for one in group] for group in classes]


class _OnData:
    """What one judging does to the lists and labels of these data."""

    def __init__(self, joined: Joined, judging: Judging, strategy: type[Metric] | None) -> None:
        self.judging = judging
        self._on_data = OnData(judging.answers, joined)
        idle = idle_of(judging, strategy=strategy)
        self._told = {question: answer for question, answer in judging.stated.items() if question not in idle}
        self._labels = self._made_of_labels(joined)

    def _made_of_labels(self, joined: Joined) -> tuple[Any, ...] | None:
        """What becomes of a label of each grade; None where more than its grade decides."""
        by_grade = all(self._on_data.goes_by_grade(asked.name) for asked in OF_LABELS)
        if joined.levels is None or self.judging.needs or self.judging.added or not by_grade:
            return None
        return JudgedLevels.of(joined, self.judging).signature

    def agrees(self, other: "_OnData") -> bool:
        """Whether both are bound to agree: what differs is idle, makes the same of every label, or nothing here.

        Of lists that a plugin's step has changed the data say nothing.
        """
        same_labels = self._labels is not None and self._labels == other._labels
        settled = [asked.name for asked in OF_LABELS] if same_labels else []
        return all(
            self._told.get(question) == other._told.get(question)
            or question in settled
            or (not self.judging.added and alike(question, self._on_data, other._on_data))
            for question in self.judging.stated
        )
