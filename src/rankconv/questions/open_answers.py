"""Answers to questions that register themselves one by one, where they stand: a plugin may add one at any time."""

from collections.abc import Mapping
from typing import Any

from rankconv.errors import ConventionError, unknown
from rankconv.questions.answer_set import AnswerSet, question_name


class OpenAnswers(AnswerSet):
    """One answer to each question of a registry, `questions()`, which may grow.

    A question that a plugin adds has a neutral answer, under which nothing changes. It is what all say who say nothing,
    and it is not kept: answers given before the plugin was loaded, or without it, are equal to those given with it.
    """

    @classmethod
    def _read(cls, told: Mapping[str, Any]) -> dict[str, Any]:
        given, asked = {question_name(name): answer for name, answer in told.items()}, cls.questions()
        for name in given.keys() - asked.keys():
            raise unknown("question here", name, asked)
        answers = {name: given.get(name, choice.neutral) for name, choice in asked.items()}
        unanswered = [name for name, answer in answers.items() if answer is None]
        if unanswered:
            raise ConventionError(f"these questions have no answer: {', '.join(unanswered)}")
        texts = {name: asked[name].validate(answer) for name, answer in answers.items()}
        kept = {name.replace("-", "_"): text for name, text in texts.items() if text != asked[name].neutral}
        return {"_fields": kept}

    @property
    def fields(self) -> dict[str, Any]:
        return dict(vars(self)["_fields"])

    @property
    def added(self) -> list[str]:
        """The questions of plugins that it answers with anything but the neutral answer."""
        return [name for name in self.kept if self.questions()[name].neutral is not None]
