"""How far two items are from each other, by what is known of them or by who had them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers
from rankconv.data.joined import Joined
from rankconv.data.train import Known
from rankconv.specs.convention import Convention, Setting

PAIR_DISTANCE = Convention(
    "pair-distance",
    "Distance of two items",
    reads=("joined", "ours", "others"),
    tells="items of which different things are known",
)
"""A setting gives the distance of pairs of items, as codes; all have shape (pairs,). NaN where it is unknown."""
OF_FEATURES = ("features",)


def _vectors(joined: Joined, ours: Codes, others: Codes) -> tuple[Numbers, Numbers]:
    known = joined.once(Known).vectors
    return known[ours], known[others]


@PAIR_DISTANCE.setting(
    "cosine",
    rule="1 - cosine of the features",
    needs=OF_FEATURES,
    spans_users=False,
    says="the distance of two items is 1 minus the cosine of their features",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """1 where a vector is all zeros."""
    one, other = _vectors(joined, ours, others)
    norms = np.sqrt((one * one).sum(axis=1)) * np.sqrt((other * other).sum(axis=1))
    return np.asarray(1 - np.where(norms == 0, 0.0, (one * other).sum(axis=1) / np.where(norms == 0, 1.0, norms)))


@PAIR_DISTANCE.setting(
    "jaccard",
    rule="1 - shared / all categories",
    needs=OF_FEATURES,
    spans_users=False,
    says="the distance of two items is 1 minus the share of their features that both have",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """Features other than 0 are had; 0 where neither has one."""
    one, other = _vectors(joined, ours, others)
    either = ((one != 0) | (other != 0)).sum(axis=1)
    both = ((one != 0) & (other != 0)).sum(axis=1)
    found = 1 - np.where(either == 0, 1.0, both / np.maximum(either, 1))
    return np.where(np.isnan(one).any(axis=1) | np.isnan(other).any(axis=1), np.nan, found)


def _different(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    one, other = _vectors(joined, ours, others)
    unknown = np.isnan(one).any(axis=1) | np.isnan(other).any(axis=1)
    return np.where(unknown, np.nan, (one != other).sum(axis=1).astype(np.float64))


@PAIR_DISTANCE.setting(
    "hamming",
    rule="features that differ",
    needs=OF_FEATURES,
    spans_users=False,
    cite="rectools",
    says="the distance of two items is the number of features in which they differ",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """A number from 0 to that of the features."""
    return _different(joined, ours, others)


@PAIR_DISTANCE.setting(
    "hamming-share",
    rule="the share of features that differ",
    needs=OF_FEATURES,
    spans_users=False,
    says="the distance of two items is the share of features in which they differ",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """From 0 to 1."""
    return _different(joined, ours, others) / max(joined.once(Known).vectors.shape[1], 1)


UNKNOWN_PAIR = Convention(
    "unknown-pair",
    "Pairs with an unknown item",
    reads=(),
    tells="an item without features, or not in training",
)
"""A setting gives the distance that such a pair is taken to have."""


@UNKNOWN_PAIR.setting(
    "left-out", rule="it does not count", leaves_out=True, says="pairs with an item that is not known are left out"
)
def _() -> float:
    """Neither in the sum nor in what it is divided by."""
    return 0.0


@UNKNOWN_PAIR.number(rule="its distance is this number", says="the distance to an item that is not known is {value}")
def _(value: float) -> float:
    """1 is what nothing in common is in most distances; NaN makes the value of the list NaN."""
    return value


def distances(joined: Joined, distance: Setting, ours: Codes, others: Codes) -> Numbers:
    """The distance of each pair of items, shape as `ours`; NaN where an item is not known, or is none."""
    flat: Any = (np.ravel(ours), np.ravel(others))
    there = (flat[0] >= 0) & (flat[1] >= 0)
    found: NDArray[np.float64] = np.full(len(there), np.nan)
    found[there] = distance(joined=joined, ours=flat[0][there], others=flat[1][there])
    return found.reshape(np.shape(ours))
