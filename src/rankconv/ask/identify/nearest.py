"""How far is a definition from that of the nearest preset, counted in answers?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rankconv.ask.identify.candidates import Alike
from rankconv.ask.identify.chance import Counts
from rankconv.judging.pipeline import Judging
from rankconv.metrics.base import Metric
from rankconv.presets.definition import Definition, idle_of
from rankconv.presets.registry import neutral_answers, preset
from rankconv.questions.answer_set import AnswerSet


@dataclass(frozen=True, eq=False)
class Written:
    """A definition as a preset's with other answers."""

    distance: int
    """How many answers are others."""
    near: Definition
    parts: Sequence[AnswerSet]


class Given:
    """Which of several definitions give which answer to each question."""

    def __init__(self, parts: Sequence[AnswerSet], strategy: type[Metric]) -> None:
        self._strategy = strategy
        told = [_told(part, strategy) for part in parts]
        self.questions = np.array([len(one) for one in told])
        self.by_answer: dict[tuple[str, str], Counts] = {}
        for place, one in enumerate(told):
            for pair in one.items():
                self.by_answer.setdefault(pair, np.zeros(len(told), np.int64))[place] = 1

    def differing(self, part: AnswerSet) -> Counts:
        """How many of their questions each definition answers otherwise than this, shape (definitions,)."""
        equal = (self.by_answer[pair] for pair in _told(part, self._strategy).items() if pair in self.by_answer)
        return self.questions - sum(equal, np.zeros(len(self.questions), np.int64))


class Nearest:
    """The presets' definitions of one strategy, and how many answers lie between them and any other."""

    def __init__(self, named: Sequence[Definition]) -> None:
        self.named = named
        self._known: dict[int, tuple[AnswerSet, Counts]] = {}
        self._answers: dict[int, tuple[AnswerSet, dict[str, str]]] = {}

    def distances(self, part: AnswerSet) -> Counts:
        """In how many answers a judging, metric or averaging differs from that of each preset, shape (presets,)."""
        if id(part) not in self._known:
            self._known[id(part)] = part, self._of(part).differing(part)
        return self._known[id(part)][1]

    def _of(self, part: AnswerSet) -> Given:
        if isinstance(part, Judging):
            return self._judgings
        return self._metrics if isinstance(part, Metric) else self._averagings

    @cached_property
    def _judgings(self) -> Given:
        return Given([one.judging for one in self.named], type(self.named[0].metric))

    @cached_property
    def _metrics(self) -> Given:
        return Given([one.metric for one in self.named], type(self.named[0].metric))

    @cached_property
    def _averagings(self) -> Given:
        return Given([one.averaging for one in self.named], type(self.named[0].metric))

    def least(self, alike: Alike) -> "Written":
        """Of definitions that are alike the one with the fewest answers that differ from a preset's."""
        parts: tuple[Sequence[AnswerSet], ...] = (alike.judgings, alike.metrics, alike.averagings)
        counts = [np.array([self.distances(part) for part in several]) for several in parts]
        least = sum((each.min(axis=0) for each in counts), np.zeros(len(self.named), np.int64))
        at = int(np.argmin(least))
        chosen = [several[int(each[:, at].argmin())] for several, each in zip(parts, counts, strict=True)]
        return Written(int(least[at]), self.named[at], chosen)

    def stated(self, near: Definition, *parts: AnswerSet) -> Definition:
        """The preset's definition with the answers of these parts."""
        options = dict(near.changed)
        for own, part in zip(near.parts, parts, strict=True):
            before, after = self._told(own), self._told(part)
            options |= {question: part.given(question) for question in after if before[question] != after[question]}
        told = tuple((question, answer) for question, answer in options.items())
        made = preset(near.preset).definition(near.key, told, near.asked_k)
        return replace(made, asked_k=near.asked_k)

    def _told(self, part: AnswerSet) -> dict[str, str]:
        """Its answers that matter: the parts of few presets are asked for again and again."""
        if id(part) not in self._answers:
            self._answers[id(part)] = part, _told(part, type(self.named[0].metric))
        return self._answers[id(part)][1]


def _told(part: AnswerSet, strategy: type[Metric]) -> dict[str, str]:
    """The answers that matter; in place of one that cannot, the neutral one, which need not be told."""
    neutral, idle = neutral_answers(), idle_of(part, strategy=strategy)
    return {**part.stated, **{question: neutral[question] for question in idle if question in neutral}}
