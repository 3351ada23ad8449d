"""CSV files of Quepid: ratings in which some query has none, snapshots and results of a case.

A query without documents has a line of its own, so it is a user without rows.
"""

from collections.abc import Iterable
from dataclasses import replace

from rankconv.errors import InputError
from rankconv.inputs.delimited import records
from rankconv.inputs.files import File, blocks
from rankconv.inputs.pieces import Pieces, gathered, rows_of
from rankconv.inputs.rows import ColumnSpec, RawRows, Reader

_RATINGS, _RESULTS = ("query", "docid", "rating"), ("Query Text", "Doc ID", "Doc Position")
_NO_DOCUMENT = b",,"
"""How the line of a query without ratings ends."""


def takes(file: File) -> bool:
    """Whether the first line is that of results, or that of ratings and a query has none."""
    header = file.first_line.decode(errors="replace").strip().split(",")
    if (*header,) == _RATINGS:
        return any(line.rstrip().endswith(_NO_DOCUMENT) for block in blocks(file) for _, line in block.lines)
    return {*_RESULTS} <= {*header}


def read(file: File, spec: ColumnSpec) -> RawRows:
    """Read ratings as labels, or results as a run, ranked by their positions."""
    import polars as pl

    table = records(file, ",")
    header = next(table)[2]
    of_labels, columns = spec.what == "labels", _RATINGS if (*header,) == _RATINGS else _RESULTS
    if of_labels != (columns is _RATINGS):
        kind, do = ("results", "Export the ratings") if of_labels else ("ratings", "Export a snapshot")
        raise InputError(f"these are {kind} of Quepid, and {spec.what} are wanted here", where=str(file), do=do)
    places, queries, runs, rows = [header.index(name) for name in columns], dict[str, None](), set[str](), []
    for begun, _, fields in table:
        if len(fields) > len(header):
            wrong = f"there are {len(fields)} fields, and the first line has {len(header)}"
            raise InputError(wrong, where=f"{file}, line {begun.line}")
        query, *document = (fields[place] if place < len(fields) else "" for place in places)
        if query or any(document):
            queries[query] = None
            runs.add(" · ".join(fields[:3]))
        if any(document):
            rows.append((begun.line, [query, *document]))
    if len(runs) > 1 and not of_labels:
        _refuse_several(runs, header, file)
    pieces = [*gathered(rows, ("user", "item", "grade" if of_labels else "rank"), file)]
    if pieces:
        pieces[0] = replace(pieces[0], owners={"user": pl.Series([*queries], dtype=pl.String)})
    return rows_of(Pieces(iter(pieces)), file.name)


def _refuse_several(runs: Iterable[str], header: list[str], file: File) -> None:
    """An InputError that names the snapshots, or cases, of the file."""
    allowed = f"They are, as {', '.join(header[:3])}: {'; '.join(sorted(runs)[:5])}"
    raise InputError("there are the results of several runs", where=str(file), allowed=allowed, do="Keep those of one")


QUEPID = Reader("CSV files of Quepid", takes, read, endings=(".csv",))
