"""precrec: areas of the curves of evalmod, with lines between points at each 1/1000 of recall."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity:
    return Identity("precrec", r["metric"], everyone=True, float32=r["metric"] == "pr_auc")
