"""FairRankTune: the classes of its metrics of exposure, over all lists of a case."""

from tests.oracles.identities.base import Identity, Result

SPREADS = {
    "MinMaxRatio": "min-max-ratio",
    "MaxMinRatio": "max-min-ratio",
    "MaxMinDiff": "max-min-difference",
    "MaxAbsDiff": "max-from-mean",
    "MeanAbsDev": "mean-from-mean",
    "LTwo": "length",
    "Variance": "variance",
}


def identity(r: Result) -> Identity | None:
    name, _, rest = r["metric"].partition("_")
    spread = rest.rpartition("_")[2]
    return Identity("fairranktune", f"{name}(group-spread={SPREADS[spread]})") if spread in SPREADS else None
