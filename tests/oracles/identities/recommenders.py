"""Microsoft Recommenders: python_evaluation."""

import re

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    if r["metric"] == "auc":
        return Identity("recommenders", "auc") if "auc" in rc.preset("recommenders").metrics else None
    rows = "" if "all judged" in r["call"] or r["metric"].endswith("_all_rows") else "-relevant-rows"
    name = r["call"].partition("(")[0]
    none = "relevancy_none" in r["metric"] or "relevancy_method=None" in r["call"]
    cutoff = re.search(r"k=(\d+)", r["call"])
    k = int(cutoff[1]) if cutoff else r["k"]
    if r["metric"].startswith("ndcg_at_k_relevancy_none"):
        name = "ndcg"
    if name == "ndcg_at_k" and not none:
        return Identity(f"recommenders{rows}", at(_ndcg(r["call"]), k))
    return Identity(f"recommenders{'-relevancy-none' if none else ''}{rows}", at(name, k))


def _ndcg(call: str) -> str:
    gain = {"binary": "", "raw": "gain=linear", "exp": "gain=exponential"}[re.search(r"score_type='(\w+)'", call)[1]]  # type: ignore[index]
    base = "discount=log(base=2)" if "discfun_type='log2'" in call else ""
    return with_settings("ndcg", gain, base)
