"""In what a printed number often differs from its name: the cutoff, the level, the mean, the order, who is counted."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from rankconv.aggregation import POLICIES
from rankconv.analysis.identify.candidates import at_cutoff, settings_to
from rankconv.basics.errors import RankconvError
from rankconv.data.joined import Joined
from rankconv.metrics.divisors import K_ACCEPTED, K_APPLIES_TO
from rankconv.preparation.steps.labels import RELEVANT
from rankconv.presets.definition import Definition, with_changes

CUTOFFS = (1, 3, 5, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
"""Those that tables have; a number may be that of another one."""
DEPTHS = (20, 30, 50, 100)
"""To so many rows lists are often cut before they are evaluated."""
ORDERS = ("given", "reversed")
ORDERS_BY_SCORE = ("score", "score-then-rank")
CONDENSED = "condensed-before-depth"
"""Items without a judgment are removed first."""
CROSSED = ("order", RELEVANT.name, "unjudged")
"""Kinds of slips that are tried together: what is read of lists and labels."""
USERS = ("labelled", "ranked", "intersection", "union")
LEFT_OUT = ("on-no-relevant", "on-no-ranking")
"""Users who are left out of a mean by some, and count 0 with others."""
MOST_LEVELS = 10
"""With more different grades than this none of them is tried as a level of relevance."""


class Slip(ABC):
    """One way in which a number is not what its name says."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """What is changed; two slips of one kind exclude each other."""

    def is_foreign_to(self, definition: Definition) -> bool:
        """Whether it is in a convention of another metric."""
        return False

    @abstractmethod
    def of(self, definition: Definition) -> Definition | None:
        """The definition with it; None where it changes nothing, or is not possible."""


@dataclass(frozen=True)
class OtherCutoff(Slip):
    """The number is that of another cutoff, or of whole lists (None)."""

    k: int | None
    kind = "cutoff"

    def __str__(self) -> str:
        return "no cutoff" if self.k is None else f"cutoff {self.k}"

    def of(self, definition: Definition) -> Definition | None:
        """The definition at this cutoff; None where it has no cutoff, or this one."""
        if definition.k in (None, self.k):
            return None
        try:
            return replace(at_cutoff(definition, self.k), key=definition.key).check()
        except RankconvError:
            return None


@dataclass(frozen=True)
class Micro(Slip):
    """Numerators and denominators are summed over all users; those without a value are left out, or enter the sums."""

    policy: str
    kind = "aggregate"

    def __str__(self) -> str:
        return f"aggregate=micro, users without a value: {self.policy}"

    def of(self, definition: Definition) -> Definition | None:
        """The definition with such a mean, and this policy for each that gives a user a value."""
        aggregation = definition.aggregation
        gives = [name for name in POLICIES if aggregation.settings[name].traits.gives_value]
        return _changed(definition, {self.kind: "micro"} | dict.fromkeys(gives, self.policy))


@dataclass(frozen=True)
class OtherSetting(Slip):
    """A convention has another setting."""

    convention_name: str
    setting: str

    @property
    def kind(self) -> str:
        """The convention."""
        return self.convention_name

    def __str__(self) -> str:
        return f"{self.convention_name}={self.setting}"

    def is_foreign_to(self, definition: Definition) -> bool:
        """Whether the definition does not have the convention."""
        return self.convention_name not in definition.settings

    def of(self, definition: Definition) -> Definition | None:
        """The definition with this setting."""
        return _changed(definition, {self.convention_name: self.setting})


class FirstUsers(OtherSetting):
    """The mean over so many first users alone, in the order of the labels."""

    def __init__(self, count: int) -> None:
        super().__init__("users", f"first({count})")

    @property
    def count(self) -> int:
        """How many users."""
        return int(self.setting.removeprefix("first(").removesuffix(")"))


def _changed(definition: Definition, settings: dict[str, str]) -> Definition | None:
    known = definition.settings
    if all(known.get(name, setting) == setting for name, setting in settings.items()):
        return None
    made = with_changes(definition, settings)
    return None if made is None or made.needs else made


def slips(joined: Joined) -> Iterator[Slip]:
    """Those that are tried on these data, whatever the metric."""
    yield from map(OtherCutoff, CUTOFFS)
    grades = np.unique(joined.labels.grade if joined.labels.words is None else 0.0)  # words have no levels of their own
    if 1 < len(grades) <= MOST_LEVELS:
        yield from (OtherSetting(RELEVANT.name, f"at-least({grade:g})") for grade in grades[1:].tolist())
    yield from map(Micro, ("skip", "as-computed"))
    orders = (*ORDERS, *ORDERS_BY_SCORE) if joined.rankings.scored else ORDERS
    yield from (OtherSetting("order", order) for order in orders)
    yield OtherSetting("unjudged", CONDENSED)
    yield from (OtherSetting("max-depth", str(depth)) for depth in DEPTHS)
    yield from (OtherSetting("users", users) for users in USERS)
    yield from (OtherSetting(policy, "skip") for policy in LEFT_OUT)


def crossed(several: Iterable[Slip]) -> Iterator[tuple[Slip, ...]]:
    """One or more slips in how lists and labels are read: the order, the level, what has no judgment."""
    of_kinds: dict[str, list[Slip | None]] = {kind: [None] for kind in CROSSED}
    for one in several:
        if one.kind in of_kinds:
            of_kinds[one.kind].append(one)
    for each in product(*of_kinds.values()):
        own = tuple(one for one in each if one is not None)
        if own:
            yield own


def settings_of_metric(several: Sequence[Definition]) -> list[OtherSetting]:
    """Every setting that one of these definitions may have in a convention of its metric."""
    names = dict.fromkeys(name for one in several for name in type(one.metric).conventions())
    found = list[OtherSetting]()
    for name in names.keys() - {K_ACCEPTED.name, K_APPLIES_TO.name}:
        occurring = {one.metric.given(name) for one in several if name in type(one.metric).conventions()}
        found += [OtherSetting(name, setting) for setting in settings_to(name, sorted(occurring))]
    return sorted(found, key=str)


def with_slips(definition: Definition, several: tuple[Slip, ...]) -> Definition | None:
    """The definition with all of them; None where one changes nothing, or they are not possible together.

    Those in conventions that the definition does not have are passed over, unless all are.
    """
    concerned = [one for one in several if not one.is_foreign_to(definition)]
    made = definition if concerned else None
    for one in concerned:
        made = None if made is None else one.of(made)
    return made
