"""TruLens: ground truth agreement, with and without scores of the retrieved chunks."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    judged = "-judged" if r["input"] == "judged" else ""
    scores = "-scores" if "relevance_scores" in r["call"] else ""
    return Identity(f"trulens{judged}{scores}", at(r["metric"], r["k"]), everyone=True)
