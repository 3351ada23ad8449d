"""Settings that one system needs: of metrics of accuracy, of the mean, of users, and of the preparation of lists."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np

from rankconv.aggregation import USERS
from rankconv.aggregation.means import AGGREGATE, Terms
from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import Above, Within
from rankconv.data.arrays import ExactSum, Mask, Numbers, exp2, within
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.metrics.base import Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.gains import GAIN
from rankconv.metrics.hits import HIT_RULE, R_PRECISION_AT
from rankconv.metrics.ideals import IDEAL
from rankconv.metrics.position import AP_WEIGHT, RR_HITS, reciprocal_of_first, reciprocals_of_hits
from rankconv.preparation.arithmetic import CumulativeSum, LazyRanks, RankValues
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.step_registry import BLOCK, StepPlace, prepared_by, steps_in_order
from rankconv.preparation.steps.labels import LABELS_USED, RELEVANT
from rankconv.preparation.steps.lists import CANDIDATES, DUPLICATES, EXCLUDE
from rankconv.preparation.steps.ranking import MAX_DEPTH, TIES
from rankconv.preparation.ties import Ties
from rankconv.preparation.working_rows import UNKNOWN_ITEM, WorkingBlock


@DIVISOR.setting(
    "labels-above",
    rule="labels with a grade above x",
    reads_data=lambda level: () if level == 0 else ("grades",),
    says="the number of labels with a grade above {level}",
    tex="R_{> «level»}",
    called="labels above {level}",
)
def _(block: Block, level: float) -> Numbers:
    """Counted by grade, whatever is relevant."""
    return block.labels_above(level)


@HIT_RULE.setting(
    "grade-sum",
    rule="grades in the first k that sum to more than 0",
    reads_data=("grades",),
    reads_order=True,
    cite="cute_ranking",
    says="the grades of the items {here} sum to more than 0",
    tex=r"\mathbf{1}\left[\sum_{j=1}^{«K»} g_j > 0\right]",
)
def _(block: Block, scope: int | None) -> Numbers:
    """A negative grade can cancel a hit."""
    return block.grades_so_far.at(scope)


@R_PRECISION_AT.setting(
    "last-hit",
    rule="the rank of the last hit",
    counts_hits=True,
    cite="cute_ranking",
    says="the rank of the last relevant item",
    tex=r"\max\{j : r_j = 1\}",
    called="rank of the last hit",
)
def _(block: Block) -> Numbers:
    """Where the list has found all that it finds; 0 without a hit."""
    return np.asarray((block.hits_by_rank * block.ranks_down_to(block.depth)).max(axis=0, initial=0.0))


@RR_HITS.setting(
    "last-label",
    rule="1 / rank of the hit whose label comes last",
    reads_order=True,
    reads_data=("label-order",),
    cite="haystack-2.2",
    says="1/rank of the relevant item {here} that the labels name last, and 0 without one",
    tex=r"\frac{1}{\text{rank of the hit whose label comes last}}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """As where a loop over the labels keeps the value of the last one that was found; 0 without a hit."""
    label = block.by_rank(np.where(block.hit_rows, block.prepared.rows.label + 1, 0))[:scope]
    if not len(label):
        return np.zeros(block.size), np.ones(block.size)
    last = label.argmax(axis=0)
    found = label[last, np.arange(block.size)] > 0
    return found.astype(float), np.where(found, last + 1.0, 1.0)


@GAIN.setting(
    "exponential-above-level",
    rule="2^(g - level + 1) - 1 from the level of `relevant` on, else 0",
    cite="elliot",
    says="an item whose grade g reaches the level of relevance l gains 2^(g - l + 1) - 1, and any other 0",
    tex=r"r_j \left(2^{g_j - l + 1} - 1\right)",
    signs={"l": "the level of relevance"},
)
def _(grades: Numbers, level: float) -> Numbers:
    """The lowest relevant grade is worth 1, and each one above about twice the one below."""
    return np.where(grades >= level, exp2(grades - level + 1) - 1, 0.0)


@AGGREGATE.setting(
    "mean-of-parts",
    rule="the parts averaged, then combined",
    adds=Terms(("parts",), lambda users: [*users.part_values]),
    rises=True,
    cite="evidently",
    says="the reported number is computed from the means of precision and of recall over the users counted",
    tex=r"\frac{(1 + b) \bar{P} \bar{R}^{*}}{b \bar{P} + \bar{R}^{*}}",
)
def _(sums: Sequence[ExactSum], combine: Callable[..., Ratio]) -> float:
    """As F of the mean precision and the mean recall, which is not the mean F."""
    return float(combine(*(np.array([part.total / part.number]) for part in sums)).value[0])


@AP_WEIGHT.setting(
    "score",
    rule="the score of the item",
    needs=("scores",),
    reads_data=("scores",),
    reads_order=True,
    cite="autogluon",
    says="the precision at a hit is multiplied by the score of the item",
    tex=" s_j",
    signs={"s_j": "the score of the item at rank j"},
)
def _(block: Block) -> Numbers:
    """Where a program multiplies by the prediction in place of the label; the sum may pass 1, or be negative."""
    return np.nan_to_num(block.scores_by_rank)


def _reciprocals_of_grades(block: Block) -> CumulativeSum:
    """grade/rank of all rows, summed down to each rank, shape (ranks, users)."""
    ranks, grades = np.maximum(block.ranks, 1), block.grades_by_rank
    return block.sum(**{"grade/rank": LazyRanks(lambda at: grades[at] / ranks[at], len(grades))})


@RR_HITS.setting(
    "grades",
    rule="sum of grade / rank over all rows, divided by the sum of the grades plus epsilon",
    reads_data=("grades",),
    cite="fuxictr",
    says=(
        "the sum of grade/rank over the items {here}, divided by the sum of the grades of all labels{epsilon:? plus }"
    ),
    tex=r"\frac{\sum_{j=1}^{«K»} g_j / j}{\sum_{i} g^{*}_i«epsilon:? + »}",
)
def _(block: Block, scope: int | None, *, epsilon: Annotated[float, Within(0, 1e6)] = 0) -> tuple[Numbers, Numbers]:
    """Not the first hit alone, and a grade of 2 counts twice."""
    return block.once(_reciprocals_of_grades).at(scope), block.grade_sum + epsilon


@DIVISOR.setting(
    "nonzero-labels",
    rule="labels that exist with a grade other than 0",
    cite="rankeval",
    says="the number of labels with a grade other than 0",
    tex=r"R_{\neq 0}",
    called="labels other than 0",
)
def _(block: Block) -> Numbers:
    """Also those below 0, whatever is relevant."""
    return block.non_zero_count


@GAIN.setting(
    "exponential-over-own-highest",
    rule="(2^g - 1) / 2^(the user's highest grade)",
    cite="rankeval",
    says="an item of grade g gains (2^g - 1)/2^h, h being the highest grade of the user",
    tex=r"\frac{2^{g_j} - 1}{2^{h}}",
    signs={"h": "the highest grade of the user"},
)
def _(grades: Numbers, own_highest: Numbers) -> Numbers:
    """The probability of ERR on a scale of each user's own."""
    return (exp2(grades) - 1) / exp2(own_highest)


@GAIN.setting(
    "linear-times",
    rule="factor · g",
    cite="azure_ai_evaluation",
    says="an item gains its grade times {factor}",
    tex=r"«factor» \cdot g_j",
)
def _(grades: Numbers, factor: Annotated[float, Above(0)]) -> Numbers:
    """On another scale, as one of 0 to 100."""
    return grades * factor


@GAIN.setting(
    "square-less-one",
    rule="g^2 - 1",
    cite="rankereval",
    says="an item of grade g gains g^2 - 1",
    tex=r"\left(g_j^2 - 1\right)",
)
def _(grades: Numbers) -> Numbers:
    """A grade of 0 costs 1, which an item without a label does too under `unjudged=grade-0`."""
    return grades * grades - 1


@IDEAL.setting(
    "relevant-labels",
    rule="the relevant labels that exist, by falling gain",
    rises=True,
    cite="fastrank",
    says="the ideal list holds the relevant labels alone, by falling gain",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting, ranks: int | None) -> RankValues:
    """Where labels below the level have gains too, also negative ones, which the list pays and the ideal does not."""
    return block.relevant_gains(gain, ranks)


@IDEAL.setting(
    "all-labels-then-zeros",
    rule="all labels that exist, by falling grade, then items of grade 0",
    rises=True,
    reads_data=("grades",),
    cite="rankereval",
    says="the ideal list holds all labels used, by falling grade, and below them items of grade 0",
    tex="«gain:*»",
)
def _(block: Block, gain: Setting, ranks: int | None) -> Numbers:
    """Filled up to the cutoff, and not at all without one; the grade of 0 may have a gain, also a negative one."""
    known = block.known
    gains, zero = block.gains_of_known(gain), block.worth(gain, np.zeros(1), np.zeros(1, bool))
    order = np.lexsort((-known.grade, known.user))
    stacked = np.asarray(block.stacked(gains[order], known.user[order], ranks))
    if ranks is None:
        return stacked
    there = np.arange(len(stacked))[:, None] < np.bincount(known.user, minlength=block.size)
    found = np.array(block.numbers(np.broadcast_to(zero, (ranks, block.size))))
    found[: len(stacked)] = np.where(there, stacked, found[: len(stacked)])
    return found


@RR_HITS.setting(
    "relevant",
    rule="sum of 1 / rank over all hits, divided by R",
    cite="rexmex",
    says="the sum of 1/rank over the relevant items {here}, divided by the number of relevant labels",
    tex=r"\frac{1}{R} \sum_{j=1}^{«K»} \frac{r_j}{j}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """An unretrieved relevant item counts 0."""
    return block.once(reciprocals_of_hits).at(scope), block.relevant_count


@RR_HITS.setting(
    "first-hit-by-place",
    rule="1 / rank of the first hit, if its rank is at most the place of k among the cutoffs 1, 1 + step, …",
    of_first=True,
    cite="blog",
    says="1/rank of the first relevant item, if that is at most the place of the cutoff among 1, 1 + {step}, …, else 0",
    tex=r"\max_{1 \leq j \leq 1 + \lfloor («K» - 1) / «step» \rfloor} \frac{r_j}{j}",
)
def _(block: Block, scope: int | None, step: Annotated[int, Within(1, 1e6)]) -> tuple[Numbers, Numbers]:
    """As where a program compares the rank with the place of k in the list of its cutoffs, in place of k itself."""
    place = None if scope is None else (scope - 1) // step + 1
    return block.once(reciprocal_of_first).at(place), np.ones(block.size)


@AGGREGATE.setting(
    "smoothed",
    rule="(sum + by) / (number + 2 · by)",
    rises=True,
    cite="torchrec",
    says="the reported number is the sum over the users counted plus {by}, divided by their number plus twice {by}",
    tex=r"\frac{«by» + \sum_{u \in U} m_u}{2 \cdot «by» + \left|U\right|}",
)
def _(summed: ExactSum, by: Annotated[float, Above(0)]) -> float:
    """Drawn to one half, the more so the fewer users there are."""
    return (summed.total + by) / (summed.number + 2 * by)


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
    "first-k",
    rule="the first k of those returned, as given",
    reads_cutoff=True,
    reads_order=True,
    reads_data=("order",),
    cite="mlflow",
    says="the list is cut at the cutoff before anything else is done",
)
def _(block: WorkingBlock) -> None:
    """Repeated rows below the cutoff make no label either."""
    if block.k is not None:
        block.rows.take(within(block.rows.user) < block.k)


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
    moment="after-depth",
    weighs=True,
    plain="distinct lists",
    says="every pair of the rows of a repeated item counts",
)
def _(block: WorkingBlock) -> None:
    """With c rows in the list and t within the depth, each row counts c, and the label occurs c·t times.

    Of n labels of the item that are each a hit, each row counts c·n², and each label occurs c·t·n times.
    """
    known, rows = block.known, block.rows
    assert known is not None
    assert rows.weight is not None
    has = (rows.label >= 0) | block.aligned_arrays
    keys = [one.user * (2 * UNKNOWN_ITEM) + one.item + 1 for one in (known, rows)]  # a row may have no item
    _, of_item = np.unique(np.concatenate([keys[0], keys[1][has]]), return_inverse=True)
    of_known, of_rows = np.split(of_item, [len(known.user)])
    pairs = np.bincount(of_rows, rows.weight[has], minlength=len(of_item))
    block.known = known.repeat(np.maximum(1, pairs[of_known]).astype(np.int64))
    if rows.hits is not None:
        rows.weight = rows.weight * rows.hits


@LABELS_USED.setting(
    "hit-per-label",
    rule="all labels of the user; a row is a hit for each label of its item",
    hits_of_labels=True,
    cite="recommenders",
    plain="distinct labels",
    says="all labels of a user are used, and a returned item is a hit for each label that it has",
)
def _() -> None:
    """As an inner join of list and labels has the hits, while the labels are counted as they are."""


@LABELS_USED.setting(
    "relevant-hit-per-label",
    rule="the relevant labels alone; a row is a hit for each of them that is its item's",
    relevant_only=True,
    hits_of_labels=True,
    cite="recommenders",
    plain="distinct labels",
    says="relevant labels alone exist, and a returned item is a hit for each one that it has",
)
def _() -> None:
    """As `hit-per-label`, of labels that the caller filtered."""


@LABELS_USED.setting(
    "outer-join",
    rule="one label for each pair of a label and a row of its item",
    hits_of_labels=True,
    labels_of_rows=True,
    cite="rectools",
    plain="distinct lists",
    says="a label is used once for each row that holds its item, and once if none does",
)
def _() -> None:
    """As an outer join of labels and list has them: the label of an item that is repeated is repeated.

    Of several labels of an item, where all count, each is a hit at each row of the item.
    """


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


@USERS.setting(
    "first",
    rule="the first n users of the labels and of the rankings",
    reads_data=("user-order",),
    spans_users=True,
    cite="pyvespa",
    says="the first {number} users are evaluated",
)
def _(joined: Joined, number: Annotated[int, Within(1, 1e9)]) -> Mask:
    """In the order in which the data name them."""
    return np.arange(len(joined.users)) < number


@TIES.setting(
    "number-descending",
    rule="by item id as a number, falling",
    cite="replay_rec",
    needs=("item ids that are numbers",),
    plain="always",
    orders_items=lambda items: np.nan_to_num(len(items) - items.number_rank, nan=len(items) + 1.0),
    says="items of equal score are ordered by their ids as numbers, falling",
)
def _(block: WorkingBlock) -> Numbers:
    """Ids must be numbers, also where they are written as text."""
    return -block.by_item(block.joined.items.number_rank, np.inf)


@MAX_DEPTH.setting(
    "score-at-least",
    rule="rows with at least this score",
    needs=("scores",),
    reads_data=("scores",),
    cite="surprise",
    says="only rows with a score of at least {least} are read",
)
def _(block: WorkingBlock, least: float) -> None:
    """A row below it is no recommendation, as where scores are predicted ratings; a row without a score is none."""
    block.rows.take(block.rows.score >= least)


@MAX_DEPTH.setting(
    "score-above",
    rule="rows with more than this score",
    needs=("scores",),
    reads_data=("scores",),
    cite="pasa",
    says="only rows with a score above {bound} are read",
)
def _(block: WorkingBlock, bound: float) -> None:
    """What a selector kept, as where it gives each item the probability that it is wanted."""
    block.rows.take(block.rows.score > bound)


@EXCLUDE.setting(
    "zero-scores",
    rule="the items with a score of 0",
    reads_data=("scores",),
    cite="recpack",
    says="an item with a score of 0 is taken out of the list",
)
def _(block: WorkingBlock) -> None:
    """As a sparse matrix stores no zeros; lists without scores stay as they are."""
    if block.scored:
        block.rows.take(block.rows.score != 0)


SCORE_TRANSFORM = Convention(
    "score-transform",
    "Transformation of scores before ties are found",
    reads=BLOCK,
    tells="scores outside 0 to 1",
    neutral="none",
)


prepared_by(SCORE_TRANSFORM, after="max-depth")


steps_in_order(StepPlace(SCORE_TRANSFORM), after="subtopics")


@SCORE_TRANSFORM.setting("none", rule="no", rises=True, plain="always", no="change of scores")
def _(block: WorkingBlock) -> None:
    """Scores are tied where they are equal."""


@SCORE_TRANSFORM.setting(
    "sigmoid32",
    rule="by a sigmoid in single precision, where a score is outside 0 to 1",
    needs=("scores",),
    makes_ties=True,
    reads_data=("scores",),
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
    needs=("scores",),
    makes_ties=True,
    reads_data=("scores",),
    cite="keras",
    says="scores are compared to {thresholds} evenly spaced thresholds from 0 to 1, between which they are equal",
)
def _(block: WorkingBlock, thresholds: Annotated[int, Within(2, 1e6)]) -> None:
    """In single precision; scores below 0 or above 1 are those, and 0 is in one interval with what follows it."""
    narrow = np.clip(block.rows.score, 0, 1).astype(np.float32)
    block.rows.score = np.maximum(np.ceil(narrow * np.float32(thresholds - 1)) - 1, 0).astype(np.float64)


@MAX_DEPTH.setting(
    "cutoff-and-ties",
    rule="the metric's k, and all rows tied with the k-th",
    reads_cutoff=True,
    keeps_ties=True,
    plain="falling scores",
    says="rows below the cutoff are removed before anything is computed, except those tied with the last one kept",
)
def _(block: WorkingBlock) -> None:
    """A tie at the border makes the list longer than k; metrics at k read all of it.

    Tied are rows of equal score that stand together, as they do where lists are ordered by score.
    """
    if block.k is not None:
        block.rows.take(Ties(block.rows.user, block.rows.score, block.rows.rank).first < block.k)
