"""What is known of users or items, as a caller has it: a dict of dicts, a table of any library, or a file."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from rankconv.data.properties import Properties
from rankconv.errors import InputError
from rankconv.inputs import frames
from rankconv.inputs.coding import coded
from rankconv.inputs.file import File, as_file
from rankconv.inputs.known_names import USUAL_NAMES, is_usual
from rankconv.inputs.python import with_article

Role = Literal["user", "item"]


def properties(data: Any, role: Role) -> Properties:
    """A table with a column of users, or of items.

    Takes `{user: {column: value}}`, a table of any library, or the path of a CSV, TSV, Parquet or JSON file. Plain text
    gives text ids. Raises InputError for all else, and where a user stands in several rows.
    """
    if isinstance(data, Properties):
        return data
    if isinstance(data, Mapping):
        return _of_dict(data, role, with_article(data))
    if isinstance(data, str | os.PathLike):
        with as_file(os.fspath(data)) as file:
            return _of_file(file, role)
    if frames.takes(data):
        import narwhals.stable.v2 as nw

        frame: Any = nw.from_native(data, allow_series=False)
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        columns = {str(name): frame.get_column(name).to_list() for name in frame.columns}
        return _of_columns(columns, role, with_article(data))
    raise InputError(f"{role}s are {with_article(data)}, and no table is read from it", do=_do(role))


def _do(role: Role) -> str:
    return f"Pass {{{role}: {{column: value}}}}, or a table with a column of {role}s"


def _of_dict(given: Mapping[Any, Any], role: Role, source: str) -> Properties:
    for key, value in given.items():
        if not isinstance(value, Mapping):
            raise InputError(f"{key!r:.60} has {with_article(value)}, and no columns", where=source, do=_do(role))
    names = list(dict.fromkeys(str(name) for value in given.values() for name in value))
    texts = [{str(name): one for name, one in value.items()} for value in given.values()]
    columns: dict[str, Sequence[Any]] = {name: [one.get(name) for one in texts] for name in names}
    return _of_columns({role: list(given), **columns}, role, source, role)


def _of_file(file: File, role: Role) -> Properties:
    import polars as pl

    if file.ending == ".json":
        found = json.loads(Path(file.path).read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise InputError(f"this JSON is no object of {role}s", where=str(file), do=_do(role))
        return _of_dict(found, role, str(file))
    try:
        if file.ending == ".parquet":
            frame = pl.read_parquet(file.path)
        else:
            frame = pl.read_csv(file.path, separator="\t" if b"\t" in file.first_line else ",", infer_schema=False)
    except pl.exceptions.PolarsError as problem:
        said = str(problem).partition("\n")[0]
        raise InputError(f"the table cannot be read: {said}", where=str(file), do=_do(role)) from None
    return _of_columns(frame.to_dict(as_series=False), role, str(file))


def _of_columns(columns: Mapping[str, Sequence[Any]], role: Role, source: str, key: str | None = None) -> Properties:
    usual = [key] if key else [name for name in columns if is_usual(role, name)]
    if len(usual) != 1:
        wrong, do = f"it is not clear which column has the {role}s", f"Call it '{USUAL_NAMES[role][0]}'."
        raise InputError(wrong, where=source, allowed=", ".join(columns), do=do)
    ids, code = coded(columns[usual[0]], role, lambda row: f"{source}, row {row} (counted from 0)")
    if len(ids) < len(code):
        known = code.tolist()
        again = next(at for at in range(len(known)) if known.index(known[at]) < at)
        raise InputError(f"{role} {ids.id(known[again])!r} stands in two rows", where=source, do="Give each one row.")
    others = {name: [None if one is None else _text(one) for one in values] for name, values in columns.items()}
    return Properties(ids, {name: values for name, values in others.items() if name != usual[0]}, source)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
