"""allRank: functions of slates, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import COMMON, Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    preset = given(r, "allrank")
    name = COMMON.get(r["metric"], r["metric"])
    if "one slate" in r["call"]:  # each user a batch of his own
        return Identity(preset, at("mrr(on-empty-ranking=refuse-user)", r["k"]), everyone=True, alone=True, mean=False)
    settings = ["gain=linear"] if "identity" in r["call"] else []
    if "filler_value=0.0" in r["call"]:
        settings += ["on-empty-ranking=0", "on-nonzero-over-zero=0", "on-zero-division=0"]
    return Identity(preset, at(with_settings(name, *settings), r["k"]), everyone=True)
