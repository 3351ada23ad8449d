"""One list, dict or set per user."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids
from rankconv.data.uncoded import PythonTexts
from rankconv.errors import InputError
from rankconv.inputs import in_groups, numbers
from rankconv.inputs.array_interface import as_numpy, is_array
from rankconv.inputs.coding import FEW, coded, listed
from rankconv.inputs.reader import Column, Place, RankSource, Rows, Wanted, by_ids, by_user, shown

_SOME = 2_000
"""So many texts are looked at at a time: they fit the processor's cache."""
Form = Literal["items", "pairs", "numbers"]

_SAID: dict[Form, str] = {
    "items": "items without numbers",
    "pairs": "a list of (item, number) pairs",
    "numbers": "a dict {item: number}",
}


def read(names: Sequence[Any], owned: Sequence[Any], wanted: Wanted, source: str) -> Rows:
    """Rows from the collection that each user owns."""
    users, owner = coded(names, "user", lambda _: source)
    if wanted.what == "labels" and in_groups.are_groups(owned):
        return in_groups.read(users, owner, owned, source)
    dicts = set(map(type, owned)) == {dict}
    owned = owned if dicts else list(map(_unpacked, owned))
    form = _form_of_dicts(owned) if dicts else _common_form(users, owner, owned, wanted, source)
    lengths = np.fromiter(map(len, owned), np.int64, len(owned))
    together = len(users) == len(owned)
    starts = np.append(0, np.cumsum(lengths)) if together else None
    user = None if together else np.repeat(owner, lengths)
    entries = list(chain.from_iterable(owned if dicts else map(_items, owned)))
    items, item = _coded(entries, by_user(source, users, user, starts))
    known: dict[str, Any] = {"starts": starts, "distinct": together and dicts}
    if form in ("items", None):
        return Rows(source, users, user, items, item, **known)
    given = list(chain.from_iterable(map(dict.values if dicts else _numbers, owned)))
    number = numbers.from_objects(given, wanted.number, by_ids(source, users, user, items, item, starts))
    in_order = Column(np.arange(len(entries), dtype=np.float64)) if form == "pairs" else None
    return Rows(source, users, user, items, item, number, in_order, RankSource.LIST, **known)


def _coded(entries: list[Any], place: Place) -> tuple[Ids | None, Codes | PythonTexts]:
    """The items as codes, shape (rows,); many that are texts as they came, without codes."""
    if len(entries) > FEW and _are_texts(entries):
        return None, PythonTexts(entries)
    return coded(entries, "item", place)


def _are_texts(entries: Sequence[Any]) -> bool:
    """Whether all are texts, none of which holds half a character, as no file can."""
    some = (entries[first : first + _SOME] for first in range(0, len(entries), _SOME))
    try:
        return all(_encodable("".join(texts)) for texts in some)
    except TypeError:  # which takes less than to ask each for its type
        return False


def _encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _form_of_dicts(owned: Sequence[dict[Any, Any]]) -> Form | None:
    return "numbers" if any(owned) else None


def _common_form(users: Ids, owner: Codes, owned: Sequence[Any], wanted: Wanted, source: str) -> Form | None:
    """The form of every user's collection; an empty one has none of its own. `owner` has shape (users,)."""
    first, common = 0, None
    for code, collection in zip(owner.tolist(), owned, strict=True):
        where = f"{source}, user {shown(users, code)}"
        form = _form(collection, wanted, where)
        if common is None:
            first, common = code, form
        elif form not in (common, None):
            wrong = f"this user has {_SAID[form]}, and user {shown(users, first)} has {_SAID[common]}"
            raise InputError(wrong, where=where, do="Give all users the same form")
    return common


def _form(collection: Any, wanted: Wanted, where: str) -> Form | None:
    """The form of what one user owns, or None where that is empty."""
    _check(collection, wanted, where)
    if not len(collection):
        return None
    if isinstance(collection, Mapping):
        return "numbers"
    if not any(issubclass(kind, tuple | list) for kind in set(map(type, collection))):
        return "items"
    pairs = [_is_pair(entry) for entry in collection]
    if any(pairs) and not all(pairs):
        wrong = "some entries are (item, number) pairs and some are not"
        raise InputError(wrong, where=where, do="Give all entries the same form")
    return "pairs" if pairs[0] else "items"


def _check(collection: Any, wanted: Wanted, where: str) -> None:
    if isinstance(collection, set | frozenset) and wanted.what == "rankings":
        raise InputError("a set has no order", where=where, do="Pass a list of items, best first")
    if not _is_collection(collection):
        raise InputError(
            f"{collection!r:.60} is no collection of items",
            where=where,
            allowed=f"Each user has a list of items, a list of (item, {wanted.number}) pairs "
            f"or a dict {{item: {wanted.number}}}",
            do="Put a single item into a list",
        )


def _is_collection(value: Any) -> bool:
    return isinstance(value, Mapping | Sequence | set | frozenset) and not isinstance(value, str | bytes | bytearray)


def _is_pair(entry: Any) -> bool:
    """Whether this is a pair `(item, score)`; after JSON a pair is a list."""
    return isinstance(entry, tuple | list) and len(entry) == 2


def _items(collection: Any) -> Iterable[Any]:
    """The items of one user."""
    entries = collection if isinstance(collection, Mapping) else _listed(collection)
    return (item for item, _ in entries) if _are_pairs(entries) else entries


def _numbers(collection: Any) -> Iterable[Any]:
    """The number beside each item."""
    return collection.values() if isinstance(collection, Mapping) else (number for _, number in _listed(collection))


def _are_pairs(entries: Any) -> bool:
    return isinstance(entries, list) and bool(entries) and _is_pair(entries[0])


def _unpacked(collection: Any) -> Any:
    """The entries of an array of one dimension as a list; anything else unchanged."""
    if isinstance(collection, list | tuple | dict | set) or not is_array(collection) or len(collection.shape) != 1:
        return collection
    return listed(as_numpy(collection, "an array"))


def _listed(collection: Any) -> list[Any]:
    return _sorted(collection) if isinstance(collection, set | frozenset) else list(collection)


def _sorted(items: set[Any] | frozenset[Any]) -> list[Any]:
    """A set as a sorted list: a set's own order changes from one process to the next, and results must not."""
    try:
        return sorted(items)
    except TypeError:
        return list(items)  # of several types, which the check of the ids will refuse
