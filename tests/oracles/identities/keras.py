"""Keras: areas between 200 or 11 thresholds, by each of the three sums."""

from tests.oracles.identities.base import Identity, Result, with_settings


def identity(r: Result) -> Identity:
    thresholds = "score-transform=even-thresholds(11)" if "num_thresholds=11" in r["call"] else ""
    return Identity("keras", with_settings(r["metric"].removesuffix("_interpolation"), thresholds), everyone=True)
