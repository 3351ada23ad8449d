"""Lists, dicts and tuples."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import nested, spark_pairs, tuples
from rankconv.inputs.reader import Reader, Rows, Wanted


def takes(data: Any) -> bool:
    """Whatever gives one thing after the other."""
    return isinstance(data, Iterable) and not isinstance(data, bytes | bytearray)


def read(data: Any, wanted: Wanted, source: str = "") -> Rows:
    """Rows from a dict or list with one entry per user, or from tuples with one entry per row."""
    source = source or with_article(data)
    if isinstance(data, Mapping):
        return nested.read(list(data), list(data.values()), wanted, source)
    if isinstance(data, set | frozenset):
        raise InputError("a set has no order", where=source, do="Pass a list")
    entries = list(data)
    if entries and _are_tuples(entries, source):
        if spark_pairs.takes(entries):
            return spark_pairs.read(entries, wanted, source)
        return tuples.read(entries, wanted, source)
    return nested.read(range(len(entries)), entries, wanted, source)


def with_article(value: Any) -> str:
    """The type of a value, as one says it."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _are_tuples(entries: Sequence[Any], source: str) -> bool:
    """Whether entries are rows; else each belongs to a user."""
    first = isinstance(entries[0], tuple)
    for place, entry in enumerate(entries):
        if isinstance(entry, tuple) != first:
            raise InputError(
                f"entry {place} is {with_article(entry)}, and entry 0 is {with_article(entries[0])}",
                where=source,
                allowed="Tuples are rows (user, item) or (user, item, number); a list or dict is all that a user has",
                do="Use one of the two forms throughout",
            )
    return first


READER = Reader("Python lists, dicts and tuples", takes, read, types=(dict, list, tuple))
