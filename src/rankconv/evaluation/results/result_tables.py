"""Tables of a result: its means with their intervals, and the values of its users."""

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from rankconv.basics.errors import LibraryError
from rankconv.data.ids import typed
from rankconv.engine.aggregate import with_values
from rankconv.engine.metric_result import OUTSIDE, SCORED, Measured
from rankconv.evaluation.results.result_intervals import interval_of, usual
from rankconv.evaluation.statistics.intervals import Interval, interval_head, shown
from rankconv.rendering.pages.cells import ABSENT, REFUSED, number
from rankconv.rendering.pages.table import Table

BySpec = Mapping[str, Measured]
"""Each number by its metric, as it was written."""
FEWEST_SHOWN = 5
"""Of fewer users a table has no interval."""
DRAWN = "{}: an interval takes users drawn again, as Result.intervals() does."
LONGEST, FIRST, LAST = 40, 25, 10
"""Users of a table that is printed whole; and those that are left of a longer one."""


def means_table(
    by_spec: BySpec, users: NDArray[Any], notes: Sequence[str], digits: int, confidence_level: float | None
) -> Table:
    """Metrics, their means, intervals where some mean has one, and the number of users of them."""
    found, more = intervals_or_note(by_spec, users, confidence_level)
    rows = []
    for spec, one in by_spec.items():
        scored, others = _users(one)
        value = REFUSED if one.refusals else number(one.mean, digits)
        interval = [shown(found[spec], digits) if spec in found else ABSENT] if found else []
        rows.append([spec, value, *interval, str(scored), others])
    heads = [interval_head(confidence_level)] if found and confidence_level else []
    prose = frozenset({3 + len(heads)})
    return Table(["metric", "mean", *heads, "scored", "other users"], rows, notes=[*more, *notes], prose=prose)


def mean_rows(by_spec: BySpec, users: NDArray[Any], confidence_level: float | None) -> list[dict[str, Any]]:
    """A row per metric as plain data; None for a number that is missing."""
    found, _ = intervals_or_note(by_spec, users, confidence_level)
    rows: list[dict[str, Any]] = []
    for spec, one in by_spec.items():
        scored, others = _users(one)
        row: dict[str, Any] = {"metric": spec, "mean": None if one.refusals else one.mean}
        if found:
            its = found.get(spec)
            row |= {
                "interval_low": None if its is None else its.low,
                "interval_high": None if its is None else its.high,
            }
        rows.append(row | {"scored": scored, "other users": others})
    return rows


def mean_intervals(by_spec: BySpec, users: NDArray[Any], confidence_level: float) -> dict[str, Interval]:
    """The intervals that a table shows: of the means of users' values, of 5 users or more who count.

    Those of other numbers take users drawn again, which `Result.intervals` does. Raises LibraryError without SciPy.
    """
    found = dict[str, Interval]()
    for spec, one in by_spec.items():
        whole = with_values(one, users)
        if usual(one.definition) == "t" and whole.again is not None and len(whole.again.users) >= FEWEST_SHOWN:
            interval = interval_of(whole, confidence_level)
            if not interval.why:
                found[spec] = interval
    return found


def intervals_or_note(
    by_spec: BySpec, users: NDArray[Any], confidence_level: float | None
) -> tuple[dict[str, Interval], list[str]]:
    """The intervals that are shown, and of which numbers there is none; or, without SciPy, the line that says so."""
    if confidence_level is None:
        return {}, []
    try:
        found = mean_intervals(by_spec, users, confidence_level)
    except LibraryError as missing:
        return {}, [str(missing)]
    drawn = [spec for spec, one in by_spec.items() if not one.refusals and usual(one.definition) != "t"]
    return found, [DRAWN.format(", ".join(drawn))] if found and drawn else []


def _users(one: Measured) -> tuple[int, str]:
    """How many users are scored, and the other states with how many are in them."""
    counts = dict(one.counts)
    scored = counts.pop(one.state_names[SCORED], 0)
    return scored, ", ".join(f"{name}: {count}" for name, count in counts.items())


def users_table(by_spec: BySpec, users: NDArray[Any], notes: Sequence[str], digits: int, *, whole: bool) -> Table:
    """A row per user with the value of each metric, and their mean below."""
    measured, size = by_spec.values(), len(users)
    cut = not whole and size > LONGEST
    rows = [
        _row(by_spec, users, at, digits) for at in ([*range(FIRST), *range(size - LAST, size)] if cut else range(size))
    ]
    if cut:
        rows.insert(FIRST, ["…"] * (len(measured) + 1))
    means = ["mean", *(REFUSED if one.refusals else number(one.mean, digits) for one in measured)]
    notes = [f"{size:,} users in all.", *notes] if cut else notes
    return Table(["user", *by_spec], [*rows, means], notes=notes)


def _row(by_spec: BySpec, users: NDArray[Any], at: int, digits: int) -> list[str]:
    """One user and the value of each metric."""
    values = [(one.states[at] == OUTSIDE, one.shown[at]) for one in by_spec.values()]
    return [typed(users[at]), *(ABSENT if outside else number(value, digits) for outside, value in values)]
