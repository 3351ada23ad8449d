"""Matrices where their library keeps them, on any device: NumPy, torch, and all of the Array API standard.

None of these is imported: an array names its own. Blocks stay on the device, and few numbers come to the CPU.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.basics.errors import LibraryError
from rankconv.data.arrays import Codes

CELLS, SHARE = 1 << 19, 8
"""Cells of a block of NumPy, which fits the cache of a processor; and at most this share of a matrix, one eighth."""
GROUPS = 64
"""Columns are put in at most so many groups for each maximum that is looked for."""


def dtype_of(array: Any) -> str:
    """The name of the type of an array's numbers, such as `bfloat16`; empty where it has none.

    >>> dtype_of(np.zeros(2, np.float32)), dtype_of(np.array(["a"]))
    ('float32', '')
    """
    return _name_in(str(getattr(array, "dtype", "")))


@cache
def _name_in(text: str) -> str:
    found = re.search(r"(bfloat|float|uint|int|bool)(\d|\b)\w*", text)
    return found[0] if found else ""


class ArrayLibrary:
    """The functions of the standard, of blocks of users, shape (users, items), and of masks of that shape.

    Cells are numbered user * items + item. Blocks, masks and columns are arrays of the library, all else is of NumPy.
    """

    def __init__(self, array: Any) -> None:
        named = hasattr(array, "__array_namespace__")
        self.xp = array.__array_namespace__() if named else sys.modules[type(array).__module__.partition(".")[0]]
        self.where = {"device": array.device} if named and hasattr(array, "device") else {}

    def block_cells(self, size: int) -> int:
        """How many cells of a matrix of this size are read at a time."""
        return 1 << 24

    def numpy(self, array: Any) -> NDArray[Any]:
        """Bring an array of any shape to the CPU; bfloat16, which NumPy does not have, becomes single precision."""
        if hasattr(array, "get"):
            return np.asarray(array.get())  # cupy
        try:
            found = np.asarray(array)
        except (RuntimeError, TypeError):  # it is on another device
            if np.lib.NumpyVersion(np.__version__) < "2.1.0":
                wrong = f"an array on another device is read by NumPy 2.1 or newer, and this is {np.__version__}"
                raise LibraryError(
                    wrong, do="Install it: pip install 'numpy>=2.1'; or bring the array to the CPU."
                ) from None
            return np.from_dlpack(array, device="cpu")
        return found.astype(np.float32) if dtype_of(found) == "bfloat16" else found

    def array(self, values: NDArray[Any]) -> Any:
        """Bring values of any shape to the device."""
        return self.xp.asarray(values, **self.where)

    def cast(self, block: Any, dtype: str) -> Any:
        """The block with numbers of this type."""
        if dtype_of(block) == dtype:
            return block
        change = getattr(self.xp, "astype", None)
        return change(block, getattr(self.xp, dtype)) if change else block.astype(dtype)

    def column(self, values: NDArray[Any]) -> Any:
        """A value for each user, shape (users, 1), that compares with a block."""
        return self.array(values[:, None])

    def without(self, block: Any, cells: Codes) -> Any:
        """A copy of the block that is -inf in these cells, shape (cells,)."""
        out = np.zeros(block.shape, bool)
        out.ravel()[cells] = True
        return self.xp.where(self.array(out), self.array(np.asarray(-np.inf, dtype_of(block))), block)

    def highest(self, block: Any) -> NDArray[Any]:
        """The highest number of each user, NaN where one is, shape (users,)."""
        return self.numpy(self.xp.max(block, axis=1))

    def count(self, mask: Any) -> Codes:
        """How many cells of each user a mask holds, shape (users,)."""
        return self.numpy(self.xp.count_nonzero(mask, axis=1)).astype(np.int64)

    def first(self, mask: Any) -> Codes:
        """The first item of each user that a mask holds, shape (users,); 0 where it holds none."""
        return self.numpy(self.xp.argmax(self.cast(mask, "int8"), axis=1))

    def cells(self, mask: Any) -> Codes:
        """The cells that a mask holds, rising, shape (cells,)."""
        return self.numpy(self.xp.nonzero(self.xp.reshape(mask, (-1,)))[0]).astype(np.int64)

    def take(self, block: Any, cells: Codes) -> NDArray[Any]:
        """The numbers of these cells, shape (cells,)."""
        user, item = np.divmod(cells, block.shape[1])
        return self.numpy(block[self.array(user), self.array(item)])

    def rows(self, block: Any, users: Codes) -> Any:
        """The block of these users, shape (users, items)."""
        return self.xp.take(block, self.array(users), axis=0)

    def ordinal(self, mask: Any) -> Any:
        """The how manieth of its user each cell of a mask is, from 1; shape (users, items)."""
        add_up = getattr(self.xp, "cumulative_sum", None) or self.xp.cumsum
        return add_up(self.cast(mask, "int32"), axis=1)

    def top(self, block: Any, rows: int) -> tuple[NDArray[Any], Codes] | None:
        """The highest numbers of each user and their items, NaN first, shape (users, rows); None without a topk.

        Of equal numbers any may be among them.
        """
        if getattr(self.xp, "__name__", "") != "jax.numpy":
            return None
        values, item = sys.modules["jax"].lax.top_k(block, rows)
        return self.numpy(values), self.numpy(item)

    def least(self, block: Any, rows: int) -> NDArray[Any]:
        """The how manieth highest number of each user, shape (users,)."""
        return self.numpy(self.xp.sort(block, axis=1)[:, -rows])

    def floor(self, block: Any, rows: int) -> NDArray[Any]:
        """A number that each of the first `rows` items has or exceeds, and few others do, shape (users,).

        The k-th highest maximum of disjoint groups of items is at most the k-th highest number.
        """
        users, items = block.shape
        groups = max(1, min(GROUPS, items // (8 * rows)))
        wide = items // groups
        if groups > 1:
            block = self.xp.max(self.xp.reshape(block[:, : groups * wide], (users, groups, wide)), axis=1)
        return self.least(block, rows)


class NumPyLibrary(ArrayLibrary):
    """What NumPy does faster in its own way."""

    def __init__(self) -> None:
        self.xp: Any = np
        self.where = {}

    def numpy(self, array: Any) -> NDArray[Any]:
        if hasattr(array, "detach"):
            return np.asarray((array.float() if dtype_of(array) == "bfloat16" else array).detach().cpu())
        found = np.asarray(array) if hasattr(array, "__array__") else np.from_dlpack(array)
        return found.astype(np.float32) if dtype_of(found) == "bfloat16" else found

    def block_cells(self, size: int) -> int:
        return min(CELLS, size // SHARE)

    def cast(self, block: Any, dtype: str) -> Any:
        return block.astype(dtype, copy=False)

    def without(self, block: Any, cells: Codes) -> Any:
        masked = block.copy()
        masked.ravel()[cells] = -np.inf
        return masked

    def count(self, mask: Any) -> Codes:
        found: NDArray[np.int32] = np.add.reduce(mask, axis=1, dtype=np.int32)
        return found.astype(np.int64)

    def first(self, mask: Any) -> Codes:
        found: Codes = mask.argmax(axis=1)
        return found

    def cells(self, mask: Any) -> Codes:
        return np.flatnonzero(mask)

    def take(self, block: Any, cells: Codes) -> NDArray[Any]:
        found: NDArray[Any] = block.take(cells) if block.flags.c_contiguous else super().take(block, cells)
        return found

    def least(self, block: Any, rows: int) -> NDArray[Any]:
        found: NDArray[Any] = np.partition(block, -rows, axis=1)[:, -rows]
        return found


NUMPY = NumPyLibrary()


class TorchLibrary(ArrayLibrary):
    """The functions of torch, whose names differ."""

    def __init__(self, array: Any) -> None:
        self.xp, self.where = sys.modules["torch"], {"device": array.device}

    def numpy(self, array: Any) -> NDArray[Any]:
        return NUMPY.numpy(array)

    def array(self, values: NDArray[Any]) -> Any:
        return self.xp.as_tensor(np.ascontiguousarray(values)).to(self.where["device"])

    def cast(self, block: Any, dtype: str) -> Any:
        return block.detach().to(getattr(self.xp, dtype))

    def without(self, block: Any, cells: Codes) -> Any:
        masked = block.clone(memory_format=self.xp.contiguous_format)
        masked.view(-1)[self.array(cells)] = -np.inf
        return masked

    def highest(self, block: Any) -> NDArray[Any]:
        return self.numpy(self.xp.amax(block, 1))

    def count(self, mask: Any) -> Codes:
        return self.numpy(mask.sum(1))

    def cells(self, mask: Any) -> Codes:
        return self.numpy(self.xp.nonzero(mask.reshape(-1))[:, 0])

    def rows(self, block: Any, users: Codes) -> Any:
        return block[self.array(users)]

    def top(self, block: Any, rows: int) -> tuple[NDArray[Any], Codes]:
        values, item = self.xp.topk(block, rows, 1)
        return self.numpy(values), self.numpy(item)


def library_of(array: Any) -> ArrayLibrary:
    """The library that computes where the array is: NumPy on the CPU, and for arrays of no such library."""
    root = type(array).__module__.partition(".")[0]
    if "cpu" in str(getattr(array, "device", "cpu")).lower():  # as each library calls its CPU
        return NUMPY
    if root == "torch":
        return TorchLibrary(array)
    return ArrayLibrary(array) if hasattr(array, "__array_namespace__") or root == "cupy" else NUMPY


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """A number for each user and item, shape (users, items)."""

    array: Any
    library: ArrayLibrary
    name: str
    """What messages call it."""

    @property
    def shape(self) -> tuple[int, int]:
        """Users and items."""
        users, items = self.array.shape
        return int(users), int(items)

    @property
    def size(self) -> int:
        """Users times items."""
        return self.shape[0] * self.shape[1]

    def part(self, start: int, stop: int) -> Any:
        """A block of users; numbers of half precision are of single, and truth values 0 and 1."""
        block = self.array[start : min(stop, self.shape[0]), :]
        block = self.library.numpy(block) if self.library is NUMPY else block
        kind = dtype_of(block)
        return self.library.cast(block, {"float16": "float32", "bfloat16": "float32", "bool": "int8"}.get(kind, kind))

    def take(self, cells: Codes) -> NDArray[Any]:
        """The numbers of these cells, shape (cells,)."""
        if dtype_of(self.array) != "bfloat16":
            return self.library.take(self.array, cells)
        found, items = np.empty(len(cells), np.float32), self.shape[1]
        for start, block in self.user_blocks():  # which NumPy has after a cast
            inside = (cells >= start * items) & (cells < (start + block.shape[0]) * items)
            found[inside] = self.library.take(block, cells[inside] - start * items)
        return found

    def user_blocks(self) -> Iterator[tuple[int, Any]]:
        """All blocks, with the first user of each."""
        users, items = self.shape
        step = max(1, self.library.block_cells(self.size) // max(1, items))
        for start in range(0, users, step):
            yield start, self.part(start, start + step)
