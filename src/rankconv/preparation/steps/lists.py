"""Items that are labelled or listed twice, and which items the list holds: those returned, or others too."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.conventions.traits import Traits
from rankconv.data.arrays import Codes, Mask, Numbers, among, surely_distinct, within
from rankconv.data.train import Train
from rankconv.preparation.facts import leaving_lists
from rankconv.preparation.step_registry import BLOCK
from rankconv.preparation.working_rows import NOTHING, WorkingBlock


class RepeatedLabelTraits(Traits):
    """What is made of several labels of one item, for steps that find such labels later."""

    counts_first: bool = False
    """The one that was given first counts, and not the last."""
    counts_all: bool = False
    """Each of them counts."""


DUPLICATE_LABELS = Convention(
    "duplicate-labels",
    "Two labels of one user for the same item",
    reads=BLOCK,
    tells="an item labelled twice",
    traits=RepeatedLabelTraits,
)


def repeated_labels(block: WorkingBlock) -> Mask:
    """Labels whose item is labelled again further down, shape (labels,)."""
    labels = block.labels
    keys = labels.user * block.items + labels.item
    if surely_distinct(keys, block.size * block.items):
        return np.zeros(len(keys), bool)
    last = np.full(len(keys), True)
    order = np.argsort(keys, kind="stable")
    last[order[:-1]] = keys[order[1:]] != keys[order[:-1]]
    return ~last


@DUPLICATE_LABELS.setting(
    "one",
    rule="the last of them",
    by_place=True,
    plain="distinct labels",
    says="of several labels for one item the last counts",
)
def _(block: WorkingBlock) -> None:
    """The item has one label, with the grade given last."""
    block.labels.exists &= ~repeated_labels(block)


@DUPLICATE_LABELS.setting(
    "first",
    rule="the first of them",
    counts_first=True,
    by_place=True,
    plain="distinct labels",
    says="of several labels for one item the first counts",
)
def _(block: WorkingBlock) -> None:
    """The item has one label, with the grade given first."""
    labels, again = block.labels, repeated_labels(block)
    order = np.lexsort((labels.item, labels.user))
    ends = np.flatnonzero(~again[order])
    labels.grade[order[ends]] = labels.grade[order[np.append(0, ends[:-1] + 1)]] if len(ends) else []
    labels.exists &= ~again


@DUPLICATE_LABELS.setting(
    "counted",
    rule="as many labels as rows",
    counts_all=True,
    plain="distinct labels",
    says="several labels for one item all count",
)
def _(block: WorkingBlock) -> None:
    """Each row is a label of its own, so the number of relevant items grows."""


@DUPLICATE_LABELS.setting(
    "invalid",
    rule="refused",
    may_refuse=True,
    plain="distinct labels",
    says="a second label for an item is not allowed",
)
def _(block: WorkingBlock) -> None:
    """The user's labels are not allowed."""
    block.refuse(
        repeated_labels(block),
        block.labels.user,
        block.labels.item,
        "has item {item} labelled twice (duplicate-labels=invalid)",
        "labels",
    )


DUPLICATE_LABELS.equivalent(leaving_lists(DUPLICATE_LABELS.name))


CANDIDATES = Convention(
    "candidates", "Items of the list", reads=BLOCK, tells="a label that was not returned", combine=True
)


@CANDIDATES.setting("returned", rule="those returned", plain="always", no="item added to a list")
def _(block: WorkingBlock) -> None:
    """The list as it came."""


@CANDIDATES.setting(
    "with-unretrieved",
    rule="the judged items that were not returned follow, each 1 below the lowest score so far",
    extends_below=True,
    reads_data=("label-order", "scores"),
    plain="distinct lists, long lists",
    says=(
        "labelled items that were not returned are appended in the order of the labels, below the lowest "
        "score{lowest:?, and scores are shifted so that the last one is }"
    ),
)
def _(block: WorkingBlock, *, lowest: float | None = None) -> None:
    """Appended in label order, below every row in the order given and in that of scores.

    With `lowest` all scores are then shifted so that the lowest is this one, by adding one number to each: the sums
    are rounded, so that next to a score of -1e20 the lowest becomes 0.
    """
    unretrieved = _unretrieved_labels(block)
    user = block.labels.user[unretrieved]
    score = _lowest_scores(block, True)[user] - 1.0 - within(user)
    block.rows.append(user, block.labels.item[unretrieved], score, unretrieved)
    if lowest is not None:
        with np.errstate(over="ignore"):
            block.rows.score += lowest - _lowest_scores(block, False)[block.rows.user]


@CANDIDATES.setting(
    "catalogue",
    rule="every item of the catalogue",
    needs=("catalogue",),
    reads_data=("label-order",),
    cite="lightfm",
    makes_ties=True,
    says="all other items of the catalogue follow at the end of the list, tied",
)
def _(block: WorkingBlock) -> None:
    """Those returned, then the labelled ones, then all others, each of which ties at the end of the list."""
    unretrieved = _unretrieved_labels(block)
    block.rows.append(
        block.labels.user[unretrieved], block.labels.item[unretrieved], np.full(len(unretrieved), -np.inf), unretrieved
    )
    catalogue = block.joined.extra.catalogue
    assert catalogue is not None
    different = np.bincount(block.rows.user[block.rows.repeats(block.items) == 0], minlength=block.size)
    _append_nothing(block, np.maximum(catalogue - different, 0), -np.inf)


@CANDIDATES.setting(
    "padded",
    rule="filled up to k rows with unknown items",
    reads_cutoff=True,
    makes_ties=True,
    fills=True,
    plain="long lists",
    says="a list shorter than the cutoff is filled up with items that are not relevant{rows:?, at least to rank }",
)
def _(block: WorkingBlock, *, rows: Annotated[int, Within(0, 1e6)] = 0) -> None:
    """A list shorter than the cutoff, or than so many rows, gets misses at its end."""
    lengths = block.rows.counts(block.size)
    _append_nothing(block, np.maximum(max(rows, block.k or 0) - lengths, 0), -np.inf)


@CANDIDATES.setting(
    "at-least-one",
    rule="an empty list gets one unknown item",
    cite="trec_eval-10",
    plain="no empty lists",
    says="an empty list gets one item that is not relevant",
)
def _(block: WorkingBlock) -> None:
    """What trec_eval 10 does for a missing topic under -c."""
    _append_nothing(block, (block.rows.counts(block.size) == 0).astype(np.int64), 1.0)


def _lowest_scores(block: WorkingBlock, filled_in: bool) -> Numbers:
    """The lowest score of each user, shape (users,); 0 where there is none. Rows that were filled in have -inf."""
    least, counted = np.full(block.size, np.inf), filled_in | (block.rows.score > -np.inf)
    np.minimum.at(least, block.rows.user[counted], block.rows.score[counted])
    return np.where(least < np.inf, least, 0.0)


def _unretrieved_labels(block: WorkingBlock) -> Codes:
    """The rows of labels whose item no ranked row holds, shape (such labels,); of repeated labels the last."""
    returned = np.zeros(len(block.labels.user) + 1, bool)
    returned[block.rows.label] = True
    return np.flatnonzero(block.labels.exists & ~returned[:-1] & ~repeated_labels(block))


def _append_nothing(block: WorkingBlock, counts: Codes, score: float) -> None:
    user = np.repeat(np.arange(block.size), counts)
    nothing = np.full(len(user), NOTHING)
    block.rows.append(user, nothing, np.full(len(user), score), nothing)


CANDIDATES.equivalent(leaving_lists(CANDIDATES.name))


EXCLUDE = Convention(
    "exclude",
    "Items removed from the list first",
    reads=BLOCK,
    tells="an item whose id is the user's",
    combine=True,
)


@EXCLUDE.setting("none", rule="none", plain="always", no="item taken out beforehand")
def _(block: WorkingBlock) -> None:
    """The list keeps every item."""


@EXCLUDE.setting(
    "identical-ids",
    rule="the item whose id is the user's",
    cite="beir",
    plain="no item named as user",
    says="an item whose id is that of the user is taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """A query that is itself a document does not find itself."""
    own = block.joined.item_named_as_user[block.users]
    block.rows.take(block.rows.item != np.where(own >= 0, own, -2)[block.rows.user])


@EXCLUDE.setting(
    "seen",
    rule="the items in `seen=`",
    needs=("seen",),
    plain="no seen item",
    says="items that the user had seen before are taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """Items that the user met in training, as given by the caller."""
    seen = block.joined.extra.seen
    assert seen is not None
    keys = block.users[block.rows.user] * block.items + block.rows.item
    block.rows.take((block.rows.item == NOTHING) | ~among(keys, seen))


@EXCLUDE.setting(
    "not-in-training",
    rule="the items without a row in training",
    needs=("train",),
    cite="elliot",
    says="items that are not in training are taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """Items that a recommender cannot know, as a language model names them."""
    trained = np.flatnonzero(block.joined.once(Train).interactions)
    block.rows.take((block.rows.item == NOTHING) | among(block.rows.item, trained))


EXCLUDE.equivalent(leaving_lists(EXCLUDE.name))


DUPLICATES = Convention(
    "duplicates",
    "Items that occur in a list more than once",
    reads=BLOCK,
    tells="an item that occurs twice in a list",
)


@DUPLICATES.setting(
    "each",
    rule="every occurrence counts",
    rises=True,
    plain="always",
    says="every occurrence of a repeated item counts",
)
def _(block: WorkingBlock) -> None:
    """A relevant item is a hit each time."""


@DUPLICATES.setting(
    "once",
    rule="the first counts, later ones are misses",
    rises="distinct lists",
    moment="after-depth",
    plain="distinct first rows",
    says="a repeated item counts at its first rank, and its later rows are misses that keep their ranks: of a, a, b "
    "item b is at rank 3",
)
def _(block: WorkingBlock) -> None:
    """A repeated item keeps its place and is no hit again."""
    repeated = block.rows.repeats(block.items) > 0
    block.rows.relevant = block.rows.relevant & ~repeated
    block.rows.grade = np.where(repeated, np.nan, block.rows.grade)


@DUPLICATES.setting(
    "first-row",
    rule="the first stays, later ones are removed",
    rises="distinct lists",
    moment="before-order",
    reads_data=("order-repeats",),
    plain="distinct lists",
    says="of a repeated item the first row is kept, and the items below move up: of a, a, b item b is at rank 2",
)
def _(block: WorkingBlock) -> None:
    """The places close up before the list is ordered."""
    block.rows.take(block.rows.repeats(block.items) == 0)


@DUPLICATES.setting(
    "last-row",
    rule="the last stays, earlier ones are removed",
    rises="distinct lists",
    moment="before-order",
    reads_data=("order-repeats",),
    plain="distinct lists",
    says="of a repeated item the last row is kept, and the items below the others move up: of a, b, a item b is at "
    "rank 1",
)
def _(block: WorkingBlock) -> None:
    """As in a mapping from item to score, where the last entry wins."""
    rows = block.rows
    last = rows.repeats(block.items) == rows.occurrences(block.items) - 1
    rows.take(last | (rows.item == NOTHING))


@DUPLICATES.setting(
    "set",
    rule="the first stays, later ones are removed after the depth",
    rises="distinct lists",
    moment="after-depth",
    reads_order=True,
    plain="distinct lists",
    says="of a repeated item the first row is kept, once the list has been cut, and the items below move up: "
    "of a, a, b item b is at rank 2",
)
def _(block: WorkingBlock) -> None:
    """The rows kept are a set, so the list gets shorter."""
    block.rows.take(block.rows.repeats(block.items) == 0)


@DUPLICATES.setting(
    "invalid",
    rule="refused",
    may_refuse=True,
    rises="distinct lists",
    moment="in-depth",
    plain="distinct lists",
    says="a list that repeats an item is not allowed",
)
def _(block: WorkingBlock) -> None:
    """Looked for among the rows that the depth leaves."""
    repeated = block.rows.repeats(block.items) > 0
    block.refuse(
        repeated,
        block.rows.user,
        block.rows.item,
        "has item {item} in the list more than once (duplicates=invalid)",
        "rankings",
    )


DUPLICATES.equivalent(leaving_lists(DUPLICATES.name))


def weigh_rows(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Give each row its number of occurrences in the list as weight, where every pair of such rows counts."""
    if settings["duplicates"].traits.weighs:
        block.rows.weight = block.rows.occurrences(block.items).astype(float)
