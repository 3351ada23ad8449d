"""TorchMetrics: functions of binary classification."""

from tests.oracles.identities.base import COMMON, Identity, Result, with_settings


def identity(r: Result) -> Identity:
    part = "roc-range=false-positive-rate(0, 0.25)" if "max_fpr" in r["call"] else ""
    return Identity("torchmetrics-binary", with_settings(COMMON.get(r["metric"], r["metric"]), part), everyone=True)
