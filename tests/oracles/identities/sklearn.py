"""scikit-learn: functions of aligned arrays, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import COMMON, Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity:
    preset = given(r, "sklearn")
    name = COMMON.get(r["metric"], r["metric"])
    if name == "hit_rate":  # a class per list: one relevant row
        kept = "one-relevant-candidate" if r["input"] == "union" else "one-relevant-row"
        return Identity(preset, at(name, r["k"]), kept=kept)
    spec = with_settings(
        name,
        "ties=undefined" if "ignore_ties=True" in r["call"] else "",
        "discount=log(base=e)" if "log_base=e" in r["call"] else "",
        "gain=exponential" if "2**y-1" in r["call"] else "",
        "roc-range=false-positive-rate(0, 0.25)" if "max_fpr" in r["call"] else "",
    )
    return Identity(preset, at(spec, r["k"]), everyone=True)
