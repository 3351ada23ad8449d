"""An explanation as a page: sections of sentences, answers, tables and equations, not yet in any markup."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rankconv.explaining.arithmetic import plain, quotient
from rankconv.explaining.equation import Equation, decimal
from rankconv.explaining.explanation import Explanation
from rankconv.explaining.expression import Expression, Number
from rankconv.explaining.formula import formula, parts
from rankconv.explaining.working import Working
from rankconv.explaining.writing import text
from rankconv.report.explanation_table import ideal_table, list_table, rows_not_read
from rankconv.report.table import Table


@dataclass(frozen=True)
class Answers:
    """Answers, each with what it means or did."""

    pairs: list[tuple[str, str]]


LONG = 90
"""Letters of a quotient that is written whole; of a longer one the values of both sides."""
IDEAL = "The ideal list:"
"""Stands above the ideal list, unless that is beside the judged one."""
Piece = str | Answers | Equation | Table


@dataclass(frozen=True)
class Section:
    """A part of the page under its heading."""

    heading: str
    pieces: list[Piece]


@dataclass(frozen=True)
class Page:
    """All that is told of one number."""

    name: str
    """The definition."""
    title: str
    about: str
    sections: list[Section]


def page(found: Explanation) -> Page:
    """The page of one explanation."""
    title = f"{found.definition.text} of user {found.user}: {shown(found.value)}"
    sections = [
        Section("What judging did", _judging(found)),
        Section("The list", list(_list(found))),
        Section("The formula", list(_formula(found))),
        Section("What decided", [found.outcome.decided, *_disagreement(found)]),
        Section("In the mean", [found.contribution]),
    ]
    return Page(found.definition.text, title, found.definition.metric.about(), sections)


def shown(value: float) -> str:
    """A value as the title has it."""
    return "no value" if math.isnan(value) else decimal(value)


def _judging(found: Explanation) -> list[Piece]:
    if not found.changes:
        return ["Nothing: the list and its labels stand as given."]
    return [Answers([(f"{one.question}={one.answer}", one.words) for one in found.changes])]


def _list(found: Explanation) -> Iterator[Piece]:
    if found.judged.rows:
        yield list_table(found)
        yield from rows_not_read(found)
    else:
        yield "The list is empty."
    if found.working.ideal is not None:
        yield IDEAL if found.working.ideal.items else "The ideal list is empty."
        if found.working.ideal.items:
            yield ideal_table(found)


def _formula(found: Explanation) -> Iterator[Piece]:
    yield formula(found.definition)
    answers = parts(found.definition)
    if answers:
        yield Answers(answers)
    working = found.working
    said: list[str] = []
    for words, value in working.says:
        if words not in said:
            yield words[0].upper() + words[1:] + "." if value is None else Equation(words, value)
        said.append(words)
    if working.denominator.exact != 1 and not _short(working.ratio):
        yield Equation(working.names[0], working.numerator)
        if not any(words.split(",")[0] == working.names[1].split(",")[0] for words in said):
            yield Equation(working.names[1], working.denominator)
    yield Equation(found.definition.spec, _result(working))


def _result(working: Working) -> Expression:
    """The number, from numerator and denominator; only their values where the way to it is long."""
    if working.denominator.exact == 1 or len(text(working.ratio)) <= LONG:
        return working.ratio
    both = (working.numerator, working.denominator)
    return quotient(*(Number(one.value) if one.exact is None else plain(one) for one in both))


def _short(ratio: Expression) -> bool:
    return len(text(ratio)) <= 40


def _disagreement(found: Explanation) -> Iterator[str]:
    if not found.agrees:
        yield f"The engine gives {shown(found.engine)} here, which this working does not confirm: please report it."
