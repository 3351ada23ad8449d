"""The special situations of a user once more, told from the plain rows: the second opinion on who is special."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rankconv.analysis.explain.rows import NOBODY_KNOWS, JudgedList
from rankconv.analysis.explain.words import Derivation, Sheet
from rankconv.presets.definition import Definition


@dataclass(frozen=True)
class Case:
    """One user under one definition: what the causes look at."""

    judged: JudgedList
    sheet: Sheet
    working: Derivation
    rows_needed: float


HOLDS: dict[str, Callable[[Case], bool]] = {
    "on-invalid": lambda case: bool(case.judged.refusals),
    "on-no-ranking": lambda case: not case.judged.in_rankings,
    "on-nothing-judged": lambda case: not case.judged.judged_grades,
    "on-empty-ranking": lambda case: not case.judged.rows,
    "on-too-few-rows": lambda case: len(case.judged.rows) < case.rows_needed,
    "on-short-ranking": lambda case: len(case.judged.rows) < (case.sheet.k or 0),
    "on-unjudged": lambda case: any(_unjudged(case.judged)),
    "on-undetermined": lambda case: _depends(case.sheet.metric.name, case.sheet, _unjudged(case.judged)),
    "on-no-labels": lambda case: not case.judged.label_rows,
    "on-no-relevant": lambda case: not case.sheet.relevant,
    "on-zero-grade-sum": lambda case: sum((label.grade for label in case.judged.labels), Fraction(0)) == 0,
    "on-no-non-relevant": lambda case: not case.sheet.not_relevant,
    "on-no-hits": lambda case: not case.sheet.found,
    "on-unretrieved-relevant": lambda case: _different_hits(case.sheet) < case.sheet.relevant,
    "on-negative-denominator": lambda case: case.working.denominator.value < 0,
    "on-above-one": lambda case: _above_one(case.working),
    "on-zero-value": lambda case: case.working.numerator.value == 0,
    "on-nonzero-over-zero": lambda case: case.working.denominator.value == 0 and not _nothing(case.working),
    "on-zero-division": lambda case: case.working.denominator.value == 0 and _nothing(case.working),
}
"""Whether a user is in the situation that a cause names; without `on-equal-or-zero-scores`, which asks who came
first."""


def _unjudged(judged: JudgedList) -> list[bool]:
    """Of each row whether it holds an item without a judgment; where the rows are the labels, one made for it."""
    if judged.labels_are_rows:
        return [label.represents_row and label.item != NOBODY_KNOWS for label in judged.labels]
    return [not row.judged and row.item != NOBODY_KNOWS for row in judged.rows]


def _depends(metric: str, sheet: Sheet, unjudged: list[bool]) -> bool:
    """Whether a judgment could change the value: for the metrics of presets that ask this."""
    read = [*zip(unjudged, sheet.hits, strict=True)][: sheet.read]
    open_first = next((unknown for unknown, hit in read if unknown or hit), False)
    return {"hit_rate": any(unjudged) and not any(sheet.hits[: sheet.read]), "reciprocal_rank": open_first}[metric]


def _different_hits(sheet: Sheet) -> int:
    return sum(row.relevant and not row.repeated for row in sheet.rows[: sheet.read])


def _above_one(working: Derivation) -> bool:
    if working.parts:
        return any(part.numerator.value > part.denominator.value for part in working.parts)
    return working.numerator.value > working.denominator.value


def _nothing(working: Derivation) -> bool:
    return working.numerator.value == 0 or math.isnan(working.numerator.value)


def deciding_policy(case: Case, definition: Definition) -> str | None:
    """The first policy that the definition answers and this user is in; None where the formula decides."""
    return next((name for name in definition.aggregation.policies if HOLDS[name](case)), None)
