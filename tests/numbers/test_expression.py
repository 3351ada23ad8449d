"""Arithmetic that is shown: exact where it can be, written as in a textbook, and of the right value."""

import math
from fractions import Fraction

import pytest

from rankconv.numbers.exact import (
    NAN,
    ONE,
    ZERO,
    expression,
    log,
    minus,
    number,
    over,
    plain,
    power,
    quotient,
    sides,
    times,
    total,
)
from rankconv.numbers.writing import Expression, Negative, Power, Product, Root, Sum, latex, text

AP = quotient(total([quotient(1, 1), quotient(2, 3)]), 2)
DCG = total([number(3), over(1, log(3, 2)), over(2, log(4, 2))])


@pytest.mark.parametrize(
    ("expression", "written", "exact"),
    [
        (AP, "(1/1 + 2/3)/2", Fraction(5, 6)),
        (DCG, "3 + 1/log2(3) + 2/2", None),
        (log(9, 3), "2", Fraction(2)),
        (log(5), "ln(5)", None),
        (log(7, 1.5), "log1.5(7)", None),
        (power(number(0.8), 2), "0.8^2", Fraction(16, 25)),
        (power(number(Fraction(1, 3)), 2), "(1/3)^2", Fraction(1, 9)),
        (power(2, number(0.5)), "2^0.5", None),
        (minus(ONE, over(1, 3)), "1 - 1/3", Fraction(2, 3)),
        (minus(number(2), Sum((ONE, ONE))), "2 - (1 + 1)", Fraction(0)),
        (total([number(-1), number(-2)]), "-1 - 2", Fraction(-3)),
        (times(2, total([ONE, log(3, 2)])), "2 · (1 + log2(3))", None),
        (Negative(Product((number(2), log(3)))), "-2 · ln(3)", None),
        (quotient(times(2, log(3)), times(3, log(3))), "(2 · ln(3))/(3 · ln(3))", None),
        (Root(number(8)), "sqrt(8)", None),
        (Root(number(Fraction(9, 4))), "sqrt(9/4)", Fraction(3, 2)),
        (quotient(0, 0), "0/0", None),
        (NAN, "NaN", None),
        (number(-math.inf), "-∞", None),
        (total([]), "0", Fraction(0)),
    ],
)
def test_how_it_is_written_and_what_it_is(expression: Expression, written: str, exact: Fraction | None) -> None:
    assert text(expression) == written
    assert expression.exact == exact


def test_values() -> None:
    assert AP.value == 5 / 6
    assert DCG.value == pytest.approx(3 + 1 / math.log2(3) + 1, rel=1e-15)
    assert quotient(1, 0).value == math.inf
    assert quotient(-1, 0).value == -math.inf
    assert math.isnan(quotient(0, 0).value)
    assert log(0, 2).value == -math.inf
    assert math.isnan(log(-1).value)
    assert total([number(math.inf), NAN]).value != 0
    assert math.isnan(Root(number(-1)).value)


def test_what_is_0_or_1_is_not_written() -> None:
    assert times(0, log(3)) is ZERO
    assert text(times(1, log(3))) == "ln(3)"
    assert math.isnan(times(0, number(math.inf)).value)
    assert text(over(0, 5)) == "0"
    assert over(log(3), 1) == log(3)
    assert power(5, 0) is ONE
    assert text(plain(AP)) == "5/6"


def test_something_by_itself_is_1_whatever_it_is() -> None:
    assert quotient(DCG, total([number(3), over(1, log(3, 2)), over(2, log(4, 2))])).exact == 1


def test_a_long_sum_is_written_without_its_middle() -> None:
    assert text(Sum([number(place) for place in range(1, 21)])) == "1 + 2 + 3 + 4 + 5 + … + 19 + 20"


def test_numbers_beyond_all_bounds_stay_decimals() -> None:
    assert power(2, 10**9).exact is None
    assert power(2, 10**9).value == math.inf
    assert number(10**400).value == math.inf
    long = total([over(1, prime) for prime in range(1, 6000)])
    assert long.exact is None
    assert long.value == pytest.approx(9.2767, abs=1e-4)


def test_the_shortest_decimal_stands_for_a_float() -> None:
    assert number(0.1).exact == Fraction(1, 10)
    assert text(number(0.1)) == "0.1"
    assert text(number(1e-5)) == "1e-05"


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (AP, "= (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333"),
        (quotient(1, 2), "= 1/2 = 0.5"),
        (number(3), "= 3"),
        (number(0.25), "= 0.25"),
        (total([ONE, ONE]), "= 1 + 1 = 2"),
        (DCG, "= 3 + 1/log2(3) + 2/2 ≈ 4.630929754"),
        (quotient(0, 0), "= 0/0 = NaN"),
        (quotient(3, 0), "= 3/0 = ∞"),
        (quotient(0, DCG), "= 0/(3 + 1/log2(3) + 2/2) = 0"),
        (quotient(10**9, 10**9 + 7), "= 1000000000/1000000007 ≈ 0.999999993"),
    ],
)
def test_the_sides_of_an_equation(of: Expression, told: str) -> None:
    assert " ".join(f"{'=' if equal else '≈'} {text(side)}" for equal, side in sides(of)) == told


def test_latex() -> None:
    assert latex(AP) == r"\frac{\frac{1}{1} + \frac{2}{3}}{2}"
    assert latex(DCG) == r"3 + \frac{1}{\log_{2}(3)} + \frac{2}{2}"
    assert latex(Power(number(Fraction(-1, 2)), number(2))) == r"\left(-\frac{1}{2}\right)^{2}"
    assert latex(times(2, Root(log(3)))) == r"2 \cdot \sqrt{\ln(3)}"
    assert latex(number(math.inf)) == r"\infty"


def test_a_fraction_and_its_decimal_are_written_apart_in_either_order() -> None:
    """They are equal as keys of a cache."""
    for first, second in ((Fraction(3, 8), 0.375), (0.625, Fraction(5, 8))):
        found = [text(expression(one)) for one in (first, second)]
        assert found == [text(number(one)) for one in (first, second)]
        assert found[0] != found[1]
