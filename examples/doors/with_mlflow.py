"""MLflow: a metric of `make_metric` with the definition of a preset, for `mlflow.evaluate`."""

import pandas as pd
from mlflow.metrics import MetricValue, make_metric

import rankconv as rc

DEFINITION = rc.metric("mlflow:ndcg@3")


def ranked(predictions: pd.Series, targets: pd.Series, metrics: dict[str, MetricValue] | None = None) -> MetricValue:
    """Return the value of each row, of lists of documents and the relevant ones, and their mean."""
    labels = {str(row): list(documents) for row, documents in enumerate(targets)}
    run = {str(row): list(documents) for row, documents in enumerate(predictions)}
    number = DEFINITION(labels, run)
    of_user = dict(zip(number.users.tolist(), number.per_user.tolist(), strict=True))
    return MetricValue([of_user[user] for user in run], aggregate_results={"mean": float(number)})


metric = make_metric(eval_fn=ranked, greater_is_better=True, name="ndcg_at_3", metric_details=DEFINITION.signature)
value = metric.eval_fn(pd.Series([["x", "a", "b"], ["c"]]), pd.Series([["a", "b"], ["c"]]))
print(metric.name, [round(score, 4) for score in value.scores], round(value.aggregate_results["mean"], 4))
print(metric.metric_details)
