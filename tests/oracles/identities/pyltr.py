"""pyltr: metrics of query groups, on the items returned or with the missed ones appended."""

import re

from tests.oracles.identities.base import Identity, Result, at, given, with_settings

WHOLE = 10**6
"""A cutoff beyond all lists: without one it is 10."""


def identity(r: Result) -> Identity:
    highest = re.search(r"ERR\(([\d.]+)", r["call"])
    gain = f"gain=exponential-over({highest[1]})" if highest else ""
    name = r["metric"].removesuffix("_nocut")
    k = WHOLE if name != r["metric"] else r["k"]
    return Identity(given(r, "pyltr"), at(with_settings(name, gain), k), everyone=True)
