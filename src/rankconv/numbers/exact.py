"""Exact numbers that keep how they were computed, and arithmetic with them."""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankconv.numbers.writing import Euler, Expression, Log, Negative, Number, Power, Product, Quotient, Root, Sum, text
from rankconv.specs.convention import Setting

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


NUMBERS = (int, float, Fraction, np.number, np.bool_)
Operand = Any
"""An Exact, or what Python and NumPy have as real numbers."""


class Exact:
    """A number with its expression. It is added, divided and compared as a float is, and printed as one would write it.

    >>> one, three = Exact(number(1)), Exact(number(3))
    >>> from rankconv.numbers.writing import text
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

    def __add__(self, other: Operand) -> Any:
        return _combined(_sum, self, other)

    def __radd__(self, other: Operand) -> Any:
        return _combined(_sum, other, self)

    def __sub__(self, other: Operand) -> Any:
        return _combined(_difference, self, other)

    def __rsub__(self, other: Operand) -> Any:
        return _combined(_difference, other, self)

    def __mul__(self, other: Operand) -> Any:
        return _combined(_product, self, other)

    def __rmul__(self, other: Operand) -> Any:
        return _combined(_product, other, self)

    def __truediv__(self, other: Operand) -> Any:
        return _combined(_quotient, self, other)

    def __rtruediv__(self, other: Operand) -> Any:
        return _combined(_quotient, other, self)

    def __pow__(self, other: Operand) -> Any:
        return _combined(_power, self, other)

    def __rpow__(self, other: Operand) -> Any:
        return _combined(_power, other, self)

    def __neg__(self) -> "Exact":
        return Exact(_difference(ZERO, self.of))

    def __abs__(self) -> "Exact":
        return -self if self.of.value < 0 else self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Exact):
            return self.of.value == other.of.value
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
        return Exact(power(Euler(), self.of))

    def sqrt(self) -> "Exact":
        """The square root."""
        return Exact(Root(self.of))


class Rank(Exact):
    """A rank: a whole number divided by it is written as a fraction, also 1/1."""

    __slots__ = ()

    def __rtruediv__(self, other: Operand) -> Any:
        return _combined(_by_rank, other, self)


def _combined(how: Callable[[Expression, Expression], Expression], one: Operand, other: Operand) -> Any:
    """Both put together; an array puts its numbers together itself."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return NotImplemented
    return Exact(how(expression(one), expression(other)))


def expression(given: Operand) -> Expression:
    """The expression of a number; a float is the shortest decimal that represents it."""
    if isinstance(given, Exact):
        return given.of
    return given if isinstance(given, Expression) else _of_number(given)


@lru_cache(4096, typed=True)
def _of_number(given: Any) -> Expression:
    whole = isinstance(given, (int, np.bool_, np.integer))
    return number(int(given) if whole else given if isinstance(given, Fraction) else float(given))


def exact(values: Any) -> NDArray[Any]:
    """Numbers of any shape as exact ones, shape as `values`."""
    given = np.asarray(values)
    made = np.empty(given.shape, object)
    made.reshape(-1)[:] = [Exact(expression(one)) for one in given.reshape(-1).tolist()]
    return made


def as_ranks(values: Any) -> NDArray[Any]:
    """Ranks as exact numbers, shape as `values`."""
    made = exact(values)
    made.reshape(-1)[:] = [Rank(one.of) for one in made.reshape(-1)]
    return made


def exact_gains(gain: Setting, grades: Any, relevant: NDArray[np.bool_], **more: Any) -> NDArray[Any]:
    """The exact gains that a setting to `gain` gives these grades, shape as `grades`; `more` is what else it reads.

    A plugin's function that cannot compute with exact numbers gets floats.
    """
    try:
        return exact(gain(grades=exact(grades), relevant=relevant, **more))
    except (TypeError, AttributeError):
        plain = {name: np.asarray(value, np.float64) if np.ndim(value) else value for name, value in more.items()}
        return exact(gain(grades=np.asarray(grades, np.float64), relevant=relevant, **plain))


def exact_of_ranks(setting: Setting, ranks: NDArray[Any], **of_lists: NDArray[Any]) -> NDArray[Any]:
    """What a setting gives for these exact ranks, such as their discounts, as exact numbers; shape as it gives them.

    `of_lists` is what it reads of the lists besides, shape (users,). A function that cannot compute with exact numbers
    gets floats.
    """
    try:
        return exact(setting(ranks=ranks, **of_lists))
    except (TypeError, AttributeError):
        plain = {name: np.asarray(value, np.float64) for name, value in of_lists.items()}
        return exact(setting(ranks=np.asarray(ranks, np.float64), **plain))


# how two expressions are put together, so that what can be read at a glance is not spelled out


def _plain(given: Expression) -> bool:
    """Whether it is a fraction as it is."""
    fraction = isinstance(given, Quotient) and isinstance(given.top, Number) and isinstance(given.bottom, Number)
    return given.exact is not None and (fraction or isinstance(given, Number))


def _numbers(one: Expression, other: Expression) -> bool:
    return _plain(one) and _plain(other) and (isinstance(one, Number) or isinstance(other, Number))


def _terms(given: Expression) -> list[Expression]:
    return list(given.terms) if isinstance(given, Sum) else [given]


def _sum(one: Expression, other: Expression) -> Expression:
    if _numbers(one, other):
        assert one.exact is not None
        assert other.exact is not None
        return number(one.exact + other.exact)
    return total([*_terms(one), *_terms(other)])


def _difference(one: Expression, other: Expression) -> Expression:
    if _numbers(one, other):
        assert one.exact is not None
        assert other.exact is not None
        return number(one.exact - other.exact)
    return Negative(other) if one.exact == 0 and other.exact != 0 else minus(one, other)


def _whole(given: Expression) -> bool:
    return isinstance(given, Number) and given.exact is not None and given.exact.denominator == 1


def _product(one: Expression, other: Expression) -> Expression:
    if one.exact == 0 or other.exact == 0:
        return times(one, other)
    for first, second in ((one, other), (other, one)):
        if isinstance(first, Number) and first.exact == 1:
            return second
    if isinstance(one, Number) and isinstance(other, Number) and (_whole(one) or _whole(other)):
        both = (one.exact, other.exact)
        return times(one, other) if both[0] is None or both[1] is None else number(both[0] * both[1])
    for first, second in ((one, other), (other, one)):
        if not (isinstance(first, Number) and isinstance(second, Quotient) and second.top.exact == 1):
            continue
        if _whole(first) or not isinstance(second.bottom, Number):
            return over(first, second.bottom)
    factors = [factor for part in (one, other) for factor in (part.factors if isinstance(part, Product) else [part])]
    return times(*factors)


def _quotient(top: Expression, bottom: Expression) -> Expression:
    if bottom.exact == 1 or (top.exact == 0 and bottom.value):
        return over(top, bottom)
    if isinstance(top, Log) and top.base is None and isinstance(bottom, Number):
        base = _base_of(bottom.value)
        if base is not None:
            return log(top.of, base)
    if _whole(bottom) and not _whole(top) and (isinstance(top, (Number, Product)) or _plain(top)):
        return _product(top, quotient(ONE, bottom))
    return Quotient(top, bottom)


def _by_rank(top: Expression, rank: Expression) -> Expression:
    return Quotient(top, rank) if _whole(top) and top.value else _quotient(top, rank)


def _base_of(logarithm: float) -> float | None:
    """The number whose natural logarithm this is, where it can be written with ten digits."""
    base = float(f"{math.exp(logarithm):.10g}") if abs(logarithm) < 100 else 0.0
    return base if base > 0 and math.log(base) == logarithm else None


def _power(base: Expression, exponent: Expression) -> Expression:
    raised = power(base, exponent)
    short = _whole(base) and _whole(exponent) and raised.exact is not None
    return Number(raised.exact) if short and raised.exact is not None else raised
