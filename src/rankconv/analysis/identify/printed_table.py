"""A printed table as it is read: numbers of runs by metrics, in text, so that no digit is lost."""

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankconv.analysis.identify.candidates import entries, one_metric
from rankconv.analysis.identify.printed_value import PrintedValue, sought
from rankconv.basics.errors import InputError, MetricError
from rankconv.presets.preset_registry import HOUSE, preset

COLUMNS = ("run", "metric", "value")
PLACE = "place"
"""A further column, for tables that print a metric in several places."""
SHAPES = "Pass a path, rows of (run, metric, value), or {run: {metric: value}}."
EMPTY = ("", "-", "–", "—")
"""What a table has where there is no number."""


@dataclass(frozen=True, eq=False)
class TableCell:
    """One number of the table."""

    run: str
    metric: str
    """As it was printed."""
    number: PrintedValue
    place: str = ""
    """Where in the source the number is, for several numbers of one metric and run."""

    @property
    def column(self) -> str:
        """What numbers have in common that are of one metric, and of one place."""
        return f"{self.metric} ({self.place})" if self.place else self.metric


def read_table(table: Any, tolerance: int = 0) -> list[TableCell]:
    """The cells of a table: a path, rows of dicts or of (run, metric, value), or `{run: {metric: value}}`.

    A file has a row for each number, with columns run, metric and value, or a row for each run, with a column for each
    metric. Rows may say in which place of the source a number is; columns of one name are places too. InputError for
    another shape, a number that is none, or two numbers in one place; MetricError for a metric that no preset knows.
    """
    found: dict[tuple[str, str, str], TableCell] = {}
    for where, run, metric, value, place in _rows(table):
        if not isinstance(value, str):
            do = "Pass the text that was printed, such as '0.50'."
            raise InputError(f"{value!r:.100} is not text, and its last digits are lost", where=where, do=do)
        if value.strip() in EMPTY:
            continue
        if (run, metric, place) in found:
            do = f"Write {', '.join(COLUMNS)} and {PLACE} in each row: where in the source each of them is."
            raise InputError(f"two numbers are given for {metric} of {run}", where=where, do=do)
        try:
            number = sought(value, tolerance)
        except MetricError as error:
            raise InputError(str(error), where=where) from None
        found[run, metric, place] = TableCell(run, metric, number, place)
    for metric in dict.fromkeys(metric for _, metric, _ in found):
        one_metric(metric)
        if not entries(metric):
            preset(HOUSE).define(metric)
    if not found:
        in_file = isinstance(table, str | os.PathLike)
        do = f"Give columns {', '.join(COLUMNS)}, or a column for each metric." if in_file else SHAPES
        raise InputError("the table has no number", do=do)
    return list(found.values())


def _rows(table: Any) -> Iterator[tuple[str, str, str, Any, str]]:
    """Where each number is in the table, its run, metric and value, and its place in the source."""
    if isinstance(table, str | os.PathLike):
        yield from _of_file(Path(table))
    elif isinstance(table, Mapping):
        for run, numbers in table.items():
            if not isinstance(numbers, Mapping):
                do = "Pass {run: {metric: value}}."
                raise InputError(
                    f"{numbers!r:.100} is no mapping of metrics", where=f"run {run!r:.100} of the table", do=do
                )
            for metric, value in numbers.items():
                yield f"{run}, {metric}", str(run), str(metric), value, ""
    elif isinstance(table, Sequence) and not isinstance(table, bytes):
        for place, row in enumerate(table, 1):
            cells = [*map(row.get, COLUMNS), row.get(PLACE, "")] if isinstance(row, Mapping) else row
            whole = isinstance(cells, list | tuple) and 0 <= len(cells) - len(COLUMNS) <= 1 and None not in cells
            if not whole:
                raise InputError(f"{row!r:.100} is not run, metric and value", where=f"row {place} of the table")
            run, metric, value, *in_source = cells
            yield f"row {place} of the table", str(run), str(metric), value, str(*in_source)
    else:
        raise InputError(f"{type(table).__name__} is not a table of printed numbers", do=SHAPES)


def _of_file(path: Path) -> Iterator[tuple[str, str, str, str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise InputError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text", do="Save the table as CSV in UTF-8.") from None
    lines = text.splitlines()
    sign = "\t" if lines and "\t" in lines[0] else ","
    reader = csv.reader(lines, delimiter=sign)
    heads = [one.strip() for one in next(reader, [])]
    long = {one.lower(): place for place, one in enumerate(heads)}
    for row in reader:
        where = f"{path}, line {reader.line_num}"
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if len(cells) != len(heads):
            raise InputError(f"{len(cells)} cells under {len(heads)} headers", where=where)
        if all(name in long for name in COLUMNS):
            run, metric, value = (cells[long[name]] for name in COLUMNS)
            yield where, run, metric, value, cells[long[PLACE]] if PLACE in long else ""
        else:
            for at, (metric, value) in enumerate(zip(heads[1:], cells[1:], strict=True), 2):
                yield where, cells[0], metric, value, f"column {at}" if heads.count(metric) > 1 else ""
