"""The dictionaries that pytrec_eval and ranx are handed: text ids, grades and scores by user."""

from typing import Any

from tests.benchmarks.data import Data

Dicts = tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]


def dictionaries(data: Data) -> Dicts:
    """Labels and run, as `{user: {item: number}}`."""
    names = [f"i{item}" for item in range(data.catalogue)]
    labels: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for user in range(data.users):
        known = data.items[data.starts[user] : data.starts[user + 1]].tolist()
        labels[f"u{user}"] = {names[item]: 1 for item in known}
        shown = [names[item] for item in data.pred[user].tolist()]
        run[f"u{user}"] = dict(zip(shown, data.score[user].tolist(), strict=True))
    return labels, run
