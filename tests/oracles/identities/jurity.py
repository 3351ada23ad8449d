"""Jurity, click-through rates: clicks and other logged items as labels, propensities that the caller gave."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    if r["metric"] == "dr":  # doubly robust: of predicted clicks
        return None
    side = ("propensities",) if r["metric"] == "ips" else ()
    return Identity("jurity", at(r["metric"], r["k"]), everyone=True, kept="logged", side=side)
