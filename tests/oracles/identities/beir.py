"""BEIR: EvaluateRetrieval.evaluate and evaluate_custom; a query alone is again a call, and rounded."""

from tests.oracles.identities.base import COMMON, Identity, Result, at


def identity(r: Result) -> Identity:
    name = {"recall_capped": "recall_cap", **COMMON}.get(r["metric"], r["metric"])
    if name == "hole" and "removed by the caller" in r["note"]:  # before it looks who has judged what
        return Identity("beir", at(name, r["k"]), alone=True, kept="both")
    if "removed by the caller" in r["note"]:  # queries without judgments or results
        return Identity("beir", at(f"{name}(users=intersection)", r["k"]), alone=True)
    return Identity("beir", at(name, r["k"]), everyone=True, alone=True)
