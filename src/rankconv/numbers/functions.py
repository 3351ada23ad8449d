"""Expressions that are rational only now and then: powers, logarithms, square roots."""

import math
from dataclasses import dataclass
from fractions import Fraction

from rankconv.numbers.expression import LARGEST, Expression


@dataclass(frozen=True)
class Power(Expression):
    """a ^ b"""

    base: Expression
    exponent: Expression

    def _exact(self) -> Fraction | None:
        base, exponent = self.base.exact, self.exponent.exact
        if base is None or exponent is None or exponent.denominator != 1 or abs(exponent) > LARGEST:
            return None
        return base ** int(exponent) if base or exponent >= 0 else None

    def _value(self) -> float:
        try:
            return math.pow(self.base.value, self.exponent.value)
        except OverflowError:
            return math.inf


@dataclass(frozen=True)
class Euler(Expression):
    """e, the base of the natural logarithm."""

    def _exact(self) -> Fraction | None:
        return None

    def _value(self) -> float:
        return math.e


@dataclass(frozen=True)
class Log(Expression):
    """The logarithm of a number; the natural one where there is no base."""

    of: Expression
    base: Fraction | None = None

    def _exact(self) -> Fraction | None:
        of, base = self.of.exact, self.base
        if of is None or of <= 0 or base is None:
            return Fraction(0) if of == 1 else None
        power = round(math.log(of) / math.log(base))
        return Fraction(power) if abs(power) < LARGEST and base**power == of else None

    def _value(self) -> float:
        of = self.of.value
        if of <= 0 or math.isnan(of):
            return -math.inf if of == 0 else math.nan
        if math.isinf(of):
            return of
        if self.base == 2:
            return math.log2(of)
        return math.log(of) if self.base is None else math.log(of) / math.log(self.base)


@dataclass(frozen=True)
class Root(Expression):
    """The square root of a number."""

    of: Expression

    def _exact(self) -> Fraction | None:
        of = self.of.exact
        if of is None or of < 0:
            return None
        root = Fraction(math.isqrt(of.numerator), math.isqrt(of.denominator))
        return root if root * root == of else None

    def _value(self) -> float:
        return math.sqrt(self.of.value) if self.of.value >= 0 else math.nan
