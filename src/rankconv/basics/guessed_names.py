"""Names that people type who know other libraries, and what to type here."""

OF_PACKAGE = {
    "METRICS": "rc.list_metrics()",
    "PRESETS": "rc.list_presets()",
    "Qrels": "rc.Labels",
    "qrels": "rc.Labels",
    "beyond_accuracy": "rc.evaluate(labels, run, 'novelty@10', train=…), or another metric of rc.list_metrics()",
    "leave_one_out": "rc.protocols",
    "show": "rc.preset, rc.metric, rc.convention or rc.protocol",
    "significance": "rc.test",
    "split": "rc.protocols",
    "train_test_split": "rc.protocols",
}
"""By a name that `rankconv` does not have, what has it."""
OF_ARGUMENTS = {
    **dict.fromkeys(("qrels", "qrel", "truth", "ground_truth", "target", "y_true", "actual"), "labels"),
    **dict.fromkeys(("rankings", "preds", "predictions", "y_score", "y_pred", "predicted", "results"), "run"),
    **dict.fromkeys(("measures", "metric_names"), "metrics"),
}
"""By the name of an argument elsewhere, its name here."""
OF_CUTOFFS = ("k", "topk", "top_k", "ks", "at", "at_k", "cutoff", "cutoffs", "k_values")
"""Arguments that are a cutoff elsewhere."""
NOT_OF_RANKINGS = dict.fromkeys(("rmse", "mse", "mae", "r2", "mape", "explained_variance"), "predicted ratings")
NOT_OF_RANKINGS |= dict.fromkeys(("logloss", "log_loss", "brier_score", "cross_entropy"), "predicted probabilities")
"""Metrics that do not read a ranking, and what they read."""
