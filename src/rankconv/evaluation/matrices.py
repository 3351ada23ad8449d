"""The evaluation of a matrix of scores: most metrics read the first rows of each list alone.

Others read whole lists, of a block of users at a time; few need the lists of all users at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from rankconv.data import inputs
from rankconv.data.array_libraries import ScoreMatrix
from rankconv.data.arrays import Codes, Mask
from rankconv.data.attributes import Form
from rankconv.data.fitting import as_grades
from rankconv.data.inputs.first_rows import TieRows, first_rows, whole_rows
from rankconv.data.inputs.input_rows import as_labels, as_rankings
from rankconv.data.inputs.reading import grade_matrix, score_matrix
from rankconv.data.joined import Joined, rows_of
from rankconv.data.labels_and_rankings import Labels, Run, without_zeros
from rankconv.engine import measure, measure_first_rows
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured
from rankconv.engine.plan import Part, ProgressCallback
from rankconv.engine.user_sums import spans_users
from rankconv.evaluation.joining import choose, join, with_extra
from rankconv.evaluation.notes import with_notes
from rankconv.preparation.ties import TieEffect, TieTraits
from rankconv.presets.definition import Definition

CELLS, BLOCKS = 1 << 18, 256
"""Cells of a block of users whose whole lists are read, each of which takes up to 250 bytes; and at most so many."""


def measure_matrix(
    labels: Any,
    scores: ScoreMatrix,
    definitions: Sequence[Definition],
    side: Mapping[str, Any],
    users: Iterable[Any] | None,
    *,
    per_user: bool,
    report: ProgressCallback | None = None,
) -> tuple[Joined, list[Measured]]:
    """Evaluate a matrix of scores of which whole lists are read only where a metric needs them.

    `side` is the side data that `join` takes. Returns data with the users of the values too.
    """
    side = {**side, "seen": None if side["seen"] is None else _seen(side["seen"], scores)}
    grades, known = grade_matrix(labels, scores.shape), cache(lambda: inputs.labels(labels))

    def joined(run: Run, of_run: Labels | None = None) -> tuple[Joined, Mask | None]:
        return choose(join(known() if of_run is None else of_run, run, **side), users)

    found: list[Measured | None] = [None] * len(definitions)
    data: Joined | None = None
    for (excludes_seen, ties), places in _by_kind(definitions).items():
        if excludes_seen and side["seen"] is None:
            continue
        some = [definitions[at] for at in places]
        excluded = side["seen"] if excludes_seen else None
        narrow = any(one.applied.compared.narrow for one in some)
        most, labelled = max(map(rows_read, some)), known() if grades is None and ties == "labelled" else None
        data, mask = joined(*first_rows(scores, most, excluded, grades, ties=ties, known=labelled, narrow=narrow))
        measured = measure_first_rows(data, some, mask, per_user=per_user, report=report)
        for at, one in zip(places, measured, strict=True):
            found[at] = one
    blocks = [at for at, one in enumerate(found) if one is None and not _reads_all_lists(definitions[at])]
    if blocks:
        data, mask = joined(*first_rows(scores, 1, grades=grades))
        some, parts = [definitions[at] for at in blocks], whole_lists(data, grades, side["seen"])
        by_block = measure(data, some, mask, per_user=per_user, report=report, parts=parts)
        for at, one in zip(blocks, by_block, strict=True):
            found[at] = one
    left = [at for at, one in enumerate(found) if one is None]
    if left:
        data, mask = joined(inputs.rankings(scores.array))
        rest = measure(data, [definitions[at] for at in left], mask, per_user=per_user, report=report)
        for at, one in zip(left, rest, strict=True):
            found[at] = one
    assert data is not None
    return data, with_notes(data, [one for one in found if one is not None])


def _seen(given: Any, scores: ScoreMatrix) -> Labels:
    """Seen items; in an array with a number for each item, those whose number is not 0."""
    seen = as_grades(inputs.interactions(given), Form("dense", scores.shape), "the scores")
    return without_zeros(seen) if seen.form.kind == "dense" else seen


def whole_lists(data: Joined, grades: ScoreMatrix | None, seen: Labels | None) -> Iterator[Part]:
    """The whole lists and the labels of a block of users at a time, of data that have first rows of a matrix."""
    cut = data.rankings.form.cut
    assert cut is not None
    users, items = cut.scores.shape
    step = max(1, CELLS // items, users // BLOCKS)
    for start in range(0, users, step):
        inside = (data.list_rows_of < start + step) & (data.list_rows_of >= (start or -1))
        if grades is None:
            labels = _labels_of(data.labels, data.label_rows_of[inside])
        else:
            labels = as_labels(whole_rows(grades, start, start + step, "grade"))
        run = as_rankings(whole_rows(cut.scores, start, start + step, "score"))
        yield with_extra(replace(data, labels=labels, rankings=run), seen=seen), inside
        del labels, run  # before others are read


def _labels_of(labels: Labels, users: Codes) -> Labels:
    """The labels of these users, shape (some users,), -1 for one without; the others have none then."""
    lengths, rows = np.zeros_like(labels.lengths), rows_of(labels.starts, users)[1]
    lengths[users[users >= 0]] = labels.lengths[users[users >= 0]]
    starts = np.append(0, np.cumsum(lengths))
    fewer: Labels = labels.replace(starts=starts, item=labels.item[rows], grade=labels.grade[rows])
    return fewer


def _reads_all_lists(definition: Definition) -> bool:
    """Whether it needs the lists of all users at once."""
    return spans_users(definition) or bool(definition.applied.settings["collapse"].traits.needs)


def _by_kind(definitions: Sequence[Definition]) -> dict[tuple[bool, TieRows], list[int]]:
    """The places of definitions that read first rows, by whether seen items are excluded, and by the rows of ties."""
    found: dict[tuple[bool, TieRows], list[int]] = {}
    for at, one in enumerate(definitions):
        if rows_read(one):
            found.setdefault(("seen" in one.needs, tie_rows(one)), []).append(at)
    return found


@dataclass(frozen=True)
class FirstRowsRead:
    """What some definitions read of the lists of any matrix of scores."""

    rows: int
    ties: TieRows
    narrow: bool

    @classmethod
    def of(cls, definitions: Sequence[Definition]) -> "FirstRowsRead | None":
        """None where one reads seen items, or the lists of all users at once."""
        if any("seen" in one.needs or _reads_all_lists(one) for one in definitions):
            return None
        kinds = {tie_rows(one) for one in definitions if rows_read(one)} or {"first"}
        ties: TieRows = next(kind for kind in ("all", "labelled", "first") if kind in kinds)
        narrow = any(one.applied.compared.narrow for one in definitions)
        return cls(max(1, *map(rows_read, definitions)), ties, narrow)

    def read(self, labels: Any, run: Any) -> "tuple[Labels, Run, ScoreMatrix | None] | None":
        """Return labels, a run of first rows, and the matrix of grades if the labels are one; None without scores."""
        scores = score_matrix(run)
        if scores is None:
            return None
        grades = grade_matrix(labels, scores.shape)
        known = inputs.labels(labels) if grades is None else None
        ranked, read = first_rows(scores, self.rows, grades=grades, ties=self.ties, known=known, narrow=self.narrow)
        labels = read if known is None else known
        return labels, ranked, grades


def tie_rows(definition: Definition) -> TieRows:
    """Which rows of a tie at the end decide every value."""
    preparation = definition.applied
    ties = TieTraits.of(preparation.settings["ties"])
    if preparation.by_score and preparation.tie_rule is TieEffect.EXPECTED:
        return "labelled"
    as_given = ties.keeps_order and not ties.undefined
    last_first = preparation.settings["order"].traits.last_first
    return "first" if not last_first and (as_given or not preparation.by_score) else "all"


def rows_read(definition: Definition) -> int:
    """How many rows of each list decide every value; 0 where whole lists may."""
    rows = Aggregate(definition, 0, per_user=False).reader(np.zeros(0, bool)).rows_read
    least = definition.aggregation.settings["min-rows"].keywords.get("value", 0)
    whole = rows is None or definition.applied.settings["collapse"].traits.needs
    return 0 if rows is None or whole else max(rows, definition.preparation.filled_to, int(np.ceil(least)))
