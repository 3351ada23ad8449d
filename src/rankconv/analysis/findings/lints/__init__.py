"""All lints; importing the package defines them."""

from rankconv.analysis.findings.lint import LINTS, Lint
from rankconv.analysis.findings.lints import ideals, ids, labels, lists, order, scores, ties, training, users, values

__all__ = ["LINTS", "Lint"]
