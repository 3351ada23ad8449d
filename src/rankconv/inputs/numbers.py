"""Grades, scores and ranks as checked float64; `place` says where a row stands.

Beyond 2^53 not every integer is a float64. Ranks keep their exact order there; scores that differ and become the same
are told apart in `reading`.
"""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import chain
from numbers import Real
from operator import countOf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, stretches
from rankconv.data.ids import plain_id
from rankconv.errors import InputError
from rankconv.inputs.coding import EXACT
from rankconv.inputs.python_numbers import numbers_of_one_type
from rankconv.inputs.reader import Column, Floats, Place

if TYPE_CHECKING:
    import polars as pl


_AS_FLOAT64 = (int, float, np.integer, np.float32, np.float16, np.bool_)
"""Those of which no two small numbers are one float64."""
MANY = 100
"""From here on it pays to look first whether all numbers are of one type."""


def from_array(values: NDArray[Any], role: str, place: Place) -> Column:
    """The numbers of a numeric or boolean array, shape (rows,), copied, so that a later change there is none here.

    Those of single precision stay so: double precision has the same.
    """
    floats = _finite(np.array(values, None if values.dtype == np.float32 else np.float64), role, place)
    wide = values.dtype.itemsize > floats.itemsize or (values.dtype.kind in "iu" and are_large(floats))
    return Column(floats, np.unique(values, return_inverse=True)[1] if wide else None)


def from_objects(values: Sequence[Any], role: str, place: Place) -> Column:
    """The numbers among Python objects, which may be of any type."""
    plain = numbers_of_one_type(values) if len(values) >= MANY else None
    if plain is not None:
        return Column(_finite(plain, role, place))
    kinds = kinds_among(values)
    odd = {kind for kind in kinds if not _is_number(kind, role)}
    if odd:
        row = next(row for row, value in enumerate(values) if type(value) in odd)
        raise _not_a_number(repr(values[row]), role, place(row))
    floats = _finite(_as_floats(values), role, place)
    if not all(issubclass(kind, _AS_FLOAT64) for kind in kinds):
        return Column(floats, _order(list(map(_exact, values)), floats))
    return Column(floats, _order([plain_id(value) for value in values], floats) if are_large(floats) else None)


def from_decimals(values: Sequence[Any], role: str, place: Place) -> Column:
    """Numbers that a table keeps as decimals, or as integers of 128 bits; None where it has none."""
    floats = _finite(np.array([np.nan if value is None else value for value in values], np.float64), role, place)
    return Column(floats, _order(values, floats))


class Parsed(NamedTuple):
    """Some of the numbers of a column, read before the others are."""

    floats: Floats
    exact: Sequence[Any] | None = None
    """What they were, where float64 may have rounded some of them."""


def of_texts(texts: "pl.Series", role: str, place: Place) -> Parsed:
    """The numbers that these texts say, or which they are already; beyond 2^53 what they say exactly is kept."""
    import polars as pl

    told = texts.dtype == pl.String
    parsed = texts.str.strip_chars().cast(pl.Float64, strict=False) if told else texts.cast(pl.Float64)
    for row in (parsed.is_null() | ~parsed.is_finite()).arg_true().head(1):
        if parsed[row] is None:
            if not texts[row]:
                raise InputError(f"there is no {role}", where=place(row), do=f"Give every row a {role}")
            raise _not_a_number(f"'{texts[row]}'", role, place(row))
        _finite(parsed.to_numpy(), role, place)
    floats = parsed.to_numpy(writable=True)
    return Parsed(floats, list(map(_said, texts, floats.tolist())) if told and are_large(floats) else None)


def together(pieces: Sequence[Parsed]) -> Column:
    """The numbers of a column from those of its pieces."""
    floats = np.concatenate([piece.floats for piece in pieces])
    if all(piece.exact is None for piece in pieces):
        return Column(floats)
    exact = chain.from_iterable(piece.floats.tolist() if piece.exact is None else piece.exact for piece in pieces)
    return Column(floats, _order(list(exact), floats))


def are_large(floats: Floats) -> bool:
    """Whether some of these numbers, shape (rows,), may have been integers that no float64 can hold."""
    return len(floats) > 0 and (float(floats.max()) >= EXACT or float(floats.min()) <= -EXACT)


def _order(exact: Sequence[Any], floats: Floats) -> Codes | None:
    """The place of each number among the distinct ones, shape (rows,); None where the floats are as distinct."""
    different = set(exact)
    if len(different) == len(np.unique(floats)):
        return None
    place = {number: at for at, number in enumerate(sorted(different))}
    return np.fromiter(map(place.__getitem__, exact), np.int64, len(exact))


def _exact(value: Any) -> Any:
    """A number as a fraction, where it knows that, so that those of any two types compare."""
    return Fraction(*value.as_integer_ratio()) if hasattr(value, "as_integer_ratio") else plain_id(value)


def _said(text: str, number: float) -> Any:
    """What a text says where float64 may have rounded it; smaller numbers are what float64 makes of them."""
    if abs(number) < EXACT:
        return number
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return Decimal(number)


def _is_number(kind: type, role: str) -> bool:
    """A truth value is a grade of 0 or 1, but no score."""
    if issubclass(kind, bool | np.bool_):
        return role == "grade"
    return issubclass(kind, Real | Decimal)


def kinds_among(values: Sequence[Any]) -> set[type]:
    """The types of these objects: mostly one, which is seen in half the time of gathering them."""
    first = set(map(type, values[:1]))
    return first if countOf(map(type, values), *first or [None]) == len(values) else set(map(type, values))


def _as_floats(values: Sequence[Any]) -> Floats:
    try:
        return np.fromiter(values, np.float64, len(values))
    except (OverflowError, ValueError):
        return np.fromiter(map(_as_float, values), np.float64, len(values))


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf
    except ValueError:  # a signalling NaN of decimals
        return np.nan


def _finite(values: Floats, role: str, place: Place) -> Floats:
    if all(np.isfinite(values[some]).all() for some in stretches(len(values))):
        return values
    row = int(np.argmin(np.isfinite(values)))
    wrong = "missing or not a number (NaN)" if np.isnan(values[row]) else "infinite or too large for a float"
    do = f"Give the row a finite {role}, or leave it out"
    raise InputError(f"the {role} is {wrong}", where=place(row), do=do)


def _not_a_number(said: str, role: str, where: str) -> InputError:
    return InputError(f"the {role} {said} is not a number", where=where, do=f"Give every {role} as a number")
