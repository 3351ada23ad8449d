"""By what a sum is divided: the table of divisors once more, each with the words for it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rankconv.choice import Answer
from rankconv.explaining.arithmetic import Numeric, number, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.parts import PartsOf
from rankconv.explaining.rows import fraction
from rankconv.explaining.sheet import Sheet
from rankconv.metrics.divisors import DIVISOR


@dataclass(frozen=True)
class Divisor:
    """A number to divide by, and where it comes from."""

    words: str
    """Such as "min(k, R) = min(3, 4)"."""
    value: Expression


DIVISORS = PartsOf()


def divisor(sheet: Sheet, question: str) -> Divisor:
    """The divisor that the metric's answer to this question names."""
    return divisor_of(sheet, sheet.answer(question))


def divisor_of(sheet: Sheet, answer: Answer, inside: bool = False) -> Divisor:
    """The divisor that this answer names; `inside` a min, where a missing k is infinite."""
    found: Divisor = DIVISORS(answer, sheet=sheet, inside=inside, of=answer.arguments)
    return found


def named(words: str, value: Numeric | Expression) -> Divisor:
    """A divisor of these words."""
    return Divisor(words, value if isinstance(value, Expression) else number(value))


@DIVISORS.answer("k")
def _(own: Any, sheet: Sheet, inside: bool, **_: Any) -> Divisor:
    if sheet.k is None:
        return named("no k", float("inf")) if inside else named("length of the list", sheet.length)
    return named("k", sheet.k)


@DIVISORS.answer("length")
def _(own: Any, sheet: Sheet, **_: Any) -> Divisor:
    return named("length of the list", sheet.length)


@DIVISORS.answer("relevant")
def _(own: Any, sheet: Sheet, **_: Any) -> Divisor:
    return named("R, the relevant labels", sheet.relevant)


@DIVISORS.answer("hits")
def _(own: Any, sheet: Sheet, **_: Any) -> Divisor:
    epsilon = own.get("epsilon", 0)
    return named("hits" + (f" + {epsilon:g}" if epsilon else ""), total([number(sheet.found), number(epsilon)]))


@DIVISORS.answer("labels-above")
def _(own: Any, sheet: Sheet, **_: Any) -> Divisor:
    level = fraction(own["level"])
    return named(f"labels above {own['level']:g}", sum(grade > level for grade in sheet.judged.judged_grades))


@DIVISORS.answer("relevant-grades")
def _(own: Any, sheet: Sheet, **_: Any) -> Divisor:
    return named("grades of the relevant labels", total(number(one.grade) for one in sheet.labels if one.relevant))


@DIVISORS.answer("one")
def _(own: Any, **_: Any) -> Divisor:
    return named("1", 1)


@DIVISORS.answer("min")
def _(own: Any, sheet: Sheet, of: tuple[str, ...], **_: Any) -> Divisor:
    parts = [divisor_of(sheet, DIVISOR(part), inside=True) for part in of]
    parts = [part for part in parts if part.words != "no k"] or parts
    least = min((part.value for part in parts), key=lambda value: value.value)
    if len(parts) == 1:
        return parts[0]
    counts = ", ".join(f"{Fraction(part.value.exact or 0)}" for part in parts)
    return named(f"min({', '.join(part.words.split(',')[0] for part in parts)}) = min({counts})", least)
