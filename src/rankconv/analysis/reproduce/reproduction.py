"""The result of reproducing a source: a verdict for each printed number."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.analysis.reproduce.printed_numbers import Printed, read_printed
from rankconv.analysis.reproduce.sources import Erratum, LeftOut, Slip
from rankconv.pages.display import Shown
from rankconv.pages.page import Note, Page, Piece
from rankconv.pages.table import Table

EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED = "exact", "truncated", "float32", "erratum", "unexplained"
VERDICTS = (EXACT, TRUNCATED, FLOAT32, ERRATUM, UNEXPLAINED)
ULPS = 4
"""How far two orders of adding the same doubles may differ; it shows where all sixteen digits are printed."""


def reproduced(printed: Printed, ours: float | None) -> str | None:
    """How the preset's number gives the printed one, if it does; `ours` is None where the preset refuses.

    >>> reproduced(read_printed("0.666"), 2 / 3), reproduced(read_printed("0.667"), 2 / 3)
    ('truncated', 'exact')
    """
    if printed.value is None:
        same = ours is None if printed.refused else ours is not None and math.isnan(ours)
        return EXACT if same else None
    if ours is None or not math.isfinite(ours):
        return None
    if _is_rounded(printed, ours):
        return EXACT
    if printed.unit is not None and not printed.prefix and _is_cut(printed, ours):
        return TRUNCATED
    return FLOAT32 if _is_rounded(printed, float(np.float32(ours))) else None


def _is_rounded(printed: Printed, ours: float) -> bool:
    assert printed.value is not None
    if printed.unit is None:
        return math.isclose(ours, printed.value, rel_tol=1e-12, abs_tol=1e-15)
    if printed.prefix:
        return _is_cut(printed, ours)
    return abs(Fraction(ours) - printed.value) <= printed.unit / 2 + _noise(ours)


def _is_cut(printed: Printed, ours: float) -> bool:
    assert printed.value is not None
    assert printed.unit is not None
    if ours * printed.value < 0:
        return False
    rest = abs(Fraction(ours)) - abs(printed.value)
    return -_noise(ours) <= rest < printed.unit


def _noise(ours: float) -> Fraction:
    return ULPS * Fraction(math.ulp(ours))


def not_borne_out(mark: bool | Erratum, printed: Printed, ours: float | None, others: Sequence[str | None]) -> str:
    """Why the source does not bear out that a number is an erratum; empty where it does.

    `others` are the verdicts on all other numbers of its table.
    """
    if isinstance(mark, Erratum):
        return _not_given(read_printed(mark.gives), printed, ours)
    if not others:
        return "marked as an erratum without a contradicting sentence: name that sentence"
    wrong = sum(verdict is None for verdict in others)
    return f"marked as an erratum, but {wrong} more of its table do not come out" if wrong else ""


def _not_given(gives: Printed, printed: Printed, ours: float | None) -> str:
    if gives.unit is not None and (printed.unit is None or gives.unit > printed.unit):
        return f"marked as an erratum, but {gives.text} has fewer digits than the number itself"
    if reproduced(gives, ours) == EXACT:
        return ""
    return f"marked as an erratum, but what the source says gives {gives.text}, and the preset does not"


@dataclass(frozen=True)
class Row:
    """One printed number and what comes out of the preset."""

    source: str
    where: str
    preset: str
    metric: str
    user: str | int | None
    printed: str
    ours: float | None
    """None where the preset refuses; then `note` says why."""
    shown: str
    """Ours to the digits printed, and enough to distinguish the two."""
    verdict: str
    note: str = ""
    wrongly_marked: bool = False
    """Whether the file calls it an erratum, and the preset gives it."""
    computed: bool = False
    """Whether the source does not print it, and its program returns it."""

    @property
    def failed(self) -> bool:
        """Whether it keeps the reproduction from being ok."""
        return self.verdict == UNEXPLAINED or self.wrongly_marked

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data; NaN and infinity are None, as JSON has neither."""
        return asdict(self) | {"ours": self.ours if self.ours is not None and math.isfinite(self.ours) else None}


@dataclass(frozen=True)
class Disagreement:
    """Two statements of one source, and the number of each."""

    source: str
    where: str
    says: str
    reading: str
    gives: float | None
    against: str
    printed: str
    ours: float | None
    failed: bool
    """Whether they do not contradict each other after all, or the printed number does not come out."""
    shown: str = ""
    """The number of the first statement, to the digits that the other prints."""


@dataclass(frozen=True)
class Reproduction(Shown):
    """What `rc.reproduce` gives: `rows`, `ok`, and `summary`, the line that says how many came out how."""

    titles: dict[str, str]
    """The sources by name."""
    rows: tuple[Row, ...]
    contradictions: tuple[Disagreement, ...]
    left_out: tuple[LeftOut, ...]
    slips: tuple[tuple[str, Slip], ...] = ()
    """Slips of the pen, each with its source."""

    @cached_property
    def counts(self) -> Counter[str]:
        """How many printed numbers have which verdict."""
        return Counter(row.verdict for row in self.rows if not row.computed)

    @property
    def computed(self) -> list[Row]:
        """Numbers that a source does not print, and its program returns."""
        return [row for row in self.rows if row.computed]

    @property
    def left_out_count(self) -> int:
        """How many printed numbers are left out."""
        return sum(len(one.printed) for one in self.left_out)

    @property
    def failures(self) -> list[Row]:
        """Numbers that are unexplained, or wrongly marked as errata."""
        return [row for row in self.rows if row.failed]

    @property
    def ok(self) -> bool:
        """Whether every number comes out, or is an erratum that the source itself bears out."""
        return not self.failures and not any(one.failed for one in self.contradictions)

    @property
    def summary(self) -> str:
        """One line: how many numbers, and how many of each verdict."""
        words = {
            EXACT: "exact",
            TRUNCATED: "truncated",
            FLOAT32: "float32",
            ERRATUM: "errata",
            UNEXPLAINED: UNEXPLAINED,
        }
        parts = [
            f"{self.counts.total():,} numbers",
            *(f"{self.counts[verdict]:,} {word}" for verdict, word in words.items()),
        ]
        wrongly = sum(row.wrongly_marked for row in self.rows)
        parts += [*([f"{wrongly} wrongly marked"] if wrongly else []), f"{self.left_out_count} left out"]
        if not self.computed:
            return ", ".join(parts)
        exact = sum(row.verdict == EXACT for row in self.computed)
        counted = f"{len(self.computed)}, {exact} exact"
        return f"{', '.join(parts)}; not printed, but returned by a source's program: {counted}"

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "ok": self.ok,
            "summary": self.summary,
            "sources": self.titles,
            "numbers": [row.to_dict() for row in self.rows],
            "contradictions": [asdict(one) for one in self.contradictions],
            "slips": [{"source": source, **slip.model_dump()} for source, slip in self.slips],
            "left out": [one.model_dump() for one in self.left_out],
        }

    def _page(self, *, whole: bool = False) -> Page:
        """The sources and what is not exact; or, as the `whole`, every number. Then what must be known of them."""
        rows = list(self) if whole else not_exact(self)
        sections: list[list[Piece]] = [] if whole else [[sources_table(self)]]
        sections += [[numbers_table(rows)]] if rows else []
        return Page([*sections, [Note(line) for line in closing_lines(self)]])

    def __repr__(self) -> str:
        return f"Reproduction({self.summary})"


def sources_table(found: Reproduction) -> Table:
    """A line per source: how many numbers came out how."""
    rows = []
    for name, title in found.titles.items():
        verdicts = [row.verdict for row in found if row.source == name]
        left_out = sum(len(one.printed) for one in found.left_out if one.source == name)
        counts = [len(verdicts), *(verdicts.count(verdict) for verdict in VERDICTS), left_out]
        rows.append([name, title, *(str(count) if count else "–" for count in counts)])
    return Table(["source", "what it is", "numbers", *VERDICTS, "left out"], rows, labels=2, prose=frozenset({1}))


def numbers_table(rows: Iterable[Row]) -> Table:
    """A line per number: as printed, and as it comes out."""
    headers = ["source", "where", "preset", "metric", "printed", "ours", "verdict"]
    return Table(headers, [_cells(row) for row in rows], labels=4, prose=frozenset({1}))


def _cells(row: Row) -> list[str]:
    metric = row.metric if row.user is None else f"{row.metric}, {row.user}"
    verdict = f"{row.verdict}, wrongly marked" if row.wrongly_marked else row.verdict
    return [row.source, row.where, row.preset, metric, row.printed, row.shown, verdict]


def not_exact(found: Reproduction) -> list[Row]:
    """All that a reader should look at."""
    return [row for row in found if row.verdict != EXACT or row.wrongly_marked]


def closing_lines(found: Reproduction) -> list[str]:
    """Notes on single numbers, contradictions and slips of a source, what is left out; the summary last."""
    return [*_notes(found), *_contradictions(found), *_slips(found), *_left_out(found), found.summary]


def _notes(found: Reproduction) -> list[str]:
    noted = [row for row in not_exact(found) if row.note and (row.failed or row.verdict == ERRATUM)]
    return [f"{row.source}, {row.where}, {row.metric}: {row.printed}, ours {row.shown}; {row.note}." for row in noted]


def _contradictions(found: Reproduction) -> list[str]:
    return [
        f"{one.source}, {one.where}: {one.reading} gives {one.shown}, {one.against} the printed {one.printed}"
        f" ({'but they agree, or the latter does not come out' if one.failed else one.says})."
        for one in found.contradictions
    ]


def _slips(found: Reproduction) -> list[str]:
    return [f"{source}, {one.where}: {one.says}; meant is {one.meant}." for source, one in found.slips]


def _left_out(found: Reproduction) -> list[str]:
    counts: dict[tuple[str, str], int] = {}
    for one in found.left_out:
        counts[one.source, one.reason] = counts.get((one.source, one.reason), 0) + len(one.printed)
    return [f"{source}: {count} left out, as {reason}." for (source, reason), count in counts.items()]
