"""ROCR: measures that are one number, the area below the ROC curve also up to a false positive rate."""

from tests.oracles.identities.base import Identity, Result, with_settings


def identity(r: Result) -> Identity:
    part = "roc-range=false-positive-rate(0, 0.25)" if r["metric"] == "auc_fpr_stop" else ""
    return Identity("rocr", with_settings(r["metric"], part), everyone=True)
