"""From the numbers of all evaluations on the way to what each choice does."""

from collections import Counter
from collections.abc import Sequence
from math import factorial

import numpy as np

from rankconv.analysis.why.measuring import ABSOLUTE, RELATIVE
from rankconv.analysis.why.shapley import Mixture, Turns
from rankconv.protocols.order_attribution.conventions import Turning, conventions_in
from rankconv.protocols.order_attribution.evaluations import Evaluations
from rankconv.protocols.order_attribution.result import OrderAttribution, TurnedConvention


def reasons(
    numbers: Evaluations, turnings: list[Turning], turns: Turns, seed: int, *, sampled: bool
) -> OrderAttribution:
    """What each of these turnings does, over the turns that count."""
    size, every = len(turnings), (1 << len(numbers.conventions.each)) - 1
    found = {one: numbers.found[conventions_in(turnings, one)] for one in _passed(turns, size)}
    ends = numbers.found[0], numbers.found[every]
    values = {name: {mixture: one[name] for mixture, one in found.items()} for name in ends[0]}
    shares = {name: turns.shares(one) for name, one in values.items()} if size else {}
    errors = {name: turns.standard_errors(one) if sampled else [0.0] * size for name, one in values.items()}
    ranked = _Ranked(numbers)
    moves = [0.0] * size
    for (before, player), count in turns.counts.items():
        changed = ranked.order(before, turnings) != ranked.order(before | 1 << player, turnings)
        moves[player] += changed * count / turns.orders
    moving = {
        player
        for before, player in turns.counts
        if not all(np.isclose(one[before], one[before | 1 << player], RELATIVE, ABSOLUTE) for one in values.values())
    }
    told = [
        TurnedConvention(
            one,
            {name: shares[name][at] for name in values},
            {name: errors[name][at] for name in values},
            moves[at],
            numbers.found.get(conventions_in(turnings, 1 << at)),
        )
        for at, one in enumerate(turnings)
        if at in moving
    ]
    told.sort(key=lambda one: (-one.moves, -max(map(abs, one.shares.values()))))
    return OrderAttribution(
        (numbers.conventions.ours, numbers.conventions.other),
        ends,
        (ranked.order(0, turnings), ranked.order((1 << size) - 1, turnings)),
        told,
        [one.text for at, one in enumerate(turnings) if at not in moving],
        turns.orders,
        factorial(size),
        sampled,
        Counter(numbers.without.values()),
        seed,
    )


def _passed(turns: Turns, size: int) -> set[Mixture]:
    """The mixtures on some order."""
    return {0, (1 << size) - 1} | {one for before, player in turns.counts for one in (before, before | 1 << player)}


class _Ranked:
    """The recommenders of each evaluation, best first; of equal ones in the order of their names."""

    def __init__(self, numbers: Evaluations) -> None:
        self.numbers = numbers

    def order(self, mixture: Mixture, turnings: Sequence[Turning]) -> tuple[str, ...]:
        turned = conventions_in(turnings, mixture)
        definition, found = self.numbers.conventions.metric_of(turned), self.numbers.found[turned]
        sign = 1 if definition is not None and definition.lower_is_better else -1
        return tuple(sorted(found, key=lambda name: (sign * found[name], name)))
