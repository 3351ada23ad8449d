"""rs-metrics: dictionaries and frames."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    name = r["call"].partition("(")[0]
    offered = name != "ndcg" or r["k"] is not None
    if "frames" in r["call"]:
        return Identity("rs_metrics-frames", at(name, r["k"]), offered=offered)
    return Identity("rs_metrics", at(name, r["k"]), everyone=True, offered=offered)
