"""A harness of scikit-learn, which must be installed: python harness.py.

It reads the data of a vector from each line, calls the library, and writes its values.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

Users = dict[str, list[tuple[str, float]]]


def by_user(rows: list[list[str]]) -> Users:
    """Items and values of each user."""
    users: Users = {}
    for user, item, value in rows:
        users.setdefault(user, []).append((item, float(value)))
    return users


def sklearn(metric: str, k: int | None, labels: Users, run: Users) -> dict[str, Any]:
    """Values of `ndcg_score`, `dcg_score` and label ranking average precision, one user at a time."""
    from sklearn.metrics import dcg_score, label_ranking_average_precision_score, ndcg_score

    functions: dict[str, Callable[..., float]] = {"ndcg": ndcg_score, "dcg": dcg_score}
    values = {}
    for user, rows in run.items():
        known = dict(labels.get(user, []))
        grades, scores = [[known.get(item, 0.0) for item, _ in rows]], [[score for _, score in rows]]
        if metric in functions and len(rows) > 1:
            values[user] = float(functions[metric](grades, scores, k=k))
        elif metric == "map" and k is None and set(grades[0]) <= {0, 1}:
            values[user] = float(label_ranking_average_precision_score(grades, scores))
        else:
            return {"unsupported": f"{metric} at {k}, or these data"}
    return {"users": values, "mean": sum(values.values()) / len(values)}


def main() -> None:
    """Reply to each line."""
    for line in sys.stdin:
        vector = json.loads(line)
        try:
            found = sklearn(vector["metric"], vector["k"], by_user(vector["labels"]), by_user(vector["run"]))
        except ValueError as error:  # the library refuses the data
            found = {"unsupported": str(error)}
        print(json.dumps({"id": vector["id"], **found}), flush=True)


if __name__ == "__main__":
    main()
