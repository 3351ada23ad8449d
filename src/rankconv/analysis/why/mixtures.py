"""The definitions between two others, and their numbers, a bounded number of them at a time."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, islice, pairwise
from operator import or_

import numpy as np

from rankconv.basics.errors import RankconvError
from rankconv.basics.progress import current_bar
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.results.differences import NOT_READ, differing
from rankconv.presets.definition import Definition, with_changes

Mixture = int
"""Which players have been turned, as bits."""


@dataclass(frozen=True)
class Turns:
    """How often each player is turned in each mixture, over the orders that count."""

    players: int
    orders: int
    """How many orders count."""
    counts: Mapping[tuple[Mixture, int], int]
    """By the mixture before the turn, and the player."""

    def shares(self, values: Mapping[Mixture, float]) -> list[Fraction]:
        """What each player changes, on average over the orders; exact, so that the sum is the whole difference."""
        exact = {mixture: Fraction(value) for mixture, value in values.items()}
        common = max(value.denominator for value in exact.values())
        whole = {mixture: int(value * common) for mixture, value in exact.items()}
        sums = [0] * self.players
        for (mixture, player), count in self.counts.items():
            sums[player] += count * (whole[mixture | 1 << player] - whole[mixture])
        return [Fraction(total, self.orders * common) for total in sums]

    def weights(self, mixtures: Sequence[Mixture]) -> Numbers:
        """Shape (players, mixtures): a share is the sum of these times the values of the mixtures."""
        place = {mixture: at for at, mixture in enumerate(mixtures)}
        found = np.zeros((self.players, len(mixtures)))
        for (mixture, player), count in self.counts.items():
            found[player, place[mixture | 1 << player]] += count / self.orders
            found[player, place[mixture]] -= count / self.orders
        return found

    def moving(self, values: Mapping[Mixture, float]) -> set[int]:
        """The players who change the number in some order."""
        return {player for (mixture, player) in self.counts if values[mixture | 1 << player] != values[mixture]}


def all_turns(defined: Collection[Mixture], players: int) -> Turns:
    """The turns over all orders of which every mixture has a number."""
    up, down = _ways(defined, players, 0), _ways(defined, players, (1 << players) - 1)
    counts = {
        (mixture, player): up[mixture] * down[mixture | 1 << player]
        for mixture in up
        for player in range(players)
        if not mixture >> player & 1 and (mixture | 1 << player) in down
    }
    return Turns(players, up.get((1 << players) - 1, 0), counts)


def _ways(defined: Collection[Mixture], players: int, start: Mixture) -> dict[Mixture, int]:
    """In how many ways each mixture is reached from this one, turn by turn."""
    ways = {start: 1}
    nearest_first = sorted(defined, key=lambda mixture: (mixture ^ start).bit_count())
    for mixture in nearest_first[1:] if start in defined else []:
        steps = (mixture ^ 1 << player for player in range(players) if (mixture ^ start) >> player & 1)
        count = sum(ways.get(step, 0) for step in steps)
        if count:
            ways[mixture] = count
    return ways


def longest_way(defined: Collection[Mixture], players: int) -> list[Mixture]:
    """The mixtures on a way from no player to all, each with a number, in as many steps as there can be.

    Where no order of single turns is possible, players that fall into one step must be turned together.
    """
    steps: dict[Mixture, tuple[int, Mixture]] = {0: (0, 0)}
    for mixture in sorted(defined, key=int.bit_count):
        if mixture:
            steps[mixture] = max((c + 1, before) for before, (c, _) in steps.items() if before & mixture == before)
    way = [(1 << players) - 1]
    while way[-1]:
        way.append(steps[way[-1]][1])
    return way[::-1]


STRATEGY, RANKS = "is", "k"
"""What is no convention, and may differ: the strategy itself, and the cutoff where a preset has a hidden one."""
CELLS = 30_000_000
"""Values of users that are held at a time."""
RELATIVE, ABSOLUTE = 1e-12, 1e-15
"""How far two numbers may differ that are the same but for rounding, as under another base of a logarithm."""


@dataclass(frozen=True)
class TurnedSetting:
    """Settings that are turned together; most often it is one."""

    turned: Mapping[str, tuple[str, str]]
    """Convention → the first definition's setting and the second's."""

    @property
    def text(self) -> str:
        """The conventions with the settings of the second definition: `gain=linear`."""
        return ", ".join(f"{convention_name}={setting}" for convention_name, (_, setting) in self.turned.items())

    @property
    def changes(self) -> list[str]:
        """Each convention with both settings: `gain: binary → linear`."""
        return [f"{convention_name}: {before} → {after}" for convention_name, (before, after) in self.turned.items()]

    @property
    def change(self) -> str:
        """Each convention with both settings, in one line."""
        return ", ".join(self.changes)

    @property
    def as_lists(self) -> dict[str, list[str]]:
        """As plain data."""
        return {convention_name: list(settings) for convention_name, settings in self.turned.items()}


def players_of(ours: Definition, other: Definition) -> list[TurnedSetting]:
    """One player for each setting in which two definitions differ.

    A strategy that differs (`is`) takes with it what only one of the two strategies asks. A setting that is idle on
    one side joins the setting that makes it so: a tie rule joins the order, where one side does not order by score.
    """
    found = {
        convention_name: settings
        for convention_name, settings in differing(ours, other).items()
        if convention_name == STRATEGY or NOT_READ not in settings
    }
    if ours.k != other.k:
        before, after = ("none" if k is None else str(k) for k in (ours.k, other.k))
        found[RANKS] = (before, after)
    rules, idle_on_one = {**ours.idle_rules, **other.idle_rules}, ours.idle_rules.keys() ^ other.idle_rules.keys()
    groups: dict[str, dict[str, tuple[str, str]]] = {name: {} for name in found}
    for name, settings in found.items():
        leader = rules[name].by if name in idle_on_one else name
        groups[leader if leader in found else name][name] = settings
    return [TurnedSetting(group) for group in groups.values() if group]


def united(players: Sequence[TurnedSetting], way: Sequence[Mixture]) -> list[TurnedSetting]:
    """The players, with those that are turned in one step of this way as one player."""
    steps = [after & ~before for before, after in pairwise(way)]
    groups = [[player for place, player in enumerate(players) if step >> place & 1] for step in steps]
    return [TurnedSetting({q: a for player in group for q, a in player.turned.items()}) for group in groups]


def conventions_of(players: Sequence[TurnedSetting]) -> frozenset[str]:
    """All conventions that these players turn."""
    return frozenset(convention_name for player in players for convention_name in player.turned)


@dataclass(frozen=True)
class Mixer:
    """Makes definitions that have some settings of one definition and the other settings of another."""

    ours: Definition
    other: Definition
    players: Sequence[TurnedSetting]
    aside: frozenset[str] = frozenset()
    """Conventions that have the second definition's setting in every mixture."""

    def mixture(self, turned: Mixture) -> Definition | None:
        """The definition with these players turned; None where its settings are not possible together."""
        if turned == (1 << len(self.players)) - 1:
            return self.other
        players = [player for place, player in enumerate(self.players) if turned >> place & 1]
        return self.possible(self.aside | conventions_of(players))

    def possible(self, turned: frozenset[str]) -> Definition | None:
        """The definition with the second one's settings of these conventions; None where they exclude each other."""
        fields = {name: self.other.settings[name] for name in turned - {STRATEGY, RANKS}}
        kind = self.other if STRATEGY in turned else self.ours
        k = (self.other if RANKS in turned else self.ours).k
        return with_changes(self.ours, fields, like=replace(kind, metric=kind.metric.replace({}, k=k)))


def measure_each(
    joined: Joined, definitions: Mapping[Mixture, Definition], chosen: Mask | None
) -> Iterator[tuple[Mixture, Measured]]:
    """Each mixture that has a number with what came out; `chosen` restricts the population, shape (users,)."""
    at_once = max(1, CELLS // max(1, len(joined.users)))
    pending = iter(definitions.items())
    while batch := dict(islice(pending, at_once)):
        for mixture, one in zip(batch, _measured(joined, list(batch.values()), chosen), strict=True):
            if one is not None and np.isfinite(one.mean):
                yield mixture, one


def _measured(joined: Joined, pending: Sequence[Definition], chosen: Mask | None) -> Sequence[Measured | None]:
    """What each definition gives, measured in one pass, or one by one where some definition refuses the data.

    None for a definition that refuses them; `chosen` has shape (users,).
    """
    try:
        with np.errstate(invalid="ignore"):  # where one user has an infinite value and another a negative one
            return measure(joined, pending, chosen, report=current_bar())
    except RankconvError:
        return [None] if len(pending) == 1 else [_measured(joined, [one], chosen)[0] for one in pending]


def counted(one: Measured) -> Mask:
    """Who counts in the mean, shape (users,)."""
    return ~np.isnan(one.values)


def equal_results(one: Measured, other: Measured) -> bool:
    """Whether every user and the mean have the same number."""
    numbers, others = (np.append(measured.values, measured.mean) for measured in (one, other))
    return np.allclose(numbers, others, RELATIVE, ABSOLUTE, equal_nan=True)


class Mixtures:
    """The numbers of mixtures: means by mixture, and each user's part of a mean.

    A mean that is that of the first or the second definition but for rounding is taken for it, so that a setting
    without an effect has none to the last bit.
    """

    def __init__(self, joined: Joined, mixer: Mixer, chosen: Mask | None, ends: tuple[float, float]) -> None:
        self.joined, self.mixer, self.chosen = joined, mixer, chosen
        self._ends = ends
        self._defined: dict[Mixture, Definition | None] = {}
        self.means: dict[Mixture, float] = {}
        """Of those that have a number."""
        self._kept: dict[Mixture, Measured] = {}

    def united(self, way: Sequence[Mixture]) -> "Mixtures":
        """These mixtures, where players that are turned in one step of the way play as one."""
        mixer = replace(self.mixer, players=united(self.mixer.players, way))
        return Mixtures(self.joined, mixer, self.chosen, self._ends)

    def way_of_largest(self, count: int) -> list[Mixture]:
        """A way on which the players with the least effects alone go together, so that it has so many steps."""
        players = range(len(self.mixer.players))
        self.ask([0, *(1 << player for player in players)])
        effects = {player: abs(self.means.get(1 << player, self.means[0]) - self.means[0]) for player in players}
        largest = sorted(players, key=lambda player: -effects[player])[: count - 1]
        return [*accumulate((1 << player for player in largest), or_, initial=0), (1 << len(players)) - 1]

    def ask(self, mixtures: Sequence[Mixture]) -> None:
        """Measure those that are not known yet."""
        new = {mixture: self.mixer.mixture(mixture) for mixture in mixtures if mixture not in self._defined}
        self._defined |= new
        fits = len(self._defined) * len(self.joined.users) <= CELLS
        for mixture, one in measure_each(self.joined, {m: d for m, d in new.items() if d}, self.chosen):
            self.means[mixture] = next(
                (end for end in self._ends if np.isclose(one.mean, end, RELATIVE, ABSOLUTE)), one.mean
            )
            if fits:
                self._kept[mixture] = one

    def user_shares(self, weights: Numbers, mixtures: Sequence[Mixture], middle: float) -> Numbers:
        """What each user adds to each share, shape (players, users); 0 where nothing of their own changes.

        A user who counts adds (value - middle) / users counted to mean - middle, which is also what they take away who
        is left out. So the parts add up to the share where all means are arithmetic, and the same users count.
        """
        place = {mixture: at for at, mixture in enumerate(mixtures)}
        parts, own, counts = (np.zeros((len(weights), len(self.joined.users))) for _ in range(3))
        for mixture, one in self._again(mixtures):
            who, weight = counted(one), weights[:, place[mixture]]
            values = np.where(who, one.values, 0.0)
            parts += np.outer(weight, np.where(who, values - middle, 0.0) / max(1, np.count_nonzero(who)))
            own += np.outer(weight, values)
            counts += np.outer(weight, who)
        return np.where(np.isclose(own, 0, atol=1e-12) & np.isclose(counts, 0, atol=1e-12), 0.0, parts)

    def _again(self, mixtures: Sequence[Mixture]) -> Iterator[tuple[Mixture, Measured]]:
        """What came out of these mixtures, kept or measured once more."""
        pending = {mixture: one for mixture in mixtures if (one := self._defined[mixture])}
        if self._kept.keys() >= pending.keys():
            return iter([(mixture, self._kept[mixture]) for mixture in pending])
        return measure_each(self.joined, pending, self.chosen)
