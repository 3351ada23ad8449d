"""What labels mean: what a grade is read as, which grades are allowed, which labels are relevant, which are used."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.parameters import Within
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.preparation.facts import OnData
from rankconv.preparation.step_registry import BLOCK
from rankconv.preparation.working_rows import KnownLabels, LabelRows, WorkingBlock

GRADES = Convention("grades", "Form of the grades", reads=BLOCK, tells="a label with a grade other than 0 and 1")


@GRADES.setting("given", rule="g", other_fractions="integer", plain="always", no="conversion of grades")
def _(block: WorkingBlock) -> None:
    """As they stand."""


@GRADES.setting(
    "integer",
    rule="g without its fraction",
    reads_data=("grades",),
    other_fractions="given",
    plain="always",
    says="grades are cut to whole numbers, towards zero",
)
def _(block: WorkingBlock) -> None:
    """Cut off to a whole number, towards zero, as a C program reads them."""
    block.labels.grade = np.trunc(block.labels.grade)


@GRADES.setting(
    "float32",
    rule="g in single precision",
    reads_data=("grades",),
    other_fractions="integer",
    plain="always",
    says="grades are rounded to single precision",
)
def _(block: WorkingBlock) -> None:
    """Rounded to 24 binary digits, as arrays of 32 bits hold them: 1.00000001 is 1."""
    with np.errstate(over="ignore"):
        block.labels.grade = block.labels.grade.astype(np.float32).astype(np.float64)


@GRADES.setting(
    "binary",
    rule="1 if g > 0 else 0",
    none_negative=True,
    makes_binary=True,
    plain="always",
    says="a grade above 0 is read as 1, and any other as 0",
)
def _(block: WorkingBlock) -> None:
    """Relevant or not, before anything else looks at them."""
    block.labels.grade = (block.labels.grade > 0).astype(float)


@GRADES.equivalent
def of_binary_grades(ours: OnData, other: OnData) -> bool:
    """Whether there are no grades but 0 and 1."""
    return bool(np.isin(ours.facts.grades, (0, 1)).all())


NEGATIVE = Convention("negative", "Negative grades", reads=BLOCK, tells="a label with a negative grade")


@NEGATIVE.setting(
    "grade", rule="a grade like any other", plain="always", says="a negative grade is a grade like any other"
)
def _(block: WorkingBlock) -> None:
    """It enters gains and sums as it is."""


@NEGATIVE.setting("zero", rule="0", plain="always", says="a negative grade counts as 0")
def _(block: WorkingBlock) -> None:
    """Judged, worth nothing."""
    np.maximum(block.labels.grade, 0.0, out=block.labels.grade)


@NEGATIVE.setting("unjudged", rule="no label", plain="always", says="an item with a negative grade counts as unjudged")
def _(block: WorkingBlock) -> None:
    """As if the item had never been judged."""
    block.labels.exists &= block.labels.grade >= 0


@NEGATIVE.setting(
    "in-pool",
    rule="in the pool, not judged",
    cite="trec_eval-10",
    plain="no negative grades",
    says="an item with a negative grade counts as pooled and unjudged",
)
def _(block: WorkingBlock) -> None:
    """Not judged, but known to have been pooled; only inferred AP tells it from an unjudged item."""
    block.labels.in_pool = block.labels.grade < 0


@NEGATIVE.setting(
    "absent",
    rule="no label, and its item is taken out of the list",
    cite="tensorflow_ranking",
    plain="no negative grades",
    says="an item with a negative grade is padding, and is taken out of labels and list",
)
def _(block: WorkingBlock) -> None:
    """As padding: neither the label nor the row exists."""
    absent = block.labels.grade < 0
    block.labels.exists &= ~absent
    block.rows.take(~np.append(absent, False)[block.rows.label])


@NEGATIVE.setting(
    "last",
    rule="grade -1 becomes 0 and comes last, in the list and in the ideal list",
    reads_data=("grades",),
    cite="allrank",
    plain="no negative grades",
    says="an item of grade -1 gets grade 0 and comes last, in the list and in the ideal list",
)
def _(block: WorkingBlock) -> None:
    """Padding that is kept; grades below -1 are grades."""
    block.labels.at_end = block.labels.grade == -1
    block.labels.grade = np.where(block.labels.at_end, 0.0, block.labels.grade)


@NEGATIVE.setting(
    "invalid",
    rule="refused",
    may_refuse=True,
    moment="known",
    plain="always",
    says="a negative grade is not allowed",
)
def _(block: WorkingBlock) -> None:
    """A user with a negative grade among the labels that exist is not allowed."""
    _refuse_grades(block, lambda grade: grade < 0, "below 0 (negative=invalid)")


@NEGATIVE.idle("no grade is negative", by="grades")
def _(context: Context) -> bool:
    return context.traits("grades").none_negative


@NEGATIVE.equivalent
def _(ours: OnData, other: OnData) -> bool:
    return not (ours.facts.grades < 0).any()


GRADES_ALLOWED = Convention(
    "grades-allowed",
    "Grades that are allowed",
    reads=BLOCK,
    tells="a label with a grade other than 0 and 1",
    combine=True,
)


@GRADES_ALLOWED.setting("any", rule="every number", plain="always", no="limit on grades")
def _(block: WorkingBlock) -> None:
    """No grade is refused."""


@GRADES_ALLOWED.setting(
    "binary",
    rule="0 and 1",
    may_refuse=True,
    plain="always",
    reads_data=("grades",),
    says="grades other than 0 and 1 are not allowed",
)
def _(block: WorkingBlock) -> None:
    """Any other grade is refused."""
    _refuse_grades(block, lambda grade: (grade != 0) & (grade != 1), "that is neither 0 nor 1 (grades-allowed=binary)")


@GRADES_ALLOWED.setting(
    "unit-interval",
    rule="0 <= g <= 1",
    may_refuse=True,
    plain="always",
    reads_data=("grades",),
    says="grades outside 0 to 1 are not allowed",
)
def _(block: WorkingBlock) -> None:
    """A grade outside is refused."""
    _refuse_grades(block, lambda grade: (grade < 0) | (grade > 1), "outside 0 to 1 (grades-allowed=unit-interval)")


@GRADES_ALLOWED.setting(
    "integer",
    rule="whole numbers, at most the highest",
    may_refuse=True,
    reads_data=("grades",),
    plain="always",
    says="grades that are not whole numbers{highest:? or are above } are not allowed",
)
def _(block: WorkingBlock, highest: float = np.inf) -> None:
    """A fractional grade is refused, and one above the highest."""
    _refuse_grades(
        block,
        lambda grade: (np.floor(grade) != grade) | (grade > highest),
        "that is not whole, or too high (grades-allowed=integer)",
    )


def _refuse_grades(block: WorkingBlock, wrong: Callable[[Numbers], Mask], reason: str) -> None:
    """Refuse the users with a wrong grade among the labels that exist, also of an item only pooled.

    `wrong` finds them among grades of shape (labels,).
    """
    labels = block.labels
    user, item, grade = labels.user, labels.item, np.where(labels.exists, labels.grade, 0.0)
    if block.aligned_arrays:
        assert block.known is not None
        user, item, grade = block.known.user, block.known.item, block.known.grade
    block.refuse(wrong(grade), user, item, f"has item {{item}} with a grade {reason}", "labels")


GRADES_ALLOWED.equivalent(of_binary_grades)


RELEVANT = Convention(
    "relevant",
    "Labels that are relevant",
    reads=("grades", "highest"),
    tells="a label with a grade at the border of relevance",
    function_of=FunctionOf(
        "grades",
        "a grade of",
        "whether a label is relevant is {value} of its grade",
        bool,
        traits=Traits(plain="always"),
    ),
)
"""A setting gives whether a label of each grade is relevant, shape as `grades`, such as (labels,); `highest`, of that
shape too, is the highest grade that the owner of each grade has."""


@RELEVANT.setting(
    "above",
    rule="g > x",
    plain="always",
    reads_data=lambda level: () if level == 0 else ("grades",),
    says="a label is relevant if its grade is above {level}",
)
def _(grades: Numbers, level: float) -> Mask:
    """A grade above the level."""
    return np.asarray(grades > level)


@RELEVANT.setting(
    "at-least", rule="g >= x", plain="always", says="a label is relevant if its grade is at least {level}"
)
def _(grades: Numbers, level: float) -> Mask:
    """A grade at or above the level."""
    return np.asarray(grades >= level)


@RELEVANT.setting(
    "non-zero", rule="g != 0", plain="always", reads_data=(), says="a label is relevant unless its grade is 0"
)
def _(grades: Numbers) -> Mask:
    """Any grade but zero, negative ones too."""
    return np.asarray(grades != 0)


@RELEVANT.setting(
    "any-label",
    rule="every label",
    plain="always",
    reads_data=(),
    says="every label is relevant, whatever its grade",
)
def _(grades: Numbers) -> Mask:
    """Every labelled item, whatever its grade."""
    return np.ones(len(grades), bool)


@RELEVANT.equivalent
def _(ours: OnData, other: OnData) -> bool:
    grades, highest = ours.facts.grades, ours.facts.highest
    if any(one.settings["labels-used"].traits.aligned_arrays for one in (ours, other)):
        # what is not labelled has grade 0 there, and a list may hold nothing else
        grades, highest = np.union1d(grades, 0.0), np.union1d(highest, 0.0)
    cases = [grades[grades <= most] for most in highest]
    return all(_agree(ours, other, one.read_as(case)) for one in ours.readings(other) for case in cases)


def _agree(ours: OnData, other: OnData, grades: Numbers) -> bool:
    """Whether both find equal labels relevant of a user who has these grades, shape (grades,)."""
    return np.array_equal(ours.relevant(grades), other.relevant(grades))


LABELS_USED = Convention(
    "labels-used", "Labels that are used", tells="a label that was not returned, or is not relevant"
)
"""It sets the number of relevant labels, the ideal list, the negatives and the grade sum, before any depth."""


@dataclass(frozen=True)
class CutOfLabels:
    """How the relevant labels of a user are cut: in the order given, or by falling grade."""

    by_grade: bool
    by_item: bool = False
    """Whether labels of one grade are ordered by item, and not as given."""
    rows: int | None = None
    """So many stay; None for the cutoff of the metric."""
    tolerance: float = 0.0
    """Labels whose grade is less than this below the last stay too."""


@LABELS_USED.setting(
    "all",
    rule="all labels of the user",
    plain="always",
    says="all labels of a user are used, also those of items that were not returned",
)
def _() -> None:
    """Also those of items that were not returned."""


@LABELS_USED.setting(
    "relevant-only",
    rule="only the relevant labels",
    relevant_only=True,
    plain="always",
    says="only the relevant labels are used",
)
def _() -> None:
    """Lower grades do not exist, as in systems that are given the relevant items alone."""


@LABELS_USED.setting(
    "aligned-arrays",
    rule="each row of the list; an unjudged one has grade 0",
    aligned_arrays=True,
    plain="always",
    says="the labels used are those of the rows of the list, where an item without one has grade 0",
)
def _() -> None:
    """Labels that were not returned are invisible, as in functions of aligned score and label arrays."""


@LABELS_USED.setting(
    "first-k",
    rule="only the first k relevant labels",
    relevant_only=True,
    reads_cutoff=True,
    reads_data=lambda by, equal="by-item": (
        *(("grades",) if by == "by-grade" else ()),
        *(("label-order",) if "as-given" in (by, equal) else ()),
    ),
    cite="pyvespa",
    says="only the first k relevant labels {by} are used{equal:?, those of one grade }",
)
def _(by: Literal["as-given", "by-grade"], equal: Literal["by-item", "as-given"] = "by-item") -> CutOfLabels:
    """The truth is a list of neighbours and cut as the ranking is: in the order given, or by falling grade.

    By grade, labels of one grade are ordered by item id as text, rising, so that no order of rows decides, or stay in
    the order given (`equal=as-given`).
    """
    return CutOfLabels(by == "by-grade", by == "by-grade" and equal == "by-item")


@LABELS_USED.setting(
    "first",
    rule="only the first n relevant labels",
    relevant_only=True,
    reads_data=lambda rows, by, equal="by-item": (
        *(("grades",) if by == "by-grade" else ()),
        *(("label-order",) if "as-given" in (by, equal) else ()),
    ),
    cite="open_rag_eval",
    says="only the first {rows} relevant labels {by} are used{equal:?, those of one grade }",
)
def _(
    rows: Annotated[int, Within(1, 1e9)],
    by: Literal["as-given", "by-grade"],
    equal: Literal["by-item", "as-given"] = "by-item",
) -> CutOfLabels:
    """As `first-k`, where the number is not the cutoff of the metric."""
    return CutOfLabels(by == "by-grade", by == "by-grade" and equal == "by-item", rows)


@LABELS_USED.setting(
    "first-k-and-ties",
    rule="only the k relevant labels of the highest grades, and those whose grade is less than x from the k-th",
    relevant_only=True,
    reads_cutoff=True,
    reads_data=("grades",),
    cite="big_ann",
    says="only the k relevant labels of the highest grades, and those less than {tolerance} below them, are used",
)
def _(tolerance: Annotated[float, Within(0, 1e9)]) -> CutOfLabels:
    """Which of several neighbours at one distance is the k-th does not count; there may be more than k."""
    return CutOfLabels(by_grade=True, tolerance=tolerance)


@LABELS_USED.equivalent
def _(ours: OnData, other: OnData) -> bool:
    kinds = {one.settings["labels-used"].setting_type.name for one in (ours, other)}
    everything = all(one.relevant(one.grades).all() for one in (ours, other))
    return kinds == {"all", "relevant-only"} and everything


def decide_relevant(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Decide which labels are relevant, and whether the others exist."""
    labels, relevant, known = block.labels, settings["relevant"], settings["labels-used"]
    block.aligned_arrays = known.traits.aligned_arrays
    highest = _highest_grades(block)
    labels.relevant = relevant(grades=labels.grade, highest=highest[labels.user]) & labels.exists & ~labels.in_pool
    if labels.elsewhere is not None:
        labels.relevant &= ~labels.elsewhere
    cut: CutOfLabels | None = known()
    if cut is not None:
        by_item = [block.joined.items.text_rank[labels.item]] if cut.by_item else []
        by_grade = [-labels.grade] if cut.by_grade else []
        order = np.lexsort((*by_item, *by_grade, ~labels.relevant, labels.user))
        labels.relevant &= _first(labels, order, block.k if cut.rows is None else cut.rows, cut.tolerance)
    if known.traits.relevant_only:
        labels.exists &= labels.relevant
    zero = relevant(grades=np.zeros(block.size), highest=highest)
    block.unlabelled_relevant = zero if block.aligned_arrays else np.zeros(block.size, bool)


def _first(labels: LabelRows, order: Codes, k: int | None, tied: float) -> Mask:
    """The first k relevant labels of each user, who are together in this order; all of shape (labels,).

    And those whose grade is less than `tied` below the last of them.
    """
    relevant = labels.relevant
    first = np.zeros(len(relevant), bool)
    first[order] = within(labels.user[order]) < (len(relevant) if k is None else k)
    first &= relevant
    last = np.full(labels.user.max(initial=-1) + 1, np.inf)
    np.minimum.at(last, labels.user[first], labels.grade[first])
    return first | (relevant & (abs(labels.grade - last[labels.user]) < tied))


def _highest_grades(block: WorkingBlock) -> Numbers:
    """The highest grade of each user, shape (users,), -inf without any.

    It is taken over the labels that exist; where rows are the labels, over the rows, an unjudged one having grade 0.
    """
    highest = np.full(block.size, -np.inf)
    labels, rows = block.labels, block.rows
    if block.aligned_arrays:
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
    rows.grade = np.where(rows.judged, np.append(labels.grade, 0.0)[row], 0.0 if block.aligned_arrays else np.nan)
    rows.relevant = np.where(has, np.append(labels.relevant, False)[row], block.unlabelled_relevant[rows.user])
    if block.aligned_arrays:
        rows.judged = np.ones(len(row), bool)


def settle_known(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Give rows their grades, and settle which labels make R, the ideal and the sums."""
    grade_rows(block)
    labels, rows, known = block.labels, block.rows, settings["labels-used"]
    if block.aligned_arrays:
        block.known = block.known_from_rows(rows.grade)
        return
    row = np.flatnonzero(labels.exists & ~labels.in_pool)
    if known.traits.hits_of_labels:
        rows_of_label = _pair_labels_and_rows(block)
        row = np.repeat(row, np.maximum(rows_of_label[row], 1)) if known.traits.labels_of_rows else row
    block.known = KnownLabels(
        labels.user[row], labels.grade[row], labels.relevant[row], labels.at_end[row], labels.item[row], row
    )


def _pair_labels_and_rows(block: WorkingBlock) -> Codes:
    """Make each row as many hits as its item has relevant labels; return how many rows each label has, shape (labels,).

    A label that is repeated has the rows of its item each time.
    """
    labels, rows = block.labels, block.rows
    _, pair = np.unique(labels.user * block.items + labels.item, return_inverse=True)
    has = rows.label >= 0
    of_rows = np.bincount(pair[rows.label[has]], minlength=len(labels.user))
    relevant = np.bincount(pair[labels.relevant], minlength=len(labels.user))
    hits = np.where(has, np.append(relevant[pair], 0)[rows.label], rows.relevant)
    rows.relevant = hits > 0  # where its own label is not, another one of the item may be
    if (hits > 1).any():
        rows.hits = np.maximum(hits, 1).astype(float)
        rows.weight = rows.hits if rows.weight is None else rows.weight * rows.hits
    rows_of_label: Codes = of_rows[pair]
    return rows_of_label
