"""rexmex: functions of paired lists."""

from tests.oracles.identities.base import Identity, Result, at, with_answers


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    answers, everyone = ["users=intersection", "on-no-relevant=skip"], False
    if "users with labels and a ranking" not in r["call"]:
        answers, everyone = [], True
    if r["metric"] == "mean_reciprocal_rank_retrieved":
        answers = ["rr-hits=hits", "on-unretrieved-relevant=as-computed", "on-no-hits=skip"]
    k = r["k"] or (None if name == "mean_reciprocal_rank" else 1000)  # no cutoff is a k beyond every list
    return Identity("rexmex", at(with_answers(name, *answers), k), everyone=everyone)
