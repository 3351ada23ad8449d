"""allRank: functions of slates, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import COMMON, Identity, Result, at, with_answers


def identity(r: Result) -> Identity | None:
    preset = "allrank-union" if r["input"] == "union" else "allrank"
    name = COMMON.get(r["metric"], r["metric"])
    if "one slate" in r["call"]:  # each user a batch of his own
        return Identity(preset, at("mrr(no-rows=error)", r["k"]), everyone=True, alone=True, mean=False)
    answers = ["gain=grade"] if "identity" in r["call"] else []
    if "filler_value=0.0" in r["call"]:
        answers += ["no-rows=0", "zero-denominator=0", "undefined=0"]
    return Identity(preset, at(with_answers(name, *answers), r["k"]), everyone=True)
