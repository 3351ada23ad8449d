"""Lists, dicts and tuples of Python: one collection per user, tuples with one entry per row, or labels in groups.

A list of two is a pair (item, number) in the list of a user, as it is in JSON. Groups have names.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from numbers import Real
from operator import itemgetter
from typing import Any, Literal

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.data.arrays import within
from rankconv.data.attributes import Form
from rankconv.data.ids import Ids, make_ids
from rankconv.data.inputs.array_input import as_numpy, is_array, refuse_named_numbers
from rankconv.data.inputs.input_rows import (
    ColumnSpec,
    Floats,
    InputReader,
    RankSource,
    RawRows,
    RowPlace,
    by_ids,
    by_user,
    shown,
)
from rankconv.data.inputs.user_pairs import have_two_lists, item_number_pairs, kinds_of_lists
from rankconv.data.inputs.usual_names import name_columns
from rankconv.data.inputs.values import as_list, coded, numbers_from_objects, raw_or_coded
from rankconv.data.inputs.word_columns import WordColumn, coded_words, numbers_or_words
from rankconv.data.words import Words

CollectionForm = Literal["items", "pairs", "numbers"]
_FORMS: dict[CollectionForm, str] = {
    "items": "items without numbers",
    "pairs": "a list of (item, number) pairs",
    "numbers": "a dict {item: number}",
}
_IN_GROUPS = _WITH_TIME = 4
"""Fields of a row of labels in groups, and of a rating with its time."""
_GROUP = (list, tuple, set, frozenset, dict)
_GROUP_FORMS = "A group is a list or set of items, or a dict {item: grade}"
_OF_SPARK = "the second list of each pair has the relevant items, as Spark's RankingMetrics takes them, and no scores"
_NAME_GROUPS = "Name the groups of a user: {user: dict(enumerate(groups))}"


def takes(data: Any) -> bool:
    """Whether data can be iterated."""
    return isinstance(data, Iterable) and not isinstance(data, bytes | bytearray)


def read(data: Any, spec: ColumnSpec, source: str = "") -> RawRows:
    """Read rows from a dict or list with one entry per user, or from tuples with one entry per row."""
    source = source or with_article(data)
    _refuse_tables(data, source)
    if isinstance(data, Mapping):
        return _read_collections(list(data), list(data.values()), spec, source)
    if isinstance(data, set | frozenset):
        raise InputError("a set has no order", where=source, do="Pass a list")
    entries = list(data)
    for place, entry in enumerate(entries):
        if isinstance(entry, tuple) != isinstance(entries[0], tuple):
            raise InputError(
                f"entry {place} is {with_article(entry)}, and entry 0 is {with_article(entries[0])}",
                where=source,
                allowed="Tuples are rows (user, item) or (user, item, number); a list or dict is all that a user has",
                do="Use one of the two forms throughout",
            )
    assumed = ""
    if entries and isinstance(entries[0], tuple):
        if not are_pairs_of_lists(entries):
            return _read_tuples(entries, spec, source)
        kinds = kinds_of_lists(entries) if have_two_lists(entries) else (None, None)
        assumed = _OF_SPARK if kinds == ("integers", "integers") else ""
        if assumed or None in kinds or kinds[0] == kinds[1]:
            entries = [pair[1 if spec.what == "labels" else 0] for pair in entries]
    rows = _read_collections(range(len(entries)), entries, spec, source)
    return replace(rows, form=replace(rows.form, in_turn=True, assumed=assumed or rows.form.assumed))


def _refuse_tables(data: Iterable[Any], source: str) -> None:
    """An InputError for columns by name, and for records, each with its columns by name."""
    entries: Iterable[Any] = data.values() if isinstance(data, Mapping) else data if isinstance(data, list) else ()
    first = next(iter(entries), None)
    table, names = "data", list(data) if isinstance(data, Mapping) and name_columns(data) else []
    if isinstance(first, Mapping) and name_columns(first):
        table, names = "data" if isinstance(data, list) else "list(data.values())", list(first)
    _refuse_response(data, source)
    if names:
        wrong = f"these are rows with named columns ({', '.join(map(str, names)):.100}), and not the items of users"
        do = f"Pass a table: pandas.DataFrame({table}) or polars.DataFrame({table})"
        raise InputError(wrong, where=source, do=do, shell="Write JSON lines, an object for each row")


def _refuse_response(data: Any, source: str) -> None:
    """An InputError for what Chroma and others return: lists of ids, and of numbers, of the queries in turn."""
    number = next((name for name in ("scores", "distances") if isinstance(data, Mapping) and name in data), "")
    if not number or "ids" not in data:
        return
    values = "scores" if number == "scores" else "(-one for one in distances)"
    do = f"Pass [dict(zip(ids, {values})) for ids, {number} in zip(data['ids'], data['{number}'])]"
    raise InputError(f"'ids' and '{number}' are no users, but lists of the queries in turn", where=source, do=do)


def with_article(value: Any) -> str:
    """Return the type of a value with its article."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def are_pairs_of_lists(rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether rows are pairs (predicted, truth), one per user, as Spark's RankingMetrics takes them; an id is none."""
    return set(map(len, rows)) == {2} and all(map(_is_collection, rows[0]))


def _is_collection(value: Any) -> bool:
    return isinstance(value, list | set | frozenset | dict) or is_array(value)


# tuples


def _read_tuples(rows: Sequence[tuple[Any, ...]], spec: ColumnSpec, source: str) -> RawRows:
    """Rows from tuples (user, item), (user, item, number), or of labels (user, group, item, grade); at least one."""
    from rankconv.data.inputs.row_batches import times_from_objects

    _check_lengths(rows, spec, source)
    columns = [list(map(itemgetter(place), rows)) for place in range(len(rows[0]))]
    timed = "time" in spec.columns
    times = columns.pop() if timed and len(columns) == _WITH_TIME else None
    of_group = columns.pop(1) if len(columns) == _IN_GROUPS else None
    users, user = coded(columns[0], "user", lambda row: f"{source}, row {row}")
    items, item = coded(columns[1], "item", lambda row: f"{source}, row {row}, user {columns[0][row]!r}")
    if len(columns) == 2:
        return RawRows(source, users, user, items, item)
    place = by_ids(source, users, user, items, item)
    number, words = _numbers_or_words(columns[2], spec.number, place)
    groups, group = (None, None) if of_group is None else coded(of_group, "group", place)
    time = None if times is None else times_from_objects(times, place)
    return RawRows(source, users, user, items, item, number, groups=groups, group=group, time=time, words=words)


def _check_lengths(rows: Sequence[tuple[Any, ...]], spec: ColumnSpec, source: str) -> None:
    first, of_labels = len(rows[0]), spec.what == "labels"
    allowed = f"A row is (user, item) or (user, item, {spec.number})"
    if of_labels:
        allowed += " or (user, item, rating, time)" if "time" in spec.columns else " or (user, group, item, grade)"
    if first not in (2, 3, *((_IN_GROUPS,) if of_labels else ())):
        do = "Pass one list, not a tuple, for each user if these are the items of users"
        if names := getattr(rows[0], "_fields", ()):
            do = f"Pass pandas.DataFrame(data), whose columns are {', '.join(names)}"
        raise InputError(f"the tuple has {first} fields", where=f"{source}, row 0", allowed=allowed, do=do)
    for row, fields in enumerate(rows if set(map(len, rows)) != {first} else ()):
        if len(fields) != first:
            wrong = f"this tuple has {len(fields)} fields, and row 0 has {first}"
            user = f", user {fields[0]!r}" if fields else ""
            raise InputError(wrong, where=f"{source}, row {row}{user}", allowed=allowed, do="Use one form throughout")


# one list, dict or set per user


def _read_collections(names: Sequence[Any], owned: Sequence[Any], spec: ColumnSpec, source: str) -> RawRows:
    """Rows from the collection that each user owns."""
    users, owner = coded(names, "user", lambda _: source)
    if len(users) < len(owner):
        raise InputError("two keys are the same user", where=source, do="Give each user one entry")
    if spec.what == "labels" and _are_groups(owned):
        return _read_groups(users, owned, source)
    if "call" in spec.columns and are_calls(owned):
        return _read_calls(users, owned, spec, source)
    dicts = set(map(type, owned)) == {dict}
    if dicts:
        form: CollectionForm | None = "numbers" if any(owned) else None
    else:
        pairs = item_number_pairs(owned, spec, source) if have_two_lists(owned) else None
        owned = pairs or [_unpacked(one, name, source) for name, one in zip(names, owned, strict=True)]
        form = _common_form(users, owned, spec, source)
    starts = np.append(0, np.cumsum(np.fromiter(map(len, owned), np.int64, len(owned))))
    entries = list(chain.from_iterable(owned if dicts else map(_items, owned)))
    ids = raw_or_coded([entries], "item", by_user(source, users, None, starts))
    about: dict[str, Any] = {"starts": starts, "distinct": dicts}
    if form in ("items", None):
        assumed = _assumed_of_lists(owned) if isinstance(names, range) else ""
        return RawRows(source, users, None, *ids, form=Form(assumed=assumed), **about)
    given = list(chain.from_iterable(map(dict.values if dicts else _numbers, owned)))
    number, about["words"] = _numbers_or_words(given, spec.number, by_ids(source, users, None, *ids, starts))
    rank = np.arange(len(entries), dtype=np.float64) if form == "pairs" else None
    return RawRows(source, users, None, *ids, number, rank, RankSource.LIST, **about)


def _numbers_or_words(values: Sequence[Any], role: str, place: RowPlace) -> tuple[Floats, Words | None]:
    """The number of each row, shape (rows,), and the words where these are in the place of numbers."""
    read = numbers_or_words(numbers_from_objects, values, role, place)
    return coded_words([read]) if isinstance(read, WordColumn) else (read, None)


def _assumed_of_lists(lists: Sequence[Any]) -> str:
    """What is assumed of lists that look like rows, as JSON writes tuples: of two or three, the users together."""
    lengths = set(map(len, lists))
    if lengths not in ({2}, {3}) or set(map(type, lists)) != {list}:
        return ""
    first = [one[0] for one in lists]
    together = 1 + sum(one != other for one, other in pairwise(first))
    if not len(set(first)) == together < len(first):
        return ""
    return f"each of these {len(lists)} lists has the items of one user; rows (user, item, number) are tuples"


def _common_form(users: Ids, owned: Sequence[Any], spec: ColumnSpec, source: str) -> CollectionForm | None:
    """The form of every user's collection; an empty one has none of its own."""
    first, common = 0, None
    for code, collection in enumerate(owned):
        form = _form(collection, spec, lambda code=code: f"{source}, user {shown(users, code)}")  # type: ignore[misc]
        if common is None:
            first, common = code, form
        elif form not in (common, None):
            wrong = f"this user has {_FORMS[form]}, and user {shown(users, first)} has {_FORMS[common]}"
            where = f"{source}, user {shown(users, code)}"
            raise InputError(wrong, where=where, do="Give all users the same form")
    return common


def _form(collection: Any, spec: ColumnSpec, where: Callable[[], str]) -> CollectionForm | None:
    """The form of what one user owns, or None where that is empty."""
    if isinstance(collection, set | frozenset) and spec.what == "rankings":
        raise InputError("a set has no order", where=where(), do="Pass a list of items, best first")
    collections, texts = Mapping | Sequence | set | frozenset, str | bytes | bytearray
    if not isinstance(collection, collections) or isinstance(collection, texts):
        number = spec.number
        allowed = f"Each user has a list of items, a list of (item, {number}) pairs or a dict {{item: {number}}}"
        wrong, do = f"{collection!r:.60} is not a collection of items", "Put a single item into a list"
        if isinstance(collection, Iterable) and not isinstance(collection, texts):
            do = "Put what it gives into a list: {user: list(items) for user, items in data.items()}"
        raise InputError(wrong, where=where(), allowed=allowed, do=do)
    if not len(collection):
        return None
    if isinstance(collection, Mapping):
        return "numbers"
    if not any(issubclass(kind, tuple | list) for kind in set(map(type, collection))):
        return "items"
    pairs = [_is_pair(entry) for entry in collection]
    if any(pairs) and not all(pairs):
        wrong = "some entries are (item, number) pairs and some are not"
        raise InputError(wrong, where=where(), do=f"Give all entries the same form. {_NAME_GROUPS}")
    if pairs[0] and spec.what == "labels" and all(isinstance(number, str) for _, number in collection):
        raise InputError("lists of two texts are no pairs (item, grade)", where=where(), do=_NAME_GROUPS)
    return "pairs" if pairs[0] else "items"


def _is_pair(entry: Any) -> bool:
    """Whether this is a pair `(item, score)`; after JSON a pair is a list."""
    return isinstance(entry, tuple | list) and len(entry) == 2


def _items(collection: Any) -> Iterable[Any]:
    """The items of one user."""
    entries = collection if isinstance(collection, Mapping) else _in_order(collection)
    pairs = isinstance(entries, list) and bool(entries) and _is_pair(entries[0])
    return (item for item, _ in entries) if pairs else entries


def _numbers(collection: Any) -> Iterable[Any]:
    """The number of each item."""
    return collection.values() if isinstance(collection, Mapping) else (number for _, number in _in_order(collection))


def _unpacked(collection: Any, user: Any, source: str) -> Any:
    """The entries of an array of one dimension, of this user, as a list; anything else unchanged."""
    if isinstance(collection, list | tuple | dict | set) or not is_array(collection) or len(collection.shape) != 1:
        return collection
    refuse_named_numbers(collection, f"{source}, user {user!r}")
    return as_list(as_numpy(collection, "an array"))


def _in_order(collection: Iterable[Any]) -> list[Any]:
    """A collection as a list; a set sorted, since its own order changes from one process to the next."""
    if isinstance(collection, set | frozenset):
        try:
            return sorted(collection)
        except TypeError:  # of several types, which the check of the ids will refuse
            pass
    return list(collection)


# several lists of one user


def are_calls(owned: Sequence[Any]) -> bool:
    """Whether users own several lists, one for each search; lists of two that may all be pairs are pairs."""
    first = next((one for one in owned if isinstance(one, list) and one), None)
    if first is None or not isinstance(first[0], list):
        return False
    lists = [one for of_user in owned if isinstance(of_user, list) for one in of_user]
    return not all(isinstance(one, list) and _is_pair(one) and isinstance(one[1], Real) for one in lists)


def _read_calls(users: Ids, owned: Sequence[Any], spec: ColumnSpec, source: str) -> RawRows:
    """Rows of the lists of each user, which are called 1, 2, …"""
    for code, lists in enumerate(owned):
        if not isinstance(lists, list) or not all(isinstance(one, list) for one in lists):
            wrong, do = "this is not a list of lists, as other users have it", "Give each user a list for each search"
            raise InputError(wrong, where=f"{source}, user {shown(users, code)}", do=do)
    counts = list(map(len, owned))
    user, call = np.repeat(np.arange(len(owned)), counts), within(np.repeat(np.arange(len(owned)), counts))
    named = [f"{users.id(int(code))}, call {at + 1}" for code, at in zip(user, call, strict=True)]
    one_list = replace(spec, columns={role: name for role, name in spec.columns.items() if role != "call"})
    rows = _read_collections(named, list(chain.from_iterable(owned)), one_list, source)
    lengths = np.bincount(rows.owner, minlength=len(named))
    empty = [(int(user[at]), int(call[at])) for at in np.flatnonzero(lengths == 0)]
    names = make_ids([*range(1, max(counts, default=0) + 1)], "call")
    of_row: dict[str, Any] = {"user": user[rows.owner], "call": call[rows.owner], "starts": None}
    return replace(rows, users=users, **of_row, calls=names, empty_calls=empty, distinct=False)


# labels in groups


def _are_groups(owned: Sequence[Any]) -> bool:
    """Whether users own groups of items by name, and not items; the first user who owns anything decides."""
    first = next((one for one in owned if isinstance(one, Mapping) and len(one)), {None: None})
    return isinstance(next(iter(first.values())), _GROUP)


def _read_groups(users: Ids, owned: Sequence[Any], source: str) -> RawRows:
    """Rows from the named groups that each user owns; an empty collection has none."""
    owned = [{} if isinstance(one, _GROUP) and not one else one for one in owned]
    named = next((name for groups in owned if isinstance(groups, Mapping) for name in groups), None)
    for code, groups in enumerate(owned):
        _check_groups(groups, named, f"{source}, user {shown(users, code)}")
    collections = [items for groups in owned for items in groups.values()]
    lengths = list(map(len, collections))
    user = np.repeat(np.repeat(np.arange(len(users)), list(map(len, owned))), lengths)
    names, name = coded(list(chain.from_iterable(owned)), "group", lambda row: source)
    group = np.repeat(name, lengths)

    def place(row: int) -> str:
        return f"{source}, user {shown(users, user[row])}, group {shown(names, group[row])}"

    items, item = coded(list(chain.from_iterable(map(_in_order, collections))), "item", place)
    graded = {isinstance(one, Mapping) for one in collections}
    if len(graded) > 1:
        wrong = "some groups have grades and some have none"
        raise InputError(wrong, where=source, allowed=_GROUP_FORMS, do="Grade all")
    number = None
    if graded == {True}:
        grades = list(chain.from_iterable(one.values() for one in collections))
        number = numbers_from_objects(grades, "grade", lambda row: f"{place(row)}, item {shown(items, item[row])}")
    return RawRows(source, users, user, items, item, number, groups=names, group=group)


def _check_groups(groups: Any, named: Any, where: str) -> None:
    """An InputError where what a user owns are not named groups of items; `named` is the name of another group."""
    if not isinstance(groups, Mapping):
        wrong = f"{groups!r:.60} is not a dict of groups, as other users have it"
        do = f"Put items into a group with a name: {{user: {{{named!r:.60}: items}}}}"
        raise InputError(wrong, where=where, allowed=_GROUP_FORMS, do=do)
    for name, items in groups.items():
        of_group = f"{where}, group {name!r}"
        if not isinstance(items, _GROUP):
            wrong, do = f"{items!r:.60} is not a group, as other entries are", "Put a single item into a list"
            raise InputError(wrong, where=of_group, allowed=_GROUP_FORMS, do=do)
        if not items:
            raise InputError("this group is empty", where=of_group, do="Leave it out")


PYTHON = InputReader("Python lists, dicts and tuples", takes, read, types=(dict, list, tuple))
