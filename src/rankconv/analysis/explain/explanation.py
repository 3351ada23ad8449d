"""The explanation of one user's value: data, page and tables."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NotRequired, cast

from typing_extensions import TypedDict

from rankconv.analysis.explain.derivation import Column, Derivation, Ideal, formula_of
from rankconv.analysis.explain.prepared_list import ListChange, PreparedList, PreparedRow, score_text
from rankconv.conventions.convention import CONVENTIONS, NUMBER, Setting
from rankconv.data.group_values import GroupValues
from rankconv.data.ids import PlainId, typed
from rankconv.evaluation.results.group_tables import group_data, groups_table
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition
from rankconv.rendering.numbers.exact import decimal, plain, quotient
from rankconv.rendering.numbers.writing import Expression, Fractional, Quotient, Writer, text
from rankconv.rendering.pages.cells import finite, plural, short
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Equation, Heading, Page, Paragraph, Piece, SettingsColumn, Title
from rankconv.rendering.pages.table import Table

LONGEST, FIRST, LAST = 30, 20, 5
"""Rows of a table that is printed whole; and those that are left of a longer one."""
LONG, SHORT = 90, 40
"""Letters of a quotient that is written whole, and of one whose sides need no lines of their own."""
WHOLE = Writer(longest=10**9)
"""Writes sums with all their terms."""


@dataclass(frozen=True)
class UserOutcome:
    """What the user counts as, and why."""

    value: float
    """The number that `rc.evaluate` gives this user."""
    state: str
    """As in `rc.Result.state`: `scored`, `outside`, or the policy and its setting."""
    decided: str
    """What decided, in a sentence."""


class ListChangeData(TypedDict):
    """What one setting changed in the list or its labels."""

    convention: str
    setting: str
    words: str


class ExplainedRow(TypedDict):
    """A row of the prepared list; the columns of the formula follow, as `gain` and `discount`."""

    rank: float
    """The rank that the metric sees: rows of a tie may share one, which may be a half."""
    item: str
    score: float | None
    """Null where it is not finite; without scores the negative of a place."""
    grade: float | None
    """Null where the item is not judged."""
    judged: bool
    relevant: bool
    is_hit: bool
    """Whether the row is relevant, and is not kept from counting by its score."""
    calls: NotRequired[list[str]]
    """The calls that returned the row, where there are several searches for one task."""
    chunk: NotRequired[str]
    """The span of a document that the row was given as, where its item is the label that it matches."""
    hit_pieces: NotRequired[list[str]]
    """Of spans whose characters are compared: the pieces that are hits, each with its label."""


class IdealRow(TypedDict):
    """A row of the ideal list; the columns of the formula follow, as `gain` and `discount`."""

    rank: int
    item: str


class ExpressionData(TypedDict):
    """A number of the derivation."""

    worked: str
    """How it is computed."""
    fraction: str | None
    """The exact fraction; null where it is not rational."""
    value: float | None
    """Null where it is not finite."""


class DerivationFact(TypedDict):
    """A fact that enters the formula, with its number where it has one."""

    what: str
    worked: NotRequired[str]
    """How it is computed."""
    fraction: NotRequired[str | None]
    """The exact fraction; null where it is not rational."""
    value: NotRequired[float | None]
    """Null where it is not finite."""


class OneExplanationData(TypedDict):
    """The value of one user under one definition, worked out."""

    definition: str
    user: PlainId
    value: float | None
    """Null where there is none."""
    state: str
    """`scored`, `outside`, or the policy and its setting that give the value."""
    preparation: list[ListChangeData]
    list: list[ExplainedRow]
    ideal: list[IdealRow] | None
    """The list that the metric compares with; null where it compares with none."""
    formula: str
    settings: dict[str, str]
    """The settings of the formula."""
    facts: list[DerivationFact]
    numerator: ExpressionData
    denominator: ExpressionData
    result: ExpressionData
    decided: str
    """What decided the value, in a sentence."""
    mean: str
    """What the user adds to the mean, in a sentence."""
    groups: NotRequired[dict[str, dict[str, float | None]]]
    """Of a metric of groups of items, by group, the values that the number of all users is made of."""
    engine: float | None
    """The value that `rankconv evaluate` gives the user."""
    worked_out: bool
    """Whether the derivation has exact numbers."""


class OtherExplanationData(TypedDict, total=False):
    """The value of the user under another definition."""

    against: OneExplanationData
    """Under the other definition, where two are compared."""


class ExplanationData(OneExplanationData, OtherExplanationData):
    """The value of one user, worked out."""


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(RowResult):
    """One user's number, worked out.

    `value` is the metric's over exact numbers, such as fractions; `engine` is what `rc.evaluate` gives, in doubles.

    >>> import rankconv as rc
    >>> found = rc.explain({"ada": {"a": 3, "b": 1}}, {"ada": ["x", "b", "a"]}, "dcg@3", user="ada")
    >>> print(found.to_text().split("Policy")[0].split("The list")[1].strip())
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

    definition: Definition
    user: Any
    changes: list[ListChange] = field(repr=False)
    """What preparation did to the list, only where it changed something."""
    prepared: PreparedList = field(repr=False)
    working: Derivation = field(repr=False)
    outcome: UserOutcome
    contribution: str = field(repr=False)
    """What the user adds to the mean, in words."""
    engine: float
    worked_out: bool = True
    """False for a metric that cannot compute with exact numbers: the numbers are then the engine's."""
    against: "Explanation | None" = None
    """This user under another definition."""
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""
    groups: GroupValues | None = field(default=None, repr=False)
    """The values of the groups of items that the number of all users is made of, where it is of groups."""

    @property
    def value(self) -> float:
        """What the user counts as; NaN where they are outside, left out or refused."""
        return self.outcome.value

    @property
    def agrees(self) -> bool:
        """Whether the engine has the same number, to 1e-12."""
        if math.isnan(self.value) or math.isnan(self.engine):
            return math.isnan(self.value) and math.isnan(self.engine)
        return math.isclose(self.value, self.engine, rel_tol=1e-12)

    def _page(self) -> Page:
        """The page of this definition's number, and below it that of the other."""
        return Page([section for one in self._both for section in _page_of(one).sections])

    def to_dict(self) -> ExplanationData:
        """Everything as plain data; NaN is None, as JSON has it."""
        other: OtherExplanationData = {} if self.against is None else {"against": _data_of(self.against)}
        return {**_data_of(self), **other}

    @property
    def _both(self) -> "list[Explanation]":
        return [self] if self.against is None else [self, self.against]


def list_table(found: Explanation) -> Table:
    """The rows of the prepared list that the metric reads, with the columns of its working."""
    rows, columns = found.prepared.rows[: rows_shown(found)], found.working.columns
    preparation, ties = found.definition.preparation, found.prepared.tie_rule is not TieEffect.ORDER
    scores = (preparation.by_score and found.prepared.scored) or not preparation.settings["min-score"].changes_nothing
    ranks, items = [f"{row.rank:g}" for row in rows], [short(row.item) for row in rows]
    facts = {"rank": ranks, "item": items, **facts_of_rows(rows, scores=scores, ties=ties)}
    return columns_table(facts | _texts(columns), len(rows))


def rows_shown(found: Explanation) -> int:
    """How many rows are printed: those that are read, and the rest of a tie that goes on below."""
    rows, read = found.prepared.rows, found.prepared.within(found.definition.metric.scope)
    read = max([read, *(len(column) for column in found.working.columns.values())])
    shares = found.prepared.tie_rule is TieEffect.EXPECTED and 0 < read <= len(rows)
    return rows[read - 1].tie[-1] + 1 if shares else min(read, len(rows))


def facts_of_rows(rows: Sequence[PreparedRow], *, scores: bool, ties: bool) -> dict[str, list[str]]:
    """What each row is: its score and tie where they matter, its grade, whether it is relevant."""
    facts: dict[str, list[str]] = {"score": [score_text(row.score) for row in rows]} if scores else {}
    if ties and any(len(row.tie) > 1 for row in rows):
        facts["tie"] = [f"{row.tie[0] + 1}–{row.tie[-1] + 1}" if len(row.tie) > 1 else "" for row in rows]
    facts["grade"] = ["–" if row.grade is None else _grade(row.grade) for row in rows]
    facts["relevant"] = [("yes" if row.hit else "gated" if row.relevant else "no") for row in rows]
    if any(row.calls for row in rows):
        facts["call"] = [short(", ".join(row.calls)) for row in rows]
    if any(row.chunk for row in rows):
        facts["chunk"] = [short(row.chunk) for row in rows]
    if any(row.hit_pieces for row in rows):
        facts["pieces that are hits"] = [", ".join(row.hit_pieces) for row in rows]
    if any(row.groups for row in rows):
        facts["groups"] = [short(", ".join(row.groups)) for row in rows]
    if any(row.weight > 1 for row in rows):
        facts["weight"] = [str(row.weight) for row in rows]
    return facts


def _grade(grade: float) -> str:
    return str(int(grade)) if grade.is_integer() else f"{grade:g}"


def ideal_table(ideal: Ideal) -> Table:
    """The ideal list, rank by rank."""
    size = len(ideal.items)
    facts = {"rank": [str(rank) for rank in range(1, size + 1)], "ideal": [short(item) for item in ideal.items]}
    return columns_table(facts | _texts(ideal.columns), size)


def columns_table(columns: dict[str, list[str]], size: int) -> Table:
    """Columns by their heads, filled up to so many rows; of many rows the first and the last."""
    filled = [column + [""] * (size - len(column)) for column in columns.values()]
    rows = [list(row) for row in zip(*filled, strict=True)]
    if size > LONGEST:
        rows = [*rows[:FIRST], ["…"] * len(columns), *rows[-LAST:]]
    return Table(list(columns), rows, labels=2)


def _texts(columns: Mapping[str, Column]) -> dict[str, list[str]]:
    return {name: [one if isinstance(one, str) else _cell(one) for one in column] for name, column in columns.items()}


def _cell(given: Expression) -> str:
    """A number in a table: a short fraction as it is, anything longer as a decimal."""
    is_fraction = (
        isinstance(given, Quotient) and isinstance(given.top, Fractional) and isinstance(given.bottom, Fractional)
    )
    if (is_fraction or isinstance(given, Fractional)) and len(text(given)) <= 7:
        return text(given)
    exact = given.exact
    if exact is not None and len(str(exact)) <= 5:
        return str(exact)
    return f"{given.value:.4f}" if abs(given.value) < 1e6 else f"{given.value:.4g}"


# the page


def _page_of(found: Explanation) -> Page:
    """The page of one number."""
    title = Title(_one_line(f"{found.definition.text} of user {typed(found.user)}: {_shown(found.value)}"))
    changes = SettingsColumn([(f"{one.convention}={one.setting}", _one_line(one.words)) for one in found.changes])
    unchanged = _paragraph("No changes: the list and its labels are used as given.")
    sections: dict[str, Sequence[Piece]] = {
        "Preparation": [changes if found.changes else unchanged],
        "The list": _list(found),
        "The ideal list": _ideal(found),
        "The formula": [*_formula(found)],
        "Policy": [*_decided(found)],
        "In the mean": [_paragraph(found.contribution)],
        "Groups, over all users": _groups(found),
    }
    about: list[Piece] = [title, _paragraph(found.definition.metric.about())]
    return Page([about, *([Heading(heading), *pieces] for heading, pieces in sections.items() if pieces)])


def _paragraph(words: str) -> Paragraph:
    return Paragraph(_one_line(words), rest="    ")


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _shown(value: float) -> str:
    return "no value" if math.isnan(value) else decimal(value)


def _list(found: Explanation) -> list[Piece]:
    below, scope = len(found.prepared.rows) - rows_shown(found), found.definition.metric.scope
    not_read = f"{plural(below, 'row')} below rank {scope} {'is' if below == 1 else 'are'} not read."
    rest = [_paragraph(not_read)] if below else []
    return [list_table(found), *rest] if found.prepared.rows else [_paragraph("The list is empty.")]


def _groups(found: Explanation) -> list[Piece]:
    """Empty where the number is not of groups of items."""
    return [] if found.groups is None else [groups_table({found.definition.spec: found.groups})]


def _ideal(found: Explanation) -> list[Piece]:
    """Empty where the formula has no ideal list."""
    if found.working.ideal is None:
        return []
    return [ideal_table(found.working.ideal) if found.working.ideal.items else _paragraph("It is empty.")]


def _formula(found: Explanation) -> Iterator[Piece]:
    working, said = found.working, list[str]()
    yield _paragraph(formula_of(found.definition.metric))
    rules = _rules(found.definition)
    if rules:
        yield SettingsColumn([(f"{convention_name}={setting}", rule) for convention_name, setting, rule in rules])
    for words, value in working.says:
        if words not in said:
            yield _paragraph(words[0].upper() + words[1:] + ".") if value is None else Equation(words, value)
        said.append(words)
    result, letters = working.ratio, len(text(working.ratio))
    if working.denominator.exact != 1 and letters > SHORT:
        yield Equation(working.names[0], working.numerator)
        if not any(words.split(",")[0] == working.names[1].split(",")[0] for words in said):
            yield Equation(working.names[1], working.denominator)
        if letters > LONG:
            both = (working.numerator, working.denominator)
            result = quotient(*(Fractional(one.value) if one.exact is None else plain(one) for one in both))
    yield Equation(found.definition.spec, result)


def _rules(definition: Definition) -> list[tuple[str, str, str]]:
    """The metric's settings that matter: convention, setting and rule, with numbers written in."""
    settings = definition.metric.settings.items()
    return [
        (name, setting.text, _rule(name, setting)) for name, setting in settings if not setting.traits.formula_tells
    ]


def _rule(convention_name: str, setting: Setting) -> str:
    """The rule of a setting, with its parameters in their places; the convention, where a number is its setting."""
    if setting.setting_type.name == NUMBER:
        return CONVENTIONS[convention_name].description
    rule = setting.setting_type.rule
    for parameter in setting.setting_type.parameters.own:
        given = setting.keywords.get(parameter.name, parameter.default)
        if isinstance(given, (int, float)):
            rule = re.sub(rf"(?<![A-Za-z]){parameter.name}(?![A-Za-z])", f"{given:.10g}", rule)
    return rule.replace("log_2.718281828", "ln").replace("log_", "log").replace(", plus 0", "")


def _decided(found: Explanation) -> Iterator[Paragraph]:
    yield _paragraph(found.outcome.decided)
    if not found.agrees:
        engine = _shown(found.engine)
        yield _paragraph(f"The engine gives {engine} here, which this derivation does not confirm: please report it.")


def _data_of(found: Explanation) -> OneExplanationData:
    """All of it; NaN and infinity are None, as JSON has it."""
    working, ideal = found.working, found.working.ideal
    groups: dict[str, Any] = {} if found.groups is None else {"groups": group_data(found.groups)}
    data: OneExplanationData = {
        "definition": found.definition.text,
        "user": found.user,
        "value": finite(found.value),
        "state": found.outcome.state,
        "preparation": [
            {"convention": one.convention, "setting": one.setting, "words": one.words} for one in found.changes
        ],
        "list": [
            cast(ExplainedRow, {**_row(row), **_cells(working.columns, at)})
            for at, row in enumerate(found.prepared.rows)
        ],
        "ideal": None if ideal is None else _ideal_rows(ideal),
        "formula": formula_of(found.definition.metric),
        "settings": {convention_name: setting for convention_name, setting, _ in _rules(found.definition)},
        "facts": [{"what": words} if one is None else {"what": words, **_number(one)} for words, one in working.says],
        "numerator": _number(working.numerator),
        "denominator": _number(working.denominator),
        "result": _number(working.ratio),
        "decided": found.outcome.decided,
        "mean": found.contribution,
        "engine": finite(found.engine),
        "worked_out": found.worked_out,
    }
    return cast(OneExplanationData, {**data, **groups})


def _ideal_rows(ideal: Ideal) -> list[IdealRow]:
    rows: list[IdealRow] = [{"rank": rank, "item": item} for rank, item in enumerate(ideal.items, 1)]
    return [cast(IdealRow, {**row, **_cells(ideal.columns, at)}) for at, row in enumerate(rows)]


def _number(given: Expression) -> ExpressionData:
    fraction = None if given.exact is None else str(given.exact)
    return {"worked": WHOLE(given), "fraction": fraction, "value": finite(given.value)}


def _cells(columns: Mapping[str, Column], at: int) -> dict[str, str | float | None]:
    cells = {name: column[at] for name, column in columns.items() if at < len(column)}
    return {name: one if isinstance(one, str) else finite(one.value) for name, one in cells.items()}


def _row(row: PreparedRow) -> ExplainedRow:
    explained: ExplainedRow = {
        "rank": int(row.rank) if row.rank.is_integer() else row.rank,
        "item": row.item,
        "score": finite(row.score),
        "grade": row.grade,
        "judged": row.judged,
        "relevant": row.relevant,
        "is_hit": row.hit,
    }
    if row.calls:
        explained["calls"] = [*row.calls]
    if row.chunk:
        explained["chunk"] = row.chunk
    if row.hit_pieces:
        explained["hit_pieces"] = [*row.hit_pieces]
    return explained
