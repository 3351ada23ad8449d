"""What came out of a search for several numbers at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rankconv.ask.identify.identified import FEW, FIGURES, IN_FULL, Identified, classes, few
from rankconv.pages import forms
from rankconv.pages.page import Beside, Heading, Line, Page, Paragraph, Piece
from rankconv.pages.shown import Shown
from rankconv.presets.definition import Definition


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


@dataclass(frozen=True, eq=False, repr=False)
class IdentifiedTogether(Shown):
    """What gives several numbers at once, and what gives each of them."""

    each: dict[str, Identified]
    """By metric."""
    rows: list[Together] = field(default_factory=list)
    """Presets first, then by how many answers differ."""

    @property
    def found(self) -> bool:
        """Whether anything gives all numbers."""
        return bool(self.rows)

    def page(self, most: int | None = 12) -> Page:
        """What gives all numbers, then what gives each."""
        numbers = ", ".join(f"{metric} = {one.sought.text}" for metric, one in self.each.items())
        ways = "1 way" if len(self.rows) == 1 else f"{len(self.rows)} ways"
        none = "no preset, and no judging and averaging shared by all, gives these together."
        told = Paragraph(f"{numbers}: {ways} to give them together." if self.found else f"{numbers}: {none}")
        hidden = 0 if most is None else max(0, len(self.rows) - most)
        sections: list[list[Piece]] = [[told], *(list(_way(row, most)) for row in self.rows[:most])]
        sections += [[Line(f"And {hidden} more, further from the presets.")]] if hidden else []
        sections += [[_alone(metric, one)] for metric, one in self.each.items()]
        cut = hidden or (most is not None and any(len(row.presets) > FEW for row in self.rows))
        return Page([*sections, *([[Line(IN_FULL)]] if cut else [])])

    def text(self, width: int | None = 100, most: int | None = 12) -> str:
        """For a terminal: so many ways, and few of the presets of each; `most=None` leaves nothing out."""
        return forms.text(self.page(most), width)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        each = {metric: one.to_dict() for metric, one in self.each.items()}
        return {"found": self.found, "rows": [row.to_dict() for row in self.rows], "each": each}


def _way(row: Together, most: int | None) -> Iterator[Piece]:
    if row.presets:
        yield Paragraph(few(row.presets, most))
    else:
        yield Line(f"{row.distance} answer{'s' if row.distance > 1 else ''} from a preset")
    for metric, definition in row.definitions.items():
        yield Beside(f"  {row.values[metric]:.{FIGURES}f}", definition.text)


def _alone(metric: str, one: Identified) -> Heading:
    told = classes(len(one.rows)) if one.found else "none"
    return Heading(f"{metric} = {one.sought.text} alone: {told} of {one.tried:,} definitions tried.")
