"""Ids of rows as they came, and how they become codes by first appearance.

Integers are looked up in a table over their range. Texts are compared by hash first, and no hash is trusted. `RawIds`
keeps the texts of rows that nobody has coded yet.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import CELLS, Codes, take_ownership
from rankconv.data.ids import Ids, make_ids, parts_of, plain_ids
from rankconv.data.ordering import has_long_runs, starts_of_runs
from rankconv.errors import InputError

if TYPE_CHECKING:
    import polars as pl

HASH_BITS = 31
"""Bits of the numbers of texts."""
_STRETCH = 1 << 17
"""Values coded at a time: they fit the processor's cache."""


@dataclass(frozen=True, eq=False)
class InRuns:
    """Values coded run by run: of adjacent equal values only the first was looked up."""

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


# integers


def coded_integers(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """Return the distinct integers by first appearance, and the code of each value, shape as `values`."""
    if not len(values):
        return make_ids((), "integer"), np.empty(0, np.int64)
    runs = integers_in_runs(values)
    return _code_integers(values) if runs is None else (runs.ids, runs.each)


def integers_in_runs(values: NDArray[Any]) -> InRuns | None:
    """Code the values, shape (values,), run by run, where that saves much work."""
    if not has_long_runs(values):
        return None
    starts = starts_of_runs(values)
    return InRuns(*_code_integers(values[starts[:-1]]), starts)


def _code_integers(values: NDArray[Any]) -> tuple[Ids, Codes]:
    """Look each value up, shape as `values`, of which there is one at least."""
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + 1000:
        return _code_wide_integers(values.astype(np.int64))
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


def _code_wide_integers(values: Codes) -> tuple[Ids, Codes]:
    """As `coded_integers`, shape as `values`, for integers from a range too wide for a table."""
    import polars as pl

    column = pl.Series("id", values)
    distinct = column.unique(maintain_order=True)
    table = distinct.to_frame().with_columns(code=pl.int_range(pl.len(), dtype=pl.Int64))
    codes = column.to_frame().join(table, on="id", how="left", maintain_order="left")["code"]
    return Ids(take_ownership(distinct.to_numpy(writable=True)), "integer"), codes.to_numpy(writable=True)


def by_appearance(ids: Ids, codes: Codes) -> tuple[Ids, Codes]:
    """Return the ids by first appearance in these rows, and the new code of each row, shape as `codes`."""
    order, new = coded_integers(codes)
    return Ids(take_ownership(ids.values[order.values]), ids.kind), new


# texts


def coded_texts(texts: "pl.Series") -> tuple[Ids, Codes]:
    """Return the distinct texts of a column without gaps by first appearance, and each row's code, shape (rows,)."""
    runs = texts_in_runs(texts)
    return code_each_text(texts) if runs is None else (runs.ids, runs.each)


def texts_in_runs(texts: "pl.Series") -> InRuns | None:
    """Code the texts of a column without gaps run by run, where that saves much work."""
    some = texts.head(CELLS)
    if 2 * len(starts_of_text_runs(some)) >= len(some):
        return None
    starts = starts_of_text_runs(texts)
    return InRuns(*code_each_text(texts.gather(starts[:-1])), starts)


def starts_of_text_runs(texts: "pl.Series") -> Codes:
    """Return where each run of equal texts begins and the last one ends, shape (runs + 1,)."""
    changes = (texts.slice(1) != texts.slice(0, max(0, len(texts) - 1))).arg_true().to_numpy()
    first = np.zeros(min(1, len(texts)), np.int64)
    return np.concatenate([first, changes.astype(np.int64) + 1, np.array([len(texts)])])


def code_each_text(texts: "pl.Series") -> tuple[Ids, Codes]:
    """As `coded_texts`, each row looked up, shape (rows,).

    Rows of one hash have one code where each has the text of the first of them; the others are coded without hashes.
    """
    import polars as pl

    first, codes = _code_hashes(texts)
    other = (texts.gather(first).gather(codes) != texts).arg_true().to_numpy()
    if len(other):
        _, further = coded_integers(texts.gather(other).cast(pl.Categorical).to_physical().to_numpy())
        codes[other] = len(first) + further
        first, place = _rising(np.append(first, other[np.unique(further, return_index=True)[1]]))
        codes = place[codes]
    distinct = texts.gather(first)
    return TextIds(distinct) if len(distinct) else Ids(take_ownership(np.empty(0, object)), "none"), codes


def _code_hashes(texts: "pl.Series") -> tuple[Codes, Codes]:
    """Return the first row of each hash, rising, shape (hashes,), and each row's place among them, shape (rows,).

    A hash, cut off to make room, and the row are sorted as one number, which is faster than looking up either.
    """
    count = len(texts)
    bits = np.uint64(count.bit_length())
    low = (np.uint64(1) << bits) - np.uint64(1)
    both = (texts.hash().to_numpy() & ~low) | np.arange(count, dtype=np.uint64)
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

    def __len__(self) -> int:
        return len(self._column)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ids, (self.values, self.kind)

    def are(self, others: Ids) -> bool:
        if not isinstance(others, TextIds):
            return super().are(others)
        return len(self) == len(others) and bool((self._column == others._column).all())


class RawIds:
    """The text id of the item in each row, none missing: a column, or a list that does not change.

    The numbers of texts are hashes; a list becomes a column where its rows are read.
    """

    def __init__(self, texts: "pl.Series | list[str]") -> None:
        self._texts = texts

    @cached_property
    def values(self) -> "pl.Series":
        """All of them as a column, shape (rows,)."""
        return _column(self._texts) if isinstance(self._texts, list) else self._texts

    @cached_property
    def numbers(self) -> Codes:
        """A number for each row, shape (rows,): equal where ids are, and seldom elsewhere."""
        hashes, numbers = self.values.hash().to_numpy(), np.empty(len(self), np.int32)
        np.right_shift(hashes, np.uint64(64 - HASH_BITS), out=numbers, casting="unsafe")
        return take_ownership(numbers)

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, rows: Codes) -> "RawIds":
        """Return the ids of these rows, which have shape (rows,)."""
        if not isinstance(self._texts, list):
            return RawIds(self._texts.gather(rows))
        places = rows.tolist()
        return RawIds(
            _column(itemgetter(*places)(self._texts) if len(places) > 1 else [self._texts[i] for i in places])
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Without the hashes, which may differ in another process."""
        return RawIds, (self.values,)

    def coded(self) -> tuple[Ids, Codes]:
        """Return the distinct ids by first appearance, and the code of each row, shape (rows,)."""
        return coded_texts(self.values)

    def some(self, count: int) -> set[Any]:
        """Return the ids of the first `count` rows."""
        first = self._texts[:count]
        return set(plain_ids(first) if isinstance(first, list) else first.to_list())


def _column(texts: Any) -> "pl.Series":
    import polars as pl

    return pl.Series(texts, dtype=pl.String)


def coded_ids(ids: "Codes | RawIds") -> tuple[Ids, Codes]:
    """Return the distinct ids of rows by first appearance, and the code of each row, shape (rows,)."""
    return ids.coded() if isinstance(ids, RawIds) else coded_integers(ids)


def raw_ids_of(ids: Ids, codes: Codes) -> RawIds:
    """Return the texts of rows that have codes, shape (rows,)."""
    return RawIds(_column(ids.values.tolist()).gather(codes))


# ids of two sides


def unite(first: Ids, second: Ids, what: str, *, spelling: bool = True) -> tuple[Ids, Codes]:
    """Return all ids of both, the first's codes unchanged, and the new code of each of the second's, shape (second,).

    InputError where they are of two types, or, if `spelling`, differ in nothing but how they are written.
    """
    if "none" not in (first.kind, second.kind) and first.kind != second.kind:
        side = "labels" if first.kind == "integer" else "rankings"
        raise InputError(
            f"{what} ids are {first.kind} in the labels ({first.examples()}) and {second.kind} in the rankings "
            f"({second.examples()}), so nothing can match",
            do=f"Make those of the {side} text too: in pandas frame['{what}'].astype(str), in polars .cast(pl.String)",
            shell=f"Write those of the {side} as text too: save the column '{what}' of that file as text",
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
}
"""Differences between ids of two sides that mean the same, and how they become the same."""
_TOO_FEW = 3
"""This few ids may agree by chance."""


def _refuse_other_spelling(first: Ids, second: Ids, what: str) -> None:
    """InputError where the sides have no id in common, and would have half of them if both spelled ids the same."""
    ours, theirs = first.values.tolist(), second.values.tolist()
    for differs, spelling in _SPELLINGS.items():
        common = set(map(spelling, ours)) & set(map(spelling, theirs))
        if len(common) >= max(_TOO_FEW, min(len(ours), len(theirs)) / 2):
            raise InputError(
                f"no {what} id of the labels ({first.examples()}) is one of the rankings ({second.examples()}), "
                f"and {len(common)} would be but for {differs}",
                do=f"Spell the {what} ids of both sides the same way",
            )


def _refuse_other_parts(first: Ids, second: Ids, what: str) -> None:
    """InputError where the parts of compound ids are of other types, so that no two can be equal."""
    ours, theirs = parts_of(first.id(0)), parts_of(second.id(0))
    if ours != theirs:
        raise InputError(
            f"{what} ids are of ({ours}) in the labels ({first.examples()}) and of ({theirs}) in the rankings "
            f"({second.examples()}), so nothing can match",
            do="Convert the parts of both sides to the same types; files of plain text always give text",
        )
