"""Sums, values and counted rows as plain data, in the one form that no order of adding changes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainValidator

from rankconv.aggregation.means import rising
from rankconv.basics.errors import InputError
from rankconv.data.arrays import ExactSum, Numbers

Level = TypeVar("Level", bound="Any")
Merger = Callable[[Sequence[Level]], Level]
"""One level of several, in the one form that no order of them changes."""


class Leveled(ABC, Generic[Level]):
    """Levels, each at most half as long as the one before; nobody writes to them.

    A row is touched anew only when what it is in has doubled, so that n batches take n log n steps and not n².
    """

    def __init__(self, levels: Sequence[Level]) -> None:
        self.levels = tuple(levels)

    @abstractmethod
    def together(self, levels: Sequence[Level]) -> Level:
        """One level of several."""

    @abstractmethod
    def plain(self) -> Any:
        """All as JSON takes it."""

    @cached_property
    def whole(self) -> Level:
        """All as one level."""
        return self.levels[0] if len(self.levels) == 1 else self.together(self.levels)

    def with_others(self, others: Sequence[Level], together: Merger[Level] | None = None) -> tuple[Level, ...]:
        """The levels of both; `together` puts some into one where it is not done as usual."""
        rising, few = sorted([*self.levels, *others], key=len), list[Level]()
        while len(rising) > 1:
            least = rising.pop(0)
            if 2 * len(least) > len(rising[0]):
                rising[0] = (together or self.together)([rising[0], least])
                rising.sort(key=len)
            else:
                few.append(least)
        return (*rising, *reversed(few))

    def __deepcopy__(self, known: Any) -> "Leveled[Level]":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {"levels": (self.whole,)}


@dataclass(frozen=True)
class CompactSum:
    """A sum without rounding, as `ExactSum.compact` writes it."""

    number: int = 0
    """How many values were added."""
    terms: tuple[float, ...] = ()

    @property
    def sum(self) -> ExactSum:
        """The sum, to add to."""
        return ExactSum.of(self.number, self.terms)

    def __add__(self, other: "CompactSum") -> "CompactSum":
        return exact(ExactSum.of(self.number + other.number, self.terms + other.terms))


NO_SUM = CompactSum()


def exact(summed: ExactSum) -> CompactSum:
    """A sum in its one form."""
    return CompactSum(summed.number, summed.compact())


class Kept(Leveled[Numbers]):
    """Values of users, shape (users,), from the least to the greatest."""

    def together(self, levels: Sequence[Numbers]) -> Numbers:
        """All values, shape (users of all levels,), from levels of shape (users,)."""
        return rising(np.concatenate(levels))

    def plain(self) -> Any:
        """A list."""
        return self.whole.tolist()

    def plus(self, other: "Kept", keeps: Callable[[Numbers], Numbers]) -> "Kept":
        """Both together; `keeps` says which values, shape (users,), are enough."""
        return Kept(self.with_others(other.levels, lambda levels: keeps(np.concatenate(levels))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and self.whole.tobytes() == other.whole.tobytes()

    __hash__ = None  # type: ignore[assignment]


def kept_values(values: Any) -> Kept | None:
    """Values as bytes have them; a ValueError where they are none."""
    if values is None or isinstance(values, Kept):
        return values
    if not isinstance(values, list) or not all(isinstance(one, int | float) for one in values):
        raise ValueError("these are not numbers")
    return Kept([np.array(values, np.float64)])


TIMES = "times"
"""The column that says how many rows are so."""


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Different rows, rising, and how often each occurs; columns have shape (rows,), texts are objects."""

    columns: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns[TIMES])

    @property
    def bytes(self) -> int:
        """Bytes that they take, about."""
        return sum(one.nbytes * (_TEXT if one.dtype == object else 1) for one in self.columns.values())

    @classmethod
    def summed(cls, columns: Mapping[str, NDArray[Any]]) -> "CountedRows":
        """Each different row of these columns, shape (rows,), once, with the sum of its times; there is a row."""
        given = {name: columns[name] for name in sorted(columns.keys() - {TIMES})}
        keys = [_places(one) if one.dtype == object else one for one in given.values()]
        order = np.lexsort(keys[::-1])
        new = np.zeros(len(order) - 1, bool)
        for key in (one[order] for one in keys):
            new |= key[1:] != key[:-1]
        first = np.append(0, 1 + np.flatnonzero(new))
        rows = {name: one[order[first]] for name, one in given.items()}
        return cls({**rows, TIMES: np.add.reduceat(columns[TIMES][order], first)})


_TEXT = 8
"""A text takes so many times the room of its place in a column, about."""


def _places(texts: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each text among the different ones, rising, shape as `texts`."""
    place = {text: at for at, text in enumerate(sorted({*texts}))}
    return np.fromiter(map(place.__getitem__, texts), np.int64, len(texts))


class Counts(Leveled[CountedRows]):
    """Counted rows, each level by rising rows."""

    def together(self, levels: Sequence[CountedRows]) -> CountedRows:
        """Each different row once."""
        names = levels[0].columns
        return CountedRows.summed({name: np.concatenate([one.columns[name] for one in levels]) for name in names})

    def plain(self) -> Any:
        """Lists by the names of the columns."""
        return {name: values.tolist() for name, values in self.whole.columns.items()}


def _counts(columns: Any) -> Counts | None:
    """The rows that these columns, shape (rows,), are, as bytes have them; a ValueError where they are none."""
    if columns is None or isinstance(columns, Counts):
        return columns
    if not isinstance(columns, dict) or {*map(type, columns.get(TIMES, ()))} != {int}:
        raise ValueError("rows are not counted")
    made = {}
    for name in (*sorted(columns.keys() - {TIMES}), TIMES):
        values = columns[name]
        kinds = {*map(type, values)} if isinstance(values, list) and len(values) == len(columns[TIMES]) else set()
        if len(kinds) != 1 or not kinds <= {str, int, float, bool}:
            raise ValueError(f"'{name}' is not a column of as many texts or numbers")
        made[name] = np.array(values, object if kinds == {str} else None)
    return Counts([CountedRows(made)])


@dataclass(frozen=True, eq=False)
class RowCounts:
    """How often each different row of all lists occurs, by rising rows, and totals over the lists."""

    rows: Annotated[Any, PlainValidator(_counts)] = None
    """`Counts`, whose column `times` counts; None where there is no row."""
    totals: Mapping[str, CompactSum] = field(default_factory=dict)
    """What adds up from list to list, and from row to row."""
    given: Mapping[str, float] = field(default_factory=dict)
    """What the caller said of all data, the same for each part."""

    @classmethod
    def of(
        cls, columns: Mapping[str, NDArray[Any]], totals: Mapping[str, CompactSum], given: Mapping[str, float]
    ) -> "RowCounts":
        """The count of rows whose columns have shape (rows,); where one is called `times`, so many times each."""
        rows = {TIMES: np.ones(len(next(iter(columns.values()))), np.int64), **columns}
        return cls(Counts([CountedRows.summed(rows)]) if len(rows[TIMES]) else None, totals, given)

    @property
    def size(self) -> int:
        """Number of different rows."""
        return 0 if self.rows is None else len(self.rows.whole)

    @property
    def bytes(self) -> int:
        """Bytes that the rows take."""
        return 0 if self.rows is None else sum(level.bytes for level in self.rows.levels)

    def has(self, name: str) -> bool:
        """Whether rows are distinguished by a column of this name."""
        return self.rows is not None and name in self.rows.levels[0].columns

    def column(self, name: str) -> NDArray[Any]:
        """A column, shape (different rows,)."""
        return np.empty(0) if self.rows is None else self.rows.whole.columns[name]

    def plus(self, other: "RowCounts") -> "RowCounts":
        """Both together; an InputError where the caller said something else of the data."""
        for name in self.given.keys() & other.given.keys():
            if self.given[name] != other.given[name]:
                text = " and ".join(f"{one.given[name]:g}" for one in (self, other))
                do = f"Pass all parts with the same {name.partition('-')[0]}="
                raise InputError(f"parts of the data do not fit each other ({name}: {text})", do=do)
        counted = [one.rows for one in (self, other) if one.rows is not None]
        rows = Counts(counted[0].with_others(counted[1].levels)) if len(counted) == 2 else next(iter(counted), None)
        names = sorted({*self.totals, *other.totals})
        totals = {name: self.totals.get(name, CompactSum()) + other.totals.get(name, CompactSum()) for name in names}
        return RowCounts(rows, totals, {**self.given, **other.given})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RowCounts):
            return NotImplemented
        if (self.rows is None) != (other.rows is None) or (self.totals, self.given) != (other.totals, other.given):
            return False
        return self.rows is None or bool(self.rows.plain() == other.rows.plain())

    __hash__ = None  # type: ignore[assignment]
