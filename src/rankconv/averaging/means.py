"""From many users to one number: means, the empty mean, rounding. No sum depends on the order of users."""

import math
from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np

from rankconv.answers import Above, Within
from rankconv.averaging.sums import ExactSum, total
from rankconv.choice import Choice
from rankconv.metrics.base import Ratio
from rankconv.ranking.rows import Numbers

MEAN = Choice(
    "mean", "How do the users become one number?", reads=("summed", "values", "weights", "ratios", "parts"), noun="mean"
)
"""An answer reads the sum and number of the values, or the values themselves, the weights, the ratios (numerators,
denominators) that they were divided from, or the parts: their values per user, and the rule that combines them."""


def divide(numerator: float, denominator: float) -> float:
    """x/0 is infinite and 0/0 NaN."""
    if denominator:
        return numerator / denominator
    return math.copysign(math.inf, numerator) if numerator and not math.isnan(numerator) else math.nan


@MEAN.option("arithmetic", rule="sum / number")
def _(summed: ExactSum) -> float:
    """The ordinary mean."""
    return summed.total / summed.number


@MEAN.option("geometric", rule="exp(mean of log(max(value, floor)))", cite="trec_eval-10")
def _(values: Numbers, *, floor: Annotated[float, Above(0)]) -> float:
    """A user near zero weighs heavily; the floor keeps zero from deciding alone."""
    return math.exp(total(np.log(np.maximum(values, floor))) / len(values))


@MEAN.option("median", rule="the middle value")
def _(values: Numbers, middle: Literal["lower", "interpolated"]) -> float:
    """Of two middle values the lower one, or the mean of both."""
    if np.isnan(values).any():
        return math.nan
    ordered = np.sort(values)
    low, high = ordered[(len(values) - 1) // 2], ordered[len(values) // 2]
    return float(low if middle == "lower" else (low + high) / 2)


@MEAN.option("minimum", rule="the least value")
def _(values: Numbers) -> float:
    """The user who is served worst."""
    return float(values.min())


@MEAN.option("maximum", rule="the greatest value")
def _(values: Numbers) -> float:
    """The user who is served best."""
    return float(values.max())


@MEAN.option("sum", rule="the sum")
def _(summed: ExactSum) -> float:
    """Not divided: for counts."""
    return summed.total


@MEAN.option("ratio-of-sums", rule="sum of numerators / sum of denominators", cite="implicit")
def _(ratios: tuple[Numbers, Numbers]) -> float:
    """Users with a greater denominator weigh more."""
    return divide(total(ratios[0]), total(ratios[1]))


@MEAN.option("weighted", rule="sum of weight · value / sum of weights")
def _(values: Numbers, weights: Numbers) -> float:
    """By the weight that the metric gives each user."""
    counted = weights != 0
    return divide(total(values[counted] * weights[counted]), total(weights))


@MEAN.option("of-parts", rule="the parts averaged, then combined", cite="evidently")
def _(parts: tuple[list[Numbers], Callable[..., Ratio]]) -> float:
    """As F of the mean precision and the mean recall, which is not the mean F."""
    averages = [np.array([total(part) / len(part)]) for part in parts[0]]
    return float(parts[1](*averages).value[0])


NOBODY = Choice("nobody", "What is the mean over no user at all?", reads=())


@NOBODY.option("nan", rule="NaN")
def _() -> float:
    """There is no mean of nothing."""
    return math.nan


@NOBODY.option("error", rule="refused")
def _() -> float:
    """The system raises."""
    return math.nan


@NOBODY.number(rule="this number")
def _(value: float) -> float:
    """As if there were one user with it."""
    return value


NOBODY.also(zero="0")

Decimals = Annotated[int, Within(0, 17)]
ROUNDING = Choice("rounding", "How is a value rounded?", reads=("values",), asked=False)


@ROUNDING.option("none", rule="not rounded")
def _(values: Numbers) -> Numbers:
    """All digits."""
    return values


@ROUNDING.option("numpy", rule="to n decimals, scaled and rounded half to even")
def _(values: Numbers, decimals: Decimals) -> Numbers:
    """As numpy does: it multiplies, rounds and divides, so 1/160 to 4 places becomes 0.0062."""
    return np.round(values, decimals)


@ROUNDING.option("exact", rule="to n decimals, from the exact binary value")
def _(values: Numbers, decimals: Decimals) -> Numbers:
    """As Python's round does: 1/160 to 4 places becomes 0.0063, since its double lies just above."""
    return np.array([round(value, decimals) if math.isfinite(value) else value for value in values.tolist()])


ROUND_USER = Choice("round-user", "How is a user's value rounded before the mean?", options_of=ROUNDING)
ROUND_MEAN = Choice("round-mean", "How is the mean rounded?", options_of=ROUNDING)
