"""Definitions with some settings changed, whatever preset they come from."""

from collections.abc import Mapping
from dataclasses import replace

from rankconv.errors import RankconvError
from rankconv.presets.definition import Definition


def with_changes(ours: Definition, changes: Mapping[str, str], like: Definition | None = None) -> Definition | None:
    """The definition with these settings; None where they are not possible together.

    `like` is another definition whose strategy and cutoff it takes, with its settings to what only that strategy asks.

    >>> import rankconv as rc
    >>> with_changes(rc.metric("trec_eval:ndcg@10"), {"ties": "expected"}).text
    'trec_eval:ndcg(ties=expected)@10'
    """
    kind = ours if like is None else like
    settings = {**kind.metric.stated, **ours.settings, **changes}
    changed = dict(ours.changed) | {
        convention_name: setting for convention_name, setting in changes.items() if convention_name in settings
    }
    try:
        return replace(
            ours,
            preparation=ours.preparation.replace(settings),
            metric=kind.metric.replace(settings),
            aggregation=ours.aggregation.replace(settings),
            changed=tuple(changed.items()),
            requested_k=kind.requested_k,
        ).check()
    except RankconvError:
        return None
