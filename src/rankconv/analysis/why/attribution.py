"""The attribution of a difference to settings, with its tables."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankconv.analysis.why.measuring import counted
from rankconv.analysis.why.shapley import DRAWN
from rankconv.analysis.why.sides import NamedDefinition, explaining
from rankconv.analysis.why.turned_settings import TurnedSetting
from rankconv.data.arrays import Numbers
from rankconv.data.ids import typed
from rankconv.engine.metric_result import Measured
from rankconv.pages.cells import finite, number
from rankconv.pages.display import Drawn, RowResult, Tabular
from rankconv.pages.page import Command, Page, Paragraph, Piece, Step, Waterfall
from rankconv.pages.picture import Target
from rankconv.pages.table import Table
from rankconv.pages.waterfall_plot import draw


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
    standard_error: float
    """Of the share; 0 where all orders were taken."""
    parts: Numbers = field(repr=False)
    """What each user adds to it, shape (users,); see `Attribution`."""

    @property
    def share(self) -> float:
        """What it adds to the difference."""
        return float(self.exact)

    @property
    def text(self) -> str:
        """The settings of the second definition."""
        return self.player.text


@dataclass(frozen=True, eq=False)
class Shares:
    """The difference between two numbers, and what each setting has of it."""

    ours: NamedDefinition
    other: NamedDefinition
    first: Measured = field(repr=False)
    second: Measured = field(repr=False)
    contributions: list[Contribution]
    """Settings that change the number in some order of turning them, the largest share first."""
    no_effect: list[TurnedSetting]
    """Settings that differ, and change nothing on these data."""
    together: list[TurnedSetting]
    """Settings that have a number only together, and so were turned as one; empty where some order is possible."""
    orders: int
    """How many orders of turning the settings were taken."""
    possible: int
    """How many there would be if all mixtures had a number."""
    sampled: bool
    """Whether they are a sample."""
    users: NDArray[Any] = field(repr=False)
    """Ids of all users of labels and rankings."""

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
        order = np.argsort(-np.abs(contribution.parts), kind="stable")[:most].tolist()
        return [self._mover(contribution, place) for place in order if contribution.parts[place]]

    def _mover(self, contribution: Contribution, place: int) -> Mover:
        before, after = (float(one.values[place]) for one in (self.first, self.second))
        return Mover(self.users[place : place + 1].tolist()[0], float(contribution.parts[place]), before, after)


def digits_for(found: Shares, digits: int | None) -> int:
    """Decimals that show the difference: four, or more where it is small."""
    if digits is not None:
        return digits
    small = 2 - math.floor(math.log10(abs(found.difference))) if found.difference else 4
    return min(max(4, small), 17)


def shares(found: Shares, digits: int) -> list[str]:
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


def attribution_table(found: Shares, digits: int | None = None) -> Table:
    """The first number, what each setting adds, the second number."""
    decimals = digits_for(found, digits)
    rows = [[found.ours.name, "", "", number(found.first.mean, decimals)]]
    for one, share in zip(found.contributions, shares(found, decimals), strict=True):
        before, after = ([f"{q}={pair[side]}" for q, pair in one.player.turned.items()] for side in (0, 1))
        rows.append(["", ", ".join(before), ", ".join(after), share])
    rows.append([found.other.name, "", "", number(found.second.mean, decimals)])
    heads = ["definition", "setting", "turned to", found.metric]
    return Table(heads, rows, labels=3, notes=notes(found, decimals))


def notes(found: Shares, digits: int) -> list[str]:
    """How the shares were found, who counts, and what has no effect."""
    ours, other = found.counted
    said = [f"Users counted: {ours} in both." if ours == other else f"Users counted: {ours}, then {other}."]
    said += [f"Only together they have a number, and were turned as one: {one.text}." for one in found.together]
    if len(found.contributions) > 1:
        said.append(_orders(found, digits))
    if found.no_effect:
        said.append(f"No effect on these data: {', '.join(one.text for one in found.no_effect)}.")
    return said


def _orders(found: Shares, digits: int) -> str:
    """Over which orders of turning the settings the shares are means."""
    if found.sampled:
        largest = max(one.standard_error for one in found.contributions)
        which = f"{found.orders} orders drawn at random; standard errors up to {largest:.{digits}f}"
        dropped = DRAWN - found.orders
    elif found.orders < found.possible:
        which = f"{found.orders:,} of {found.possible:,} orders"
        dropped = found.possible - found.orders
    else:
        dropped = 0
        which = "both orders" if found.orders == 2 else f"all {found.orders:,} orders of turning the settings"
    why = "because a step on the way has no number. This changes the shares."
    return f"Shares are means over {which}.{f' {dropped:,} orders were dropped, {why}' if dropped else ''}"


def data_of(found: Shares) -> dict[str, Any]:
    """All of it, with the users who have the largest parts."""
    return {
        "metric": found.metric,
        "definitions": [found.ours.definition.text, found.other.definition.text],
        "means": [found.first.mean, found.second.mean],
        "difference": found.difference,
        "users": list(found.counted),
        "contributions": [_contribution(found, one) for one in found.contributions],
        "no_effect": [_settings(one.turned) for one in found.no_effect],
        "orders": {"taken": found.orders, "possible": found.possible, "sampled": found.sampled},
    }


def _contribution(found: Shares, one: Contribution) -> dict[str, Any]:
    movers = [
        {"user": mover.user, "part": mover.part, "values": [finite(mover.before), finite(mover.after)]}
        for mover in found.movers(one)
    ]
    fields = {"settings": _settings(one.player.turned), "share": one.share, "exact": str(one.exact)}
    return fields | ({"standard_error": one.standard_error} if found.sampled else {}) | {"users": movers}


def _settings(turned: Any) -> dict[str, list[str]]:
    return {convention_name: list(settings) for convention_name, settings in turned.items()}


@dataclass(frozen=True, eq=False, repr=False)
class Attribution(Drawn, Tabular, RowResult, Shares):
    """Why two definitions give different numbers.

    The exact shares of the `contributions` add up to the exact difference of the two numbers. Users have parts in a
    share, which add up to it where the mean is arithmetic and the same users count.
    """

    rows_in: ClassVar[str] = "contributions"

    def _page(self, digits: int | None = None, files: str = "LABELS RUN") -> Page:
        """The steps from the one number to the other, and who largest effect; `files` stand in the commands."""
        decimals = digits_for(self, digits)
        first, second = (number(one.mean, decimals) for one in (self.first, self.second))
        said = f"{self.difference:+.{decimals}f}" if self.difference else "no difference"
        head = Paragraph(f"{self.metric}: {self.ours.name} {first}, {self.other.name} {second}: {said}")
        steps = [[self.waterfall(digits)]] if self.contributions else []
        movers = (list(_movers(self, one, decimals, files)) for one in self.contributions)
        return Page([[head], *steps, [Paragraph(note) for note in notes(self, decimals)], *filter(None, movers)])

    def table(self, digits: int | None = None) -> Table:
        """The first number, what each setting adds, the second number."""
        return attribution_table(self, digits)

    def waterfall(self, digits: int | None = None) -> Waterfall:
        """The steps from the one number to the other, to be drawn."""
        decimals = digits_for(self, digits)
        steps = [
            Step(one.player.changes, one.share, shown, one.standard_error if self.sampled else None)
            for one, shown in zip(self.contributions, shares(self, decimals), strict=True)
        ]
        first, second = (self.ours.name, self.first.mean), (self.other.name, self.second.mean)
        title = f"Why {self.metric} of {self.other.name} is not that of {self.ours.name}"
        return Waterfall(title, self.metric, first, second, steps, decimals)

    def _pictures(self) -> Page:
        """None: a page shows the steps as bars next to their numbers."""
        return Page([])

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return data_of(self)

    def plot(self, path: Target, digits: int | None = None) -> None:
        """Draw the waterfall into an SVG or PNG file. Needs matplotlib."""
        draw(self.waterfall(digits), path)


def _movers(found: Shares, one: Contribution, digits: int, files: str) -> Iterator[Piece]:
    """The users with the largest parts in one setting, and the command that works out the first of them."""
    movers = found.movers(one)
    moved = int((one.parts != 0).sum())
    if not movers:
        return
    more = ", most of all" if moved > len(movers) else ""
    yield Paragraph(f"{one.text} moves {moved} {'user' if moved == 1 else 'users'}{more}:")
    yield from (Paragraph(_sentence(mover, digits), "  ", "    ") for mover in movers)
    yield from (Command(line, "  ") for line in explaining(movers[0].user, files, found.ours, found.other))


def _sentence(mover: Mover, digits: int) -> str:
    values = (mover.before, mover.after)
    before, after = ("not counted" if math.isnan(value) else number(value, digits) for value in values)
    return f"{typed(mover.user):<12} {mover.part:+.{digits + 1}f} of it; in all {before} → {after}"
