"""Printed numbers: their digits, and arithmetic on them."""

import ast
import math
import operator
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path as FilePath
from typing import Any

from rankconv.analysis.reproduce.sources import Contradiction, Erratum, Number, Source, Table, unpacked
from rankconv.errors import ConventionError, RankconvError, unknown
from rankconv.presets import folders
from rankconv.presets.definition import Definition
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.yaml_file import Path
from rankconv.specs.spec import preset_and_rest

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
ALLOWED = "Write 0.94, 1/3, 83.3%, 0.33…, a sum such as 1/ln(3) + 1/ln(5), NaN, or error"


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
    if _DECIMAL.fullmatch(plain) and any(sign.isdigit() for sign in plain):
        return _decimal(text, plain.replace(",", ""), scale, prefix=word[-1] in ".…" and word != plain)
    return _sum(text, plain, scale)


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


def _sum(text: str, plain: str, scale: int) -> Printed:
    value = calculated(plain)
    if value is None:
        raise ConventionError(f"'{text:.80}' is not a number as one prints it", allowed=ALLOWED)
    return Printed(text, Fraction(value) / scale)


@dataclass(frozen=True)
class NumberSource:
    """A spec under a preset, on inputs, for one user or the mean."""

    inputs: str
    preset: str
    settings: tuple[tuple[str, Any], ...]
    """Options of the run."""
    spec: str
    user: str | int | None
    line: str
    """File and line, for messages."""

    @property
    def definition(self) -> Definition:
        """What the spec asks for; errors get the line."""
        try:
            (found,) = find_preset(self.preset).replace(**dict(self.settings)).define(self.spec)
        except RankconvError as error:
            raise error.at(self.line) from None
        except ValueError:
            raise ConventionError(f"'{self.spec}' asks for several numbers", where=self.line) from None
        return found


@dataclass(frozen=True)
class PrintedNumber:
    """A number in print, and what must give it."""

    number_source: NumberSource
    where: str
    table: int
    """The place of its table in the file."""
    printed: Printed
    mark: bool | Erratum
    note: str


def claims(source: Source) -> Iterator[PrintedNumber]:
    """All numbers of a source."""
    for place, table in enumerate(source.file.tables):
        if not table.numbers and not table.output:
            raise ConventionError("the table has no numbers", where=source.document.place(("tables", place)))
        if table.output:
            yield from _of_output(source, place, table)
        for row, number in enumerate(table.numbers):
            yield from _of_number(source, place, ("tables", place, "numbers", row), number)


def _of_number(source: Source, place: int, path: Path, number: Number) -> Iterator[PrintedNumber]:
    line = source.document.place(path)
    given = [number.printed is not None, bool(number.at), bool(number.by_user)]
    if sum(given) != 1:
        raise ConventionError("a number has exactly one of printed, at, by-user", where=line)
    table = source.file.tables[place]
    cells = [(number.metric, number.user, number.printed or "")]
    if number.at:
        cells = [(f"{number.metric}@{k}", number.user, text) for k, text in number.at.items()]
    elif number.by_user:
        cells = [(number.metric, user, text) for user, text in number.by_user.items()]
    where = ", ".join(filter(None, (table.where, number.where)))
    for spec, user, text in cells:
        source_of_number = _source_of(source, (number, table), spec, user, line)
        yield PrintedNumber(
            source_of_number, where, place, _printed(text, line), number.erratum, number.note or table.note
        )


def _of_output(source: Source, place: int, table: Table) -> Iterator[PrintedNumber]:
    line = source.document.place(("tables", place))
    for text in unpacked(source.read, table.output).splitlines():
        metric, user, number = (*text.split(), "", "", "")[:3]
        if not metric or metric == "runid" or metric.startswith("relstring"):
            continue  # these two print words
        who = None if user == "all" else user
        source_of_number = _source_of(source, (table,), metric, who, line)
        yield PrintedNumber(source_of_number, table.where, place, _printed(number, line), False, table.note)


def of_contradiction(source: Source, place: int, one: Contradiction) -> tuple[NumberSource, NumberSource]:
    """What the two statements ask for."""
    line = source.document.place(("contradictions", place))
    reading, against = (_source_of(source, (one,), spec, one.user, line) for spec in (one.reading, one.against))
    return reading, against


def _source_of(
    source: Source,
    statements: tuple[Number | Table | Contradiction, ...],
    spec: str,
    user: str | int | None,
    line: str,
) -> NumberSource:
    """Inputs and preset as the innermost of them tells, or as the file does."""
    names = list(source.file.inputs)
    name = next((one.inputs for one in statements if one.inputs), names[0] if len(names) == 1 else "")
    if name not in names:
        raise unknown("name of inputs", name, names, where=line)
    named, rest = preset_and_rest(spec)
    preset = named or next((one.preset for one in (*statements, source.file) if one.preset), "")
    if not preset:
        raise ConventionError("no preset is named", where=line, do="Add 'preset:' to the number, table or file.")
    if folders.is_path(preset) and isinstance(source.folder, FilePath):
        preset = str(source.folder / preset)
    settings = [setting for one in statements if isinstance(one, Table) for setting in one.settings.items()]
    return NumberSource(name, preset, tuple(settings), rest, user, line)


def _printed(text: str, line: str) -> Printed:
    try:
        return read_printed(text)
    except ConventionError as error:
        raise error.at(line) from None
