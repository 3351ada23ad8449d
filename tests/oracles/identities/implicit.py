"""implicit: ranking_metrics_at_k."""

import re

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] not in rc.preset("implicit").metrics:
        return None
    told = re.search(r"catalogue of (\d+) items", r.get("note") or "")
    return Identity("implicit", at(r["metric"], r["k"]), alone=True, catalogue=told[1] if told else "")
