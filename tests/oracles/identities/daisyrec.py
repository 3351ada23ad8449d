"""daisyRec: functions of the sets of relevant items and a matrix of lists."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    return Identity("daisyrec", at(r["metric"], r["k"]))
