"""The conventions of protocol or metric that change the order of recommenders."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np

from rankconv.analysis.why.mixtures import ABSOLUTE, RELATIVE
from rankconv.analysis.why.shapley import Mixture, Turns, all_turns, longest_way, sample_orders, sampled_turns
from rankconv.errors import InputError, RankconvError
from rankconv.presets import arguments
from rankconv.presets.arguments import define_one
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.progress import watching
from rankconv.protocols.curve_result import LearningCurve
from rankconv.protocols.curve_rows import check, values_of
from rankconv.protocols.curves import by_name, learning_curve
from rankconv.protocols.order_attribution import (
    Conventions,
    OrderAttribution,
    Side,
    TurnedConvention,
    Turning,
    conventions_in,
    united,
)
from rankconv.protocols.presets import protocol as find_protocol
from rankconv.protocols.ratings import Ratings
from rankconv.protocols.ratings import ratings as read_ratings
from rankconv.protocols.recommenders import maker
from rankconv.protocols.split import Protocol, Split
from rankconv.protocols.training import Training

FEW_DRAWS = 1
"""No bands are drawn."""
AFTER_LISTS = ("candidates", "seen", "least-users", "curve-mean")
"""Conventions that a division alone does not show."""


class Evaluations:
    """What each recommender gets in each evaluation that was requested."""

    def __init__(self, conventions: Conventions, ratings: Ratings, recommenders: Mapping[str, Any], seed: int) -> None:
        self.conventions, self.ratings, self.seed = conventions, ratings, seed
        self.recommenders = {name: _learned_once(name, source) for name, source in recommenders.items()}
        self.found: dict[Mixture, dict[str, float]] = {}
        """By mixture of conventions; those that have no number are not there."""
        self.without: dict[Mixture, str] = {}
        """Mixtures without a number, with the reason."""
        self._curves: dict[str, LearningCurve] = {}
        self._possible: dict[Mixture, bool] = {}

    def may_have(self, mixture: Mixture) -> bool:
        """Whether there is such an evaluation, and it was not found without a number."""
        if mixture not in self._possible:
            self._possible[mixture] = self.conventions.possible(mixture)
        return self._possible[mixture] and mixture not in self.without

    def ask(self, mixtures: Iterable[Mixture], tell: Callable[[int], None] = lambda done: None) -> None:
        """Work out those that are not known yet; those of one protocol together, so that lists stand once."""
        new = [one for one in dict.fromkeys(mixtures) if one not in self.found and one not in self.without]
        by_protocol: dict[Any, list[Mixture]] = {}
        for one in new:
            protocol, metric = self.conventions.protocol_of(one), self.conventions.metric_of(one)
            if protocol is None or metric is None:
                self.without[one] = "these settings are not possible together"
            else:
                by_protocol.setdefault(protocol.text, []).append(one)
        done = len(new) - sum(map(len, by_protocol.values()))
        for some in by_protocol.values():
            self._ask_protocol(some)
            done += len(some)
            tell(done)

    def _ask_protocol(self, mixtures: list[Mixture]) -> None:
        """The numbers of mixtures that share a protocol."""
        protocol = self.conventions.protocol_of(mixtures[0])
        assert protocol is not None
        try:
            split = protocol.split(self.ratings, self.seed)
        except RankconvError as error:
            self.without |= dict.fromkeys(mixtures, str(error))
            return
        metrics_of = {one: self.conventions.metric_of(one) for one in mixtures}
        curve = self._curve(split, {one.text: one for one in metrics_of.values() if one is not None})
        for mixture, definition in metrics_of.items():
            assert definition is not None
            numbers = {name: curve.number(name, definition.text) for name in curve.recommenders}
            if np.isfinite(list(numbers.values())).all():
                self.found[mixture] = numbers
            else:
                self.without[mixture] = f"{protocol.text} leaves no point of a curve with enough users"

    def _curve(self, split: Split, definitions: dict[str, Definition]) -> LearningCurve:
        """The curves of these definitions; lists are made once, as long as either side wants them."""
        key = _digest(split)
        if key not in self._curves:
            both = {side.metric.text: side.metric for side in (self.conventions.ours, self.conventions.other)}
            metrics_of = list((both | definitions).values())
            self._curves[key] = learning_curve(
                split, self.recommenders, metrics_of, n_resamples=FEW_DRAWS, progress=False
            )
        curve = self._curves[key]
        missing = {text: one for text, one in definitions.items() if text not in curve.definitions}
        values = {
            (name, text): found
            for name, lists in curve.lists.items()
            for text, found in (values_of(split, lists, missing) if missing else {}).items()
        }
        known = {**curve.definitions, **missing}
        self._curves[key] = replace(curve, definitions=known, values={**curve.values, **values})
        return self._curves[key]


def _learned_once(name: str, source: Any) -> Callable[[Training], Any]:
    """What makes a recommender, and remembers those that learned from the same ratings."""
    make, known = maker(source), dict[str, Any]()

    def learned(training: Training) -> Any:
        ids = "\n".join(map(str, [*training.users, "", *training.items]))
        key = _hashed(training.user, training.item, training.rating, np.frombuffer(ids.encode(), np.uint8))
        if key not in known:
            known[key] = make(training)
        return known[key]

    learned.__name__ = name
    return learned


def _digest(split: Split) -> str:
    """Letters that tell what a split hides, gives and asks from what others do, whatever its protocol is called."""
    points, settings = split.points, split.protocol.settings
    parts = [*(settings.given(convention_name) for convention_name in AFTER_LISTS), str(split.nested)]
    arrays: list[Any] = [split.trains, split.catalogue, points.user, points.given, points.case, points.inputs]
    arrays += [points.input_starts, points.targets, points.target_starts, points.until, points.grade]
    return " ".join([*parts, _hashed(*arrays, split.ratings.item, split.ratings.rating)])


def _hashed(*arrays: Any) -> str:
    digest = blake2b(digest_size=16)
    for one in arrays:
        digest.update(np.ascontiguousarray(one).tobytes())
        digest.update(b"|")
    return digest.hexdigest()


def reasons(
    numbers: Evaluations, turnings: list[Turning], turns: Turns, seed: int, *, sampled: bool
) -> OrderAttribution:
    """What each of these turnings does, over the turns that count."""
    size, every = len(turnings), (1 << len(numbers.conventions.each)) - 1
    passed = {0, (1 << size) - 1, *(one for before, player in turns.counts for one in (before, before | 1 << player))}
    found = {one: numbers.found[conventions_in(turnings, one)] for one in passed}
    ends = numbers.found[0], numbers.found[every]
    values = {name: {mixture: one[name] for mixture, one in found.items()} for name in ends[0]}
    shares = {name: turns.shares(one) for name, one in values.items()} if size else {}
    errors = {name: turns.standard_errors(one) if sampled else [0.0] * size for name, one in values.items()}
    moves = [0.0] * size
    for (before, player), count in turns.counts.items():
        changed = _order(numbers, before, turnings) != _order(numbers, before | 1 << player, turnings)
        moves[player] += changed * count / turns.orders
    moving = {
        player
        for before, player in turns.counts
        if not all(np.isclose(one[before], one[before | 1 << player], RELATIVE, ABSOLUTE) for one in values.values())
    }
    parts = [
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
    parts.sort(key=lambda one: (-one.moves, -max(map(abs, one.shares.values()))))
    return OrderAttribution(
        (numbers.conventions.ours, numbers.conventions.other),
        ends,
        (_order(numbers, 0, turnings), _order(numbers, (1 << size) - 1, turnings)),
        parts,
        [one.text for at, one in enumerate(turnings) if at not in moving],
        turns.orders,
        factorial(size),
        sampled,
        Counter(numbers.without.values()),
        seed,
    )


def _order(numbers: Evaluations, mixture: Mixture, turnings: Sequence[Turning]) -> tuple[str, ...]:
    """The recommenders of an evaluation, best first; of equal ones in the order of their names."""
    turned = conventions_in(turnings, mixture)
    definition, found = numbers.conventions.metric_of(turned), numbers.found[turned]
    sign = 1 if definition is not None and definition.lower_is_better else -1
    return tuple(sorted(found, key=lambda name: (sign * found[name], name)))


EXACT = 4
"""Up to so many conventions all orders are taken."""
LARGEST = 12
"""Of so many conventions every mixture is looked at, where no order of single ones is possible."""
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
    """Attribute a change of the order of recommenders to conventions of protocol and metric.

    The settings in which the two evaluations differ are changed one after the other; the share of a setting is the mean
    of its effects (the Shapley value), for each recommender. Each evaluation splits and trains again, unless its split
    was used before.

    Parameters
    ----------
    ratings, recommenders
        As in `protocols.learning_curve`.
    metric : MetricLike or a pair of these, optional
        By default that of each protocol.
    a, b : str, path or Protocol
        The two protocols.
    n_permutations : int, default 8
        Number of random orders, with standard errors; up to 4 conventions are changed in every order.
    seed : int, default 0
        Random seed.
    progress : bool, optional
        As in `rc.evaluate`.
    columns : mapping, optional
        Names of the columns of `ratings`.

    Returns
    -------
    OrderAttribution
        The share of each convention in the change of each recommender's value, that of the whole curve.

    Raises
    ------
    InputError
        If one of the two has no value.
    ConventionError, MetricError
        For protocols and metrics.

    Examples
    --------
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
    with watching(progress, "evaluations") as tell:
        turnings, turns = _turned(numbers, conventions.each, n_permutations, seed, _Watched(tell))
        numbers.ask(conventions_in(turnings, 1 << place) for place in range(len(turnings)))
    return reasons(numbers, turnings, turns, seed, sampled=len(turnings) > EXACT)


class _Watched:
    """How far the evaluations are, for a bar."""

    def __init__(self, tell: Any) -> None:
        self.tell, self.to_do, self.done = tell, 0, 0

    def __call__(self, done: int) -> None:
        self.done = done
        if self.tell is not None:
            self.tell([self])


def _sides(ours: Any, other: Any, metric: Any) -> tuple[Side, Side]:
    each = metric if isinstance(metric, (tuple, list)) else (metric, metric)
    if len(each) != 2:
        raise InputError(f"{len(each)} metrics were given", allowed="One for both evaluations, or one for each")
    one, two = (_side(protocol, spec) for protocol, spec in zip((ours, other), each, strict=True))
    check({side.metric.text: side.metric for side in (one, two)})
    return one, two


def _side(named: Any, metric: Any) -> Side:
    protocol = find_protocol(named)
    metrics_of = metric if metric is not None else protocol.metric
    if not metrics_of:
        do, shell = (f"Say which: {how}." for how in ("metric='ndcg@10'", "-m ndcg@10"))
        raise InputError(f"the protocol {protocol.name} names no metric", do=do, shell=shell)
    return Side(
        protocol, define_one(arguments.spec(metrics_of), find_preset(HOUSE), "Ask for one of them: give one cutoff.")
    )


def _recommenders(given: Any) -> Mapping[str, Any]:
    found = by_name(given)
    if not found:
        do, shell = ("Pass some: " + how for how in ("['popularity', 'item-item'].", "-r popularity -r item-item."))
        raise InputError("there is no recommender", do=do, shell=shell)
    return found


def _turned(
    numbers: Evaluations, turnings: list[Turning], orders: int, seed: int, tell: _Watched
) -> tuple[list[Turning], Turns]:
    """The turns that count; where no order is possible, conventions that only go together are united first."""
    size = len(turnings)
    if size <= EXACT:
        base = {one: conventions_in(turnings, one) for one in range(1 << size)}
        tell.to_do = len(base)
        numbers.ask(base.values(), tell)
        defined = [one for one, mixture in base.items() if mixture in numbers.found]
        turns = all_turns(defined, size)
        way = longest_way(defined, size)
    else:
        tell.to_do = orders * (size + 1)
        drawn = _drawn(numbers, turnings, orders, seed, tell)
        turns = sampled_turns(drawn, {one for order in drawn for one in order}, size)
        every = range(1 << size) if size <= LARGEST else (0, (1 << size) - 1)
        together = [] if drawn else [one for one in every if numbers.may_have(conventions_in(turnings, one))]
        way = longest_way(together, size) if together else []
    return (turnings, turns) if turns.orders else _turned(numbers, united(turnings, way), orders, seed, tell)


def _drawn(
    numbers: Evaluations, turnings: list[Turning], orders: int, seed: int, tell: _Watched
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
        tell((len(found) + 1) * len(mixtures))
        found += [order] if all(one in numbers.found for one in mixtures) else []
    return found
