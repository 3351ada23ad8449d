"""CSV and TSV files, with or without a first line that names the columns."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from rankconv.errors import InputError
from rankconv.inputs.columns import (
    are_numbers,
    by_place,
    find_columns,
    form_of,
    has_usual_name,
    is_header,
    listed,
    refuse_unread,
)
from rankconv.inputs.csv_records import has_bare_returns, line_of, records_of
from rankconv.inputs.encoding import refuse_other_than_utf8
from rankconv.inputs.few_lines import rows_of_few
from rankconv.inputs.file import File
from rankconv.inputs.gathered import Gathered
from rankconv.inputs.reader import Reader, Rows, Wanted
from rankconv.inputs.texts import rows_of_text

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t"}
_MOST = 100_000
"""Columns, of which two to four are read."""
_RECORD = "\x00 record"
"""A name that no column has."""


def takes(data: Any) -> bool:
    """Whether the file's first line names columns as one usually does."""
    if not isinstance(data, File) or not data.first_line.isascii():
        return False
    names = data.first_line.decode().strip().split(_separator(data), _MOST)
    return has_usual_name(["user"], *names) and has_usual_name(["item"], *names)


def read(file: File, wanted: Wanted) -> Rows:
    """Rows from the columns that the first line names; without such a line, from the first two or three."""
    line, first = _first_record(file)
    header = is_header(first, wanted)
    if header:
        _check_header(first, f"{file}, line {line}", _separator(file))
    names = first if header else [str(place) for place, _ in enumerate(first, 1)]
    asked = wanted if header else by_place(names, wanted, str(file))
    chosen = find_columns(names, asked, str(file))
    refuse_unread(names, chosen, asked, str(file), lambda name: are_numbers(_values(file, names.index(name), header)))
    about: dict[str, Any] = {"columns": chosen, "form": form_of(names, chosen, asked)}
    places = {role: names.index(name) for role, name in chosen.items()}
    few = rows_of_few(file, wanted, _separator(file), names, header, places)
    if few is not None:
        return replace(few, **about)
    table = _table(file, names, header, places)
    if table is None:
        found = _gathered(file, header, places)
        return replace(rows_of_text(found.columns(), wanted, file, found.place), **about)
    records = table.drop_in_place(_RECORD)
    place = lambda row: f"{file}, line {line_of(file, _separator(file), records[row] + header)}"
    return replace(rows_of_text(table.to_dict(), wanted, file, place), **about)


def _values(file: File, place: int, header: bool) -> Iterator[str]:
    """What stands at this place of each record."""
    records = (fields for _, fields in records_of(file, _separator(file)))
    return (fields[place] for fields in islice(records, int(header), None) if place < len(fields))


def _separator(file: File) -> str:
    """As the ending says, else a tab where there is one."""
    return SEPARATORS.get(file.ending) or ("\t" if b"\t" in file.first_line else ",")


def _first_record(file: File) -> tuple[int, list[str]]:
    if file.first_line.count(_separator(file).encode()) >= _MOST:
        do = "Leave out all but the user, the item, and the grade or score"
        raise InputError(f"there are over {_MOST} columns", where=str(file), do=do)
    return next(records_of(file, _separator(file)))


def _table(file: File, names: Sequence[str], header: bool, places: Mapping[str, int]) -> "pl.DataFrame | None":
    """The columns at these places as text, and the number of each record; None where polars takes it for no table.

    Records with nothing in any of the columns are left out, as blank lines are. The other columns are read too:
    only so does polars see that a record has too many fields.
    """
    import polars as pl

    if has_bare_returns(file) or any('"' in name for name in names):
        return None
    lazy = pl.scan_csv(
        file.path,
        separator=_separator(file),
        has_header=header,
        infer_schema=False,
        glob=False,
        encoding="utf8",
        row_index_name=_RECORD,
    )
    try:
        found = lazy.collect_schema().names()[1:]
        if len(found) != len(names) or (header and any(found[place] != names[place] for place in places.values())):
            return None
        columns = {role: pl.col(found[place]) for role, place in places.items()}
        filled = lazy.filter(pl.any_horizontal(column.is_not_null() for column in columns.values()))
        return filled.collect().select(_RECORD, **columns)
    except pl.exceptions.PolarsError:
        return None


def _gathered(file: File, header: bool, places: Mapping[str, int]) -> Gathered:
    """The columns read line by line with Python's parser: quotes inside a field stay, and errors name the line."""
    refuse_other_than_utf8(file.path, file)
    found = Gathered(file, list(places))
    records = records_of(file, _separator(file))
    first = next(records)[1] if header else None
    for line, fields in records:
        first = first or fields
        if len(fields) > len(first):
            raise _too_many(fields, first, f"{file}, line {line}")
        texts = [fields[place] if place < len(fields) else "" for place in places.values()]
        if any(texts):
            found.add(line, [text.encode() for text in texts])
    return found


def _check_header(header: list[str], where: str, separator: str) -> None:
    if len(header) == 1:
        do = f"Name the columns in the first line, with {separator!r} between them"
        raise InputError(f"'{header[0]:.80}' is one field", where=where, do=do)
    for name, times in Counter(header).items():
        if name and times > 1:
            raise InputError(f"{times} columns are called '{name}'", where=where, do="Rename all but one")


def _too_many(fields: list[str], header: list[str], where: str) -> InputError:
    wrong = f"there are {len(fields)} fields ({', '.join(fields)!r:.80}), and the first line has {len(header)}"
    return InputError(wrong, where=where, allowed=listed(header))


READER = Reader(
    "CSV and TSV files (.csv, .tsv, or usual names in the first line)",
    takes,
    read,
    endings=tuple(SEPARATORS),
    has_columns=True,
)
