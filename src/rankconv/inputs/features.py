"""What is known of items, as a caller has it: a vector of numbers or a set of categories for each."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.arrays import Numbers, own
from rankconv.data.features import Features
from rankconv.data.ids import Ids
from rankconv.errors import InputError
from rankconv.inputs import frames
from rankconv.inputs.coding import coded
from rankconv.inputs.file import File, as_file
from rankconv.inputs.known_names import USUAL_NAMES, is_usual
from rankconv.inputs.python import with_article

if TYPE_CHECKING:
    import polars as pl

_DO = "Pass {item: [numbers]}, {item: {categories}}, or a table with a column of items"
SEPARATOR = "|"
"""Between the categories of one cell, as MovieLens has them."""


def features(data: Any) -> Features:
    """What is known of the items: of a dict, a table of any library, or the path of a CSV, TSV, Parquet or JSON file.

    A dict has for each item a sequence of numbers, or its categories: a set or a sequence of texts, or one text. A
    table has a column of items, and each column of numbers is a feature; a column of texts holds categories, several
    in a cell with | between them, or in further rows of the item. Plain text gives text ids.
    Raises InputError for all else, and where vectors differ in length.
    """
    if isinstance(data, Features):
        return data
    if isinstance(data, Mapping):
        return _of_dict(data, with_article(data))
    if isinstance(data, str | os.PathLike):
        with as_file(os.fspath(data)) as file:
            return _of_file(file)
    if frames.takes(data):
        import narwhals.stable.v2 as nw

        frame: Any = nw.from_native(data, allow_series=False)
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        columns = {str(name): frame.get_column(name).to_list() for name in frame.columns}
        return _of_columns(columns, with_article(data))
    raise InputError(f"features= is {with_article(data)}, and no features are read from it", do=_DO)


def _of_file(file: File) -> Features:
    import polars as pl

    if file.ending == ".json":
        found = json.loads(Path(file.path).read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise InputError("this JSON is no object of items", where=str(file), do=_DO)
        return _of_dict(found, str(file))
    try:
        frame = pl.read_parquet(file.path) if file.ending == ".parquet" else _text_table(file)
    except pl.exceptions.PolarsError as problem:
        said = str(problem).partition("\n")[0]
        raise InputError(f"the features cannot be read: {said}", where=str(file), do=_DO) from None
    return _of_columns(frame.to_dict(as_series=False), str(file))


def _text_table(file: File) -> "pl.DataFrame":
    """A table of text, of which columns that hold nothing but numbers are numbers, and the items are texts."""
    import polars as pl

    separator = "\t" if b"\t" in file.first_line else ","
    frame = pl.read_csv(file.path, separator=separator, infer_schema=False)
    item = _item_column(frame.columns, str(file))
    told = frame.with_columns(pl.exclude(item).cast(pl.Float64, strict=False))
    numeric = [name for name in frame.columns if told[name].null_count() == frame[name].null_count() and name != item]
    return frame.with_columns(told[name] for name in numeric)


def _item_column(columns: Sequence[str], source: str) -> str:
    usual = [name for name in columns if is_usual("item", name)]
    if len(usual) != 1:
        do = f"Call the column of the items '{USUAL_NAMES['item'][0]}'."
        raise InputError("it is not clear which column has the items", where=source, allowed=", ".join(columns), do=do)
    return usual[0]


def _of_dict(given: Mapping[Any, Any], source: str) -> Features:
    items, _ = coded(list(given), "item", lambda row: f"{source}, entry {row} (counted from 0)")
    entries = [_entry(value) for value in given.values()]
    texts = {isinstance(one, frozenset) for one in entries if len(one)}
    if len(texts) > 1:
        raise InputError("some items have numbers and some have categories", where=source, do=_DO)
    if True in texts:
        return _of_categories(items, entries, source)
    lengths = {len(one): item for one, item in zip(entries, items.values.tolist(), strict=True) if len(one)}
    if len(lengths) > 1:
        wrong = f"the vectors of items have different lengths: {_said(lengths)}"
        raise InputError(wrong, where=source, do="Give all items equally many numbers.")
    width = next(iter(lengths), 0)
    vectors = np.array([one if len(one) else [np.nan] * width for one in entries], np.float64)
    return Features(items, own(vectors.reshape(len(items), width)), tuple(map(str, range(width))), source)


def _said(lengths: Mapping[int, Any]) -> str:
    return ", ".join(f"{length} ({item!r})" for length, item in list(lengths.items())[:3])


def _entry(value: Any) -> Any:
    """The categories of an item as a set of texts, or its numbers."""
    if isinstance(value, str):
        return frozenset(value.split(SEPARATOR))
    if isinstance(value, set | frozenset):
        return frozenset(map(str, value))
    if isinstance(value, Iterable):
        listed = list(value)
        if listed and all(isinstance(one, str) for one in listed):
            return frozenset(listed)
        if all(isinstance(one, int | float | np.number) for one in listed):
            return listed
    elif isinstance(value, int | float | np.number):
        return [value]
    raise InputError(f"{value!r:.60} is neither numbers nor categories of an item", do=_DO)


def _of_categories(items: Ids, entries: Sequence[Iterable[str]], source: str) -> Features:
    names = sorted({name for one in entries for name in one})
    place = {name: at for at, name in enumerate(names)}
    vectors = np.zeros((len(items), len(names)))
    for row, one in enumerate(entries):
        vectors[row, [place[name] for name in one]] = 1
    return Features(items, own(vectors), tuple(names), source)


def _of_columns(columns: Mapping[str, Sequence[Any]], source: str) -> Features:
    name = _item_column(list(columns), source)
    items, code = coded(columns[name], "item", lambda row: f"{source}, row {row} (counted from 0)")
    others = {other: values for other, values in columns.items() if other != name}
    if not others:
        raise InputError("there is no column beside that of the items", where=source, do=_DO)
    repeated = len(items) < len(code)
    if repeated and len(others) > 1:
        do = "Give each item one row; categories may stand in several, where there is no other column."
        raise InputError("an item has several rows, and several features in each", where=source, do=do)
    parts = [
        _of_categories(items, _gathered(code, values, len(items)), source)
        if repeated or not all(value is None or isinstance(value, int | float) for value in values)
        else Features(items, _as_numbers(values)[:, None], (other,), source)
        for other, values in others.items()
    ]
    vectors = np.hstack([part.vectors for part in parts])
    return Features(items, own(vectors), tuple(name for part in parts for name in part.names), source)


def _as_numbers(values: Sequence[Any]) -> Numbers:
    """Numbers of shape (items,), NaN where one is missing."""
    return np.array([np.nan if value is None else value for value in values], np.float64)


def _gathered(code: Any, values: Sequence[Any], count: int) -> list[frozenset[str]]:
    """The categories of each item, from all its rows."""
    found: list[frozenset[str]] = [frozenset()] * count
    for at, value in zip(code.tolist(), values, strict=True):
        if value is not None:
            found[at] |= _entry(value if isinstance(value, str) else list(map(str, _listed(value))))
    return found


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, Iterable) else [value]
