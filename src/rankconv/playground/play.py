"""From a request to a setting, both plain data, as a server or a page in a browser passes them on."""

from collections.abc import Callable, Sequence
from typing import Any

from rankconv.analysis.identify.identify import identify
from rankconv.analysis.identify.result import IdentifyResult, few
from rankconv.analysis.why.attribution import digits_for, notes, shares
from rankconv.analysis.why.why import why
from rankconv.engine.differences import Group
from rankconv.errors import MetricError, RankconvError
from rankconv.evaluation.compare.compare import DEFAULT_PRESETS, compare
from rankconv.evaluation.compare.comparison import absent_words
from rankconv.metrics import METRICS
from rankconv.pages.cells import finite, number, plural
from rankconv.playground.requests import MOST_ITEMS, MetricRequest, read
from rankconv.presets.folders import GROUPS
from rankconv.presets.registry import ALL, list_presets

DIGITS = 4
USUAL = (*DEFAULT_PRESETS, "ranx", "torchmetrics", "recommenders", "recbole", "lightgbm")
"""The presets that are shown where none are named."""
ROWS = 8
"""Definitions that are listed for a number."""


def play(request: Any) -> dict[str, Any]:
    """Compute the values of presets for one list, their differences, and the presets that give a certain value.

    Takes `items` (objects with `id`, and `grade` and `score` if known; best first), `unretrieved` (judged items
    that the list lacks), `metric`, `k`, `presets` (names or groups; none for the usual ones), two presets under
    `why`, and a number as text under `identify`. All of it is plain data, as is the setting: `metric`, `numbers`,
    `why`, `identify`; a part that cannot be answered holds its `error` and leaves the others alone. What is no request
    has an `error` and nothing else. Nothing is raised, and nothing is kept between two calls.

    >>> items = [{"id": "a", "grade": 1}, {"id": "b"}, {"id": "c", "grade": 1}]
    >>> result = play({"items": items, "metric": "map", "k": 2, "presets": ["blog", "mllib"]})
    >>> [(group["shown"], group["presets"]) for group in result["numbers"]["groups"]]
    [('0.5000', ['mllib']), ('1.0000', ['blog'])]
    >>> result["numbers"]["groups"][1]["step"]["settings"]
    ['ap-denominator=hits']
    """
    try:
        checked = read(request)
        metric, labels, run = checked.spec, checked.labels, checked.run
    except RankconvError as error:
        return {"error": error.on_a_page}
    return {
        "metric": metric,
        "numbers": _part(lambda: _numbers(checked, metric, labels, run)),
        "why": checked.why and _part(lambda: _why(checked, metric, labels, run)),
        "identify": checked.identify and _part(lambda: _identified(checked, metric, labels, run)),
    }


def names() -> dict[str, Any]:
    """What may be chosen: metrics, presets and groups of them, which are the usual ones, how many items."""
    return {
        "metrics": sorted(METRICS),
        "presets": sorted(list_presets()),
        "groups": [ALL, *GROUPS],
        "usual": list(USUAL),
        "most_items": MOST_ITEMS,
    }


def _part(setting: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return setting()
    except RankconvError as error:
        return {"error": error.on_a_page}


def _numbers(request: MetricRequest, metric: str, labels: Any, run: Any) -> dict[str, Any]:
    found = compare(labels, run, metric, request.presets or USUAL)
    row = _only(found.metrics, metric)
    return {"groups": [_group(one) for one in found.by_value(row, DIGITS)], "absent": absent_words(found, row)}


def _only(metrics: Sequence[str], name: str) -> str:
    """The one metric of this name; a MetricError where the presets mean several by it, as by `official`, or none."""
    if len(metrics) != 1:
        wrong = f"'{name}' is the name of {plural(len(metrics), 'metric')} in these presets"
        do = f"Choose one of them: {', '.join(metrics)}." if metrics else "Choose another metric, or other presets."
        raise MetricError(wrong, do=do)
    return metrics[0]


def _group(one: Group) -> dict[str, Any]:
    [mean] = one.means
    step = one.step and {"upper": one.step.upper, "lower": one.step.lower, "settings": one.step.settings}
    return {"value": finite(mean), "shown": number(mean, DIGITS), "presets": sorted(one.names), "step": step}


def _why(request: MetricRequest, metric: str, labels: Any, run: Any) -> dict[str, Any]:
    assert request.why is not None
    found = why(labels, run, metric, a=request.why[0], b=request.why[1])
    digits = digits_for(found, None)
    steps = [
        {"change": "; ".join(one.player.changes), "share": one.share, "shown": shown}
        for one, shown in zip(found.contributions, shares(found, digits), strict=True)
    ]
    sides = zip((found.ours, found.other), (found.first, found.second), strict=True)
    ends = [{"name": side.name, "value": one.mean, "shown": number(one.mean, digits)} for side, one in sides]
    return {"ends": ends, "steps": steps, "notes": notes(found, digits)}


def _identified(request: MetricRequest, metric: str, labels: Any, run: Any) -> dict[str, Any]:
    found = identify(labels, run, metric, request.identify)
    assert isinstance(found, IdentifyResult)
    rows = found.summary or found.nearest
    parts = [
        {"definition": row.text, "value": finite(row.value), "how": row.how, "also": few(row.others, ROWS)}
        for row in rows[:ROWS]
    ]
    by_chance = 0 if found.summary else len(found.rows)
    counts = {"tried": found.tried, "more": max(0, len(rows) - ROWS), "by_chance": by_chance}
    return {"found": bool(found.summary), "rows": parts, **counts}
