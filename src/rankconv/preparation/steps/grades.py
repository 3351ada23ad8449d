"""What a grade is: in which form it is read, what a negative one means, and which are allowed."""

from collections.abc import Callable

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.preparation.on_data import OnData
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Context, Convention

GRADES = Convention("grades", "Form of the grades", reads=BLOCK, tells="a label with a grade other than 0 and 1")
step_after("duplicate-labels", GRADES)


@GRADES.setting("given", rule="g", other_fractions="integer", plain="always", no="conversion of grades")
def _(block: WorkingBlock) -> None:
    """As they stand."""


@GRADES.setting(
    "integer",
    rule="g without its fraction",
    other_fractions="given",
    plain="always",
    says="grades are cut to whole numbers, towards zero",
)
def _(block: WorkingBlock) -> None:
    """Cut off to a whole number, towards zero, as a C program reads them."""
    block.labels.grade = np.trunc(block.labels.grade)


@GRADES.setting(
    "binary",
    rule="1 if g > 0 else 0",
    none_negative=True,
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
step_after("grades", NEGATIVE)
step_after("labels-used", NEGATIVE, "known")


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
    cite="allrank",
    plain="no negative grades",
    says="an item of grade -1 gets grade 0 and comes last, in the list and in the ideal list",
)
def _(block: WorkingBlock) -> None:
    """Padding that is kept; grades below -1 are grades."""
    block.labels.at_end = block.labels.grade == -1
    block.labels.grade = np.where(block.labels.at_end, 0.0, block.labels.grade)


@NEGATIVE.setting("invalid", rule="refused", when="known", plain="always", says="a negative grade is not allowed")
def _(block: WorkingBlock) -> None:
    """A user with a negative grade among the labels that exist is not allowed."""
    _refuse_grades(block, lambda grade: grade < 0, "below 0 (negative=invalid)")


@NEGATIVE.idle("no grade is negative", by="grades")
def _(context: Context) -> bool:
    return bool(context.trait("grades", "none_negative"))


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
step_after("negative known", GRADES_ALLOWED)


@GRADES_ALLOWED.setting("any", rule="every number", plain="always", no="limit on grades")
def _(block: WorkingBlock) -> None:
    """No grade is refused."""


@GRADES_ALLOWED.setting("binary", rule="0 and 1", plain="always", says="grades other than 0 and 1 are not allowed")
def _(block: WorkingBlock) -> None:
    """Any other grade is refused."""
    _refuse_grades(block, lambda grade: (grade != 0) & (grade != 1), "that is neither 0 nor 1 (grades-allowed=binary)")


@GRADES_ALLOWED.setting(
    "unit-interval", rule="0 <= g <= 1", plain="always", says="grades outside 0 to 1 are not allowed"
)
def _(block: WorkingBlock) -> None:
    """A grade outside is refused."""
    _refuse_grades(block, lambda grade: (grade < 0) | (grade > 1), "outside 0 to 1 (grades-allowed=unit-interval)")


@GRADES_ALLOWED.setting(
    "integer",
    rule="whole numbers, at most the highest",
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
    if block.known_rows:
        assert block.known is not None
        user, item, grade = block.known.user, block.known.item, block.known.grade
    block.refuse(wrong(grade), user, item, f"has item {{item}} with a grade {reason}")


GRADES_ALLOWED.equivalent(of_binary_grades)
judged_by(GRADES, NEGATIVE, GRADES_ALLOWED)
