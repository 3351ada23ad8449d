"""Arithmetic that is shown: exact where it can be, written as in a textbook, and of the right value."""

import math
from fractions import Fraction

import numpy as np
import pytest

from rankconv.rendering.numbers.exact import (
    ONE,
    ZERO,
    Exact,
    equation_sides,
    exact,
    expression,
    log,
    number,
    plain,
    quotient,
    total,
)
from rankconv.rendering.numbers.writing import Expression, Negative, Power, Product, Root, Sum, latex, text


def of(given: Exact) -> Expression:
    return given.of


TWO, THREE, FIVE = (Exact(number(one)) for one in (2, 3, 5))
ONE_BY_3 = 1 / THREE
AP = quotient(total([quotient(1, 1), quotient(2, 3)]), 2)
DCG = total([number(3), quotient(1, log(3, 2)), quotient(2, log(4, 2))])


@pytest.mark.parametrize(
    ("expression", "written", "exact"),
    [
        (AP, "(1/1 + 2/3)/2", Fraction(5, 6)),
        (DCG, "3 + 1/log2(3) + 2/2", None),
        (log(9, 3), "2", Fraction(2)),
        (log(5), "ln(5)", None),
        (log(7, 1.5), "log1.5(7)", None),
        (of(Exact(number(0.8)) ** 2), "0.8^2", Fraction(16, 25)),
        (of(Exact(number(Fraction(1, 3))) ** 2), "(1/3)^2", Fraction(1, 9)),
        (of(TWO**0.5), "2^0.5", None),
        (of(TWO**3), "8", Fraction(8)),
        (Sum((ONE, Negative(quotient(1, 3)))), "1 - 1/3", Fraction(2, 3)),
        (of(TWO - Exact(Sum((ONE, ONE)))), "2 - (1 + 1)", Fraction(0)),
        (of(3 - THREE), "0", Fraction(0)),
        (of(0 - Exact(log(3))), "-ln(3)", None),
        (of(THREE / 5 + 1), "8/5", Fraction(8, 5)),
        (of(THREE / 5 + THREE / 5), "3/5 + 3/5", Fraction(6, 5)),
        (of(TWO * (1 / Exact(log(3)))), "2/ln(3)", None),
        (of(Exact(number(0.5)) / 2 * Exact(log(3)) * 3), "0.5 · 1/2 · ln(3) · 3", None),
        (total([number(-1), number(-2)]), "-1 - 2", Fraction(-3)),
        (of(TWO * Exact(total([ONE, log(3, 2)]))), "2 · (1 + log2(3))", None),
        (Negative(Product((number(2), log(3)))), "-2 · ln(3)", None),
        (of(Exact(log(3)) * 2 / (Exact(log(3)) * 3)), "(ln(3) · 2)/(ln(3) · 3)", None),
        (Root(number(8)), "sqrt(8)", None),
        (Root(number(Fraction(9, 4))), "sqrt(9/4)", Fraction(3, 2)),
        (quotient(0, 0), "0/0", None),
        (number(math.nan), "NaN", None),
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
    assert total([number(math.inf), number(math.nan)]).value != 0
    assert math.isnan(Root(number(-1)).value)


def test_what_is_0_or_1_is_not_written() -> None:
    logarithm = Exact(log(3))
    assert of(0 * logarithm) is ZERO
    assert text(of(1 * logarithm)) == "ln(3)"
    assert math.isnan(float(0 * Exact(number(math.inf))))
    assert text(of(0 / FIVE)) == "0"
    assert of(logarithm / 1) == log(3)
    assert of(FIVE**0) is ONE
    assert text(plain(AP)) == "5/6"


def test_numpy_computes_with_them() -> None:
    values = exact([1, 2, 8])
    written = ["3/log2(3)", "2 · 3/log2(3)", "8 · 3/log2(3)"]
    assert [text(of(one)) for one in values * (THREE / np.log2(THREE))] == written
    assert [text(of(one)) for one in np.log2(values)] == ["0", "1", "3"]
    assert [text(of(one)) for one in np.log(values[1:]) / math.log(2)] == ["1", "3"]
    assert (values.sum() > 10.5, values.max() <= 7, values[0] == 1.0) == (True, False, True)
    assert [float(one) for one in (np.exp(ONE_BY_3), np.exp2(THREE), np.sqrt(TWO), abs(-TWO))] == pytest.approx(
        [math.exp(1 / 3), 8, math.sqrt(2), 2], rel=1e-15
    )


def test_something_by_itself_is_1_whatever_it_is() -> None:
    assert quotient(DCG, total([number(3), quotient(1, log(3, 2)), quotient(2, log(4, 2))])).exact == 1


def test_a_long_sum_is_written_without_its_middle() -> None:
    assert text(Sum([number(place) for place in range(1, 21)])) == "1 + 2 + 3 + 4 + 5 + … + 19 + 20"


def test_numbers_beyond_all_bounds_stay_decimals() -> None:
    huge = Power(number(2), number(10**9))
    assert (huge.exact, huge.value) == (None, math.inf)
    assert number(10**400).value == math.inf
    long = total([quotient(1, whole) for whole in range(1, 6000)])
    assert long.exact is None
    assert long.value == pytest.approx(9.2767, abs=1e-4)


def test_the_shortest_decimal_stands_for_a_float() -> None:
    assert number(0.1).exact == Fraction(1, 10)
    assert text(number(0.1)) == "0.1"
    assert text(number(1e-5)) == "1e-05"


@pytest.mark.parametrize(
    ("given", "told"),
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
def test_the_sides_of_an_equation(given: Expression, told: str) -> None:
    assert " ".join(f"{'=' if equal else '≈'} {text(side)}" for equal, side in equation_sides(given)) == told


def test_latex() -> None:
    assert latex(AP) == r"\frac{\frac{1}{1} + \frac{2}{3}}{2}"
    assert latex(DCG) == r"3 + \frac{1}{\log_{2}(3)} + \frac{2}{2}"
    assert latex(Power(number(Fraction(-1, 2)), number(2))) == r"\left(-\frac{1}{2}\right)^{2}"
    assert latex(Product((number(2), Root(log(3))))) == r"2 \cdot \sqrt{\ln(3)}"
    assert latex(number(math.inf)) == r"\infty"


def test_a_fraction_and_its_decimal_are_written_apart_in_either_order() -> None:
    """They are equal as keys of a cache."""
    for first, second in ((Fraction(3, 8), 0.375), (0.625, Fraction(5, 8))):
        found = [text(expression(one)) for one in (first, second)]
        assert found == [text(number(one)) for one in (first, second)]
        assert found[0] != found[1]
