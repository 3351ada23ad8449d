"""PaSa: a tree with one search for each call, and the scores of its selector."""

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity | None:
    name = r["metric"]
    if name == "score":
        return None  # of the nodes of the tree: what a selector took, less a cost of each search
    spec = f"recall_at@{name.removeprefix('recall_')}" if name.startswith("recall_") else name
    return Identity("pasa", spec, everyone=True, kept="selected")
