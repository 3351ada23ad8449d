"""Judging: which list is judged, and what in it is relevant. Its steps are taken in the order of `STEPS`.

Importing the files of its questions registers them, in the order in which they are told.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from rankconv.judging.facts import Compared
from rankconv.judging.registry import AT_ONCE, STEPS, Take, check_moment
from rankconv.judging.rows import WorkingBlock
from rankconv.judging.steps import JUDGING, OF_GROUPS
from rankconv.judging.ties import TieEffect, reads_order
from rankconv.questions.answer_set import until_registered
from rankconv.questions.choice import Answer, Choice
from rankconv.questions.open_answers import OpenAnswers


class Judging(OpenAnswers):
    """The answers to every question about the list and its labels."""

    @classmethod
    def questions(cls) -> Mapping[str, Choice]:
        """The questions of judging by name, in the order in which they are told."""
        return JUDGING

    @until_registered
    def reads_cutoff(self) -> bool:
        """Whether the judged list itself depends on the metric's cutoff."""
        return any(answer.option.traits.get("reads_cutoff") for answer in self.answers.values())

    @cached_property
    def compared(self) -> Compared:
        """Which scores are compared, and what was done to them before."""
        return Compared.of(self.answers)

    @property
    def filled_to(self) -> int:
        """The rank to which lists are filled up whatever the cutoff; 0 where they are not."""
        filling = (part for part in self.answers["candidates"].each if part.trait("fills"))
        return max((int(part.keywords["rows"]) for part in filling if "rows" in part.keywords), default=0)

    @property
    def cut(self) -> bool:
        """Whether lists are cut at the metric's k before anything is counted in them."""
        return bool(self.answers["max-depth"].option.traits.get("reads_cutoff"))

    @property
    def keeps_ties(self) -> bool:
        """Whether what is read down to rank k includes the rows tied with the k-th."""
        return bool(self.answers["max-depth"].option.traits.get("keeps_ties"))

    @until_registered
    def needs(self) -> dict[str, str]:
        """What the caller must give beside labels and lists: its name, and the answer that asks for it."""
        parts = [(question, part) for question, answer in self.answers.items() for part in answer.each]
        return {part.trait("needs"): f"{question}={part.text}" for question, part in parts if part.trait("needs")}

    @cached_property
    def of_groups(self) -> tuple[str, ...]:
        """What it says of labels in groups."""
        return tuple(self.given(choice.name) for choice in OF_GROUPS)

    @until_registered
    def steps(self) -> "tuple[Step, ...]":
        """The steps by which it changes something, in their order; who can be a hit is decided after them."""
        return tuple(_steps(self.answers))

    def check_moments(self) -> None:
        """A ConventionError where an answer would never be carried out."""
        _ = self._all_carried_out

    @until_registered
    def _all_carried_out(self) -> bool:
        for answer in self.answers.values():
            for part in answer.each:
                check_moment(part)
        return True

    @property
    def apart(self) -> bool:
        """Whether a metric is taken of each group of labels alone."""
        return bool(self.answers["subtopics"].option.traits.get("apart"))

    @property
    def pools(self) -> bool:
        """Whether the lists of all users are put together."""
        return bool(self.answers["scope"].option.traits.get("pools"))

    @property
    def by_score(self) -> bool:
        """Whether scores decide the order, and ties are looked for."""
        return bool(self.answers["order"].option.traits.get("by_score"))

    @property
    def tie_rule(self) -> TieEffect:
        """What the tie rule decides: the order of tied rows, that they count by expected values, or a shared rank."""
        effect: TieEffect = self.answers["ties"].trait("decides", TieEffect.ORDER)
        return TieEffect.ORDER if effect is TieEffect.EXPECTED and not self.by_score else effect

    @property
    def exchangeable(self) -> bool:
        """Whether what it makes of a row is the same in every order of the tied rows, but where an item is repeated."""
        return not any(reads_order(part) for answer in self.answers.values() for part in answer.each)


class Step(NamedTuple):
    """One step of judging: the question that it answers, and what it does to the rows of a block."""

    question: str
    answer: Answer
    take: Callable[[WorkingBlock], None]


def _steps(answers: Mapping[str, Answer]) -> Iterator[Step]:
    for place in STEPS.values():
        answer = answers[place.choice.name]
        if place.take is not None:
            yield Step(place.choice.name, answer, _told(place.take, answers))
            continue
        for part in answer.each:
            nothing = part.changes_nothing or part.text == place.choice.neutral
            if part.trait("when", AT_ONCE) == place.moment and not nothing:
                yield Step(place.choice.name, part, _carried_out(part))


def _told(take: Take, answers: Mapping[str, Answer]) -> Callable[[WorkingBlock], None]:
    return lambda block: take(block, answers)


def _carried_out(answer: Answer) -> Callable[[WorkingBlock], None]:
    return lambda block: answer(block=block)
