"""An explanation as plain data: what the page says, with every row and number."""

from collections.abc import Sequence
from typing import Any

from rankconv.analysis.explain.formula import formula, parts
from rankconv.analysis.explain.rows import Row
from rankconv.analysis.explain.worked_number import WorkedNumber
from rankconv.analysis.explain.working import Cell, Ideal
from rankconv.numbers.expression import Expression
from rankconv.numbers.writing import Text
from rankconv.pages.cells import finite


class _Whole(Text):
    """Sums with all their terms."""

    longest = 10**9


text = _Whole()


def data_of(found: WorkedNumber) -> dict[str, Any]:
    """All of it; NaN and infinity are None, as JSON has it."""
    working = found.working
    return {
        "definition": found.definition.text,
        "user": found.user,
        "value": finite(found.value),
        "state": found.outcome.state,
        "preparation": [vars(change) for change in found.changes],
        "list": _list(found),
        "ideal": None if working.ideal is None else _ideal(working.ideal),
        "formula": formula(found.definition),
        "parts": dict(one[0].split("=", 1) for one in parts(found.definition)),
        "facts": [{"what": words} | ({} if one is None else _number(one)) for words, one in working.says],
        "numerator": _number(working.numerator),
        "denominator": _number(working.denominator),
        "result": _number(working.ratio),
        "decided": found.outcome.decided,
        "mean": found.contribution,
        "engine": finite(found.engine),
        "worked_out": found.worked_out,
    }


def _number(given: Expression) -> dict[str, Any]:
    exact = None if given.exact is None else str(given.exact)
    return {"worked": text(given), "fraction": exact, "value": finite(given.value)}


def _cells(columns: Sequence[tuple[str, Sequence[Cell]]], at: int) -> dict[str, Any]:
    cells = {name: column[at] for name, column in columns if at < len(column)}
    return {name: one if isinstance(one, str) else finite(one.value) for name, one in cells.items()}


def _list(found: WorkedNumber) -> list[dict[str, Any]]:
    columns = list(found.working.columns.items())
    return [_row(row) | _cells(columns, at) for at, row in enumerate(found.judged.rows)]


def _row(row: Row) -> dict[str, Any]:
    grade = None if row.grade is None else float(row.grade)
    rank = row.rank if isinstance(row.rank, int) else float(row.rank)
    facts = {"rank": rank, "item": row.item, "score": finite(row.score), "grade": grade}
    return facts | {"judged": row.judged, "relevant": row.relevant, "is_hit": row.hit}


def _ideal(ideal: Ideal) -> list[dict[str, Any]]:
    columns = list(ideal.columns.items())
    return [{"rank": at + 1, "item": item} | _cells(columns, at) for at, item in enumerate(ideal.items)]
