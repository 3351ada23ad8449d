"""The numbers of many definitions on one pair of labels and rankings, a bounded number of them at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from rankconv.analysis.why.shapley import Mixture
from rankconv.analysis.why.turned_settings import Mixer, united
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.errors import RankconvError
from rankconv.presets.definition import Definition

CELLS = 30_000_000
"""Values of users that are held at a time."""
RELATIVE, ABSOLUTE = 1e-12, 1e-15
"""How far two numbers may differ that are the same but for rounding, as under another base of a logarithm."""


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
            return measure(joined, pending, chosen)
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

    def parts(self, weights: Numbers, mixtures: Sequence[Mixture], middle: float) -> Numbers:
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
