"""Digests of labels and runs: equal for equal rows in any order, from any file format, with any type of ids.

A row is its user, its item and a number, which is the grade of a label or the dense rank of a ranked item. Ids count as
text, and numbers with the precision of 32 bits, so that 3.1 read from a file is 3.1 of a float32 array. The hash is
defined here and not by a library, so no update changes it: FNV-1a of the code points of an id, the finalizer of
SplitMix64 for a row, and the sums over rows of these numbers and of their squares, 64 bits each.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.data.arrays import Codes, Numbers
from rankconv.data.ids import Ids

Hashes = NDArray[np.uint64]
UnsignedNumbers = NDArray[np.unsignedinteger[Any]]
ROWS = 1 << 13
"""Rows are hashed in blocks that fit a processor's cache."""
_ITEM, _VALUE, _ZERO = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0x9E3779B97F4A7C15), np.uint64(0)


def digest_of(users: Ids, items: Ids, starts: Codes, item: Codes, values: UnsignedNumbers) -> str:
    """Return the digest of the rows of each user as 32 hexadecimal digits.

    `starts` has shape (users + 1,); `item`, the code of the item of each row, and `values` have shape (rows,).
    """
    user_hashes = text_hashes(users)
    with np.errstate(over="ignore"):
        item_hashes = mixed(text_hashes(items) * _ITEM)
        rows_of, plain, squared = np.repeat(np.arange(len(users), dtype=np.int32), np.diff(starts)), _ZERO, _ZERO
        for first in range(0, len(item), ROWS):
            rows = slice(first, first + ROWS)
            row = user_hashes[rows_of[rows]]
            row += item_hashes[item[rows]]
            row ^= values[rows] * _VALUE
            row = mixed(row)
            plain += row.sum(dtype=np.uint64)
            row *= row
            squared += row.sum(dtype=np.uint64)
        lanes = mixed(np.array([plain, squared], np.uint64) + np.uint64(len(item)))
    return "".join(f"{int(lane):016x}" for lane in lanes)


def text_hashes(ids: Ids) -> Hashes:
    """The hash of the text of each id, shape (ids,)."""
    texts = np.asarray(ids.values if ids.values.dtype != object else list(map(str, ids.values.tolist()))).astype(
        np.str_
    )
    width = texts.dtype.itemsize // 4
    points = np.ascontiguousarray(texts).view(np.uint32).reshape(len(texts), width)
    hashes = np.full(len(texts), 0xCBF29CE484222325, np.uint64)
    with np.errstate(over="ignore"):
        for place in range(width):
            point = points[:, place]
            hashes = np.where(point, (hashes ^ point) * np.uint64(0x100000001B3), hashes)
    return hashes


def dense_ranks(starts: Codes, score: Numbers) -> UnsignedNumbers:
    """The dense rank of each row by falling score, from 1 on in each list, shape (rows,); equal scores have one rank.

    The rows of a list are in the order of falling scores.
    """
    falls = np.ones(len(score), bool)
    np.not_equal(score[1:], score[:-1], out=falls[1:])
    falls[starts[:-1][np.diff(starts) > 0]] = True
    ranks = np.cumsum(falls, dtype=np.uint32)
    before = np.append(ranks, np.uint32(0))[starts[:-1]] - 1
    ranks -= np.repeat(before, np.diff(starts))
    return ranks


def rounded(values: Numbers) -> UnsignedNumbers:
    """The bits of numbers in the precision of 32 bits, with one zero and one NaN, shape as `values`."""
    with np.errstate(over="ignore"):  # beyond the largest number of 32 bits they are infinite
        narrow = np.asarray(values, np.float32) + np.float32(0)
    narrow[np.isnan(narrow)] = np.nan
    return narrow.view(np.uint32)


def mixed(hashes: Hashes) -> Hashes:
    """The bits of each hash stirred, as SplitMix64 does at its end (Steele et al., OOPSLA 2014); shape as `hashes`."""
    with np.errstate(over="ignore"):
        hashes = hashes ^ (hashes >> np.uint64(30))
        hashes *= np.uint64(0xBF58476D1CE4E5B9)
        hashes ^= hashes >> np.uint64(27)
        hashes *= np.uint64(0x94D049BB133111EB)
    hashes ^= hashes >> np.uint64(31)
    return hashes
