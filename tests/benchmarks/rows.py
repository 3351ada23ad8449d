"""What a benchmark says: one row for each number, as text for people."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["race", "cost", "alone"]


@dataclass(frozen=True)
class Row:
    """One number: ours beside another's (race), ours beside a cheaper task of ours (cost), or ours alone."""

    workload: str
    size: str
    kind: Kind
    what: str
    ours: float | None = None
    """CPU seconds, or MB; None where it was left out, and the note says why."""
    against: str = ""
    other: float | None = None
    goal: float | None = None
    """Of the ratio."""
    note: str = ""
    unit: str = "s"

    @property
    def ratio(self) -> float | None:
        """How many times faster we are (race); how many times the cheaper task it costs (cost)."""
        if self.ours is None or self.other is None:
            return None
        return self.other / self.ours if self.kind == "race" else self.ours / self.other

    def cells(self) -> tuple[str, ...]:
        """As the table prints it."""
        goal = "" if self.goal is None else said(self.goal, self.kind, bound=True)
        ratio = "–" if self.ratio is None else said(self.ratio, self.kind)
        ours, other = amount(self.ours, self.unit), amount(self.other, self.unit)
        return self.workload, self.size, self.what, ours, self.against, other, ratio, goal, self.note


HEADS = ("workload", "size", "ours", "CPU", "against", "CPU", "ratio", "goal", "note")
ALIGNED = ("---", "---", "---", "--:", "---", "--:", "--:", "--:", "---")


def said(ratio: float, kind: Kind, bound: bool = False) -> str:
    """`7.2x faster`, `2.0x slower`, or `4.2x`; a goal says from which side."""
    if kind == "cost":
        return f"{'≤ ' if bound else ''}{ratio:.3g}x"
    if ratio >= 1:
        return f"{'≥ ' if bound else ''}{ratio:.3g}x faster"
    return f"{'≤ ' if bound else ''}{1 / ratio:.3g}x slower"


def amount(value: float | None, unit: str) -> str:
    """A time in the unit that fits, or megabytes."""
    if value is None:
        return ""
    if unit != "s":
        return f"{value:.3g} {unit}"
    for factor, name in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 1:
            return f"{value * factor:.3g} {name}"
    return f"{value * 1e6:.2g} µs"


def table(rows: list[Row], heads: bool = True) -> str:
    """The rows as Markdown; without heads, lines that go on with a table."""
    lines = [*((HEADS, ALIGNED) if heads else ()), *(row.cells() for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
