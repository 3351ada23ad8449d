"""What came out of a search for a number: the definitions that give it, and what would tell them apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rankconv.analysis.identify.chance import LEAST, Chance
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.identify.row import Row
from rankconv.pages import forms
from rankconv.pages.page import Beside, Line, Page, Paragraph, Piece
from rankconv.pages.shown import Shown
from rankconv.specs.convention import CONVENTIONS

MOST_DIGITS = 15
FIGURES = 10
"""Decimals of the full values."""
FEW = 6
"""So many presets are named."""
IN_FULL = "All rows: --full, in Python text(most=None)."
"""What shows what was left out."""


@dataclass(frozen=True, eq=False)
class IdentifyResult(Shown):
    """The definitions that give a printed number on this data, the likeliest first.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b", "c"], "v": ["d"]}, {"u": ["a", "x", "b"], "v": ["y", "d"]}
    >>> found = rc.identify(labels, run, "map@3", "0.667")
    >>> first = found.rows[0]
    >>> first.definition.spec, "blog:map@3" in first.presets, round(first.value, 6)
    ('map@3', True, 0.666667)
    """

    metric: str
    sought: PrintedValue
    rows: list[Row]
    tried: int
    """How many definitions were measured."""
    users: int
    chance: Chance = field(repr=False)
    """What an invented number of this precision would match."""
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

    @property
    def presets(self) -> list[str]:
        """The presets' own definitions that give the number, rounded as it was printed."""
        return [text for row in self.rows if row.gives for text in row.presets]

    @cached_property
    def summary(self) -> list[Row]:
        """The rows that are likelier than chance, and those of presets that give the number."""
        return [row for row in self.rows if row.expected < LEAST or row.gives]

    @cached_property
    def digits(self) -> int | None:
        """How many decimals would tell all rows of the summary apart; None where no number of them would."""
        values = [row.value for row in self.summary]
        return next((n for n in range(1, MOST_DIGITS) if len({round(v, n) for v in values}) == len(values)), None)

    @property
    def who_would_tell(self) -> list[str]:
        """What kinds of users would tell apart the definitions of the first row."""
        conventions = self.summary[0].open_conventions if self.summary else []
        return list(dict.fromkeys(CONVENTIONS[convention_name].tells for convention_name in conventions))

    def page(self, most: int | None = 12) -> Page:
        """Each row with its presets, and what parts it from the row above; then what is still open."""
        return _page(self, most)

    def text(self, width: int | None = 100, most: int | None = 12) -> str:
        """For a terminal: so many rows, and few of the presets of each; `most=None` leaves nothing out."""
        return forms.text(self.page(most), width)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "metric": self.metric,
            "value": self.sought.text,
            "tried": self.tried,
            "users": self.users,
            "found": self.found,
            "presets": self.presets,
            "matches": self.chance.matches,
            "expected_by_chance": {"presets": self.chance.expected(0), "all": self.chance.expected()},
            "likelier_than_chance": bool(self.summary),
            "rows": [row.to_dict() for row in self.rows],
            "left_off": self.left_off,
            "digits": self.digits,
            "who_would_tell": self.who_would_tell,
            "nearest": [{**row.to_dict(), "gap": self.sought.gap(row.value)} for row in self.nearest],
            "elsewhere": [row.to_dict() for row in self.elsewhere],
        }

    def __repr__(self) -> str:
        count = f"{len(self.rows)} classes of {self.tried:,} definitions"
        return f"IdentifyResult({self.metric} = {self.sought.text}: {count})"


def few(names: Sequence[str], most: int | None) -> str:
    """The presets by name; only some of many, unless nothing is to be left out."""
    if most is None or len(names) <= FEW:
        return ", ".join(names)
    return f"{', '.join(names[:FEW])} and {len(names) - FEW} more presets"


def _page(found: IdentifyResult, most: int | None) -> Page:
    number, users = f"{found.metric} = {found.sought.text}", f"{found.users:,} user{'s' * (found.users != 1)}"
    if not found.found:
        none = Paragraph(f"{number}: none of {found.tried:,} definitions gives it for {users}.")
        return Page([[none, *_not_found(found)]])
    told = [Paragraph(f"{number}: {_given(found, most)}"), Paragraph(_by_chance(found, users))]
    shown = found.rows if most is None else found.summary[:most]
    hidden, left_out = len(found.summary) - len(shown), len(found.rows) - len(found.summary)
    sections: list[list[Piece]] = [[*told], *(list(_row(row, most)) for row in shown)]
    if most is not None and (hidden or left_out or found.left_off):
        sections.append([Paragraph(_further(hidden, left_out, found.left_off))])
    names = [found.who_would_tell, *(row.others for row in shown)]
    cut = most is not None and (hidden or left_out or any(len(listed) > FEW for listed in names))
    last = [*_open(found, most), *([Line(IN_FULL)] if cut else [])]
    return Page([*sections, last or [Line("")]])


def _row(row: Row, most: int | None = 0) -> Iterator[Piece]:
    value = f"{row.value:.{FIGURES}f}"
    indent = " " * len(value)
    how = "labels and run exchanged; " if row.exchanged else ""
    away = f"; {row.distance} from {row.definition.preset}" if row.distance else ""
    yield Beside(value, f"{row.told}   ({how}{row.how}{away})")
    if row.others:
        yield Beside(indent, f"also {few(row.others, most)}")
    if row.count > max(1, len(row.presets)):
        yield Beside(indent, f"{row.count:,} definitions are equal here")
    if row.separating:
        yield Beside(indent, f"^ against the row above: {', '.join(row.separating)}")


def _given(found: IdentifyResult, most: int | None) -> str:
    """Which presets give the number, or that none does."""
    names = [*dict.fromkeys(text.partition(":")[0] for text in found.presets)]
    return f"given by {few(names, most)}." if names else "no preset gives it."


def _by_chance(found: IdentifyResult, users: str) -> str:
    """How many matches there are, and how many an invented number has."""
    chance = found.chance
    values = "1 different value matches" if chance.matches == 1 else f"{chance.matches} different values match"
    told = f"Of {found.tried:,} definitions on {users} {values}"
    if not any(low < high for low, high in found.sought.accepted):
        return f"{told}; the chance of a match is not known for a number without decimals."
    of_presets = f" ({count(chance.expected(0))} of presets)"
    return f"{told}; an invented number of this precision matches {count(chance.expected())} on average{of_presets}."


def count(expected: float) -> str:
    """An average count, in two significant digits."""
    return f"{expected:.2g}" if 0.001 <= expected < 100 else "fewer than 0.001" if expected < 1 else f"{expected:,.0f}"


def _further(hidden: int, left_out: int, left_off: int) -> str:
    told = [f"{hidden} more rows, further from the presets"] if hidden else []
    told += [f"{left_out:,} row{'s' * (left_out != 1)} no likelier than chance"] if left_out else []
    told += [f"{left_off:,} groups that lie still further and were not looked at"] if left_off else []
    return f"And {', and '.join(told)}."


def _open(found: IdentifyResult, most: int | None) -> Iterator[Piece]:
    if len(found.summary) > 1:
        none = "No number of decimals tells these rows apart; other data would."
        yield Paragraph(f"{found.digits} decimals would tell these rows apart." if found.digits else none)
    if found.who_would_tell:
        shown = found.who_would_tell[: None if most is None else FEW]
        more = len(found.who_would_tell) - len(shown)
        told = "; ".join(shown) + (f"; and {more} more" if more else "")
        yield Paragraph(f"These data cannot decide between the definitions of the first row. What would: {told}.")


def _not_found(found: IdentifyResult) -> Iterator[Piece]:
    likely = [row for row in found.elsewhere if row.expected < LEAST]
    if likely:
        yield Line("It comes out elsewhere:")
        for row in likely[:FEW]:
            yield from _row(row)
    yield Line("Nearest presets:")
    for row in found.nearest:
        yield Beside(f"{row.value:.{FIGURES}f}", f"{row.told}, {found.sought.gap(row.value):.2g} away")
    policies = (
        "a definition further from all presets, a mistake in the number, or other data: another split, filtered items"
    )
    tried = "the usual cutoffs and the levels of relevance in the data were tried too"
    yield Paragraph(f"What remains: {policies}" + ("" if likely else f" ({tried})") + ".")
