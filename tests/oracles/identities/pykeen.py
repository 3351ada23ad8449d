"""PyKEEN: statistics of the ranks of test triples, for each rank of tied ones, raw, filtered, or with weights."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

PRESETS = {"raw": "pykeen-raw", "filtered": "pykeen", "macro": "pykeen-macro"}
TIES = {"optimistic": "ties=rank(min)", "realistic": "", "pessimistic": "ties=rank(max)"}


def identity(r: Result) -> Identity | None:
    if r["input"] != "raw" and repeats_a_relevant_item(r):
        return None  # all rows of the other relevant items were taken out, here the first of each
    preset = f"{PRESETS[r['input']]}+unretrieved"
    if r["metric"] == "all":  # refused as one
        return Identity(preset, "median_rank")
    rank, name = r["metric"].split(".")
    k = 10 if r["k"] is None and name.endswith("_at_k") else r["k"]
    return Identity(preset, at(with_settings(name, TIES[rank]), k), everyone=True, float32=rank == "realistic")


def repeats_a_relevant_item(r: Result) -> bool:
    """Whether a list of the case has a relevant item more than once."""
    from tests.oracles.harness import cases  # which imports this module

    users = [(user["ranking"], user["labels"]) for user in cases()[r["case"]]]
    return any(ranking.count(item) > 1 for ranking, labels in users for item, grade in labels.items() if grade > 0)
