"""scikit-learn: functions of aligned arrays, on the items returned or with the missed ones appended."""

import rankconv as rc
from tests.oracles.identities.base import COMMON, Identity, Result, at, with_answers


def identity(r: Result) -> Identity | None:
    preset = "sklearn-union" if r["input"] == "union" else "sklearn"
    name = COMMON.get(r["metric"], r["metric"])
    if name not in rc.preset(preset).metrics:
        return None
    if name == "hit_rate":  # a class per list: one relevant row
        return None if r["input"] == "union" else Identity(preset, at(name, r["k"]), kept="one-relevant-row")
    spec = with_answers(
        name,
        "ties=undefined" if "ignore_ties=True" in r["call"] else "",
        "discount=log(base=e)" if "log_base=e" in r["call"] else "",
        "gain=exponential" if "2**y-1" in r["call"] else "",
    )
    return Identity(preset, at(spec, r["k"]), everyone=True)
