"""All lints; importing the package defines them."""

from rankconv.checking.lint import LINTS, Lint
from rankconv.checking.lints import ideals, ids, labels, lists, order, scores, ties, training, users, values

__all__ = ["LINTS", "Lint"]
