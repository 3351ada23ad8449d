"""One printed number and what comes out: its row, and the tables and lines of many."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from typing_extensions import TypedDict

from rankconv.rendering.pages.cells import finite
from rankconv.rendering.pages.page import Aside
from rankconv.rendering.pages.table import Table

UNEXPLAINED: Final = "unexplained"
NOT_RECOMPUTED = "not recomputed"
"""In place of a verdict where the data of a number are not there."""
Recorded = Literal["as claimed", "other definition", "contradiction", "unexplained"]
AS_CLAIMED: Final = "as claimed"
OTHER: Final = "other definition"
CONTRADICTION: Final = "contradiction"
RECORDED: tuple[Recorded, ...] = (AS_CLAIMED, OTHER, CONTRADICTION, UNEXPLAINED)
"""What a file states of a number: it is what its source claims, it is another definition, the source contradicts it."""


class NumberRowData(TypedDict):
    """One printed number and what comes out of the preset."""

    source: str
    where: str
    preset: str
    metric: str
    user: str | int | None
    """Null for the mean."""
    printed: str
    ours: float | None
    """What comes out; null where it is not finite, or the preset refuses: `note` says why."""
    shown: str
    """What comes out, to the digits printed, and enough to distinguish the two."""
    verdict: str
    note: str
    wrongly_marked: bool
    """Whether the file calls it an erratum, and the preset gives it."""
    computed: bool
    """Whether the source does not print it, and its program returns it."""
    called: str
    """Its name in print, where that says another thing than the metric."""
    inputs: str
    """The labels and the run, by their name in the file."""
    recorded: Recorded
    """What the file states of it."""
    claimed: str
    """The definition that the source claims, where another one gives the number."""
    differs: str
    """In which settings and inputs the two differ."""
    checked: Literal["data", "recorded"]
    """`recorded` where it was entered without its data."""
    as_recorded: bool
    """Whether what came out is what the file states; true also where nothing was computed."""
    fingerprint: str
    """Of the definition, for numbers whose data a user fetches; else empty, as `signature`."""
    signature: str


@dataclass(frozen=True)
class NumberRow:
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
    called: str = ""
    """Its name in print, where that says another thing than the metric."""
    inputs: str = ""
    """The labels and the run, by their name in the file."""
    recorded: Recorded = AS_CLAIMED
    """What the file states of it."""
    claimed: str = ""
    """The definition that the source claims, where another one gives the number."""
    differs: str = ""
    """In which settings and inputs the two differ."""
    checked: Literal["data", "recorded"] = "data"
    """`recorded` where it was entered without its data."""
    as_recorded: bool = True
    """Whether what came out is what the file states; True also where nothing was computed."""
    fingerprint: str = ""
    """Of the definition, for numbers whose data a user fetches; also `signature`."""
    signature: str = ""

    @property
    def failed(self) -> bool:
        """Whether it keeps the reproduction from being ok."""
        return not self.as_recorded

    @property
    def name(self) -> str:
        """Metric and user."""
        return self.metric if self.user is None else f"{self.metric}, {self.user}"

    def to_dict(self) -> NumberRowData:
        """The row as plain data; NaN and infinity are None, as JSON has neither."""
        return {
            "source": self.source,
            "where": self.where,
            "preset": self.preset,
            "metric": self.metric,
            "user": self.user,
            "printed": self.printed,
            "ours": None if self.ours is None else finite(self.ours),
            "shown": self.shown,
            "verdict": self.verdict,
            "note": self.note,
            "wrongly_marked": self.wrongly_marked,
            "computed": self.computed,
            "called": self.called,
            "inputs": self.inputs,
            "recorded": self.recorded,
            "claimed": self.claimed,
            "differs": self.differs,
            "checked": self.checked,
            "as_recorded": self.as_recorded,
            "fingerprint": self.fingerprint,
            "signature": self.signature,
        }


def numbers_table(rows: Iterable[NumberRow]) -> Table:
    """A line per number: as printed, and as it comes out; with what is stated of numbers whose data a user fetches."""
    every = list(rows)
    if any(row.signature for row in every):
        return _registry_table(every)
    cells = [[row.source, row.where, row.preset, row.name, row.printed, row.shown, _verdict(row)] for row in every]
    headers = ["source", "where", "preset", "metric", "printed", "ours", "verdict"]
    return Table(headers, cells, labels=4, prose=frozenset({1}))


def _registry_table(rows: Iterable[NumberRow]) -> Table:
    cells = []
    for row in rows:
        found = [row.printed, row.shown, _verdict(row), row.recorded, row.checked, row.fingerprint]
        called = row.called or (row.metric if row.user is None else f"{row.metric}, {row.user}")
        cells.append([row.source, row.where, row.inputs, called, *found])
    headers = ["source", "where", "inputs", "metric", "printed", "ours", "verdict", "stated", "checked", "definition"]
    return Table(headers, cells, labels=4, prose=frozenset({1}))


def _verdict(row: NumberRow) -> str:
    return f"{row.verdict}, wrongly marked" if row.wrongly_marked else row.verdict


def definition_lines(rows: Iterable[NumberRow]) -> list[Aside]:
    """Each definition once: its fingerprint, how it is written, and its signature."""
    first: dict[str, str] = {}
    for row in rows:
        if row.signature:
            first.setdefault(row.fingerprint, f"{row.preset}:{row.metric}, {row.signature}")
    return [Aside(fingerprint, words) for fingerprint, words in first.items()]


def verdict_lines(rows: Iterable[NumberRow]) -> list[str]:
    """What is stated of numbers that are not as claimed, and what failed; numbers with the same words in one line."""
    grouped: dict[tuple[str, str, str], list[NumberRow]] = {}
    for row in rows:
        if row.signature and (row.recorded != AS_CLAIMED or row.failed):
            words = "; ".join(filter(None, (row.differs, row.note)))
            stated = "not as stated" if row.failed else row.recorded
            grouped.setdefault((row.source, stated, words), []).append(row)
    lines = []
    for (source, verdict, words), of in grouped.items():
        one, more = of[0], f" and {len(of) - 1:,} more" if len(of) > 1 else ""
        said = f"{one.inputs}, {one.called or one.name} {one.printed}{more}"
        lines.append(f"{source}, {verdict}: {said}: {words}.")
    return lines
