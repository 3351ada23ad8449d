"""Anything a user has, read into `Labels` and `Run`: one reader for each kind of input.

May import data and errors; reads what is there, and decides nothing about it.
"""

from rankconv.inputs.reading import interactions, labels, rankings, runs

__all__ = ["interactions", "labels", "rankings", "runs"]
