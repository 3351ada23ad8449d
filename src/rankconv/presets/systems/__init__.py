"""Policies, steps and settings that one system needs, and that no paper, textbook or option of trec_eval names.

Importing registers them. May import preparation, metrics and aggregation, to which each of them belongs.
"""

from rankconv.presets.systems import metrics, policies
