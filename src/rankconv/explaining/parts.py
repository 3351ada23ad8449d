"""What a grade is worth, how much a rank counts, by what is divided: each answer once more, as an expression."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from rankconv.choice import Answer
from rankconv.explaining.arithmetic import ONE, ZERO, log, minus, number, over, power
from rankconv.explaining.expression import Expression
from rankconv.explaining.rows import fraction

Part = Callable[..., Any]


class PartsOf:
    """The answers to one question as expressions; of a plugin's answer, the number that it gives."""

    def __init__(self, otherwise: Part | None = None) -> None:
        self.parts: dict[str, Part] = {}
        self.otherwise = otherwise

    def answer(self, name: str) -> Callable[[Part], Part]:
        """Decorator: this function is that answer."""

        def register(part: Part) -> Part:
            self.parts[name] = part
            return part

        return register

    def __contains__(self, answer: Answer) -> bool:
        return answer.option.name in self.parts or self.otherwise is not None

    def __call__(self, answer: Answer, **data: Any) -> Any:
        part = self.parts.get(answer.option.name)
        if part is None:
            if self.otherwise is None:
                raise WorkingError(f"nobody said how {answer.text} is worked out")
            return self.otherwise(answer, **data)
        return part(answer.keywords, **data)


class WorkingError(LookupError):
    """A plugin's answer of which nobody said how it is worked out."""


def _gain_as_it_comes(answer: Answer, grade: Fraction, relevant: bool, level: Fraction) -> Expression:
    one = np.array([float(grade)])
    return number(float(answer(grades=one, relevant=np.array([relevant]), level=float(level))[0]))


GAINS = PartsOf(otherwise=_gain_as_it_comes)


def _two_to(exponent: Fraction) -> Expression:
    raised = power(2, exponent)
    return raised if raised.exact is None else number(raised.exact)


def _less_one(raised: Expression) -> Expression:
    return minus(raised, ONE) if raised.exact is None else number(raised.exact - 1)


@GAINS.answer("grade")
def _(own: Any, grade: Fraction, **_: Any) -> Expression:
    return number(grade)


@GAINS.answer("exponential")
def _(own: Any, grade: Fraction, **_: Any) -> Expression:
    return _less_one(_two_to(grade))


@GAINS.answer("binary")
def _(own: Any, relevant: bool, **_: Any) -> Expression:
    return number(relevant)


@GAINS.answer("exponential-above-level")
def _(own: Any, grade: Fraction, level: Fraction, **_: Any) -> Expression:
    return _less_one(_two_to(grade - level + 1)) if grade >= level else ZERO


@GAINS.answer("share")
def _(own: Any, grade: Fraction, **_: Any) -> Expression:
    highest = fraction(own["highest"])
    return number(min(grade, highest) / highest)


@GAINS.answer("exponential-share")
def _(own: Any, grade: Fraction, **_: Any) -> Expression:
    return over(_less_one(_two_to(grade)), _two_to(fraction(own["highest"])))


@GAINS.answer("table")
def _(own: Any, grade: Fraction, **_: Any) -> Expression:
    worth = {fraction(level): gain for level, gain in own.items()}
    return number(worth.get(grade, grade))


def _discount_as_it_comes(answer: Answer, rank: int) -> Expression:
    return number(float(answer(ranks=np.array([float(rank)]))[0]))


DISCOUNTS = PartsOf(otherwise=_discount_as_it_comes)


@DISCOUNTS.answer("log")
def _(own: Any, rank: int) -> Expression:
    return over(1, log(number(rank + fraction(own.get("shift", 1))), own["base"]))


@DISCOUNTS.answer("log-from-base")
def _(own: Any, rank: int) -> Expression:
    return over(1, log(number(rank), own["base"])) if math.log(rank) > math.log(own["base"]) else ONE


@DISCOUNTS.answer("reciprocal")
def _(own: Any, rank: int) -> Expression:
    return over(1, rank)
