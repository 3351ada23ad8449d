"""A protocol: how ratings become what is learned from, what is given, and what is to be found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from rankconv.errors import ConventionError, unknown
from rankconv.presets.fingerprint import fingerprint
from rankconv.presets.model import Citation
from rankconv.protocols.methods import ProtocolMethods
from rankconv.protocols.questions import users as _users  # which registers all questions
from rankconv.protocols.registry import PROTOCOL
from rankconv.protocols.words import words
from rankconv.questions.choice import Choice
from rankconv.questions.open_answers import OpenAnswers

assert _users


class Answers(OpenAnswers):
    """The answers to every question of protocols."""

    @classmethod
    def questions(cls) -> Mapping[str, Choice]:
        """The questions of protocols by name, in the order in which they are carried out."""
        return PROTOCOL


@dataclass(frozen=True)
class StatedProtocol:
    """One answer to each question of `rankconv choices protocol`, and what its source says of it.

    >>> import rankconv as rc
    >>> rc.protocol("fastml").replace(given="nested(20)").diff(rc.protocol("fastml"))
    {'given': ('nested(20)', 'nested(199)')}
    """

    name: str
    title: str
    answers: Answers
    version: str = ""
    year: int | None = None
    about: str = field(default="", repr=False)
    cite: tuple[Citation, ...] = field(default=(), repr=False)
    metric: str = ""
    """The metric that its source reports, as a spec; empty where none is told."""
    changed: tuple[str, ...] = ()
    """The questions that were answered otherwise than in its file."""
    neutral: Answers | None = field(default=None, repr=False, compare=False)
    """The neutral answers; None for the protocol that holds them."""

    def replace(self, **answers: Any) -> Self:
        """How is it with other answers? Raises ConventionError for what is no question or no answer."""
        told = {}
        for name, given in answers.items():
            question = name.replace("_", "-")
            if question not in PROTOCOL:
                raise unknown("question of protocols", question, PROTOCOL)
            told[question] = PROTOCOL[question].validate(given)
        made = self.answers.replace(told)
        if made == self.answers:
            return self
        changed = tuple(q for q in PROTOCOL if q in self.changed or (q in told and told[q] != self.answers.given(q)))
        return replace(self, answers=made, changed=changed, neutral=self.neutral or self.answers)

    def diff(self, other: "StatedProtocol") -> dict[str, tuple[str, str]]:
        """On which questions do both differ? The answer here and there."""
        ours, theirs = self.answers.stated, other.answers.stated
        return {question: (ours[question], theirs[question]) for question in ours if ours[question] != theirs[question]}

    @property
    def text(self) -> str:
        """What `rc.protocol` reads back: `fastml(given=nested(20))`."""
        told = ", ".join(f"{question}={self.answers.given(question)}" for question in self.changed)
        return f"{self.name}({told})" if told else self.name

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name this protocol, over its answers that are not neutral."""
        neutral = self.answers.stated if self.neutral is None else self.neutral.stated
        told = {q: answer for q, answer in self.answers.stated.items() if neutral.get(q) != answer}
        return fingerprint("protocol", None, told)

    @property
    def sentence(self) -> str:
        """What a paper says of it.

        >>> import rankconv as rc
        >>> rc.protocol("leave-one-out").sentence[:68]
        'Ratings were divided as the rankconv protocol leave-one-out has it ('
        """
        version = f", version {self.version}" if self.version else ""
        changed = ", ".join(f"{question}={self.answers.given(question)}" for question in self.changed)
        but = f", but with {changed}" if changed else ""
        begins = f"Ratings were divided as the rankconv protocol {self.name} has it ({self.title}{version}){but}"
        clauses = [words(answer) for answer in self.answers.answers.values() if not answer.changes_nothing]
        ends = f"The protocol has the fingerprint {self.fingerprint}."
        return f"{begins}: {'; '.join(filter(None, clauses))}. {ends}"

    def methods(self) -> ProtocolMethods:
        """What does a paper say of it: the sentence with every answer, one line, the sources as BibTeX?"""
        return ProtocolMethods(self.text, self.sentence, self.fingerprint, self.own_answers, self.cite, self.version)

    @property
    def own_answers(self) -> dict[str, str]:
        """The answers that are not neutral, by question."""
        neutral = {} if self.neutral is None else self.neutral.stated
        return {q: answer for q, answer in self.answers.stated.items() if neutral and neutral.get(q) != answer}

    def check(self) -> Self:
        """The protocol itself; a ConventionError where its answers are not possible together."""
        answers = self.answers.answers
        nested, apart = answers["given"], answers["generalization"].trait("apart")
        if nested.trait("parts") and not apart:
            general = answers["generalization"].text
            raise ConventionError(
                f"given={nested.text} leaves out ratings that train under generalization={general}",
                where=self.text,
                do="Take generalization=strong, or given=all: else each number given would need a model of its own.",
            )
        if answers["held-out"].trait("rest") and not nested.trait("parts"):
            do = "Say how many are given: given=nested(20) or given=first(5)."
            wrong = f"held-out={answers['held-out'].text} and given={nested.text} leave nothing to be found"
            raise ConventionError(wrong, where=self.text, do=do)
        return self

    def __repr__(self) -> str:
        return f"rc.protocol({self.text!r})"
