"""All lints, in the order in which findings are listed."""

from rankconv.analysis.findings import label_lints, list_lints, value_lints  # noqa: F401  (importing defines them)
from rankconv.analysis.findings.lint import LINTS, Lint

__all__ = ["LINTS", "Lint"]
