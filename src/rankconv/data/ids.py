"""Ids: codes, hashed text, and how ids of labels and runs are matched."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import isnan
from operator import index
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import InputError
from rankconv.data.arrays import Codes, FrozenArrays, take_ownership

if TYPE_CHECKING:
    import polars as pl


IdKind = Literal["text", "integer", "compound", "none"]
"""What the ids are; compound ones are tuples of texts and integers, "none" is where there is no id at all."""
PlainId = str | int | tuple[str | int, ...]
"""An id as Python's own; a tuple is a list in JSON."""


@dataclass(frozen=True, eq=False)
class Ids(FrozenArrays):
    """Distinct ids in the order of their first appearance; the code of an id is its place here.

    Text stays text and integers stay integers: `1` and `"1"` are different ids. What is more than a text or an
    integer, such as a member of `class Genre(str, Enum)`, is the text or integer that it is.
    """

    values: NDArray[Any]
    kind: IdKind

    def __len__(self) -> int:
        return len(self.values)

    def id(self, code: int) -> Any:
        """The id of a code, as plain text or integer."""
        return self.values[code : code + 1].tolist()[0]

    def are(self, others: "Ids") -> bool:
        """Whether these are the others, in the same order."""
        return bool(np.array_equal(self.values, others.values))

    @cached_property
    def digest(self) -> str:
        """Letters that differ from those of other ids, whatever the order."""
        given = "\n".join(sorted(map(repr, self.values.tolist())))
        return sha256(given.encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @cached_property
    def code_of(self) -> dict[Any, int]:
        """The code of each id."""
        return {value: code for code, value in enumerate(self.values.tolist())}

    def code(self, user_or_item: Any) -> int:
        """The code of one id as a caller gives it; KeyError where it is none of these."""
        return self.code_of[plain_id(user_or_item)]

    def codes_of(self, others: "Ids") -> Codes:
        """The code here of each of the others, shape (others,); -1 for one that is none of these."""
        code_of = self.code_of
        return np.fromiter((code_of.get(value, -1) for value in others.values.tolist()), np.int64, len(others))

    @cached_property
    def text_rank(self) -> Codes:
        """The place of each id, shape (ids,), when all are sorted as text, by code point, as string comparison does."""
        texts = [str(value) for value in self.values.tolist()]
        rank = np.empty(len(texts), np.int64)
        rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))  # polars deadlocks after a fork
        return take_ownership(rank)

    @cached_property
    def number_rank(self) -> NDArray[np.float64]:
        """The place of each id when all are sorted as numbers, shape (ids,) float64; NaN where an id is no number.

        Equal numbers have one place. Integers are compared as integers: as float64, those beyond 2^53 would be equal to
        their neighbours.
        """
        numbers = [_number(value) for value in self.values.tolist()]
        place = {number: at for at, number in enumerate(sorted({one for one in numbers if one is not None}))}
        return take_ownership(np.array([np.nan if one is None else place[one] for one in numbers], np.float64))

    @cached_property
    def not_a_number(self) -> str:
        """The least id, as text, that is no number; empty where all are numbers."""
        return min(map(str, self.values[np.isnan(self.number_rank)].tolist()), default="")

    def examples(self, count: int = 3) -> str:
        """The first few ids as a person would type them."""
        shown = ", ".join(map(quoted, self.values[:count].tolist()))
        return shown + (", …" if len(self) > count else "")


def _number(value: str | int) -> int | float | None:
    with suppress(ValueError):
        return int(value)
    with suppress(ValueError):
        return None if isnan(float(value)) else float(value)
    return None


def plain_id(value: Any) -> Any:
    """A text or an integer as Python's own, whatever else it is: a member of an Enum, a number of NumPy's.

    Of a tuple each part is made so.
    """
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, tuple):
        return tuple(map(plain_id, value))
    return index(value) if isinstance(value, int | np.integer) and not isinstance(value, bool) else value


def plain_ids(values: Sequence[Any]) -> Sequence[Any]:
    """Many ids made plain; those that are plain already are not copied."""
    return values if set(map(type, values)) <= {str, int} else [plain_id(value) for value in values]


def kind_of(values: Iterable[Any], what: str) -> IdKind:
    """Return the kind of these ids: text, integers or tuples of these; InputError for others, or several."""
    values = list(values)
    kinds = {type(value) for value in values}
    if not kinds:
        return "none"
    if all(issubclass(kind, str) for kind in kinds):
        return "text"
    if all(issubclass(kind, (int, np.integer)) and not issubclass(kind, bool) for kind in kinds):
        return "integer"
    if all(issubclass(kind, tuple) for kind in kinds):
        parts = {type_of(value) for value in values}
        if len(parts) == 1 and all(parts):
            return "compound"
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InputError(
        f"{what} ids must be all text or all integers, and these are of type: {names}",
        do="Convert the column to one type before you pass it.",
    )


def type_of(value: Any) -> str:
    """What an id is: `text` or `integer`, of a compound one what each part is: `text, integer`; empty for no id."""
    if isinstance(value, tuple):
        kinds = ["" if isinstance(one, tuple) else type_of(one) for one in value]
        return ", ".join(kinds) if all(kinds) else ""
    if isinstance(value, str):
        return "text"
    return "integer" if isinstance(value, int | np.integer) and not isinstance(value, bool) else ""


def parts_as_tuple(value: Any) -> tuple[Any, ...]:
    """The parts of an id, which is its own only part unless it is compound."""
    return value if isinstance(value, tuple) else (value,)


def typed(value: Any) -> str:
    """An id as a person types it: the parts of a compound one with commas between them."""
    return ",".join(map(str, parts_as_tuple(value)))


def quoted(value: Any) -> str:
    """An id in a sentence, as Python writes it; a compound one as it is typed: `'u1'`, `7`, `'u1,3'`."""
    return repr(typed(value) if isinstance(value, tuple) else value)


def columns_of(name: str, values: Sequence[Any]) -> dict[str, list[Any]]:
    """The columns of a table that hold these ids: one, or one for each part of compound ones."""
    if not values or not isinstance(values[0], tuple):
        return {name: list(values)}
    return {f"{name}_{at}": list(part) for at, part in enumerate(zip(*values, strict=True), 1)}


def make_ids(distinct: Sequence[Any], what: str) -> Ids:
    """Ids from values that are already distinct."""
    kind = kind_of(distinct, what)
    if kind == "integer":
        return Ids(take_ownership(np.array(distinct, np.int64)), kind)
    return Ids(take_ownership(np.fromiter(plain_ids(distinct), object, len(distinct))), kind)


def encode(values: Iterable[Any], what: str) -> tuple[Codes, Ids]:
    """The code of each value, shape (values,), and the distinct values in order of first appearance."""
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    distinct = dict.fromkeys(listed)
    ids = make_ids(list(distinct), what)
    code_of = {value: code for code, value in enumerate(distinct)}
    return np.fromiter(map(code_of.__getitem__, listed), np.int64, len(listed)), ids


HASH_BITS = 31
"""Bits of the numbers of texts."""
_STRETCH = 1 << 17
"""Values coded at a time: they fit the processor's cache."""
_SPREAD = 0x9E3779B97F4A7C15
"""An odd number: products with it are hashes of integers."""


# integers


def coded_integers(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """Return the distinct integers by first appearance, and the code of each value, shape as `values`."""
    if not len(values):
        return make_ids((), "integer"), np.empty(0, np.int64)
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + 1000:
        values = values.astype(np.int64)
        first_rows, codes = _code_by_hash(values, values.view(np.uint64) * np.uint64(_SPREAD))
        return Ids(take_ownership(values[first_rows]), "integer"), codes
    table = np.full(high - low + 1, -1, np.int32)
    found, codes, count = [], np.empty(len(values), np.int32), 0
    for first in range(0, len(values), _STRETCH):
        offsets = np.subtract(values[first : first + _STRETCH], low, dtype=np.int64)
        looked_up = table[offsets]
        if looked_up.min() < 0:
            unknown = offsets[looked_up < 0]
            mark = np.arange(len(unknown), dtype=np.int32)
            table[unknown[::-1]] = mark[::-1]  # of repeated places the last written stays: the first
            new = unknown[table[unknown] == mark]
            table[new] = np.arange(count, count + len(new))
            found.append(new)
            count += len(new)
            looked_up = table[offsets]
        codes[first : first + _STRETCH] = looked_up
    return Ids(take_ownership(np.concatenate(found) + low), "integer"), codes


def by_appearance(ids: Ids, codes: Codes) -> tuple[Ids, Codes]:
    """Return the ids by first appearance in these rows, and the new code of each row, shape as `codes`."""
    order, new = coded_integers(codes)
    return Ids(take_ownership(ids.values[order.values]), ids.kind), new


# texts


def coded_texts(texts: "pl.Series") -> tuple[Ids, Codes]:
    """Return the distinct texts of a column without gaps by first appearance, and each row's code, shape (rows,)."""
    first, codes = _code_by_hash(texts, texts.hash().to_numpy())
    distinct = texts[first]
    return TextIds(distinct) if len(distinct) else Ids(take_ownership(np.empty(0, object)), "none"), codes


def _code_by_hash(values: Any, hashes: NDArray[np.uint64]) -> tuple[Codes, Codes]:
    """Return the first row of each different value, rising, shape (values,), and each row's place among them.

    Rows of one hash have one place where each has the value of the first of them; the others are coded without hashes.
    """
    first, codes = _code_hashes(hashes)
    other = np.flatnonzero(values[first][codes] != values)
    if len(other):
        further, _ = encode(values[other], "item")
        codes[other] = len(first) + further
        first, place = _rising(np.append(first, other[np.unique(further, return_index=True)[1]]))
        codes = place[codes]
    return first, codes


def _code_hashes(hashes: NDArray[np.uint64]) -> tuple[Codes, Codes]:
    """Return the first row of each hash, rising, shape (hashes,), and each row's place among them, shape (rows,).

    A hash, cut off to make room, and the row are sorted as one number, which is faster than looking up either.
    """
    count = len(hashes)
    bits = np.uint64(count.bit_length())
    low = (np.uint64(1) << bits) - np.uint64(1)
    both = (hashes & ~low) | np.arange(count, dtype=np.uint64)
    both.sort()
    rows = (both & low).view(np.int64)
    both >>= bits
    starts = np.append(np.flatnonzero(both != np.append(~both[:1], both[:-1])), count)
    first, place = _rising(rows[starts[:-1]])
    codes = np.empty(count, np.int32)
    codes[rows] = np.repeat(place, np.diff(starts))
    return first, codes


def _rising(first: Codes) -> tuple[Codes, Codes]:
    """Return the first rows of codes in their order, and the new code of each, both of shape (codes,)."""
    order = np.argsort(first)
    place = np.empty(len(first), np.int32)
    place[order] = np.arange(len(first), dtype=np.int32)
    return first[order], place


class TextIds(Ids):
    """Distinct texts of a column, which become Python's on first use."""

    _column: "pl.Series"

    def __init__(self, column: "pl.Series") -> None:
        object.__setattr__(self, "_column", column)
        object.__setattr__(self, "kind", "text")

    @cached_property
    def values(self) -> NDArray[Any]:
        """All of them, shape (ids,)."""
        return take_ownership(np.fromiter(self._column.to_list(), object, len(self._column)))

    @property
    def column(self) -> "pl.Series":
        """All of them as a column."""
        return self._column

    @property
    def is_loaded(self) -> bool:
        """Whether they are Python's already."""
        return "values" in vars(self)

    def __len__(self) -> int:
        return len(self._column)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ids, (self.values, self.kind)

    def are(self, others: Ids) -> bool:
        if not isinstance(others, TextIds):
            return super().are(others)
        return len(self) == len(others) and bool((self._column == others._column).all())


class RawIds:
    """The text id of the item in each row, none missing, as a column; the numbers of texts are hashes."""

    def __init__(self, values: "pl.Series") -> None:
        self.values = values

    @cached_property
    def numbers(self) -> Codes:
        """A number for each row, shape (rows,): equal where ids are, and seldom elsewhere."""
        hashes, numbers = self.values.hash().to_numpy(), np.empty(len(self), np.int32)
        np.right_shift(hashes, np.uint64(64 - HASH_BITS), out=numbers, casting="unsafe")
        return take_ownership(numbers)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Codes) -> "RawIds":
        """Return the ids of these rows, which have shape (rows,)."""
        return RawIds(self.values[rows])

    def __reduce__(self) -> tuple[Any, ...]:
        """Without the hashes, which may differ in another process."""
        return RawIds, (self.values,)

    def of(self, ids: Ids, codes: Codes) -> "RawIds":
        """Return the texts of other rows, which have codes, shape (rows,)."""
        return RawIds(type(self.values)("", ids.values.tolist(), self.values.dtype)[codes])

    def coded(self) -> tuple[Ids, Codes]:
        """Return the distinct ids by first appearance, and the code of each row, shape (rows,)."""
        return coded_texts(self.values)

    def some(self, count: int) -> set[Any]:
        """Return the ids of the first `count` rows."""
        return set(self.values[:count].to_list())


def coded_ids(ids: "Codes | RawIds") -> tuple[Ids, Codes]:
    """Return the distinct ids of rows by first appearance, and the code of each row, shape (rows,)."""
    return ids.coded() if isinstance(ids, RawIds) else coded_integers(ids)


# ids of two sides


def unite(first: Ids, second: Ids, what: str, *, spelling: bool = True) -> tuple[Ids, Codes]:
    """Return all ids of both, the first's codes unchanged, and the new code of each of the second's, shape (second,).

    InputError where they are of two types, or, if `spelling`, differ in nothing but how they are written.
    """
    if "none" not in (first.kind, second.kind) and first.kind != second.kind:
        side = "labels" if first.kind == "integer" else "rankings"
        do = f"Make those of the {side} text too: str({what}) in dicts, .astype(str) in pandas, .cast(str) in polars"
        shell = ""  # texts of files meet whole numbers: `fitting`
        if "compound" in (first.kind, second.kind):
            do, shell = f"Name as many columns for both: {what}=['…', '…']", f"Name them for both: --column {what}=…,…"
        raise InputError(
            f"{what} ids are {first.kind} in the labels ({first.examples()}) and {second.kind} in the rankings "
            f"({second.examples()}), so nothing can match",
            do=do,
            shell=shell,
        )
    if first.kind == second.kind == "compound":
        _refuse_other_parts(first, second, what)
    if first.kind == second.kind and first.are(second):
        return first, np.arange(len(second))
    if first.kind == second.kind == "integer":
        ids, codes = coded_integers(np.concatenate([first.values, second.values]))
        return ids, codes[len(first) :].astype(np.int64)
    code_of, theirs = first.code_of, second.values.tolist()
    more = [value for value in theirs if value not in code_of]
    if more:
        if spelling and first.kind == second.kind != "compound" and len(more) == len(second):
            _refuse_other_spelling(first, second, what)
        code_of = code_of | {value: code for code, value in enumerate(more, len(first))}
    codes = np.fromiter(map(code_of.__getitem__, theirs), np.int64, len(theirs))
    return make_ids(list(code_of), what) if more else first, codes


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "blanks": str.strip,
    "capital letters": str.casefold,
    "zeros before numbers": lambda text: text.lstrip("0") or "0",
    "'.0' after numbers": lambda text: text.removesuffix(".0"),
    "the Unicode form of letters with accents (NFC)": lambda text: normalize("NFC", text),
}
"""Differences between ids of two sides that mean the same, and how they become the same."""
_TOO_FEW = 3
"""This few ids may agree by chance."""


_SPELLED_OTHERWISE = (" \n", "\n ", "\t", "\r", "\xa0", "\n0", ".0\n")
"""What is in a text of ids, a line each, where blanks are around some, zeros before or '.0' after them."""
_MEANINGLESS = ("blanks", "the Unicode form of letters with accents (NFC)")
_SHARE = 0.05
"""Unless they differ by what means nothing, so many of the labels' ids are spelled otherwise on purpose."""


def other_spelling(labelled: Collection[str], ranked: Collection[str]) -> tuple[str, list[tuple[str, str]]]:
    """Return how ids of the run differ from ids of the labels that mean the same, and these pairs; '' and none if few.

    Examples
    --------
    >>> other_spelling({"a", "b"}, {"a", "b ", "c"})
    ('blanks', [('b', 'b ')])
    """
    text = "\n".join(["", *labelled, *ranked, ""])
    plainly = text == text.casefold() and is_normalized("NFC", text)
    if plainly and not any(mark in text for mark in _SPELLED_OTHERWISE):
        return "", []
    plain = set(map(_plain, labelled))
    suspects = sorted(text for text in {*ranked}.difference(labelled) if _plain(text) in plain)
    found = dict[str, list[tuple[str, str]]]()
    for differs, spelling in _SPELLINGS.items() if suspects else ():
        spelled = {spelling(text): text for text in labelled}
        found[differs] = [(spelled[spelling(text)], text) for text in suspects if spelling(text) in spelled]
    most = max(found, key=lambda differs: len(found[differs]), default="")
    enough = 1 if most in _MEANINGLESS else max(_TOO_FEW, _SHARE * len(labelled))
    return (most, found[most]) if most and len(found[most]) >= enough else ("", [])


def _plain(text: str) -> str:
    return normalize("NFC", text).strip().casefold().lstrip("0").removesuffix(".0")


def _refuse_other_spelling(first: Ids, second: Ids, what: str) -> None:
    """InputError where the sides have no id in common, and would have half of them if both spelled ids the same."""
    differs, pairs = other_spelling(first.values.tolist(), second.values.tolist())
    if len(pairs) >= max(_TOO_FEW, min(len(first), len(second)) / 2):
        raise InputError(
            f"no {what} id of the labels ({first.examples()}) is one of the rankings ({second.examples()}), "
            f"and {len(pairs)} would be but for {differs}",
            do=f"Spell the {what} ids of both sides the same way",
        )


def _refuse_other_parts(first: Ids, second: Ids, what: str) -> None:
    """InputError where the parts of compound ids are of other types, so that no two can be equal."""
    ours, theirs = type_of(first.id(0)), type_of(second.id(0))
    if ours != theirs:
        raise InputError(
            f"{what} ids are of ({ours}) in the labels ({first.examples()}) and of ({theirs}) in the rankings "
            f"({second.examples()}), so nothing can match",
            do="Convert the parts of both sides to the same types; files of plain text always give text",
        )
