"""The area under the ROC curve, of whole lists or the first k, over chosen pairs."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Context, Convention
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import shown_as
from rankconv.preparation.pipeline import Expectation, Preparation
from rankconv.preparation.ties import Thresholds

AUC_TIED_PAIRS = Convention("auc-tied-pairs", "Value of a pair of rows of equal score")
"""A setting gives the order that tells which row is above, and what a tied pair is worth."""


@AUC_TIED_PAIRS.setting(
    "half",
    rule="half right",
    says="a pair of equal scores is half right",
    tex=r"\left(\mathbf{1}[s_a > s_b] + \frac{1}{2} \cdot \mathbf{1}[s_a = s_b]\right)",
)
def _() -> tuple[str, float]:
    """The area under the ROC curve, whose corners are cut at ties."""
    return "score", 0.5


@AUC_TIED_PAIRS.setting(
    "wrong",
    rule="wrong",
    cite="rax",
    says="a pair of equal scores is wrong",
    tex=r"\left(\mathbf{1}[s_a > s_b] + 0 \cdot \mathbf{1}[s_a = s_b]\right)",
)
def _() -> tuple[str, float]:
    """Only a strictly higher score is right."""
    return "score", 0.0


@AUC_TIED_PAIRS.setting(
    "right",
    rule="right",
    cite="keras",
    says="a pair of equal scores is right",
    tex=r"\mathbf{1}[s_a \geq s_b]",
)
def _() -> tuple[str, float]:
    """The highest that the area can be, as `wrong` is the lowest."""
    return "score", 1.0


@AUC_TIED_PAIRS.setting(
    "by-place",
    rule="right if the better row is ranked higher",
    reads_order=True,
    cite="replay_rec",
    says="the ranks decide about a pair, and not the scores",
    tex=r"\mathbf{1}[j_a < j_b]",
)
def _() -> tuple[str, float]:
    """The ranks decide, and scores are not looked at."""
    return "rank", 0.0


AUC_PAIRS = Convention("auc-pairs", "Pairs of rows that are compared", reads=("block", "k", "by", "tied"))
"""A setting gives the worth of the pairs in the right order, and that of all of them; both have shape (users,)."""


@AUC_PAIRS.setting(
    "relevant",
    rule="each hit with each row that is not a hit",
    of_counts=True,
    says="each relevant row is compared with each other row",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """The classes are hits and misses; grades do not count."""
    return _compared(block, k, block.listed - block.misses_by_rank, block.misses_by_rank, by, tied)


@AUC_PAIRS.setting(
    "fractional",
    rule="each row with each: better by its grade, worse by 1 - grade",
    reads_data=("grades",),
    cite="catboost",
    says="each row is compared with each, as the better one by its grade g and as the worse one by 1 - g",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """A grade is the share of a row that is positive, so a row between 0 and 1 is also compared with itself."""
    return _compared(block, k, block.grades_by_rank, 1 - block.grades_by_rank, by, tied)


@AUC_PAIRS.setting(
    "grades",
    rule="each row with each row of a lower grade",
    reads_data=("grades",),
    cite="rax",
    says="each row is compared with each row of a lower grade",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """Ordered pair accuracy; a row without a grade has grade 0."""
    return _by_grade(block, k, by, tied, equal_grades=False)


@AUC_PAIRS.setting(
    "all",
    rule="each row with each row below it by falling grade",
    reads_data=("grades",),
    cite="xgboost",
    says="each row is compared with each row after it by falling grade, also with those of the same grade",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """Also rows of equal grade, in the order of the list."""
    return _by_grade(block, k, by, tied, equal_grades=True)


def within_cutoff(block: Block, k: int | None, values: Numbers) -> Numbers:
    """The values of the rows down to rank k, 0 below, shape (K, users)."""
    return np.where(block.read_to(k), values, 0.0)


def _shown_pairs(won: Numbers, block: Block, thresholds: Thresholds, *_: Any) -> Iterator[tuple[str, Numbers]]:
    yield "right pairs", thresholds.back(won)


@shown_as(by=_shown_pairs)
def right_pairs(block: Block, thresholds: Thresholds, worse: Numbers, right: Numbers) -> Numbers:
    """What each worse row has in right pairs, by falling threshold, shape (K, users) as `worse` and `right`."""
    return worse * right


def _compared(
    block: Block, k: int | None, better: Numbers, worse: Numbers, by: str, tied: float
) -> tuple[Numbers, Numbers]:
    """The worth of the pairs in the right order, and of all of them; `better` and `worse` have shape (K, users).

    For each worse row it counts the better rows above it, and `tied` times those of equal score.
    """
    better, worse = within_cutoff(block, k, better), within_cutoff(block, k, worse)
    thresholds = block.thresholds(by)
    so_far = block.count(thresholds.stand(better))
    above, through = thresholds.above(so_far), thresholds.through(so_far)
    right = above if not tied else above + tied * (through - above)
    won = block.part(right_pairs, thresholds, thresholds.stand(worse), right)
    return block.count(won).whole, block.count(better).whole * block.count(worse).whole


def _by_grade(block: Block, k: int | None, by: str, tied: float, equal_grades: bool) -> tuple[Numbers, Numbers]:
    inside = within_cutoff(block, k, block.listed.astype(np.float64)) > 0
    grades = np.where(inside, block.grades_by_rank, -np.inf)
    order = np.argsort(-grades, axis=0, kind="stable")
    grades, inside = (np.take_along_axis(values, order, axis=0) for values in (grades, inside))
    key = np.take_along_axis(block.scores_by_rank if by == "score" else -block.ranks_by_rank, order, axis=0)
    right, pairs = np.zeros(block.size), np.zeros(block.size)
    for lag in range(1, block.depth):
        compared = inside[lag:] if equal_grades else inside[lag:] & (grades[:-lag] > grades[lag:])
        higher, equal = key[:-lag] > key[lag:], key[:-lag] == key[lag:]
        right += (compared & higher).sum(axis=0) + tied * (compared & equal).sum(axis=0)
        pairs += compared.sum(axis=0)
    return right, pairs


AUC_DIRECTION = Convention("auc-direction", "Scores that predict a hit", reads=("block", "k", "right", "pairs"))
"""A setting gives the worth of the pairs in the right order, shape (users,)."""


@AUC_DIRECTION.setting("higher", rule="the higher ones", no="")
def _(right: Numbers) -> Numbers:
    """An area below one half is possible."""
    return right


@AUC_DIRECTION.setting(
    "by-medians",
    rule="the lower ones where the median score of the hits is below that of the others",
    rises=False,
    cite="proc",
    says=(
        "where the median score of the relevant rows is below that of the others, low scores predict relevance and "
        "the value is 1 less the share"
    ),
)
def _(block: Block, k: int | None, right: Numbers, pairs: Numbers) -> Numbers:
    """A model that is wrong throughout has an area of 1."""
    read, hits = block.read_to(k), block.hits_by_rank > 0
    right = right.copy()
    for user in np.flatnonzero(pairs > 0):
        scores, hit = block.scores_by_rank[read[:, user], user], hits[read[:, user], user]
        with np.errstate(over="ignore", invalid="ignore"):  # of two middle scores, very large or infinite
            if hit.any() and not hit.all() and np.median(scores[~hit]) > np.median(scores[hit]):
                right[user] = pairs[user] - right[user]
    return right


AUC_WEIGHT = Convention("auc-weight", "Weight of a user in a weighted mean of AUCs", reads=("block", "k", "pairs"))
"""A setting gives each user's weight, shape (users,); `pairs` is the worth of their compared pairs, shape (users,)."""


@AUC_WEIGHT.idle("the mean is not weighted", by="aggregate")
def _(context: Context) -> bool:
    mean = context.settings.get("aggregate")
    return mean is not None and "weights" not in mean.reads_of_users


@AUC_WEIGHT.setting(
    "pairs", rule="the pairs compared", formula_tells=True, says="a user weighs as much as they have pairs compared"
)
def _(pairs: Numbers) -> Numbers:
    """The mean is then the share of all pairs that are right."""
    return pairs


@AUC_WEIGHT.setting(
    "rows",
    rule="the rows",
    formula_tells=True,
    cite="fuxictr",
    says="a user weighs as much as they have rows in their list",
)
def _(block: Block, k: int | None) -> Numbers:
    """Positives and negatives."""
    return block.length_at(k)


@AUC_WEIGHT.setting(
    "positives",
    rule="the hits",
    formula_tells=True,
    cite="recbole",
    says="a user weighs as much as they have relevant items in their list",
)
def _(block: Block, k: int | None) -> Numbers:
    """As many as the user has in their list."""
    return block.hits_so_far.at(k)


class OfThresholds(Metric):
    """What metrics share that take a tie for what it is: of its rows down to the cutoff, how many are hits."""

    of_hit_count: ClassVar[bool] = True

    def expectation(self, preparation: Preparation) -> Expectation:
        """Any order over the whole list, as a cutoff alone may cut a tie."""
        whole = self.scope is None and not self.reads_order and preparation.exchangeable
        return Expectation.ANY_ORDER if whole else super().expectation(preparation)


class AUC(OfThresholds):
    """Compute the share of pairs of items in which the better item is ranked higher.

    The share of pairs of rows that stand in the right order: hits against misses (the area under the ROC curve), or
    each grade against lower ones (ordered pair accuracy), over the rows of the prepared list, of its first k with a
    cutoff. A tied pair is half right, wrong, or decided by rank. Range 0 to 1. NaN where there is no pair, as where
    all rows are hits. The mean may weigh users (`aggregate: weighted-mean`), and all lists may be one (`scope:
    global`). Source: Hanley and McNeil, Radiology 143, 1982.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, "auc")["auc"]
    0.75
    """

    name = "auc"
    why_no_expectation = "the grades down to a cutoff differ from order to order"
    spellings = ("roc_auc",)
    cite = "hanley1982"
    compares_scores = True
    formula = "pairs in the right order / pairs"
    called = "AUC"
    paper_names = ("AUC", "GAUC")
    says = "the share of the compared pairs of rows {here} that stand in the right order"
    tex = r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} «auc-tied-pairs»"
    signs: ClassVar[dict[str, str]] = {"C": "the pairs (a, b) compared, a being the better one"}
    auc_pairs: Annotated[str, AUC_PAIRS]
    auc_tied_pairs: Annotated[str, AUC_TIED_PAIRS]
    auc_direction: Annotated[str, AUC_DIRECTION]
    auc_weight: Annotated[str, AUC_WEIGHT]

    @property
    def counts_hits_alone(self) -> bool:
        """Only where hits are compared, and not grades."""
        return super().counts_hits_alone and self.settings["auc-pairs"].traits.of_counts

    def per_user(self, block: Block) -> Ratio:
        by, tied = self.settings["auc-tied-pairs"]()
        right, pairs = self.settings["auc-pairs"](block=block, k=self.scope, by=by, tied=tied)
        right = self.settings["auc-direction"](block=block, k=self.scope, right=right, pairs=pairs)
        return Ratio(right, pairs, self.settings["auc-weight"](block=block, k=self.scope, pairs=pairs))


class LabelRankingLoss(OfThresholds):
    """Compute the share of pairs of a relevant and another item in the wrong order.

    The share of pairs of a hit and a miss in the list whose miss has the same score or a higher one. Range 0 to 1,
    0 is best. NaN where all rows are hits or none is.
    Source: Tsoumakas, Katakis and Vlahavas, Mining Multi-label Data, 2010.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, "label_ranking_loss")["label_ranking_loss"]
    0.25
    """

    name = "label_ranking_loss"
    cite = "tsoumakas2010"
    compares_scores = True
    lower_is_better: ClassVar[bool] = True
    formula = "pairs not in the right order / pairs"
    says = (
        "the share of the pairs of a relevant row and another one {here} in which the other one has the same score "
        "or a higher one"
    )
    tex = r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} \mathbf{1}[s_a \leq s_b]"
    signs: ClassVar[dict[str, str]] = {"C": "the pairs (a, b) compared, a being the better one"}

    def per_user(self, block: Block) -> Ratio:
        right, pairs = _compared(block, self.scope, block.hits_by_rank, block.misses_by_rank, "score", 0.0)
        return Ratio(pairs - right, pairs)
