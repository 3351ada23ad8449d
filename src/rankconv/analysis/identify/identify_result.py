"""The result: which definitions match, and the nearest presets."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from typing_extensions import TypedDict

from rankconv.analysis.identify.chance import RARE, Chance
from rankconv.analysis.identify.printed_value import PrintedValue
from rankconv.analysis.reproduce.reproduction import EXACT
from rankconv.basics.progress import INTERRUPTED
from rankconv.conventions.convention import CONVENTIONS
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.results.differences import differing
from rankconv.presets.definition import Definition
from rankconv.presets.folders import place
from rankconv.rendering.pages.cells import finite, plural
from rankconv.rendering.pages.display import RowResult
from rankconv.rendering.pages.page import Aside, Page, Paragraph, Piece, TextLine


class DefinitionRowData(TypedDict):
    """Definitions that give every user of these data the same."""

    definition: str
    """The likeliest, which every command reads."""
    value: float | None
    """Null where it is not finite."""
    how: str
    """How the value was printed as the number: exact, rounded, truncated, …"""
    presets: list[str]
    """The presets' own definitions."""
    count: int
    """How many definitions these are."""
    differs: int
    """In how many settings the likeliest differs from its preset."""
    against_the_row_above: list[str]
    """The settings in which it differs from the row above, as convention=setting."""
    exchanged: bool
    """Whether labels and run are exchanged."""
    chance: float | None
    """The probability that a random number is given by a definition as near to a preset as this."""


class NearestRowData(DefinitionRowData):
    """Definitions whose value comes close to the number."""

    gap: float | None
    """The distance of the value from the number."""


class ExpectedMatches(TypedDict):
    """How many values match a random number of this precision on average."""

    presets: float
    """Values of presets."""
    all: float
    """Values of all definitions that were tried."""


class IdentifyData(TypedDict):
    """The definitions that give a printed number on these data."""

    metric: str
    value: str
    """The printed number."""
    tried: int
    """How many definitions were measured."""
    users: int
    interrupted: bool
    """Whether the search was stopped before everything was tried."""
    found: bool
    """Whether any definition gives the number."""
    presets: list[str]
    """The presets' own definitions that give it, where that is likelier than chance."""
    presets_that_fit: list[str]
    """The presets' own definitions that give it, by chance or not."""
    presets_fit_by_chance: float
    """How many presets a random number fits on average."""
    few_digits: bool
    """Whether the digits are too few to decide."""
    matches: int
    """How many different values match the number."""
    expected_by_chance: ExpectedMatches
    likelier_than_chance: bool
    """Whether some row is likelier than chance."""
    rows: list[DefinitionRowData]
    left_off: int
    """Further groups of definitions, which are far from every preset."""
    digits: int | None
    """How many decimals would distinguish the rows that are likelier than chance; null where none would."""
    who_would_tell: list[str]
    """The kinds of users that would distinguish the definitions of the first row."""
    not_tried: list[str]
    """What the data do not allow to be tried."""
    nearest: list[NearestRowData]
    """Where nothing gives the number: the presets whose values come closest."""


@dataclass(frozen=True, eq=False)
class Match:
    """One definition whose number was measured, and how that was printed as the number that is looked for."""

    measured: Measured
    how: str
    """Rounded, truncated, …"""
    distance: int = 0
    """In how many settings it differs from the preset that it is written with."""
    count: int = 0
    """How many definitions are bound to give the same."""
    of_preset: bool = True

    @property
    def definition(self) -> Definition:
        """The definition, as a preset's with settings changed."""
        return self.measured.definition

    @property
    def less_likely(self) -> tuple[object, ...]:
        """Sorts the likelier first; of these the shorter, and one that does not round before one that does."""
        settings = self.definition.aggregation.settings
        rounds = not (settings["round-user"].changes_nothing and settings["round-mean"].changes_nothing)
        return not self.of_preset, self.distance, rounds, place(self.definition.preset)


@dataclass(frozen=True, eq=False)
class DefinitionRow:
    """Definitions that give every user of this data the same."""

    matches: Sequence[Match]
    """Those that were measured one by one."""
    exchanged: bool = False
    """Whether labels and run changed places."""
    separating: list[str] = field(default_factory=list)
    """The settings in which it differs from the row above, as convention=setting."""
    chance: float = math.nan
    """How likely an invented number is given by a definition as near a preset as this."""

    @cached_property
    def best(self) -> Match:
        """The likeliest: a preset's own, or the fewest settings away from one."""
        return min(self.matches, key=lambda one: one.less_likely)

    @property
    def definition(self) -> Definition:
        """The likeliest definition."""
        return self.best.definition

    @property
    def value(self) -> float:
        """Its number in full."""
        return self.best.measured.mean

    @property
    def how(self) -> str:
        """How that was printed as the number that was given: rounded, truncated, …"""
        return self.best.how

    @property
    def distance(self) -> int:
        """In how many settings the likeliest differs from the preset that it is written with."""
        return self.best.distance

    @cached_property
    def of_presets(self) -> list[Match]:
        """Those that a preset has, as most people use it first."""
        return sorted((one for one in self.matches if one.of_preset), key=lambda one: place(one.definition.preset))

    @cached_property
    def preset_definitions(self) -> list[Definition]:
        """Those of them that are presets' own."""
        own = [one.definition for one in self.of_presets if one.distance == self.distance]
        return list({definition.text: definition for definition in own}.values())

    @property
    def count(self) -> int:
        """How many definitions these are."""
        return max(sum(one.count for one in self.matches), len(self.preset_definitions))

    @property
    def open_conventions(self) -> list[str]:
        """The conventions that its presets set differently, those of most presets first; data cannot decide them."""
        others = [one.definition for one in (self.of_presets or self.matches)]
        found = Counter(name for other in others for name in differing(self.definition, other))
        return [name for name, _ in found.most_common() if name != "is"]

    @property
    def is_exact(self) -> bool:
        """Whether its value is the number itself, and nothing was rounded."""
        return self.how.partition(",")[0] == EXACT

    @property
    def gives(self) -> bool:
        """Whether a preset's own definition gives the number, rounded as it was printed."""
        rounded = self.how.partition(",")[0] in (EXACT, "rounded")
        own = bool(self.preset_definitions) and not self.distance
        return own and rounded and not self.exchanged

    @property
    def of_variant(self) -> bool:
        """Whether a variant of a preset's definition gives the number: at another level or cutoff, without one, …"""
        return bool(self.preset_definitions) and self.distance > 0

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

    def to_dict(self) -> DefinitionRowData:
        """Plain data."""
        return {
            "definition": self.spec,
            "value": finite(self.value),
            "how": self.how,
            "presets": self.presets,
            "count": self.count,
            "differs": self.distance,
            "against_the_row_above": self.separating,
            "exchanged": self.exchanged,
            "chance": finite(self.chance),
        }


MOST_DIGITS = 15
FIGURES = 10
"""Decimals of the full values."""
FEW = 6
"""So many presets are named."""
IN_FULL = "All rows: --full, in Python to_text(most=None)."
"""What shows what was left out."""


@dataclass(frozen=True, eq=False)
class IdentifyResult(RowResult):
    """The definitions that give a printed number on this data, the likeliest first.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b", "c"], "v": ["d"]}, {"u": ["a", "x", "b"], "v": ["y", "d"]}
    >>> found = rc.identify(labels, run, "map@3", "0.667")
    >>> first = found.rows[0]
    >>> first.definition.spec, "blog:map@3" in first.presets, round(first.value, 6)
    ('map@3', True, 0.666667)
    """

    rows_in: ClassVar[str] = "rows"

    metric: str
    sought: PrintedValue
    rows: list[DefinitionRow]
    tried: int
    """How many definitions were measured."""
    users: int
    chance: Chance = field(repr=False)
    """What an invented number of this precision would match."""
    left_off: int = 0
    """Further classes, too far from every preset to be looked at one by one."""
    nearest: list[DefinitionRow] = field(default_factory=list)
    """Where nothing gives the number: the presets whose numbers come closest."""
    not_tried: list[str] = field(default_factory=list)
    """What the data do not allow to be tried."""
    interrupted: bool = False
    """Whether it was stopped before everything was tried."""
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""

    @property
    def found(self) -> bool:
        """Whether any definition gives the number."""
        return bool(self.rows)

    @property
    def presets(self) -> list[str]:
        """The presets' own definitions that give the number, where that is likelier than chance."""
        return [text for row in self.summary if row.gives for text in row.presets]

    @property
    def fitting(self) -> list[str]:
        """The presets' own definitions that give the number, rounded as it was printed, by chance or not."""
        return [text for row in self.rows if row.gives for text in row.presets]

    @property
    def has_few_digits(self) -> bool:
        """Whether the digits do not decide: definitions as near as the nearest match give more than a few such numbers.

        Matches are presets and their variants; without any of these it is whether presets do.
        """
        return self.chance_of_nearest > RARE

    @property
    def chance_of_nearest(self) -> float:
        """How likely a random number is given by definitions as near as the nearest preset or variant that fits."""
        return self.chance.probability(min((row.distance for row in self.listed), default=0))

    @cached_property
    def summary(self) -> list[DefinitionRow]:
        """The rows that are likelier than chance."""
        return [row for row in self.rows if row.chance <= RARE]

    @cached_property
    def listed(self) -> list[DefinitionRow]:
        """The rows of the summary, and those of presets and their variants, however likely they are."""
        return [row for row in self.rows if row in self.summary or row.gives or row.of_variant]

    @cached_property
    def digits(self) -> int | None:
        """How many decimals would distinguish all rows of the summary; None where no number of them would."""
        values = [row.value for row in self.summary]
        return next((n for n in range(1, MOST_DIGITS) if len({round(v, n) for v in values}) == len(values)), None)

    @property
    def who_would_tell(self) -> list[str]:
        """What kinds of users would distinguish the definitions of the first row."""
        conventions = self.summary[0].open_conventions if self.summary else []
        return list(dict.fromkeys(CONVENTIONS[convention_name].tells for convention_name in conventions))

    def headline(self, most: int | None = 12) -> str:
        """Return which presets give the number, or how many fit, where a random number fits as well."""
        number, users = f"{self.metric} = {self.sought.text}", plural(self.users, "user")
        if not self.found:
            return f"{number}: none of {self.tried:,} definitions gives this value for {users}."
        return f"{number}: {_presets(self, most)}"

    def _page(self, most: int | None = 12) -> Page:
        """Each row with its presets, and its settings that differ from the row above; then what is still open."""
        head = Paragraph(f"{INTERRUPTED * self.interrupted}{self.headline(most)}")
        if not self.found:
            return Page([[head, *_not_found(self)]])
        shown = self.rows if most is None else self.listed[:most]
        sections: list[list[Piece]] = [[head, Paragraph(_by_chance(self, plural(self.users, "user")))]]
        sections += [list(_row(row, most)) for row in shown]
        more = [] if most is None else _further(self, len(self.listed) - len(shown))
        sections += [[Paragraph(f"And {', and '.join(more)}.")]] if more else []
        listed = [self.who_would_tell, *(row.others for row in shown)]
        cut = more or any(most is not None and len(names) > FEW for names in listed)
        return Page([*sections, [*_open(self, most), *([TextLine(IN_FULL)] if cut else [])] or [TextLine("")]])

    def to_dict(self) -> IdentifyData:
        """Plain data."""
        return {
            "metric": self.metric,
            "value": self.sought.text,
            "tried": self.tried,
            "users": self.users,
            "interrupted": self.interrupted,
            "found": self.found,
            "presets": self.presets,
            "presets_that_fit": self.fitting,
            "presets_fit_by_chance": self.chance.expected_presets,
            "few_digits": self.has_few_digits,
            "matches": self.chance.matches,
            "expected_by_chance": {"presets": self.chance.expected(0), "all": self.chance.expected()},
            "likelier_than_chance": bool(self.summary),
            "rows": [row.to_dict() for row in self.rows],
            "left_off": self.left_off,
            "digits": self.digits,
            "who_would_tell": self.who_would_tell,
            "not_tried": self.not_tried,
            "nearest": [{**row.to_dict(), "gap": finite(self.sought.gap(row.value))} for row in self.nearest],
        }

    def __repr__(self) -> str:
        count = f"{len(self.rows)} classes of {self.tried:,} definitions"
        return f"IdentifyResult({self.metric} = {self.sought.text}: {count})"


def few(names: Sequence[str], most: int | None) -> str:
    """The presets by name; only some of many, unless nothing is to be left out."""
    if most is None or len(names) <= FEW:
        return ", ".join(names)
    return f"{', '.join(names[:FEW])} and {len(names) - FEW} more presets"


def _row(row: DefinitionRow, most: int | None = 0) -> Iterator[Piece]:
    value = f"{row.value:.{FIGURES}f}"
    indent = " " * len(value)
    how = "labels and run exchanged; " if row.exchanged else ""
    away = f"; {row.distance} from {row.definition.preset}" if row.distance else ""
    yield Aside(value, f"{row.spec}   ({how}{row.how}{away})")
    if row.others:
        yield Aside(indent, f"also {few(row.others, most)}")
    if row.count > max(1, len(row.presets)):
        yield Aside(indent, f"{row.count:,} definitions are equal here")
    if row.of_variant and row.chance > RARE:
        yield Aside(indent, f"by chance: definitions as near give {row.chance:.0%} of such numbers")
    if row.separating:
        yield Aside(indent, f"^ against the row above: {', '.join(row.separating)}")


def _names(specs: Sequence[str]) -> list[str]:
    return [*dict.fromkeys(text.partition(":")[0] for text in specs)]


def _presets(found: IdentifyResult, most: int | None) -> str:
    """Which presets give the number; how many fit, where a random number fits as well."""
    names = _names(found.presets)
    if names:
        return f"given by {few(names, most)}."
    variant = next((row.definition.preset for row in found.rows if row.of_variant), None)
    if found.has_few_digits:
        fit = plural(len(_names(found.fitting)), "preset")
        verb = "fits" if fit.startswith("1 ") else "fit"
        if variant and not found.fitting:
            return f"{fit} {verb}, a variant of {variant} does, as for {found.chance_of_nearest:.0%} of random numbers."
        return f"{fit} {verb}; a random number fits {count(found.chance.expected_presets)}."
    return f"no preset gives it{f', a variant of {variant} does' if variant else ''}."


def _by_chance(found: IdentifyResult, users: str) -> str:
    """How many matches there are, and how many an invented number has."""
    chance = found.chance
    values = "1 different value matches" if chance.matches == 1 else f"{chance.matches} different values match"
    of_presets = f" ({count(chance.expected(0))} of presets)"
    average = f"A random number of this precision has {count(chance.expected())} matches on average{of_presets}."
    return f"{found.tried:,} definitions tried on {users}: {values}. {average}"


def count(expected: float) -> str:
    """An average count, in two significant digits."""
    return f"{expected:.2g}" if 0.001 <= expected < 100 else "fewer than 0.001" if expected < 1 else f"{expected:,.0f}"


def _further(found: IdentifyResult, hidden: int) -> list[str]:
    """What is not shown, where `hidden` rows of the summary are not."""
    left_out = len(found.rows) - len(found.listed)
    parts = [f"{hidden} more rows, with more settings changed"] if hidden else []
    parts += [f"{plural(left_out, 'row')} no likelier than chance"] if left_out else []
    return parts + (
        [f"{found.left_off:,} groups that are further away and were not examined"] if found.left_off else []
    )


def _open(found: IdentifyResult, most: int | None) -> Iterator[Piece]:
    if len(found.summary) > 1:
        none = "No number of decimals distinguishes these rows; other data may."
        yield Paragraph(f"{found.digits} decimals would distinguish these rows." if found.digits else none)
    if found.who_would_tell:
        shown = found.who_would_tell[: None if most is None else FEW]
        more = len(found.who_would_tell) - len(shown)
        text = "; ".join(shown) + (f"; and {more} more" if more else "")
        yield Paragraph(f"Definitions of the first row are equal on these data. To distinguish them, add: {text}.")
    if found.not_tried:
        yield Paragraph(f"Not tried: {'; '.join(found.not_tried)}.")


def _not_found(found: IdentifyResult) -> Iterator[Piece]:
    yield TextLine("Nearest presets:")
    for row in found.nearest:
        yield Aside(f"{row.value:.{FIGURES}f}", f"{row.spec}, {found.sought.gap(row.value):.2g} away")
    reasons = "a definition with more changes, a mistake in the number, or other data (another split, filtered items)"
    tried = "" if found.interrupted else "Levels of relevance, other cutoffs and ignored ones were tried too. "
    rest = "what was not tried, " if found.interrupted else ""
    yield Paragraph(f"Possible reasons: {rest}{reasons}. {tried}The metric 'any' tries all metrics at usual cutoffs.")
    if found.not_tried:
        yield Paragraph(f"Not tried: {'; '.join(found.not_tried)}.")
