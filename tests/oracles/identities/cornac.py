"""Cornac: ranking_eval."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] == "mrr_users_with_hits":
        return Identity("cornac", "mrr(on-no-hits=skip)")
    spec = at(r["metric"], r["k"])
    return Identity("cornac", spec, catalogue="max-id") if rc.preset("cornac").offers(spec) else None
