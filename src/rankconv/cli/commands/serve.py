"""`rankconv serve`: the playground in a browser, on this machine, with a list of the user's own if there is one."""

import json
import webbrowser
from typing import Any
from urllib.parse import quote

from rankconv.cli import options as o
from rankconv.cli.data import Data, data_options
from rankconv.errors import InputError, nearest

METRIC = "ndcg@10"
"""The metric of a user's own list."""


@data_options("")
def serve(
    data: Data,
    labels: o.OptionalLabels = None,
    run: o.OptionalRun = None,
    user: o.OptionalUser = None,
    metric: o.OptionalMetric = None,
    port: o.Port = 8421,
    open_: o.Open = False,
) -> None:
    """Serve the playground to a browser on this machine until Ctrl-C; with files, it opens on one user's ranking."""
    from rankconv.playground.serving import serve as serve_playground

    state = None if labels is None else _state(*data.pair(labels, run), user, metric or METRIC)
    fragment = "" if state is None else "#" + quote(json.dumps(state, ensure_ascii=False))

    def ready(address: str) -> None:
        print(f"The playground is at {address}{fragment}, until Ctrl-C.", flush=True)
        if open_:
            webbrowser.open(address + fragment)

    serve_playground(port, ready)


def _state(labels: Any, run: Any, user: str | None, metric: str) -> dict[str, Any]:
    """Return what the address of the page holds: one user's items with grades and scores, and unretrieved items."""
    from rankconv.data.ids import typed
    from rankconv.playground.requests import MOST_ITEMS

    ranked = {typed(one): one for one in run.users.values.tolist()}
    labelled = {typed(one): one for one in labels.users.values.tolist()}
    name = user if user is not None else next((one for one in ranked if one in labelled), next(iter(ranked), ""))
    if name not in ranked and name not in labelled:
        raise InputError(
            f"there is no user '{name}' in the labels or the run", where="-u", nearest=nearest(name, ranked)
        )
    grades = labels.rows_of(labelled[name]) if name in labelled else {}
    items, scores = run.rows_of(ranked[name]) if name in ranked else ([], None)
    graded = [_item(item, grades) for item in items[:MOST_ITEMS]]
    if scores is not None:
        graded = [{**one, "score": float(score)} for one, score in zip(graded, scores, strict=False)]
    unretrieved = [_item(item, grades) for item in grades if item not in set(items)]
    state = {"items": graded, "unretrieved": unretrieved[:MOST_ITEMS], "scored": scores is not None}
    return {**state, "metric": metric, "k": None}


def _item(item: Any, grades: dict[Any, float]) -> dict[str, Any]:
    grade = {"grade": float(grades[item])} if item in grades else {}
    return {"id": str(item), **grade}
