"""Ranking metrics whose definitions are data."""

from rankconv.choice import QUESTIONS as choices
from rankconv.choice import Choice
from rankconv.compare import Comparison, compare
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
