"""The entries of a preset: what it says for single metrics, changed and merged."""

import re
from itertools import chain, zip_longest
from typing import Any

from rankconv.averaging import AVERAGING
from rankconv.choice import QUESTIONS, Choice, unknown_question
from rankconv.errors import ConventionError, nearest
from rankconv.metrics.base import METRICS, Metric, strategy_of, unknown_metric
from rankconv.presets.model import Entry
from rankconv.ranking.judging import Judging

Options = tuple[tuple[str, str], ...]
ENTRY_KEYS = ("is", "called", "k", "with-k")


def question_of(name: str) -> Choice:
    question = name.replace("_", "-")
    if question not in QUESTIONS:
        raise unknown_question(question)
    return QUESTIONS[question]


def check_asked(questions: list[str], strategy: type[Metric], where: str) -> None:
    asked = [*strategy.questions(), *Judging.questions(), *AVERAGING.questions()]
    for question in questions:
        if question not in asked:
            raise ConventionError(
                f"{strategy.name} does not ask '{question}'",
                where=where,
                allowed=f"It asks {', '.join(strategy.questions())}, and the questions of judging and averaging",
                nearest=nearest(question, asked),
            )


def changed(entry: Entry, told: dict[str, str]) -> Entry:
    again = {question: answer for question, answer in told.items() if question in entry.answers}
    with_k = {question: told.get(question, answer) for question, answer in entry.with_k.items()}
    return merged(entry, {**again, **({"with-k": with_k} if with_k else {})}) if again or with_k else entry


def canonical(entry: Entry) -> Entry:
    """The same entry with each answer in its one spelling."""
    with_k = {name: question_of(name).validate(answer) for name, answer in entry.with_k.items()}
    own = {name: question_of(name).validate(answer) for name, answer in entry.answers.items()}
    return merged(entry, {**own, **({"with-k": with_k} if with_k else {})})


def merged(entry: Entry | None, more: dict[str, Any]) -> Entry:
    before = entry.model_dump(by_alias=True, exclude_unset=True) if entry else {}
    given = {key if key in ENTRY_KEYS else question_of(key).name: value for key, value in more.items()}
    return Entry.model_validate(before | given)


_HOLE = re.compile(r"\{(k|[a-z-]+(?:=[a-z-]+)?)\}")


def called(pattern: str, word: str) -> tuple[int | None, Options] | None:
    """The cutoff and the answers that a system's own name holds, if the word is that name.

    In a pattern `{k}` stands for the cutoff, `{question}` for a number that answers it, and `{question=answer}` for
    the parameter of that answer.
    """
    literal = [re.escape(part) for part in _HOLE.split(pattern)[::2]]
    holes = _HOLE.findall(pattern)
    numbers = [r"([1-9]\d{0,8})" if hole == "k" else r"(\d+\.?\d*|\.\d+)" for hole in holes]
    found = re.fullmatch("".join(chain(*zip_longest(literal, numbers, fillvalue=""))), word)
    if found is None:
        return None
    given = dict(zip(holes, found.groups(), strict=True))
    k = given.pop("k", None)
    return k and int(k), tuple(_answered(hole, number) for hole, number in given.items())


def _answered(hole: str, number: str) -> tuple[str, str]:
    question, _, option = hole.partition("=")
    return question, f"{option}({number})" if option else number


def checked(key: str, entry: Entry) -> Entry:
    """An entry whose strategy exists, and asks what it answers; with each answer in its one spelling."""
    name = strategy_of(entry.is_ or key)
    if name is None:
        raise unknown_metric(entry.is_ or key)
    check_asked([*entry.answers, *entry.with_k], METRICS[name], key)
    return canonical(entry)
