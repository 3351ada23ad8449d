"""rs-metrics: dictionaries and frames."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    if name == "ndcg" and r["k"] is None:
        return None  # not offered; asking for it is refused
    if "frames" in r["call"]:
        return Identity("rs_metrics-frames", at(name, r["k"]))
    return Identity("rs_metrics", at(name, r["k"]), everyone=True)
