"""Anything a user has, read into `Labels` and `Rankings`."""

from rankconv.inputs.reading import labels, rankings, runs

__all__ = ["labels", "rankings", "runs"]
