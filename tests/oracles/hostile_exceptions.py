"""Where a preset is known to give another number than its library on hostile data, each with its reason.

Most are work that is open: a definition would give them. None is an exception of a single number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

REPEATED_LABELS = ("repeated labels of equal grades", "repeated labels of other grades")


@dataclass(frozen=True)
class KnownDifference:
    """Kinds of cases on which metrics of presets differ."""

    presets: Sequence[str]
    kinds: Sequence[str]
    metrics: Sequence[str]
    """By their keys; all of them where empty."""
    reason: str

    def covers(self, preset: str, kind: str, metric: str) -> bool:
        """Whether a difference is this one."""
        return preset in self.presets and kind in self.kinds and (not self.metrics or metric in self.metrics)


KNOWN = [
    KnownDifference(
        ["recommenders", "recommenders-relevant-rows"],
        REPEATED_LABELS,
        [],
        "merged frames have a row for each pair of a returned row and a label of its item, without a further label for "
        "a repeated row; no setting says that. NDCG merges a second time. python_evaluation.py, lines 379 to 440",
    ),
    KnownDifference(
        ["rs_metrics", "rs_metrics-frames"],
        REPEATED_LABELS,
        ["recall"],
        "the labels whose item is returned are counted, not the rows that hold a labelled item; no setting says that. "
        "rs_metrics/metrics.py, _recall",
    ),
    KnownDifference(
        ["pytrec_eval"],
        ["an empty list in the run"],
        [],
        "a query that the run names with an empty dictionary counts 0, and one that it does not name is left out; "
        "on-no-ranking does not tell them apart",
    ),
    KnownDifference(
        ["torchmetrics", "xgboost"],
        ["grades that differ by 1e-9"],
        [],
        "labels of single precision hold 1 for a grade of 1 + 1e-9, which grades-allowed refuses: grades are not "
        "rounded before they are looked at",
    ),
]
