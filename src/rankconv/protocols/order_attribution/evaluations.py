"""The numbers of all recommenders in evaluations between two: each division of ratings is asked once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import numpy as np

from rankconv.analysis.why.shapley import Mixture
from rankconv.errors import RankconvError
from rankconv.presets.definition import Definition
from rankconv.protocols.learning_curves.learning_curve import learning_curve
from rankconv.protocols.learning_curves.measuring import values_of
from rankconv.protocols.learning_curves.shown import LearningCurve
from rankconv.protocols.order_attribution.conventions import Conventions
from rankconv.protocols.ratings import Ratings
from rankconv.protocols.recommenders.named import maker
from rankconv.protocols.recommenders.training import Training
from rankconv.protocols.split import Split

FEW_DRAWS = 1
"""No bands are drawn."""
AFTER_LISTS = ("candidates", "seen", "least-users", "curve-mean")
"""Conventions that a division alone does not show."""


class Evaluations:
    """What each recommender gets in each evaluation that was asked for."""

    def __init__(self, conventions: Conventions, ratings: Ratings, recommenders: Mapping[str, Any], seed: int) -> None:
        self.conventions, self.ratings, self.seed = conventions, ratings, seed
        self.recommenders = {name: _learned_once(name, source) for name, source in recommenders.items()}
        self.found: dict[Mixture, dict[str, float]] = {}
        """By mixture of choices; those that have no number are not there."""
        self.without: dict[Mixture, str] = {}
        """Mixtures without a number, with the reason."""
        self._curves: dict[str, LearningCurve] = {}
        self._possible: dict[Mixture, bool] = {}

    def may_have(self, mixture: Mixture) -> bool:
        """Whether there is such an evaluation, and it was not found without a number."""
        if mixture not in self._possible:
            self._possible[mixture] = self.conventions.possible(mixture)
        return self._possible[mixture] and mixture not in self.without

    def ask(self, mixtures: Iterable[Mixture], told: Callable[[int], None] = lambda done: None) -> None:
        """Work out those that have not been asked before; those of one protocol together, so that lists stand once."""
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
            told(done)

    def _ask_protocol(self, mixtures: list[Mixture]) -> None:
        """The numbers of mixtures that share a protocol."""
        protocol = self.conventions.protocol_of(mixtures[0])
        assert protocol is not None
        try:
            split = protocol.split(self.ratings, self.seed)
        except RankconvError as error:
            self.without |= dict.fromkeys(mixtures, str(error))
            return
        asked = {one: self.conventions.metric_of(one) for one in mixtures}
        curve = self._curve(split, {one.text: one for one in asked.values() if one is not None})
        for mixture, definition in asked.items():
            assert definition is not None
            numbers = {name: curve.number(name, definition.text) for name in curve.recommenders}
            if np.isfinite(list(numbers.values())).all():
                self.found[mixture] = numbers
            else:
                self.without[mixture] = f"{protocol.text} leaves no point of a curve with enough users"

    def _curve(self, split: Split, definitions: dict[str, Definition]) -> LearningCurve:
        """The curves of these definitions; lists are asked for once, as long as either side wants them."""
        key = _digest(split)
        if key not in self._curves:
            both = {side.metric.text: side.metric for side in (self.conventions.ours, self.conventions.other)}
            asked = list((both | definitions).values())
            self._curves[key] = learning_curve(split, self.recommenders, asked, n_resamples=FEW_DRAWS, progress=False)
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
    told = [*(settings.given(convention_name) for convention_name in AFTER_LISTS), str(split.nested)]
    arrays: list[Any] = [split.trains, split.catalogue, points.user, points.given, points.case, points.inputs]
    arrays += [points.input_starts, points.targets, points.target_starts, points.until, points.grade]
    return " ".join([*told, _hashed(*arrays, split.ratings.item, split.ratings.rating)])


def _hashed(*arrays: Any) -> str:
    digest = blake2b(digest_size=16)
    for one in arrays:
        digest.update(np.ascontiguousarray(one).tobytes())
        digest.update(b"|")
    return digest.hexdigest()
