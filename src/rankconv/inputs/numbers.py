"""Grades, scores and ranks as checked float64; `place` says where a row stands."""

from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.errors import InputError
from rankconv.inputs.rows import Floats, Place

if TYPE_CHECKING:
    import polars as pl


def from_array(values: NDArray[Any], role: str, place: Place) -> Floats:
    """The numbers of a numeric or boolean array, copied, so that a later change there changes nothing here."""
    return _finite(np.array(values, np.float64), role, place)


def from_objects(values: Sequence[Any], role: str, place: Place) -> Floats:
    """The numbers among Python objects, which may be of any type."""
    odd = {kind for kind in set(map(type, values)) if not _is_number(kind, role)}
    if odd:
        row = next(row for row, value in enumerate(values) if type(value) in odd)
        raise _not_a_number(repr(values[row]), role, place(row))
    return _finite(_as_floats(values), role, place)


def from_texts(texts: "pl.Series", role: str, place: Place) -> Floats:
    """The numbers that these texts say."""
    import polars as pl

    if texts.dtype == pl.Float64:  # read as numbers at once
        return from_array(texts.to_numpy(), role, place)
    parsed = texts.str.strip_chars().cast(pl.Float64, strict=False)
    for row in parsed.is_null().arg_true().head(1):
        if not texts[row]:
            raise InputError(f"there is no {role}", where=place(row), do=f"Give every row a {role}")
        raise _not_a_number(f"'{texts[row]}'", role, place(row))
    return from_array(parsed.to_numpy(), role, place)


def _is_number(kind: type, role: str) -> bool:
    """A truth value is a grade of 0 or 1, but no score."""
    if issubclass(kind, bool | np.bool_):
        return role == "grade"
    return issubclass(kind, Real)


def _as_floats(values: Sequence[Any]) -> Floats:
    try:
        return np.fromiter(values, np.float64, len(values))
    except OverflowError:
        return np.fromiter(map(_as_float, values), np.float64, len(values))


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf


def _finite(values: Floats, role: str, place: Place) -> Floats:
    finite = np.isfinite(values)
    if finite.all():
        return values
    row = int(np.argmin(finite))
    wrong = "missing or not a number (NaN)" if np.isnan(values[row]) else "infinite or too large for a float"
    do = f"Give the row a finite {role}, or leave it out"
    raise InputError(f"the {role} is {wrong}", where=place(row), do=do)


def _not_a_number(said: str, role: str, where: str) -> InputError:
    return InputError(f"the {role} {said} is not a number", where=where, do=f"Give every {role} as a number")
