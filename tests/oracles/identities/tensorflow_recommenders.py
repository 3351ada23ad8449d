"""TensorFlow Recommenders: FactorizedTopK over all items of the case, with and without ids of true candidates."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    spec = at("recall_ids" if r["input"] == "ids" else "recall", r["k"])
    return Identity("tensorflow_recommenders+unretrieved", spec, catalogue="distinct", float32=True)
