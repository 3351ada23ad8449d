"""What a caller knows of items and users: the catalogue, features, parents, propensities, properties of either.

Tables come as dicts, as tables of any library, or as CSV, TSV, Parquet or JSON files. Plain text gives text ids.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.basics.errors import InputError
from rankconv.conventions.spec import read_number
from rankconv.data.alignment import Role
from rankconv.data.arrays import Codes, Numbers, take_ownership
from rankconv.data.attributes import Features, GroupTargets, Parents, Propensities, Properties
from rankconv.data.ids import Ids, plain_ids, quoted
from rankconv.data.inputs.array_input import array_name, as_numpy, is_array, is_sparse, refuse_named_numbers
from rankconv.data.inputs.files import File, as_file
from rankconv.data.inputs.frame_shapes import is_frame
from rankconv.data.inputs.python import with_article
from rankconv.data.inputs.usual_names import USUAL_NAMES, is_usual
from rankconv.data.inputs.values import coded

ColumnValues = Mapping[str, Sequence[Any]]
"""The values of each column."""
SEPARATOR = "|"
"""Separates the categories of one cell, as in MovieLens."""
SHARES = ("group", "share")
"""The columns of a table with a row for each item and group."""
_DO = "Pass {item: [numbers]}, {item: {categories}}, or a table with a column of items"
_CATALOGUE_DO = "Pass the items, or how many there are"


def _read_table(data: Any, do: str, what: str, of: str) -> tuple[Mapping[Any, Any] | None, ColumnValues, str]:
    """A dict, or a table's columns, and its name for messages; InputError where data is neither, nor a file of one."""
    if isinstance(data, Mapping):
        return data, {}, with_article(data)
    if isinstance(data, str | os.PathLike):
        with as_file(os.fspath(data)) as file:
            return *_read_file(file, do, what, of), str(file)
    if is_frame(data):
        import narwhals.stable.v2 as nw

        frame: Any = nw.from_native(data, allow_series=False)
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        return None, {str(name): frame.get_column(name).to_list() for name in frame.columns}, with_article(data)
    raise InputError(f"{what} cannot be read from {with_article(data)}", do=do)


def _read_file(file: File, do: str, what: str, of: str) -> tuple[Mapping[Any, Any] | None, ColumnValues]:
    import polars as pl

    from rankconv.data.inputs.delimited import separator_of

    if file.ending == ".json":
        found = json.loads(Path(file.path).read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise InputError(f"this JSON is not an object of {of}", where=str(file), do=do)
        return found, {}
    try:
        if file.ending == ".parquet":
            frame = pl.read_parquet(file.path)
        else:
            frame = pl.read_csv(file.path, separator=separator_of(file), infer_schema=False)
        return None, frame.to_dict(as_series=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as problem:
        said = str(problem).partition("\n")[0]
        raise InputError(f"{what} cannot be read: {said}", where=str(file), do=do) from None


def _column_of(role: Role, columns: Iterable[str], source: str) -> str:
    """The one column with a usual name of this role."""
    usual = [name for name in columns if is_usual(role, name)]
    if len(usual) != 1:
        wrong, do = f"it is not clear which column has the {role}s", f"Call it '{USUAL_NAMES[role][0]}'."
        raise InputError(wrong, where=source, allowed=", ".join(columns), do=do)
    return usual[0]


# features of items


def features(data: Any) -> Features:
    """Read features of items from a dict, a table of any library, or the path of a CSV, TSV, Parquet or JSON file.

    A dict has for each item a sequence of numbers, or its categories: a set or a sequence of texts, or one text. A
    table has a column of items, and each column of numbers is a feature; a column of texts holds categories, several
    in a cell with | between them. Plain text gives text ids.
    Raises InputError for all else, and where vectors differ in length.
    """
    if isinstance(data, Features):
        return data
    given, columns, source = _read_table(data, _DO, "the features", "items")
    if given is None:
        in_text = isinstance(data, str | os.PathLike) and File(os.fspath(data), Path()).ending != ".parquet"
        return _features_of_columns(columns, source, in_text=in_text)
    items, _ = coded(list(given), "item", lambda row: f"{source}, entry {row} (counted from 0)")
    entries = [_entry(value) for value in given.values()]
    texts = {isinstance(one, frozenset) for one in entries if len(one)}
    if len(texts) > 1:
        raise InputError("some items have numbers and some have categories", where=source, do=_DO)
    if True in texts:
        return _of_categories(items, entries, source)
    lengths = {len(one): item for one, item in zip(entries, items.values.tolist(), strict=True) if len(one)}
    if len(lengths) > 1:
        said = ", ".join(f"{length} ({item!r})" for length, item in list(lengths.items())[:3])
        wrong = f"the vectors of items have different lengths: {said}"
        raise InputError(wrong, where=source, do="Give all items equally many numbers.")
    width = next(iter(lengths), 0)
    vectors = np.array([one if len(one) else [np.nan] * width for one in entries], np.float64)
    names = tuple(map(str, range(width)))
    return Features(items, take_ownership(vectors.reshape(len(items), width)), names, source)


def _entry(value: Any) -> Any:
    """The categories of an item as a set of texts, or its numbers."""
    if isinstance(value, str | set | frozenset):
        return _categories(value)
    if isinstance(value, Iterable):
        listed = list(value)
        if listed and all(isinstance(one, str) for one in listed):
            return frozenset(listed)
        if all(isinstance(one, int | float | np.number) for one in listed):
            return listed
    elif isinstance(value, int | float | np.number):
        return [value]
    raise InputError(f"{value!r:.60} is neither numbers nor categories of an item", do=_DO)


def _categories(value: Any) -> frozenset[str]:
    """The categories in a cell: a text, a list, or one value of another type."""
    if isinstance(value, str):
        return frozenset(value.split(SEPARATOR))
    listed = value if isinstance(value, Iterable) else [] if value is None else [value]
    return frozenset(map(str, listed))


def _of_categories(items: Ids, entries: Sequence[Iterable[str]], source: str) -> Features:
    names = sorted({name for one in entries for name in one})
    place = {name: at for at, name in enumerate(names)}
    vectors = np.zeros((len(items), len(names)))
    for row, one in enumerate(entries):
        vectors[row, [place[name] for name in one]] = 1
    return Features(items, take_ownership(vectors), tuple(names), source)


def _features_of_columns(columns: ColumnValues, source: str, *, in_text: bool) -> Features:
    name = _column_of("item", columns, source)
    items, code = coded(columns[name], "item", lambda row: f"{source}, row {row} (counted from 0)")
    others = {other: values for other, values in columns.items() if other != name}
    if not others:
        raise InputError("there is no column but that of the items", where=source, do=_DO)
    if {*others} == {*SHARES}:
        return _of_shares(items, code, others, source)
    if len(items) < len(code):
        do = "Give each item one row, with categories such as jazz|rock, or lists: frame.group_by('item').agg('genre')"
        raise InputError("an item has several rows", where=source, do=do)
    parts, held = [], list[str]()
    for other, given in others.items():
        values = _as_numbers(given) if in_text else given
        if all(value is None or isinstance(value, int | float) for value in values):
            vector = np.array([np.nan if value is None else value for value in values], np.float64)
            parts.append(Features(items, vector[:, None], (other,), source))
        else:
            parts.append(_of_categories(items, list(map(_categories, values)), source))
        held += [other] * len(parts[-1].names)
    vectors = take_ownership(np.hstack([part.vectors for part in parts]))
    return Features(items, vectors, tuple(name for part in parts for name in part.names), source, tuple(held))


def _of_shares(items: Ids, code: Codes, columns: ColumnValues, source: str) -> Features:
    """A vector of shares for each item, from a table with a row for each item and group; no row is no share."""
    groups, of = coded([str(group) for group in columns["group"]], "item", lambda row: f"{source}, row {row}")
    shares = shares_of(columns["share"], source)
    twice = np.flatnonzero(np.bincount(pairs := code * len(groups) + of) > 1)
    if len(twice):
        item, group = items.id(int(twice[0]) // len(groups)), groups.id(int(twice[0]) % len(groups))
        wrong = f"item {item!r} has {int((pairs == twice[0]).sum())} rows of group {group!r}"
        raise InputError(wrong, where=source, do="Give each item and group one row.")
    vectors = np.zeros((len(items), len(groups)))
    vectors[code, of] = shares
    names = tuple(groups.values.tolist())
    return Features(items, take_ownership(vectors), names, source, ("share",) * len(names))


def shares_of(values: Sequence[Any], source: str) -> Numbers:
    """The shares of a column, shape (rows,); an InputError for what is no number from 0 to 1."""
    numbers = _as_numbers(values)
    for row, value in enumerate(numbers):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
            wrong = f"{values[row]!r:.60} is not a share"
            raise InputError(wrong, where=f"{source}, row {row} (counted from 0)", allowed="A number from 0 to 1")
    return np.array(numbers, np.float64)


def _as_numbers(values: Sequence[Any]) -> Sequence[Any]:
    """Texts as the numbers that they all are, gaps aside; as they are where one is none."""
    if not any(isinstance(value, str) for value in values):
        return values
    import polars as pl

    texts = pl.Series(values)
    numbers = texts.cast(pl.Float64, strict=False) if texts.dtype == pl.String else texts
    return numbers.to_list() if numbers.null_count() == texts.null_count() else values


# the shares that groups should have

_TARGET_DO = "Pass {group: share}, {user: {group: share}}, or a table with the columns group and share, and user"


def group_targets(data: Any) -> GroupTargets:
    """Read the share that each group should have, of all users or of each.

    A dict by group, or by user and group; a table of any library or the path of a CSV, TSV, Parquet or JSON file with
    the columns `group` and `share`, and one of users where each has shares of their own. The shares of a target add up
    to 1. Raises InputError for all else, and where a user has a group twice.
    """
    if isinstance(data, GroupTargets):
        return data
    given, columns, source = _read_table(data, _TARGET_DO, "the target", "groups")
    if given is None:
        missing = next((name for name in SHARES if name not in columns), None)
        if missing is not None:
            wrong = f"there is no column '{missing}'"
            raise InputError(wrong, where=source, allowed=f"Columns: {', '.join(columns)}", do=_TARGET_DO)
        users = [name for name in columns if is_usual("user", name)]
        owners = columns[users[0]] if len(users) == 1 else None
        return _targets(owners, [str(one) for one in columns["group"]], columns["share"], source)
    nested = {isinstance(value, Mapping) for value in given.values()}
    if len(nested) != 1:
        raise InputError("the target has neither shares by group, nor by user and group", where=source, do=_TARGET_DO)
    if nested == {False}:
        return _targets(None, [str(group) for group in given], list(given.values()), source)
    rows = [(user, str(group), share) for user, shares in given.items() for group, share in shares.items()]
    owners, groups, shares = ([row[at] for row in rows] for at in range(3))
    return _targets(owners, groups, shares, source)


def _targets(owners: Sequence[Any] | None, names: Sequence[str], given: Sequence[Any], source: str) -> GroupTargets:
    shares, groups = shares_of(given, source), sorted({*names})
    users, of = (None, np.zeros(len(names), np.int64))
    if owners is not None:
        users, of = coded(owners, "user", lambda row: f"{source}, row {row} (counted from 0)")
    found = np.zeros((1 if users is None else len(users), len(groups)))
    at = np.array([groups.index(name) for name in names], np.int64)
    whose = ["all users"] if users is None else [f"user {user!r}" for user in users.values.tolist()]
    twice = np.flatnonzero(np.bincount(pairs := of * len(groups) + at) > 1)
    if len(twice):
        user, group = divmod(int(twice[0]), len(groups))
        wrong = f"the target of {whose[user]} has group '{groups[group]}' {int((pairs == twice[0]).sum())} times"
        raise InputError(wrong, where=source, do="Give each group one share.")
    found[of, at] = shares
    odd = np.flatnonzero(np.abs(found.sum(axis=1) - 1) > 1e-6)
    if len(odd):
        wrong = f"the shares of the target of {whose[odd[0]]} add up to {found[odd[0]].sum():g}"
        raise InputError(wrong, where=source, allowed="They add up to 1", do="Divide them by their sum.")
    return GroupTargets(tuple(groups), take_ownership(found), users, source)


# the documents of chunks

PARENT_NAMES = {
    *("parent", "parent_id", "document", "document_id", "doc", "doc_id", "docid", "docno", "product", "product_id"),
    *("group", "group_id", "parent_asin"),
}
CHUNK_NAMES = {"chunk", "variant", "variant_id", "node", "node_id"}
"""What columns of chunks and variants are called, in addition to the usual names of items."""
_PARENTS_DO = "Pass {chunk: document}, a table with a column of each, or the separator in ids such as 'doc1#0'"


def parents(data: Any) -> Parents:
    """Read the document of each chunk from a dict, a table, the path of a file, or a separator of ids.

    A text is a separator unless it ends as a file of a table does. Raises InputError for all else, where it is not
    clear which columns of a table are meant, and where an item has two documents.
    """
    if isinstance(data, Parents):
        return data
    if isinstance(data, str) and Path(data).suffix not in (".csv", ".tsv", ".json", ".parquet"):
        if not data:
            raise InputError("the separator of ids is empty", where="parents=", do=_PARENTS_DO)
        return Parents(separator=data)
    given, columns, source = _read_table(data, _PARENTS_DO, "the parents", "items")
    if given is None:
        documents = [name for name in columns if name in PARENT_NAMES]
        others = [name for name in columns if name not in PARENT_NAMES]
        chunks = [name for name in others if len(others) == 1 or is_usual("item", name) or name in CHUNK_NAMES]
        if len(documents) != 1 or len(chunks) != 1:
            wrong, do = (
                "it is not clear which columns have the chunks and their documents",
                "Call them chunk, document.",
            )
            raise InputError(wrong, where=source, allowed=", ".join(columns), do=do)
        pairs = dict.fromkeys(zip(columns[chunks[0]], columns[documents[0]], strict=True))
        given = dict(list(pairs))
        if len(given) < len(pairs):
            twice = next(chunk for chunk, document in pairs if given[chunk] != document)
            wrong = f"item {twice!r} has two documents"
            raise InputError(wrong, where=source, do="Give each chunk one row.")
    nobody = next((item for item, document in given.items() if document is None), None)
    if nobody is not None:
        raise InputError(f"item {nobody!r} has no document", where=source, do="Name one; its own id if it is one.")
    return Parents(table=dict(zip(plain_ids([*given]), plain_ids([*given.values()]), strict=True)), source=source)


# propensities

PROPENSITY_NAMES = ("propensity", "p")
"""What the column of propensities is called."""
_PROPENSITIES_DO = "Pass {item: p}, or a table with a column of items and one called 'propensity'"


def propensities(data: Any) -> Propensities:
    """Read the propensity of each item from a dict, a table of any library, or the path of a CSV, TSV, Parquet or JSON.

    Each is above 0 and at most 1. Plain text gives text ids. Raises InputError for all else, with the item, and with
    the line of a text file; and where an item has two.
    """
    if isinstance(data, Propensities):
        return data
    given, columns, source = _read_table(data, _PROPENSITIES_DO, "the propensities", "items")
    in_text = isinstance(data, str | os.PathLike) and File(os.fspath(data), Path()).ending not in (".parquet", ".json")
    if given is None:
        name = _column_of("item", columns, source)
        others = [other for other in columns if other != name]
        called = [other for other in others if other.casefold() in PROPENSITY_NAMES] or others
        if len(called) != 1:
            do = "Call it 'propensity'."
            raise InputError(
                "it is not clear which column has the propensities", where=source, allowed=", ".join(columns), do=do
            )
        keys, values = columns[name], columns[called[0]]
    else:
        keys, values = [*given], [*given.values()]

    def place(row: int) -> str:
        return f"{source}, line {row + 2}" if in_text else f"{source}, entry {row} (counted from 0)"

    items, code = coded(keys, "item", place)
    if len(items) < len(code):
        known = code.tolist()
        again = next(at for at in range(len(known)) if known.index(known[at]) < at)
        wrong = f"item {quoted(items.id(known[again]))} has two propensities"
        raise InputError(wrong, where=place(again), do="Give each item one.")
    found = [
        _propensity(value, f"{place(row)}, item {quoted(items.id(int(code[row])))}") for row, value in enumerate(values)
    ]
    return Propensities(items, take_ownership(np.array(found, np.float64)), source)


def _propensity(value: Any, where: str) -> float:
    """The number of one item; an InputError for what is not above 0 and at most 1."""
    given: Any = read_number(value) if isinstance(value, str) else value
    is_number = isinstance(given, int | float | np.number) and not isinstance(given, bool)
    number = float(given) if is_number else np.nan
    if 0 < number <= 1:
        return number
    allowed = "A propensity is a probability: above 0 and at most 1"
    if 1 < number < np.inf:
        do = f"If weights 1/p were given, pass their inverses: {1 / number:.6g} here."
    else:
        do = "Leave out the item if it has none, and see missing-weight."
    raise InputError(f"{value!r:.60} is not a propensity", where=where, allowed=allowed, do=do)


# properties of users or items


def properties(data: Any, role: Role) -> Properties:
    """Read a table with a column of users, or of items.

    Takes `{user: {column: value}}`, a table of any library, or the path of a CSV, TSV, Parquet or JSON file. Plain text
    gives text ids. Raises InputError for all else, and where a user has several rows.
    """
    if isinstance(data, Properties):
        return data
    do = f"Pass {{{role}: {{column: value}}}}, or a table with a column of {role}s"
    given, columns, source = _read_table(data, do, f"the {role}s", f"{role}s")
    if given is None:
        return _of_columns(columns, role, source, _column_of(role, columns, source))
    for name, value in given.items():
        if not isinstance(value, Mapping):
            raise InputError(f"{name!r:.60} has {with_article(value)}, and no columns", where=source, do=do)
    rows = [{str(name): one for name, one in value.items()} for value in given.values()]
    names = dict.fromkeys(name for row in rows for name in row)
    return _of_columns(
        {role: [*given], **{name: [row.get(name) for row in rows] for name in names}}, role, source, role
    )


def _of_columns(columns: ColumnValues, role: Role, source: str, key: str) -> Properties:
    ids, code = coded(columns[key], role, lambda row: f"{source}, row {row} (counted from 0)")
    if len(ids) < len(code):
        known = code.tolist()
        again = next(at for at in range(len(known)) if known.index(known[at]) < at)
        raise InputError(f"{role} {ids.id(known[again])!r} has two rows", where=source, do="Give each one row.")
    others = {name: list(map(_text, values)) for name, values in columns.items() if name != key}
    return Properties(ids, others, source)


def _text(value: Any) -> str | None:
    return None if value is None else f"{value:g}" if isinstance(value, float) else str(value)


# the catalogue


def catalogue_of(catalogue: Any) -> tuple[int, Ids | None]:
    """Return how many items there are, and which, where these were given and not their number alone.

    Items are a list, an array of one dimension, a column, or the path of a file with one item in each line.
    Raises InputError for tables and for arrays of more dimensions, in which the items are not known.
    """
    if isinstance(catalogue, (int, np.integer)) and not isinstance(catalogue, bool):
        if catalogue < 1:
            raise InputError(f"catalogue={catalogue} is not a number of items", do=_CATALOGUE_DO)
        return int(catalogue), None
    is_column = len(getattr(catalogue, "shape", ())) == 1 or hasattr(catalogue, "type")  # those of Arrow have no shape
    if is_frame(catalogue) and not is_column:
        raise _refused(f"catalogue= is {with_article(catalogue)}, and its columns are not the items", "frame['item']")
    if isinstance(catalogue, str | os.PathLike) and Path(catalogue).is_file():
        catalogue = [line for line in Path(catalogue).read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    if isinstance(catalogue, Iterable) and not isinstance(catalogue, str | bytes | bytearray):
        ids, _ = coded(_items(catalogue), "item", lambda row: f"the catalogue, entry {row}")
        return len(ids), ids
    raise InputError(f"catalogue={catalogue!r:.60} is not a catalogue", do=_CATALOGUE_DO)


def items_of(items: Any, called: str) -> Ids:
    """Read a list, a set, an array of one dimension or a column of items; InputError for anything else."""
    if isinstance(items, Ids):
        return items
    if not isinstance(items, Iterable) or isinstance(items, str | bytes | bytearray):
        raise InputError(f"{called} is {items!r:.60}, and not a list of items", do="Pass the items.")
    return coded(_items(items), "item", lambda row: f"{called}, entry {row}")[0]


def _items(catalogue: Any) -> Any:
    """The entries of what has one dimension."""
    if is_sparse(catalogue) or (is_array(catalogue) and len(getattr(catalogue, "shape", (0,))) != 1):
        wrong = f"catalogue= is an array of shape {tuple(catalogue.shape)}, and its rows are not the items"
        raise _refused(wrong, "array.shape[1] if its columns are the items, array.ravel() if its entries are")
    if is_array(catalogue):
        refuse_named_numbers(catalogue, "a Series of items")
        return as_numpy(catalogue, array_name(catalogue))
    return catalogue.to_pylist() if hasattr(catalogue, "to_pylist") else list(catalogue)


def _refused(wrong: str, instead: str) -> InputError:
    return InputError(wrong, do=f"Pass {instead}; or how many items there are, as a number")
