"""NGCF: the list down to the longest cutoff of the run, here 20 unless two are named."""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    if r["metric"] == "average_precision":
        return None  # it is an error, and never called
    rows = 40 if r["metric"] == "ndcg_ks_20_40" else 20
    name = with_settings("ndcg", f"ideal=retrieved-at({rows})") if r["metric"].startswith("ndcg") else r["metric"]
    return Identity("ngcf", at(name, r["k"]), everyone=True)
