"""RecPack: its metric classes, of matrices that were made of rows, and so store scores of 0."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    if not rc.preset("recpack").offers(at(name, r["k"])):
        return None
    spec = at(with_settings(name, "exclude=none"), r["k"])
    return Identity("recpack", spec, catalogue="max-id")
