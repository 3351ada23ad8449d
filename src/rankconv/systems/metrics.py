"""Settings of metrics of accuracy, and of the mean, that one system needs."""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np

from rankconv.aggregation.exact_sum import ExactSum
from rankconv.aggregation.means import MEAN, Terms
from rankconv.data.arrays import Numbers, exp2
from rankconv.metrics.auc import WEIGHT
from rankconv.metrics.base import Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.gains import GAIN
from rankconv.metrics.hit_rate import HIT_BY, R_PRECISION_AT
from rankconv.metrics.position import RR_OVER, reciprocal_of_first, reciprocals_of_hits
from rankconv.preparation.arithmetic import CumulativeSum, LazyRanks
from rankconv.preparation.block import Block
from rankconv.specs.parameters import Above, Within


@DIVISOR.setting(
    "labels-above",
    rule="labels with a grade above x",
    says="the number of labels with a grade above {level}",
    tex="R_{> «level»}",
    called="labels above {level}",
)
def _(block: Block, level: float) -> Numbers:
    """Counted by grade, whatever is relevant."""
    return block.labels_above(level)


@HIT_BY.setting(
    "grade-sum",
    rule="grades in the first k that sum to more than 0",
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


@MEAN.setting(
    "mean-of-parts",
    rule="the parts averaged, then combined",
    adds=Terms(("parts",), lambda users: [*users.parts]),
    rises=True,
    cite="evidently",
    says="the reported number is computed from the means of precision and of recall over the users counted",
    tex=r"\frac{(1 + b) \bar{P} \bar{R}^{*}}{b \bar{P} + \bar{R}^{*}}",
)
def _(sums: Sequence[ExactSum], combine: Callable[..., Ratio]) -> float:
    """As F of the mean precision and the mean recall, which is not the mean F."""
    return float(combine(*(np.array([part.total / part.number]) for part in sums)).value[0])


@WEIGHT.setting(
    "rows",
    rule="the rows",
    formula_tells=True,
    cite="fuxictr",
    says="a user weighs as much as they have rows in their list",
)
def _(block: Block, k: int | None) -> Numbers:
    """Positives and negatives."""
    return block.length_at(k)


def _reciprocals_of_grades(block: Block) -> CumulativeSum:
    """grade/rank of all rows, summed down to each rank, shape (ranks, users)."""
    ranks, grades = np.maximum(block.ranks, 1), block.grades_by_rank
    return block.sum(**{"grade/rank": LazyRanks(lambda at: grades[at] / ranks[at], len(grades))})


@RR_OVER.setting(
    "grades",
    rule="sum of grade / rank over all rows, divided by the sum of the grades plus epsilon",
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


@WEIGHT.setting(
    "positives",
    rule="the hits",
    formula_tells=True,
    cite="recbole",
    says="a user weighs as much as they have relevant items in their list",
)
def _(block: Block, k: int | None) -> Numbers:
    """As many as the user has in their list."""
    return block.hits_so_far.at(k)


@RR_OVER.setting(
    "relevant",
    rule="sum of 1 / rank over all hits, divided by R",
    cite="rexmex",
    says="the sum of 1/rank over the relevant items {here}, divided by the number of relevant labels",
    tex=r"\frac{1}{R} \sum_{j=1}^{«K»} \frac{r_j}{j}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """An unretrieved relevant item counts 0."""
    return block.once(reciprocals_of_hits).at(scope), block.relevant_count


@RR_OVER.setting(
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


@MEAN.setting(
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
