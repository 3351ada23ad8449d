"""What changed between two moments of preparation, in words."""

from collections.abc import Iterator, Sequence

from rankconv.analysis.explain.snapshots import LabelSnapshot, Snapshot
from rankconv.pages.cells import plural
from rankconv.specs.convention import Setting

SHOWN = 8
"""Items that are named before the rest are counted."""


def listed(items: Sequence[str]) -> str:
    """Items by name, the first ones of many."""
    if len(items) <= SHOWN:
        return ", ".join(items)
    return f"{', '.join(items[: SHOWN - 1])}, … ({len(items)} in all)"


def grade(value: float) -> str:
    """A grade as one writes it."""
    return f"{value:g}"


def graded(label: LabelSnapshot) -> str:
    """A label with its grade."""
    return f"{label.item} (grade {grade(label.grade)})"


def score(value: float) -> str:
    """A score as one writes it."""
    return f"{value:.10g}"


def told(setting: Setting, before: Snapshot, after: Snapshot) -> Iterator[str]:
    """What one step changed; nothing where it changed nothing."""
    yield from _labels_told(before, after)
    yield from _rows_told(setting, before, after)
    yield from (f"refused: {reason}" for reason in after.refusals[len(before.refusals) :])
    if before.known and after.known != before.known:
        yield f"{plural(after.known, 'label')} now, and {before.known} before"


def _labels_told(before: Snapshot, after: Snapshot) -> Iterator[str]:
    pairs = list(zip(before.labels, after.labels, strict=True))
    changed = [(one, now.grade) for one, now in pairs if one.grade != now.grade]
    grades = [f"{one.item} from {grade(one.grade)} to {grade(then)}" for one, then in changed]
    if grades:
        yield f"{'grade' if len(grades) == 1 else 'grades'} changed: {listed(grades)}"
    gone = [graded(one) for one, now in pairs if one.exists and not now.exists]
    if gone:
        yield f"{plural(len(gone), 'label')} dropped: {listed(gone)}"
    pooled = [one.item for one, now in pairs if now.in_pool and not one.in_pool]
    if pooled:
        yield f"in the pool, not judged: {listed(pooled)}"
    at_end = [one.item for one, now in pairs if now.at_end and not one.at_end]
    if at_end:
        yield f"to stand at the end: {listed(at_end)}"


def _rows_told(setting: Setting, before: Snapshot, after: Snapshot) -> Iterator[str]:
    was, now = {row.key: row for row in before.rows}, {row.key: row for row in after.rows}
    gone = [row.item for row in before.rows if row.key not in now]
    if gone:
        yield f"{plural(len(gone), 'item')} dropped: {listed(gone)}"
    new = [row.item for row in after.rows if row.key not in was]
    if new:
        yield f"{plural(len(new), 'row')} appended: {listed(new)}"
    common = [row for row in after.rows if row.key in was]
    if [row.key for row in common] != [row.key for row in before.rows if row.key in now]:
        yield f"re-ordered {_by(setting)}: {listed([row.item for row in after.rows])}"
    scores = [f"{row.item} to {score(row.score)}" for row in common if row.score != was[row.key].score]
    if scores:
        yield f"scores changed: {listed(scores)}"
    no_hits = [row.item for row in common if was[row.key].relevant and row.relevant is False]
    if no_hits:
        yield f"no hit again: {listed(no_hits)}"
    heavy = [f"{row.item} ({row.weight:g} times)" for row in common if row.weight != was[row.key].weight]
    if heavy:
        yield f"counted as often as rows hold the item: {listed(heavy)}"


def _by(setting: Setting) -> str:
    return setting.setting_type.rule if setting.trait("by_score") else "so that what belongs last stands last"
