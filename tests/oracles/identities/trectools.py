"""trectools: topics that count 0 in a mean have no row, or NaN, in the table of topics."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

NOT_SHOWN = {
    "recall": "on-no-relevant",
    "map": "on-no-relevant",
    "bpref": "on-no-hits",
    "ndcg": "on-zero-value",
    "ndcg_judged": "on-zero-value",
    "recip_rank": "on-zero-value",
    "rbp": "on-zero-value",
    "rprec": "on-zero-value",
    "precision_judged": "on-empty-ranking",
}
"""The policy of the topics that are not in the table."""


def identity(r: Result) -> Identity:
    name = "rbp" if r["metric"].startswith("rbp") else r["metric"]
    plain = "trec_eval=False" in r["call"]
    ties = "ties=item-ascending" if plain and name not in ("ndcg", "rbp") else ""
    gain = "gain=of-relevant(exponential)" if plain and name == "ndcg" else ""
    k = 1000 if r["k"] is None else r["k"]
    shown = ""
    if name in NOT_SHOWN:
        some = "on-no-hits-at-all=as-computed" if name == "rbp" else ""
        shown = at(with_settings(name, ties, gain, f"{NOT_SHOWN[name]}=skip", some), k)
    return Identity("trectools", at(with_settings(name, ties, gain), k), everyone=True, per_user_spec=shown)
