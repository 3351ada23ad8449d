"""The Shapley value of a difference, over those orders of turning settings that are possible at all.

Players are the settings in which two definitions differ. A mixture S is the set of those that have been turned from the
first definition's setting to the second's, and v(S) its number. Where every mixture has one, player i gets

    φ_i = Σ over S without i:  |S|! (n - |S| - 1)! / n!  ·  (v(S + i) - v(S)),

the mean over all n! orders of what turning i changes. Some mixtures have no number: their settings exclude each other,
or a user is refused. Then only those orders count of which every mixture on the way has one:

    φ_i = Σ over S without i:  up(S) · down(S + i) / up(all)  ·  (v(S + i) - v(S)),

up(S) being the number of such ways from the empty mixture to S, and down(S) from S to all; S runs over the mixtures
that are on one. This is the value of Faigle and Kern (The Shapley value for cooperative games under precedence
constraints, International Journal of Game Theory 21, 1992), for any mixtures that may be missing. Each way leads from
the first number to the second, so the values add up to the difference.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import sqrt
from operator import or_

import numpy as np

from rankconv.data.arrays import Numbers

DRAWN = 200
"""So many orders are drawn where there are too many to take all."""
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

    def standard_errors(self, values: Mapping[Mixture, float]) -> list[float]:
        """The standard error of each share, where the orders are a sample of all that there are."""
        means = [float(share) for share in self.shares(values)]
        squares = [0.0] * self.players
        for (mixture, player), count in self.counts.items():
            squares[player] += count * (values[mixture | 1 << player] - values[mixture] - means[player]) ** 2
        return [sqrt(total / (self.orders - 1) / self.orders) if self.orders > 1 else np.inf for total in squares]

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


def sample_orders(players: int, count: int, seed: int) -> list[list[Mixture]]:
    """Orders drawn at random, each as the mixtures that it goes through."""
    draw = np.random.default_rng(seed)
    bits = [[1 << int(player) for player in draw.permutation(players)] for _ in range(count)]
    return [list(accumulate(order, or_, initial=0)) for order in bits]


def sampled_turns(orders: Sequence[Sequence[Mixture]], defined: Collection[Mixture], players: int) -> Turns:
    """The turns over those of the drawn orders of which every mixture has a number."""
    possible = [order for order in orders if all(mixture in defined for mixture in order)]
    counts: dict[tuple[Mixture, int], int] = {}
    for order in possible:
        for before, after in pairwise(order):
            turn = (before, (before ^ after).bit_length() - 1)
            counts[turn] = counts.get(turn, 0) + 1
    return Turns(players, len(possible), counts)


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
