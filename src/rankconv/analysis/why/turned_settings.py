"""Who plays: the settings in which two definitions differ, and the definitions in which some of them are turned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rankconv.analysis.why.shapley import Mixture
from rankconv.engine.differences import NOT_READ, differing
from rankconv.presets.definition import Definition
from rankconv.presets.replacement import with_changes

STRATEGY, RANKS = "is", "k"
"""What is no convention, and may differ: the strategy itself, and the cutoff where a preset has a hidden one."""


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
        found[RANKS] = (_ranks(ours.k), _ranks(other.k))
    ours_idle, others_idle = ours.idle_rules, other.idle_rules
    rules = {**ours_idle, **others_idle}
    by = {convention_name: rules[convention_name].by for convention_name in ours_idle.keys() ^ others_idle.keys()}
    leader = {
        convention_name: by[convention_name] if by.get(convention_name) in found else convention_name
        for convention_name in found
    }
    return [
        TurnedSetting(
            {
                convention_name: settings
                for convention_name, settings in found.items()
                if leader[convention_name] == first
            }
        )
        for first in found
        if leader[first] == first
    ]


def _ranks(k: int | None) -> str:
    return "none" if k is None else str(k)


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
        if turned == self.all:
            return self.other
        players = [player for place, player in enumerate(self.players) if turned >> place & 1]
        return self.possible(self.aside | conventions_of(players))

    @property
    def all(self) -> Mixture:
        """All players: the mixture that is the second definition."""
        return (1 << len(self.players)) - 1

    def possible(self, turned: frozenset[str]) -> Definition | None:
        """The definition with the second one's settings of these conventions; None where they exclude each other."""
        fields = {
            convention_name: self.other.settings[convention_name] for convention_name in turned - {STRATEGY, RANKS}
        }
        kind = self.other if STRATEGY in turned else self.ours
        k = (self.other if RANKS in turned else self.ours).k
        return with_changes(self.ours, fields, like=replace(kind, metric=kind.metric.replace({}, k=k)))
