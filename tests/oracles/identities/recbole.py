"""RecBole: its metric classes on a matrix of hits, and its AUCs on scores."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] in ("auc", "gauc"):
        return Identity("recbole", r["metric"], float32=True) if r["metric"] in rc.preset("recbole").metrics else None
    spec = at(r["call"].partition(",")[0], r["k"])
    if r["metric"].endswith("_all_rows"):
        return Identity("recbole-all-rows", spec, everyone=True)
    return Identity("recbole-rounded" if r["metric"].endswith("_rounded") else "recbole", spec)
