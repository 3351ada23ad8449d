"""AmpliGraph: means of the ranks of test triples, raw, filtered, or of the first true entity of each user."""

from tests.oracles.identities.base import Identity, Result, at

PRESETS = {"raw": "ampligraph", "filtered": "ampligraph-filtered", "first": "ampligraph-first"}


def identity(r: Result) -> Identity | None:
    if r["input"] == "filtered" and repeats_a_relevant_item(r):
        return None  # all rows of the other relevant items were taken out, here the first of each
    return Identity(f"{PRESETS[r['input']]}+unretrieved", at(r["metric"], r["k"]), everyone=True)


def repeats_a_relevant_item(r: Result) -> bool:
    """Whether a list of the case has a relevant item more than once."""
    from tests.oracles.harness import cases  # which imports this module

    users = [(user["ranking"], user["labels"]) for user in cases()[r["case"]]]
    return any(ranking.count(item) > 1 for ranking, labels in users for item, grade in labels.items() if grade > 0)
