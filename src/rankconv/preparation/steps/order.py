"""In which order the list is judged, and how precisely scores are compared for it."""

from collections.abc import Mapping

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.preparation.expected import Key, by_falling_score
from rankconv.preparation.on_data import OnData
from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Context, Convention, Setting

ORDER = Convention("order", "Order of the list", reads=BLOCK, tells="a list that is not in falling order of score")


@ORDER.setting("given", rule="as given", plain="always", says="lists are judged in the order given")
def _(block: WorkingBlock) -> bool:
    """The position in the list, or the rank column; falling score where a table has no ranks."""
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
    return not context.trait("order", "by_score")


SCORE_WIDTH = Convention(
    "score-dtype",
    "Precision of scores when they are compared",
    reads=BLOCK,
    tells="scores that differ from the eighth digit on",
)
step_after("grades-allowed", SCORE_WIDTH)


@SCORE_WIDTH.setting("float64", rule="in double precision", plain="always", no="rounding of scores")
def _(block: WorkingBlock) -> None:
    """As given."""


@SCORE_WIDTH.setting(
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


SCORE_WIDTH.equivalent(no_ties)


@SCORE_WIDTH.idle("scores are not compared", by="order")
def _(context: Context) -> bool:
    by_metric = context.metric is None or context.metric.compares_scores
    return (
        as_given(context)
        and not context.trait("max-depth", "keeps_ties")
        and not by_metric
        and context.trait("min-score", "needs") is None
    )


def put_in_order(block: WorkingBlock, settings: Mapping[str, Setting]) -> None:
    """Order the rows of each list as the settings to `order` and `ties` say; labels that belong last go there.

    Rows that already stand in order are not sorted.
    """
    rows, order, ties = block.rows, settings["order"], settings["ties"]
    rows.rank = rows.rank if order.trait("reads_ranks") else None
    same_user = rows.user[1:] == rows.user[:-1]
    if order(block=block) and not np.all(~same_user | (rows.score[1:] < rows.score[:-1])):
        rows.take(by_falling_score(rows.user, rows.score, lambda: _by_rank(rows.rank, ties(block=block))))
    at_end = block.rows_at_end
    if at_end.any():
        rows.take(np.lexsort((at_end, rows.user)))


def _by_rank(rank: Numbers | None, key: Key) -> Key:
    """What rises as tied rows shall stand, shape (rows,): by rank, if there is one, then by this key."""
    if rank is None or key is None:
        return key if rank is None else rank
    place = np.empty(len(rank), np.int64)
    place[np.lexsort((key, rank))] = np.arange(len(rank))
    return place


step_after("score-dtype", ORDER, take=put_in_order)

judged_by(ORDER, SCORE_WIDTH)
