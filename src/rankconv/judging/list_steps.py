"""Steps 6, 7, 10 and 11 of judging: which rows the list has."""

from collections.abc import Mapping

import numpy as np

from rankconv.data.arrays import Codes, within
from rankconv.judging.label_steps import repeated_labels
from rankconv.judging.on_data import OnData
from rankconv.judging.registry import judged_by, step_after
from rankconv.judging.rows import NOTHING, WorkingBlock
from rankconv.questions.choice import Answer, Choice

BLOCK = ("block",)

CANDIDATES = Choice("candidates", "Which items does the list hold?", reads=BLOCK, tells="a label that was not returned")
step_after("negative", CANDIDATES)


@CANDIDATES.option("returned", rule="those returned", plain="always", no="item added to a list")
def _(block: WorkingBlock) -> None:
    """The list as it came."""


@CANDIDATES.option(
    "with-missed",
    rule="the judged items that were not returned follow, each 1 below the score before",
    extends_below=True,
    plain="distinct lists, long lists",
    says=(
        "labelled items that were not returned are appended in the order of the labels{lowest:?, and scores are "
        "shifted so that the last one is }"
    ),
)
def _(block: WorkingBlock, *, lowest: float | None = None) -> None:
    """Appended in label order; with `lowest` all scores are then shifted so that the last has this one."""
    missed = _missed_labels(block)
    user = block.labels.user[missed]
    last = np.zeros(block.size)
    last[block.rows.user] = block.rows.score  # the last row of each user is written last
    score = last[user] - 1.0 - within(user)
    block.rows.append(user, block.labels.item[missed], score, missed)
    if lowest is not None:
        least = np.full(block.size, np.inf)
        np.minimum.at(least, block.rows.user, block.rows.score)
        block.rows.score += lowest - least[block.rows.user]


@CANDIDATES.option(
    "labelled-only", rule="those returned that have a label", says="items without a label are taken out of the list"
)
def _(block: WorkingBlock) -> None:
    """Every other item is taken out of the list."""
    exists = np.append(block.labels.exists & ~block.labels.in_pool, False)
    block.rows.take(exists[block.rows.label])


@CANDIDATES.option(
    "catalogue",
    rule="every item there is",
    needs="catalogue",
    cite="lightfm",
    makes_ties=True,
    says="all other items of the catalogue follow at the end of the list, tied",
)
def _(block: WorkingBlock) -> None:
    """Those returned, then the labelled ones, then all others, each of which ties at the end of the list."""
    missed = _missed_labels(block)
    block.rows.append(block.labels.user[missed], block.labels.item[missed], np.full(len(missed), -np.inf), missed)
    catalogue = block.joined.extra.catalogue
    assert catalogue is not None
    different = np.bincount(block.rows.user[block.rows.repeats(block.items) == 0], minlength=block.size)
    _append_nothing(block, np.maximum(catalogue - different, 0), -np.inf)


@CANDIDATES.option(
    "padded",
    rule="filled up to k rows with items nobody knows",
    reads_cutoff=True,
    makes_ties=True,
    plain="long lists",
    says="a list shorter than the cutoff is filled up with items that are not relevant",
)
def _(block: WorkingBlock) -> None:
    """A list shorter than the cutoff gets misses at its end."""
    lengths = block.rows.counts(block.size)
    _append_nothing(block, np.maximum((block.k or 0) - lengths, 0), -np.inf)


@CANDIDATES.option(
    "at-least-one",
    rule="an empty list gets one item nobody knows",
    cite="trec_eval-10",
    plain="no empty lists",
    says="an empty list gets one item that is not relevant",
)
def _(block: WorkingBlock) -> None:
    """What trec_eval 10 does for a missing topic under -c."""
    _append_nothing(block, (block.rows.counts(block.size) == 0).astype(np.int64), 1.0)


def _missed_labels(block: WorkingBlock) -> Codes:
    """The rows of labels whose item no ranked row holds, shape (such labels,); of repeated labels the last."""
    returned = np.zeros(len(block.labels.user) + 1, bool)
    returned[block.rows.label] = True
    return np.flatnonzero(block.labels.exists & ~returned[:-1] & ~repeated_labels(block))


def _append_nothing(block: WorkingBlock, counts: Codes, score: float) -> None:
    user = np.repeat(np.arange(block.size), counts)
    nothing = np.full(len(user), NOTHING)
    block.rows.append(user, nothing, np.full(len(user), score), nothing)


@CANDIDATES.alike
def _(ours: OnData, other: OnData) -> bool:
    return ours.leaves_lists("candidates") and other.leaves_lists("candidates")


DROP = Choice(
    "drop", "Which items are taken out of the list first?", reads=BLOCK, tells="an item whose id is the user's"
)
step_after("candidates", DROP)


@DROP.option("nothing", rule="none", plain="always", no="item taken out beforehand")
def _(block: WorkingBlock) -> None:
    """The list keeps every item."""


@DROP.option(
    "same-id-as-user",
    rule="the item whose id is the user's",
    cite="beir",
    plain="no item named as user",
    says="an item whose id is that of the user is taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """A query that is itself a document does not find itself."""
    own = block.joined.item_named_as_user[block.users]
    block.rows.take(block.rows.item != np.where(own >= 0, own, -2)[block.rows.user])


@DROP.option(
    "seen",
    rule="the items in `seen=`",
    needs="seen",
    says="items that the user had seen before are taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """Items that the user met in training, as given by the caller."""
    seen = block.joined.extra.seen
    assert seen is not None
    keys = block.users[block.rows.user] * block.items + block.rows.item
    block.rows.take((block.rows.item == NOTHING) | ~np.isin(keys, seen))


@DROP.alike
def _(ours: OnData, other: OnData) -> bool:
    return ours.leaves_lists("drop") and other.leaves_lists("drop")


DUPLICATES = Choice(
    "duplicates",
    "What is an item that stands in a list more than once?",
    reads=BLOCK,
    tells="an item that stands in a list twice",
)
step_after("drop", DUPLICATES, "before-order")
step_after("depth", DUPLICATES, "in-depth")
step_after("unjudged after-depth", DUPLICATES, "after-depth")


@DUPLICATES.option(
    "each",
    rule="every occurrence counts",
    rises=True,
    plain="always",
    says="every occurrence of a repeated item counts",
)
def _(block: WorkingBlock) -> None:
    """A relevant item is a hit each time."""


@DUPLICATES.option(
    "once",
    rule="the first counts, later ones are misses",
    rises="distinct lists",
    when="after-depth",
    plain="distinct lists",
    says="a repeated item counts where it stands first, and its later places are misses",
)
def _(block: WorkingBlock) -> None:
    """A repeated item keeps its place and is no hit again."""
    repeated = block.rows.repeats(block.items) > 0
    block.rows.relevant = block.rows.relevant & ~repeated
    block.rows.grade = np.where(repeated, np.nan, block.rows.grade)


@DUPLICATES.option(
    "first-row",
    rule="the first stays, later ones are removed",
    rises="distinct lists",
    when="before-order",
    plain="distinct lists",
    says="of a repeated item the first row is kept",
)
def _(block: WorkingBlock) -> None:
    """The places close up before the list is ordered."""
    block.rows.take(block.rows.repeats(block.items) == 0)


@DUPLICATES.option(
    "last-row",
    rule="the last stays, earlier ones are removed",
    rises="distinct lists",
    when="before-order",
    plain="distinct lists",
    says="of a repeated item the last row is kept",
)
def _(block: WorkingBlock) -> None:
    """As in a mapping from item to score, where the last entry wins."""
    rows = block.rows
    last = rows.repeats(block.items) == rows.occurrences(block.items) - 1
    rows.take(last | (rows.item == NOTHING))


@DUPLICATES.option(
    "set",
    rule="the first stays, later ones are removed after the depth",
    rises="distinct lists",
    when="after-depth",
    plain="distinct lists",
    says="of a repeated item the first row is kept, once the list has been cut",
)
def _(block: WorkingBlock) -> None:
    """The rows kept are a set, so the list gets shorter."""
    block.rows.take(block.rows.repeats(block.items) == 0)


@DUPLICATES.option(
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
    """With c rows in the list and t within the depth, each row is worth c, and the label stands c·t times."""
    known, rows = block.known, block.rows
    assert known is not None
    assert rows.weight is not None
    pairs = np.zeros(len(block.labels.user) + 1)
    np.add.at(pairs, rows.label, rows.weight)
    pairs[NOTHING] = 0  # rows without a label share this place, and none of them is a label of the others
    block.known = known.repeat(np.maximum(1, pairs[known.label]).astype(np.int64))


@DUPLICATES.option(
    "error",
    rule="refused",
    rises="distinct lists",
    when="in-depth",
    plain="distinct lists",
    says="a list that repeats an item is not allowed",
)
def _(block: WorkingBlock) -> None:
    """Looked for among the rows that the depth leaves."""
    repeated = block.rows.repeats(block.items) > 0
    block.refuse(
        repeated, block.rows.user, block.rows.item, "has item {item} in the list more than once (duplicates=error)"
    )


@DUPLICATES.alike
def _(ours: OnData, other: OnData) -> bool:
    return ours.leaves_lists("duplicates") and other.leaves_lists("duplicates")


def weigh_rows(block: WorkingBlock, answers: Mapping[str, Answer]) -> None:
    """Give each row its number of occurrences in the list as weight, where every pair of such rows counts."""
    if answers["duplicates"].option.traits.get("weighs"):
        block.rows.weight = block.rows.occurrences(block.items).astype(float)


step_after("duplicates before-order", DUPLICATES, "weighed", weigh_rows)


UNJUDGED = Choice(
    "unjudged", "What is an item in the list that has no judgment?", reads=BLOCK, tells="a row without a label"
)
step_after("order", UNJUDGED, "before-depth")
step_after("duplicates in-depth", UNJUDGED, "after-depth")


@UNJUDGED.option(
    "not-relevant", rule="not relevant", rises=True, plain="always", says="an item without a label is not relevant"
)
def _(block: WorkingBlock) -> None:
    """It takes its rank and is no hit."""


@UNJUDGED.option(
    "removed-before-depth",
    rule="removed; the places close up",
    when="before-depth",
    says="items without a label are removed before the list is cut",
)
def _(block: WorkingBlock) -> None:
    """Judged items move up before any depth or cutoff is looked at."""
    block.rows.take(block.rows.judged)


@UNJUDGED.option(
    "removed-after-depth",
    rule="removed from the rows that the depth left",
    when="after-depth",
    says="items without a label are removed after the list was cut to its depth",
)
def _(block: WorkingBlock) -> None:
    """As trec_eval -J, which cuts at -M first."""
    block.rows.take(block.rows.judged)


DEPTH = Choice(
    "depth", "How many rows of a list are read before anything is computed?", reads=BLOCK, tells="a list longer than k"
)
step_after("unjudged before-depth", DEPTH)


@DEPTH.option("none", rule="all", plain="always", no="other limit of depth")
def _(block: WorkingBlock) -> None:
    """The whole list."""


@DEPTH.option(
    "cutoff",
    rule="the metric's k",
    reads_cutoff=True,
    plain="always",
    says="rows below the cutoff are taken off before anything is computed",
)
def _(block: WorkingBlock) -> None:
    """Rows below the cutoff do not exist at all, for duplicates and divisors neither."""
    if block.k is not None:
        block.rows.take(within(block.rows.user) < block.k)


@DEPTH.number(rule="so many rows", least=1, says="only the first {value} rows of a list are read")
def _(block: WorkingBlock, value: float) -> None:
    """The first rows after ordering, as trec_eval -M."""
    block.rows.take(within(block.rows.user) < value)


judged_by(CANDIDATES, DROP, DUPLICATES)
judged_by(UNJUDGED, DEPTH, after="ties")
