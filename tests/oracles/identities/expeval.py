"""fair-trec-tools: expeval.py, whose values are printed with 6 decimals; without samples, bounds and -C."""

from tests.oracles.identities.base import Identity, Result, with_settings


def identity(r: Result) -> Identity | None:
    name, *words = r["metric"].split("_")
    if {"normalized", "complete"} & {*words}:
        return None
    rbp, groups = "rbp" in words, "groups" in words
    exposure = "exposure=geometric(0.8)" if rbp else ""
    bound = "on-no-ranking=2.7777777777777777" if rbp and name == "disparity" and not groups else ""
    grades = "grades=binary" if "binary" in words else ""
    spec = with_settings(("group_" if groups else "") + name, exposure, bound, grades)
    return Identity("expeval", spec, float32=True)
