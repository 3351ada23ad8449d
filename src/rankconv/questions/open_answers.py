"""Answers to questions that register themselves one by one, where they stand: a plugin may add one at any time."""

from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, model_validator

from rankconv.errors import ConventionError, unknown
from rankconv.questions.answer_set import AnswerSet, question_name


class OpenAnswers(AnswerSet):
    """One answer to each question of a registry, `questions()`, which may grow.

    A question that a plugin adds has a neutral answer, under which nothing changes. It is what all say who say nothing,
    and it is not kept: answers given before the plugin was loaded, or without it, are equal to those given with it.
    """

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _of_registry(cls, given: Mapping[str, Any]) -> dict[str, str]:
        """The answers in their one spelling, by field; a ConventionError for one too many and for one too few."""
        told, asked = {question_name(name): answer for name, answer in given.items()}, cls.questions()
        for name in told.keys() - asked.keys():
            raise unknown("question here", name, asked)
        answers = {name: told.get(name, choice.neutral) for name, choice in asked.items()}
        unanswered = [name for name, answer in answers.items() if answer is None]
        if unanswered:
            raise ConventionError(f"these questions have no answer: {', '.join(unanswered)}")
        texts = {name: asked[name].validate(answer) for name, answer in answers.items()}
        return {name.replace("-", "_"): text for name, text in texts.items() if text != asked[name].neutral}

    @property
    def added(self) -> list[str]:
        """The questions of plugins that it answers with anything but the neutral answer."""
        return [name for name in self.kept if self.questions()[name].neutral is not None]
