"""A verification as a table: metrics by what became of the cases, and the first difference of each in words."""

from typing import TYPE_CHECKING

from rankconv.report.table import Table
from rankconv.verifying.comparing import STATUSES

if TYPE_CHECKING:
    from rankconv.verifying.verification import Difference, Row, Verification

SHOWN = 3
"""Of how many metrics the first difference is told below the table."""


def verification_table(found: "Verification") -> Table:
    """Metrics by what became of the cases; below them the first differences."""
    headers = ["metric", "in the library", "compared", *STATUSES, "largest difference"]
    rows = [_cells(row) for row in found]
    return Table(
        headers, rows, labels=2, prose=frozenset({1}), notes=[_about(found), *_differences(found), _sum(found)]
    )


def other_version(found: "Verification") -> str:
    """That another version is installed than the preset describes."""
    return (
        f"{found.package} {found.version} is installed, and the preset {found.preset} describes {found.described}: "
        "a difference may be one between the versions."
    )


def _cells(row: "Row") -> list[str]:
    counts = [str(row.counts[status]) for status in STATUSES]
    return [row.metric, row.call, str(row.compared), *counts, f"{row.largest:.1e}" if row.largest else "0"]


def _about(found: "Verification") -> str:
    cases = "1 case" if found.cases == 1 else f"{found.cases} cases"
    return f"Preset {found.preset} against {found.package} {found.version}, {cases}."


def _differences(found: "Verification") -> list[str]:
    told = [f"{row.metric}: {_difference(found, row.first)}" for row in found if row.first]
    more = len(told) - SHOWN
    return [*told[:SHOWN], *([f"{more} more metrics differ; --format json tells of each."] if more > 0 else [])]


def _difference(found: "Verification", first: "Difference") -> str:
    numbers = f"{found.preset} gives {first.ours}, {found.package} {first.theirs}"
    if first.user is None:
        return f"in case '{first.case}' the means differ: {numbers}."
    rows = zip(first.user.ranking, first.user.scores, strict=True)
    listed = ", ".join(f"{item} ({score!r})" for item, score in rows)
    labels = ", ".join(f"{item}={grade:g}" for item, grade in first.user.labels.items())
    return (
        f"case '{first.case}', user {first.user.name}: {numbers}. "
        f"List with scores: {listed or 'empty'}. Labels: {labels or 'none'}."
    )


def _sum(found: "Verification") -> str:
    if not any(row.compared for row in found):
        return "Nothing could be compared."
    differing = sum(row.first is not None for row in found)
    return f"{differing} of {len(found.rows)} metrics differ." if differing else "Nothing differs."
