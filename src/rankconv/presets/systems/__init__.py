"""Policies, steps and settings that one system needs, and that no paper, textbook or option of trec_eval names.

Importing registers them, those of a family of metrics once this is looked up. May import preparation, metrics and
aggregation, to which each of them belongs.
"""

from rankconv.conventions.convention import CONVENTIONS
from rankconv.metrics.base import METRICS
from rankconv.metrics.families import FAMILIES
from rankconv.presets.systems import metrics, policies

_OF_FAMILIES = {"rankconv.metrics.credit": "rankconv.presets.systems.nuggets"}
"""By the file of a family, the settings that belong to it."""
for _family, _settings in _OF_FAMILIES.items():
    METRICS.defer(_settings, FAMILIES[_family].metrics)
    CONVENTIONS.defer(_settings, FAMILIES[_family].conventions)
