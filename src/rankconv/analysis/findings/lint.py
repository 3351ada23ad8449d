"""A lint: a data problem that changes metrics, what is seen of it, what that says, and how else it could be taken."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from rankconv.analysis.findings.data import CheckedMetrics, Data, PerItem, Place, Spelling, Turn
from rankconv.analysis.findings.finding import Found, Move
from rankconv.analysis.findings.tally import Adding, Seen
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.errors import ConventionError
from rankconv.presets.definition import Definition
from rankconv.presets.replacement import with_changes


@dataclass(frozen=True)
class LookedAt(Adding):
    """How much there is."""

    labelled: int = 0
    """Users with labels."""
    labels: int = 0
    listed: int = 0
    """Users with a list."""
    rows: int = 0
    scored: int = 0
    """Rows that have a score."""
    by_score: int = 0
    """Rows that stand where their scores put them."""
    items: PerItem = field(default_factory=PerItem)

    @classmethod
    def of(cls, joined: Joined, *, items: bool = True) -> "LookedAt":
        """In these data; `items` says whether items are counted, which takes time."""
        rows = joined.rankings.row_count
        return cls(
            labelled=int((joined.label_counts > 0).sum()),
            labels=len(joined.labels.item),
            listed=int((joined.list_counts > 0).sum()),
            rows=rows,
            scored=rows * joined.rankings.scored,
            by_score=rows * joined.rankings.by_score,
            items=PerItem.of(joined.items) if items else PerItem(),
        )

    def to_dict(self) -> dict[str, int]:
        """As it is shown."""
        return {
            "users with labels": self.labelled,
            "labels": self.labels,
            "users with a list": self.listed,
            "rows": self.rows,
            "items": len(self.items),
        }


@dataclass(frozen=True, eq=False)
class Known:
    """What was measured and seen of all users."""

    checked_metrics: CheckedMetrics
    measured: Mapping[Place, Measured]
    at: LookedAt
    seen: Mapping[str, Seen]
    """By the names of lints."""
    spelling: Spelling
    """Ids that are the same but for their spelling."""
    respelled: bool = False
    """Whether there are data with one spelling for each id besides these."""


def undecided(measured: Mapping[Place, Measured]) -> list[Place]:
    """The numbers for which users are looked at one by one: neither all data nor a refusal of everybody decides."""
    return [place for place, one in measured.items() if one.of_everybody is None]


def data_of(joined: Joined, checked: CheckedMetrics, measured: Mapping[Place, Measured], **more: Any) -> Data:
    """All data at once, with the values of each user that were measured."""
    return Data(joined, checked, {place: measured[place].values for place in undecided(measured)}, **more)


@dataclass(frozen=True, eq=False)
class Other:
    """Another way to take what was found: other settings to some conventions, other data, or both."""

    settings: Mapping[str, str] = field(default_factory=dict)
    turn: Turn | None = None
    """None for the data as they are."""


S = TypeVar("S", bound=Seen)


class Lint(ABC, Generic[S]):
    """A data problem in labels or a run that changes metrics. Subclass it to add one; defining the class registers it.

    It looks at all that there is of some users, `look`; what it saw of all of them adds up to what it tells, `tell`.
    So it is the same thing in memory, where all users are looked at together, and in batches of files.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str]
    """What is found, without a verb: "ties at the cutoff"."""
    unit: ClassVar[str]
    """What is counted: users, rows of the run."""
    means: ClassVar[str]
    """What it means, in one sentence."""
    do: ClassVar[str]
    """What to do about it."""
    otherwise: ClassVar[str] = ""
    """What moves the number: "other tie orders"; empty where there is no other way to take it."""
    settings: ClassVar[Sequence[Mapping[str, str]]] = ()
    """Settings that take it in another way, whatever the definition."""
    wrong: ClassVar[bool] = False
    """Whether the data are wrong then, and not only open to more than one reading; such findings come first."""
    reads_values: ClassVar[bool] = False
    """Whether it looks at the values of users."""
    at_evaluate: ClassVar[bool] = True
    """Whether `rankconv evaluate` looks for it: it is found fast, and can move the number that is printed."""

    def __init_subclass__(cls) -> None:
        if not cls.name:
            return
        known = LINTS.get(cls.name)
        if known is not None and type(known).__module__ != cls.__module__:
            raise ConventionError(f"the lint '{cls.name}' is already defined by {type(known).__module__}")
        LINTS[cls.name] = cls()

    @abstractmethod
    def look(self, data: Data) -> S:
        """What is seen of these users, which adds up."""

    def tell(self, seen: S, known: Known) -> Found | None:
        """How often it is so, by what was seen of all users; None where it is not."""
        return seen.found()

    def tried(self, seen: S, known: Known) -> str:
        """What is tried to see how far numbers move; empty where nothing can be."""
        return self.otherwise

    def others(self, seen: S, known: Known, definition: Definition) -> Iterable[Other]:
        """The other ways to take it, which leave alone all that was not found; none where it cannot matter."""
        return [Other(settings) for settings in self.settings]


LINTS: dict[str, Lint[Any]] = {}
"""Every lint by its name."""


class Way(NamedTuple):
    """A number that takes a finding in another way."""

    lint: str
    place: Place
    """The number that it is shown with."""
    definition: Definition


Ways = Mapping[Turn | None, Sequence[Way]]
"""By the data that they concern, None for the data as they are."""


def ways(lints: Iterable[Lint[Any]], known: Known) -> Ways:
    """All other ways to take what these lints found, together where they concern the same data."""
    found: dict[Turn | None, list[Way]] = {}
    for lint in lints:
        for place, base in known.checked_metrics.definitions.items():
            for other in lint.others(known.seen[lint.name], known, base):
                changed = asks(base, other.settings) and with_changes(base, other.settings)
                if changed and (changed.parts != base.parts or other.turn):
                    found.setdefault(other.turn, []).append(Way(lint.name, place, changed))
    return found


def asks(definition: Definition, settings: Mapping[str, str]) -> bool:
    """Whether it asks all the conventions that these settings are given to."""
    return settings.keys() <= definition.settings.keys()


def measured_anew(data: Data, checked_metrics: Ways) -> dict[Turn | None, list[Measured]]:
    """What comes out of each way, in the order in which they are given."""
    return {
        turn: measure(turn(data) if turn else data.joined, [way.definition for way in some], None, per_user=False)
        for turn, some in checked_metrics.items()
    }


def moves(
    known: Known, checked_metrics: Ways, measured: Mapping[Turn | None, Sequence[Measured]]
) -> dict[str, list[Move]]:
    """The numbers that each finding moves, by the name of its lint, among those that were measured."""
    means: dict[tuple[str, Place], list[float]] = {}
    for turn, some in checked_metrics.items():
        for way, one in zip(some, measured[turn], strict=True):
            means.setdefault((way.lint, way.place), []).extend([] if np.isnan(one.mean) else [one.mean])
    found: dict[str, list[Move]] = {}
    for name in dict.fromkeys(lint for lint, _ in means):
        each = [_move(place, one, means.get((name, place), [])) for place, one in known.measured.items()]
        found[name] = [move for move in each if move.moved]
    return found


def _move(place: Place, base: Measured, others: Sequence[float]) -> Move:
    means = [*others, *([] if np.isnan(base.mean) else [base.mean])]
    low, high = (min(means), max(means)) if others else (float("nan"),) * 2
    return Move(*place, base.mean, low, high, base.refusals[0].why if base.refusals else "")
