"""Clusters of ids that are drawn together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes, FrozenArrays, Numbers
from rankconv.data.ids import typed

Cluster = int | Sequence[int] | Mapping[Any, Any]
"""The part of compound ids to resample by, counted from 1; several parts; or the cluster of each id."""


@dataclass(frozen=True, eq=False)
class Clusters(FrozenArrays):
    """The cluster of each id, numbered in the order of their first ids."""

    of: Codes
    """Shape (ids,)."""

    @cached_property
    def _order(self) -> Codes:
        return np.argsort(self.of, kind="stable")

    @cached_property
    def _starts(self) -> Codes:
        rising = self.of[self._order]
        return np.flatnonzero(np.append(True, rising[1:] != rising[:-1])[: len(rising)])

    def __len__(self) -> int:
        return len(self._starts)

    @cached_property
    def members(self) -> list[Codes]:
        """The places of the ids of each cluster, each of shape (its ids,)."""
        return np.split(self._order, self._starts[1:])

    def sums(self, values: NDArray[Any]) -> Numbers:
        """The values of each cluster added up, shape (clusters, …), from values of shape (ids, …)."""
        if not len(values):
            return np.asarray(values, np.float64)
        return np.asarray(np.add.reduceat(np.asarray(values, np.float64)[self._order], self._starts, axis=0))

    def among(self, places: Codes) -> "Clusters":
        """The clusters of some of the ids, at these places, shape (some,)."""
        return numbered(self.of[places])


def numbered(given: NDArray[Any]) -> Clusters:
    """Return the clusters of ids with equal numbers, shape (ids,)."""
    _, first, of = np.unique(given, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return Clusters(rank[of])


def clusters_of(ids: NDArray[Any], cluster: Cluster) -> Clusters:
    """Return the clusters of these ids, shape (ids,), as a caller names them.

    InputError for a part that the ids do not have, and for an id that a mapping does not have.
    """
    values = ids.tolist()
    given = _of_mapping(values, cluster) if isinstance(cluster, Mapping) else _of_parts(values, cluster)
    code_of = {one: code for code, one in enumerate(dict.fromkeys(given))}
    return Clusters(np.fromiter(map(code_of.__getitem__, given), np.int64, len(given)))


def _of_mapping(values: Sequence[Any], cluster: Mapping[Any, Any]) -> list[Any]:
    missing = next((value for value in values if value not in cluster), None)
    if missing is not None:
        raise InputError(f"user '{typed(missing)}' is in no cluster", where="cluster", do="Name one for every user.")
    return [cluster[value] for value in values]


def _of_parts(values: Sequence[Any], cluster: Any) -> list[Any]:
    several = list(cluster) if isinstance(cluster, (list, tuple)) else [cluster]
    if not several or any(isinstance(one, bool) or not isinstance(one, int) for one in several):
        allowed = "The number of a part of compound ids, from 1 on; several; or a dict from each user to their cluster"
        raise InputError(f"cluster={cluster!r:.100} names no clusters", allowed=allowed)
    if not values:
        return []
    if not isinstance(values[0], tuple):
        raise InputError(
            f"ids such as '{values[0]}' have no parts, of which one could be the cluster",
            where="cluster",
            do="Read ids of several columns, user=('uid', 'given'); or pass a dict from each user to their cluster.",
            shell="Read ids of several columns: --column user=uid,given.",
        )
    parts = len(values[0])
    odd = next((one for one in several if not 1 <= one <= parts), None)
    if odd is not None:
        wrong = f"there is no part {odd} of ids such as '{typed(values[0])}'"
        raise InputError(wrong, where="cluster", allowed=f"A number from 1 to {parts}")
    return [tuple(value[one - 1] for one in several) for value in values]
