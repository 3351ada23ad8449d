"""fastrank: the items returned, with the missed ones appended, or with the judgments of the collection beside them."""

from tests.oracles.identities.base import Identity, Result, at, given


def identity(r: Result) -> Identity:
    preset = "fastrank-qrel" if r["input"] == "retrieved+qrel" else given(r, "fastrank")
    return Identity(preset, at(r["metric"], r["k"]), everyone=True)
