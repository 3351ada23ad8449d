"""Azure AI Evaluation: one query at a time, with the highest label that the caller states."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    highest = re.search(r"label_max=(\d+)", r["call"])
    assert highest is not None, r["call"]
    spec = with_settings(r["metric"], f"grades-allowed=integer({highest[1]})")
    return Identity("azure_ai_evaluation", at(spec, r["k"]), everyone=True, mean=r["mean"] is not None)
