"""Digests of data: sums over users that add up, whatever the order of users, rows and batches.

Of a list, of a set of labels and the like, every row is the product of two odd 64-bit numbers: one of its item, one of
its value, which is a rank, a place or the bits of a number. The products of a user's rows are added modulo 2^64, the
user and the number of rows are mixed in, and the results are added over users in two lanes of 64 bits. So batches,
threads and partitions that share no user are put together by adding. Two data sets that differ have equal sums by
accident in about one of 2^58 cases; equal sums can be made on purpose, so a digest is not a seal.

The hash is defined here and not by a library, so no update changes it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids, TextIds

if TYPE_CHECKING:
    import polars as pl

FORMAT = 2
"""Raised when data get other digests."""
Hashes = NDArray[np.uint64]
ROWS = 1 << 15
"""Rows that are hashed at a time: they fit the processor's cache."""
FEW = 1 << 9
"""Up to so many texts are hashed faster one by one than as a column."""
_ALL_BITS = (1 << 64) - 1
_ONE, _C1, _C2, _C3 = (np.uint64(one) for one in (1, 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD))
_8, _29, _32, _NAN = np.uint64(8), np.uint64(29), np.uint64(32), np.uint64(0x7FF8 << 48)
_TEN, _ZERO = np.uint32(10), np.uint32(ord("0"))


@dataclass(frozen=True)
class DigestSum:
    """What the users of a part of the data add up to."""

    users: int = 0
    first: int = 0
    second: int = 0

    def __add__(self, other: "DigestSum") -> "DigestSum":
        first, second = (self.first + other.first) & _ALL_BITS, (self.second + other.second) & _ALL_BITS
        return DigestSum(self.users + other.users, first, second)

    def digest(self, name: str) -> str:
        """The digest of this part of the data as 32 hexadecimal digits.

        >>> DigestSum(1, 2, 3).digest("labels")[:12]
        '1007e8dbf3d5'
        """
        text = f"rankconv {FORMAT} {name} {self.users} {self.first:016x} {self.second:016x}"
        return blake2b(text.encode(), digest_size=16).hexdigest()


def sum_of(users: Hashes, rows: Codes, products: Hashes) -> DigestSum:
    """The sum of users: their hashes, how many rows each has, and the sums of the products of these, shape (users,)."""
    with np.errstate(over="ignore"):
        each = mixed(products ^ mixed(users + rows.astype(np.uint64) * _C1))
        second = mixed(each + _C2)
        return DigestSum(len(users), int(each.sum(dtype=np.uint64)), int(second.sum(dtype=np.uint64)))


def mixed(hashes: Hashes) -> Hashes:
    """The bits of each hash stirred, as SplitMix64 does at its end (Steele et al., OOPSLA 2014); shape as `hashes`."""
    with np.errstate(over="ignore"):
        hashes = hashes ^ (hashes >> np.uint64(30))
        hashes *= np.uint64(0xBF58476D1CE4E5B9)
        hashes ^= hashes >> np.uint64(27)
        hashes *= np.uint64(0x94D049BB133111EB)
    hashes ^= hashes >> np.uint64(31)
    return hashes


# ids


def id_hashes(ids: Ids) -> Hashes:
    """An odd number for each id, of its text in UTF-8, shape (ids,); of a compound id of the texts of its parts."""
    if isinstance(ids, TextIds) and not ids.is_loaded:
        return hashes_of_column(ids.column)
    if ids.kind == "integer":
        return _of_integers(np.asarray(ids.values, np.int64))
    found = np.empty(len(ids), np.uint64)
    for at in range(0, len(ids), ROWS):
        texts = [_bytes_of(one) for one in ids.values[at : at + ROWS].tolist()]
        found[at : at + len(texts)] = _of_texts(texts)
    return found


def text_hash(text: str) -> int:
    """The odd number of one text."""
    return int(_of_texts([_bytes_of(text)])[0])


def _bytes_of(value: str | tuple[object, ...]) -> bytes:
    text = str(tuple(map(str, value))) if isinstance(value, tuple) else value
    return text.encode()


def _of_texts(texts: list[bytes]) -> Hashes:
    starts = _starts_of(np.fromiter(map(len, texts), np.int64, len(texts)))
    return _of_bytes(np.frombuffer(b"".join(texts), np.uint8), starts)


def _starts_of(lengths: NDArray[np.integer[Any]]) -> Codes:
    """Where texts of these lengths begin in their bytes put together, and the end, shape (texts + 1,)."""
    return np.append(0, np.cumsum(lengths, dtype=np.int64))


class TextHashes:
    """Hashes of the texts of columns, in blocks: those of texts that came lately are looked up.

    A text is found by a hash of the library that holds the column, of 64 bits, whose value never enters a digest.
    """

    PAYS_FROM = 1 << 18
    """Texts of fewer rows are hashed faster than looked up."""
    _BITS = 19

    def __init__(self) -> None:
        self._theirs = np.zeros(1 << self._BITS, np.uint64)
        self._theirs[0] = _ALL_BITS  # nothing has been found, and this hash would be in the last slot
        self._ours = np.zeros(1 << self._BITS, np.uint64)

    def of(self, column: "pl.Series") -> Hashes:
        """An odd number for each text, shape (rows,)."""
        theirs = column.hash().to_numpy()
        slot = (theirs >> np.uint64(64 - self._BITS)).view(np.int64)
        found = self._ours.take(slot)
        new = np.flatnonzero(self._theirs.take(slot) != theirs)
        if len(new):
            made = hashes_of_column(column[new] if len(new) < len(theirs) else column)
            found[new] = made
            self._theirs[slot[new]], self._ours[slot[new]] = theirs[new], made
        return found


def hashes_of_column(column: "pl.Series") -> Hashes:
    """An odd number for each text of a column, shape (rows,)."""
    if len(column) <= FEW:
        return _of_texts([_bytes_of(text) for text in column.to_list()])
    found = np.empty(len(column), np.uint64)
    for at in range(0, len(column), ROWS):
        some = column[at : at + ROWS]
        data = (some.str.join().item() or "").encode()
        found[at : at + len(some)] = _of_bytes(
            np.frombuffer(data, np.uint8), _starts_of(some.str.len_bytes().to_numpy())
        )
    return found


_WORD_MASKS = np.array([(1 << (8 * left)) - 1 for left in range(8)] + [_ALL_BITS], np.uint64)


def _of_bytes(data: NDArray[np.uint8], starts: Codes) -> Hashes:
    """An odd number for each text, of its bytes in words of eight, little end first, shape (texts,).

    The bytes of text `t` are those from `starts[t]` to `starts[t + 1]`.
    """
    lengths = np.diff(starts)
    padded = np.zeros(len(data) + 8, np.uint8)
    padded[: len(data)] = data
    words = np.ndarray((len(data) + 1,), "<u8", padded, strides=(1,))
    with np.errstate(over="ignore"):
        state, at, left = lengths.astype(np.uint64) * _C1, starts[:-1], lengths
        found, alive = state, None
        for _ in range(0, int(lengths.max(initial=0)), 8):
            if (left <= 0).any():
                if alive is not None:
                    found[alive] = state
                more = np.flatnonzero(left > 0)
                alive = more if alive is None else alive[more]
                state, at, left = state[more], at[more], left[more]
            _take_in(state, words[at] & _WORD_MASKS[np.minimum(left, 8)])
            at, left = at + 8, left - 8
        if alive is not None:
            found[alive] = state
    return mixed(found) | _ONE


def _take_in(state: Hashes, words: NDArray[np.uint64]) -> None:
    """Change the state of each text by its next word of eight bytes; both have shape (texts,)."""
    state ^= words
    state *= _C2
    state ^= state >> _32
    state *= _C3
    state ^= state >> _29


def _of_integers(values: NDArray[np.int64]) -> Hashes:
    """As the decimal text of each, without making the texts one by one."""
    found = np.empty(len(values), np.uint64)
    for at in range(0, len(values), ROWS):
        some = values[at : at + ROWS]
        in_a_word = some.min() >= 0 and some.max() < _TENS[-1]
        found[at : at + len(some)] = _of_words(some) if in_a_word else _of_digits(some)
    return found


_TENS = 10 ** np.arange(9)


def _of_words(values: NDArray[np.int64]) -> Hashes:
    """Of integers of at most eight digits, whose text is one word: the last digit is its highest byte."""
    lengths = np.maximum(np.searchsorted(_TENS, values, side="right"), 1)
    rest, words = values.astype(np.uint32), np.zeros(len(values), np.uint64)
    for digits in range(int(lengths.max())):
        following = (words << _8) | (rest % _TEN + _ZERO)
        words = np.where(digits < lengths, following, words)
        rest //= _TEN
    with np.errstate(over="ignore"):
        state = lengths.astype(np.uint64) * _C1
        _take_in(state, words)
    return mixed(state) | _ONE


def _of_digits(values: NDArray[np.int64]) -> Hashes:
    """Of integers of any length, by the bytes of their texts."""
    texts = values.astype("S20")
    lengths = np.char.str_len(texts).astype(np.int64)
    whole = texts.view(np.uint8).reshape(len(texts), 20)
    digits = np.ascontiguousarray(whole[np.arange(20) < lengths[:, None]])
    return _of_bytes(digits, np.append(0, np.cumsum(lengths)))


# values


def number_hashes(values: NDArray[np.floating]) -> Hashes:
    """An odd number for each number, of its bits as float64, with one zero and one NaN; shape as `values`."""
    wide = np.asarray(values, np.float64) + 0.0
    bits = wide.view(np.uint64)
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isnan(wide.sum()):  # or opposite infinities
            bits = np.where(np.isnan(wide), _NAN, bits)
        bits = bits ^ (bits >> _32)
        bits *= _C2
        bits ^= bits >> _32
    bits |= _ONE
    return bits


def place_hashes(count: int) -> Hashes:
    """An odd number for each of the places 0 to count - 1, shape (count,)."""
    return number_hashes(np.arange(1.0, count + 1.0))


# rows of users


def blocks(starts: Codes) -> Iterator[tuple[int, int]]:
    """Users from and to, so many at a time that their rows are about `ROWS`; those of user `u` begin at `starts[u]`."""
    users, at = len(starts) - 1, 0
    while at < users:
        to = int(np.searchsorted(starts, starts[at] + ROWS, side="right")) - 1
        to = max(at + 1, to)
        yield at, to
        at = to


def summed(values: Hashes, starts: Codes) -> Hashes:
    """The sum of the values of each user, shape (users,); those of user `u` are from `starts[u]` on."""
    lengths = np.diff(starts)
    with np.errstate(over="ignore"):
        if len(lengths) and lengths[0] and (lengths == lengths[0]).all():
            sums: Hashes = values.reshape(len(lengths), -1).sum(axis=1, dtype=np.uint64)
            return sums
        found, there = np.zeros(len(lengths), np.uint64), lengths > 0
        if there.any():
            found[there] = np.add.reduceat(values, starts[:-1][there])
        return found


def places_in_lists(starts: Codes) -> Codes:
    """The place of each row in its list, from 0, shape (rows,); those of list `u` begin at `starts[u]`."""
    return np.arange(starts[-1]) - np.repeat(starts[:-1], np.diff(starts))


def sum_of_pairs(users: Hashes, user: Codes, products: Hashes) -> DigestSum:
    """The sum of rows in any order: the `user` of each, and the product that it is, both of shape (rows,).

    Users without a row do not count.
    """
    order = np.argsort(user, kind="stable")
    starts = np.searchsorted(user[order], np.arange(len(users) + 1))
    rows = np.diff(starts)
    has: Mask = rows > 0
    return sum_of(users[has], rows[has], summed(products[order], starts)[has])


def item_products(items: Hashes, values: Numbers | None = None) -> Hashes:
    """The product that each row is, of the hash of its item and of its number, both of shape (rows,)."""
    with np.errstate(over="ignore"):
        return items if values is None else items * number_hashes(values)
