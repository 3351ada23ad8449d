"""scikit-learn: functions of aligned arrays, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import COMMON, Identity, Result, at


def identity(r: Result) -> Identity | None:
    preset = "sklearn-union" if r["input"] == "union" else "sklearn"
    if r["metric"] not in ("ndcg", "dcg", "average_precision", "lrap"):
        return None
    name = COMMON.get(r["metric"], r["metric"])
    answers = [
        "ties=undefined" if "ignore_ties=True" in r["call"] else "",
        "discount=log(base=e)" if "log_base=e" in r["call"] else "",
        "gain=exponential" if "2**y-1" in r["call"] else "",
    ]
    told = ", ".join(filter(None, answers))
    return Identity(preset, at(f"{name}({told})" if told else name, r["k"]), everyone=True)
