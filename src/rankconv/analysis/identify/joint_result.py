"""What came out of a search for several numbers at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from rankconv.analysis.identify.circumstances import LEAST
from rankconv.analysis.identify.result import FEW, FIGURES, IN_FULL, IdentifyResult, count, few
from rankconv.pages.display import RowResult
from rankconv.pages.page import Aside, Heading, Line, Page, Paragraph, Piece
from rankconv.presets.definition import Definition


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

    def page(self, most: int | None = 12) -> Page:
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
