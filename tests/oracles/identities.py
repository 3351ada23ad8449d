"""Which preset and spec give a result of a real system: one function per system.

A result is identified by its metric, call, input and note together. The functions answer None for a metric that the
package does not have yet.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Result = dict[str, Any]


@dataclass(frozen=True)
class Identity:
    """How the package is asked for a result of a system."""

    preset: str
    spec: str
    everyone: bool = False
    """The system sees every user of the case, also one without labels and list."""
    alone: bool = False
    """Its per-user values come from evaluating each user by himself."""
    per_user_spec: str = ""
    """The spec of the per-user values, where it differs."""
    mean: bool = True
    """Whether it gives a mean at all."""


COMMON = {"average_precision": "map", "reciprocal_rank": "mrr"}


def at(name: str, k: int | None) -> str:
    """A spec with its cutoff."""
    return name if k is None else f"{name}@{k}"


def mllib(r: Result) -> Identity | None:
    name = COMMON.get(r["metric"], r["metric"])
    if r["call"].startswith("Java"):
        given = "as given" in r["call"]
        return Identity("mllib-graded", at("ndcg" if given else "ndcg(ideal=labels)", r["k"]), everyone=True)
    if r["call"].startswith("Python"):  # takes the grades and drops them
        return Identity("mllib", at("ndcg(known=labels, relevant=any-label)", r["k"]), everyone=True)
    if r["call"].startswith("RankingMetrics"):  # pyspark cannot infer a type when no user has a label
        spec = at(f"{name}(no-labels-at-all=error)", r["k"])
        return Identity("mllib", spec, everyone=True, per_user_spec=at(name, r["k"]))
    return Identity("mllib", at(name, r["k"]), everyone=True)


def mllib_2016(r: Result) -> Identity | None:
    if r["metric"] == "average_precision":
        return Identity("mllib-2016", "map", everyone=True)
    return Identity("mllib-2016", at(r["metric"], r["k"]), everyone=True)


def implicit(r: Result) -> Identity | None:
    if r["metric"] == "auc":
        return None
    return Identity("implicit", at(r["metric"], r["k"]), alone=True)


def rs_metrics(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    if name == "ndcg" and r["k"] is None:
        return None  # not offered; asking for it is refused
    if "frames" in r["call"]:
        return Identity("rs_metrics-frames", at(name, r["k"]))
    return Identity("rs_metrics", at(name, r["k"]), everyone=True)


def recommenders(r: Result) -> Identity | None:
    if r["metric"] == "auc":
        return None
    rows = "-all-rows" if "all judged" in r["call"] or r["metric"].endswith("_all_rows") else ""
    name = r["call"].partition("(")[0]
    none = "relevancy_none" in r["metric"] or "relevancy_method=None" in r["call"]
    cutoff = re.search(r"k=(\d+)", r["call"])
    k = int(cutoff[1]) if cutoff else r["k"]
    if r["metric"].startswith("ndcg_at_k_relevancy_none"):
        name = "ndcg"
    if name == "ndcg_at_k" and not none:
        return Identity(f"recommenders{rows}", at(_recommenders_ndcg(r["call"]), k))
    return Identity(f"recommenders{'-relevancy-none' if none else ''}{rows}", at(name, k))


def _recommenders_ndcg(call: str) -> str:
    gain = {"binary": "", "raw": "gain=grade", "exp": "gain=exponential"}[re.search(r"score_type='(\w+)'", call)[1]]  # type: ignore[index]
    base = "discount=log(base=2)" if "discfun_type='log2'" in call else ""
    answers = ", ".join(filter(None, [gain, base]))
    return f"ndcg({answers})" if answers else "ndcg"


def sklearn(r: Result) -> Identity | None:
    preset = "sklearn-union" if r["input"] == "union" else "sklearn"
    if r["metric"] not in ("ndcg", "dcg", "average_precision", "lrap"):
        return None
    name = COMMON.get(r["metric"], r["metric"])
    answers = [
        "ties=undefined" if "ignore_ties=True" in r["call"] else "",
        "discount=log(base=e)" if "log_base=e" in r["call"] else "",
        "gain=exponential" if "2**y-1" in r["call"] else "",
    ]
    told = ", ".join(filter(None, answers))
    return Identity(preset, at(f"{name}({told})" if told else name, r["k"]), everyone=True)


def trec_eval(r: Result) -> Identity | None:
    name = re.search(r"-m (\S+)$", r["call"])[1]  # type: ignore[index]
    if r["metric"] == "any":
        return Identity("trec_eval", "map")
    family, _, cutoff = name.partition(".")
    if family not in TREC_EVAL_HAS:
        return None
    preset = "trec_eval-c" if " -c " in r["call"] else "trec_eval"
    depth, level = re.search(r"-M (\d+)", r["call"]), re.search(r"-l (\d+)", r["call"])
    answers = [
        "unjudged=removed-after-depth" if " -J " in r["call"] else "",
        f"depth={depth[1]}" if depth else "",
        f"relevant=at-least({level[1]})" if level else "",
    ]
    told = ", ".join(filter(None, answers))
    spec = f"{family}({told})" if told else family
    return Identity(preset, f"{spec}@{cutoff}" if cutoff else spec)


TREC_EVAL_HAS = set(
    "P recall set_recall set_F map map_cut recip_rank ndcg ndcg_cut success Rprec dcg ideal_dcg set_P relative_P "
    "set_relative_P gm_map".split()
)


def torchmetrics(r: Result) -> Identity | None:
    if r["metric"] in ("fall_out", "auc"):
        return None
    union = "-union" if r["input"] == "union" else ""
    action = re.search(r"empty_target_action='(\w+)'", r["call"])
    form = "-functional" if r["call"].startswith("retrieval_") else f"-{action[1]}" if action else ""
    name = "precision_adaptive" if "adaptive_k=True" in r["call"] else COMMON.get(r["metric"], r["metric"])
    mean = re.search(r"aggregation='(\w+)'", r["call"])
    means = {"median": "mean=median(lower)", "min": "mean=minimum", "max": "mean=maximum"}
    answers = ["grades=binary" if "binarised" in r["call"] else "", means[mean[1]] if mean else ""]
    told = ", ".join(filter(None, answers))
    preset = f"torchmetrics{union}{'' if form == '-neg' else form}"
    return Identity(preset, at(f"{name}({told})" if told else name, r["k"]), everyone=True, mean=form != "-functional")


IDENTITIES: dict[str, Callable[[Result], Identity | None]] = {
    "implicit": implicit,
    "mllib": mllib,
    "mllib_2016": mllib_2016,
    "recommenders": recommenders,
    "rs_metrics": rs_metrics,
    "sklearn": sklearn,
    "torchmetrics": torchmetrics,
    "trec_eval": trec_eval,
}
