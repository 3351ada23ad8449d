"""What judging, averaging and metrics have in common: frozen answers to their own questions."""

from collections.abc import Mapping
from functools import cache, cached_property

from pydantic import BaseModel, ConfigDict

from rankconv.choice import Answer, Choice


def question_name(field: str) -> str:
    """The question that a field answers: `ap_denominator` is `ap-denominator`."""
    return field.replace("_", "-")


class Answers(BaseModel):
    """One answer to each of its questions; no question has a default, so nothing is half stated."""

    model_config = ConfigDict(
        defer_build=True,
        frozen=True,
        extra="forbid",
        alias_generator=question_name,
        populate_by_name=True,
        ignored_types=(cached_property,),
    )

    @classmethod
    def questions(cls) -> Mapping[str, Choice]:
        """The questions it asks, by name, in the order in which they are applied."""
        return _questions_of(cls)

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """The answers, ready to be carried out."""
        return {name: choice(self.given(name)) for name, choice in self.questions().items()}

    @cached_property
    def stated(self) -> dict[str, str]:
        """The answers as text."""
        return {name: str(getattr(self, name.replace("-", "_"))) for name in self.questions()}

    def given(self, question: str) -> str:
        """The answer to one question, as text."""
        return self.stated[question]


@cache
def _questions_of(kind: type[Answers]) -> Mapping[str, Choice]:
    return {
        question_name(name): mark
        for name, info in kind.model_fields.items()
        for mark in info.metadata
        if isinstance(mark, Choice)
    }
