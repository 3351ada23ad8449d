"""Why two evaluations put recommenders in another order: the conventions in which they differ, and the result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from rankconv.analysis.why.mixtures import Mixer, players_of
from rankconv.analysis.why.shapley import Mixture
from rankconv.errors import ConventionError
from rankconv.pages.cells import ABSENT, number
from rankconv.pages.display import RowResult
from rankconv.pages.page import Heading, Page, Paragraph, Piece
from rankconv.pages.table import Table
from rankconv.presets.definition import Definition
from rankconv.protocols.split import Protocol


@dataclass(frozen=True)
class Side:
    """One of the two evaluations."""

    protocol: Protocol
    metric: Definition

    @property
    def text(self) -> str:
        """Protocol and metric, as requested."""
        return f"{self.protocol.text}, {self.metric.text}"


@dataclass(frozen=True)
class Turning:
    """Conventions that are turned together; most often it is one."""

    conventions: tuple[int, ...]
    """Their places among all conventions."""
    of_protocol: bool
    """Whether one of them is of the protocol."""
    changes: tuple[str, ...]
    """Each convention with both settings: `order: as-given → shuffled`."""

    @property
    def text(self) -> str:
        """All of them, in one line."""
        return ", ".join(self.changes)


@dataclass(frozen=True)
class Conventions:
    """What differs between two evaluations, and the evaluations in which some of it is turned."""

    ours: Side
    other: Side

    @cached_property
    def _of_protocol(self) -> Mapping[str, tuple[str, str]]:
        return self.ours.protocol.diff(self.other.protocol)

    @cached_property
    def _mixer(self) -> Mixer:
        ours, other = self.ours.metric, self.other.metric
        return Mixer(ours, other, players_of(ours, other))

    @cached_property
    def each(self) -> list[Turning]:
        """Every convention by itself: those of the protocol, then those of the metric."""
        protocol = [(f"{q}: {before} → {after}",) for q, (before, after) in self._of_protocol.items()]
        metric = [tuple(one.changes) for one in self._mixer.players]
        return [Turning((at,), at < len(protocol), differing) for at, differing in enumerate([*protocol, *metric])]

    def protocol_of(self, turned: Mixture) -> Protocol | None:
        """The protocol in which these conventions are turned; None where its settings are not possible together."""
        fields = {q: after for at, (q, (_, after)) in enumerate(self._of_protocol.items()) if turned >> at & 1}
        if len(fields) == len(self._of_protocol):
            return self.other.protocol
        try:
            return self.ours.protocol.replace(**fields).check()
        except ConventionError:
            return None

    def metric_of(self, turned: Mixture) -> Definition | None:
        """The definition in which these conventions are turned; None where its settings are not possible together."""
        return self._mixer.mixture(turned >> len(self._of_protocol))

    def possible(self, turned: Mixture) -> bool:
        """Whether there is such an evaluation, whatever the ratings."""
        return self.protocol_of(turned) is not None and self.metric_of(turned) is not None


def united(turnings: Sequence[Turning], way: Sequence[Mixture]) -> list[Turning]:
    """The turnings, with those that fall into one step of this way as one."""
    steps = [after & ~before for before, after in pairwise(way)]
    groups = [[one for place, one in enumerate(turnings) if step >> place & 1] for step in steps]
    return [
        Turning(
            tuple(convention for one in group for convention in one.conventions),
            any(one.of_protocol for one in group),
            tuple(change for one in group for change in one.changes),
        )
        for group in groups
    ]


def conventions_in(turnings: Sequence[Turning], turned: Mixture) -> Mixture:
    """The conventions that these turnings turn, as bits of all conventions."""
    found = 0
    for place, one in enumerate(turnings):
        if turned >> place & 1:
            found |= sum(1 << convention for convention in one.conventions)
    return found


@dataclass(frozen=True)
class TurnedConvention:
    """What one convention does; sometimes several that only go together."""

    turning: Turning
    shares: Mapping[str, Fraction]
    """By recommender, what turning it adds to the number, on average over the orders."""
    errors: Mapping[str, float]
    """The standard errors of these; 0 where all orders were taken."""
    moves: float
    """In which share of the orders the recommenders stand in another order once it is turned."""
    alone: Mapping[str, float] | None
    """The numbers where it alone is turned; None where there are none."""

    @property
    def text(self) -> str:
        """Each convention with both settings."""
        return self.turning.text


@dataclass(frozen=True, eq=False, repr=False)
class OrderAttribution(RowResult):
    """Why two evaluations put recommenders in another order: what each convention of protocol or metric does to it.

    The shares of a recommender add up to the difference of its two numbers; the `moves` of all conventions to how often
    the order changes on the way from one evaluation to the other.
    """

    rows_in: ClassVar[str] = "conventions"
    sides: tuple[Side, Side]
    numbers: tuple[Mapping[str, float], Mapping[str, float]]
    """By recommender, under either side."""
    orders: tuple[tuple[str, ...], tuple[str, ...]]
    """The recommenders, best first, under either side."""
    conventions: list[TurnedConvention]
    """Those that change some number, the ones that move the order most first."""
    no_effect: list[str]
    """Conventions that differ, and change no number on these ratings."""
    taken: int
    """How many orders of changing the conventions were taken."""
    possible: int
    """How many there are at most."""
    sampled: bool
    without: Mapping[str, int] = field(default_factory=dict)
    """Why evaluations between the two have no number, and how many of them."""
    seed: int = 0

    def moves(self, *, of_protocol: bool) -> float:
        """How often conventions of the protocol, or of the metric alone, change the order on the way."""
        return sum(one.moves for one in self.conventions if one.turning.of_protocol == of_protocol)

    def _page(self, digits: int = 4) -> Page:
        """Both evaluations, what each convention adds and moves, and what it does alone."""
        heads: list[Piece] = []
        for letter, side, numbers, order in zip("AB", self.sides, self.numbers, self.orders, strict=True):
            text = ", ".join(f"{name} {number(numbers[name], digits)}" for name in order)
            heads.append(Paragraph(f"{letter}: {side.text}: {text}", rest="   "))
        sections = [heads]
        if self.conventions:
            sections += [[Heading("Settings changed in every order"), self.table(digits)]]
            sections += [[*map(Paragraph, self._notes(digits))]]
            sections += [[Heading("One setting changed, the others as in A"), self._alone(digits)]]
        else:
            sections += [[*map(Paragraph, self._notes(digits))]]
        return Page(sections)

    def table(self, digits: int = 4) -> Table:
        """What each convention adds to each recommender's number, and how often it moves the order."""
        names = list(self.numbers[0])
        rows = [
            [one.text, *(f"{float(one.shares[name]):+.{digits}f}" for name in names), f"{one.moves:.0%}"]
            for one in self.conventions
        ]
        total = [self.numbers[1][name] - self.numbers[0][name] for name in names]
        rows.append(["all", *(f"{one:+.{digits}f}" for one in total), ""])
        return Table(["convention", *names, "changes the order"], rows, prose=frozenset({0}))

    def _alone(self, digits: int) -> Table:
        names = list(self.numbers[0])
        rows = []
        for one in self.conventions:
            cells = [ABSENT] * len(names) if one.alone is None else [number(one.alone[name], digits) for name in names]
            rows.append([one.text, *cells])
        return Table(["convention", *names], rows, prose=frozenset({0}))

    def _notes(self, digits: int) -> Iterator[str]:
        if len(self.numbers[0]) > 1 and self.conventions:
            ways = [self.moves(of_protocol=one) for one in (True, False)]
            yield (
                f"Between A and B the order changes {sum(ways):.2f} times on average: {ways[0]:.2f} times by "
                f"conventions of the protocol, {ways[1]:.2f} times by conventions of the metric."
            )
        if len(self.conventions) > 1:
            yield f"Shares are means over {self._orders(digits)}, with seed {self.seed}."
        if self.no_effect:
            yield f"No effect on these ratings: {'; '.join(self.no_effect)}."
        for why, count in self.without.items():
            yield f"{count} {'evaluation' if count == 1 else 'evaluations'} between the two without a number: {why}"

    def _orders(self, digits: int) -> str:
        if self.sampled:
            largest = max(error for one in self.conventions for error in one.errors.values())
            return f"{self.taken} orders of changing the conventions; standard errors up to {largest:.{digits}f}"
        if self.taken < self.possible:
            return f"the {self.taken:,} of {self.possible:,} orders in which each step has a number"
        return "both orders" if self.taken == 2 else f"all {self.taken:,} orders of changing the conventions"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "sides": [
                {"protocol": side.protocol.text, "metric": side.metric.text, "numbers": dict(numbers), "order": order}
                for side, numbers, order in zip(self.sides, self.numbers, map(list, self.orders), strict=True)
            ],
            "conventions": [row for one in self.conventions for row in _rows(one)],
            "moves": {"protocol": self.moves(of_protocol=True), "metric": self.moves(of_protocol=False)},
            "no_effect": self.no_effect,
            "without_number": dict(self.without),
            "orders": {"taken": self.taken, "possible": self.possible, "sampled": self.sampled},
            "seed": self.seed,
        }

    def __repr__(self) -> str:
        between = " against ".join(side.text for side in self.sides)
        return f"{type(self).__name__}({', '.join(self.numbers[0])}; {between}; {len(self.conventions)} conventions)"


def _rows(one: TurnedConvention) -> Sequence[dict[str, Any]]:
    kind = "protocol" if one.turning.of_protocol else "metric"
    return [
        {
            "convention": one.text,
            "kind": kind,
            "recommender": name,
            "share": float(share),
            "standard_error": one.errors[name],
            "alone": None if one.alone is None else one.alone[name],
            "moves": one.moves,
        }
        for name, share in one.shares.items()
    ]
