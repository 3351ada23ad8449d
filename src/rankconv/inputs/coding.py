"""Ids of users and items as codes, with errors that name the first wrong one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, own, stretches
from rankconv.data.coded import coded_integers, integers_in_runs
from rankconv.data.coded_texts import coded_texts, texts_in_runs
from rankconv.data.ids import Ids, encode, kind_of, make_ids, parts_of, plain_ids
from rankconv.errors import InputError
from rankconv.inputs.reader import Place

if TYPE_CHECKING:
    import polars as pl

FEW = 1000
"""So few values are coded one by one, without loading polars."""
EXACT = 2**53
"""Up to here every integer is a float64."""
_INT32 = np.iinfo(np.int32)

_WHAT_TO_DO = {
    "float": "Convert the ids to integers or to text; a column with gaps often turns its integers into floats",
    "NoneType": "Leave out the rows without an id",
    "tuple": "A tuple is an id if its parts are texts and integers, the same in each",
}


def coded(values: Sequence[Any] | NDArray[Any], role: str, place: Place) -> tuple[Ids, Codes]:
    """The distinct ids by first appearance, and the code of each value, shape (values,).

    `place` says where a value stands, for messages.
    """
    if isinstance(values, np.ndarray):
        return coded_integers(values) if _fits(values) else coded(listed(values), role, place)
    if len(values) > FEW and isinstance(values[0], str) and (texts := _texts(values)) is not None:
        return coded_texts(texts)
    if set(map(type, values)) not in ({str}, {int}):
        values = plain_ids(values)
        _check(values, role, place)
    try:
        codes, ids = encode(values, role)
        "".join(ids.values if ids.kind == "text" else ()).encode()
    except OverflowError:
        raise _too_large(values, role, place) from None
    except UnicodeError:
        raise _half(values, role, place) from None
    return ids, codes


def whole_floats(ids: list[Any]) -> list[Any]:
    """Ids with the whole floats among them as integers, of which gaps elsewhere make floats."""
    if not any(isinstance(one, float) for one in ids):
        return ids
    return [int(one) if isinstance(one, float) and one.is_integer() and abs(one) < EXACT else one for one in ids]


def ids_like(first: Any, values: list[Any], role: str, place: Place) -> "pl.Series":
    """These ids as a column, all of the type of the first; an InputError for one that is not, or is no id."""
    import polars as pl

    if not values:
        return pl.Series([], dtype=pl.String)
    [first], values = whole_floats([first]), whole_floats(values)
    kind = _id_type(first)
    if not kind or {*map(type, values)} != {type(first)}:
        for row, value in enumerate(values):
            if not kind or _id_type(value) != kind:
                _check([first, value], role, lambda _, odd=row: place(odd))  # type: ignore[misc]
    try:
        return pl.Series(values, dtype=pl.String) if kind == "text" else pl.Series(np.array(values, np.int64))
    except OverflowError:
        raise _too_large(values, role, place) from None
    except UnicodeError:
        raise _half(values, role, place) from None


def owners(users: "NDArray[Any] | pl.Series", place: Place) -> tuple[Ids, Codes | None, Codes | None]:
    """The distinct users by first appearance, and the code of each row's user, shape (rows,).

    Where the rows of each user stand together there are no codes, but where they begin, shape (users + 1,). Users are
    integers or texts.
    """
    if isinstance(users, np.ndarray):
        runs = integers_in_runs(users) if _fits(users) else None
        each = coded(users, "user", place) if runs is None else None
    else:
        runs = texts_in_runs(users)
        each = coded_texts(users) if runs is None else None
    if runs is None:
        assert each is not None
        return *each, None
    return (runs.ids, None, own(runs.starts)) if runs.together else (runs.ids, runs.each, None)


def _texts(values: Sequence[Any]) -> "pl.Series | None":
    """These values as a column, if all are texts."""
    import polars as pl

    try:
        column = pl.Series(values, dtype=pl.String)
    except (TypeError, UnicodeError):
        return None
    return None if column.null_count() else column


def integers(values: NDArray[Any]) -> Codes | None:
    """A copy of these ids, shape (values,), in no more bits than they need; None where they are no 64-bit integers."""
    if values.dtype.kind not in "iu" or not len(values) or not _fits(values):
        return None
    if np.can_cast(values.dtype, np.int32):
        return np.array(values, np.int32)
    narrow = np.empty(len(values), np.int32)
    for some in stretches(len(values)):
        part = values[some]
        if int(part.max()) > _INT32.max or int(part.min()) < _INT32.min:
            return np.array(values, np.int64)
        narrow[some] = part
    return narrow


def numbered(count: int) -> Ids:
    """The ids 0, 1, … of users or items that have no names."""
    return Ids(own(np.arange(count)), "integer") if count else make_ids((), "user")


def listed(values: NDArray[Any]) -> list[Any]:
    """The values, shape (values,), as a list of Python objects; dates stay dates, instead of counts of nanoseconds."""
    return list(values) if values.dtype.kind in "mM" else values.tolist()


def _fits(values: NDArray[Any]) -> bool:
    if values.dtype.kind not in "iu":
        return False
    return values.dtype != np.uint64 or not len(values) or int(values.max()) < 2**63


def _check(values: Sequence[Any], role: str, place: Place) -> None:
    """An InputError unless all values are ids; asked before equal ones are merged, as 1, 1.0 and True would be."""
    try:
        kind_of(values, role)
    except InputError as error:
        row = _first_odd(values)
        if _id_type(values[row]):
            raise error.at(place(row)) from None
        raise _no_id(values[row], role, place(row)) from None


def _first_odd(values: Sequence[Any]) -> int:
    """The row of the first value that can be no id, else of the first that is not of the first one's type."""
    types = [_id_type(value) for value in values]
    return types.index("") if "" in types else next(row for row, kind in enumerate(types) if kind != types[0])


def _id_type(value: Any) -> str:
    if isinstance(value, tuple):
        return parts_of(value)
    if isinstance(value, str):
        return "text"
    return "integer" if isinstance(value, int | np.integer) and not isinstance(value, bool) else ""


def _no_id(value: Any, role: str, where: str) -> InputError:
    name = type(value).__name__
    do = _WHAT_TO_DO.get(name, "Convert the ids to text or to integers")
    wrong = f"the {role} id {value!r} is of type {name}"
    return InputError(wrong, where=where, allowed="Ids are text or integers", do=do)


def _too_large(values: Sequence[Any], role: str, place: Place) -> InputError:
    row = next(row for row, value in enumerate(values) if not -(2**63) <= value < 2**63)
    wrong = f"the {role} id {values[row]} does not fit into 64 bits"
    return InputError(wrong, where=place(row), do=f"Pass the {role} ids as text")


def _half(values: Sequence[str], role: str, place: Place) -> InputError:
    """The error for an id with half a character, which Python's texts can hold and no file can."""
    row = next(row for row, value in enumerate(values) if any("\ud800" <= sign <= "\udfff" for sign in value))
    return InputError(f"the {role} id {values[row]!r} holds half a character", where=place(row), do="Read it as UTF-8")
