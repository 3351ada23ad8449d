"""Open Graph Benchmark: Hits@K, of each user or of the rows of all, and MRR; recorded to nine digits."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["input"] == "numpy":
        return Identity("ogb+unretrieved", f"{r['metric']}_numpy", offered=False)  # this branch always fails
    name = "hits_pooled" if r["input"] == "torch_pooled" else r["metric"]
    return Identity("ogb+unretrieved", at(name, r["k"]), everyone=True, scored_only=r["metric"] != "hits", float32=True)
