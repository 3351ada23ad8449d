"""The strategies, one file per family. Importing the package registers them."""

from rankconv.metrics.base import METRICS, Metric, Parts, Ratio
from rankconv.metrics.gain import CG, DCG, NDCG, IdealDCG
from rankconv.metrics.hits import F, HitCount, HitRate, Precision, Recall, RPrecision
from rankconv.metrics.position import AveragePrecision, ReciprocalRank

__all__ = [
    "CG",
    "DCG",
    "METRICS",
    "NDCG",
    "AveragePrecision",
    "F",
    "HitCount",
    "HitRate",
    "IdealDCG",
    "Metric",
    "Parts",
    "Precision",
    "RPrecision",
    "Ratio",
    "Recall",
    "ReciprocalRank",
]
