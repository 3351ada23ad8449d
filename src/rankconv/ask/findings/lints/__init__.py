"""All lints; importing the package defines them."""

from rankconv.ask.findings.lint import LINTS, Lint
from rankconv.ask.findings.lints import ideals, ids, labels, lists, order, scores, ties, training, users, values

__all__ = ["LINTS", "Lint"]
