"""Open Graph Benchmark: Hits@1, of each user or of the rows of all; recorded to nine digits."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity | None:
    if r["metric"] != "hits" or r["k"] != 1:
        return None
    pooled = r["input"] == "torch_pooled"
    return Identity("ogb+unretrieved", "hits_at_1_pooled" if pooled else "hits_at_1", everyone=True, float32=True)
