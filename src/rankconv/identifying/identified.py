"""What came out of a search for a number: the definitions that give it, and what would tell them apart."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankconv.choice import QUESTIONS
from rankconv.definition import Definition
from rankconv.identifying.sought import Sought

MOST_DIGITS = 15


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
    """The answers in which it differs from the row above, as question=answer."""
    open_questions: list[str]
    """The questions that its presets answer differently, and that this data cannot decide."""
    exchanged: bool = False
    """Whether labels and run changed places."""
    times: int = 1
    """By what the definition's number is multiplied."""

    @property
    def spec(self) -> str:
        """The definition as text, which every command reads back."""
        return self.definition.text

    @property
    def presets(self) -> list[str]:
        """The presets' own definitions among them, each as preset:metric."""
        return [one.text for one in self.preset_definitions]

    @property
    def told(self) -> str:
        """The same, with what it is multiplied by."""
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
        }


@dataclass(frozen=True, eq=False)
class Identified:
    """The definitions that give a printed number on this data, the likeliest first.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b", "c"], "v": ["d"]}, {"u": ["a", "x", "b"], "v": ["y", "d"]}
    >>> found = rc.identify(labels, run, "map@3", "0.667")
    >>> first = found.rows[0]
    >>> first.definition.spec, "blog:map@3" in first.presets, round(first.value, 6)
    ('map@3', True, 0.666667)
    """

    metric: str
    sought: Sought
    rows: list[Row]
    tried: int
    """How many definitions were measured."""
    users: int
    left_off: int = 0
    """Further classes, too far from every preset to be looked at one by one."""
    nearest: list[Row] = field(default_factory=list)
    """Where nothing gives the number: the presets whose numbers come closest."""
    elsewhere: list[Row] = field(default_factory=list)
    """Where nothing gives the number: what does at another cutoff, or with another level of relevance."""

    @property
    def found(self) -> bool:
        """Whether any definition gives the number."""
        return bool(self.rows)

    @cached_property
    def digits(self) -> int | None:
        """How many decimals would tell all rows apart; None where no number of them would."""
        values = [row.value for row in self.rows]
        return next((n for n in range(1, MOST_DIGITS) if len({round(v, n) for v in values}) == len(values)), None)

    @property
    def who_would_tell(self) -> list[str]:
        """What kinds of users would tell apart the definitions of the first row."""
        questions = self.rows[0].open_questions if self.rows else []
        return list(dict.fromkeys(QUESTIONS[question].tells for question in questions))

    def text(self, width: int | None = 100, most: int | None = 12) -> str:
        """For a terminal: so many rows, and few of the presets of each; `most=None` leaves nothing out."""
        from rankconv.report.identified import identified_text

        return identified_text(self, width, most)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "metric": self.metric,
            "value": self.sought.text,
            "tried": self.tried,
            "users": self.users,
            "found": self.found,
            "rows": [row.to_dict() for row in self.rows],
            "left_off": self.left_off,
            "digits": self.digits,
            "who_would_tell": self.who_would_tell,
            "nearest": [{**row.to_dict(), "gap": self.sought.gap(row.value)} for row in self.nearest],
            "elsewhere": [row.to_dict() for row in self.elsewhere],
        }

    def __repr__(self) -> str:
        return f"Identified({self.metric} = {self.sought.text}: {len(self.rows)} classes of {self.tried:,} definitions)"
