"""Which answers to a question are tried: all of them, with the parameters that presets and the field use."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import CUTOFF, CUTOFF_SCOPE
from rankconv.presets.definition import idle_of
from rankconv.presets.registry import neutral_answers
from rankconv.questions.choice import NUMBER, QUESTIONS, Option, Registry
from rankconv.questions.parameters import Base

USUAL_BASES = ("2", "e", "10")
"""Of logarithms, where a text does not say which one it takes."""
FARTHEST = 2
"""So many answers of a combination may differ from those of the nearest preset that has the metric: two of those that
other presets give, or one that none gives."""
SLIPS = {"discount": ("log(base=2, shift=2)",), "aggregate": ("sum",), "on-no-hits": ("skip",)}
"""Slips that papers make, and no preset: ranks counted from 0 and shifted twice, a sum called a mean, a mean over the
users who have a hit. The others (the ideal list not cut at k, all occurrences of an item counted as hits) are answers
that are tried anyway."""


def combinations(
    strategy: type[Metric], k: int | None, known: Iterable[Metric], told: tuple[tuple[str, str], ...]
) -> list[Metric]:
    """The strategy under every combination of answers that can matter and is not too far from all presets.

    `labels-used` are the combinations of presets, `told` are answers that all shall have.
    """
    return list(_combinations(strategy, k, tuple(dict.fromkeys(known)), told, Registry.generation))


@lru_cache(maxsize=64)
def _combinations(
    strategy: type[Metric],
    k: int | None,
    known: tuple[Metric, ...],
    told: tuple[tuple[str, str], ...],
    generation: int,
) -> tuple[Metric, ...]:
    fixed = {**_of_cutoff(strategy, k), **dict(told)}
    own = [{question: fixed.get(question, answer) for question, answer in one.stated.items()} for one in known]
    answers = {
        question: [fixed[question]]
        if question in fixed
        else answers_to(question, sorted({one.given(question) for one in known}))
        for question in strategy.questions()
    }
    every = [dict(zip(answers, each, strict=True)) for each in product(*answers.values())]
    near = [each for each, row in zip(every, apart(every, own), strict=True) if row.min() <= FARTHEST]
    found = [strategy.with_answers({**each, "k": k}) for each in near]
    return tuple(metric for metric in found if not _repeats(metric, answers))


def apart(stated: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]]) -> NDArray[np.int64]:
    """How far each combination is from each known one, shape (combinations, known).

    An answer counts 1 where another known one gives it, 2 where none does; what is read of the list counts 3.
    """
    distance = np.zeros((len(stated), len(known)), np.int64)
    for question in known[0]:
        own = np.array([one[question] for one in known])
        given = np.array([one[question] for one in stated])
        heavy = FARTHEST + 1 if question == CUTOFF_SCOPE.name else FARTHEST
        if question != CUTOFF.name:
            weight = np.where(np.isin(given, own) & (question != CUTOFF_SCOPE.name), 1, heavy)
            distance += weight[:, None] * (given[:, None] != own)
    return distance


def _of_cutoff(strategy: type[Metric], k: int | None) -> dict[str, str]:
    """In which form it is offered changes no number; and without a cutoff there is nothing that it could cut."""
    form = {CUTOFF.name: "optional" if strategy.cuts else "never"}
    return form if k is not None else {**form, CUTOFF_SCOPE.name: neutral_answers()[CUTOFF_SCOPE.name]}


def _repeats(metric: Metric, answers: dict[str, list[str]]) -> bool:
    """Whether it differs from another one in an answer that cannot matter."""
    idle = [question for question in idle_of(metric) if question in answers]
    return any(len(answers[question]) > 1 and _can_be_first(metric, question, answers) for question in idle)


def _can_be_first(metric: Metric, question: str, answers: dict[str, list[str]]) -> bool:
    first = next(answer for answer in answers[question] if question in idle_of(metric.replace({question: answer})))
    return metric.given(question) != first


def answers_to(question: str, occurring: Iterable[str]) -> list[str]:
    """The neutral answer first, then the others that can be given without parameters, those of presets, and the usual.

    >>> answers_to("ideal-cutoff", [])
    ['k', 'none', 'length']
    """
    choice = QUESTIONS[question]
    own = [text for option in choice.options.values() for text in _texts(option)]
    listed = [neutral_answers()[question], *own, *occurring, *SLIPS.get(question, ())]
    return list(dict.fromkeys(choice.validate(answer) for answer in listed))


def _texts(option: Option) -> list[str]:
    if option.name == NUMBER:
        return []
    if not option.parameters.required:
        return [option.name]
    needed = [parameter.name for parameter in option.parameters.own if parameter.default is parameter.empty]
    bases = [name for name in needed if any(isinstance(mark, Base) for mark in get_args(option.parameters.types[name]))]
    return [f"{option.name}({needed[0]}={base})" for base in USUAL_BASES] if bases == needed else []
