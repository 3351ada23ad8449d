"""rexmex: functions of paired lists."""

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    settings, everyone = ["users=intersection", "on-no-relevant=skip"], False
    if "users with labels and a ranking" not in r["call"]:
        settings, everyone = [], True
    if r["metric"] == "mean_reciprocal_rank_retrieved":
        settings = ["rr-hits=hits", "on-unretrieved-relevant=as-computed", "on-no-hits=skip"]
    k = r["k"] or (None if name == "mean_reciprocal_rank" else 1000)  # no cutoff is a k beyond every list
    return Identity("rexmex", at(with_settings(name, *settings), k), everyone=everyone)
