"""In which order the rows of a list are read, what becomes of ties, how deep it is read, and what can be a hit."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Codes, Mask, Numbers, within
from rankconv.preparation.facts import OnData
from rankconv.preparation.step_registry import BLOCK, PREPARATION
from rankconv.preparation.ties import TieEffect, TieTraits
from rankconv.preparation.working_rows import NOTHING, WorkingBlock

ORDER = Convention("order", "Order of the list", reads=BLOCK, tells="a list that is not in falling order of score")


@ORDER.setting(
    "given",
    rule="as given",
    plain="always",
    reads_data=("order",),
    says="lists are evaluated in the order given",
)
def _(block: WorkingBlock) -> bool:
    """The position in the list, or the rank column; falling score where a table has no ranks."""
    return False


@ORDER.setting(
    "reversed",
    rule="the reverse of the order given",
    last_first=True,
    cite="lecard",
    reads_data=("order",),
    says="lists are evaluated in the reverse of the order given, from the last row to the first",
)
def _(block: WorkingBlock) -> bool:
    """Lists that go from the worst to the best, as where a program sorts rising scores; appended rows stay below."""
    return False


@ORDER.setting(
    "score", rule="by falling score", by_score=True, plain="falling scores", says="lists are ordered by falling score"
)
def _(block: WorkingBlock) -> bool:
    """The order given only decides between equal scores, and only where the tie rule says so."""
    return True


@ORDER.setting(
    "score-then-rank",
    rule="by falling score, rows of equal score by the ranks that the run states",
    by_score=True,
    reads_ranks=True,
    reads_data=("ranks",),
    plain="falling scores",
    says="lists are ordered by falling score, items of equal score by the ranks that the run states, if it does",
)
def _(block: WorkingBlock) -> bool:
    """Only rows of one score and one rank are tied. Ranks count where they agree with all scores of their user."""
    return True


@ORDER.equivalent
def no_ties(ours: OnData, other: OnData) -> bool:
    """Whether no row is tied, however scores are compared, so that no setting moves a row."""
    return ours.no_ties and other.no_ties


def as_given(context: Context) -> bool:
    """Whether rows keep the order given, so that none are tied."""
    return not context.traits("order").by_score


SCORE_DTYPE = Convention(
    "score-dtype",
    "Precision of scores when they are compared",
    reads=BLOCK,
    tells="scores that differ from the eighth digit on",
)


@SCORE_DTYPE.setting("float64", rule="in double precision", plain="always", no="rounding of scores")
def _(block: WorkingBlock) -> None:
    """As given."""


@SCORE_DTYPE.setting(
    "float32",
    rule="in single precision",
    narrows_scores=True,
    reads_data=("scores",),
    plain="falling scores",
    says="scores are compared in single precision",
)
def _(block: WorkingBlock) -> None:
    """Scores that differ from the eighth digit on are a tie."""
    with np.errstate(over="ignore"):
        block.rows.score = block.rows.score.astype(np.float32).astype(np.float64)


def _computes_with_scores(settings: Mapping[str, Setting]) -> bool:
    """Whether a setting of the metric reads the scores that preparation leaves, and not their order alone."""
    return any("scores" in one.data_read for name, one in settings.items() if name not in PREPARATION)


@SCORE_DTYPE.equivalent
def _(ours: OnData, other: OnData) -> bool:
    return no_ties(ours, other) and not any(_computes_with_scores(one.settings) for one in (ours, other))


@SCORE_DTYPE.idle("scores are not compared", by="order")
def _(context: Context) -> bool:
    by_metric = context.metric is None or context.metric.compares_scores
    return (
        as_given(context)
        and not context.traits("max-depth").keeps_ties
        and not by_metric
        and not _computes_with_scores(context.settings)
        and not context.traits("min-score").needs
    )


TIES = Convention("ties", "Order of rows of equal score", reads=BLOCK, tells="tied scores", traits=TieTraits)
"""A setting gives the key by which tied rows are ordered, smallest first, shape (rows,); None for the order given.
Its trait `orders_items` gives the same for many lists at once."""


@TIES.setting(
    "given",
    rule="as given",
    by_place=True,
    reads_data=("order",),
    plain="always",
    keeps_order=True,
    says="items of equal score keep the order given",
)
def _(block: WorkingBlock) -> None:
    """A stable sort: the order in which the rows came."""


@TIES.setting(
    "reversed",
    rule="the last given first",
    by_place=True,
    reads_data=("order",),
    plain="always",
    orders_items=lambda items: None,
    says="items of equal score are in the reverse of the order given",
)
def _(block: WorkingBlock) -> Codes:
    """As where an ascending sort is turned round."""
    return -block.rows.place


@TIES.setting(
    "item-ascending",
    rule="by item id as text, rising",
    plain="always",
    orders_items=lambda items: items.text_rank,
    says="items of equal score are ordered by their ids as text, rising",
)
def _(block: WorkingBlock) -> Codes:
    """Ids are compared as text, by code point."""
    return _text_rank(block)


@TIES.setting(
    "item-descending",
    rule="by item id as text, falling",
    cite="trec_eval-10",
    plain="always",
    orders_items=lambda items: len(items) - items.text_rank,
    says="items of equal score are ordered by their ids as text, falling",
)
def _(block: WorkingBlock) -> Codes:
    """Ids are compared as text, by code point; `9` is above `10`."""
    return -_text_rank(block)


@TIES.setting(
    "relevant-first",
    rule="by falling grade",
    plain="always",
    reads_data=("grades", "order"),
    says="items of equal score are ordered by falling grade, the best order for them",
)
def _(block: WorkingBlock) -> Numbers:
    """The best order that the scores allow."""
    return -np.nan_to_num(block.rows.grade)


@TIES.setting(
    "relevant-last",
    rule="by rising grade",
    plain="always",
    reads_data=("grades", "order"),
    says="items of equal score are ordered by rising grade, the worst order for them",
)
def _(block: WorkingBlock) -> Numbers:
    """The worst order that the scores allow."""
    return np.nan_to_num(block.rows.grade)


@TIES.setting(
    "relevant-last-then-item",
    rule="by rising grade, then by item id as text, rising",
    plain="always",
    orders_items=lambda items: items.text_rank,
    rising_grade=True,
    reads_data=("grades",),
    says="items of equal score are ordered by rising grade, the worst order for them, those of one grade by id",
)
def _(block: WorkingBlock) -> Codes:
    """The worst order that the scores allow, the same however rows were sorted."""
    order = np.lexsort((_text_rank(block), np.nan_to_num(block.rows.grade)))
    key = np.empty(len(order), np.int64)
    key[order] = np.arange(len(order))
    return key


@TIES.setting(
    "expected",
    rule="the expected value over all their orders",
    cite="mcsherry2008",
    effect=TieEffect.EXPECTED,
    plain="falling scores",
    keeps_order=True,
    says="items of equal score count by the metric's expected value over all their orders",
)
def _(block: WorkingBlock) -> None:
    """In closed form; without one `relevant-last-then-item`, or `item-ascending` if the metric reads no labels."""


@TIES.setting(
    "rank",
    rule="they share one rank",
    effect=TieEffect.SHARED,
    plain="falling scores",
    says="items of equal score share the {at} of their ranks",
)
def _(block: WorkingBlock, at: Literal["min", "max", "average", "average-floor"]) -> None:
    """The first rank is called optimistic, the last pessimistic (one threshold), the mean of both realistic.

    The middle one is the mean rounded down. Under the first one precision may be above 1.
    """


@TIES.setting(
    "undefined",
    rule="not defined by the system; taken as given",
    by_place=True,
    reads_data=("order",),
    undefined=True,
    plain="always",
    keeps_order=True,
    says="the order of items of equal score is left open, and they keep the order given",
)
def _(block: WorkingBlock) -> None:
    """The system leaves the order to chance or to its sort; the number may differ from ours within ties."""


def _text_rank(block: WorkingBlock) -> Codes:
    return block.by_item(block.joined.items.text_rank, NOTHING)


TIES.equivalent(no_ties)
TIES.idle("the list is not ordered by score", by="order")(as_given)


UNJUDGED = Convention("unjudged", "Items of the list without a judgment", reads=BLOCK, tells="a row without a label")


@UNJUDGED.setting(
    "not-relevant", rule="not relevant", rises=True, plain="always", says="an item without a label is not relevant"
)
def _(block: WorkingBlock) -> None:
    """It takes its rank and is no hit."""


@UNJUDGED.setting(
    "condensed-before-depth",
    rule="removed; the places close up",
    moment="before-depth",
    says="items without a label are removed before the list is cut",
)
def _(block: WorkingBlock) -> None:
    """Judged items move up before any depth or cutoff is looked at."""
    block.rows.take(block.rows.judged)


@UNJUDGED.setting(
    "condensed-after-depth",
    rule="removed from the rows that the depth left",
    moment="after-depth",
    says="items without a label are removed after the list was cut to its depth",
)
def _(block: WorkingBlock) -> None:
    """As trec_eval -J, which cuts at -M first."""
    block.rows.take(block.rows.judged)


@UNJUDGED.setting(
    "grade-0",
    rule="judged, of grade 0",
    rises=True,
    moment="before-depth",
    reads_data=(),
    says="an item without a label counts as judged, of grade 0, which may have a gain",
)
def _(block: WorkingBlock) -> None:
    """No hit, as under `not-relevant`; but where grade 0 has a gain other than 0, so has it, and so has padding."""
    rows = block.rows
    rows.grade = np.where(rows.judged, rows.grade, 0.0)
    rows.judged = np.ones(len(rows.judged), bool)


@UNJUDGED.idle("each row is a label", by="labels-used")
def _(context: Context) -> bool:
    return context.traits("labels-used").aligned_arrays


@UNJUDGED.idle("rows without a label are removed", by="candidates")
def _(context: Context) -> bool:
    """Unless the labels of some rows are not known."""
    return context.traits("candidates").labelled_only and not context.traits("labels-used").relevant_only


MAX_DEPTH = Convention(
    "max-depth",
    "Rows of a list that are read at all",
    reads=BLOCK,
    tells="a list longer than k",
    combine=True,
)


@MAX_DEPTH.setting("none", rule="all", plain="always", no="other limit of depth")
def _(block: WorkingBlock) -> None:
    """The whole list."""


@MAX_DEPTH.setting(
    "cutoff",
    rule="the metric's k",
    reads_cutoff=True,
    reads_order=True,
    plain="always",
    says="rows below the cutoff are removed before anything is computed",
)
def _(block: WorkingBlock) -> None:
    """Rows below the cutoff do not exist at all, for duplicates and divisors neither."""
    if block.k is not None:
        block.rows.take(within(block.rows.user) < block.k)


@MAX_DEPTH.setting(
    "relevant",
    rule="as many rows as the user has relevant labels",
    reads_order=True,
    cite="pytorch_metric_learning",
    says="as many rows of a list are read as the user has relevant labels",
)
def _(block: WorkingBlock) -> None:
    """The cutoff is R, as in R-precision and MAP@R."""
    known = block.known
    if known is not None:
        relevant = np.bincount(known.user, weights=known.relevant, minlength=block.size)
        block.rows.take(within(block.rows.user) < relevant[block.rows.user])


@MAX_DEPTH.setting(
    "most-relevant",
    rule="as many rows as any user has relevant labels, at most",
    reads_order=True,
    spans_users=True,
    cite="pytorch_metric_learning",
    says="as many rows of a list are read as the user with the most relevant labels has",
)
def _(block: WorkingBlock) -> None:
    """One cutoff for all: the greatest R of any user of the data."""
    block.rows.take(within(block.rows.user) < block.most_relevant)


Rounding = Literal["up", "down", "nearest", "nearest-even"]
ROUNDINGS: Mapping[Rounding, Callable[[Numbers], Numbers]] = {
    "up": np.ceil,
    "down": np.floor,
    "nearest": lambda rows: np.floor(rows + 0.5),
    "nearest-even": np.rint,
}
"""What a share of rows is rounded by; a half is rounded up, or to the even number, as Python 3 does."""
EXACT_DECIMALS = 9
"""A share of rows is a product of doubles, and not what these add to a whole number or a half."""
ShareOfRows = Annotated[float, Within(0, 1)]


def _of_share(share: float, rows: Numbers, rounding: Rounding) -> Numbers:
    """So many rows are this share of them, shape as `rows`."""
    return ROUNDINGS[rounding](np.round(share * rows, EXACT_DECIMALS))


@MAX_DEPTH.setting(
    "share",
    rule="this share of its rows",
    reads_order=True,
    says="the first {of} of the rows of a list are read, their number rounded ({rounding})",
)
def _(block: WorkingBlock, of: ShareOfRows, rounding: Rounding = "up") -> None:
    """A cutoff in per cent of the list: a tenth of a list of 30 rows are 3."""
    depth = _of_share(of, block.rows.counts(block.size).astype(np.float64), rounding)
    block.rows.take(within(block.rows.user) < depth[block.rows.user])


@MAX_DEPTH.setting(
    "share-of-labels",
    rule="as many rows as this share of the labels of the user",
    reads_order=True,
    says="as many rows of a list are read as {of} of the number of labels of the user, rounded ({rounding})",
)
def _(block: WorkingBlock, of: ShareOfRows, rounding: Rounding = "up") -> None:
    """A cutoff in per cent of the items that were judged, as where they are all that may be listed."""
    known = block.known
    if known is not None:
        labels = np.bincount(known.user, minlength=block.size).astype(np.float64)
        block.rows.take(within(block.rows.user) < _of_share(of, labels, rounding)[block.rows.user])


@MAX_DEPTH.number(
    rule="this many rows", least=1, reads_order=True, says="only the first {value} rows of a list are read"
)
def _(block: WorkingBlock, value: float) -> None:
    """The first rows after ordering, as trec_eval -M."""
    block.rows.take(within(block.rows.user) < value)


@MAX_DEPTH.equivalent
def _(ours: OnData, other: OnData) -> bool:
    both_cut = all(one.settings["max-depth"].traits.reads_cutoff for one in (ours, other))
    return both_cut and ours.no_ties and other.no_ties


MIN_SCORE = Convention("min-score", "Least score of a hit", reads=BLOCK, tells="a hit with a score of 0 or below")
"""A setting gives which rows are hits, shape (rows,). Its trait `hits_above` gives the same for many lists at once."""


@MIN_SCORE.setting("none", rule="a relevant row is a hit, whatever its score", plain="always", no="threshold on scores")
def _(block: WorkingBlock) -> Mask:
    """Scores only make the order."""
    return block.rows.relevant


@MIN_SCORE.setting(
    "positive",
    rule="a relevant row is a hit only with a score above 0",
    cite="torchmetrics",
    needs=("scores",),
    reads_data=("scores",),
    hits_above=0.0,
    plain="scores not shifted to 0",
    says="a relevant item is a hit only if its score is above 0",
)
def _(block: WorkingBlock) -> Mask:
    """A row with score 0 or below is no hit; it still counts among the relevant ones."""
    return block.rows.relevant & (block.rows.score > 0)


SCOPE = Convention("scope", "One list for each user, or one for all")


@SCOPE.setting("per-user", rule="one list per user", rises=True, plain="always", no="pooling of lists")
def _() -> None:
    """Each user has a value, and the mean is over users."""


@SCOPE.setting(
    "global",
    rule="the lists of all users are merged into one, by falling score",
    pools=True,
    reads_order=True,
    reads_data=("grades", "scores"),
    says="the lists of all users are merged into one, by falling score",
)
def _() -> None:
    """As where all rows are given to a function at once; the values of the users are still those of their own lists."""


def put_in_order(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Order the rows of each list as the settings of `order` and `ties` say; labels that belong last go there.

    Rows that already stand in order are not sorted.
    """
    rows, order, ties = block.rows, settings["order"], settings["ties"]
    rows.rank = rows.rank if order.traits.reads_ranks else None
    same_user = rows.user[1:] == rows.user[:-1]
    if order(block=block) and not np.all(~same_user | (rows.score[1:] < rows.score[:-1])):
        keys = [key for key in (ties(block=block), rows.rank) if key is not None]
        rows.take(np.lexsort((*keys, -rows.score, rows.user)))
    if order.traits.last_first:
        appended = rows.place >= block.row_counts[rows.user]
        rows.take(np.lexsort((np.where(appended, rows.place, -rows.place), appended, rows.user)))
    at_end = block.rows_at_end
    if at_end.any():
        rows.take(np.lexsort((at_end, rows.user)))
