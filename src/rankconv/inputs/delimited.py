"""CSV and TSV files."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv.errors import InputError
from rankconv.inputs.columns import find_columns
from rankconv.inputs.paths import refuse_other_than_utf8
from rankconv.inputs.reader import Reader, Wanted
from rankconv.inputs.rows import Rows
from rankconv.inputs.texts import rows_of_text

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t"}


def takes(data: Any) -> bool:
    """Files with these endings."""
    return isinstance(data, Path) and data.suffix.lower() in SEPARATORS


def read(path: Path, wanted: Wanted) -> Rows:
    """Rows from the columns that the first line names."""
    _check_header(path)
    table = _table(path)
    chosen = find_columns(table.columns, wanted, str(path))
    filled = _filled(table)
    columns = {role: table[name].filter(filled) for role, name in chosen.items()}
    records = filled.arg_true()
    return rows_of_text(columns, wanted, path, lambda row: f"{path}, line {_line_of(path, records[row])}")


def _table(path: Path) -> "pl.DataFrame":
    """Every column as text."""
    import polars as pl

    try:
        return pl.read_csv(path, separator=SEPARATORS[path.suffix.lower()], infer_schema=False, glob=False)
    except pl.exceptions.PolarsError:
        return _table_by_hand(path)


def _table_by_hand(path: Path) -> "pl.DataFrame":
    """The same, slowly: quotes inside a field are read as they stand, and what nobody can read has a line."""
    import polars as pl

    refuse_other_than_utf8(path)
    (_, header), *records = _records(path)
    rows = []
    for line, fields in records:
        if len(fields) > len(header):
            raise _too_many(fields, header, f"{path}, line {line}")
        rows.append([*(field or None for field in fields), *[None] * (len(header) - len(fields))])
    names = [name or f"column {place}" for place, name in enumerate(header)]
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")


def _filled(table: "pl.DataFrame") -> "pl.Series":
    """Which records say anything at all; blank lines do not."""
    import polars as pl

    return table.select(filled=pl.any_horizontal(pl.all().is_not_null())).to_series()


def _check_header(path: Path) -> None:
    line, header = next(_records(path))
    where, separator = f"{path}, line {line}", SEPARATORS[path.suffix.lower()]
    if len(header) == 1:
        do = f"Name the columns in the first line, with {separator!r} between them"
        raise InputError(f"'{header[0]:.80}' is one field", where=where, do=do)
    for name, times in Counter(header).items():
        if name and times > 1:
            raise InputError(f"{times} columns are called '{name}'", where=where, do="Rename all but one")


def _line_of(path: Path, record: int) -> int:
    """The line on which a record below the header begins; only errors need it, so only they read the file twice."""
    return next(line for place, (line, _) in enumerate(_records(path), -1) if place == record)


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The header and the records below it, each with the line on which it begins; blank lines have no fields."""
    line, in_table = 1, False
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=SEPARATORS[path.suffix.lower()], strict=True)
        try:
            for fields in reader:
                in_table = in_table or bool(fields)
                if in_table:
                    yield line, fields
                line = reader.line_num + 1
        except csv.Error:
            do = "Put fields with quotes into quotes, and write each quote inside twice"
            raise InputError("the quotes do not match", where=f"{path}, line {line}", do=do) from None


def _too_many(fields: list[str], header: list[str], where: str) -> InputError:
    wrong = f"there are {len(fields)} fields ({', '.join(fields)!r:.80}), and the first line has {len(header)}"
    return InputError(wrong, where=where, allowed=f"The columns are: {', '.join(header)}")


READER = Reader("CSV and TSV files (.csv, .tsv)", takes, read, of_files=True, has_columns=True)
