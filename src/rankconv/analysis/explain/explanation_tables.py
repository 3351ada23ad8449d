"""The tables of an explanation: the judged list rank by rank, and the ideal list."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rankconv.analysis.explain.rows import Row
from rankconv.analysis.explain.words import score
from rankconv.analysis.explain.worked_number import WorkedNumber
from rankconv.analysis.explain.working import Cell
from rankconv.numbers.expression import Expression, Number, Quotient
from rankconv.numbers.writing import text
from rankconv.pages.cells import plural, short
from rankconv.pages.table import Table
from rankconv.preparation.ties import TieEffect

LONGEST, FIRST, LAST = 30, 20, 5
"""Rows of a table that is printed whole; and those that are left of a longer one."""


def list_table(found: WorkedNumber) -> Table:
    """The rows of the judged list that the metric reads, with the columns of its working."""
    rows, columns = found.judged.rows[: rows_shown(found)], found.working.columns
    preparation, ties = found.definition.preparation, found.judged.tie_rule is not TieEffect.ORDER
    scores = (preparation.by_score and found.judged.scored) or not preparation.settings["min-score"].changes_nothing
    ranks, items = [f"{float(row.rank):g}" for row in rows], [short(row.item) for row in rows]
    facts = {"rank": ranks, "item": items, **facts_of_rows(rows, scores=scores, ties=ties)}
    more = {name: [cell(one) for one in column] for name, column in columns.items()}
    return columns_table(facts | more, len(rows), labels=2)


def rows_shown(found: WorkedNumber) -> int:
    """How many rows are printed: those that are read, and the rest of a tie that goes on below."""
    rows, read = found.judged.rows, found.judged.within(found.definition.metric.scope)
    read = max([read, *(len(column) for column in found.working.columns.values())])
    shares = found.judged.tie_rule is TieEffect.EXPECTED and 0 < read <= len(rows)
    return rows[read - 1].tie[-1] + 1 if shares else min(read, len(rows))


def rows_not_read(found: WorkedNumber) -> Iterator[str]:
    """How many rows stand below those that are printed."""
    below, scope = len(found.judged.rows) - rows_shown(found), found.definition.metric.scope
    if below:
        yield f"{plural(below, 'row')} below rank {scope} {'is' if below == 1 else 'are'} not read."


def facts_of_rows(rows: Sequence[Row], *, scores: bool, ties: bool) -> dict[str, list[str]]:
    """What each row is: its score and tie where they matter, its grade, whether it is relevant."""
    facts: dict[str, list[str]] = {"score": [score(row.score) for row in rows]} if scores else {}
    if ties and any(len(row.tie) > 1 for row in rows):
        facts["tie"] = [f"{row.tie[0] + 1}–{row.tie[-1] + 1}" if len(row.tie) > 1 else "" for row in rows]
    facts["grade"] = ["–" if row.grade is None else text(Number(row.grade, _decimal(row.grade))) for row in rows]
    facts["relevant"] = [("yes" if row.hit else "gated" if row.relevant else "no") for row in rows]
    if any(row.groups for row in rows):
        facts["groups"] = [short(", ".join(row.groups)) for row in rows]
    if any(row.weight > 1 for row in rows):
        facts["weight"] = [str(row.weight) for row in rows]
    return facts


def _decimal(grade: Fraction) -> str:
    return "" if grade.denominator == 1 else f"{float(grade):g}"


def ideal_table(found: WorkedNumber) -> Table:
    """The ideal list, rank by rank."""
    ideal = found.working.ideal
    assert ideal is not None
    size = len(ideal.items)
    facts = {"rank": [str(rank) for rank in range(1, size + 1)], "ideal": [short(item) for item in ideal.items]}
    return columns_table(
        facts | {name: [cell(one) for one in column] for name, column in ideal.columns.items()}, size, 2
    )


def columns_table(columns: dict[str, list[str]], size: int, labels: int) -> Table:
    """Columns by their heads, filled up to so many rows; of many rows the first and the last."""
    filled = [column + [""] * (size - len(column)) for column in columns.values()]
    rows = [list(row) for row in zip(*filled, strict=True)]
    if size > LONGEST:
        rows = [*rows[:FIRST], ["…"] * len(columns), *rows[-LAST:]]
    return Table(list(columns), rows, labels=labels)


def cell(given: Cell) -> str:
    """A number in a table: a short fraction as it stands, anything longer as a decimal."""
    if isinstance(given, str):
        return given
    whole = isinstance(given, Quotient) and all(isinstance(one, Number) for one in (given.top, given.bottom))
    if (whole or isinstance(given, Number)) and len(text(given)) <= 7:
        return text(given)
    return _rounded(given)


def _rounded(given: Expression) -> str:
    exact = given.exact
    if exact is not None and len(str(exact)) <= 5:
        return str(exact)
    return f"{given.value:.4f}" if abs(given.value) < 1e6 else f"{given.value:.4g}"


def narrower(ideal: Table, beside: Table) -> Table:
    """The ideal list without what stands in the same row of the list beside it."""
    shown = ("rank", "discount") if len(ideal.rows) <= len(beside.rows) else ("discount",)
    kept = [place for place, name in enumerate(ideal.headers) if name not in shown]
    rows = [[row[place] for place in kept] for row in ideal.rows]
    labels = sum(name not in shown for name in ideal.headers[: ideal.labels])
    return Table([ideal.headers[place] for place in kept], rows, labels=labels)
