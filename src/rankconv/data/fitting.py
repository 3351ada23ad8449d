"""Whether labels and rankings can belong together: arrays of one shape, and each in its own place."""

import numpy as np

from rankconv.data.form import Form
from rankconv.data.labels_and_rankings import Labels, Rankings, Scores
from rankconv.errors import InputError

_MANY = 10
"""So many different fractions are no grades that people give."""
_HIGHEST = 5
"""Grades are seldom higher."""
_KINDS = {"dense": "an array", "sparse": "a sparse matrix", "ids": "an array of item ids"}
_FEW_ROWS = 100
"""Looked at first: most scores are no grades, and these tell."""


def check_fit(labels: Labels, rankings: Rankings, *, part: bool = False) -> None:
    """An InputError where the two are arrays of different shape, or look exchanged.

    A `part` of the users may look as if it were.
    """
    check_shapes(labels.form, rankings.form, "the labels", "the rankings")
    _check_columns(labels, rankings)
    _check_ids(labels, rankings)
    if not part:
        _check_numbers(labels, rankings)


def check_shapes(one: Form, other: Form, called: str, other_called: str) -> None:
    """An InputError unless both have as many users, and as many items where both have a column for each item.

    A sparse matrix may be smaller: unless told its shape, SciPy ends it with the last entry.
    """
    if not (one.kind and other.kind):
        return
    axes = (0,) if "ids" in (one.kind, other.kind) else (0, 1)
    if any(_differ(one, other, axis) for axis in axes):
        sides = [
            f"{name}: {_KINDS[form.kind]} of shape {form.shape}"
            for name, form in ((called, one), (other_called, other))
        ]
        raise InputError(
            f"the arrays do not fit each other ({'; '.join(sides)})",
            allowed="Both have one row for each user" + (", and one column for each item" if len(axes) > 1 else ""),
            do="Give both the same users and items; a user without any has zeros, or padding where there are ids",
        )


def _differ(one: Form, other: Form, axis: int) -> bool:
    """Whether the arrays do not fit in the length of this axis."""
    lengths, sparse = (one.shape[axis], other.shape[axis]), [form.kind == "sparse" for form in (one, other)]
    if all(sparse):
        return False
    return lengths[sparse.index(True)] > lengths[sparse.index(False)] if any(sparse) else lengths[0] != lengths[1]


def _check_columns(labels: Labels, rankings: Rankings) -> None:
    if labels.form.foreign and rankings.form.foreign:
        raise _exchanged(
            f"the labels have no grades and a column '{labels.form.foreign}', and the rankings have neither scores "
            f"nor ranks and a column '{rankings.form.foreign}'",
            labels,
            rankings,
            "if not, name the columns: grade=…, score=…",
        )


def _check_ids(labels: Labels, rankings: Rankings) -> None:
    """An InputError where whole scores, one for each item, were taken for item ids; the grades' columns tell."""
    if (labels.form.kind, rankings.form.kind) != ("dense", "ids") or not len(rankings.items):
        return
    ids, (users, items) = rankings.items.values, labels.form.shape
    do = "if these are scores, pass array.astype(float)"
    if rankings.form.shape == labels.form.shape and len(rankings.item) == users * items and len(ids) < items:
        known = ", ".join(map(str, sorted(ids.tolist())[:3])) + (", …" if len(ids) > 3 else "")
        wrong = f"the run has the shape of the grades, {labels.form.shape}, and as item ids only {known}"
        raise _exchanged(wrong, labels, rankings, do)
    if int(ids.max()) >= items or int(ids.min()) < 0:
        odd = int(ids.max()) if int(ids.max()) >= items else int(ids.min())
        wrong = f"the run has the item {odd}, and the labels have the {items} columns 0 to {items - 1}"
        raise InputError(wrong, do=f"Number the items from 0; {do}")


def _check_numbers(labels: Labels, rankings: Rankings) -> None:
    some = rankings.scores_in_any_order
    if some is None or not (len(some) and _like_grades(some[:_FEW_ROWS]) and _like_grades(some)):
        return
    score, grade = rankings.score, labels.grade
    assert score is not None
    fractions = np.unique(grade[grade % 1 != 0])
    tied = score[1:] == score[:-1]
    tied[rankings.starts[1:-1][(rankings.starts[1:-1] > 0) & (rankings.starts[1:-1] < len(score))] - 1] = False
    if len(fractions) < _MANY or 2 * np.count_nonzero(tied) < len(score):
        return
    wrong = f"the labels have {len(fractions)} different fractions, and the scores are only "
    wrong += " and ".join(f"{value:g}" for value in np.unique(score))
    raise _exchanged(wrong, labels, rankings, f"if not, pass the scores times {2 * _HIGHEST}: only their order counts")


def _like_grades(score: Scores) -> bool:
    """Whether all these scores, shape (rows,), are whole and as low as grades."""
    return bool(((score >= 0) & (score <= _HIGHEST) & (score % 1 == 0)).all())


def _exchanged(wrong: str, labels: Labels, rankings: Rankings, else_do: str) -> InputError:
    where = f"{labels.source} and {rankings.source}"
    return InputError(wrong, where=where, do=f"Are the labels and the rankings exchanged? Labels come first; {else_do}")
