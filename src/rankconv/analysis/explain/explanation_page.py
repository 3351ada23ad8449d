"""An explanation as a page: sections of sentences, answers, tables and equations, not yet in any markup."""

import math
from collections.abc import Iterable, Iterator, Sequence

from rankconv.analysis.explain.explanation_tables import ideal_table, list_table, narrower, rows_not_read
from rankconv.analysis.explain.formula import formula, parts
from rankconv.analysis.explain.worked_number import WorkedNumber
from rankconv.analysis.explain.working import Derivation
from rankconv.data.ids import typed
from rankconv.numbers.arithmetic import plain, quotient
from rankconv.numbers.expression import Expression, Number
from rankconv.numbers.sides import decimal
from rankconv.numbers.writing import text
from rankconv.pages.page import Equation, Heading, Line, Page, Pair, Paragraph, Piece, Settings, Title
from rankconv.pages.rank_plot import RankBars

LONG = 90
"""Letters of a quotient that is written whole; of a longer one the values of both sides."""
IDEAL = "The ideal list:"
"""Stands above the ideal list, unless that is beside the judged one."""


def page(found: WorkedNumber) -> Page:
    """The page of one number."""
    title = f"{found.definition.text} of user {typed(found.user)}: {shown(found.value)}"
    sections: dict[str, Iterable[Piece]] = {
        "What preparation did": _preparation(found),
        "The list": _list(found),
        "The formula": _formula(found),
        "What decided": [_said(found.outcome.decided), *_disagreement(found)],
        "In the mean": [_said(found.contribution)],
    }
    about: list[Piece] = [Title(_one_line(title)), _said(found.definition.metric.about())]
    told: list[list[Piece]] = [[Heading(heading), *pieces] for heading, pieces in sections.items()]
    return Page([about, *told])


def _said(words: str) -> Paragraph:
    return Paragraph(_one_line(words), rest="    ")


def _one_line(words: str) -> str:
    return " ".join(words.split())


def shown(value: float) -> str:
    """A value as the title has it."""
    return "no value" if math.isnan(value) else decimal(value)


def _preparation(found: WorkedNumber) -> list[Piece]:
    if not found.changes:
        return [_said("Nothing: the list and its labels stand as given.")]
    return [Settings([(f"{one.convention}={one.setting}", _one_line(one.words)) for one in found.changes])]


def _list(found: WorkedNumber) -> list[Piece]:
    below = [_said(words) for words in rows_not_read(found)]
    listed = list_table(found) if found.judged.rows else None
    ideal = ideal_table(found) if found.working.ideal and found.working.ideal.items else None
    if listed and ideal:
        return [Pair(listed, ideal, IDEAL, narrower(ideal, listed), below)]
    pieces: list[Piece] = [listed, *below] if listed else [_said("The list is empty.")]
    if ideal:
        return [*pieces, Line(""), _said(IDEAL), ideal]
    return [*pieces, *([] if found.working.ideal is None else [_said("The ideal list is empty.")])]


def _formula(found: WorkedNumber) -> Iterator[Piece]:
    yield _said(formula(found.definition))
    settings = parts(found.definition)
    if settings:
        yield Settings(settings)
    working = found.working
    said: list[str] = []
    for words, value in working.says:
        if words not in said:
            yield _said(words[0].upper() + words[1:] + ".") if value is None else Equation(words, value)
        said.append(words)
    if working.denominator.exact != 1 and not _short(working.ratio):
        yield Equation(working.names[0], working.numerator)
        if not any(words.split(",")[0] == working.names[1].split(",")[0] for words in said):
            yield Equation(working.names[1], working.denominator)
    yield Equation(found.definition.spec, _result(working))


def _result(working: Derivation) -> Expression:
    """The number, from numerator and denominator; only their values where the way to it is long."""
    if working.denominator.exact == 1 or len(text(working.ratio)) <= LONG:
        return working.ratio
    both = (working.numerator, working.denominator)
    return quotient(*(Number(one.value) if one.exact is None else plain(one) for one in both))


def _short(ratio: Expression) -> bool:
    return len(text(ratio)) <= 40


def _disagreement(found: WorkedNumber) -> Iterator[Paragraph]:
    if not found.agrees:
        told = f"The engine gives {shown(found.engine)} here, which this working does not confirm: please report it."
        yield _said(told)


def bars(found: WorkedNumber) -> RankBars:
    """The list as it is drawn: what each rank adds, or its hit where the metric has no such number."""
    working, rows = found.working, found.judged.rows
    hits = [row.hit for row in rows]
    ideal = [] if working.ideal is None else _values(working.ideal.worth)
    name = f"{found.definition.text}: {shown(found.value)}"
    heights = _values(working.worth) or [float(hit) for hit in hits]
    return RankBars(name, [row.item for row in rows], heights, hits, ideal, _unit(working))


def _values(worth: Sequence[Expression]) -> list[float]:
    return [one.value for one in worth]


def _unit(working: Derivation) -> str:
    """What the bars show."""
    ideal = working.ideal
    if {"product", "discount"} <= working.columns.keys() or (ideal and "discount" in ideal.columns):
        return "gain × discount"
    return "adds to the sum" if working.worth else "hit"
