"""What a reproduction gives: a row per printed number, the contradictions inside sources, and what is left out."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from rankconv.reproducing.model import LeftOut
from rankconv.reproducing.verdicts import ERRATUM, EXACT, FLOAT32, TRUNCATED, UNEXPLAINED


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
    """Ours to the digits printed, and enough to tell the two apart."""
    verdict: str
    note: str = ""
    wrongly_marked: bool = False
    """Whether the file calls it an erratum, and the preset gives it."""

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
class Reproduction:
    """What `rc.reproduce` gives: `rows`, `ok`, and `summary`, the line that says how many came out how."""

    titles: dict[str, str]
    """The sources by name."""
    rows: tuple[Row, ...]
    contradictions: tuple[Disagreement, ...]
    left_out: tuple[LeftOut, ...]

    @cached_property
    def counts(self) -> Counter[str]:
        """How many numbers have which verdict."""
        return Counter(row.verdict for row in self.rows)

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
            f"{len(self.rows):,} numbers",
            *(f"{self.counts[verdict]:,} {word}" for verdict, word in words.items()),
        ]
        wrongly = sum(row.wrongly_marked for row in self.rows)
        return ", ".join(
            [*parts, *([f"{wrongly} wrongly marked"] if wrongly else []), f"{self.left_out_count} left out"]
        )

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
            "left out": [one.model_dump() for one in self.left_out],
        }

    def __repr__(self) -> str:
        return f"Reproduction({self.summary})"
