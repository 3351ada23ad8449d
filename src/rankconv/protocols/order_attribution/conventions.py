"""The conventions in which two evaluations differ: of the protocol, which divides the ratings, and of the metric."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from rankconv.analysis.why.mixtures import Mixer, players_of
from rankconv.analysis.why.shapley import Mixture
from rankconv.errors import ConventionError
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
