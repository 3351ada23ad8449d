"""Definitions with some answers changed, whatever preset they come from."""

from collections.abc import Mapping
from dataclasses import replace

from rankconv.errors import RankconvError
from rankconv.presets.definition import Definition


def answered(ours: Definition, told: Mapping[str, str], like: Definition | None = None) -> Definition | None:
    """The definition with these answers; None where they are not possible together.

    `like` is another definition whose strategy and cutoff it takes, with its answers to what only that strategy asks.

    >>> import rankconv as rc
    >>> answered(rc.metric("trec_eval:ndcg@10"), {"ties": "expected"}).text
    'trec_eval:ndcg(ties=expected)@10'
    """
    kind = ours if like is None else like
    answers = {**kind.metric.stated, **ours.answers, **told}
    changed = dict(ours.changed) | {question: answer for question, answer in told.items() if question in answers}
    try:
        return replace(
            ours,
            judging=ours.judging.replace(answers),
            metric=kind.metric.replace(answers),
            averaging=ours.averaging.replace(answers),
            changed=tuple(changed.items()),
            asked_k=kind.asked_k,
        ).check()
    except RankconvError:
        return None
