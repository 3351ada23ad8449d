"""The labels and the ranking of one row of a harness, read by the table of shapes that reads files of records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.inputs.columns import Side, of_side
from rankconv.data.inputs.input_rows import ColumnSpec, as_labels, as_rankings
from rankconv.data.inputs.json_files import record_batches
from rankconv.data.inputs.record_reading import reading_of
from rankconv.data.inputs.record_shapes import NOTHING, dotted, is_number, name_one, user_keys, value_at
from rankconv.data.inputs.row_batches import Record, rows_of
from rankconv.data.joined import Joined, put_together

Place = str | Callable[[Any], Any] | None
"""Where a row has a side: the name of a key, as `item=` of `rc.Run`; a function of the row; None is found by names."""
SideName = Literal["output", "expected"]
_SIDE_OF: dict[SideName, Side] = {"output": "run", "expected": "labels"}
_USER = "user of the row"
"""The key of the user in a record that is read alone."""
_ITEMS: dict[SideName, str] = {"output": "retrieved", "expected": "relevant"}
"""The key of a list that came without one."""
_WHAT: dict[SideName, str] = {"output": "a ranking", "expected": "a set of labels"}


@dataclass(frozen=True)
class RowSides:
    """Where the rows of a harness have their ranking, their labels and the user."""

    output: Place
    expected: Place
    columns: Mapping[str, Any]
    """As `columns=` of `rc.evaluate`."""

    def of_row(self, row: Any, user: Any) -> Joined:
        """Return both sides of a row, for this user."""
        places = self.expected, self.output
        record = None if all(map(callable, places)) else plain(row)
        expected, output = (plain(one(row)) if callable(one) else record for one in places)
        if not all(map(callable, places)) and not _is_record(record):
            wrong = f"{row!r:.60} is not a row, which has a ranking and labels under different keys"
            raise InputError(wrong, do="Pass a row, or score(output=…, expected=…)")
        return self._joined(expected, output, user)

    def of_values(self, output: Any, expected: Any, user: Any) -> Joined:
        """Return both sides, each of which was given alone."""
        return self._joined(plain(expected), plain(output), user)

    def _joined(self, expected: Any, output: Any, user: Any) -> Joined:
        labels = as_labels(self._rows("expected", _sets_as_lists(expected), self.expected, user))
        return put_together(labels, as_rankings(self._rows("output", output, self.output, user)), part=True)

    def user(self, row: Any) -> Any:
        """Return the query that a row names, by its id or its text; None where it names none."""
        record, named = plain(row), of_side(self.columns, "run")["user"]
        if not isinstance(record, dict):
            return None
        if isinstance(named, str):
            found = value_at(record, (named,) if named in record else tuple(named.split(".")))
            if found is NOTHING or found is None or isinstance(found, dict | list):
                raise InputError(
                    f"there is no id or text of a query under the key '{named}'",
                    where="the row",
                    allowed=f"The keys are: {', '.join(map(str, record)):.300}",
                    do="Name a key that every row has: columns={'user': 'KEY'}",
                )
            return found
        keys = user_keys(record)
        if len(keys) > 1:
            raise name_one(
                [dotted(path) for path in keys],
                "user",
                self._spec("output", None),
                "the row",
                "could each be the query",
            )
        return value_at(record, keys[0]) if keys else None

    def _rows(self, side: SideName, value: Any, place: Place, user: Any) -> Any:
        """The rows of a side, for this user; an InputError where there are none."""
        where = f"{side} of row {user!r:.60}"
        record = _record(side, value, where)
        spec = self._spec(side, place if isinstance(place, str) and record is value else None)
        alone = {**record, _USER: user}
        has_sets = side == "output" and any(isinstance(one, set | frozenset) for one in record.values())
        if has_sets and not _is_read(alone, spec, where) and _is_read(_sets_as_lists(alone), spec, where):
            raise _no_items(side, frozenset(), where)
        if reading_of(alone, spec, lambda: where) is None:
            named = spec.caller_columns.get("item")
            if isinstance(named, str):
                found = value_at(record, (named,) if named in record else tuple(named.split(".")))
                if found is not NOTHING:
                    raise _no_items(side, found, f"{where}, '{named}'")
            wrong = f"no key names {_WHAT[side]}" if named is None else f"there is no list '{named}'"
            raise InputError(
                wrong,
                where=where,
                allowed=f"The keys are: {', '.join(map(str, record)):.300}",
                do=f"Name the key, or pass a function of the row: {side}='KEY'",
            )
        return rows_of(record_batches([(0, alone)], spec, where, lambda _: where), where)

    def _spec(self, side: SideName, item: str | None) -> ColumnSpec:
        """What of this side is read, and how an argument of `rc.scorer` names a column."""
        named = of_side(self.columns, _SIDE_OF[side])
        named |= {"user": _USER} if item is None else {"user": _USER, "item": item}
        what: Literal["labels", "rankings"] = "labels" if side == "expected" else "rankings"
        return ColumnSpec(what, named, argument=partial(_argument, side), are_lists=True)


def _is_read(record: Record, spec: ColumnSpec, where: str) -> bool:
    """Whether a record has a list of this side."""
    try:
        return reading_of(record, spec, lambda: where) is not None
    except InputError:
        return False


def _argument(side: SideName, role: str, name: str) -> str:
    """How `rc.scorer` names a column."""
    if role == "item":
        return f"{side}={name!r}"
    return f"columns={{{role if role == 'user' else f'{_SIDE_OF[side]}.{role}'!r}: {name!r}}}"


def _is_record(value: Any) -> bool:
    """Whether this has named fields, and is not `{id: number}`."""
    return isinstance(value, dict) and bool(value) and not all(map(is_number, value.values()))


def _record(side: SideName, value: Any, where: str) -> Record:
    """The record of a side; an InputError for what is neither a record nor a list of items."""
    if _is_record(value):
        record: Record = value
        return record
    if isinstance(value, dict | list):
        return {_ITEMS[side]: value or []}
    if side == "expected" and (isinstance(value, int) or (isinstance(value, str) and len(value.split()) == 1)):
        return {_ITEMS[side]: [value]}
    raise _no_items(side, value, where)


def _no_items(side: SideName, value: Any, where: str) -> InputError:
    """What is said of a value that has no items of a side."""
    if isinstance(value, set | frozenset):
        return InputError("a set has no order", where=where, do="Pass a list")
    does = f"Pass one of these, or a function of the row that returns one: rc.scorer(…, {side}=function)"
    return InputError(
        f"{value!r:.60} is not {_WHAT[side]}",
        where=where,
        allowed="It is a list of ids or of documents, a dict {id: number}, or a record with one of these",
        do="Pass [] where there is no item" if value is None else does,
    )


_DEPTH = 8
"""Objects in objects that are looked at."""
_AS_THEY_ARE = frozenset((str, int, float, bool, type(None)))


def plain(value: Any, depth: int = _DEPTH) -> Any:
    """Return data as JSON has them: models, dataclasses and named tuples as dicts, tuples and arrays as lists.

    Sets, which have no order, stay sets.
    """
    if type(value) in _AS_THEY_ARE or not depth:
        return value
    if isinstance(value, dict | Mapping):
        return {key: one if type(one) in _AS_THEY_ARE else plain(one, depth - 1) for key, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict(), depth)
    if isinstance(value, list | tuple):
        return [one if type(one) in _AS_THEY_ARE else plain(one, depth - 1) for one in value]
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(), depth)
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name), depth - 1) for one in fields(value)}
    return plain(value.tolist(), depth - 1) if hasattr(value, "tolist") else value


def _sets_as_lists(value: Any) -> Any:
    """The same labels, of which no order is needed, in lists."""
    if isinstance(value, dict):
        return {key: _sets_as_lists(one) for key, one in value.items()}
    return sorted(value, key=str) if isinstance(value, set | frozenset) else value
