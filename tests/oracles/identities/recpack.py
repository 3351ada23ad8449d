"""RecPack: its metric classes."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    spec = at(r["call"].partition("(")[0], r["k"])
    return Identity("recpack", spec, catalogue="max-id") if rc.preset("recpack").offers(spec) else None
