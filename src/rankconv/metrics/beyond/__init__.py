"""Metrics beyond accuracy: how popular, new, varied and surprising lists are, and how much of a catalogue they show.

What they read besides lists comes from the caller: what a model learned from, what is known of items, the catalogue.
"""

# isort: off
from rankconv.metrics.beyond import novelty
from rankconv.metrics.beyond import diversity
from rankconv.metrics.beyond import distribution
from rankconv.metrics.beyond import of_one_system
