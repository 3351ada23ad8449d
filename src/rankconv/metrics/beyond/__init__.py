"""Metrics beyond accuracy: how popular, new, varied and surprising lists are, and how much of a catalogue they show.

What they read besides lists comes from the caller: what a model learned from, what is known of items, the catalogue.
"""

# isort: off
from rankconv.metrics.beyond import popularity
from rankconv.metrics.beyond import novelty
from rankconv.metrics.beyond import new_to_user
from rankconv.metrics.beyond import diversity
from rankconv.metrics.beyond import categories
from rankconv.metrics.beyond import serendipity
from rankconv.metrics.beyond import coverage
from rankconv.metrics.beyond import gini
from rankconv.metrics.beyond import entropy
from rankconv.metrics.beyond import personalisation
