"""ranking-metrics-torch: one batch of all users, whose rows the caller pads to the longest, and to 20 at least."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    name = r["metric"].replace("_at_grades", "_graded")
    if name == "recall_at" and r["k"] == 1:  # an IndexError where a row has a relevant label, else NaN at every cutoff
        fails = bool(r["error"])
        return Identity(given(r, "ranking_metrics_torch"), f"recall_at@{1 if fails else 2}", True, offered=not fails)
    candidates = ""
    if name == "ndcg_graded":
        lists = _lists(r)
        if any(any(first := grades[: r["k"]]) and sum(first) == 0 for grades in lists):  # NaN there
            return None
        padded = f"padded(rows={max(20, *map(len, lists))})"  # it precedes negative grades in the ideal list
        candidates = "candidates=" + (f"with-unretrieved(lowest=1) + {padded}" if r["input"] == "union" else padded)
    spec = at(with_settings(name, candidates), r["k"])
    return Identity(given(r, "ranking_metrics_torch"), spec, everyone=True, float32=True)


def _lists(r: Result) -> list[list[float]]:
    """The grades of each list that the system was given, by falling score."""
    from tests.oracles.harness import cases  # the harness imports this module

    lists = []
    for user in cases()[r["case"]]:
        labels = user["labels"]
        rows = sorted(zip(user["scores"], user["ranking"], strict=True), key=lambda row: -row[0])
        unretrieved = [labels[item] for item in labels if item not in user["ranking"]] if r["input"] == "union" else []
        lists.append([labels.get(item, 0) for _, item in rows] + unretrieved)
    return lists
