"""How expressions are made: without terms that are 0 and factors that are 1, as one would write them."""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from rankconv.numbers.expression import Expression, Log, Negative, Number, Power, Product, Quotient, Sum
from rankconv.numbers.writing import text

Numeric = int | float | Fraction
LONG = 10**6
"""A denominator from which on a fraction tells nothing."""


def number(given: Numeric) -> Number:
    """A number; a float is the shortest decimal that represents it.

    >>> number(0.1).exact
    Fraction(1, 10)
    """
    if isinstance(given, (int, Fraction)):
        return Number(Fraction(given))
    given = float(given)
    if not math.isfinite(given):
        return Number(given)
    exact = Fraction(repr(given))
    return Number(exact, "" if exact.denominator == 1 else repr(given))


ZERO, ONE = number(0), number(1)
NAN = number(math.nan)


def expressed(given: Numeric | Expression) -> Expression:
    """A number or an expression, as an expression."""
    return given if isinstance(given, Expression) else number(given)


def is_zero(given: Expression) -> bool:
    """Whether it is 0."""
    return given.value == 0


def total(terms: Iterable[Expression]) -> Expression:
    """The sum, without what is 0."""
    kept = [term for term in terms if term.exact != 0]
    return Sum(kept) if len(kept) > 1 else kept[0] if kept else ZERO


def minus(one: Expression, other: Expression) -> Expression:
    """The difference."""
    if other.exact == 0:
        return one
    return Sum((one, Negative(other)))


def times(*factors: Numeric | Expression) -> Expression:
    """The product; 0 where a factor is, unless another is infinite."""
    made = [expressed(factor) for factor in factors]
    if any(one.exact == 0 for one in made) and all(math.isfinite(one.value) for one in made):
        return ZERO
    kept = [one for one in made if one.exact != 1]
    return Product(kept) if len(kept) > 1 else kept[0] if kept else ONE


def over(top: Numeric | Expression, bottom: Numeric | Expression) -> Expression:
    """The quotient; not written where it divides by 1, or 0 by something."""
    top, bottom = expressed(top), expressed(bottom)
    if bottom.exact == 1:
        return top
    return ZERO if top.exact == 0 and bottom.value else Quotient(top, bottom)


def quotient(top: Numeric | Expression, bottom: Numeric | Expression) -> Expression:
    """The quotient as it is, also 1/1."""
    return Quotient(expressed(top), expressed(bottom))


def power(base: Numeric | Expression, exponent: Numeric | Expression) -> Expression:
    """The power; the 0th is 1 and the first the number itself."""
    base, exponent = expressed(base), expressed(exponent)
    if exponent.exact == 0:
        return ONE
    return base if exponent.exact == 1 else Power(base, exponent)


def log(of: Numeric | Expression, base: Numeric = math.e) -> Expression:
    """The logarithm; a number where it is a whole one."""
    made = Log(expressed(of), None if base == math.e else number(base).exact)
    return made if made.exact is None else Number(made.exact)


def plain(given: Expression) -> Expression:
    """The fraction alone, where there is one, and not the way to it."""
    return given if given.exact is None else Number(given.exact)


def brief(given: Expression) -> Expression:
    """A fraction that can be read at a glance, else the decimal, and not the way to it."""
    exact = given.exact
    return Number(given.value if exact is None or exact.denominator >= LONG else exact)


DIGITS = 10


def sides(given: Expression) -> Iterator[tuple[bool, Expression]]:
    """What is after the name: (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333; each with whether it is equal, or only nearly."""
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
