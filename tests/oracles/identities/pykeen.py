"""PyKEEN: statistics of the ranks of test triples, for each rank of tied ones, raw, filtered, or with weights."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

PRESETS = {"raw": "pykeen-raw", "filtered": "pykeen", "macro": "pykeen-macro"}
TIES = {"optimistic": "ties=rank(min)", "realistic": "", "pessimistic": "ties=rank(max)"}


def identity(r: Result) -> Identity | None:
    preset = f"{PRESETS[r['input']]}+unretrieved"
    if r["metric"] == "all":  # refused as one
        return Identity(preset, "median_rank")
    rank, name = r["metric"].split(".")
    k = 10 if r["k"] is None and name.endswith("_at_k") else r["k"]
    return Identity(preset, at(with_settings(name, TIES[rank]), k), everyone=True, float32=rank == "realistic")
