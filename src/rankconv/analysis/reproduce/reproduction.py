"""The result of reproducing a source: a verdict for each printed number."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from rankconv.analysis.reproduce.printed_numbers import ERRATUM, EXACT, UNEXPLAINED, VERDICTS
from rankconv.analysis.reproduce.sources import LeftOut, Slip
from rankconv.pages.display import Shown
from rankconv.pages.page import Note, Page, Piece
from rankconv.pages.table import Table


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
        words = {verdict: "errata" if verdict == ERRATUM else verdict for verdict in VERDICTS}
        parts = [f"{self.counts.total():,} numbers"]
        parts += [f"{self.counts[verdict]:,} {word}" for verdict, word in words.items()]
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
    cells = []
    for row in rows:
        metric = row.metric if row.user is None else f"{row.metric}, {row.user}"
        verdict = f"{row.verdict}, wrongly marked" if row.wrongly_marked else row.verdict
        cells.append([row.source, row.where, row.preset, metric, row.printed, row.shown, verdict])
    headers = ["source", "where", "preset", "metric", "printed", "ours", "verdict"]
    return Table(headers, cells, labels=4, prose=frozenset({1}))


def not_exact(found: Reproduction) -> list[Row]:
    """All that a reader should look at."""
    return [row for row in found if row.verdict != EXACT or row.wrongly_marked]


def closing_lines(found: Reproduction) -> list[str]:
    """Notes on single numbers, contradictions and slips of a source, what is left out; the summary last."""
    noted = [row for row in not_exact(found) if row.note and (row.failed or row.verdict == ERRATUM)]
    lines = [f"{row.source}, {row.where}, {row.metric}: {row.printed}, ours {row.shown}; {row.note}." for row in noted]
    for one in found.contradictions:
        why = "but they agree, or the latter does not come out" if one.failed else one.says
        both = f"{one.reading} gives {one.shown}, {one.against} the printed {one.printed}"
        lines.append(f"{one.source}, {one.where}: {both} ({why}).")
    lines += [f"{source}, {one.where}: {one.says}; meant is {one.meant}." for source, one in found.slips]
    counts = Counter[tuple[str, str]]()
    for entry in found.left_out:
        counts[entry.source, entry.reason] += len(entry.printed)
    lines += [f"{source}: {count} left out, as {reason}." for (source, reason), count in counts.items()]
    return [*lines, found.summary]
