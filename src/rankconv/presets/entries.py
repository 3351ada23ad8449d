"""The entries of a preset: what it says for single metrics, changed and merged."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from rankconv.averaging import Averaging
from rankconv.errors import ConventionError, nearest
from rankconv.judging.pipeline import Judging
from rankconv.metrics.base import METRICS, Metric, strategy_of, unknown_metric
from rankconv.presets.model import Entry
from rankconv.questions.choice import NUMBER, QUESTIONS, Choice, unknown_question

Options = tuple[tuple[str, str], ...]
ENTRY_KEYS = ("is", "called", "k", "with-k")


def question_of(name: str) -> Choice:
    question = name.replace("_", "-")
    if question not in QUESTIONS:
        raise unknown_question(question)
    return QUESTIONS[question]


def check_asked(questions: list[str], strategy: type[Metric], where: str) -> None:
    asked = [*strategy.questions(), *Judging.questions(), *Averaging.questions()]
    for question in questions:
        if question not in asked:
            raise ConventionError(
                f"{strategy.name} does not ask '{question}'",
                where=where,
                allowed=f"It asks {', '.join(strategy.questions())}, and the conventions of preparation and "
                "aggregation",
                nearest=nearest(question, asked),
            )


def changed(entry: Entry, told: dict[str, str]) -> Entry:
    again = {question: answer for question, answer in told.items() if question in entry.answers}
    with_k = {question: told.get(question, answer) for question, answer in entry.with_k.items()}
    return merged(entry, {**again, **({"with-k": with_k} if with_k else {})}) if again or with_k else entry


def canonical(entry: Entry) -> Entry:
    """The entry with each answer in its one spelling."""
    with_k = {name: question_of(name).validate(answer) for name, answer in entry.with_k.items()}
    own = {name: question_of(name).validate(answer) for name, answer in entry.answers.items()}
    return merged(entry, {**own, **({"with-k": with_k} if with_k else {})})


def merged(entry: Entry | None, more: dict[str, Any]) -> Entry:
    if not isinstance(more, Mapping):
        raise ConventionError(f"{more!r:.100} says nothing of a metric", do="Write {'gain': 'binary'}.")
    before = entry.model_dump(by_alias=True, exclude_unset=True) if entry else {}
    given = {key if key in ENTRY_KEYS else question_of(key).name: value for key, value in more.items()}
    try:
        return Entry.model_validate(before | given)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        wrong = f"'{'.'.join(map(str, first['loc']))}': {first['msg'][0].lower()}{first['msg'][1:]}"
        raise ConventionError(wrong) from None


_HOLE = re.compile(r"\{(k|[a-z-]+(?:=[a-z-]+)?)\}")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_CUTOFF = re.compile(r"[1-9][0-9]{0,8}")


def called(pattern: str, word: str) -> tuple[int | None, Options] | None:
    """The cutoff and the answers that a system's own name holds, if the word is that name.

    In a pattern `{k}` stands for the cutoff, `{question}` for a number that answers it, and `{question=answer}` for
    the parameter of that answer. A number is taken as long as it goes, so each sign of the word is read once.
    """
    first, *rest = _parts(pattern)
    place, given = len(first), []
    if not word.startswith(first):
        return None
    for hole, literal in zip(rest[::2], rest[1::2], strict=True):
        number = (_CUTOFF if hole == "k" else _NUMBER).match(word, place)
        if number is None or not word.startswith(literal, number.end()):
            return None
        given.append((hole, number[0]))
        place = number.end() + len(literal)
    if place < len(word):
        return None
    k = next((int(number) for hole, number in given if hole == "k"), None)
    return k, tuple(_answered(hole, number) for hole, number in given if hole != "k")


@lru_cache(maxsize=4096)
def _parts(pattern: str) -> list[str]:
    """What stands between the holes, and the holes, by turns."""
    return _HOLE.split(pattern)


def check_names(entry: Entry) -> None:
    """A ConventionError for a system's own name that could not be read: holes that touch, or that ask nothing."""
    for pattern in entry.names:
        _, *rest = _parts(pattern)
        holes, after = rest[::2], rest[1::2]
        if len(set(holes)) < len(holes) or any(re.match(r"[0-9.]", text) for text in after) or "" in after[:-1]:
            do = "Between two holes there must be text, which does not begin as a number goes on."
            raise ConventionError(f"the name '{pattern}' cannot be read in one way", do=do)
        for hole in (one for one in holes if one != "k"):
            question, _, option = hole.partition("=")
            if (option or NUMBER) not in question_of(question).options:
                raise ConventionError(f"in the name '{pattern}' '{{{hole}}}' stands for no answer that holds a number")


def _answered(hole: str, number: str) -> tuple[str, str]:
    question, _, option = hole.partition("=")
    return question, f"{option}({number})" if option else number


def checked(key: str, entry: Entry) -> Entry:
    """An entry whose strategy exists, and asks what it answers; with each answer in its one spelling."""
    name = strategy_of(entry.is_ or key)
    if name is None:
        raise unknown_metric(entry.is_ or key)
    check_asked([*entry.answers, *entry.with_k], METRICS[name], key)
    check_names(entry)
    return canonical(entry)
