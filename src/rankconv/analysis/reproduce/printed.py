"""A number as it stands in print: its value, and how many digits of it there are."""

import re
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rankconv.analysis.reproduce.arithmetic import calculated
from rankconv.errors import ConventionError

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
    """What the last digit is worth; None where the number stands for itself, as 3 and 1/3 do."""
    prefix: bool = False
    """Whether more digits follow in the source's own words: 0.33…"""
    refused: bool = False
    """Whether it prints an error."""

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
