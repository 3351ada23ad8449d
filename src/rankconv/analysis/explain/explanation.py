"""The explanation of one user's value: data, page and tables."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from rankconv.analysis.explain.rows import Row
from rankconv.analysis.explain.words import Cell, Derivation, Ideal, score
from rankconv.analysis.explain.worked_number import WorkedNumber
from rankconv.data.ids import typed
from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import sign_of_divisor
from rankconv.numbers.exact import decimal, plain, quotient
from rankconv.numbers.writing import Expression, Number, Quotient, Text, text
from rankconv.pages import forms
from rankconv.pages.cells import finite, plural, short
from rankconv.pages.display import Drawn, RowResult, terminal_width
from rankconv.pages.page import Equation, Heading, Line, Page, Pair, Paragraph, Piece, Settings, Title
from rankconv.pages.picture import Target
from rankconv.pages.rank_plot import RankBars, draw
from rankconv.pages.table import Table
from rankconv.preparation.expected import TieEffect
from rankconv.presets.definition import Definition
from rankconv.specs.convention import CONVENTIONS, NUMBER, Setting

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
    """A number in a table: a short fraction as it is, anything longer as a decimal."""
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


def narrower(ideal: Table, other: Table) -> Table:
    """The ideal list without what is in the same row of the list next to it."""
    shown = ("rank", "discount") if len(ideal.rows) <= len(other.rows) else ("discount",)
    kept = [place for place, name in enumerate(ideal.headers) if name not in shown]
    rows = [[row[place] for place in kept] for row in ideal.rows]
    labels = sum(name not in shown for name in ideal.headers[: ideal.labels])
    return Table([ideal.headers[place] for place in kept], rows, labels=labels)


WITHOUT_CUTOFF = {"ranks 1 to k": "all ranks", " j <= k": "", " within k": "", "@k": ""}
"""What a formula says where there is no k."""


def formula(definition: Definition) -> str:
    """The metric's formula, with k and the divisors written in: "hits@3 / min(k, length)"."""
    return formula_of(definition.metric)


def formula_of(metric: Metric) -> str:
    """The formula under these settings, at this cutoff."""
    text = metric.formula
    for words, instead in WITHOUT_CUTOFF.items() if metric.scope is None else ():
        text = text.replace(words, instead)
    if metric.scope is not None:
        text = re.sub(r"\bk\b", str(metric.scope), text)
    for convention_name in sorted(metric.stated, key=len, reverse=True):
        if convention_name.endswith(("denominator", "precision-at")):
            text = text.replace(convention_name, sign_of_divisor(metric.settings[convention_name], metric.k))
    return text


def parts(definition: Definition) -> list[tuple[str, str]]:
    """The metric's settings that matter, each with its rule, numbers written in."""
    all_settings = definition.metric.settings.items()
    entries = [
        (convention_name, setting) for convention_name, setting in all_settings if not setting.trait("formula_tells")
    ]
    return [
        (f"{convention_name}={setting.text}", _rule(convention_name, setting)) for convention_name, setting in entries
    ]


def _rule(convention_name: str, setting: Setting) -> str:
    """The rule of a setting, with its parameters in their places; the convention, where a number is its setting."""
    if setting.setting_type.name == NUMBER:
        return CONVENTIONS[convention_name].description
    text = setting.setting_type.rule
    for parameter in setting.setting_type.parameters.own:
        given = setting.keywords.get(parameter.name, parameter.default)
        if isinstance(given, (int, float)):
            text = re.sub(rf"(?<![A-Za-z]){parameter.name}(?![A-Za-z])", f"{given:.10g}", text)
    return text.replace("log_2.718281828", "ln").replace("log_", "log").replace(", plus 0", "")


LONG = 90
"""Letters of a quotient that is written whole; of a longer one the values of both sides."""
IDEAL = "The ideal list:"
"""Shown above the ideal list, unless that is next to the judged one."""


def page(found: WorkedNumber) -> Page:
    """The page of one number."""
    title = f"{found.definition.text} of user {typed(found.user)}: {shown(found.value)}"
    sections: dict[str, Iterable[Piece]] = {
        "Preparation": _preparation(found),
        "The list": _list(found),
        "The formula": _formula(found),
        "What decided": [_said(found.outcome.decided), *_disagreement(found)],
        "In the mean": [_said(found.contribution)],
    }
    about: list[Piece] = [Title(_one_line(title)), _said(found.definition.metric.about())]
    entries: list[list[Piece]] = [[Heading(heading), *pieces] for heading, pieces in sections.items()]
    return Page([about, *entries])


def _said(words: str) -> Paragraph:
    return Paragraph(_one_line(words), rest="    ")


def _one_line(words: str) -> str:
    return " ".join(words.split())


def shown(value: float) -> str:
    """A value as the title has it."""
    return "no value" if math.isnan(value) else decimal(value)


def _preparation(found: WorkedNumber) -> list[Piece]:
    if not found.changes:
        return [_said("No changes: the list and its labels are used as given.")]
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
        sentence = (
            f"The engine gives {shown(found.engine)} here, which this working does not confirm: please report it."
        )
        yield _said(sentence)


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


class _Whole(Text):
    """Sums with all their terms."""

    longest = 10**9


whole_text = _Whole()


def data_of(found: WorkedNumber) -> dict[str, Any]:
    """All of it; NaN and infinity are None, as JSON has it."""
    working = found.working
    return {
        "definition": found.definition.text,
        "user": found.user,
        "value": finite(found.value),
        "state": found.outcome.state,
        "preparation": [vars(change) for change in found.changes],
        "list": _rows_of_list(found),
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
    return {"worked": whole_text(given), "fraction": exact, "value": finite(given.value)}


def _cells(columns: Sequence[tuple[str, Sequence[Cell]]], at: int) -> dict[str, Any]:
    cells = {name: column[at] for name, column in columns if at < len(column)}
    return {name: one if isinstance(one, str) else finite(one.value) for name, one in cells.items()}


def _rows_of_list(found: WorkedNumber) -> list[dict[str, Any]]:
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


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Drawn, RowResult, WorkedNumber):
    """One user's number, worked out.

    `value` is the metric's over exact numbers, such as fractions; `engine` is what `rc.evaluate` gives, in doubles.

    >>> import rankconv as rc
    >>> found = rc.explain({"ada": {"a": 3, "b": 1}}, {"ada": ["x", "b", "a"]}, "dcg@3", user="ada")
    >>> print(found.to_text().split("What decided")[0].split("The list")[1].strip())
    rank  item  grade  relevant  gain  discount  product     sum
    ────  ────  ─────  ────────  ────  ────────  ───────  ──────
    1     x         –        no     0         1        0       0
    2     b         1       yes     1    0.6309   0.6309  0.6309
    3     a         3       yes     3       1/2      3/2  2.1309
    <BLANKLINE>
    The formula
    sum of gain · discount, ranks 1 to 3
      gain=linear            g
      discount=log(base=2)   1 / log2(rank + 1)
    dcg@3 = 1/log2(3) + 3/2 ≈ 2.130929754
    """

    rows_in: ClassVar[str] = "list"

    against: "Explanation | None" = None
    """This user under another definition."""

    def _page(self) -> Page:
        """The whole page of this definition's number."""
        return page(self)

    def _printed(self, width: int | None) -> Page:
        """This definition's page, and after it that of the other."""
        return Page([section for one in self._both for section in one._page().sections])

    def to_text(self, width: int | None = 100, **shown: Any) -> str:
        """For a terminal of this width."""
        if self.against is None:
            return forms.text(self._page(**shown), width)
        names = (self.definition.text, self.against.definition.text)
        return forms.both_texts(self._page(**shown), self.against._page(**shown), names, width)

    def to_markdown(self, **shown: Any) -> str:
        """GitHub Markdown."""
        return "\n\n".join(forms.markdown(one._page(**shown)) for one in self._both)

    def to_latex(self, **shown: Any) -> str:
        """A fragment for a document that uses booktabs and amsmath."""
        return "\n\n".join(forms.latex(one._page(**shown)) for one in self._both)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return data_of(self) | ({} if self.against is None else {"against": data_of(self.against)})

    def plot(self, path: Target) -> None:
        """Draw the list as bars, the ideal list as outline, into an SVG or PNG file. Needs matplotlib."""
        draw([bars(one) for one in self._both], f"User {typed(self.user)}", path)

    @property
    def _both(self) -> "list[Explanation]":
        return [self] if self.against is None else [self, self.against]

    def __str__(self) -> str:
        return self.to_text(terminal_width())
