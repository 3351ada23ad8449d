"""A reproduction as tables: a line per source, a line per number, and what stands against each other."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rankconv.report.table import Table
from rankconv.reproducing.verdicts import ERRATUM, EXACT, VERDICTS

if TYPE_CHECKING:
    from rankconv.reproducing.reproduction import Reproduction, Row


def sources_table(found: "Reproduction") -> Table:
    """A line per source: how many numbers came out how."""
    rows = []
    for name, title in found.titles.items():
        verdicts = [row.verdict for row in found if row.source == name]
        left_out = sum(len(one.printed) for one in found.left_out if one.source == name)
        counts = [len(verdicts), *(verdicts.count(verdict) for verdict in VERDICTS), left_out]
        rows.append([name, title, *(str(count) if count else "–" for count in counts)])
    return Table(["source", "what it is", "numbers", *VERDICTS, "left out"], rows, labels=2, prose=frozenset({1}))


def numbers_table(rows: Iterable["Row"]) -> Table:
    """A line per number: as printed, and as it comes out."""
    headers = ["source", "where", "preset", "metric", "printed", "ours", "verdict"]
    return Table(headers, [_cells(row) for row in rows], labels=4, prose=frozenset({1}))


def _cells(row: "Row") -> list[str]:
    metric = row.metric if row.user is None else f"{row.metric}, {row.user}"
    verdict = f"{row.verdict}, wrongly marked" if row.wrongly_marked else row.verdict
    return [row.source, row.where, row.preset, metric, row.printed, row.shown, verdict]


def not_exact(found: "Reproduction") -> list["Row"]:
    """All that a reader should look at."""
    return [row for row in found if row.verdict != EXACT or row.wrongly_marked]


def closing_lines(found: "Reproduction") -> list[str]:
    """Notes on single numbers, contradictions inside a source, what is left out; the summary last."""
    return [*_notes(found), *_contradictions(found), *_left_out(found), found.summary]


def _notes(found: "Reproduction") -> list[str]:
    noted = [row for row in not_exact(found) if row.note and (row.failed or row.verdict == ERRATUM)]
    return [f"{row.source}, {row.where}, {row.metric}: {row.printed}, ours {row.shown}; {row.note}." for row in noted]


def _contradictions(found: "Reproduction") -> list[str]:
    return [
        f"{one.source}, {one.where}: {one.reading} gives {one.shown}, {one.against} the printed {one.printed}"
        f" ({'but they agree, or the latter does not come out' if one.failed else one.says})."
        for one in found.contradictions
    ]


def _left_out(found: "Reproduction") -> list[str]:
    counts: dict[tuple[str, str], int] = {}
    for one in found.left_out:
        counts[one.source, one.reason] = counts.get((one.source, one.reason), 0) + len(one.printed)
    return [f"{source}: {count} left out, as {reason}." for (source, reason), count in counts.items()]
