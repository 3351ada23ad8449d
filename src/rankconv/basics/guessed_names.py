"""Names that people type who know other libraries, and what to type here."""

import sys
from types import ModuleType
from typing import NoReturn

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
OF_MODULES = {"presets": "rc.list_presets()", "metrics": "rc.list_metrics()", "conventions": "rc.list_conventions()"}
"""By a module that people call as a function, the function."""
OF_PACKAGE |= OF_MODULES
OF_RESULTS = {
    **dict.fromkeys(
        ("to_pandas", "to_polars", "to_dataframe", "to_df", "as_dataframe", "dataframe", "df"), "to_frame()"
    ),
    **dict.fromkeys(("to_json", "as_dict", "asdict", "dict"), "to_dict()"),
    **dict.fromkeys(("to_table", "to_string", "summary", "show"), "to_text()"),
}
"""By a method that results of other libraries have, the one of ours."""
OF_COMMANDS = {
    "conventions": "list conventions",
    "diff": "compare, or rankconv why",
    "leaderboard": "test --leaderboard",
    "metrics": "list metrics",
    "presets": "list presets",
    "rank": "test --leaderboard",
    "significance": "test",
    "ttest": "test",
}
"""By a command that `rankconv` does not have, what to write."""
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


class _CalledModule(ModuleType):
    """A module that says what to write where it is called as a function."""

    def __call__(self, *args: object, **kwargs: object) -> NoReturn:
        folder = self.__name__.rpartition(".")[2]
        raise TypeError(f"{self.__name__} is a module. Write {OF_MODULES[folder]}")


def refuse_calls(module: str) -> None:
    """Let a module of `OF_MODULES` say what to write where it is called."""
    sys.modules[module].__class__ = _CalledModule
