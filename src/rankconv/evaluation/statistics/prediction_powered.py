"""Prediction-powered intervals: the mean of few values under human labels and many under those of a model.

Source: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Prediction-powered inference, Science 382, 2023; the tuned
weight is that of Angelopoulos, Duchi and Zrnic, PPI++: Efficient prediction-powered inference, 2023.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from rankconv.basics.errors import ConventionError, unknown
from rankconv.conventions.convention import Convention
from rankconv.conventions.setting_set import SettingSet
from rankconv.conventions.spec import read_spec
from rankconv.data.arrays import Numbers
from rankconv.evaluation.statistics.intervals import (
    UNBOUNDED,
    Ends,
    Interval,
    IntervalData,
    mostly_equal,
    scipy_stats,
    why_not_squared,
)
from rankconv.rendering.pages.cells import finite, plural

POWERED: dict[str, Convention] = {}
"""The conventions of prediction-powered intervals by name."""
FEWEST, FEWEST_SKEWED = 15, 100
"""Of fewer human values intervals of 95 % hold the mean in less than 94 %: tests/benchmarks/second_labels.py."""
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Moments:
    """The sums of which a weight is made, each a number, or shape (human,) of all human values but one."""

    human: int
    others: int
    covariance: Numbers
    """Of the human values and those of the model for the same users, with their number as divisor."""
    variance: Numbers
    """Of the model's values for all users, with one less as divisor."""


@dataclass(frozen=True, eq=False)
class TwoLabelledValues:
    """The values of users under human labels and under a model's."""

    human: Numbers
    """Under the human labels, shape (human,)."""
    model: Numbers
    """Of the same users under the labels of the model, shape (human,)."""
    others: Numbers
    """Under the labels of the model, of users without human labels, shape (others,)."""

    @cached_property
    def is_constant(self) -> bool:
        """Whether the labels of the model give all users one value, but for rounding."""
        every = np.concatenate([self.model, self.others])
        return float(np.ptp(every)) <= ROUNDING * max(1.0, float(np.abs(every).max()))

    @property
    def is_skewed(self) -> bool:
        """Whether the human values are reciprocal ranks or hits, or most of them are one value."""
        with np.errstate(divide="ignore"):
            inverse = np.where(self.human > 0, 1 / self.human, 0.0)
        return mostly_equal(self.human) or bool((np.abs(inverse - inverse.round()) <= ROUNDING * (1 + inverse)).all())

    @cached_property
    def centred(self) -> "TwoLabelledValues":
        """The same values, each side around its mean, so that squares of large values lose no digits."""
        middle = float(np.concatenate([self.model, self.others]).mean())
        return replace(
            self, human=self.human - self.human.mean(), model=self.model - middle, others=self.others - middle
        )

    def moments(self, *, without_each: bool = False) -> Moments:
        """The moments of all values; or, `without_each`, of those without each user with human labels in turn."""
        human, model, others = self.centred.human, self.centred.model, self.centred.others
        left = np.full(len(human), 1.0) if without_each else np.zeros(1)
        count = len(human) - int(without_each)
        sums = [one.sum() - left * one for one in (human, model, human * model, model**2)]
        every = count + len(others)
        squares = sums[3] + (others**2).sum() - (sums[1] + others.sum()) ** 2 / every
        squares = np.zeros_like(squares) if self.is_constant else squares
        return Moments(count, len(others), sums[2] / count - sums[0] * sums[1] / count**2, squares / (every - 1))

    def estimate(self, weight: Numbers, *, without_each: bool = False) -> Numbers:
        """The mean of the human values, moved by what the model gives other users; shape as `weight`."""
        left, count = (1.0, len(self.human) - 1) if without_each else (0.0, len(self.human))
        human, model = (one.sum() - left * one if without_each else one.sum() for one in (self.human, self.model))
        return np.asarray(weight * self.others.mean() + (human - weight * model) / count)


WEIGHT = Convention("weight", "Weight of the model's values", reads=("moments",), registry=POWERED)
"""A setting gives the weight, from 0 to 1; NaN where it is not defined."""


@WEIGHT.setting("tuned", rule="covariance / ((1 + n/N) variance), from 0 to 1", cite="angelopoulos2023b")
def _(moments: Moments) -> Numbers:
    """The weight of the least variance, as estimated from the values; it is not defined for a constant judge."""
    scaled = (1 + moments.human / moments.others) * moments.variance
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.clip(np.where(scaled > 0, moments.covariance / scaled, np.nan), 0.0, 1.0)


@WEIGHT.setting("plain", rule="1", cite="angelopoulos2023a")
def _(moments: Moments) -> Numbers:
    """Whatever the model's values are worth."""
    return np.ones_like(moments.covariance)


@WEIGHT.setting("classical", rule="0")
def _(moments: Moments) -> Numbers:
    """The human values alone."""
    return np.zeros_like(moments.covariance)


SPREAD = Convention(
    "spread", "Standard error of the estimate", reads=("values", "weight", "weighting"), registry=POWERED
)
"""A setting gives the standard error; `weighting` gives the weights without each user in turn."""


@SPREAD.setting("jackknife", rule="the estimate and its weight, without each human value in turn")
def _(values: TwoLabelledValues, weight: float, weighting: "PredictionPowered") -> float:
    """It holds the uncertainty of a weight that is tuned on few values."""
    left_out = values.estimate(weighting.weights(values, without_each=True), without_each=True)
    count, others = len(values.human), values.others
    of_human = (count - 1) / count * float(((left_out - left_out.mean()) ** 2).sum())
    of_others = others.var(ddof=1) / len(others) if len(others) > 1 else np.nan
    return float(np.sqrt(of_human + weight**2 * of_others))


@SPREAD.setting("population", rule="population variances, with the weight taken as known")
def _(values: TwoLabelledValues, weight: float) -> float:
    """Too small for few values."""
    of_human = (values.human - weight * values.model).var() / len(values.human)
    return float(np.sqrt(of_human + (weight * values.others).var() / len(values.others)))


QUANTILE = Convention("quantile", "Quantile of the interval", reads=("share", "users"), registry=POWERED)
"""A setting gives how many standard errors away the ends are."""


@QUANTILE.setting("t", rule="Student's t with n - 1 degrees of freedom")
def _(share: float, users: int) -> float:
    """Of the number of human values."""
    return float(scipy_stats("an interval", "special").stdtrit(users - 1, share))


@QUANTILE.setting("normal", rule="the normal distribution")
def _(share: float) -> float:
    """Too narrow for few values."""
    return float(scipy_stats("an interval", "special").ndtri(share))


LIMITS = Convention("limits", "Limits of intervals", reads=("values", "within"), registry=POWERED)
"""A setting gives why there is no interval, empty where there is one, and between which ends it is."""
FEW = "{} {}: of so few, intervals of 95 % held the mean in less than 94 % of simulations; {} at least are needed"
USUAL_VALUES, SKEWED_VALUES = "human values", "human values that are reciprocal ranks or hits, or mostly one value"


@LIMITS.setting("checked", rule="refused for fewer human values than simulations support; inside the metric's range")
def _(values: TwoLabelledValues, within: Ends) -> tuple[str, Ends]:
    """Where an interval of 95 % holds the mean in less than 94 %, there is none."""
    if len(values.human) and not np.ptp(values.human) > 0:
        return "all users have one value under the human labels", within
    least, what = (FEWEST_SKEWED, SKEWED_VALUES) if values.is_skewed else (FEWEST, USUAL_VALUES)
    return FEW.format(len(values.human), what, least) if len(values.human) < least else "", within


@LIMITS.setting("as-computed", rule="whatever comes out, also beyond the metric's range")
def _() -> tuple[str, Ends]:
    """Also of two values."""
    return "", UNBOUNDED


CONSTANT = Convention("constant", "Model whose labels give all users one value", registry=POWERED)
"""A setting says whether the interval is that of the human values alone."""


@CONSTANT.setting("human-only", rule="the interval of the human values alone")
def _() -> bool:
    """Such labels say nothing of differences between users."""
    return True


@CONSTANT.setting("as-computed", rule="whatever comes out: NaN for a tuned weight")
def _() -> bool:
    """0/0 is NaN."""
    return False


class PredictionPowered(SettingSet):
    """Compute the mean of few human values and many of a model, with its interval.

    The mean of the model's values for users without human labels, corrected by how far both differ where there are
    both.
    """

    weight: Annotated[str, WEIGHT]
    spread: Annotated[str, SPREAD]
    quantile: Annotated[str, QUANTILE]
    limits: Annotated[str, LIMITS]
    constant: Annotated[str, CONSTANT]

    @property
    def text(self) -> str:
        """The definition in words of its own: `ppi(weight=tuned, …)`."""
        return f"{NAME}({', '.join(f'{name}={text}' for name, text in self.stated.items())})"

    def weights(self, values: TwoLabelledValues, *, without_each: bool = False) -> Numbers:
        """The weight of the model's values, shape (1,); or without each human value in turn, shape (human,).

        Where it is not defined without some user, the others' values do not vary: then it is 0.
        """
        found = np.asarray(self.settings["weight"](moments=values.moments(without_each=without_each)))
        return np.nan_to_num(found) if without_each else found


NAME = "ppi"
USUAL = {
    "weight": "tuned",
    "spread": "jackknife",
    "quantile": "t",
    "limits": "checked",
    "constant": "human-only",
}
"""The settings where none are given."""


HOW = f"Write {NAME}, or {NAME}(weight=plain)"


def powered_definition(text: Any = None) -> PredictionPowered:
    """Return the definition of such a text, `ppi(weight=plain)`; ConventionError for an unknown one."""
    if text is not None and not isinstance(text, str):
        raise ConventionError(f"{text!r:.100} is not an interval of two label sets", allowed=HOW)
    spec = read_spec(NAME if text is None else text)
    if spec.metric != NAME or spec.preset or spec.cutoffs != (None,):
        raise ConventionError(f"'{text}' is not an interval of two label sets", allowed=HOW)
    for name, _ in spec.settings:
        if name not in POWERED:
            raise unknown(f"convention of {NAME}", name, POWERED)
    return PredictionPowered(**USUAL | dict(spec.settings))


class PoweredIntervalData(IntervalData):
    """A confidence interval of a mean from few human values and many of a model."""

    estimate: float | None
    """The estimate of the mean from both; null where there is none."""
    weight: float | None
    """The weight of the model's values, from 0 to 1."""
    human: int
    """Users with human labels."""
    others: int
    """Users with labels of the model alone."""
    note: str
    """Where the model adds nothing; else empty."""


@dataclass(frozen=True)
class PoweredInterval(Interval):
    """The mean from few human values and many of a model, with its interval."""

    estimate: float = np.nan
    """The estimate of the mean from both."""
    weight: float = np.nan
    """The weight of the model's values, from 0 to 1."""
    human: int = 0
    """Users with human labels."""
    others: int = 0
    """Users with labels of the model alone."""
    note: str = ""
    """Where the model adds nothing; else empty."""

    def to_dict(self) -> PoweredIntervalData:
        """Return plain data; None where a number is not finite, as JSON has it."""
        estimate, weight = finite(self.estimate), finite(self.weight)
        more = {"human": self.human, "others": self.others, "note": self.note}
        return {**super().to_dict(), "estimate": estimate, "weight": weight, **more}  # type: ignore[typeddict-item]


CONSTANT_NOTE = "the second labels give all users one value: this is the interval of the human values alone"
NO_OTHERS = "the second labels have no other users: this is the interval of the human values alone"
NO_WEIGHT = "the weight is 0/0, as the second labels give all users one value"
ONE_OTHER = "one user has labels of the model alone, whose variance is not defined"
ADDS_NOTHING = "the second labels add nothing: the interval of the human values alone is {} wide, from both it is {}"


def powered_interval(
    values: TwoLabelledValues,
    definition: PredictionPowered,
    alone: Interval,
    confidence: float = 0.95,
    within: Ends = UNBOUNDED,
) -> PoweredInterval:
    """Compute the interval of a mean; `alone` is that of the human values, `within` what a mean can be.

    It is none, with the reason, of fewer than two values of either side, and as the definition's limits say.
    """
    human, others = len(values.human), len(values.others)
    mean = float(values.human.mean()) if human else np.nan
    of_human = PoweredInterval(alone.low, alone.high, confidence, alone.how, alone.why, mean, 0.0, human, others)
    if not others:
        return replace(of_human, note=NO_OTHERS)
    none = PoweredInterval(np.nan, np.nan, confidence, "", _why_none(values), human=human, others=others)
    if none.why:
        return none
    few, (least, most) = definition.settings["limits"](values=values, within=within)
    constant = values.is_constant and definition.settings["constant"]()
    weight = 0.0 if constant else float(definition.weights(values)[0])
    none = replace(none, estimate=float(values.estimate(np.array(weight))), weight=weight)
    if few or np.isnan(weight):
        return replace(none, why=few or NO_WEIGHT)
    if constant:
        return replace(of_human, note=CONSTANT_NOTE)
    reach = definition.settings["quantile"](share=(1 + confidence) / 2, users=human)
    reach *= definition.settings["spread"](values=values, weight=weight, weighting=definition)
    if np.isnan(reach):
        return replace(none, why=ONE_OTHER)
    low, high = max(none.estimate - reach, least), min(none.estimate + reach, most)
    wider = not alone.why and high - low >= alone.high - alone.low
    note = ADDS_NOTHING.format(f"{alone.high - alone.low:.4f}", f"{high - low:.4f}") if wider else ""
    return replace(none, low=low, high=high, how=NAME, why="", note=note)


def _why_none(values: TwoLabelledValues) -> str:
    """Why these values have no estimate; empty where they have one."""
    if len(values.human) < 2:
        return f"{plural(len(values.human), 'user')} with human labels, and 2 at least are needed"
    return next(filter(None, map(why_not_squared, (values.human, values.model, values.others))), "")
