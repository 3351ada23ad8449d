"""WarpRec, debiased metrics: propensities that the caller gave, or of the popularity of items in training."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

POPULARITY = "_popularity"


def identity(r: Result) -> Identity:
    model = "item-weight=popularity" if r["metric"].endswith(POPULARITY) else ""
    spec = with_settings(r["metric"].removesuffix(POPULARITY), model)
    return Identity("warprec", at(spec, r["k"]), everyone=True, side=("train",) if model else ("propensities",))
