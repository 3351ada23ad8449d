"""Ranking metrics whose definitions are data."""

from rankconv.choice import QUESTIONS, Choice
from rankconv.compare import compare
from rankconv.comparison import Comparison
from rankconv.definition import Definition
from rankconv.errors import ConventionError, InputError, MetricError, RankingError
from rankconv.evaluate import evaluate, join
from rankconv.inputs import labels, rankings, runs
from rankconv.metrics import METRICS, Metric, Parts, Ratio
from rankconv.plugins import load_plugin
from rankconv.presets import Preset, preset, preset_names
from rankconv.ranking.block import Block
from rankconv.ranking.data import Labels, Rankings, Runs
from rankconv.results import Result

choices = QUESTIONS
"""Every question by name, with its answers: `rc.choices["gain"]`."""

__all__ = [
    "METRICS",
    "Block",
    "Choice",
    "Comparison",
    "ConventionError",
    "Definition",
    "InputError",
    "Labels",
    "Metric",
    "MetricError",
    "Parts",
    "Preset",
    "RankingError",
    "Rankings",
    "Ratio",
    "Result",
    "Runs",
    "choices",
    "compare",
    "evaluate",
    "join",
    "labels",
    "load_plugin",
    "preset",
    "preset_names",
    "rankings",
    "runs",
]
