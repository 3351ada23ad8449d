"""XGBoost: metrics of a booster without trees, on the items returned or with the missed ones appended."""

import rankconv as rc
from tests.oracles.identities.base import COMMON, Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    name = COMMON.get(r["metric"], r["metric"])
    minus = "-minus" if "-'" in r["call"] else ""
    preset = given(r, f"xgboost{minus}")
    if name not in rc.preset(preset).metrics:
        return None
    settings = ["grades=binary"] if "binarised" in r["call"] else []
    if "ndcg_exp_gain=False" in r["call"]:
        settings += ["gain=linear", "negative=grade", "grades-allowed=any"]
    return Identity(preset, at(with_settings(name, *settings), r["k"]), everyone=True, alone=True)
