"""Python's own floats and small integers as an array, where all are of one type.

`marshal` writes a letter for its type before each, so that types are told and numbers taken in one go: asking each
object for its type alone takes longer than that.
"""

import marshal
from collections.abc import Sequence
from typing import Any

import numpy as np

from rankconv.data.arrays import Numbers

_VERSION = 2
"""Of what `marshal` writes: numbers are binary from this one on, and from the next on it refers to equal objects."""
_HEAD = 5
"""So many bytes stand before the first: the letter for a list or tuple, and its length."""
_WRITTEN = {float: (b"g", "<f8"), int: (b"i", "<i4")}
"""The letter of each type, and the number that follows it; integers of more bits have another letter."""
_SOME = 4096
"""So many are written at a time: they fit the processor's cache."""


def numbers_of_one_type(values: Sequence[Any]) -> Numbers | None:
    """The numbers, shape (values,), where all are floats or all are integers of 32 bits; None where one is not.

    What derives from these, such as a truth value, is neither.
    """
    if not (isinstance(values, list | tuple) and len(values) and type(values[0]) in _WRITTEN):
        return None
    letter, number = _WRITTEN[type(values[0])]
    cell = np.dtype([("letter", "S1"), ("number", number)])
    floats = np.empty(len(values))
    for first in range(0, len(values), _SOME):
        some = values[first : first + _SOME]
        written = _written(some)
        if len(written) != _HEAD + len(some) * cell.itemsize:
            return None
        cells = np.frombuffer(written, cell, offset=_HEAD)
        if not (cells["letter"] == letter).all():  # if the first is right, the second letter is one, and so on
            return None
        floats[first : first + _SOME] = cells["number"]
    return floats


def _written(values: Any) -> bytes:
    """What `marshal` makes of them; nothing where it cannot."""
    try:
        return marshal.dumps(values, _VERSION)
    except ValueError:
        return b""
