"""How an expression is written: as text, or as LaTeX."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from rankconv.numbers.expression import Euler, Expression, Log, Negative, Number, Power, Product, Quotient, Root, Sum

ADDS, MULTIPLIES, RAISES, ATOM = 1, 2, 3, 4
"""How closely an expression holds together."""


class Writer(ABC):
    """Writes expressions; a subclass knows how."""

    dots, dot, nan, infinite = "…", " · ", "NaN", "∞"
    longest: ClassVar[int] = 9
    """Terms of a sum that is written whole; a longer one is written without its middle."""

    def __call__(self, given: Expression) -> str:
        return self._write(given)[0]

    def _within(self, given: Expression, level: int) -> str:
        """In parentheses where it would be misread."""
        text, holds = self._write(given)
        return text if holds >= level else self.enclosed(text)

    def _write(self, given: Expression) -> tuple[str, int]:
        match given:
            case Number():
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

    def _number(self, given: Number) -> tuple[str, int]:
        if not isinstance(given.given, Fraction):
            return (self.nan if math.isnan(given.given) else self._decimal(given.given)), ATOM
        if given.decimal or given.given.denominator == 1:
            return given.decimal or str(given.given), ATOM if given.given >= 0 else ADDS
        return self.fraction(given.given)

    def _decimal(self, given: float) -> str:
        return f"{'-' * (given < 0)}{self.infinite}" if math.isinf(given) else f"{given:.10g}"

    def _term(self, term: Expression) -> str:
        if isinstance(term, Negative):
            return f" - {self._within(term.of, MULTIPLIES)}"
        text = self._within(term, MULTIPLIES) if isinstance(term, Sum) else self(term)
        return f" - {text[1:]}" if isinstance(term, Number) and text.startswith("-") else f" + {text}"

    def _sum(self, terms: Sequence[Expression]) -> str:
        if len(terms) > self.longest:
            first, last = terms[: self.longest - 4], terms[-2:]
            written = [*map(self._term, first), f" + {self.dots}", *map(self._term, last)]
        else:
            written = [self._term(term) for term in terms]
        text = "".join(written)
        return text[3:] if text.startswith(" + ") else f"-{text[3:]}"

    @abstractmethod
    def enclosed(self, text: str) -> str:
        """In parentheses."""

    @abstractmethod
    def fraction(self, given: Fraction) -> tuple[str, int]:
        """A number a/b."""

    @abstractmethod
    def quotient(self, top: Expression, bottom: Expression) -> tuple[str, int]:
        """One by another."""

    @abstractmethod
    def power(self, base: Expression, exponent: Expression) -> str:
        """One to the power of another."""

    @abstractmethod
    def log(self, of: Expression, base: Fraction | None) -> str:
        """A logarithm."""

    @abstractmethod
    def root(self, of: Expression) -> str:
        """A square root."""


class Text(Writer):
    """(1/1 + 2/3)/2"""

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
    r"""\frac{\frac{1}{1} + \frac{2}{3}}{2}"""

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


text, latex = Text(), Latex()
