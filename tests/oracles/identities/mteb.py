"""MTEB: calculate_retrieval_scores, and the functions that give a list over the queries."""

from tests.oracles.identities.base import COMMON, Identity, Result, at


def identity(r: Result) -> Identity:
    name = {"recall_capped": "recall_cap", **COMMON}.get(r["metric"], r["metric"])
    if name == "hole" and "removed by the caller" in r["note"]:  # before it looks who has judged what
        return Identity("mteb", at(name, r["k"]), kept="both")
    if r["call"].startswith("top_k_accuracy"):
        name = "top_k_accuracy"
    if "removed by the caller" in r["note"]:  # queries without judgments or results
        return Identity("mteb", at(f"{name}(users=intersection)", r["k"]))
    # the function mrr gives single queries also where the scores of all cannot be made
    alone = at("mrr(on-no-labels=as-computed, grades-allowed=any)", r["k"]) if name == "mrr" else ""
    return Identity("mteb", at(name, r["k"]), everyone=True, per_user_spec=alone)
