"""Sums, values and counted rows as plain data, in the one form that no order of adding changes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainValidator

from rankconv.aggregation.means import rising
from rankconv.data.arrays import ExactSum, Numbers
from rankconv.errors import InputError

if TYPE_CHECKING:
    import polars as pl


Piece = TypeVar("Piece", bound="Any")
Together = Callable[[Sequence[Piece]], Piece]
"""One piece of several, in the one form that no order of them changes."""


class Leveled(ABC, Generic[Piece]):
    """Pieces, each at most half as long as the one before; nobody writes to them.

    A row is touched anew only when what it is in has doubled, so that n batches take n log n steps and not n².
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)

    @abstractmethod
    def together(self, pieces: Sequence[Piece]) -> Piece:
        """One piece of several."""

    @abstractmethod
    def plain(self) -> Any:
        """All as JSON takes it."""

    @cached_property
    def whole(self) -> Piece:
        """All as one piece."""
        return self.pieces[0] if len(self.pieces) == 1 else self.together(self.pieces)

    def with_others(self, others: Sequence[Piece], together: Together[Piece] | None = None) -> tuple[Piece, ...]:
        """The pieces of both; `together` puts some into one where it is not done as usual."""
        rising, few = sorted([*self.pieces, *others], key=len), list[Piece]()
        while len(rising) > 1:
            least = rising.pop(0)
            if 2 * len(least) > len(rising[0]):
                rising[0] = (together or self.together)([rising[0], least])
                rising.sort(key=len)
            else:
                few.append(least)
        return (*rising, *reversed(few))

    def __deepcopy__(self, known: Any) -> "Leveled[Piece]":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {"pieces": (self.whole,)}


@dataclass(frozen=True)
class Exact:
    """A sum without rounding, as `ExactSum.compact` writes it."""

    number: int = 0
    """How many values were added."""
    parts: tuple[float, ...] = ()

    @property
    def sum(self) -> ExactSum:
        """The sum, to add to."""
        return ExactSum.of(self.number, self.parts)

    def __add__(self, other: "Exact") -> "Exact":
        return exact(ExactSum.of(self.number + other.number, self.parts + other.parts))


NO_SUM = Exact()


def exact(summed: ExactSum) -> Exact:
    """A sum in its one form."""
    return Exact(summed.number, summed.compact())


class Kept(Leveled[Numbers]):
    """Values of users, shape (users,), from the least to the greatest."""

    def together(self, pieces: Sequence[Numbers]) -> Numbers:
        """All values, shape (users of all pieces,), from pieces of shape (users,)."""
        return rising(np.concatenate(pieces))

    def plain(self) -> Any:
        """A list."""
        return self.whole.tolist()

    def plus(self, other: "Kept", keeps: Callable[[Numbers], Numbers]) -> "Kept":
        """Both together; `keeps` says which values, shape (users,), are enough."""
        return Kept(self.with_others(other.pieces, lambda pieces: keeps(np.concatenate(pieces))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and self.whole.tobytes() == other.whole.tobytes()

    __hash__ = None  # type: ignore[assignment]


def kept_values(values: Any) -> Kept | None:
    """Values as bytes have them; a ValueError where they are none."""
    if values is None or isinstance(values, Kept):
        return values
    if not isinstance(values, list) or not all(isinstance(one, int | float) for one in values):
        raise ValueError("these are no numbers")
    return Kept([np.array(values, np.float64)])


TIMES = "times"
"""The column that says how many rows are so."""


class Counts(Leveled["pl.DataFrame"]):
    """Frames of different rows, each by rising rows, and how often each row occurs."""

    def together(self, pieces: "Sequence[pl.DataFrame]") -> "pl.DataFrame":
        """Each different row once."""
        import polars as pl

        return _summed(pl.concat(pieces))

    def plain(self) -> Any:
        """Lists by the names of the columns."""
        return self.whole.to_dict(as_series=False)


def _counts(columns: Any) -> Counts | None:
    """The rows that these columns, shape (rows,), are, as bytes have them; a ValueError where they are none."""
    import polars as pl

    if columns is None or isinstance(columns, Counts):
        return columns
    try:
        frame = pl.DataFrame(columns, strict=True)
    except (TypeError, pl.exceptions.PolarsError) as problem:
        raise ValueError(str(problem)) from None
    if TIMES not in frame.columns or not frame[TIMES].dtype.is_integer():
        raise ValueError("rows are not counted")
    return Counts([frame.select(*sorted(frame.drop(TIMES).columns), TIMES)])


@dataclass(frozen=True, eq=False)
class RowCounts:
    """How often each different row of all lists occurs, by rising rows, and totals over the lists."""

    rows: Annotated[Any, PlainValidator(_counts)] = None
    """`Counts`, whose column `times` counts; None where there is no row."""
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
        return cls(Counts([_summed(frame)]) if len(frame) else None, totals, given)

    @property
    def size(self) -> int:
        """Number of different rows."""
        return 0 if self.rows is None else len(self.rows.whole)

    @property
    def bytes(self) -> int:
        """Bytes that the rows take."""
        return 0 if self.rows is None else sum(int(piece.estimated_size()) for piece in self.rows.pieces)

    def has(self, name: str) -> bool:
        """Whether rows are distinguished by a column of this name."""
        return self.rows is not None and name in self.rows.pieces[0].columns

    def column(self, name: str) -> NDArray[Any]:
        """A column, shape (different rows,)."""
        return np.empty(0) if self.rows is None else np.asarray(self.rows.whole[name].to_numpy())

    def plus(self, other: "RowCounts") -> "RowCounts":
        """Both together; an InputError where the caller said something else of the data."""
        for name in self.given.keys() & other.given.keys():
            if self.given[name] != other.given[name]:
                text = " and ".join(f"{one.given[name]:g}" for one in (self, other))
                raise InputError(
                    f"parts of the data do not fit each other ({name}: {text})", do="Pass all parts the same"
                )
        counted = [one.rows for one in (self, other) if one.rows is not None]
        rows = Counts(counted[0].with_others(counted[1].pieces)) if len(counted) == 2 else next(iter(counted), None)
        names = sorted({*self.totals, *other.totals})
        totals = {name: self.totals.get(name, Exact()) + other.totals.get(name, Exact()) for name in names}
        return RowCounts(rows, totals, {**self.given, **other.given})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowCounts):
            return NotImplemented
        if (self.rows is None) != (other.rows is None) or (self.totals, self.given) != (other.totals, other.given):
            return False
        return self.rows is None or bool(self.rows.whole.equals(other.rows.whole))

    __hash__ = None  # type: ignore[assignment]


def _summed(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Each different row once, with the sum of its times, rising; at least one row is there."""
    import polars as pl

    keys = sorted(name for name in frame.columns if name != TIMES)
    ordered = frame[_order(frame.select(keys))]
    differs = [pl.col(name).ne_missing(pl.col(name).shift()) for name in keys]
    new = ordered.select(pl.any_horizontal(differs)).to_series().to_numpy()
    first = np.append(0, 1 + np.flatnonzero(new[1:]))
    times = np.add.reduceat(ordered[TIMES].to_numpy(), first)
    return ordered.select(keys)[first].with_columns(pl.Series(TIMES, times))


def _order(keys: "pl.DataFrame") -> NDArray[np.int64]:
    """Where the rows stand when they rise, shape (rows,); NumPy is the faster one where most of them rise already."""
    import polars as pl

    if any(not (kind.is_numeric() or kind == pl.Boolean) for kind in keys.dtypes):
        return keys.select(pl.arg_sort_by(keys.columns)).to_series().to_numpy()
    return np.lexsort([keys[name].to_numpy() for name in reversed(keys.columns)])
