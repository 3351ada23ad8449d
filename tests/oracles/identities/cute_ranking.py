"""cute-ranking: functions of a list of grades."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    name = r["call"].partition("(")[0]
    if not rc.preset("cute_ranking").offers(at(name, r["k"])):
        return None
    discount = "discount=log(base=2)" if "method=1" in r["call"] else ""
    return Identity("cute_ranking", at(with_settings(name, discount), r["k"]), everyone=True)
