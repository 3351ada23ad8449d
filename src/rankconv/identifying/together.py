"""Several printed numbers of one run: which preset, or which judging and averaging, gives all of them?"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from rankconv.definition import Definition
from rankconv.engine import measure
from rankconv.identifying.candidates import Alike
from rankconv.identifying.identified import Identified
from rankconv.identifying.nearest import Nearest
from rankconv.identifying.search import Search
from rankconv.identifying.sought import Sought
from rankconv.separation import OF_OFFERING
from rankconv.stated import Answers

MOST_TOGETHER = 400
"""So many ways to agree are followed from one number to the next; the nearest to a preset first."""


@dataclass(frozen=True, eq=False)
class Together:
    """One way to give all numbers: the same judging and averaging for all, or one preset."""

    definitions: dict[str, Definition]
    """By metric as it was asked for."""
    values: dict[str, float]
    presets: list[str]
    """The presets that give all numbers as they stand; empty where answers were changed."""
    distance: int
    """How many answers differ from the preset, over all metrics."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        specs = {metric: one.text for metric, one in self.definitions.items()}
        return {"definitions": specs, "values": self.values, "presets": self.presets, "differs": self.distance}


@dataclass(frozen=True, eq=False)
class IdentifiedTogether:
    """What gives several numbers at once, and what gives each of them."""

    each: dict[str, Identified]
    """By metric."""
    rows: list[Together] = field(default_factory=list)
    """Presets first, then by how many answers differ."""

    @property
    def found(self) -> bool:
        """Whether anything gives all numbers."""
        return bool(self.rows)

    def text(self, width: int = 100, most: int = 12) -> str:
        """For a terminal."""
        from rankconv.report.identified import together_text

        return together_text(self, width, most)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        each = {metric: one.to_dict() for metric, one in self.each.items()}
        return {"found": self.found, "rows": [row.to_dict() for row in self.rows], "each": each}


def together(asked: Sequence[tuple[Search, Sought]]) -> IdentifiedTogether:
    """The presets that give all numbers in one row; then judgings and averagings that do, with what they change."""
    each = {search.metric: search.result(number) for search, number in asked}
    whole = _of_presets(each)
    return IdentifiedTogether(each, [*whole, *_of_settings(asked, {name for row in whole for name in row.presets})])


def _of_presets(each: dict[str, Identified]) -> list[Together]:
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


def _place_of_presets(one: Identified) -> dict[str, int]:
    """For each preset the first row that it is in."""
    found: dict[str, int] = {}
    for place, row in enumerate(one.rows):
        for definition in row.preset_definitions if not row.exchanged else ():
            found.setdefault(definition.preset, place)
    return found


def _of_preset(definitions: Sequence[Definition], name: str) -> Definition:
    return next(one for one in definitions if one.preset == name)


@dataclass(frozen=True, eq=False)
class _Shared:
    """Groups of definitions, one of each number, and the judgings and averagings that they have in common."""

    groups: tuple[tuple[Nearest, Alike], ...]
    judgings: dict[Answers, Answers]
    averagings: dict[Answers, Answers]

    def with_(self, near: Nearest, alike: Alike) -> "_Shared | None":
        judgings = {one: one for one in alike.judgings if one in self.judgings}
        averagings = {one: one for one in alike.averagings if one in self.averagings}
        return _Shared((*self.groups, (near, alike)), judgings, averagings) if judgings and averagings else None


def _of_settings(asked: Sequence[tuple[Search, Sought]], taken: set[str]) -> list[Together]:
    first, *others = [_nearest_groups(*one) for one in asked]
    shared = [
        _Shared(((near, one),), {j: j for j in one.judgings}, {a: a for a in one.averagings}) for near, one in first
    ]
    for groups in others:
        more = [known.with_(near, one) for known in shared for near, one in groups]
        shared = [one for one in more if one is not None][:MOST_TOGETHER]
    metrics = [search.metric for search, _ in asked]
    options = [found for one in shared if (found := _shortest(one, metrics)) is not None]
    options.sort(key=lambda option: option[0])
    return _verified(asked, [option for option in options if option[0] or option[1] not in taken])


def _nearest_groups(search: Search, number: Sought) -> list[tuple[Nearest, Alike]]:
    found = [
        (part.near.best(one.judgings, one.metrics, one.averagings)[0], part.near, one)
        for part in search.measured
        for one in part.alike(number)
    ]
    found.sort(key=lambda group: group[0])
    return [(near, one) for _, near, one in found[:MOST_TOGETHER]]


def _shortest(shared: _Shared, metrics: list[str]) -> tuple[int, str, dict[str, Definition]] | None:
    """The preset that has all metrics and needs the fewest changes, and what then stands for each metric."""
    best: tuple[int, str, dict[str, Definition]] | None = None
    nears = [near for near, _ in shared.groups]
    places = [{one.preset: place for place, one in enumerate(near.named)} for near in nears]
    for name in [name for name in places[0] if all(name in others for others in places)]:
        at = [place[name] for place in places]

        def cost(part: Answers, at: list[int] = at) -> int:
            return sum(int(near.distances(part)[place]) for near, place in zip(nears, at, strict=True))

        judging, averaging = min(shared.judgings, key=cost), min(shared.averagings, key=cost)
        chosen = [
            min(alike.metrics, key=lambda one, near=near, place=place: int(near.distances(one)[place]))
            for (near, alike), place in zip(shared.groups, at, strict=True)
        ]
        total = cost(judging) + cost(averaging)
        total += sum(int(near.distances(one)[place]) for near, one, place in zip(nears, chosen, at, strict=True))
        if (best is None or total < best[0]) and not _contradict(chosen):
            stated = [
                near.stated(near.named[place], judging, one, averaging)
                for near, one, place in zip(nears, chosen, at, strict=True)
            ]
            best = total, name, dict(zip(metrics, stated, strict=True))
    return best


def _contradict(metrics: Sequence[Answers]) -> bool:
    """Whether two of them answer the same question differently."""
    return any(
        one.stated[question] != other.stated[question]
        for one, other in combinations(metrics, 2)
        for question in one.stated.keys() & other.stated.keys() - {OF_OFFERING}
    )


def _verified(
    asked: Sequence[tuple[Search, Sought]], options: list[tuple[int, str, dict[str, Definition]]]
) -> list[Together]:
    """Those whose numbers, measured one by one, are the numbers asked; each once."""
    rows: dict[tuple[str, ...], Together] = {}
    for total, _, definitions in options[:MOST_TOGETHER]:
        texts = tuple(one.text for one in definitions.values())
        if texts in rows:
            continue
        measured = measure(asked[0][0].joined, list(definitions.values()), asked[0][0].mask)
        means = [one.mean for one in measured]
        if all(number.how(mean) for (_, number), mean in zip(asked, means, strict=True)):
            rows[texts] = Together(definitions, dict(zip(definitions, means, strict=True)), [], total)
    return list(rows.values())
