"""Our side of a race: the same data as ours, made anew for every repetition, until every value has been read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

import rankconv as rc
from tests.benchmarks.data import CUTOFFS, Data

SIX = tuple(f"{metric}@{','.join(map(str, CUTOFFS))}" for metric in ("precision", "recall", "f1", "map", "mrr", "ndcg"))
PLAIN = rc.preset("rankconv").replace(duplicates="each")
"""No search for repeated items, as no peer has one."""


@dataclass(frozen=True)
class Pair:
    """Labels and a run."""

    labels: rc.Labels
    run: rc.Run

    def fresh(self) -> "Pair":
        """The same, without anything that an evaluation may have kept in it."""
        return Pair(bare(self.labels), bare(self.run))


def bare(one: Any) -> Any:
    """Cached properties are no fields, so that a copy has none of them."""
    return replace(one, users=replace(one.users), items=replace(one.items))


def coded(data: Data) -> Pair:
    """Ids to codes, as a caller with arrays does it."""
    return Pair(coded_labels(data), rc.Run(data.pred))


def coded_labels(data: Data) -> rc.Labels:
    """From a frame, whose users are the rows of the array."""
    return rc.Labels(pl.DataFrame({"user": data.label_users, "item": data.items, "grade": np.ones(len(data.items))}))


def read(result: rc.Result) -> None:
    """Every mean and every user's value."""
    for spec in result.specs:
        assert result[spec] is not None
        assert len(result.per_user[spec])


def evaluation(specs: Sequence[str], preset: Any = PLAIN) -> Callable[[Pair], None]:
    """One call, and everything that came of it."""
    return lambda pair: read(rc.evaluate(pair.labels, pair.run, list(specs), preset))
