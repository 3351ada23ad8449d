"""Definitions with some answers changed, whatever preset they come from."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rankconv.errors import MetricError
from rankconv.presets.definition import Definition
from rankconv.questions.answer_set import AnswerSet


def answered(ours: Definition, told: Mapping[str, str], like: Definition | None = None) -> Definition | None:
    """The definition with these answers; None where they are not possible together.

    `like` is another definition whose strategy and cutoff it takes, with its answers to what only that strategy asks.

    >>> import rankconv as rc
    >>> [definition] = rc.preset("trec_eval").define("ndcg@10")
    >>> answered(definition, {"ties": "averaged"}).text
    'trec_eval:ndcg(ties=averaged)@10'
    """
    kind = ours if like is None else like
    answers = {**kind.metric.stated, **ours.answers, **told}
    changed = dict(ours.changed) | {question: answer for question, answer in told.items() if question in answers}
    definition = replace(
        ours,
        judging=_part(ours.judging, answers),
        metric=_part(kind.metric, answers, kind.k),
        averaging=_part(ours.averaging, answers),
        changed=tuple(changed.items()),
        asked_k=kind.asked_k,
    )
    try:
        return definition.check()
    except MetricError:
        return None


def _part(part: AnswerSet, answers: Mapping[str, str], *k: int | None) -> Any:
    given = tuple((question, answers[question]) for question in part.questions())
    return _filled(type(part), given, *k)


@lru_cache(maxsize=4096)
def _filled(kind: type[AnswerSet], given: tuple[tuple[str, str], ...], *k: int | None) -> AnswerSet:
    """Equal answers are one object, so that definitions which share a judging are judged together."""
    return kind.model_validate({**dict(given), **({"k": k[0]} if k else {})})
