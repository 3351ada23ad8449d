"""Pairs (predicted, truth), one per user, as Spark's RankingMetrics takes them."""

from collections.abc import Sequence
from typing import Any

from rankconv.inputs import nested
from rankconv.inputs.array_interface import is_array
from rankconv.inputs.reader import Rows, Wanted


def takes(rows: Sequence[tuple[Any, ...]]) -> bool:
    """Tuples of two collections; an id is none."""
    return set(map(len, rows)) == {2} and all(map(_is_collection, rows[0]))


def read(rows: Sequence[tuple[Any, ...]], wanted: Wanted, source: str) -> Rows:
    """One of the two sides; users are numbered from 0."""
    side = 1 if wanted.what == "labels" else 0
    return nested.read(range(len(rows)), [pair[side] for pair in rows], wanted, source)


def _is_collection(value: Any) -> bool:
    return isinstance(value, list | set | frozenset | dict) or is_array(value)
