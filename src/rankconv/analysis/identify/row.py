"""One row of what came out of a search: definitions that cannot be told apart on these data."""

import math
from dataclasses import dataclass
from typing import Any

from rankconv.pages.cells import finite
from rankconv.presets.definition import Definition


@dataclass(frozen=True, eq=False)
class Row:
    """Definitions that give every user of this data the same: one class."""

    definition: Definition
    """The shortest of them: a preset's own, or the fewest answers away from one."""
    value: float
    """Its number in full."""
    how: str
    """How that was printed as the number that was asked: rounded, truncated, …"""
    preset_definitions: list[Definition]
    """Those of them that are presets' own."""
    count: int
    """How many definitions these are."""
    distance: int
    """In how many answers the shortest differs from the preset that it is written with."""
    separating: list[str]
    """The settings in which it differs from the row above, as convention=answer."""
    open_conventions: list[str]
    """The questions that its presets answer differently, and that this data cannot decide."""
    exchanged: bool = False
    """Whether labels and run changed places."""
    times: int = 1
    """By what the definition's number is multiplied."""

    expected: float = math.nan
    """How many values of definitions as near a preset as this an invented number matches on average."""

    @property
    def gives(self) -> bool:
        """Whether a preset's own definition gives the number, rounded as it was printed."""
        rounded = self.how.partition(",")[0] in ("exact", "rounded")
        return bool(self.preset_definitions) and rounded and self.times == 1 and not self.exchanged

    @property
    def spec(self) -> str:
        """The definition as text, which every command reads back."""
        return self.definition.text

    @property
    def presets(self) -> list[str]:
        """The presets' own definitions among them, each as preset:metric."""
        return [one.text for one in self.preset_definitions]

    @property
    def others(self) -> list[str]:
        """The presets that give the row besides the one that it is written with."""
        names = dict.fromkeys(text.partition(":")[0] for text in self.presets)
        return [name for name in names if name != self.definition.preset]

    @property
    def told(self) -> str:
        """The definition as text, with what its number is multiplied by."""
        return self.spec if self.times == 1 else f"{self.times} × {self.spec}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "definition": self.spec,
            "times": self.times,
            "value": self.value,
            "how": self.how,
            "presets": self.presets,
            "count": self.count,
            "differs": self.distance,
            "against_the_row_above": self.separating,
            "exchanged": self.exchanged,
            "expected_by_chance": finite(self.expected),
        }
