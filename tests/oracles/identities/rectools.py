"""RecTools: its metric classes."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, with_settings

OPTIONS = {
    "divide_by_k=True": "ap-denominator=k",
    "divide_by_achievable=True": "ideal=all-labels",
    "log_base=3": "discount=log(base=3)",
}


def identity(r: Result) -> Identity | None:
    name = "capped_precision" if "r_precision=True" in r["call"] else r["call"].partition("(")[0]
    if not rc.preset("rectools").offers(at(name, r["k"])):
        return None
    settings = [setting for setting_type, setting in OPTIONS.items() if setting_type in r["call"]]
    return Identity("rectools", at(with_settings(name, *settings), r["k"]), catalogue="distinct")
