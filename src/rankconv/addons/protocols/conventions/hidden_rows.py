"""Which ratings of a user are hidden, which are shown to the recommender."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Literal

import numpy as np

from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.protocols.protocol_traits import ProtocolTraits
from rankconv.basics.errors import ConventionError
from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Codes, Mask, Numbers

MOST = 1_000_000_000
DAY = 86_400.0
"""Seconds."""

REPEATED = Convention(
    "repeated",
    "Repeated ratings of one item by a user",
    reads=("before", "after"),
    registry=PROTOCOL,
    traits=ProtocolTraits,
)
"""Settings read how many rows of the same user and item come before and after each row, in time where there are times
and as given elsewhere, both of shape (rows,), and give those that are kept, shape (rows,)."""
REPEATED.setting("refused", rule="an error", says="no user has two ratings of one item", is_error=True)(
    lambda before, after: (before == 0) & (after == 0)
)
REPEATED.setting(
    "last", rule="the last counts", cite="fastml-code", says="of several ratings of an item the last counts"
)(lambda after: after == 0)
REPEATED.setting("first", rule="the first counts", says="of several ratings of an item the first counts")(
    lambda before: before == 0
)
REPEATED.setting("each", rule="each is a rating of its own", says="each rating counts, also several of one item")(
    lambda before: np.ones(len(before), bool)
)


ORDER = Convention(
    "order", "Order of a user's ratings", reads=("draw", "time", "place"), registry=PROTOCOL, traits=ProtocolTraits
)
"""Settings read a draw, the time and the place in time, or as given without times; what they give rises.
All have shape (rows,)."""


@ORDER.setting(
    "as-given",
    rule="by time, or as they came where there are no times",
    says="a user's ratings are in the order of their times, or of the rows where no times are read",
)
def _(place: Codes) -> Numbers:
    """To go by the order of rows in spite of times, give the number of each row as its time."""
    return place.astype(np.float64)


ORDER.setting("shuffled", rule="drawn", cite="fastml-code", says="a user's ratings are shuffled")(lambda draw: draw)


@ORDER.setting(
    "by-time", rule="the earliest first", says="a user's ratings stand in the order of their times", needs_times=True
)
def _(time: Numbers) -> Numbers:
    """Of equal times by item id, then by rating: for the order of rows, give row numbers as times."""
    return time


HELD_OUT = Convention(
    "held-out",
    "Ratings of a tested user that are held out",
    reads=("place", "count", "draw", "time", "last"),
    registry=PROTOCOL,
    traits=ProtocolTraits,
)
"""Settings read, all of shape (rows,), the place in the user's order and the number of the user's ratings, a draw, the
time, and the last time of all; they give the hidden ones, shape (rows,)."""


@HELD_OUT.setting("last", rule="the last n of each user", says="of each tested user the last {n} ratings are held out")
def _(place: Codes, count: Codes, n: Annotated[int, Within(1, MOST)]) -> Mask:
    """All of a user who has no more."""
    return np.asarray(place >= count - n)


@HELD_OUT.setting(
    "share",
    rule="the last of each user, by share",
    says="of each tested user the last ratings are held out, {of} of all (rounded: {rounding})",
)
def _(
    place: Codes,
    count: Codes,
    of: Annotated[float, Within(0, 1)],
    rounding: Literal["nearest", "down", "up", "down-but-one", "train-nearest"] = "nearest",
) -> Mask:
    """`nearest` takes halves to the even number, as Python does; `train-nearest` rounds what trains.

    `down-but-one` hides one where the share is less than one, and one more trains.
    """
    if rounding == "down-but-one":
        size = _down_but_one(of, count, count)
    elif rounding == "train-nearest":
        size = count - _share(1 - decimal(of), count, round)
    else:
        size = _share(decimal(of), count, ROUNDED[rounding])
    return np.asarray(place >= count - size)


ROUNDED: Mapping[str, Callable[[Fraction], int]] = {"nearest": round, "down": floor, "up": ceil}


def decimal(of: float) -> Fraction:
    """A share as it is written: 0.07 is 7/100, and no float next to it."""
    return Fraction(repr(of))


def _share(of: Fraction, count: Codes, rounded: Callable[[Fraction], int]) -> Codes:
    """The share of each number of ratings, rounded, shape as `count`."""
    different, which = np.unique(count, return_inverse=True)
    return np.array([rounded(of * one) for one in different.tolist()], np.int64)[which]


def _down_but_one(of: float, count: Codes, left: Codes) -> Codes:
    """How many ratings a share is: whole ones, and one for less where more than one is left; shape as `count`."""
    size = _share(decimal(of), count, floor)
    return np.where((size == 0) & (of > 0) & (left > 1), 1, size)


@HELD_OUT.setting(
    "by-chance",
    rule="each with this chance",
    cite="cremonesi2010",
    says="each rating of a tested user is held out with a chance of {of}",
)
def _(draw: Numbers, of: Annotated[float, Within(0, 1)]) -> Mask:
    """Whatever the user's other ratings."""
    return np.asarray(draw < of)


@HELD_OUT.setting(
    "from",
    rule="all from this moment on, for everybody",
    needs_times=True,
    says="ratings from {moment} on are held out",
)
def _(time: Numbers, moment: str) -> Mask:
    """A date, 2019-01-01, or a number of the times' own."""
    return np.asarray(time >= moment_of(moment))


@HELD_OUT.setting(
    "last-days",
    rule="the last n days of all ratings, whole days of UTC, for everybody",
    cite="rectools",
    needs_times=True,
    says="the ratings of the last {n} days are held out, whole days of UTC up to that of the last rating",
)
def _(time: Numbers, last: Numbers, n: Annotated[int, Within(1, MOST)]) -> Mask:
    """No user is tested by what came before something that trained."""
    return np.asarray(time >= (np.floor(last / DAY) + 1 - n) * DAY)


@HELD_OUT.setting(
    "latest",
    rule="the latest share of all ratings, for everybody",
    needs_times=True,
    says="the latest ratings of all are held out, a share of {of}, by one moment for everybody",
)
def _(time: Numbers, of: Annotated[float, Within(0, 1)]) -> Mask:
    """The moment is the quantile of all times; who rated at that moment is held out."""
    return np.asarray(time >= np.sort(time)[ceil((1 - decimal(of)) * (len(time) - 1))])


@HELD_OUT.setting(
    "rest",
    rule="all that are not given",
    cite="fastml-recsys",
    says="all ratings of a tested user that are not given are held out",
    rest=True,
)
def _(place: Codes) -> Mask:
    """What is hidden shrinks as more is given."""
    return np.ones(len(place), bool)


def moment_of(text: str) -> float:
    """Seconds since 1970 of a date or moment, or the number that is there; a ConventionError for anything else."""
    from rankconv.basics.errors import InputError
    from rankconv.data.inputs.row_batches import TIME_FORMS, times_from_objects

    try:
        return float(times_from_objects([text], str)[0])
    except InputError:
        raise ConventionError(f"'{text}' is no moment", where="held-out=from(…)", allowed=TIME_FORMS) from None


VALIDATION = Convention(
    "validation",
    "Ratings of a tested user that are kept for validation",
    reads=("place", "count", "left"),
    registry=PROTOCOL,
)
"""Settings read the place among those not held out, counted so that the last is the number of ratings less one, that
number, and how many are not held out, all of shape (rows,); they give those kept separately, shape (rows,)."""
VALIDATION.setting("none", rule="none", no="part for tuning")(lambda place: np.zeros(len(place), bool))


@VALIDATION.setting("last", rule="the last n", says="of the others the last {n} are kept for tuning")
def _(place: Codes, count: Codes, n: Annotated[int, Within(1, MOST)]) -> Mask:
    """They neither train nor test."""
    return np.asarray(place >= count - n)


@VALIDATION.setting(
    "share", rule="the last, by share of all", says="of the others the last are kept for tuning, {of} of all"
)
def _(
    place: Codes,
    count: Codes,
    left: Codes,
    of: Annotated[float, Within(0, 1)],
    rounding: Literal["nearest", "down-but-one"] = "nearest",
) -> Mask:
    """As a share of all ratings of the user; `down-but-one` takes one of less than one, and one more is left."""
    size = _share(decimal(of), count, round) if rounding == "nearest" else _down_but_one(of, count, left)
    return np.asarray(place >= count - size)


GIVEN = Convention(
    "given",
    "Number of a tested user's ratings that the recommender gets",
    reads=("available",),
    registry=PROTOCOL,
    traits=ProtocolTraits,
)
"""Settings read how many there are, and give the numbers of ratings given, one for each evaluation of the user."""
GIVEN.setting("all", rule="all", says="the recommender gets all other ratings of the user")(
    lambda available: [available]
)


@GIVEN.setting(
    "first", rule="the first n", gives_first=True, says="the recommender gets the first {n} ratings of the user"
)
def _(available: int, n: Annotated[int, Within(1, MOST)]) -> Sequence[int]:
    """A user with fewer is not tested."""
    return [n] if n <= available else []


@GIVEN.setting(
    "nested",
    rule="1, then 2, … up to so many",
    cite="fastml-recsys",
    gives_first=True,
    nested=True,
    says="the recommender gets the first ratings of the user, from {least} to {most} of them in steps of {step}",
)
def _(
    available: int,
    most: Annotated[int, Within(1, MOST)],
    *,
    least: Annotated[int, Within(1, MOST)] = 1,
    step: Annotated[int, Within(1, MOST)] = 1,
) -> Sequence[int]:
    """Each holds the one before."""
    return range(least, min(most, available) + 1, step)


COLD_ITEMS = Convention("cold-items", "Items without training ratings", reads=("known",), registry=PROTOCOL)
"""Settings read of each rating whether its item is in training, and give those to be found, both of shape (rows,)."""
COLD_ITEMS.setting("kept", rule="yes", no="removal of items without training ratings")(
    lambda known: np.ones(len(known), bool)
)
COLD_ITEMS.setting("dropped", rule="no", cite="rectools", says="items without a rating in training are not looked for")(
    lambda known: known
)


AGAIN = Convention("again", "Held-out items that the user also rated in training", reads=("known",), registry=PROTOCOL)
"""Settings read of each rating whether its user has rated the item in training, shape (rows,), and give those to be
found, shape (rows,)."""
AGAIN.setting("kept", rule="yes", no="removal of items that a user has rated twice")(
    lambda known: np.ones(len(known), bool)
)
AGAIN.setting("dropped", rule="no", cite="rectools", says="an item that the user has in training is not looked for")(
    lambda known: ~known
)
