"""Written by `python -m tests.generate`."""

from typing import Any

from rankconv.addons.spark.evaluation import evaluate as evaluate

__all__ = ['evaluate']
