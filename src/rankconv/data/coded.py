"""Integers as codes, by their first appearance."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, own
from rankconv.data.ids import Ids, make_ids
from rankconv.data.matrices import has_long_runs, starts_of_runs

_STRETCH = 1 << 17
"""So many values are coded at a time: they fit the processor's cache."""


@dataclass(frozen=True, eq=False)
class InRuns:
    """Values coded run by run: of adjacent values that are equal only the first was looked up."""

    ids: Ids
    """The distinct values by first appearance."""
    codes: Codes
    """The code of each run, shape (runs,)."""
    starts: Codes
    """Where each run begins and the last one ends, shape (runs + 1,)."""

    @property
    def together(self) -> bool:
        """Whether each value has one run, so that codes rise."""
        return len(self.ids) == len(self.codes)

    @property
    def each(self) -> Codes:
        """The code of each value, shape (values,)."""
        return np.repeat(self.codes, np.diff(self.starts))


def coded_integers(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """The distinct integers by first appearance, and the code of each value, shape as `values`."""
    if not len(values):
        return make_ids((), "integer"), np.empty(0, np.int64)
    runs = integers_in_runs(values)
    return _coded_each(values) if runs is None else (runs.ids, runs.each)


def integers_in_runs(values: NDArray[Any]) -> InRuns | None:
    """The values, shape (values,), coded run by run, where that saves much work."""
    if not has_long_runs(values):
        return None
    starts = starts_of_runs(values)
    return InRuns(*_coded_each(values[starts[:-1]]), starts)


def _coded_each(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """As `coded_integers`, shape as `values`, of one value at least; each is looked up in a table over their range."""
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + 1000:
        return _coded_wide(values.astype(np.int64))
    table = np.full(high - low + 1, -1, np.int32)
    found, codes, count = [], np.empty(len(values), np.int32), 0
    for first in range(0, len(values), _STRETCH):
        offsets = np.subtract(values[first : first + _STRETCH], low, dtype=np.int64)
        looked_up = table[offsets]
        if looked_up.min() < 0:
            new = _first_of_each(table, offsets[looked_up < 0])
            table[new] = np.arange(count, count + len(new))
            found.append(new)
            count += len(new)
            looked_up = table[offsets]
        codes[first : first + _STRETCH] = looked_up
    return Ids(own(np.concatenate(found) + low), "integer"), codes


def _first_of_each(table: Codes, offsets: Codes) -> Codes:
    """The distinct offsets by first appearance, shape (distinct,); their places in the table are written to."""
    mark = np.arange(len(offsets), dtype=np.int32)
    table[offsets[::-1]] = mark[::-1]  # of repeated places the last written stays: the first
    first: Codes = offsets[table[offsets] == mark]
    return first


def _coded_wide(values: Codes) -> tuple[Ids, Codes]:
    """As `coded_integers`, shape as `values`, for integers from a range too wide for a table."""
    import polars as pl

    column = pl.Series("id", values)
    distinct = column.unique(maintain_order=True)
    table = distinct.to_frame().with_columns(code=pl.int_range(pl.len(), dtype=pl.Int64))
    codes = column.to_frame().join(table, on="id", how="left", maintain_order="left")["code"]
    return Ids(own(distinct.to_numpy(writable=True)), "integer"), codes.to_numpy(writable=True)


def by_appearance(ids: Ids, codes: Codes) -> tuple[Ids, Codes]:
    """The ids in the order of their first appearance in these rows, and the new code of each row, shape as `codes`."""
    order, new = coded_integers(codes)
    return Ids(own(ids.values[order.values]), ids.kind), new
