"""Anything a user has, read into `Labels` and `Run`: one reader for each kind of input.

May import data and errors; reads what is there, and decides nothing about it.
"""

from rankconv.data.inputs.reading import interactions, labels, rankings
from rankconv.data.inputs.several_runs import runs
from rankconv.data.labels_and_rankings import Labels, Run, Runs

__all__ = ["Labels", "Run", "Runs", "interactions", "labels", "rankings", "runs"]
