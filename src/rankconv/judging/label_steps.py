"""Steps 1 to 5 of judging: what the labels say."""

from collections.abc import Callable

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.judging.on_data import OnData
from rankconv.judging.registry import judged_by, step_after
from rankconv.judging.rows import WorkingBlock
from rankconv.questions.choice import Choice
from rankconv.questions.custom import FunctionOf

BLOCK = ("block",)

DUPLICATE_LABELS = Choice(
    "duplicate-labels",
    "What are two labels of one user for the same item?",
    reads=BLOCK,
    tells="an item labelled twice",
)
step_after("", DUPLICATE_LABELS)


def repeated_labels(block: WorkingBlock) -> Mask:
    """Labels whose item is labelled again further down, shape (labels,)."""
    labels = block.labels
    keys = labels.user * block.items + labels.item
    last = np.full(len(keys), True)
    order = np.argsort(keys, kind="stable")
    last[order[:-1]] = keys[order[1:]] != keys[order[:-1]]
    return ~last


@DUPLICATE_LABELS.option(
    "one", rule="the last of them", plain="distinct labels", says="of several labels for one item the last counts"
)
def _(block: WorkingBlock) -> None:
    """The item has one label, with the grade given last."""
    block.labels.exists &= ~repeated_labels(block)


@DUPLICATE_LABELS.option(
    "counted", rule="as many labels as rows", plain="distinct labels", says="several labels for one item all count"
)
def _(block: WorkingBlock) -> None:
    """Each row is a label of its own, so the number of relevant items grows."""


@DUPLICATE_LABELS.option(
    "error", rule="refused", plain="distinct labels", says="a second label for an item is not allowed"
)
def _(block: WorkingBlock) -> None:
    """The user's labels are not allowed."""
    block.refuse(
        repeated_labels(block),
        block.labels.user,
        block.labels.item,
        "has item {item} labelled twice (duplicate-labels=error)",
    )


@DUPLICATE_LABELS.alike
def _(ours: OnData, other: OnData) -> bool:
    return ours.leaves_lists("duplicate-labels") and other.leaves_lists("duplicate-labels")


GRADES = Choice(
    "grades", "In which form are the grades read?", reads=BLOCK, tells="a label with a grade other than 0 and 1"
)
step_after("duplicate-labels", GRADES)


@GRADES.option("given", rule="g", other_fractions="integer", plain="always", no="conversion of grades")
def _(block: WorkingBlock) -> None:
    """As they stand."""


@GRADES.option(
    "integer",
    rule="g without its fraction",
    other_fractions="given",
    plain="always",
    says="grades are cut to whole numbers, towards zero",
)
def _(block: WorkingBlock) -> None:
    """Cut off to a whole number, towards zero, as a C program reads them."""
    block.labels.grade = np.trunc(block.labels.grade)


@GRADES.option(
    "binary", rule="1 if g > 0 else 0", plain="always", says="a grade above 0 is read as 1, and any other as 0"
)
def _(block: WorkingBlock) -> None:
    """Relevant or not, before anything else looks at them."""
    block.labels.grade = (block.labels.grade > 0).astype(float)


@GRADES.alike
def of_binary_grades(ours: OnData, other: OnData) -> bool:
    """Whether there are no grades but 0 and 1."""
    return bool(np.isin(ours.facts.grades, (0, 1)).all())


NEGATIVE = Choice("negative", "What is a negative grade?", reads=BLOCK, tells="a label with a negative grade")
step_after("grades", NEGATIVE)
step_after("known", NEGATIVE, "known")


@NEGATIVE.option(
    "grade", rule="a grade like any other", plain="always", says="a negative grade is a grade like any other"
)
def _(block: WorkingBlock) -> None:
    """It enters gains and sums as it stands."""


@NEGATIVE.option("zero", rule="0", plain="always", says="a negative grade counts as 0")
def _(block: WorkingBlock) -> None:
    """Judged, worth nothing."""
    np.maximum(block.labels.grade, 0.0, out=block.labels.grade)


@NEGATIVE.option("unjudged", rule="no label", plain="always", says="an item with a negative grade counts as unjudged")
def _(block: WorkingBlock) -> None:
    """As if the item had never been judged."""
    block.labels.exists &= block.labels.grade >= 0


@NEGATIVE.option(
    "in-pool",
    rule="in the pool, not judged",
    cite="trec_eval-10",
    plain="no negative grades",
    says="an item with a negative grade counts as pooled and unjudged",
)
def _(block: WorkingBlock) -> None:
    """Not judged, but known to have been pooled; only inferred AP tells it from an unjudged item."""
    block.labels.in_pool = block.labels.grade < 0


@NEGATIVE.option(
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


@NEGATIVE.option(
    "last",
    rule="grade -1 becomes 0 and stands last, in the list and in the ideal list",
    cite="allrank",
    plain="no negative grades",
    says="an item of grade -1 gets grade 0 and stands last, in the list and in the ideal list",
)
def _(block: WorkingBlock) -> None:
    """Padding that is kept; grades below -1 are grades."""
    block.labels.at_end = block.labels.grade == -1
    block.labels.grade = np.where(block.labels.at_end, 0.0, block.labels.grade)


@NEGATIVE.option("error", rule="refused", when="known", plain="always", says="a negative grade is not allowed")
def _(block: WorkingBlock) -> None:
    """A user with a negative grade among the labels that exist is not allowed."""
    _refuse_grades(block, lambda grade: grade < 0, "below 0 (negative=error)")


@NEGATIVE.alike
def _(ours: OnData, other: OnData) -> bool:
    return not (ours.facts.grades < 0).any()


RELEVANT = Choice(
    "relevant",
    "Which labels are relevant?",
    reads=("grades", "highest"),
    tells="a label with a grade at the border of relevance",
    function_of=FunctionOf(
        "grades", "a grade of", "whether a label is relevant is {value} of its grade", bool, traits={"plain": "always"}
    ),
)
"""An answer gives whether a label of each grade is relevant, shape as `grades`, such as (labels,); `highest`, of that
shape too, is the highest grade that the owner of each grade has."""


@RELEVANT.option("above", rule="g > x", plain="always", says="a label is relevant if its grade is above {level}")
def _(grades: Numbers, level: float) -> Mask:
    """A grade above the level."""
    return np.asarray(grades > level)


@RELEVANT.option("at-least", rule="g >= x", plain="always", says="a label is relevant if its grade is at least {level}")
def _(grades: Numbers, level: float) -> Mask:
    """A grade at or above the level."""
    return np.asarray(grades >= level)


@RELEVANT.option("non-zero", rule="g != 0", plain="always", says="a label is relevant unless its grade is 0")
def _(grades: Numbers) -> Mask:
    """Any grade but zero, negative ones too."""
    return np.asarray(grades != 0)


@RELEVANT.option("any-label", rule="every label", plain="always", says="every label is relevant, whatever its grade")
def _(grades: Numbers) -> Mask:
    """Every labelled item, whatever its grade."""
    return np.ones(len(grades), bool)


@RELEVANT.option(
    "highest",
    rule="g = the highest grade of the user",
    rises=False,
    cite="allrank",
    says="only labels with the user's highest grade are relevant",
)
def _(grades: Numbers, highest: Numbers) -> Mask:
    """Only the best items, however good they are; all of them, where all are alike."""
    return np.asarray(grades == highest)


@RELEVANT.alike
def _(ours: OnData, other: OnData) -> bool:
    grades, highest = ours.facts.grades, ours.facts.highest
    if any(one.answers["known"].option.traits.get("rows_are_labels") for one in (ours, other)):
        # what is not labelled has grade 0 there, and a list may hold nothing else
        grades, highest = np.union1d(grades, 0.0), np.union1d(highest, 0.0)
    cases = [grades[grades <= most] for most in highest]
    return all(_agree(ours, other, one.read_as(case)) for one in (ours, other) for case in cases)


def _agree(ours: OnData, other: OnData, grades: Numbers) -> bool:
    """Whether both find equal labels relevant of a user who has these grades, shape (grades,)."""
    return np.array_equal(ours.relevant(grades), other.relevant(grades))


KNOWN = Choice("known", "Which labels exist?", tells="a label that was not returned, or is not relevant")
"""It sets the number of relevant labels, the ideal list, the negatives and the grade sum, before any depth."""


@KNOWN.option(
    "labels",
    rule="all labels of the user",
    plain="always",
    says="all labels of a user are known, also those of items that were not returned",
)
def _() -> str:
    """Also those of items that were not returned."""
    return "labels"


@KNOWN.option("relevant", rule="only the relevant labels", plain="always", says="only the relevant labels are known")
def _() -> str:
    """Lower grades do not exist, as in systems that are given the relevant items alone."""
    return "relevant"


@KNOWN.option(
    "rows",
    rule="each row of the list; an unjudged one has grade 0",
    rows_are_labels=True,
    plain="always",
    says="the known labels are those of the rows of the list, where an item without one has grade 0",
)
def _() -> str:
    """Labels that were not returned are invisible, as in functions of aligned score and label arrays."""
    return "rows"


@KNOWN.option(
    "joined",
    rule="one label for each pair of a label and a row of its item",
    labels_of_rows=True,
    cite="rectools",
    plain="distinct lists",
    says="a label is known once for each row that holds its item, and once if none does",
)
def _() -> str:
    """As an outer join of labels and list has them: the label of an item that is repeated is repeated."""
    return "joined"


@KNOWN.alike
def _(ours: OnData, other: OnData) -> bool:
    kinds = {one.answers["known"].option.name for one in (ours, other)}
    everything = all(one.relevant(one.grades).all() for one in (ours, other))
    return kinds == {"labels", "relevant"} and everything


GRADES_ALLOWED = Choice(
    "grades-allowed", "Which grades does the system take?", reads=BLOCK, tells="a label with a grade other than 0 and 1"
)
step_after("negative known", GRADES_ALLOWED)


@GRADES_ALLOWED.option("any", rule="every number", plain="always", no="limit on grades")
def _(block: WorkingBlock) -> None:
    """No grade is refused."""


@GRADES_ALLOWED.option("binary", rule="0 and 1", plain="always", says="grades other than 0 and 1 are not allowed")
def _(block: WorkingBlock) -> None:
    """Any other grade is refused."""
    _refuse_grades(block, lambda grade: (grade != 0) & (grade != 1), "that is neither 0 nor 1 (grades-allowed=binary)")


@GRADES_ALLOWED.option(
    "unit-interval", rule="0 <= g <= 1", plain="always", says="grades outside 0 to 1 are not allowed"
)
def _(block: WorkingBlock) -> None:
    """A grade outside is refused."""
    _refuse_grades(block, lambda grade: (grade < 0) | (grade > 1), "outside 0 to 1 (grades-allowed=unit-interval)")


@GRADES_ALLOWED.option(
    "integer",
    rule="whole numbers, at most the highest",
    plain="always",
    says="grades that are not whole numbers{highest:? or are above } are not allowed",
)
def _(block: WorkingBlock, highest: float = np.inf) -> None:
    """A fractional grade is refused, and one above the highest."""
    _refuse_grades(
        block,
        lambda grade: (grade != np.trunc(grade)) | (grade > highest),
        "that is not whole, or too high (grades-allowed=integer)",
    )


judged_by(GRADES, NEGATIVE, GRADES_ALLOWED, RELEVANT, KNOWN, DUPLICATE_LABELS)
AS_TOLD = (RELEVANT, KNOWN, GRADES, NEGATIVE, GRADES_ALLOWED, DUPLICATE_LABELS)
"""In the order in which a paper tells what the labels say."""


def _refuse_grades(block: WorkingBlock, bad: Callable[[Numbers], Mask], reason: str) -> None:
    """Refuse the users with a `bad` grade among the labels that exist, also of an item that was only pooled.

    `bad` takes grades of shape (labels,) and gives a mask, shape as these grades.
    """
    labels = block.labels
    user, item, grade = labels.user, labels.item, np.where(labels.exists, labels.grade, 0.0)
    if block.known_rows:
        assert block.known is not None
        user, item, grade = block.known.user, block.known.item, block.known.grade
    block.refuse(bad(grade), user, item, f"has item {{item}} with a grade {reason}")


GRADES_ALLOWED.alike(of_binary_grades)
OF_LABELS = (GRADES, NEGATIVE, GRADES_ALLOWED, RELEVANT, KNOWN)
"""Together they say what becomes of a label; most answers go by its grade alone."""
