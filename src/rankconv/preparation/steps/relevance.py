"""Which labels are relevant, which of them exist, and what that says of the rows of the list."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from rankconv.data.arrays import Mask, Numbers, within
from rankconv.preparation.on_data import OnData
from rankconv.preparation.registry import judged_by, step_after
from rankconv.preparation.rows import Known, LabelRows, WorkingBlock
from rankconv.specs.convention import Convention, Setting
from rankconv.specs.custom import FunctionOf

RELEVANT = Convention(
    "relevant",
    "Labels that are relevant",
    reads=("grades", "highest"),
    tells="a label with a grade at the border of relevance",
    function_of=FunctionOf(
        "grades", "a grade of", "whether a label is relevant is {value} of its grade", bool, traits={"plain": "always"}
    ),
)
"""A setting gives whether a label of each grade is relevant, shape as `grades`, such as (labels,); `highest`, of that
shape too, is the highest grade that the owner of each grade has."""


@RELEVANT.setting("above", rule="g > x", plain="always", says="a label is relevant if its grade is above {level}")
def _(grades: Numbers, level: float) -> Mask:
    """A grade above the level."""
    return np.asarray(grades > level)


@RELEVANT.setting(
    "at-least", rule="g >= x", plain="always", says="a label is relevant if its grade is at least {level}"
)
def _(grades: Numbers, level: float) -> Mask:
    """A grade at or above the level."""
    return np.asarray(grades >= level)


@RELEVANT.setting("non-zero", rule="g != 0", plain="always", says="a label is relevant unless its grade is 0")
def _(grades: Numbers) -> Mask:
    """Any grade but zero, negative ones too."""
    return np.asarray(grades != 0)


@RELEVANT.setting("any-label", rule="every label", plain="always", says="every label is relevant, whatever its grade")
def _(grades: Numbers) -> Mask:
    """Every labelled item, whatever its grade."""
    return np.ones(len(grades), bool)


@RELEVANT.equivalent
def _(ours: OnData, other: OnData) -> bool:
    grades, highest = ours.facts.grades, ours.facts.highest
    if any(one.settings["labels-used"].setting_type.traits.get("rows_are_labels") for one in (ours, other)):
        # what is not labelled has grade 0 there, and a list may hold nothing else
        grades, highest = np.union1d(grades, 0.0), np.union1d(highest, 0.0)
    cases = [grades[grades <= most] for most in highest]
    return all(_agree(ours, other, one.read_as(case)) for one in ours.readings(other) for case in cases)


def _agree(ours: OnData, other: OnData, grades: Numbers) -> bool:
    """Whether both find equal labels relevant of a user who has these grades, shape (grades,)."""
    return np.array_equal(ours.relevant(grades), other.relevant(grades))


KNOWN = Convention("labels-used", "Labels that are used", tells="a label that was not returned, or is not relevant")
"""It sets the number of relevant labels, the ideal list, the negatives and the grade sum, before any depth."""


@KNOWN.setting(
    "all",
    rule="all labels of the user",
    plain="always",
    says="all labels of a user are known, also those of items that were not returned",
)
def _() -> str:
    """Also those of items that were not returned."""
    return "labels"


@KNOWN.setting(
    "relevant-only",
    rule="only the relevant labels",
    relevant_only=True,
    plain="always",
    says="only the relevant labels are known",
)
def _() -> str:
    """Lower grades do not exist, as in systems that are given the relevant items alone."""
    return "relevant"


@KNOWN.setting(
    "aligned-arrays",
    rule="each row of the list; an unjudged one has grade 0",
    rows_are_labels=True,
    plain="always",
    says="the known labels are those of the rows of the list, where an item without one has grade 0",
)
def _() -> str:
    """Labels that were not returned are invisible, as in functions of aligned score and label arrays."""
    return "rows"


@KNOWN.setting(
    "first-k",
    rule="only the first k relevant labels",
    relevant_only=True,
    reads_cutoff=True,
    cite="pyvespa",
    says="only the first k relevant labels {by} are known",
)
def _(by: Literal["as-given", "by-grade"]) -> str:
    """The truth is a list of neighbours and cut as the ranking is: in the order given, or by falling grade."""
    return by


@KNOWN.equivalent
def _(ours: OnData, other: OnData) -> bool:
    kinds = {one.settings["labels-used"].setting_type.name for one in (ours, other)}
    everything = all(one.relevant(one.grades).all() for one in (ours, other))
    return kinds == {"all", "relevant-only"} and everything


def decide_relevant(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Decide which labels are relevant, and whether the others exist."""
    labels, relevant, known = block.labels, settings["relevant"], settings["labels-used"]
    block.known_rows = known() == "rows"
    highest = _highest_grades(block)
    labels.relevant = relevant(grades=labels.grade, highest=highest[labels.user]) & labels.exists & ~labels.in_pool
    if labels.elsewhere is not None:
        labels.relevant &= ~labels.elsewhere
    if known() == "relevant":
        labels.exists &= labels.relevant
    elif known.setting_type.traits.get("reads_cutoff"):
        labels.relevant &= _first(labels, labels.relevant, known() == "by-grade", block.k)
        labels.exists &= labels.relevant
    zero = relevant(grades=np.zeros(block.size), highest=highest)
    block.unlabelled_relevant = zero if block.known_rows else np.zeros(block.size, bool)


def _first(labels: LabelRows, relevant: Mask, by_grade: bool, k: int | None) -> Mask:
    """The first k of these labels of each user, in the order given or by falling grade; masks have shape (labels,)."""
    place = np.arange(len(relevant))
    order = np.lexsort((place, -labels.grade if by_grade else place, ~relevant, labels.user))
    first = np.zeros(len(relevant), bool)
    first[order] = within(labels.user[order]) < (len(relevant) if k is None else k)
    return first & relevant


def _highest_grades(block: WorkingBlock) -> Numbers:
    """The highest grade of each user, shape (users,), -inf without any.

    It is taken over the labels that exist; where rows are the labels, over the rows, an unjudged one having grade 0.
    """
    highest = np.full(block.size, -np.inf)
    labels, rows = block.labels, block.rows
    if block.known_rows:
        graded = np.append(labels.exists & ~labels.in_pool, False)[rows.label]
        np.maximum.at(highest, rows.user, np.where(graded, np.append(labels.grade, 0.0)[rows.label], 0.0))
    else:
        np.maximum.at(highest, labels.user[labels.exists], labels.grade[labels.exists])
    return highest


def grade_rows(block: WorkingBlock) -> None:
    """Give each ranked row the grade of its label; NaN where it has none."""
    labels, rows = block.labels, block.rows
    row, has = rows.label, rows.label >= 0
    has = has & np.append(labels.exists, False)[row]
    rows.judged = has & ~np.append(labels.in_pool, False)[row]
    rows.grade = np.where(rows.judged, np.append(labels.grade, 0.0)[row], 0.0 if block.known_rows else np.nan)
    rows.relevant = np.where(has, np.append(labels.relevant, False)[row], block.unlabelled_relevant[rows.user])
    if block.known_rows:
        rows.judged = np.ones(len(row), bool)


def settle_known(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Give rows their grades, and settle which labels make R, the ideal and the sums."""
    grade_rows(block)
    labels, rows, known = block.labels, block.rows, settings["labels-used"]
    if block.known_rows:
        block.known = block.known_from_rows(rows.grade)
        return
    row = np.flatnonzero(labels.exists & ~labels.in_pool)
    if known() == "joined":
        rows_of_label = np.bincount(rows.label[rows.label >= 0], minlength=len(labels.user))
        row = np.repeat(row, np.maximum(rows_of_label[row], 1))
    block.known = Known(
        labels.user[row], labels.grade[row], labels.relevant[row], labels.at_end[row], labels.item[row], row
    )


step_after("duplicates weighed", RELEVANT, take=decide_relevant)
step_after("relevant", KNOWN, take=settle_known)
judged_by(RELEVANT, KNOWN)
