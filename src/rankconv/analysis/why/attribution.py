"""The attribution of a difference to settings: data, page and table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypedDict

from rankconv.analysis.why.mixtures import TurnedSetting, counted
from rankconv.data.arrays import Numbers
from rankconv.data.ids import PlainId, typed
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.results.group_tables import with_groups
from rankconv.presets.definition import Definition
from rankconv.rendering.pages.cells import finite, number, plural
from rankconv.rendering.pages.display import RowTable
from rankconv.rendering.pages.page import Page, Paragraph, Piece, Waterfall, WaterfallStep
from rankconv.rendering.pages.table import Table


class MoverData(TypedDict):
    """A user who has a large part in a contribution."""

    user: PlainId
    part: float | None
    """The part in the share; null where it is not finite."""
    values: list[float | None]
    """The value under the first definition and under the second; null where the user does not count."""


class ContributionData(TypedDict):
    """What one setting adds to the difference; sometimes several that only go together."""

    settings: dict[str, list[str]]
    """By convention the setting of the first definition and that of the second."""
    share: float
    """What it adds to the difference."""
    exact: str
    """The share as a fraction."""
    users: list[MoverData]
    """Those with the largest parts, three at most."""


class OrdersData(TypedDict):
    """The orders of changing the settings, over which shares are means."""

    taken: int
    possible: int


class AttributionData(TypedDict):
    """The difference of two values, attributed to settings."""

    metric: str
    definitions: list[str]
    """The first definition and the second."""
    means: list[float]
    """The first value and the second."""
    difference: float
    """The second value less the first."""
    users: list[int]
    """How many users count in either mean."""
    contributions: list[ContributionData]
    no_effect: list[dict[str, list[str]]]
    """The settings that change nothing on these data, as in contributions."""
    orders: OrdersData


@dataclass(frozen=True)
class NamedDefinition:
    """One of the two definitions."""

    name: str
    """The preset, or the whole spec, as it was given."""
    definition: Definition


@dataclass(frozen=True)
class Mover:
    """A user who has a part in what a setting changes."""

    user: Any
    part: float
    """What of the change they make."""
    before: float
    """What they count as under the first definition; NaN where they do not count."""
    after: float
    """What they count as under the second definition."""


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one setting adds to the difference; sometimes several that only go together."""

    player: TurnedSetting = field(repr=False)
    exact: Fraction = field(repr=False)
    """The share, exactly."""
    user_shares: Numbers = field(repr=False)
    """What each user adds to it, shape (users,); see `Attribution`."""

    @property
    def share(self) -> float:
        """What it adds to the difference."""
        return float(self.exact)

    @property
    def text(self) -> str:
        """The settings of the second definition."""
        return self.player.text


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(RowTable):
    """Why two definitions give different numbers.

    The exact shares of the `contributions` add up to the exact difference of the two numbers. Users have parts in a
    share, which add up to it where the mean is arithmetic and the same users count.
    """

    rows_in: ClassVar[str] = "contributions"

    ours: NamedDefinition
    other: NamedDefinition
    first: Measured
    second: Measured
    contributions: list[Contribution]
    """Settings that change the number in some order of turning them, the largest share first."""
    no_effect: list[TurnedSetting]
    """Settings that differ, and change nothing on these data."""
    together: list[TurnedSetting]
    """Settings that were changed as one: those that have a number only together, or have the least effects of many."""
    orders: int
    """How many orders of turning the settings were taken."""
    possible: int
    """How many there would be if all mixtures had a number."""
    users: NDArray[Any]
    """Ids of all users of labels and rankings."""
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""

    @property
    def metric(self) -> str:
        """What the numbers are called."""
        names = [replace(side.definition, changed=()).spec for side in (self.ours, self.other)]
        return " and ".join(dict.fromkeys(names))

    @property
    def difference(self) -> float:
        """The second number minus the first."""
        return float(Fraction(self.second.mean) - Fraction(self.first.mean))

    @property
    def counted(self) -> tuple[int, int]:
        """How many users count in the first mean and in the second."""
        return int(counted(self.first).sum()), int(counted(self.second).sum())

    def movers(self, contribution: Contribution, most: int = 3) -> list[Mover]:
        """The users who have the largest parts in one contribution."""
        order = np.argsort(-np.abs(contribution.user_shares), kind="stable")[:most].tolist()
        users, before, after = self.users.tolist(), self.first.values, self.second.values
        return [
            Mover(users[place], float(contribution.user_shares[place]), float(before[place]), float(after[place]))
            for place in order
            if contribution.user_shares[place]
        ]

    def _page(self, digits: int | None = None) -> Page:
        """The steps from the one number to the other, and the users with the largest parts."""
        decimals = digits_for(self, digits)
        first, second = (number(one.mean, decimals) for one in (self.first, self.second))
        said = f"{self.difference:+.{decimals}f}" if self.difference else "no difference"
        head = Paragraph(f"{self.metric}: {self.ours.name} {first}, {self.other.name} {second}: {said}")
        steps = [[self.waterfall(digits)]] if self.contributions else []
        movers = (list(_movers(self, one, decimals)) for one in self.contributions)
        return Page([[head], *steps, [Paragraph(note) for note in notes(self)], *filter(None, movers)])

    def table(self, digits: int | None = None) -> Table:
        """The first number, what each setting adds, the second number."""
        decimals = digits_for(self, digits)
        rows = [[self.ours.name, "", "", number(self.first.mean, decimals)]]
        for one, share in zip(self.contributions, shares(self, decimals), strict=True):
            rows.append(["", *map(", ".join, _settings_of_both(one)), share])
        rows.append([self.other.name, "", "", number(self.second.mean, decimals)])
        heads = ["definition", "setting", "changed to", self.metric]
        return Table(heads, rows, labels=3, notes=notes(self))

    def _csv_rows(self) -> list[dict[str, Any]]:
        """The rows of the table: a mean for each definition, a share for each step between them."""
        first, second = (
            {"metric": self.metric, "definition": one.name, "setting": [], "changed_to": [], "mean": measured.mean}
            for one, measured in ((self.ours, self.first), (self.other, self.second))
        )
        steps: list[dict[str, Any]] = []
        for one in self.contributions:
            before, after = _settings_of_both(one)
            changed = int((one.user_shares != 0).sum())
            step = {"metric": self.metric, "setting": before, "changed_to": after, "share": one.share}
            steps.append(step | {"users_changed": changed})
        return [first, *steps, second]

    def waterfall(self, digits: int | None = None) -> Waterfall:
        """The steps from the one number to the other, each with a bar."""
        decimals = digits_for(self, digits)
        steps = [
            WaterfallStep(one.player.changes, one.share, shown)
            for one, shown in zip(self.contributions, shares(self, decimals), strict=True)
        ]
        first, second = (self.ours.name, self.first.mean), (self.other.name, self.second.mean)
        return Waterfall(self.metric, first, second, steps, decimals)

    def to_dict(self) -> AttributionData:
        """Everything as plain data; NaN is None, as JSON has it."""
        return {
            "metric": self.metric,
            "definitions": [self.ours.definition.text, self.other.definition.text],
            "means": [self.first.mean, self.second.mean],
            "difference": self.difference,
            "users": list(self.counted),
            "contributions": [_contribution(self, one) for one in self.contributions],
            "no_effect": [one.as_lists for one in self.no_effect],
            "orders": {"taken": self.orders, "possible": self.possible},
        }


def _settings_of_both(one: Contribution) -> tuple[list[str], list[str]]:
    """The settings of the first definition, and those of the second."""
    before, after = ([f"{name}={pair[side]}" for name, pair in one.player.turned.items()] for side in (0, 1))
    return before, after


def digits_for(found: Attribution, digits: int | None) -> int:
    """Decimals that show the difference: four, or more where it is small."""
    if digits is not None:
        return digits
    small = 2 - math.floor(math.log10(abs(found.difference))) if found.difference else 4
    return min(max(4, small), 17)


def shares(found: Attribution, digits: int) -> list[str]:
    """The shares, rounded so that they add up to the difference of the numbers as printed.

    Each is rounded down, and what is then missing is given to those that lost most, one unit each.
    """
    units = [one.exact * 10**digits for one in found.contributions]
    down = [math.floor(unit) for unit in units]
    missing = round(found.second.mean * 10**digits) - round(found.first.mean * 10**digits) - sum(down)
    lost_most = sorted(range(len(units)), key=lambda place: down[place] - units[place])
    for rank, place in enumerate(lost_most):
        down[place] += missing // len(units) + (rank < missing % len(units))
    return [f"{unit / 10**digits:+.{digits}f}" for unit in down]


def notes(found: Attribution) -> list[str]:
    """How the shares were found, who counts, and what has no effect."""
    ours, other = found.counted
    said = [f"Users counted: {ours} in both." if ours == other else f"Users counted: {ours}, then {other}."]
    if found.first.groups is not None or found.second.groups is not None:
        said += with_groups({found.ours.name: found.first, found.other.name: found.second})
    said += [f"Changed together: {one.text}." for one in found.together]
    if len(found.contributions) > 1:
        said.append(_orders(found))
    if found.no_effect:
        said.append(f"No effect on these data: {', '.join(one.text for one in found.no_effect)}.")
    return said


def _orders(found: Attribution) -> str:
    """Over which orders of turning the settings the shares are means."""
    dropped = found.possible - found.orders
    if dropped:
        which = f"{found.orders:,} of {found.possible:,} orders"
    else:
        which = "both orders" if found.orders == 2 else f"all {found.orders:,} orders of changing the settings"
    why = "because a definition in between has no value. This affects the shares."
    return f"Shares are means over {which}.{f' {dropped:,} orders were dropped, {why}' if dropped else ''}"


def _contribution(found: Attribution, one: Contribution) -> ContributionData:
    movers: list[MoverData] = [
        {"user": mover.user, "part": finite(mover.part), "values": [finite(mover.before), finite(mover.after)]}
        for mover in found.movers(one)
    ]
    return {"settings": one.player.as_lists, "share": one.share, "exact": str(one.exact), "users": movers}


def _movers(found: Attribution, one: Contribution, digits: int) -> Iterator[Piece]:
    """The users with the largest parts in one setting."""
    movers, moved = found.movers(one), int((one.user_shares != 0).sum())
    if not movers:
        return
    yield Paragraph(f"{one.text} changes {plural(moved, 'user')}{'; the largest' if moved > len(movers) else ''}:")
    for mover in movers:
        sides = (mover.before, mover.after)
        before, after = ("not counted" if math.isnan(value) else number(value, digits) for value in sides)
        words = f"{typed(mover.user):<12} {mover.part:+.{digits + 1}f} of the share; value {before} → {after}"
        yield Paragraph(words, "  ", "    ")
