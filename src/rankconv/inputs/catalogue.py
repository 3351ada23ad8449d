"""Which items there are, or how many, as a caller says it."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.data.ids import Ids
from rankconv.errors import InputError
from rankconv.inputs import frames, sparse
from rankconv.inputs.array_interface import as_numpy, is_array, named
from rankconv.inputs.coding import coded
from rankconv.inputs.python import with_article

_DO = "Pass the items, or how many there are"


def catalogue_of(catalogue: Any) -> tuple[int, Ids | None]:
    """How many items there are, and which, where these were given and not their number alone.

    Items are a list, an array of one dimension, a column, or the path of a file with one item in each line.
    Raises InputError for tables and for arrays of more dimensions, of which nobody can say what the items are.
    """
    if isinstance(catalogue, (int, np.integer)) and not isinstance(catalogue, bool):
        if catalogue < 1:
            raise InputError(f"catalogue={catalogue} is not a number of items", do=_DO)
        return int(catalogue), None
    if frames.takes(catalogue) and not _is_column(catalogue):
        raise _refused(f"catalogue= is {with_article(catalogue)}, and its columns are not the items", "frame['item']")
    if isinstance(catalogue, str | os.PathLike) and Path(catalogue).is_file():
        catalogue = [line for line in Path(catalogue).read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    if isinstance(catalogue, Iterable) and not isinstance(catalogue, str | bytes | bytearray):
        ids, _ = coded(_items(catalogue), "item", lambda row: f"the catalogue, entry {row}")
        return len(ids), ids
    raise InputError(f"catalogue={catalogue!r:.60} is not a catalogue", do=_DO)


def items_of(items: Any, called: str) -> Ids:
    """These items: a list, a set, an array of one dimension or a column; an InputError for anything else."""
    if isinstance(items, Ids):
        return items
    if not isinstance(items, Iterable) or isinstance(items, str | bytes | bytearray):
        raise InputError(f"{called} is {items!r:.60}, and not a list of items", do="Pass the items.")
    return coded(_items(items), "item", lambda row: f"{called}, entry {row}")[0]


def _is_column(data: Any) -> bool:
    """Whether this is one column of a table; those of Arrow have no shape."""
    return len(getattr(data, "shape", ())) == 1 or hasattr(data, "type")


def _items(catalogue: Any) -> Any:
    """The entries of what has one dimension."""
    dimensions = len(getattr(catalogue, "shape", (0,)))
    if sparse.takes(catalogue) or (is_array(catalogue) and dimensions != 1):
        shape = tuple(catalogue.shape)
        raise _refused(
            f"catalogue= is an array of shape {shape}, and its rows are not the items",
            "array.shape[1] if its columns are the items, array.ravel() if its entries are",
        )
    if is_array(catalogue):
        return as_numpy(catalogue, named(catalogue))
    return catalogue.to_pylist() if hasattr(catalogue, "to_pylist") else list(catalogue)


def _refused(wrong: str, instead: str) -> InputError:
    return InputError(wrong, do=f"Pass {instead}; or how many items there are, as a number")
