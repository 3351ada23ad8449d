"""The metrics, one family per file: formula, words, LaTeX and sources. Importing registers them, the common ones first.

May import preparation, whose block they read, and conventions; special users, means and presets are above them.
"""

# isort: off
from rankconv.metrics import precision_recall
from rankconv.metrics import position
from rankconv.metrics import dcg
from rankconv.metrics import reader
from rankconv.metrics import cwl
from rankconv.metrics import auc
from rankconv.metrics import pr_auc
from rankconv.metrics import auc_by_rank
from rankconv.metrics import judged
from rankconv.metrics import against_ideal
from rankconv.metrics import sets
from rankconv.metrics import beyond
from rankconv.metrics import alpha_ndcg
from rankconv.metrics import relevant_ranks

# isort: on
from rankconv.metrics.base import METRICS, Metric, Parts, Ratio

__all__ = ["METRICS", "Metric", "Parts", "Ratio"]
