"""Ids and numbers of rows, checked: ids as codes, grades, scores and ranks as float64.

A `place` names a row in messages, and errors name the first wrong one. Numbers that float64 would round are refused.
"""

import ast
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import reduce
from importlib.util import find_spec
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes, stretches, take_ownership
from rankconv.data.ids import (
    Ids,
    RawIds,
    coded_integers,
    coded_texts,
    encode,
    kind_of,
    make_ids,
    plain_id,
    plain_ids,
    type_of,
)
from rankconv.data.inputs.input_rows import Floats, RowPlace

if TYPE_CHECKING:
    import polars as pl

IdValues: TypeAlias = "pl.Series | NDArray[Any] | Sequence[Any]"
"""Ids as they came: a column of texts without gaps, an array, or objects of any type."""
FEW = 1000
"""Up to this many values of Python are coded by a dict, without loading polars."""
EXACT = 2**53
"""Up to here every integer is a float64."""
_DIGITS = 15
"""Numbers of so many digits that differ do so as float64, too."""
_WHAT_TO_DO = {
    "float": "Convert the ids to integers or to text; a column with gaps often turns its integers into floats",
    "list": "Give each id a row of its own, as frame.explode(…) does",
    "set": "If these are groups of items, name them: {user: dict(enumerate(groups))}",
    "NoneType": "Leave out the rows without an id",
    "bytes": "Pass text in place of bytes: [item.decode() for item in items]",
    "tuple": "A tuple is an id if its parts are texts and integers, the same in each",
}
_FRACTION = (
    "If these are numbers of items, name the items: {user: {item: number, …}}; "
    "else convert the ids to integers or to text"
)
_AS_FLOAT64 = (int, float, np.integer, np.float32, np.float16, np.bool_)
"""Types of which no two small numbers are one float64."""

# ids


def coded(values: "IdValues", role: str, place: RowPlace) -> tuple[Ids, Codes]:
    """Return the distinct ids by first appearance, and the code of each value, shape (values,)."""
    if not isinstance(values, np.ndarray | Sequence):
        return coded_texts(values)
    if isinstance(values, np.ndarray):
        return coded_integers(values) if are_int64(values) else coded(as_list(values), role, place)
    if len(values) > FEW and (texts := text_column(values)) is not None:
        return coded_texts(texts)
    if set(map(type, values)) not in ({str}, {int}):
        values = plain_ids(values)
        _check_ids(values, role, place)
    try:
        codes, ids = encode(values, role)
        "".join(ids.values if ids.kind == "text" else ()).encode()
    except OverflowError:
        raise _too_large(values, role, place) from None
    except UnicodeError:
        raise _half(values, role, place) from None
    return ids, codes


def is_written_list(text: str) -> bool:
    """Whether a text is a list of ids as Python, JSON or NumPy write it.

    >>> [is_written_list(text) for text in ("['a', 'b']", "[1 2]", "[]", "[removed]")]
    [True, True, True, False]
    """
    if not (text.startswith("[") and text.endswith("]")):
        return False
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return isinstance(ast.literal_eval(text), list)
    return all(word.isdigit() for word in text[1:-1].split())


def text_column(values: Sequence[Any] | NDArray[Any]) -> "pl.Series | None":
    """These values, shape (rows,), as a column, coded in half the time; None without polars, and for no texts."""
    if not len(values) or not isinstance(values[0], str) or find_spec("polars") is None:
        return None
    import polars as pl

    try:
        column = pl.Series(values, dtype=pl.String)
    except (TypeError, UnicodeError):
        return None
    return None if column.null_count() else column


def whole_floats(ids: list[Any]) -> list[Any]:
    """Return ids with the whole floats among them as integers, of which gaps elsewhere make floats."""
    if not any(isinstance(one, float) for one in ids):
        return ids
    return [int(one) if isinstance(one, float) and one.is_integer() and abs(one) < EXACT else one for one in ids]


def ids_like(first: Any, values: list[Any], role: str, place: RowPlace) -> list[str] | NDArray[Any]:
    """Return these ids, shape (rows,), texts or integers as the first one; InputError for one that is none."""
    [first], values = whole_floats([first]), whole_floats(values)
    kind = type_of(first)
    if values and (not kind or {*map(type, values)} != {type(first)}):
        for row, value in enumerate(values):
            if not kind or type_of(value) != kind:
                _check_ids([first, value], role, lambda _, odd=row: place(odd))  # type: ignore[misc]
    try:
        if kind == "integer":
            return np.array(values, np.int64)
        "".join(values).encode()
    except OverflowError:
        raise _too_large(values, role, place) from None
    except UnicodeError:
        raise _half(values, role, place) from None
    return [*map(plain_id, values)]


def raw_or_coded(parts: Sequence["IdValues"], role: str, place: RowPlace) -> tuple[Ids | None, Codes | RawIds]:
    """Return no codes but the ids themselves, integers of 64 bits or texts, shape (rows,), where there are any.

    Ids of several parts are tuples, and coded.
    """
    if len(parts) > 1:
        return _compound(parts, role, place)
    [values] = parts
    if isinstance(values, Sequence) and len(values) > FEW:
        texts = text_column(values)
        values = values if texts is None else texts
    if not len(values) or isinstance(values, Sequence):
        return coded(values, role, place)
    if isinstance(values, np.ndarray):
        return (None, values) if are_int64(values) else coded(values, role, place)
    return None, RawIds(values)


def owners(parts: Sequence["IdValues"], place: RowPlace) -> tuple[Ids, Codes | None, Codes | None]:
    """Return the distinct users by first appearance, and each row's code, shape (rows,).

    Where the rows of each user are together there are no codes, but where they begin, shape (users + 1,).
    """
    if len(parts) > 1:
        return *_compound(parts, "user", place), None
    [users] = parts
    if isinstance(users, Sequence) or (isinstance(users, np.ndarray) and not are_int64(users)):
        return *coded(users, "user", place), None
    if isinstance(users, np.ndarray):
        begun = np.flatnonzero(users[1:] != users[:-1]) + 1
    else:
        begun = (users.slice(1) != users.head(max(0, len(users) - 1))).arg_true().to_numpy().astype(np.int64) + 1
    if 2 * (len(begun) + 1) >= len(users):
        return *coded(users, "user", place), None
    starts = np.concatenate([np.zeros(1, np.int64), begun, np.array([len(users)])])
    first = users[starts[:-1]] if isinstance(users, np.ndarray) else users.gather(starts[:-1])
    ids, codes = coded(first, "user", place)  # of adjacent equal values only the first is looked up
    if len(ids) == len(codes):
        return ids, None, take_ownership(starts)
    return ids, np.repeat(codes, np.diff(starts)), None


def _compound(parts: Sequence["IdValues"], role: str, place: RowPlace) -> tuple[Ids, Codes]:
    """The distinct tuples of these parts of ids by first appearance, and the code of each row, shape (rows,)."""
    (first, codes), *others = (coded(one, role, place) for one in parts)
    tuples = make_ids([(value,) for value in first.values.tolist()], role)
    return reduce(_paired, others, (tuples, codes))


def _paired(first: tuple[Ids, Codes], second: tuple[Ids, Codes]) -> tuple[Ids, Codes]:
    """Ids with one part more, in the order of their first rows, and the code of each row, shape (rows,)."""
    (ids, codes), (others, more) = first, second
    both = codes.astype(np.int64) * max(1, len(others)) + more
    found, rows, places = np.unique(both, return_index=True, return_inverse=True)
    order = np.argsort(rows, kind="stable")
    rank = np.empty(len(found), np.int64)
    rank[order] = np.arange(len(found))
    left, right = ids.values, others.values.tolist()
    values = [left[one // max(1, len(others))] + (right[one % max(1, len(others))],) for one in found[order]]
    return make_ids(values, "user"), rank[places]


def numbered(count: int) -> Ids:
    """Return the ids 0, 1, … of users or items that have no names."""
    return Ids(take_ownership(np.arange(count)), "integer") if count else make_ids((), "user")


def as_list(values: NDArray[Any]) -> list[Any]:
    """Return the values, shape (values,), as Python objects; dates stay dates, not counts of nanoseconds."""
    return list(values) if values.dtype.kind in "mM" else values.tolist()


def are_int64(values: NDArray[Any]) -> bool:
    """Whether these are integers of 64 bits, values of any shape."""
    if values.dtype.kind not in "iu":
        return False
    return values.dtype != np.uint64 or not len(values) or int(values.max()) < 2**63


def _check_ids(values: Sequence[Any], role: str, place: RowPlace) -> None:
    """Raise InputError where a value is no id; called before equal ones are merged, as 1, 1.0 and True would be."""
    try:
        kind_of(values, role)
    except InputError as error:
        types = [type_of(value) for value in values]
        row = types.index("") if "" in types else next(row for row, kind in enumerate(types) if kind != types[0])
        if types[row]:
            raise error.at(place(row)) from None
        name = type(values[row]).__name__
        do = _WHAT_TO_DO.get(name, "Convert the ids to text or to integers")
        if role == "item" and isinstance(values[row], float) and not values[row].is_integer():
            do = _FRACTION
        wrong = f"the {role} id {values[row]!r} is of type {name}"
        raise InputError(wrong, where=place(row), allowed="Ids are text or integers", do=do) from None


def _too_large(values: Sequence[Any], role: str, place: RowPlace) -> InputError:
    row = next(row for row, value in enumerate(values) if not -(2**63) <= value < 2**63)
    wrong = f"the {role} id {values[row]} does not fit into 64 bits"
    return InputError(wrong, where=place(row), do=f"Pass the {role} ids as text")


def _half(values: Sequence[str], role: str, place: RowPlace) -> InputError:
    """The error for an id with half a character, which Python's texts can hold and no file can."""
    row = next(row for row, value in enumerate(values) if any("\ud800" <= sign <= "\udfff" for sign in value))
    return InputError(f"the {role} id {values[row]!r} holds half a character", where=place(row), do="Read it as UTF-8")


# numbers


def numbers_from_array(values: NDArray[Any], role: str, place: RowPlace) -> Floats:
    """Copy the numbers of a numeric or boolean array, shape (rows,); those of single precision stay so."""
    floats = finite(np.array(values, None if values.dtype == np.float32 else np.float64), role, place)
    wide = values.dtype.itemsize > floats.itemsize
    if wide or values.dtype.kind in "iu":
        refuse_rounded(values, floats, role, place, every=wide)
    return floats


def numbers_from_objects(values: Sequence[Any], role: str, place: RowPlace) -> Floats:
    """Read the numbers among Python objects, which may be of any type, shape (rows,)."""
    kinds = set(map(type, values))
    odd = {kind for kind in kinds if not _is_number(kind, role)}
    if odd:
        row = next(row for row, value in enumerate(values) if type(value) in odd)
        raise not_a_number(repr(values[row]), role, place(row))
    try:
        read = np.fromiter(values, np.float64, len(values))
    except (OverflowError, ValueError):
        read = np.fromiter(map(_as_float, values), np.float64, len(values))
    floats = finite(read, role, place)
    if kinds != {float}:
        every = not all(issubclass(kind, _AS_FLOAT64) for kind in kinds)
        refuse_rounded(values, floats, role, place, every=every)
    return floats


def are_large(floats: Floats) -> bool:
    """Whether some of these numbers, shape (rows,), may have been integers that no float64 can hold."""
    return len(floats) > 0 and (float(floats.max()) >= EXACT or float(floats.min()) <= -EXACT)


def refuse_rounded(given: Any, floats: Floats, role: str, place: RowPlace, *, every: bool = False) -> None:
    """Raise InputError for the first number that has other digits as float64: two that differ might become equal.

    `given` has what the `floats`, shape (rows,), were, texts or numbers. Without `every` large ones alone are compared.
    """
    large = [] if every or not are_large(floats) else np.flatnonzero(np.abs(floats) >= EXACT).tolist()
    for row in range(len(floats)) if every else large:
        value, number = given[row], float(floats[row])
        if _is_rounded(value, number):
            do = "Number ranks from 1"
            if role != "rank":
                do = f"Subtract one number from every {role}, round them, or pass ranks in their place"
            wrong = f"the {role} {value} is {number:.17g} as a 64-bit float, which keeps {_DIGITS} digits"
            raise InputError(wrong, where=place(row), do=do)


def _is_rounded(value: Any, number: float) -> bool:
    """Whether a number, or the one that a text says, is not this one, and has more digits than each float64 keeps."""
    if plain_id(value) == number:
        return False
    try:
        exact = Decimal(str(value).strip())
    except InvalidOperation:  # a fraction
        return True
    digits = "".join(map(str, exact.as_tuple().digits)).strip("0")
    return len(digits) > _DIGITS and exact not in (Decimal(number), Decimal(repr(number)))


def _is_number(kind: type, role: str) -> bool:
    """A truth value is a grade of 0 or 1, but no score."""
    return role == "grade" if issubclass(kind, bool | np.bool_) else issubclass(kind, Real | Decimal)


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return np.inf
    except ValueError:  # a signalling NaN of decimals
        return np.nan


def finite(values: Floats, role: str, place: RowPlace) -> Floats:
    """Return these numbers, shape (rows,); InputError for the first that is not finite."""
    if all(np.isfinite(values[some]).all() for some in stretches(len(values))):
        return values
    row, others = int(np.argmin(np.isfinite(values))), int(np.count_nonzero(~np.isfinite(values))) - 1
    wrong = "missing or not a number (NaN)" if np.isnan(values[row]) else "infinite or too large for a float"
    do = f"Give the row a finite {role}, or leave it out"
    more = f", and so are {others:,} more" if others else ""
    raise InputError(f"the {role} is {wrong}{more}", where=place(row), do=do)


def not_a_number(said: str, role: str, where: str) -> InputError:
    """Return the error for what is in the place of a number."""
    decimal_comma = said.count(",") == 1 and said.replace(",", "").strip("'-").isdigit()
    do = "Write a point in place of the comma" if decimal_comma else f"Give every {role} as a number"
    return InputError(f"the {role} {said} is not a number", where=where, do=do)
