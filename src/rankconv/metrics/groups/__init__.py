"""Metrics of groups of items: how rows, hits and exposure are divided among them.

The groups come from item features, or from the popularity of items in training.
"""

# isort: off
from rankconv.metrics.groups import share
from rankconv.metrics.groups import fairness
from rankconv.metrics.groups import awrf
from rankconv.metrics.groups import expected
from rankconv.metrics.groups import system_settings
