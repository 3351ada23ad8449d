"""The metrics, one family per file: formula, words, LaTeX and sources. Importing registers the common ones.

The others are registered when one of their names is looked up: `families` reads which file has which names. May import
preparation, whose block they read, and conventions; special users, means and presets are above them.
"""

# isort: off
from rankconv.metrics import precision_recall
from rankconv.metrics import f_measure
from rankconv.metrics import hits
from rankconv.metrics import position
from rankconv.metrics import dcg
from rankconv.metrics import gain_sums
from rankconv.metrics import families

# isort: on
from rankconv.basics.guessed_names import refuse_calls
from rankconv.metrics.base import METRICS, Metric, Parts, Ratio

__all__ = ["METRICS", "Metric", "Parts", "Ratio"]

refuse_calls(__name__)
