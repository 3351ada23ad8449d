"""Definitions that give several printed numbers together, and the result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice
from typing import Any, ClassVar

import numpy as np

from rankconv.analysis.identify.candidates import EquivalentDefinitions
from rankconv.analysis.identify.circumstances import LEAST
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.result import FEW, FIGURES, IN_FULL, IdentifyResult, Nearest, count, few
from rankconv.analysis.identify.search import MOST_MEASURED, Search
from rankconv.data.arrays import Codes
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.metrics.divisors import CUTOFF
from rankconv.pages.display import RowResult
from rankconv.pages.page import Aside, Heading, Line, Page, Paragraph, Piece
from rankconv.presets.definition import Definition
from rankconv.specs.setting_set import SettingSet


@dataclass(frozen=True, eq=False)
class Together:
    """One way to give all numbers: the same preparation and aggregation for all, or one preset."""

    definitions: dict[str, Definition]
    """By metric as requested."""
    values: dict[str, float]
    presets: list[str]
    """The presets that give all numbers as they are; empty where settings were changed."""
    distance: int
    """How many settings differ from the preset, over all metrics."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        specs = {metric: one.text for metric, one in self.definitions.items()}
        return {"definitions": specs, "values": self.values, "presets": self.presets, "differs": self.distance}


@dataclass(frozen=True, eq=False, repr=False)
class JointIdentifyResult(RowResult):
    """What gives several numbers at once, and what gives each of them."""

    rows_in: ClassVar[str] = "rows"

    each: dict[str, IdentifyResult]
    """By metric."""
    rows: list[Together] = field(default_factory=list)
    """Presets first, then by how many settings differ."""

    @property
    def found(self) -> bool:
        """Whether anything gives all numbers."""
        return bool(self.rows)

    @cached_property
    def summary(self) -> list[Together]:
        """The rows of presets, and those where one of the numbers alone is likelier than chance."""
        return [row for row in self.rows if row.presets or self._expected(row.distance) < LEAST]

    def _expected(self, distance: int) -> float:
        """At most how many ways so far from a preset invented numbers have: each of them must be matched."""
        return min(one.chance.expected(distance) for one in self.each.values())

    def _page(self, most: int | None = 12) -> Page:
        """What gives all numbers, then what gives each."""
        numbers = ", ".join(f"{metric} = {one.sought.text}" for metric, one in self.each.items())
        ways = "1 way" if len(self.rows) == 1 else f"{len(self.rows)} ways"
        none = "no preset, and no preparation and aggregation shared by all, gives these together."
        paragraph = Paragraph(f"{numbers}: {ways} to give them together." if self.found else f"{numbers}: {none}")
        shown = self.rows if most is None else self.summary[:most]
        hidden, left_out = len(self.summary) - len(shown), len(self.rows) - len(self.summary)
        more = [f"{hidden} more, further from the presets"] if hidden else []
        more += [f"{left_out} no likelier than chance"] if left_out else []
        cut = most is not None and bool(more)
        sections: list[list[Piece]] = [[paragraph], *(list(_way(row, most)) for row in shown)]
        sections += [[Line(f"And {', and '.join(more)}.")]] if cut else []
        sections += [[_alone(metric, one)] for metric, one in self.each.items()]
        cut = cut or (most is not None and any(len(row.presets) > FEW for row in shown))
        return Page([*sections, *([[Line(IN_FULL)]] if cut else [])])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        each = {metric: one.to_dict() for metric, one in self.each.items()}
        likelier = bool(self.summary)
        return {
            "found": self.found,
            "likelier_than_chance": likelier,
            "rows": [row.to_dict() for row in self.rows],
            "each": each,
        }


def _way(row: Together, most: int | None) -> Iterator[Piece]:
    if row.presets:
        yield Paragraph(few(row.presets, most))
    else:
        yield Line(f"{row.distance} setting{'s' if row.distance > 1 else ''} from a preset")
    for metric, definition in row.definitions.items():
        yield Aside(f"  {row.values[metric]:.{FIGURES}f}", definition.text)


def _alone(metric: str, one: IdentifyResult) -> Heading:
    text = f"{one.chance.matches} different values of {one.tried:,} definitions"
    by_chance = f"an invented number matches {count(one.chance.expected())}"
    return Heading(f"{metric} = {one.sought.text} alone: {text}; {by_chance}.")


MOST_TOGETHER = 200
"""So many ways to agree are followed from one number to the next; the nearest to a preset first."""


def together(searches: Sequence[tuple[Search, PrintedValue]]) -> JointIdentifyResult:
    """The presets that give all numbers in one row; then judgings and averagings that do, with what they change."""
    each = {search.metric: search.result(number) for search, number in searches}
    whole = _of_presets(each)
    of_presets = {_of_users(searches, row) for row in whole}
    others = [row for row in _of_settings(searches) if _of_users(searches, row) not in of_presets]
    return JointIdentifyResult(each, [*whole, *others])


def _of_users(searches: Sequence[tuple[Search, PrintedValue]], row: Together) -> bytes:
    """What a way gives each user."""
    search = searches[0][0]
    return _signature(measure(search.joined, list(row.definitions.values()), search.mask))


def _of_presets(each: dict[str, IdentifyResult]) -> list[Together]:
    """Presets whose own definitions give every number; those that give the same are one row."""
    rows: dict[tuple[int, ...], Together] = {}
    places = [_place_of_presets(one) for one in each.values()]
    for name in [name for name in places[0] if all(name in others for others in places)]:
        key = tuple(place[name] for place in places)
        if key in rows:
            rows[key].presets.append(name)
            continue
        found = {metric: one.rows[at] for (metric, one), at in zip(each.items(), key, strict=True)}
        definitions = {metric: _of_preset(row.preset_definitions, name) for metric, row in found.items()}
        rows[key] = Together(definitions, {metric: row.value for metric, row in found.items()}, [name], 0)
    return sorted(rows.values(), key=lambda row: -len(row.presets))


def _place_of_presets(one: IdentifyResult) -> dict[str, int]:
    """For each preset the first row that it is in."""
    found: dict[str, int] = {}
    for place, row in enumerate(one.rows):
        for definition in row.preset_definitions if not row.exchanged else ():
            found.setdefault(definition.preset, place)
    return found


def _of_preset(definitions: Sequence[Definition], name: str) -> Definition:
    return next(one for one in definitions if one.preset == name)


class _Numbered:
    """Parts of definitions, each under a number, by which sets of them are compared fast."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self._number_of: dict[SettingSet, int] = {}

    def of(self, parts: Sequence[SettingSet]) -> frozenset[int]:
        """The numbers of these."""
        for part in parts:
            if part not in self._number_of:
                self._number_of[part] = len(self.parts)
                self.parts.append(part)
        return frozenset(self._number_of[part] for part in parts)


@dataclass(frozen=True, eq=False)
class _Shared:
    """Groups of definitions, one of each number, and the judgings and averagings that they have in common."""

    groups: tuple[tuple[Nearest, EquivalentDefinitions], ...]
    preparations: frozenset[int]
    aggregations: frozenset[int]

    def with_(self, other: "_Shared") -> "_Shared | None":
        """Together with the groups of another number, if they have anything in common."""
        preparations, aggregations = self.preparations & other.preparations, self.aggregations & other.aggregations
        return (
            _Shared((*self.groups, *other.groups), preparations, aggregations)
            if preparations and aggregations
            else None
        )


@dataclass(frozen=True, eq=False)
class _Option:
    """A preparation and an aggregation for all numbers, and a metric for each, with the settings of a preset."""

    distance: int
    definitions: dict[str, Definition]


def _of_settings(searches: Sequence[tuple[Search, PrintedValue]]) -> list[Together]:
    known = _Numbered()
    shared, *others = [_nearest_groups(*one, known) for one in searches]
    for groups in others:
        pairs = (one.with_(other) for one in shared for other in groups)
        shared = list(islice((pair for pair in pairs if pair is not None), MOST_TOGETHER))
    setting_types = [found for one in shared if (found := _shortest(one, searches, known)) is not None]
    setting_types.sort(key=lambda setting_type: setting_type.distance)
    return _verified(searches, setting_types)


def _nearest_groups(search: Search, number: PrintedValue, known: _Numbered) -> list[_Shared]:
    found = [
        (part.near.least(one).distance, part.near, one) for part in search.measured for one in part.equivalent(number)
    ]
    found.sort(key=lambda group: group[0])
    return [
        _Shared(((near, one),), known.of(one.preparations), known.of(one.aggregations))
        for _, near, one in found[:MOST_TOGETHER]
    ]


def _shortest(shared: _Shared, searches: Sequence[tuple[Search, PrintedValue]], known: _Numbered) -> _Option | None:
    """The preset that has all metrics and needs the fewest changes, and what then represents each metric."""
    places = [{one.preset: place for place, one in enumerate(near.named)} for near, _ in shared.groups]
    names = [name for name in places[0] if all(name in others for others in places)]
    if not names:
        return None
    at = [np.array([place[name] for name in names]) for place in places]
    nears = [near for near, _ in shared.groups]
    settings = [[known.parts[number] for number in sorted(each)] for each in (shared.preparations, shared.aggregations)]
    far = [
        np.array([sum(_far(near, part, row) for near, row in zip(nears, at, strict=True)) for part in parts])
        for parts in settings
    ]
    of_metrics = [
        np.array([_far(near, one, row) for one in equivalent.metrics])
        for (near, equivalent), row in zip(shared.groups, at, strict=True)
    ]
    total = sum((each.min(axis=0) for each in [*far, *of_metrics]), np.zeros(len(names), np.int64))
    for place in np.argsort(total, kind="stable").tolist():
        preparation, aggregation = (
            parts[int(each[:, place].argmin())] for parts, each in zip(settings, far, strict=True)
        )
        chosen = [
            equivalent.metrics[int(each[:, place].argmin())]
            for (_, equivalent), each in zip(shared.groups, of_metrics, strict=True)
        ]
        if not _contradict(chosen):
            stated = [
                near.stated(near.named[row[place]], preparation, one, aggregation)
                for near, row, one in zip(nears, at, chosen, strict=True)
            ]
            return _Option(
                int(total[place]),
                {search.metric: one for (search, _), one in zip(searches, stated, strict=True)},
            )
    return None


def _far(near: Nearest, part: SettingSet, places: Codes) -> Codes:
    """In how many settings a part differs from each of the presets at `places`, shape as `places`."""
    return np.asarray(near.distances(part)[places])


def _contradict(metrics: Sequence[SettingSet]) -> bool:
    """Whether two of them set the same convention differently."""
    return any(
        one.stated[convention_name] != other.stated[convention_name]
        for one, other in combinations(metrics, 2)
        for convention_name in one.stated.keys() & other.stated.keys() - {CUTOFF.name}
    )


def _verified(searches: Sequence[tuple[Search, PrintedValue]], setting_types: Sequence[_Option]) -> list[Together]:
    """Those whose numbers, measured one by one, are the numbers requested; of those equal on every user the nearest."""
    found: dict[bytes, Together] = {}
    looked_at = setting_types[:MOST_MEASURED]
    search = searches[0][0]
    flat = [one for setting_type in looked_at for one in setting_type.definitions.values()]
    measured = iter(measure(search.joined, flat, search.mask))
    for setting_type in looked_at:
        each = [next(measured) for _ in searches]
        if all(number.how(one.mean) for (_, number), one in zip(searches, each, strict=True)):
            means = {metric: one.mean for (metric, _), one in zip(setting_type.definitions.items(), each, strict=True)}
            found.setdefault(_signature(each), Together(setting_type.definitions, means, [], setting_type.distance))
    return list(found.values())


def _signature(measured: Sequence[Measured]) -> bytes:
    """Equal where every user has the same value under each of them, to twelve decimals."""
    return np.concatenate([one.values for one in measured]).round(12).tobytes()
