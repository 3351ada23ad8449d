"""The sides of an equation: the way to a number, the fraction, the decimal."""

import math
from collections.abc import Iterator
from fractions import Fraction

from rankconv.numbers.arithmetic import LONG
from rankconv.numbers.expression import Expression, Number
from rankconv.numbers.writing import text

DIGITS = 10


def sides(given: Expression) -> Iterator[tuple[bool, Expression]]:
    """What stands after the name: (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333; each with whether it is equal, or only nearly."""
    exact = given.exact
    if exact is None or not isinstance(given, Number) or _decimals(given):
        yield True, given
    if exact is not None and exact.denominator < LONG and text(given) not in (str(exact), *_decimals(given)):
        yield True, Number(exact)
    elif exact is not None and isinstance(given, Number) and not _decimals(given):
        yield True, given
    if _decimals(given):
        return
    if math.isfinite(given.value) and (exact is None or exact.denominator > 1 or exact.numerator >= LONG**2):
        yield exact == Fraction(decimal(given.value)), Number(Fraction(decimal(given.value)), decimal(given.value))
    elif exact is None and not isinstance(given, Number):
        yield True, Number(given.value)


def _decimals(given: Expression) -> list[str]:
    """How a number was given, where it was given as a decimal."""
    return [given.decimal] if isinstance(given, Number) and given.decimal else []


def decimal(value: float) -> str:
    """A number to ten digits."""
    return f"{value:.{DIGITS}g}"
