"""The strategies, one file per family. Importing the package registers them."""

from rankconv.metrics import (
    auc,
    auc_kinds,
    gain,
    hits,
    judged,
    overlap,
    position,
    pr_auc,
    ranks,
    reader,
    recall_levels,
    sets,
    single_rank,
    summed,
    trec,
)
from rankconv.metrics.base import METRICS, Metric, Parts, Ratio

__all__ = ["METRICS", "Metric", "Parts", "Ratio"]
