"""Texts as codes, by their first appearance: told apart by their hashes, none of which is trusted."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import CELLS, Codes, own
from rankconv.data.coded import InRuns, coded_integers
from rankconv.data.ids import Ids

if TYPE_CHECKING:
    import polars as pl


def coded_texts(texts: "pl.Series") -> tuple[Ids, Codes]:
    """The distinct texts of a column without gaps by first appearance, and the code of each row, shape (rows,)."""
    runs = texts_in_runs(texts)
    return coded_texts_one_by_one(texts) if runs is None else (runs.ids, runs.each)


def texts_in_runs(texts: "pl.Series") -> InRuns | None:
    """The texts of a column without gaps coded run by run, where that saves much work."""
    if not _has_long_runs(texts):
        return None
    starts = starts_of_text_runs(texts)
    return InRuns(*coded_texts_one_by_one(texts.gather(starts[:-1])), starts)


def _has_long_runs(texts: "pl.Series") -> bool:
    """Whether runs of equal texts are long, by the first of them."""
    some = texts.head(CELLS)
    return 2 * len(starts_of_text_runs(some)) < len(some)


def starts_of_text_runs(texts: "pl.Series") -> Codes:
    """Where each run of equal texts begins and the last one ends, shape (runs + 1,)."""
    changes = (texts.slice(1) != texts.slice(0, max(0, len(texts) - 1))).arg_true().to_numpy()
    first = np.zeros(min(1, len(texts)), np.int64)
    return np.concatenate([first, changes.astype(np.int64) + 1, np.array([len(texts)])])


def coded_texts_one_by_one(texts: "pl.Series") -> tuple[Ids, Codes]:
    """As `coded_texts`, each row looked up, shape (rows,).

    Rows of one hash have one code where each has the text of the first of them; the others are coded without hashes.
    """
    first, codes = _by_hash(texts)
    other = (texts.gather(first).gather(codes) != texts).arg_true().to_numpy()
    if len(other):
        first, codes = _told_apart(texts, other, first, codes)
    return text_ids(texts.gather(first)), codes


def text_ids(distinct: "pl.Series") -> Ids:
    """Ids from texts that are already distinct."""
    return UnreadIds.of(distinct) if len(distinct) else Ids(own(np.empty(0, object)), "none")


class UnreadIds(Ids):
    """Distinct texts of a column, of which Python's are made when somebody looks at one."""

    _column: "pl.Series"

    @classmethod
    def of(cls, column: "pl.Series") -> "UnreadIds":
        """The texts of this column, of which none is twice there."""
        made: UnreadIds = object.__new__(cls)
        vars(made).update(_column=column, kind="text")
        return made

    @cached_property
    def values(self) -> NDArray[Any]:
        """All of them, shape (ids,)."""
        return own(np.fromiter(self._column.to_list(), object, len(self._column)))

    def __len__(self) -> int:
        return len(self._column)

    def __reduce__(self) -> tuple[Any, ...]:
        return Ids, (self.values, self.kind)

    def are(self, others: Ids) -> bool:
        if not isinstance(others, UnreadIds):
            return super().are(others)
        return len(self) == len(others) and bool((self._column == others._column).all())


def _by_hash(texts: "pl.Series") -> tuple[Codes, Codes]:
    """The first row of each hash, rising, shape (hashes,), and the place of each row's among them, shape (rows,).

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
    first = rows[starts[:-1]]
    first, place = _rising(first)
    codes = np.empty(count, np.int32)
    codes[rows] = np.repeat(place, np.diff(starts))
    return first, codes


def _told_apart(texts: "pl.Series", other: Codes, first: Codes, codes: Codes) -> tuple[Codes, Codes]:
    """As `_by_hash`, shape (rows,), with codes of their own for `other` rows, whose texts differ from the first."""
    import polars as pl

    found = texts.gather(other)
    _, apart = coded_integers(found.cast(pl.Categorical).to_physical().to_numpy())
    codes[other] = len(first) + apart
    begun = np.unique(apart, return_index=True)[1]
    first, place = _rising(np.append(first, other[begun]))
    return first, place[codes]


def _rising(first: Codes) -> tuple[Codes, Codes]:
    """The first rows of codes in their order, and the new code of each, both of shape (codes,)."""
    order = np.argsort(first)
    place = np.empty(len(first), np.int32)
    place[order] = np.arange(len(first), dtype=np.int32)
    return first[order], place
