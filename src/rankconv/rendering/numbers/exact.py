"""Exact numbers that keep how they were computed, and arithmetic with them."""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.conventions.convention import Setting
from rankconv.rendering.numbers.writing import (
    Euler,
    Expression,
    Fractional,
    Log,
    Negative,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    text,
)

LONG = 10**6
"""A denominator from which on a fraction is no longer readable."""
DIGITS = 10
Numeric = int | float | Fraction
Operand = Any
"""An Exact, or what Python and NumPy have as real numbers."""


def number(given: Numeric) -> Fractional:
    """A number; a float is the shortest decimal that represents it.

    >>> number(0.1).exact
    Fraction(1, 10)
    """
    if isinstance(given, (int, Fraction)):
        return Fractional(Fraction(given))
    given = float(given)
    if not math.isfinite(given):
        return Fractional(given)
    exact = Fraction(repr(given))
    return Fractional(exact, "" if exact.denominator == 1 else repr(given))


ZERO, ONE = number(0), number(1)


def expression(given: Operand) -> Expression:
    """The expression of a number; a float is the shortest decimal that represents it."""
    if isinstance(given, Exact):
        return given.of
    return given if isinstance(given, Expression) else _of_number(given)


@lru_cache(4096, typed=True)
def _of_number(given: Any) -> Expression:
    whole = isinstance(given, (int, np.bool_, np.integer))
    return number(int(given) if whole else given if isinstance(given, Fraction) else float(given))


def total(terms: Iterable[Expression]) -> Expression:
    """The sum, without what is 0."""
    kept = [term for term in terms if term.exact != 0]
    return Sum(kept) if len(kept) > 1 else kept[0] if kept else ZERO


def quotient(top: Operand, bottom: Operand) -> Quotient:
    """The quotient as it is, also 1/1."""
    return Quotient(expression(top), expression(bottom))


def log(of: Operand, base: Numeric = math.e) -> Expression:
    """The logarithm; a number where it is a whole one."""
    made = Log(expression(of), None if base == math.e else number(base).exact)
    return made if made.exact is None else Fractional(made.exact)


def plain(given: Expression) -> Expression:
    """The fraction alone, where there is one, and not the way to it."""
    return given if given.exact is None else Fractional(given.exact)


def brief(given: Expression) -> Expression:
    """A fraction that can be read at a glance, else the decimal, and not the way to it."""
    exact = given.exact
    return Fractional(given.value if exact is None or exact.denominator >= LONG else exact)


def decimal(value: float) -> str:
    """A number to ten digits."""
    return f"{value:.{DIGITS}g}"


def equation_sides(given: Expression) -> Iterator[tuple[bool, Expression]]:
    """The sides after the name: (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333; each with whether it is equal, or only nearly."""
    exact, is_number = given.exact, isinstance(given, Fractional)
    as_given = given.decimal if isinstance(given, Fractional) else ""
    if exact is None or not is_number or as_given:
        yield True, given
    if exact is not None and exact.denominator < LONG and text(given) not in (str(exact), as_given):
        yield True, Fractional(exact)
    elif exact is not None and is_number and not as_given:
        yield True, given
    if as_given:
        return
    if math.isfinite(given.value) and (exact is None or exact.denominator > 1 or exact.numerator >= LONG**2):
        rounded = decimal(given.value)
        yield exact == Fraction(rounded), Fractional(Fraction(rounded), rounded)
    elif exact is None and not is_number:
        yield True, Fractional(given.value)


# how two expressions are put together, so that what can be read at a glance is not spelled out


def _fractions(one: Expression, other: Expression) -> tuple[Fraction, Fraction] | None:
    """Both as fractions, where both are written as numbers or fractions, and one as a number."""
    if one.exact is None or other.exact is None or not (isinstance(one, Fractional) or isinstance(other, Fractional)):
        return None
    return (one.exact, other.exact) if _is_fraction(one) and _is_fraction(other) else None


def _is_fraction(given: Expression) -> bool:
    if isinstance(given, Quotient):
        return given.exact is not None and isinstance(given.top, Fractional) and isinstance(given.bottom, Fractional)
    return isinstance(given, Fractional)


def _is_whole(given: Expression) -> bool:
    return isinstance(given, Fractional) and given.exact is not None and given.exact.denominator == 1


def _terms(given: Expression) -> list[Expression]:
    return list(given.terms) if isinstance(given, Sum) else [given]


def _sum(one: Expression, other: Expression) -> Expression:
    both = _fractions(one, other)
    return number(both[0] + both[1]) if both else total([*_terms(one), *_terms(other)])


def _difference(one: Expression, other: Expression) -> Expression:
    both = _fractions(one, other)
    if both:
        return number(both[0] - both[1])
    if other.exact == 0:
        return one
    return Negative(other) if one.exact == 0 else Sum((one, Negative(other)))


def _product(one: Expression, other: Expression) -> Expression:
    """The product; 0 where a factor is, unless the other is infinite."""
    pairs = ((one, other), (other, one))
    if 0 in (one.exact, other.exact) and math.isfinite(one.value) and math.isfinite(other.value):
        return ZERO
    for first, second in pairs:
        if isinstance(first, Fractional) and first.exact == 1:
            return second
    if isinstance(one, Fractional) and isinstance(other, Fractional) and (_is_whole(one) or _is_whole(other)):
        return Product((one, other)) if one.exact is None or other.exact is None else number(one.exact * other.exact)
    for first, second in pairs:
        if not isinstance(first, Fractional) or not isinstance(second, Quotient) or second.top.exact != 1:
            continue
        if _is_whole(first) or not isinstance(second.bottom, Fractional):
            return first if second.bottom.exact == 1 else Quotient(first, second.bottom)
    factors = [factor for part in (one, other) for factor in (part.factors if isinstance(part, Product) else [part])]
    kept = [factor for factor in factors if factor.exact != 1]
    return Product(kept) if len(kept) > 1 else kept[0] if kept else ONE


def _quotient(top: Expression, bottom: Expression) -> Expression:
    """The quotient; not written where it divides by 1, or 0 by something."""
    if bottom.exact == 1:
        return top
    if top.exact == 0 and bottom.value:
        return ZERO
    if isinstance(top, Log) and top.base is None and isinstance(bottom, Fractional):
        base = _base_of(bottom.value)
        if base is not None:
            return log(top.of, base)
    if _is_whole(bottom) and not _is_whole(top) and (isinstance(top, Product) or _is_fraction(top)):
        return _product(top, quotient(ONE, bottom))
    return Quotient(top, bottom)


def _quotient_by_rank(top: Expression, rank: Expression) -> Expression:
    return Quotient(top, rank) if _is_whole(top) and top.value else _quotient(top, rank)


def _base_of(logarithm: float) -> float | None:
    """The number whose natural logarithm this is, where it can be written with ten digits."""
    base = float(decimal(math.exp(logarithm))) if abs(logarithm) < 100 else 0.0
    return base if base > 0 and math.log(base) == logarithm else None


def _power(base: Expression, exponent: Expression) -> Expression:
    """The power; the 0th is 1 and the first the number itself."""
    if exponent.exact == 0:
        return ONE
    raised = base if exponent.exact == 1 else Power(base, exponent)
    return plain(raised) if _is_whole(base) and _is_whole(exponent) else raised


Method = Callable[[Any, Operand], Any]


def _operator(how: Callable[[Expression, Expression], Expression]) -> tuple[Method, Method]:
    """The methods that put an Exact together with what is right of it, and left; an array does so itself."""

    def forward(one: Operand, other: Operand) -> Any:
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
            return NotImplemented
        return Exact(how(expression(one), expression(other)))

    def reflected(one: Operand, other: Operand) -> Any:
        return forward(other, one)

    return forward, reflected


class Exact:
    """A number with its expression. It is added, divided and compared as a float is, and printed as one would write it.

    >>> one, three = Exact(number(1)), Exact(number(3))
    >>> from rankconv.rendering.numbers.writing import text
    >>> text((one / three + 2 / three).of), float(one / three) < 0.5
    ('1/3 + 2/3', True)
    """

    __slots__ = ("of",)

    def __init__(self, of: Expression) -> None:
        self.of = of

    def __float__(self) -> float:
        return self.of.value

    def __int__(self) -> int:
        return int(self.of.value)

    def __bool__(self) -> bool:
        return self.of.value != 0

    def __hash__(self) -> int:
        return hash(self.of.value)

    def __repr__(self) -> str:
        return f"Exact({self.of.value!r})"

    __add__, __radd__ = _operator(_sum)
    __sub__, __rsub__ = _operator(_difference)
    __mul__, __rmul__ = _operator(_product)
    __truediv__, __rtruediv__ = _operator(_quotient)
    __pow__, __rpow__ = _operator(_power)

    def __neg__(self) -> "Exact":
        return Exact(_difference(ZERO, self.of))

    def __abs__(self) -> "Exact":
        return -self if self.of.value < 0 else self

    def __eq__(self, other: object) -> bool:
        return self.of.value == float(other) if isinstance(other, NUMBERS) else NotImplemented

    def __lt__(self, other: Operand) -> bool:
        return self.of.value < float(other)

    def __le__(self, other: Operand) -> bool:
        return self.of.value <= float(other)

    def __gt__(self, other: Operand) -> bool:
        return self.of.value > float(other)

    def __ge__(self, other: Operand) -> bool:
        return self.of.value >= float(other)

    # what NumPy's functions call on the objects of an array

    def log2(self) -> "Exact":
        """The logarithm to base 2."""
        return Exact(log(self.of, 2))

    def log(self) -> "Exact":
        """The natural logarithm."""
        return Exact(log(self.of))

    def exp2(self) -> "Exact":
        """2 to the power of it."""
        return Exact(_power(number(2), self.of))

    def exp(self) -> "Exact":
        """e to the power of it."""
        return Exact(_power(Euler(), self.of))

    def sqrt(self) -> "Exact":
        """The square root."""
        return Exact(Root(self.of))


NUMBERS = (int, float, Fraction, np.number, np.bool_, Exact)


class ExactRank(Exact):
    """A rank: a whole number divided by it is written as a fraction, also 1/1."""

    __slots__ = ()
    __rtruediv__ = _operator(_quotient_by_rank)[1]


def exact(values: Any, kind: type[Exact] = Exact) -> NDArray[Any]:
    """Numbers of any shape as exact ones, shape as `values`."""
    given = np.asarray(values)
    made = np.empty(given.shape, object)
    made.reshape(-1)[:] = [kind(expression(one)) for one in given.reshape(-1).tolist()]
    return made


def exact_setting(setting: Setting, **given: Any) -> NDArray[Any]:
    """What a setting gives for exact numbers of any shape, such as gains or discounts, as exact numbers.

    A function that cannot compute with exact numbers gets floats.
    """
    try:
        return exact(setting(**given))
    except (TypeError, AttributeError):
        floats = {name: _floats(value) for name, value in given.items()}
        return exact(setting(**floats))


def _floats(value: Any) -> Any:
    return np.asarray(value, np.float64) if np.asarray(value).dtype == object else value
