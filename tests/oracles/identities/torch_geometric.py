"""PyTorch Geometric: link prediction metrics, of edges or of edges with weights."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("torch_geometric", at(r["metric"], r["k"]), everyone=True)
