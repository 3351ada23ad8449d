"""LensKit: classes of lenskit.metrics.ranking, on the relevant test items or on all."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity | None:
    preset = "lenskit-all-rows" if "_all_rows" in r["metric"] else "lenskit"
    name = "rbp_normalized" if "normalize=True" in r["call"] else r["call"].partition("(")[0]
    nonempty = r["metric"].endswith("_nonempty_users")
    settings = (
        "gain=linear" if "gain='rating'" in r["call"] else "",
        "discount=log(base=2)" if "LogRankWeight(offset=1)" in r["call"] else "",
        "rbp-persistence=0.5" if "patience=0.5" in r["call"] else "",
        "users=intersection, on-no-relevant=skip" if nonempty else "",
    )
    if not rc.preset(preset).offers(at(name, r["k"])):
        return None
    return Identity(preset, at(with_settings(name, *settings), r["k"]), everyone=not nonempty)
