"""CSV and TSV files, with or without a first line that names the columns."""

import csv
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rankconv.errors import InputError
from rankconv.inputs.columns import by_place, find_columns, has_usual_name, is_header
from rankconv.inputs.file import File
from rankconv.inputs.paths import refuse_other_than_utf8
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.rows import Rows
from rankconv.inputs.texts import rows_of_text

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t"}


def takes(data: Any) -> bool:
    """Files whose first line names columns as one usually does."""
    if not isinstance(data, File) or not data.first_line.isascii():
        return False
    names = data.first_line.decode().strip().split(_separator(data))
    return has_usual_name("user", names) and has_usual_name("item", names)


def read(file: File, wanted: Wanted) -> Rows:
    """Rows from the columns that the first line names; without such a line, from the first two or three."""
    line, first = next(_records(file))
    header = is_header(first, wanted)
    if header:
        _check_header(first, f"{file}, line {line}", _separator(file))
    table = _table(file, header)
    chosen = find_columns(table.columns, wanted if header else by_place(table.columns, wanted, str(file)), str(file))
    filled = _filled(table)
    columns = {role: table[name].filter(filled) for role, name in chosen.items()}
    records = filled.arg_true()
    return rows_of_text(columns, wanted, file, lambda row: f"{file}, line {_line_of(file, records[row] + header)}")


def _separator(file: File) -> str:
    """As the ending says, else a tab where there is one."""
    return SEPARATORS.get(file.ending) or ("\t" if b"\t" in file.first_line else ",")


def _table(file: File, header: bool) -> "pl.DataFrame":
    """Every column as text; without a header they are called 1, 2, 3, ..."""
    import polars as pl

    try:
        table = pl.read_csv(
            file.path, separator=_separator(file), has_header=header, infer_schema=False, glob=False, encoding="utf8"
        )
    except pl.exceptions.PolarsError:
        return _table_by_hand(file, header)
    return table if header else table.rename({name: str(place) for place, name in enumerate(table.columns, 1)})


def _table_by_hand(file: File, header: bool) -> "pl.DataFrame":
    """The same, slowly: quotes inside a field are read as they stand, and what nobody can read has a line."""
    import polars as pl

    refuse_other_than_utf8(file.path, file)
    records = _records(file)
    first = next(records)[1] if header else [str(place) for place, _ in enumerate(next(_records(file))[1], 1)]
    rows = []
    for line, fields in records:
        if len(fields) > len(first):
            raise _too_many(fields, first, f"{file}, line {line}")
        rows.append([*(field or None for field in fields), *[None] * (len(first) - len(fields))])
    names = [name or f"column {place}" for place, name in enumerate(first)]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def _filled(table: "pl.DataFrame") -> "pl.Series":
    """Which records say anything at all; blank lines do not."""
    import polars as pl

    return table.select(filled=pl.any_horizontal(pl.all().is_not_null())).to_series()


def _check_header(header: list[str], where: str, separator: str) -> None:
    if len(header) == 1:
        do = f"Name the columns in the first line, with {separator!r} between them"
        raise InputError(f"'{header[0]:.80}' is one field", where=where, do=do)
    for name, times in Counter(header).items():
        if name and times > 1:
            raise InputError(f"{times} columns are called '{name}'", where=where, do="Rename all but one")


def _line_of(file: File, record: int) -> int:
    """The line on which a record begins; only errors need it, so only they read the file twice."""
    return next(line for place, (line, _) in enumerate(_records(file)) if place == record)


def _records(file: File) -> Iterator[tuple[int, list[str]]]:
    """The records, a header among them, each with the line on which it begins; blank lines have no fields."""
    line, in_table = 1, False
    with file.path.open(encoding="utf-8-sig", errors="replace", newline="") as opened:
        reader = csv.reader(opened, delimiter=_separator(file), strict=True)
        try:
            for fields in reader:
                in_table = in_table or bool(fields)
                if in_table:
                    yield line, fields
                line = reader.line_num + 1
        except csv.Error:
            do = "Put fields with quotes into quotes, and write each quote inside twice"
            raise InputError("the quotes do not match", where=f"{file}, line {line}", do=do) from None


def _too_many(fields: list[str], header: list[str], where: str) -> InputError:
    wrong = f"there are {len(fields)} fields ({', '.join(fields)!r:.80}), and the first line has {len(header)}"
    return InputError(wrong, where=where, allowed=f"The columns are: {', '.join(header)}")


READER = Reader(
    "CSV and TSV files (.csv, .tsv, or usual names in the first line)",
    takes,
    read,
    endings=tuple(SEPARATORS),
    has_columns=True,
)
