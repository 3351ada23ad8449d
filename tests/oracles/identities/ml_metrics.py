"""ml_metrics: the release and the repository."""

import re

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result, preset: str = "ml_metrics") -> Identity | None:
    if not r["metric"].startswith("auc"):
        return Identity(preset, at(r["metric"], r["k"] or 1000), everyone=True)  # no cutoff is a k beyond every list
    if r["metric"] not in rc.preset(preset).metrics:
        return None
    one = re.search(r"user (\w+) alone", r["call"])
    return Identity(preset, r["metric"], everyone=True, kept=one[1] if one else "")
