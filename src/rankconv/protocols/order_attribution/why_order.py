"""Which choices, of protocol or of metric, put recommenders in another order?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.analysis.why.measuring import ABSOLUTE, RELATIVE
from rankconv.analysis.why.shapley import Mixture, Turns, all_turns, longest_way, sample_orders, sampled_turns
from rankconv.errors import InputError
from rankconv.presets import arguments
from rankconv.presets.defining import define_one
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.progress import watching
from rankconv.protocols.learning_curves.learning_curve import by_name
from rankconv.protocols.learning_curves.measuring import check
from rankconv.protocols.order_attribution.conventions import Conventions, Side, Turning, conventions_in, united
from rankconv.protocols.order_attribution.evaluations import Evaluations
from rankconv.protocols.order_attribution.result import OrderAttribution, TurnedConvention
from rankconv.protocols.presets import protocol as find_protocol
from rankconv.protocols.ratings import ratings as read_ratings
from rankconv.protocols.split import Protocol


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


EXACT = 4
"""Up to so many choices all orders are taken."""
LARGEST = 12
"""Of so many choices every mixture is looked at, where no order of single ones is possible."""
TRIES = 200
"""So many times more orders are drawn than wanted, to find possible ones."""
Metric = str | Definition


def why_order(
    ratings: Any,
    recommenders: Any,
    metric: Metric | tuple[Metric, Metric] | None = None,
    *,
    a: str | Path | Protocol,
    b: str | Path | Protocol,
    n_permutations: int = 8,
    seed: int = 0,
    progress: bool | None = None,
    columns: Mapping[str, str] | None = None,
) -> OrderAttribution:
    """Why does one evaluation put another recommender first: which choice of protocol or metric moves the order?

    `ratings` and `recommenders` are those of `protocols.learning_curve`; `a` and `b` are protocols. `metric` is one
    spec for both, or a pair of them; without it each protocol's own. The settings in which the two evaluations differ,
    of the protocol and of the metric, are turned one after the other, and each gets the mean of what it changes (its
    Shapley value), for each recommender. Up to 4 choices are turned in every order; of more, `n_permutations` orders
    are drawn, with standard errors. Each evaluation on the way divides, learns and asks anew, unless its split is one
    of before. A number is that of the whole curve, as the protocol says.

    Raises InputError where one of the two has no number, ConventionError for protocols, MetricError for metrics.

    >>> import rankconv as rc
    >>> from rankconv import protocols
    >>> rows = [(u, i, 1 + (u * i) % 5, i + u % 7) for u in range(40) for i in range(u % 2, 30, 2)]
    >>> two = ["popularity", "item-item"]
    >>> found = protocols.why_order(rows, two, "rankconv:ndcg@5", a="base", b="base(order=shuffled)")
    >>> [one.text for one in found.conventions]
    ['order: as-given → shuffled']
    """
    arguments.number(n_permutations, "n_permutations", 1)
    arguments.number(seed, "seed")
    conventions = Conventions(*_sides(a, b, metric))
    numbers = Evaluations(conventions, read_ratings(ratings, **(columns or {})), _recommenders(recommenders), seed)
    every = (1 << len(conventions.each)) - 1
    numbers.ask([0, every])
    for end in (0, every):
        if end not in numbers.found:
            raise InputError(numbers.without[end], where=(conventions.other if end else conventions.ours).text)
    with watching(progress, "evaluations") as told:
        turnings, turns = _turned(numbers, conventions.each, n_permutations, seed, _Watched(told))
        numbers.ask(conventions_in(turnings, 1 << place) for place in range(len(turnings)))
    return reasons(numbers, turnings, turns, seed, sampled=len(turnings) > EXACT)


class _Watched:
    """How far the evaluations are, for a bar."""

    def __init__(self, told: Any) -> None:
        self.told, self.to_do, self.done = told, 0, 0

    def __call__(self, done: int) -> None:
        self.done = done
        if self.told is not None:
            self.told([self])


def _sides(ours: Any, other: Any, metric: Any) -> tuple[Side, Side]:
    each = metric if isinstance(metric, (tuple, list)) else (metric, metric)
    if len(each) != 2:
        raise InputError(f"{len(each)} metrics were given", allowed="One for both evaluations, or one for each")
    one, two = (_side(protocol, spec) for protocol, spec in zip((ours, other), each, strict=True))
    check({side.metric.text: side.metric for side in (one, two)})
    return one, two


def _side(named: Any, metric: Any) -> Side:
    protocol = find_protocol(named)
    asked = metric if metric is not None else protocol.metric
    if not asked:
        do, shell = (f"Say which: {how}." for how in ("metric='ndcg@10'", "-m ndcg@10"))
        raise InputError(f"the protocol {protocol.name} names no metric", do=do, shell=shell)
    return Side(
        protocol, define_one(arguments.spec(asked), find_preset(HOUSE), "Ask for one of them: give one cutoff.")
    )


def _recommenders(given: Any) -> Mapping[str, Any]:
    found = by_name(given)
    if not found:
        do, shell = ("Pass some: " + how for how in ("['popularity', 'item-item'].", "-r popularity -r item-item."))
        raise InputError("there is no recommender", do=do, shell=shell)
    return found


def _turned(
    numbers: Evaluations, turnings: list[Turning], orders: int, seed: int, told: _Watched
) -> tuple[list[Turning], Turns]:
    """The turns that count; where no order is possible, choices that only go together are united first."""
    size = len(turnings)
    if size <= EXACT:
        base = {one: conventions_in(turnings, one) for one in range(1 << size)}
        told.to_do = len(base)
        numbers.ask(base.values(), told)
        defined = [one for one, mixture in base.items() if mixture in numbers.found]
        turns = all_turns(defined, size)
        way = longest_way(defined, size)
    else:
        told.to_do = orders * (size + 1)
        drawn = _drawn(numbers, turnings, orders, seed, told)
        turns = sampled_turns(drawn, {one for order in drawn for one in order}, size)
        way = [] if drawn else _possible_way(numbers, turnings)
    return (turnings, turns) if turns.orders else _turned(numbers, united(turnings, way), orders, seed, told)


def _drawn(
    numbers: Evaluations, turnings: list[Turning], orders: int, seed: int, told: _Watched
) -> list[list[Mixture]]:
    """Orders drawn at random, of those in which each step has a number; none where it finds none."""
    found: list[list[Mixture]] = []
    for order in sample_orders(len(turnings), orders * TRIES, seed):
        mixtures = [conventions_in(turnings, one) for one in order]
        if len(found) == orders or len(numbers.without) > orders * len(turnings):
            break
        if order in found or not all(map(numbers.may_have, mixtures)):
            continue
        numbers.ask(mixtures)
        told((len(found) + 1) * len(mixtures))
        found += [order] if all(one in numbers.found for one in mixtures) else []
    return found


def _possible_way(numbers: Evaluations, turnings: list[Turning]) -> list[Mixture]:
    """The mixtures on a way of as many steps as can be, at each of which the settings go together."""
    size = len(turnings)
    every = range(1 << size) if size <= LARGEST else (0, (1 << size) - 1)
    return longest_way([one for one in every if numbers.may_have(conventions_in(turnings, one))], size)
