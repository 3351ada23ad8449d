"""The printed numbers, each with its metric: from texts, and from a table."""

import csv
from collections.abc import Sequence
from pathlib import Path

from rankconv.errors import InputError, MetricError

FORM = "Write --value 0.4127 with -m ndcg@10, or --value ndcg@10=0.4127"


def numbers_of(values: Sequence[str], metric: str | None) -> dict[str, str]:
    """Metric → number from `ndcg@10=0.4127`, or from a bare number whose metric is given besides.

    >>> numbers_of(["ndcg(gain=linear)@10=0.4127", "0.23"], "map@10")
    {'ndcg(gain=linear)@10': '0.4127', 'map@10': '0.23'}
    """
    found: dict[str, str] = {}
    for text in values:
        name, sign, number = text.rpartition("=")
        if sign and name.count("(") != name.count(")"):
            raise MetricError(f"'{text}' is not metric=number", allowed=FORM)
        name = name.strip() or metric or ""
        if not name:
            raise MetricError(f"'{text}' comes without a metric", allowed=FORM, do="Or use -m any.")
        if name in found:
            raise MetricError(f"two numbers are given for {name}", do="A metric has one number.")
        found[name] = number.strip()
    return found


def numbers_of_table(file: Path) -> dict[str, str]:
    """Metric → number from the first two columns of a CSV or TSV file; a first line without a digit is a header."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"the table cannot be read ({problem})", where=str(file)) from None
    separator = "\t" if "\t" in text else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=separator) if any(cell.strip() for cell in row)]
    if rows and len(rows[0]) > 1 and not any(sign.isdigit() for sign in rows[0][1]):
        rows = rows[1:]
    short = next((row for row in rows if len(row) < 2), None)
    if not rows or short is not None:
        raise InputError(
            "the table has no line with a metric and a number", where=str(file), do="Write: ndcg@10,0.4127"
        )
    return numbers_of([f"{row[0].strip()}={row[1].strip()}" for row in rows], None)
