"""Expressions of numbers, and how they are written as text and LaTeX."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

LARGEST = 4096
"""Bits of the longest numerator or denominator that is kept; beyond it a number is only a decimal."""


class Expression:
    """A number with the way to it; a kind of expression says what it is as a fraction and as a decimal."""

    @cached_property
    def exact(self) -> Fraction | None:
        """The number as a fraction; None where it is none, or too long a one."""
        found = self._exact()
        if found is None or max(found.numerator.bit_length(), found.denominator.bit_length()) > LARGEST:
            return None
        return found

    @cached_property
    def value(self) -> float:
        """The number as a decimal."""
        if self.exact is None:
            return self._value()
        try:
            return float(self.exact)
        except OverflowError:
            return math.inf if self.exact > 0 else -math.inf

    def _exact(self) -> Fraction | None:
        raise NotImplementedError

    def _value(self) -> float:
        raise NotImplementedError


@dataclass(frozen=True)
class Fractional(Expression):
    """A fraction, or infinity, or no number at all."""

    given: Fraction | float
    decimal: str = ""
    """How it was given, where it was given as a decimal."""

    def _exact(self) -> Fraction | None:
        return self.given if isinstance(self.given, Fraction) else None

    def _value(self) -> float:
        return float(self.given)


@dataclass(frozen=True)
class Sum(Expression):
    """a + b + …"""

    terms: Sequence[Expression]

    def _exact(self) -> Fraction | None:
        exact = [term.exact for term in self.terms]
        return None if None in exact else sum((one for one in exact if one is not None), Fraction(0))

    def _value(self) -> float:
        values = [term.value for term in self.terms]
        return math.fsum(values) if all(map(math.isfinite, values)) else sum(values)


@dataclass(frozen=True)
class Negative(Expression):
    """-a"""

    of: Expression

    def _exact(self) -> Fraction | None:
        return None if self.of.exact is None else -self.of.exact

    def _value(self) -> float:
        return -self.of.value


@dataclass(frozen=True)
class Product(Expression):
    """a · b · …"""

    factors: Sequence[Expression]

    def _exact(self) -> Fraction | None:
        exact = [factor.exact for factor in self.factors]
        return None if None in exact else math.prod((one for one in exact if one is not None), start=Fraction(1))

    def _value(self) -> float:
        return math.prod(factor.value for factor in self.factors)


@dataclass(frozen=True)
class Quotient(Expression):
    """a / b; x/0 is infinite and 0/0 no number."""

    top: Expression
    bottom: Expression

    def _exact(self) -> Fraction | None:
        top, bottom = self.top.exact, self.bottom.exact
        if top == 0 and math.isfinite(self.bottom.value) and self.bottom.value:
            return Fraction(0)
        if top is None or bottom is None:
            return Fraction(1) if self.top == self.bottom and self.top.value and math.isfinite(self.top.value) else None
        return top / bottom if bottom else None

    def _value(self) -> float:
        top, bottom = self.top.value, self.bottom.value
        if bottom:
            return top / bottom
        return math.copysign(math.inf, top) if top and not math.isnan(top) else math.nan


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


ADDS, MULTIPLIES, RAISES, ATOM = 1, 2, 3, 4
"""How closely an expression holds together."""


class Writer:
    """Writes expressions as plain text: (1/1 + 2/3)/2."""

    dots, dot, nan, infinite = "…", " · ", "NaN", "∞"

    def __init__(self, longest: int = 9) -> None:
        """Write a sum of more than `longest` terms without its middle."""
        self.longest = longest

    def __call__(self, given: Expression) -> str:
        return self._write(given)[0]

    def _within(self, given: Expression, level: int) -> str:
        """In parentheses where it would be misread."""
        text, holds = self._write(given)
        return text if holds >= level else self.enclosed(text)

    def _write(self, given: Expression) -> tuple[str, int]:
        match given:
            case Fractional():
                return self._number(given)
            case Sum(terms):
                return self._sum(terms), ADDS
            case Negative(of):
                return f"-{self._within(of, MULTIPLIES)}", ADDS
            case Product(factors):
                return self.dot.join(self._within(factor, MULTIPLIES) for factor in factors), MULTIPLIES
            case Quotient(top, bottom):
                return self.quotient(top, bottom)
            case Power(base, exponent):
                return self.power(base, exponent), RAISES
            case Log(of, base):
                return self.log(of, base), ATOM
            case Euler():
                return "e", ATOM
            case Root(of):
                return self.root(of), ATOM
        raise TypeError(f"{type(given).__name__} is not written")

    def _number(self, given: Fractional) -> tuple[str, int]:
        if not isinstance(given.given, Fraction):
            if math.isinf(given.given):
                return f"{'-' * (given.given < 0)}{self.infinite}", ATOM
            return self.nan if math.isnan(given.given) else f"{given.given:.10g}", ATOM
        if given.decimal or given.given.denominator == 1:
            return given.decimal or str(given.given), ATOM if given.given >= 0 else ADDS
        return self.fraction(given.given)

    def _term(self, term: Expression) -> str:
        if isinstance(term, Negative):
            return f" - {self._within(term.of, MULTIPLIES)}"
        text = self._within(term, MULTIPLIES) if isinstance(term, Sum) else self(term)
        return f" - {text[1:]}" if isinstance(term, Fractional) and text.startswith("-") else f" + {text}"

    def _sum(self, terms: Sequence[Expression]) -> str:
        if len(terms) > self.longest:
            first, last = terms[: self.longest - 4], terms[-2:]
            written = [*map(self._term, first), f" + {self.dots}", *map(self._term, last)]
        else:
            written = [self._term(term) for term in terms]
        text = "".join(written)
        return text[3:] if text.startswith(" + ") else f"-{text[3:]}"

    def enclosed(self, text: str) -> str:
        return f"({text})"

    def fraction(self, given: Fraction) -> tuple[str, int]:
        return str(given), MULTIPLIES if given >= 0 else ADDS

    def quotient(self, top: Expression, bottom: Expression) -> tuple[str, int]:
        return f"{self._within(top, RAISES)}/{self._within(bottom, RAISES)}", MULTIPLIES

    def power(self, base: Expression, exponent: Expression) -> str:
        return f"{self._within(base, ATOM)}^{self._within(exponent, ATOM)}"

    def log(self, of: Expression, base: Fraction | None) -> str:
        return f"{'ln' if base is None else f'log{float(base):g}'}({self(of)})"

    def root(self, of: Expression) -> str:
        return f"sqrt({self(of)})"


class Latex(Writer):
    r"""Writes expressions as LaTeX: \frac{\frac{1}{1} + \frac{2}{3}}{2}"""

    dots, dot, nan, infinite = r"\dots", r" \cdot ", r"\mathrm{NaN}", r"\infty"

    def enclosed(self, text: str) -> str:
        return rf"\left({text}\right)"

    def fraction(self, given: Fraction) -> tuple[str, int]:
        sign = "-" * (given < 0)
        return rf"{sign}\frac{{{abs(given.numerator)}}}{{{given.denominator}}}", RAISES if given >= 0 else ADDS

    def quotient(self, top: Expression, bottom: Expression) -> tuple[str, int]:
        return rf"\frac{{{self(top)}}}{{{self(bottom)}}}", RAISES

    def power(self, base: Expression, exponent: Expression) -> str:
        return f"{self._within(base, ATOM)}^{{{self(exponent)}}}"

    def log(self, of: Expression, base: Fraction | None) -> str:
        name = r"\ln" if base is None else rf"\log_{{{float(base):g}}}"
        return rf"{name}({self(of)})"

    def root(self, of: Expression) -> str:
        return rf"\sqrt{{{self(of)}}}"


text, latex = Writer(), Latex()
