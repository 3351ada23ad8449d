"""Labels in groups, one collection of groups per user: `{user: [[a, b], [c]]}` or `{user: {group: {item: grade}}}`.

A list of two whose second entry is a number is a pair (item, grade) wherever pairs can stand, as it is in JSON. Lists
are groups where some list of the data can be no such pair; sets and named groups are groups always.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes
from rankconv.data.ids import Ids
from rankconv.errors import InputError
from rankconv.inputs import numbers
from rankconv.inputs.coding import coded
from rankconv.inputs.reader import Rows, shown

_GROUP = (list, set, frozenset, dict)
"""What a group of items is, where users have lists of groups; a tuple there is a pair (item, grade)."""
_FORMS = "A group is a list or set of items, or a dict {item: grade}"


def are_groups(owned: Sequence[Any]) -> bool:
    """Whether users own groups of items, and not items; the first user who owns anything says most."""
    first = next((one for one in owned if isinstance(one, Mapping | list | tuple) and len(one)), None)
    if isinstance(first, Mapping):
        return isinstance(next(iter(first.values())), (*_GROUP, tuple))
    if first is None or not isinstance(first[0], _GROUP):
        return False
    lists = [one for one in owned if isinstance(one, list | tuple)]
    return any(isinstance(one, _GROUP) and not _may_be_pair(one) for one in chain.from_iterable(lists))


def _may_be_pair(entry: Any) -> bool:
    """Whether this list may be an item and its grade."""
    if not isinstance(entry, list) or len(entry) != 2:
        return False
    try:
        float(entry[1])
    except (TypeError, ValueError):
        return False
    return True


def read(users: Ids, owner: Codes, owned: Sequence[Any], source: str) -> Rows:
    """Rows from the groups that each user owns; `owner` has shape (users,). Unnamed groups are numbered from 0."""
    groups = [_named(one, f"{source}, user {shown(users, code)}") for code, one in zip(owner, owned, strict=True)]
    lengths = [[len(items) for items in one.values()] for one in groups]
    user = np.repeat(owner, [sum(one) for one in lengths])
    names, name = coded(list(chain.from_iterable(groups)), "group", lambda row: source)
    group = np.repeat(name, list(chain.from_iterable(lengths)))

    def place(row: int) -> str:
        return f"{source}, user {shown(users, user[row])}, group {shown(names, group[row])}"

    collections = [items for one in groups for items in one.values()]
    items, item = coded(list(chain.from_iterable(map(_items, collections))), "item", place)
    graded = {isinstance(one, Mapping) for one in collections}
    if len(graded) > 1:
        raise InputError("some groups have grades and some have none", where=source, allowed=_FORMS, do="Grade all")
    given = list(chain.from_iterable(one.values() for one in collections)) if graded == {True} else None
    number = (
        None
        if given is None
        else numbers.from_objects(given, "grade", lambda row: f"{place(row)}, item {shown(items, item[row])}")
    )
    return Rows(source, users, user, items, item, number, groups=names, group=group)


def _named(owned: Any, where: str) -> dict[Any, Any]:
    """The groups of one user by name."""
    if not isinstance(owned, Mapping | list | tuple):
        wrong = f"{owned!r:.60} is no collection of groups, as other users have them"
        raise InputError(wrong, where=where, allowed=_FORMS, do="Put its groups into a list or a dict")
    groups = dict(owned) if isinstance(owned, Mapping) else dict(enumerate(owned))
    for name, items in groups.items():
        if not isinstance(items, (*_GROUP, tuple)) or (isinstance(items, tuple) and not isinstance(owned, Mapping)):
            wrong = f"{items!r:.60} is no group, as other entries are"
            raise InputError(
                wrong, where=f"{where}, group {name!r}", allowed=_FORMS, do="Put a single item into a list"
            )
        if not items:
            raise InputError("this group is empty", where=f"{where}, group {name!r}", do="Leave it out")
    return groups


def _items(group: Any) -> Iterable[Any]:
    """The items of one group; those of a set in an order that is the same in every process."""
    if not isinstance(group, set | frozenset):
        return list(group)
    try:
        return sorted(group)
    except TypeError:
        return list(group)  # of several types, which the check of the ids will refuse
