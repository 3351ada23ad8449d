"""From many users to one number: means, the empty mean, rounding."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.parameters import Above, Within
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import ExactSum, Numbers, log
from rankconv.preparation.facts import OnData


@dataclass(frozen=True, eq=False)
class MeanInputs:
    """What a mean may look at of the users who count; arrays have shape (users,)."""

    values: Numbers
    weights: Numbers
    ratios: tuple[Numbers, Numbers]
    """Numerators and denominators, of the users decided by the formula."""
    part_values: tuple[Numbers, ...]
    """The value of each part of the metric."""


class Terms(NamedTuple):
    """What each user adds to the sums that a mean is made of."""

    reads: tuple[str, ...]
    """What of `MeanInputs` it looks at, by the names that settings of `aggregate` read."""
    of: Callable[..., list[Numbers]]
    """What the users add to each sum, shape (users,) each; gets `MeanInputs` and the parameters of the setting."""
    nobody_without: int | None = None
    """The sum without which nobody counts: that of the weights."""


class MeanTraits(Traits):
    """The traits of means."""

    adds: Terms | None = None
    """The terms of each user that are added up, where the mean is made of their sums."""
    keeps: Callable[[Numbers], Numbers] | None = None
    """Which values of users are enough for it, in their order; None where all are read as they come."""
    share: Literal["", "of the number", "whole", "of sums"] = ""
    """How the value of one user enters the number: divided by the number of users, whole, by its numerator and
    denominator, or as none of these."""
    extreme: bool = False
    """It is the least or the greatest value of all users."""
    jumps: bool = False
    """It is the value of one or two users, and goes on to the value of another by a jump."""

    @property
    def reads_of_users(self) -> tuple[str, ...]:
        return self.adds.reads if self.adds else ()


AGGREGATE = Convention(
    "aggregate",
    "Aggregation of the users' values",
    reads=("summed", "values", "weights", "ratios", "parts", "sums", "combine"),
    noun="mean",
    tells="more than one user",
    function_of=FunctionOf(
        "values",
        "",
        "the reported number is {value} of the values of the users",
        at_once=True,
        traits=MeanTraits(reads_data=("user-order",)),
    ),
    traits=MeanTraits,
)
"""A setting reads the sum and number of the values, or the values themselves, the weights, the ratios (numerators,
denominators) that they were divided from, or the parts: their values per user, and the rule that combines them.
Each of these arrays has shape (users,), users being those who count. A setting with the trait `adds` reads instead the
`sums` of what its `Terms` make of each user, one `ExactSum` each, so that no user need be kept. One that reads values,
and whose trait `keeps` says which of them are enough, may be taken of users who come in parts."""


def sums_of(mean: Setting, users: MeanInputs) -> list[ExactSum]:
    """The sums that this mean reads of these users; none where it has none of its own."""
    adds, sums = MeanTraits.of(mean).adds, list[ExactSum]()
    for term in adds.of(users, *mean.arguments, **mean.keywords) if adds else ():
        sums.append(ExactSum())
        sums[-1].add(term)
    return sums


def divide(numerator: float, denominator: float) -> float:
    """numerator / denominator, where x/0 is infinite and 0/0 NaN."""
    if denominator:
        return numerator / denominator
    return math.copysign(math.inf, numerator) if numerator and not math.isnan(numerator) else math.nan


def rising(values: Numbers) -> Numbers:
    """The values of users, shape (users,), from the least to the greatest; -0 before 0, NaN last."""
    return values[np.lexsort((~np.signbit(values), values))]


def variance(values: Numbers) -> float:
    """The mean squared difference of values, shape (values,), from their mean, whatever their order."""
    if not np.isfinite(values).all():
        return math.nan
    mean = math.fsum(values.tolist()) / len(values)
    return math.fsum(((values - mean) ** 2).tolist()) / len(values)


@AGGREGATE.setting(
    "mean",
    rule="sum / number",
    share="of the number",
    rises=True,
    says="the reported number is the arithmetic mean over the users counted",
    tex=r"\frac{1}{\left|U\right|} \sum_{u \in U} m_u",
)
def _(summed: ExactSum) -> float:
    """The ordinary mean."""
    return summed.total / summed.number


@AGGREGATE.setting(
    "sequential-mean",
    rule="sum / number, where each addition of the sum is rounded",
    reads_data=("user-order",),
    share="of the number",
    rises=True,
    cite="recbole",
    says="the reported number is the arithmetic mean over the users counted, added one by one in floating point",
    tex=r"\frac{1}{\left|U\right|} \sum_{u \in U} m_u",
)
def _(values: Numbers) -> float:
    """It decides whether a mean halfway between two decimals is rounded up."""
    return float(np.add.accumulate(values)[-1]) / len(values)


@AGGREGATE.setting(
    "geometric-mean",
    rule="exp(mean of log(max(value, floor)))",
    adds=Terms(("values",), lambda users, floor: [log(np.maximum(users.values, floor))]),
    of_all_alone=True,
    rises=True,
    cite="trec_eval-10",
    says="the reported number is the geometric mean over the users counted, of values of at least {floor}",
    tex=r"\exp\left(\frac{1}{\left|U\right|} \sum_{u \in U} \ln \max(m_u, «floor»)\right)",
)
def _(sums: Sequence[ExactSum], *, floor: Annotated[float, Above(0)]) -> float:
    """A user near zero weighs heavily; the floor keeps zero from deciding alone."""
    return math.exp(sums[0].total / sums[0].number)


@AGGREGATE.setting(
    "median",
    rule="the middle value",
    keeps=rising,
    rises=True,
    jumps=True,
    says="the reported number is the median over the users counted (of two middle values, {middle})",
    tex=r"\mathrm{median}_{u \in U} \, m_u",
)
def _(values: Numbers, middle: Literal["lower", "interpolated"]) -> float:
    """Of two middle values the lower one, or the mean of both."""
    if np.isnan(values).any():
        return math.nan
    ordered = np.sort(values)
    low, high = ordered[(len(values) - 1) // 2], ordered[len(values) // 2]
    return float(low if middle == "lower" else (low + high) / 2)


@AGGREGATE.setting(
    "percentile",
    rule="the value that so many percent of the users do not exceed, interpolated",
    keeps=rising,
    rises=True,
    jumps=True,
    cite="mlflow",
    says="the reported number is the {percent}th percentile over the users counted, interpolated between values",
    tex=r"P_{«percent»} \{ m_u : u \in U \}",
)
def _(values: Numbers, percent: Annotated[float, Within(0, 100)]) -> float:
    """Linear between the two nearest of n values, which are at 0, 1/(n-1), … 1."""
    ordered = rising(values)
    with np.errstate(invalid="ignore"):
        found = np.percentile(ordered, percent)
        if np.isnan(found):  # as of values one of which is infinite
            found = np.percentile(ordered, percent, method="lower") + np.percentile(ordered, percent, method="higher")
    return float(found)


@AGGREGATE.setting(
    "variance",
    rule="mean of (value - mean)²",
    keeps=rising,
    cite="mlflow",
    says="the reported number is the variance over the users counted, divided by their number",
    tex=r"\frac{1}{\left|U\right|} \sum_{u \in U} (m_u - \bar{m})^2",
    signs={r"\bar{m}": "the mean of the values"},
)
def _(values: Numbers) -> float:
    """How unequally users are served; 0 for one user."""
    return variance(values)


@AGGREGATE.setting(
    "standard-deviation",
    rule="root of the variance",
    keeps=rising,
    cite="pykeen",
    says="the reported number is the standard deviation over the users counted, divided by their number",
    tex=r"\sqrt{\frac{1}{\left|U\right|} \sum_{u \in U} (m_u - \bar{m})^2}",
    signs={r"\bar{m}": "the mean of the values"},
)
def _(values: Numbers) -> float:
    """In the unit of the values."""
    return math.sqrt(variance(values))


@AGGREGATE.setting(
    "minimum",
    rule="the least value",
    keeps=lambda values: rising(values.min(keepdims=True)),
    rises=True,
    extreme=True,
    says="the reported number is the least value of the users counted",
    tex=r"\min_{u \in U} m_u",
)
def _(values: Numbers) -> float:
    """The user who is served worst."""
    return float(values.min())


@AGGREGATE.setting(
    "maximum",
    rule="the greatest value",
    keeps=lambda values: rising(values.max(keepdims=True)),
    rises=True,
    extreme=True,
    says="the reported number is the greatest value of the users counted",
    tex=r"\max_{u \in U} m_u",
)
def _(values: Numbers) -> float:
    """The user who is served best."""
    return float(values.max())


@AGGREGATE.setting(
    "sum",
    rule="the sum",
    share="whole",
    rises=True,
    says="the reported number is the sum over the users counted",
    tex=r"\sum_{u \in U} m_u",
)
def _(summed: ExactSum) -> float:
    """Not divided: for counts."""
    return summed.total


@AGGREGATE.setting(
    "micro",
    rule="sum of numerators / sum of denominators",
    adds=Terms(("ratios",), lambda users: [*users.ratios]),
    share="of sums",
    rises=True,
    cite="implicit",
    says="the reported number is the sum of the numerators of all users divided by that of their denominators",
    tex=r"\frac{\sum_{u \in U} a_u}{\sum_{u \in U} b_u}, \quad m_u = \frac{a_u}{b_u}",
)
def _(sums: Sequence[ExactSum]) -> float:
    """Users with a greater denominator weigh more."""
    return divide(sums[0].total, sums[1].total)


AGGREGATE.also(**{"ratio-of-means": "micro"})  # one number of users divides both means


def _weighed(users: MeanInputs) -> list[Numbers]:
    counted = users.weights != 0
    return [users.values[counted] * users.weights[counted], users.weights]


@AGGREGATE.setting(
    "weighted-mean",
    rule="sum of weight · value / sum of weights",
    adds=Terms(("values", "weights"), _weighed, nobody_without=1),
    says="the reported number is a weighted mean over the users counted",
    tex=r"\frac{\sum_{u \in U} w_u m_u}{\sum_{u \in U} w_u}",
)
def _(sums: Sequence[ExactSum]) -> float:
    """By the weight that the metric gives each user."""
    return divide(sums[0].total, sums[1].total)


REPORT = Convention(
    "report", "Value of a user, or one minus it", reads=("values",), closed=True, tells="any user with a value"
)
"""A setting gives what is reported, shape as `values`; policies are applied before. Means of ratios or of parts, which
have no values of users, are turned as a whole."""


@REPORT.setting("value", rule="the value", rises=True, no="")
def _(values: Numbers) -> Numbers:
    """As it is."""
    return values


@REPORT.setting(
    "one-minus",
    rule="1 less the value",
    turns=True,
    cite="torchrec",
    says="the value x of a user is reported as the loss 1 - x",
)
def _(values: Numbers) -> Numbers:
    """What is lacking of 1: the best list has the least."""
    return 1 - values


ON_NO_USERS = Convention("on-no-users", "Mean over no users", reads=(), tells="data in which no user counts")


@ON_NO_USERS.setting("nan", rule="NaN", says="it is NaN if no user counts")
def _() -> float:
    """There is no mean of nothing."""
    return math.nan


@ON_NO_USERS.setting("refuse-all", rule="refused", refuses="everybody", says="there is none if no user counts")
def _() -> float:
    """The system raises."""
    return math.nan


@ON_NO_USERS.number(rule="this number", says="it is {value} if no user counts")
def _(value: float) -> float:
    """As if there were one user with it."""
    return value


ON_NO_USERS.also(zero="0")


@ON_NO_USERS.equivalent
def _(ours: OnData, other: OnData) -> bool:
    """Users count; where they are weighed, all of them may weigh nothing."""
    weighed = any("weights" in one.settings["aggregate"].reads_of_users for one in (ours, other))
    return ours.anybody and other.anybody and not weighed


Decimals = Annotated[int, Within(0, 17)]
AROUND_HALF, MOST_SCALED = 1e-4, 2.0**30
"""A number that is scaled, to at most this, is this far from a half: then numpy rounds it as its exact value is."""
ROUNDING = Convention(
    "rounding",
    "Rounding of a value",
    reads=("values",),
    is_table=True,
    function_of=FunctionOf("values", "a value of", "{subject} is rounded by {value}"),
)
"""A setting gives the rounded values, shape as `values`."""


@ROUNDING.setting("none", rule="not rounded", no="rounding of {subject}")
def _(values: Numbers) -> Numbers:
    """All digits."""
    return values


@ROUNDING.setting(
    "numpy",
    rule="to n decimals, scaled and rounded half to even",
    says="{subject} is rounded to {decimals} decimals, half to even",
)
def _(values: Numbers, decimals: Decimals) -> Numbers:
    """As numpy does: it multiplies, rounds and divides, so 1/160 to 4 places becomes 0.0062."""
    with np.errstate(over="ignore"):  # of values that are too large for it
        return np.round(values, decimals)


@ROUNDING.setting(
    "exact",
    rule="to n decimals, from the exact binary value",
    says="{subject} is rounded to {decimals} decimals, from its exact binary value",
)
def _(values: Numbers, decimals: Decimals) -> Numbers:
    """As Python's round does: 1/160 to 4 places becomes 0.0063, since its double is just above."""
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.abs(values) * 10.0**decimals
        rounded = np.round(values, decimals)
        undecided = ~(np.abs(scaled % 1 - 0.5) > AROUND_HALF) | (scaled > MOST_SCALED)
    for place in np.flatnonzero(undecided & np.isfinite(values)).tolist():
        rounded[place] = round(float(values[place]), decimals)
    return rounded


ROUND_USER = Convention(
    "round-user",
    "Rounding of a user's value before the mean",
    options_of=ROUNDING,
    subject="a user's value",
    tells="values with more digits",
)
ROUND_MEAN = Convention(
    "round-mean", "Rounding of the mean", options_of=ROUNDING, subject="the mean", tells="a mean with more digits"
)


@AGGREGATE.idle("there is one list", by="scope")
def of_one_list(context: Context) -> bool:
    """Whether the lists of all users are put together, so that there is one value and nothing to average."""
    return context.traits("scope").pools


ROUND_USER.idle("there is one list", by="scope")(of_one_list)


@AGGREGATE.idle("it is one number of all lists")
def of_all_lists(context: Context) -> bool:
    """Whether no user has a number of their own."""
    return context.metric is not None and bool(context.metric.of_all_lists)


ROUND_USER.idle("it is one number of all lists")(of_all_lists)
DESCRIBED = (REPORT, ROUND_USER, AGGREGATE, ON_NO_USERS, ROUND_MEAN)
"""In the order in which a paper tells how the users become one number."""
