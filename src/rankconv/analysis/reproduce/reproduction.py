"""Printed numbers, how a value is printed so, and the result of reproducing a source: a verdict for each number."""

import ast
import math
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from typing_extensions import TypedDict

from rankconv.analysis.reproduce.number_row import (
    NOT_RECOMPUTED,
    OTHER,
    RECORDED,
    UNEXPLAINED,
    NumberRow,
    NumberRowData,
    definition_lines,
    numbers_table,
    verdict_lines,
)
from rankconv.analysis.reproduce.sources import NotReproduced
from rankconv.basics.errors import ConventionError
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.page import Code, Heading, Note, Page, Piece
from rankconv.rendering.pages.table import Table

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "ln": math.log,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "exp": math.exp,
}
"""`log` without a base is the natural one."""


def calculated(text: str) -> float | None:
    """The value of a sum; None where the text is none.

    >>> calculated("(1 + 1/2 + 0) / 3"), calculated("three")
    (0.5, None)
    """
    try:
        value = float(_value(ast.parse(text.strip(), mode="eval").body))
    except (SyntaxError, TypeError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return value if math.isfinite(value) else None


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name) and node.id == "e":
        return math.e
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return float(OPERATORS[type(node.op)](_value(node.left), _value(node.right)))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
        (argument,) = node.args
        return FUNCTIONS[node.func.id](_value(argument))
    raise ValueError("no arithmetic")


UNDEFINED = ("nan", "none", "undefined")
REFUSED = ("error", "division by zero")
_DECIMAL = re.compile(r"[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?([eE][+-]?\d{1,3})?")
_COMMA = re.compile(r"[+-]?(0+,\d+|\d+,(\d{1,2}|\d{4,}))")
"""A comma after 0, or before other than three digits, separates no thousands."""
NUMBERS = "0.94, 1/3, 83.3%, 0.33…, a sum such as 1/ln(3) + 1/ln(5)"
ALLOWED = f"Write {NUMBERS}, NaN, or error"


@dataclass(frozen=True)
class Printed:
    """What a text prints: a number, or that there is none."""

    text: str
    value: Fraction | None = None
    """None where it prints an outcome instead of a number."""
    unit: Fraction | None = None
    """What the last digit is worth; None where the number is itself, as 3 and 1/3 do."""
    prefix: bool = False
    """Whether more digits follow in the source's own words: 0.33…"""
    refused: bool = False
    """Whether it prints an error."""

    @property
    def number(self) -> Fraction:
        """The value of a text that prints one."""
        assert self.value is not None
        return self.value

    @property
    def decimals(self) -> int | None:
        """How many digits stand after the point."""
        return None if self.unit is None else max(0, len(str(self.unit.denominator)) - 1)


def read_printed(text: str) -> Printed:
    """The number in a text; what is neither a number nor an outcome is a ConventionError.

    >>> read_printed("83.3%").value, read_printed("1/3").unit
    (Fraction(833, 1000), None)
    """
    word = text.strip().replace("−", "-")
    if word.casefold() in UNDEFINED:
        return Printed(text)
    if word.casefold() in REFUSED:
        return Printed(text, refused=True)
    plain = word.removesuffix("...").removesuffix("…")
    scale = 100 if plain.endswith("%") else 1
    plain = plain.removesuffix("%").strip()
    if _COMMA.fullmatch(plain):
        raise ConventionError(f"'{text:.80}' has a comma for a point", allowed=f"Write {word.replace(',', '.')}")
    if _DECIMAL.fullmatch(plain) and any(sign.isdigit() for sign in plain):
        return _decimal(text, plain.replace(",", ""), scale, prefix=word[-1] in ".…" and word != plain)
    value = calculated(plain)
    if value is None:
        raise ConventionError(f"'{text:.80}' is not a number as one prints it", allowed=ALLOWED)
    return Printed(text, Fraction(value) / scale)


def _decimal(text: str, plain: str, scale: int, prefix: bool) -> Printed:
    number = Decimal(plain)
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    whole = exponent >= 0 and scale == 1
    if whole and prefix:
        raise ConventionError(f"'{text}' leaves all digits open", allowed=ALLOWED)
    if abs(number) > sys.float_info.max:
        raise ConventionError(f"'{text:.40}' is beyond what a float can hold", allowed=ALLOWED)
    unit = None if whole else Fraction(10) ** exponent / scale
    return Printed(text, Fraction(number) / scale, unit, prefix)


EXACT, TRUNCATED, FLOAT32, ERRATUM = "exact", "truncated", "float32", "erratum"
VERDICTS = (EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED)
ULPS = 4
"""How far two orders of adding the same doubles may differ; it shows where all sixteen digits are printed."""


def reproduced(printed: Printed, ours: float | None) -> str | None:
    """How the preset's number gives the printed one, if it does; `ours` is None where the preset refuses.

    A double is read as the decimals nearest to it: 0.3, which is less than 3/10, is not cut off to 0.29.

    >>> reproduced(read_printed("0.666"), 2 / 3), reproduced(read_printed("0.667"), 2 / 3)
    ('truncated', 'exact')
    >>> reproduced(read_printed("0.29"), 0.3) is None
    True
    """
    if printed.value is None:
        same = ours is None if printed.refused else ours is not None and math.isnan(ours)
        return EXACT if same else None
    if ours is None or not math.isfinite(ours):
        return None
    if _is_rounded(printed, ours):
        return EXACT
    if printed.unit is not None and not printed.prefix and _is_cut(printed, printed.unit, ours):
        return TRUNCATED
    return FLOAT32 if _is_rounded(printed, float(np.float32(ours))) else None


def is_exactly(printed: Printed, ours: float) -> bool:
    """Whether a value is the printed number itself, and nothing was rounded.

    >>> is_exactly(read_printed("1.0"), 1.0), is_exactly(read_printed("1.0"), 0.9608)
    (True, False)
    """
    return math.isfinite(ours) and abs(Fraction(ours) - printed.number) <= _noise(ours)


def _is_rounded(printed: Printed, ours: float) -> bool:
    if printed.unit is None:
        return math.isclose(ours, printed.number, rel_tol=1e-12, abs_tol=1e-15)
    if printed.prefix:
        return _is_cut(printed, printed.unit, ours)
    return abs(Fraction(ours) - printed.number) <= printed.unit / 2 + _noise(ours)


def _is_cut(printed: Printed, unit: Fraction, ours: float) -> bool:
    rest = abs(Fraction(ours)) - abs(printed.number)
    noise = _noise(ours)
    return ours * printed.number >= 0 and -noise <= rest < unit - min(noise, unit / 2)


def _noise(ours: float) -> Fraction:
    return ULPS * Fraction(math.ulp(ours))


class NotReproducedData(TypedDict):
    """Printed numbers that are not reproduced."""

    source: str
    where: str
    reason: str
    printed: dict[str, str]
    """What they are, and the numbers."""


class ReproductionData(TypedDict):
    """The printed numbers of sources, and what comes out."""

    ok: bool
    """Whether every number that was computed comes out as its file states, or is an erratum of the source."""
    summary: str
    """How many numbers came out how, in one line."""
    sources: dict[str, str]
    """The title of each source, by its name."""
    numbers: list[NumberRowData]
    remarks: list[str]
    """What a source says that its own numbers contradict."""
    left_out: list[NotReproducedData]


@dataclass(frozen=True)
class Reproduction(PagedResult):
    """What `rc.reproduce` gives: `rows`, `ok`, and `summary`, the line that says how many came out how."""

    titles: dict[str, str]
    """The sources by name."""
    rows: tuple[NumberRow, ...]
    left_out: tuple[NotReproduced, ...]
    remarks: tuple[str, ...] = ()
    """What a source says that its own numbers contradict."""
    fetch: tuple[str, ...] = ()
    """The commands that fetch the files which are not there."""

    @cached_property
    def counts(self) -> Counter[str]:
        """How many printed numbers have which verdict."""
        return Counter(row.verdict for row in self.rows if not row.computed)

    @property
    def computed(self) -> list[NumberRow]:
        """Numbers that a source does not print, and its program returns."""
        return [row for row in self.rows if row.computed]

    @property
    def left_out_count(self) -> int:
        """How many printed numbers are left out."""
        return sum(len(one.printed) for one in self.left_out)

    @property
    def failures(self) -> list[NumberRow]:
        """Numbers that are unexplained, or wrongly marked as errata."""
        return [row for row in self.rows if row.failed]

    @property
    def ok(self) -> bool:
        """Whether every number that was computed comes out as its file states, or is an erratum of the source."""
        return not self.failures

    @property
    def summary(self) -> str:
        """One line: how many numbers, and how many of each verdict."""
        words = {verdict: "errata" if verdict == ERRATUM else verdict for verdict in VERDICTS}
        parts = [f"{self.counts.total():,} numbers"]
        parts += [f"{self.counts[verdict]:,} {word}" for verdict, word in words.items()]
        wrongly = sum(row.wrongly_marked for row in self.rows)
        absent = self.counts[NOT_RECOMPUTED]
        parts += [f"{wrongly} wrongly marked"] if wrongly else []
        parts += [f"{absent:,} {NOT_RECOMPUTED}"] if absent else []
        parts += [f"{self.left_out_count} left out"]
        if any(row.signature for row in self.rows):
            stated = Counter(row.recorded for row in self.rows if not row.computed)
            parts += [f"stated: {', '.join(f'{stated[one]:,} {one}' for one in RECORDED)}"]
        if not self.computed:
            return ", ".join(parts)
        exact = sum(row.verdict == EXACT for row in self.computed)
        counted = f"{len(self.computed)}, {exact} exact"
        return f"{', '.join(parts)}; not printed, but returned by a source's program: {counted}"

    def __iter__(self) -> Iterator[NumberRow]:
        return iter(self.rows)

    def to_dict(self) -> ReproductionData:
        """Everything as plain data."""
        return {
            "ok": self.ok,
            "summary": self.summary,
            "sources": self.titles,
            "numbers": [row.to_dict() for row in self.rows],
            "remarks": list(self.remarks),
            "left_out": [
                {"source": one.source, "where": one.where, "reason": one.reason, "printed": one.printed}
                for one in self.left_out
            ],
        }

    def _page(self, *, whole: bool = False) -> Page:
        """The sources and what is not exact; or, as the `whole`, every number. Then what must be known of them."""
        rows = list(self) if whole else not_exact(self)
        sections: list[list[Piece]] = [] if whole else [[sources_table(self)]]
        sections += [[numbers_table(rows)]] if rows else []
        definitions = definition_lines(rows)
        sections += [[Heading("Definitions"), *definitions]] if definitions else []
        fetch: list[Piece] = (
            [Heading("Data that are not there"), Code("\n".join(self.fetch), "sh")] if self.fetch and whole else []
        )
        return Page([*sections, *([fetch] if fetch else []), [Note(line) for line in closing_lines(self)]])

    def to_html(self, title: str = "") -> str:
        """A document with every number, that opens by double click and loads nothing from anywhere."""
        from rankconv.rendering.pages.web.html import document

        return document([self._page(whole=True)], title or f"rankconv: {', '.join(self.titles)}")

    def to_csv(self, **shown: Any) -> str:
        """Return every number as CSV."""
        return numbers_table(self).to_csv()

    def __repr__(self) -> str:
        return f"Reproduction({self.summary})"


def sources_table(found: Reproduction) -> Table:
    """A line per source: how many numbers came out how."""
    rows = []
    for name, title in found.titles.items():
        verdicts = [row.verdict for row in found if row.source == name]
        left_out = sum(len(one.printed) for one in found.left_out if one.source == name)
        counts = [len(verdicts), *(verdicts.count(verdict) for verdict in VERDICTS), left_out]
        rows.append([name, title, *(str(count) if count else "–" for count in counts)])
    return Table(["source", "what it is", "numbers", *VERDICTS, "left out"], rows, labels=2, prose=frozenset({1}))


def not_exact(found: Reproduction) -> list[NumberRow]:
    """All that a reader should look at."""
    return [row for row in found if row.failed or row.verdict not in (EXACT, NOT_RECOMPUTED) or row.recorded == OTHER]


def closing_lines(found: Reproduction) -> list[str]:
    """Notes on single numbers, remarks on sources, what is left out; the summary last."""
    noted = [
        row for row in not_exact(found) if row.note and not row.signature and (row.failed or row.verdict == ERRATUM)
    ]
    lines = [f"{row.source}, {row.where}, {row.metric}: {row.printed}, ours {row.shown}; {row.note}." for row in noted]
    lines += verdict_lines(found)
    lines += [f"{remark}." for remark in found.remarks]
    if found.fetch:
        count = f"{len(found.fetch)} file{'s are' if len(found.fetch) > 1 else ' is'}"
        lines.append(f"{count} not there: rankconv reproduce SOURCE prints the commands that fetch them.")
    counts = Counter[tuple[str, str]]()
    for entry in found.left_out:
        counts[entry.source, entry.reason] += len(entry.printed)
    lines += [f"{source}: {count} left out, as {reason}." for (source, reason), count in counts.items()]
    return [*lines, found.summary]
