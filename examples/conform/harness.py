"""A harness of scikit-learn or ranx, which must be installed: python harness.py, python harness.py ranx.

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
    if not run or (metric not in functions and metric != "map"):
        return {"unsupported": f"{metric}, or no rows"}
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


RANX = {"ndcg", "map", "mrr", "precision", "recall", "f1", "hit_rate", "r_precision"}


def ranx(metric: str, k: int | None, labels: Users, run: Users) -> dict[str, Any]:
    """Values of `ranx.evaluate` over whole grades of 0 and more."""
    from ranx import Qrels, Run, evaluate

    whole = all(grade >= 0 and grade == int(grade) for rows in labels.values() for _, grade in rows)
    repeated = any(len(dict(rows)) < len(rows) for side in (labels, run) for rows in side.values())
    if metric not in RANX or not (labels and run and whole) or repeated:  # a dict holds each item once
        return {"unsupported": f"{metric}, or these data"}
    qrels = Qrels({user: {item: int(grade) for item, grade in rows} for user, rows in labels.items()})
    rankings = Run({user: dict(rows) for user, rows in run.items()})
    name = metric.replace("r_precision", "r-precision") + (f"@{k}" if k else "")
    mean = float(evaluate(qrels, rankings, name, make_comparable=True))
    return {"users": {user: float(value) for user, value in rankings.scores[name].items()}, "mean": mean}


def main() -> None:
    """Reply to each line."""
    library = ranx if sys.argv[1:] == ["ranx"] else sklearn
    for line in sys.stdin:
        vector = json.loads(line)
        try:
            found = library(vector["metric"], vector["k"], by_user(vector["labels"]), by_user(vector["run"]))
        except ValueError as error:  # the library refuses the data
            found = {"unsupported": str(error)}
        print(json.dumps({"id": vector["id"], **found}), flush=True)


if __name__ == "__main__":
    main()
