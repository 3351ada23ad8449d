"""The spread of a number over groups."""

from typing import Annotated, Any

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Mask, Numbers
from rankconv.metrics.base import Ratio
from rankconv.metrics.beyond.of_all_lists import added

GROUP_SPREAD = Convention(
    "group-spread",
    "Spread over the groups",
    reads=("rates",),
    phrase=True,
    tells="groups with other values",
)
"""A setting gives numerator and denominator, each a number, of the values of the groups, shape (groups,)."""

Sides = tuple[Any, Any]


def ratio_of(sides: Sides) -> Ratio:
    """Numerator and denominator as arrays of one number."""
    top, bottom = (np.array([side], object if not isinstance(side, float | int) else np.float64) for side in sides)
    return Ratio(top, bottom)


def _std(rates: Any) -> Any:
    """The population standard deviation, whatever the order of the groups."""
    return np.sqrt(added((rates - added(rates) / len(rates)) ** 2) / len(rates))


@GROUP_SPREAD.setting(
    "std-over-mean",
    rule="the population standard deviation over the mean; 0/0 for fewer groups than `least`",
    cite="zhu2020",
    says="the population standard deviation of the values of the groups, divided by their mean",
    tex=r"\frac{\sigma_g(v_g)}{\mu_g(v_g)}",
)
def _(rates: Numbers, *, least: Annotated[int, Within(1, 1000)] = 1) -> Sides:
    """The coefficient of variation; 0 where all are equal."""
    if len(rates) < least:
        return 0.0, 0.0
    return _std(rates), added(rates) / len(rates)


@GROUP_SPREAD.setting(
    "min-max-ratio",
    rule="the least value over the greatest",
    cite="fairranktune",
    says="the least value of a group divided by the greatest",
    tex=r"\frac{\min_g v_g}{\max_g v_g}",
)
def _(rates: Numbers) -> Sides:
    """1 where all are equal."""
    return rates.min(), rates.max()


@GROUP_SPREAD.setting(
    "max-min-ratio",
    rule="the greatest value over the least",
    cite="fairranktune",
    says="the greatest value of a group divided by the least",
    tex=r"\frac{\max_g v_g}{\min_g v_g}",
)
def _(rates: Numbers) -> Sides:
    """Infinite where a group has nothing."""
    return rates.max(), rates.min()


@GROUP_SPREAD.setting(
    "max-min-difference",
    rule="the greatest value less the least",
    says="the greatest value of a group less the least",
    tex=r"\left(\max_g v_g - \min_g v_g\right)",
)
def _(rates: Numbers) -> Sides:
    """0 where all are equal."""
    return rates.max() - rates.min(), 1.0


@GROUP_SPREAD.setting(
    "mean-absolute-difference",
    rule="the mean absolute difference of two groups, over all pairs; 0/0 without a pair",
    cite="deldjoo2021",
    says="the mean absolute difference of the values of two groups, over all pairs of groups",
    tex=r"\overline{|v_g - v_h|}",
)
def _(rates: Numbers) -> Sides:
    """Every pair of groups once."""
    pairs = [abs(rates[one] - rates[other]) for one in range(len(rates)) for other in range(one)]
    return (added(np.array(pairs)), float(len(pairs))) if pairs else (0.0, 0.0)


@GROUP_SPREAD.setting(
    "variance",
    rule="the population variance",
    cite="fairranktune",
    says="the population variance of the values of the groups",
    tex=r"\sigma_g^2(v_g)",
)
def _(rates: Numbers) -> Sides:
    """In squared units."""
    return added((rates - added(rates) / len(rates)) ** 2), float(len(rates))


UNDEFINED_GROUP = Convention(
    "undefined-group",
    "Groups whose value is 0/0",
    reads=("rates",),
    tells="a group without relevant items",
)
"""A setting says which groups the spread is over, shape (groups,)."""


@UNDEFINED_GROUP.setting("as-computed", rule="NaN, and so is the spread", says="a group whose value is 0/0 has none")
def _(rates: Numbers) -> Mask:
    """All of them."""
    return np.ones(len(rates), bool)


@UNDEFINED_GROUP.setting("left-out", rule="left out", says="groups whose value is 0/0 are left out")
def _(rates: Numbers) -> Mask:
    """Those that have a value."""
    return ~np.isnan(np.asarray(rates, np.float64))
