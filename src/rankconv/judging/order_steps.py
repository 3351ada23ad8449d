"""Steps 8, 9 and 12 of judging: in which order the rows stand, and which of them can be hits."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.judging.on_data import OnData
from rankconv.judging.registry import judged_by, step_after
from rankconv.judging.rows import NOTHING, WorkingBlock
from rankconv.judging.sorting import by_falling_score
from rankconv.questions.choice import Answer, Choice, Told

BLOCK = ("block",)

ORDER = Choice(
    "order", "In which order is the list judged?", reads=BLOCK, tells="a list that does not stand by falling score"
)


@ORDER.option("given", rule="as given", plain="always", says="lists are judged in the order given")
def _(block: WorkingBlock) -> bool:
    """The position in the list, or the rank column; falling score where a table has no ranks."""
    return False


@ORDER.option(
    "score", rule="by falling score", by_score=True, plain="falling scores", says="lists are ordered by falling score"
)
def _(block: WorkingBlock) -> bool:
    """The order given only decides between equal scores, and only where the tie rule says so."""
    return True


@ORDER.alike
def no_ties(ours: OnData, other: OnData) -> bool:
    """Whether no row is tied, however scores are compared, so that no answer moves a row."""
    return ours.no_ties() and other.no_ties()


SCORE_WIDTH = Choice(
    "score-width",
    "How precisely are scores compared?",
    reads=BLOCK,
    tells="scores that differ from the eighth digit on",
)
step_after("grades-allowed", SCORE_WIDTH)


@SCORE_WIDTH.option("float64", rule="in double precision", plain="always", no="rounding of scores")
def _(block: WorkingBlock) -> None:
    """As given."""


@SCORE_WIDTH.option(
    "float32",
    rule="in single precision",
    narrows_scores=True,
    plain="falling scores",
    says="scores are compared in single precision",
)
def _(block: WorkingBlock) -> None:
    """Scores that differ from the eighth digit on are a tie."""
    with np.errstate(over="ignore"):
        block.rows.score = block.rows.score.astype(np.float32).astype(np.float64)


SCORE_WIDTH.alike(no_ties)


@SCORE_WIDTH.idle("scores are not compared", by="order")
def _(told: Told) -> bool:
    by_metric = told.metric is None or told.metric.compares_scores
    return _as_given(told) and not by_metric and told.trait("score-gate", "needs") is None


TIES = Choice("ties", "In which order do rows of equal score stand?", reads=BLOCK, tells="tied scores")
"""An answer gives the key by which tied rows are ordered, smallest first, shape (rows,); None for the order given."""


@TIES.option("given", rule="as given", plain="always", says="items of equal score keep the order given")
def _(block: WorkingBlock) -> None:
    """A stable sort: the order in which the rows came."""


@TIES.option(
    "reversed",
    rule="the last given first",
    plain="always",
    says="items of equal score stand in the reverse of the order given",
)
def _(block: WorkingBlock) -> Codes:
    """As where an ascending sort is turned round."""
    return -block.rows.place


@TIES.option(
    "item-ascending",
    rule="by item id as text, rising",
    plain="always",
    says="items of equal score are ordered by their ids as text, rising",
)
def _(block: WorkingBlock) -> Codes:
    """Ids are compared as text, by code point."""
    return _text_rank(block)


@TIES.option(
    "item-descending",
    rule="by item id as text, falling",
    cite="trec_eval-10",
    plain="always",
    says="items of equal score are ordered by their ids as text, falling",
)
def _(block: WorkingBlock) -> Codes:
    """Ids are compared as text, by code point; `9` stands above `10`."""
    return -_text_rank(block)


@TIES.option(
    "number-descending",
    rule="by item id as a number, falling",
    cite="replay_rec",
    needs="item ids that are numbers",
    plain="always",
    says="items of equal score are ordered by their ids as numbers, falling",
)
def _(block: WorkingBlock) -> Numbers:
    """Ids must be numbers, also where they are written as text."""
    return -np.append(block.joined.items.number_rank, np.inf)[block.rows.item]


@TIES.option(
    "relevant-first",
    rule="by falling grade",
    plain="always",
    says="items of equal score stand by falling grade, the best order for them",
)
def _(block: WorkingBlock) -> Numbers:
    """The best order that the scores allow."""
    return -np.nan_to_num(block.rows.grade)


@TIES.option(
    "relevant-last",
    rule="by rising grade",
    plain="always",
    says="items of equal score stand by rising grade, the worst order for them",
)
def _(block: WorkingBlock) -> Numbers:
    """The worst order that the scores allow."""
    return np.nan_to_num(block.rows.grade)


@TIES.option(
    "averaged",
    rule="all orders, averaged",
    cite="mcsherry2008",
    paper={
        "title": "Computing information retrieval performance measures efficiently in the presence of tied scores",
        "authors": "F. McSherry, M. Najork",
        "year": 2008,
        "doi": "10.1007/978-3-540-78646-7_38",
    },
    rule_of_ranks="averaged",
    plain="falling scores",
    says="the metric is averaged over all orders of items of equal score",
)
def _(block: WorkingBlock) -> None:
    """Each row of a tie gets the mean gain of the whole tie, also of its part beyond the cutoff."""


@TIES.option(
    "shared",
    rule="they share one rank",
    rule_of_ranks="shared",
    plain="falling scores",
    says="items of equal score share the {at} of their ranks",
)
def _(block: WorkingBlock, at: Literal["last", "middle"]) -> None:
    """All rows of a tie stand at its last rank (one threshold), or at its middle one, rounded down."""


@TIES.option(
    "undefined",
    rule="not defined by the system; taken as given",
    undefined=True,
    plain="always",
    says="the order of items of equal score is left open, and they keep the order given",
)
def _(block: WorkingBlock) -> None:
    """The system leaves the order to chance or to its sort; the number may differ from ours within ties."""


@TIES.idle("the list is not ordered by score", by="order")
def _as_given(told: Told) -> bool:
    """Whether rows keep the order given, each with a rank of its own."""
    return not told.trait("order", "by_score") and told.trait("ties", "rule_of_ranks") is None


TIES.alike(no_ties)


def _text_rank(block: WorkingBlock) -> Codes:
    rank = np.append(block.joined.items.text_rank, NOTHING)
    return rank[block.rows.item]


def put_in_order(block: WorkingBlock, answers: Mapping[str, Answer]) -> None:
    """Order the rows of each list as the answers to `order` and `ties` say; labels that belong last go there.

    Rows that already stand in order are not sorted.
    """
    rows, order, ties = block.rows, answers["order"], answers["ties"]
    same_user = rows.user[1:] == rows.user[:-1]
    if order(block=block) and not np.all(~same_user | (rows.score[1:] < rows.score[:-1])):
        rows.take(by_falling_score(rows.user, rows.score, lambda: ties(block=block)))
    at_end = np.append(block.labels.at_end, False)[rows.label]
    if at_end.any():
        rows.take(np.lexsort((at_end, rows.user)))


step_after("score-width", ORDER, take=put_in_order)


REGROUP = Choice(
    "regroup", "Are scores changed before ties are looked for?", reads=BLOCK, tells="scores outside 0 to 1"
)
step_after("duplicates after-depth", REGROUP)


@REGROUP.option("none", rule="no", rises=True, plain="always", no="change of scores")
def _(block: WorkingBlock) -> None:
    """Scores are tied where they are equal."""


@REGROUP.option(
    "sigmoid32",
    rule="by a sigmoid in single precision, where a score lies outside 0 to 1",
    needs="scores",
    makes_ties=True,
    says="scores outside 0 to 1 pass a sigmoid in single precision, after which some are equal",
)
def _(block: WorkingBlock) -> None:
    """Of the rows that are left of a list; high scores become 1 and tie, whatever their order was."""
    rows = block.rows
    outside = block.any_of((rows.score < 0) | (rows.score > 1), rows.user)[rows.user]
    narrow = rows.score.astype(np.float32)
    with np.errstate(over="ignore"):
        squeezed = np.float32(1) / (np.float32(1) + np.exp(-narrow))
    rows.score = np.where(outside, squeezed.astype(np.float64), rows.score)


SCORE_GATE = Choice(
    "score-gate", "Can an item be a hit whatever its score?", reads=BLOCK, tells="a hit with a score of 0 or below"
)
"""An answer gives which rows are hits, shape (rows,)."""


@SCORE_GATE.option("none", rule="a relevant row is a hit, whatever its score", plain="always", no="threshold on scores")
def _(block: WorkingBlock) -> Mask:
    """Scores only make the order."""
    return block.rows.relevant


@SCORE_GATE.option(
    "positive",
    rule="a relevant row is a hit only with a score above 0",
    cite="torchmetrics",
    needs="scores",
    says="a relevant item is a hit only if its score is above 0",
)
def _(block: WorkingBlock) -> Mask:
    """A row with score 0 or below is no hit; it still counts among the relevant ones."""
    return block.rows.relevant & (block.rows.score > 0)


LISTS = Choice("lists", "Are the lists judged one by one?")


@LISTS.option("per-user", rule="one list per user", rises=True, plain="always", no="pooling of lists")
def _() -> None:
    """Each user has a value, and the mean is over users."""


@LISTS.option(
    "pooled",
    rule="all judged lists make one, by falling score",
    pools=True,
    says="the judged lists of all users are put together into one, by falling score",
)
def _() -> None:
    """As where all rows are given to a function at once; the values of the users are still those of their own lists."""


judged_by(ORDER, SCORE_WIDTH, TIES, REGROUP, SCORE_GATE, LISTS)
