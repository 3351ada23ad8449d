"""trectools: topics that count 0 in a mean have no row, or NaN, in the table of topics.

The qrels of these results are data frames, of which no row is left out; of a file negative judgments are.
"""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    name = "rbp" if r["metric"].startswith("rbp") else r["metric"]
    plain = "trec_eval=False" in r["call"]
    ties = "ties=item-ascending" if plain and name not in ("ndcg", "rbp") else ""
    gain = "gain=of-relevant(exponential)" if plain and name == "ndcg" else ""
    k = 1000 if r["k"] is None else r["k"]
    return Identity("trectools", at(with_settings(name, ties, gain, "negative=grade"), k), everyone=True)
