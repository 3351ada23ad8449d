"""Users, labels and preparation of lists as one system needs them."""

from typing import Annotated

import numpy as np

from rankconv.aggregation import USERS
from rankconv.data.arrays import Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.preparation.registry import BLOCK, Place, judged_by, steps_in_order
from rankconv.preparation.rows import NOTHING, WorkingBlock
from rankconv.preparation.steps.labels import KNOWN, RELEVANT
from rankconv.preparation.steps.lists import CANDIDATES, DUPLICATES
from rankconv.preparation.steps.ranking import DEPTH, TIES
from rankconv.preparation.ties import Ties
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import Within


@RELEVANT.setting(
    "highest",
    rule="g = the highest grade of the user",
    rises=False,
    cite="allrank",
    says="only labels with the user's highest grade are relevant",
)
def _(grades: Numbers, highest: Numbers) -> Mask:
    """The items of the highest grade."""
    return np.asarray(grades == highest)


@CANDIDATES.setting(
    "labelled-only",
    rule="those returned that have a label",
    labelled_only=True,
    says="items without a label are taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """Every other item is taken out of the list."""
    exists = np.append(block.labels.exists & ~block.labels.in_pool, False)
    block.rows.take(exists[block.rows.label])


@DUPLICATES.setting(
    "pairs",
    rule="every pair of its rows counts",
    rises="distinct lists",
    cite="recommenders",
    when="after-depth",
    weighs=True,
    plain="distinct lists",
    says="every pair of the rows of a repeated item counts",
)
def _(block: WorkingBlock) -> None:
    """With c rows in the list and t within the depth, each row counts c, and the label occurs c·t times."""
    known, rows = block.known, block.rows
    assert known is not None
    assert rows.weight is not None
    pairs = np.zeros(len(block.labels.user) + 1)
    np.add.at(pairs, rows.label, rows.weight)
    pairs[NOTHING] = 0  # rows without a label share this place, and none of them is a label of the others
    block.known = known.repeat(np.maximum(1, pairs[known.label]).astype(np.int64))


@KNOWN.setting(
    "outer-join",
    rule="one label for each pair of a label and a row of its item",
    labels_of_rows=True,
    cite="rectools",
    plain="distinct lists",
    says="a label is known once for each row that holds its item, and once if none does",
)
def _() -> None:
    """As an outer join of labels and list has them: the label of an item that is repeated is repeated."""


@USERS.setting(
    "in-training",
    rule="users with a row in training",
    needs=("train",),
    spans_users=False,
    cite="replay_rec",
    says="all users with a row in training are evaluated who have a label or a ranked item",
)
def _(joined: Joined) -> Mask:
    """Users of labels, rankings or `users=`; none where no training data were given."""
    return joined.once(Train).has_users if joined.extra.train is not None else joined.label_counts < 0


@TIES.setting(
    "number-descending",
    rule="by item id as a number, falling",
    cite="replay_rec",
    needs="item ids that are numbers",
    plain="always",
    orders_items=lambda items: np.nan_to_num(len(items) - items.number_rank, nan=len(items) + 1.0),
    says="items of equal score are ordered by their ids as numbers, falling",
)
def _(block: WorkingBlock) -> Numbers:
    """Ids must be numbers, also where they are written as text."""
    return -block.by_item(block.joined.items.number_rank, np.inf)


@DEPTH.setting(
    "score-at-least",
    rule="rows with at least this score",
    needs="scores",
    cite="surprise",
    says="only rows with a score of at least {least} are read",
)
def _(block: WorkingBlock, least: float) -> None:
    """A row below it is no recommendation, as where scores are predicted ratings; a row without a score is none."""
    block.rows.take(block.rows.score >= least)


SCORE_TRANSFORM = Convention(
    "score-transform",
    "Transformation of scores before ties are found",
    reads=BLOCK,
    tells="scores outside 0 to 1",
    neutral="none",
)


judged_by(SCORE_TRANSFORM, after="max-depth")


steps_in_order(Place(SCORE_TRANSFORM), after="subtopics")


@SCORE_TRANSFORM.setting("none", rule="no", rises=True, plain="always", no="change of scores")
def _(block: WorkingBlock) -> None:
    """Scores are tied where they are equal."""


@SCORE_TRANSFORM.setting(
    "sigmoid32",
    rule="by a sigmoid in single precision, where a score is outside 0 to 1",
    needs="scores",
    makes_ties=True,
    says="scores outside 0 to 1 pass a sigmoid in single precision, after which some are equal",
)
def _(block: WorkingBlock) -> None:
    """Of the rows that are left of a list; high scores become 1 and tie, whatever their order was."""
    rows = block.rows
    outside = block.any_of((rows.score < 0) | (rows.score > 1), rows.user)[rows.user]
    with np.errstate(over="ignore"):
        narrow = rows.score.astype(np.float32)
        squeezed = np.float32(1) / (np.float32(1) + np.exp(-narrow))
    rows.score = np.where(outside, squeezed.astype(np.float64), rows.score)


@SCORE_TRANSFORM.setting(
    "even-thresholds",
    rule="by evenly spaced thresholds from 0 to 1, to the number of them below a score",
    needs="scores",
    makes_ties=True,
    cite="keras",
    says="scores are compared to {thresholds} evenly spaced thresholds from 0 to 1, between which they are equal",
)
def _(block: WorkingBlock, thresholds: Annotated[int, Within(2, 1e6)]) -> None:
    """In single precision; scores below 0 or above 1 are those, and 0 is in one interval with what follows it."""
    narrow = np.clip(block.rows.score, 0, 1).astype(np.float32)
    block.rows.score = np.maximum(np.ceil(narrow * np.float32(thresholds - 1)) - 1, 0).astype(np.float64)


@DEPTH.setting(
    "cutoff-and-ties",
    rule="the metric's k, and all rows tied with the k-th",
    reads_cutoff=True,
    keeps_ties=True,
    plain="falling scores",
    says="rows below the cutoff are taken off before anything is computed, except those tied with the last one kept",
)
def _(block: WorkingBlock) -> None:
    """A tie at the border makes the list longer than k; metrics at k read all of it.

    Tied are rows of equal score that stand together, as they do where lists are ordered by score.
    """
    if block.k is not None:
        block.rows.take(Ties(block.rows.user, block.rows.score, block.rows.rank).first < block.k)
