"""Who plays: the answers in which two definitions differ, and the definitions in which some of them are turned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rankconv.ask.why.shapley import Mixture
from rankconv.engine.differences import NOT_ASKED, differing
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered

STRATEGY, RANKS = "is", "k"
"""What is no question, and may differ: the strategy itself, and the cutoff where a preset has a hidden one."""


@dataclass(frozen=True)
class TurnedAnswer:
    """Answers that are turned together; most often it is one."""

    turned: Mapping[str, tuple[str, str]]
    """Question → the first definition's answer and the second's."""

    @property
    def text(self) -> str:
        """The questions with the answers of the second definition: `gain=linear`."""
        return ", ".join(f"{question}={answer}" for question, (_, answer) in self.turned.items())

    @property
    def changes(self) -> list[str]:
        """Each question with both answers: `gain: binary → linear`."""
        return [f"{question}: {before} → {after}" for question, (before, after) in self.turned.items()]

    @property
    def change(self) -> str:
        """Each question with both answers, in one line."""
        return ", ".join(self.changes)


def players_of(ours: Definition, other: Definition) -> list[TurnedAnswer]:
    """One player for each answer in which two definitions differ.

    A strategy that differs (`is`) takes with it what only one of the two strategies asks. An answer that is idle on
    one side joins the answer that makes it so: a tie rule joins the order, where one side does not order by score.
    """
    found = {
        question: answers
        for question, answers in differing(ours, other).items()
        if question == STRATEGY or NOT_ASKED not in answers
    }
    if ours.k != other.k:
        found[RANKS] = (_ranks(ours.k), _ranks(other.k))
    ours_idle, others_idle = ours.idle_rules, other.idle_rules
    rules = {**ours_idle, **others_idle}
    by = {question: rules[question].by for question in ours_idle.keys() ^ others_idle.keys()}
    leader = {question: by[question] if by.get(question) in found else question for question in found}
    return [
        TurnedAnswer({question: answers for question, answers in found.items() if leader[question] == first})
        for first in found
        if leader[first] == first
    ]


def _ranks(k: int | None) -> str:
    return "none" if k is None else str(k)


def united(players: Sequence[TurnedAnswer], way: Sequence[Mixture]) -> list[TurnedAnswer]:
    """The players, with those that are turned in one step of this way as one player."""
    steps = [after & ~before for before, after in pairwise(way)]
    groups = [[player for place, player in enumerate(players) if step >> place & 1] for step in steps]
    return [TurnedAnswer({q: a for player in group for q, a in player.turned.items()}) for group in groups]


def questions_of(players: Sequence[TurnedAnswer]) -> frozenset[str]:
    """All questions that these players turn."""
    return frozenset(question for player in players for question in player.turned)


@dataclass(frozen=True)
class Mixer:
    """Makes definitions that have some answers of one definition and the other answers of another."""

    ours: Definition
    other: Definition
    players: Sequence[TurnedAnswer]
    aside: frozenset[str] = frozenset()
    """Questions that have the second definition's answer in every mixture."""

    def mixture(self, turned: Mixture) -> Definition | None:
        """The definition with these players turned; None where its answers are not possible together."""
        if turned == self.all:
            return self.other
        players = [player for place, player in enumerate(self.players) if turned >> place & 1]
        return self.possible(self.aside | questions_of(players))

    @property
    def all(self) -> Mixture:
        """All players: the mixture that is the second definition."""
        return (1 << len(self.players)) - 1

    def possible(self, turned: frozenset[str]) -> Definition | None:
        """The definition with the second one's answers to these questions; None where they exclude each other."""
        told = {question: self.other.answers[question] for question in turned - {STRATEGY, RANKS}}
        kind = self.other if STRATEGY in turned else self.ours
        k = (self.other if RANKS in turned else self.ours).k
        return answered(self.ours, told, like=replace(kind, metric=kind.metric.replace({}, k=k)))
