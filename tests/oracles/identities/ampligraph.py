"""AmpliGraph: means of the ranks of test triples, raw, filtered, or of the first true entity of each user."""

from tests.oracles.identities.base import Identity, Result, at

PRESETS = {"raw": "ampligraph", "filtered": "ampligraph-filtered", "first": "ampligraph-first"}


def identity(r: Result) -> Identity | None:
    return Identity(f"{PRESETS[r['input']]}+unretrieved", at(r["metric"], r["k"]), everyone=True)
