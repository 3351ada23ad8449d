"""Printed numbers: their digits, arithmetic on them, and how a value is printed so."""

import ast
import math
import operator
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from rankconv.errors import ConventionError

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


EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED = "exact", "truncated", "float32", "erratum", "unexplained"
VERDICTS = (EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED)
ULPS = 4
"""How far two orders of adding the same doubles may differ; it shows where all sixteen digits are printed."""


def reproduced(printed: Printed, ours: float | None) -> str | None:
    """How the preset's number gives the printed one, if it does; `ours` is None where the preset refuses.

    >>> reproduced(read_printed("0.666"), 2 / 3), reproduced(read_printed("0.667"), 2 / 3)
    ('truncated', 'exact')
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


def _is_rounded(printed: Printed, ours: float) -> bool:
    if printed.unit is None:
        return math.isclose(ours, printed.number, rel_tol=1e-12, abs_tol=1e-15)
    if printed.prefix:
        return _is_cut(printed, printed.unit, ours)
    return abs(Fraction(ours) - printed.number) <= printed.unit / 2 + _noise(ours)


def _is_cut(printed: Printed, unit: Fraction, ours: float) -> bool:
    rest = abs(Fraction(ours)) - abs(printed.number)
    return ours * printed.number >= 0 and -_noise(ours) <= rest < unit


def _noise(ours: float) -> Fraction:
    return ULPS * Fraction(math.ulp(ours))
