"""What one number of all lists is made of, in plain data: how often each different row occurs, and what adds up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainValidator

from rankconv.engine.exact import Exact
from rankconv.errors import InputError

if TYPE_CHECKING:
    import polars as pl

TIMES = "times"
"""The column that says how many rows are so."""


def _frame(columns: Any) -> "pl.DataFrame | None":
    """The table that these columns are, as bytes have them; a ValueError where they are none."""
    import polars as pl

    if columns is None or isinstance(columns, pl.DataFrame):
        return columns
    try:
        frame = pl.DataFrame(columns, strict=True)
    except (TypeError, pl.exceptions.PolarsError) as problem:
        raise ValueError(str(problem)) from None
    if TIMES not in frame.columns or not frame[TIMES].dtype.is_integer():
        raise ValueError("rows are not counted")
    return frame.select(*sorted(frame.drop(TIMES).columns), TIMES)


@dataclass(frozen=True, eq=False)
class RowCounts:
    """How often each different row of all lists occurs, by rising rows, and totals over the lists."""

    rows: Annotated[Any, PlainValidator(_frame)] = None
    """A polars frame, whose column `times` counts; None where there is no row."""
    totals: Mapping[str, Exact] = field(default_factory=dict)
    """What adds up from list to list, and from row to row."""
    given: Mapping[str, float] = field(default_factory=dict)
    """What the caller said of all data, the same for each part."""

    @classmethod
    def of(
        cls, columns: Mapping[str, NDArray[Any]], totals: Mapping[str, Exact], given: Mapping[str, float]
    ) -> "RowCounts":
        """The count of rows whose columns have shape (rows,); where one is called `times`, so many times each."""
        import polars as pl

        frame = pl.DataFrame({name: pl.Series(values) for name, values in columns.items()})
        if TIMES not in columns:
            frame = frame.with_columns(pl.lit(1, pl.Int64).alias(TIMES))
        return cls(_summed(frame), totals, given)

    @property
    def size(self) -> int:
        """Number of different rows."""
        return 0 if self.rows is None else len(self.rows)

    @property
    def bytes(self) -> int:
        """Bytes that the rows take."""
        return 0 if self.rows is None else int(self.rows.estimated_size())

    def column(self, name: str) -> NDArray[Any]:
        """A column, shape (different rows,)."""
        return np.empty(0) if self.rows is None else np.asarray(self.rows[name].to_numpy())

    def plus(self, other: "RowCounts") -> "RowCounts":
        """Both together; an InputError where the caller said something else of the data."""
        import polars as pl

        for name in self.given.keys() & other.given.keys():
            if self.given[name] != other.given[name]:
                told = " and ".join(f"{one.given[name]:g}" for one in (self, other))
                raise InputError(
                    f"parts of the data do not fit each other ({name}: {told})", do="Pass all parts the same"
                )
        frames = [one.rows for one in (self, other) if one.rows is not None]
        rows = _summed(pl.concat(frames)) if len(frames) == 2 else next(iter(frames), None)
        names = sorted({*self.totals, *other.totals})
        totals = {name: self.totals.get(name, Exact()) + other.totals.get(name, Exact()) for name in names}
        return RowCounts(rows, totals, {**self.given, **other.given})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowCounts):
            return NotImplemented
        if (self.rows is None) != (other.rows is None) or (self.totals, self.given) != (other.totals, other.given):
            return False
        return self.rows is None or bool(self.rows.equals(other.rows))

    __hash__ = None  # type: ignore[assignment]


def _summed(frame: "pl.DataFrame") -> "pl.DataFrame | None":
    """Each different row once, with the sum of its times, rising."""
    keys = sorted(name for name in frame.columns if name != TIMES)
    return frame.select(*keys, TIMES).group_by(keys).sum().sort(keys) if len(frame) else None


def columns(rows: Any) -> Any:
    """The columns of a frame as lists, for JSON."""
    return rows.to_dict(as_series=False)
