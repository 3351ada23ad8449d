"""Records areas under curves of scikit-learn, TorchMetrics and Keras: `python -m tests.oracles.record_curves NAME…`.

Where these are installed. The rows of a list are the observations, positive where their item has a grade above 0, and
each list is one call. What the file of a system has of other metrics stays.
"""

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
Area = Callable[[list[int], list[float]], float]


def sklearn() -> list[tuple[str, str, Area]]:
    """The functions of scikit-learn 1.9.1."""
    from sklearn.metrics import auc, precision_recall_curve, roc_auc_score

    def trapezoids(labels: list[int], scores: list[float]) -> float:
        precision, recall, _ = precision_recall_curve(labels, scores)
        return float(auc(recall, precision))

    return [
        ("pr_auc", "auc(recall, precision) of precision_recall_curve(y>0, score)", trapezoids),
        ("auc_max_fpr", "roc_auc_score(y>0, score, max_fpr=0.25)", lambda y, s: roc_auc_score(y, s, max_fpr=0.25)),
    ]


def torchmetrics_binary() -> list[tuple[str, str, Area]]:
    """The functions of TorchMetrics 1.9.0."""
    from torch import tensor
    from torchmetrics.functional.classification import binary_auroc, binary_average_precision

    def of(function: Callable[..., Any], **settings: Any) -> Area:
        return lambda y, s: float(function(tensor(s), tensor(y), **settings))

    return [
        ("auc", "binary_auroc(score, y>0)", of(binary_auroc)),
        ("auc_max_fpr", "binary_auroc(score, y>0, max_fpr=0.25)", of(binary_auroc, max_fpr=0.25)),
        ("average_precision", "binary_average_precision(score, y>0)", of(binary_average_precision)),
    ]


def keras() -> list[tuple[str, str, Area]]:
    """Keras 3.15.1, with torch below it."""
    from keras.metrics import AUC

    def of(**settings: Any) -> Area:
        def area(labels: list[int], scores: list[float]) -> float:
            metric = AUC(**settings)
            metric.update_state(labels, scores)
            return float(metric.result())

        return area

    forms = [(curve, method) for curve in ("ROC", "PR") for method in ("interpolation", "minoring", "majoring")]
    return [
        (
            f"{'auc' if curve == 'ROC' else 'pr_auc'}_{method}",
            f"AUC(curve='{curve}', summation_method='{method}'{more})",
            of(curve=curve, summation_method=method, **({"num_thresholds": 11} if more else {})),
        )
        for curve, method in forms
        for more in ("", ", num_thresholds=11")
    ]


SYSTEMS = {"sklearn": sklearn, "torchmetrics_binary": torchmetrics_binary, "keras": keras}


def recorded(case: dict[str, Any], name: str, call: str, area: Area) -> dict[str, Any]:
    """The value of each list of a case, and their mean."""
    values: dict[str, float | None] = {}
    for user in case["users"]:
        labels = [int(user["labels"].get(item, 0) > 0) for item in user["ranking"]]
        try:
            values[user["user"]] = float(f"{area(labels, [float(score) for score in user['scores']]):.12g}")
        except (ValueError, RuntimeError, IndexError, KeyError):
            values[user["user"]] = None
    numbers = [value for value in values.values() if value is not None]
    refused = {user: "refused" for user, value in values.items() if value is None}
    mean = None if refused else sum(numbers) / len(numbers)
    result = {"case": case["name"], "metric": name, "call": call, "k": None, "input": "retrieved"}
    per_user = {user: "nan" if value != value else value for user, value in values.items()}
    return {**result, "mean": "nan" if mean != mean else mean, "per_user": per_user} | (
        {"user_errors": refused} if refused else {}
    )


def main(systems: list[str]) -> None:
    """Write the results of these systems."""
    warnings.simplefilter("ignore")
    cases = json.loads((DATA / "cases" / "cases.json").read_text())
    for system in systems:
        file, calls = DATA / "oracles" / f"{system}.json", SYSTEMS[system]()
        kept = json.loads(file.read_text())["results"] if file.exists() else []
        new = [recorded(case, *call) for case in cases for call in calls]
        kept = [one for one in kept if one["call"] not in {call for _, call, _ in calls}]
        file.write_text(json.dumps({"system": system, "results": kept + new}, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1:])
