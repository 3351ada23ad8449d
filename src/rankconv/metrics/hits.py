"""Hits of the first ranks: hit rate, their number, R-precision, and recall by distance."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio, TopKMetric
from rankconv.metrics.divisors import DIVISOR, HIT_CHANCE, HITS, WEIGHED_HITS
from rankconv.metrics.item_weights import (
    WeighedMetric,
)
from rankconv.metrics.precision_recall import HIT_WEIGHT, PRECISION_DENOMINATOR
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import shown_as
from rankconv.preparation.pipeline import Expectation, Preparation
from rankconv.preparation.ties import TieEffect

HIT_RULE = Convention(
    "hit-rule",
    "Condition for a list to count as a hit",
    reads=("block", "scope"),
    phrase=True,
    tells="a label with a negative grade",
)
"""A setting gives a number per user, shape (users,); the list is a hit where it is above 0."""


@HIT_RULE.setting(
    "hits", rule="at least one hit", says="at least one relevant item is {here}", tex=rf"\min\left(1, {HITS}\right)"
)
def _(block: Block, scope: int | None) -> Numbers:
    """One relevant item in the first k is enough."""
    return block.hits_so_far.at(scope)


@shown_as(by=lambda chance, block, k: [("no hit so far", block.no_hit_so_far[1:])])
def chance_of_hit(block: Block, k: int | None) -> Numbers:
    """The probability that a hit is at rank k or above, over all orders of tied rows, shape (users,)."""
    return block.hit_within(k)


class HitRate(TopKMetric):
    """Compute whether the list holds a relevant item.

    1 where the first k hold a hit, else 0; the mean is the share of such users. Also called success or accuracy@k.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["a"]}, "hit_rate@1")["hit_rate@1"]
    0.5
    """

    name = "hit_rate"
    cite = "deshpande2004"
    rises = True
    closed_form = True
    spellings = ("hr", "hit", "hit_ratio", "success")
    formula = "1 if hits@k > 0 else 0"
    paper_names = ("hit rate",)
    says = "1 if {hit-rule}, and 0 otherwise"
    tex = "«hit-rule»"
    splits = False
    hit_rule: Annotated[str, HIT_RULE]

    @property
    def expected_tex(self) -> str:
        return rf"1 - \prod_{{j=1}}^{{«K»}} (1 - c_j), \quad c_j = {HIT_CHANCE}"

    def per_user(self, block: Block) -> Ratio:
        if block.tie_rule is TieEffect.EXPECTED:
            return Ratio(block.part(chance_of_hit, self.scope), np.ones(block.size))
        found = self.settings["hit-rule"](block=block, scope=self.scope) > 0
        return Ratio(found.astype(np.float64), np.ones(block.size))


class HitCount(WeighedMetric):
    """Compute the number of relevant items in the list.

    A number of items, so the range is 0 to k; some papers report it as a "hit rate".

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "b", "c"]}, "hit_count@3")["hit_count@3"]
    2.0
    """

    name = "hit_count"
    cite = "deshpande2004"
    rises = True
    spellings = ("hits",)
    formula = "hits@k"
    says = "{hit-weight} {here}"
    share = "hit_rate"
    tex = WEIGHED_HITS
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    hit_weight: Annotated[str, HIT_WEIGHT]

    def per_user(self, block: Block) -> Ratio:
        found = self.settings["hit-weight"](block=self.weighed(block)).at(self.scope)
        return Ratio(found, np.ones(block.size))


R_PRECISION_DENOMINATOR = Convention(
    "r-precision-denominator", "Divisor of R-precision", options_of=DIVISOR, reads=(*DIVISOR.reads, "read")
)
"""As `DIVISOR`, and of shape (users,): `read` is the rank at which precision is read."""


@R_PRECISION_DENOMINATOR.setting(
    "rank-read", rule="the rank at which it is read", says="that rank", tex=r"\rho", called="that rank"
)
def _(read: Numbers) -> Numbers:
    """So it is the precision at that rank."""
    return read


R_PRECISION_AT = Convention(
    "r-precision-at",
    "Rank at which R-precision is read",
    options_of=DIVISOR,
    tells="a user with a hit below rank R, or with more relevant labels than k",
)
"""As `DIVISOR`, and of shape (users,): a setting gives the rank."""


@R_PRECISION_AT.setting(
    "multiple",
    rule="x times R, rounded up from a tenth on",
    cite="trec_eval-10",
    says="{of} times the number of relevant labels, rounded up from a tenth on",
    tex=r"\lfloor «of» R + 0.9 \rfloor",
    called="{of} · R, rounded up from a tenth on",
)
def _(block: Block, of: Annotated[float, Within(1e-6, 1e6)]) -> Numbers:
    """trec_eval takes floor(x R + 0.9)."""
    return np.floor(of * block.relevant_count.astype(np.float64) + 0.9)  # in doubles: 0.7 · 3 + 0.9 is below 3


class RPrecision(Metric):
    """Compute precision at rank R, the number of relevant items.

    Hits in the first R ranks divided by R; some systems read no deeper than k. Range 0 to 1.
    Source: Buckley and Voorhees, in TREC: Experiment and Evaluation, 2005.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}, "r_precision")["r_precision"]
    0.5
    """

    name = "r_precision"
    cite = "buckley2005"
    rises = True
    linear = True
    spellings = ("rprec",)
    formula = "hits@r-precision-at / r-precision-denominator"
    called = "R-precision"
    says = (
        "the number of relevant items down to the rank that equals {r-precision-at}, divided by "
        "{r-precision-denominator}"
    )
    tex = r"\frac{1}{«r-precision-denominator»} \sum_{j=1}^{\rho} r_j, \quad \rho = «r-precision-at»"
    r_precision_at: Annotated[str, R_PRECISION_AT]
    r_precision_denominator: Annotated[str, R_PRECISION_DENOMINATOR]
    number_names: ClassVar[Mapping[str, str]] = {
        "r-precision-at": "read to rank {}",
        "r-precision-denominator": "divided by {}",
    }

    def per_user(self, block: Block) -> Ratio:
        ranks = self.divided_by("r-precision-at", block)
        found = block.hits_so_far.at_rows(np.clip(ranks, 0, block.depth).astype(np.int64))
        return Ratio(found, self.divided_by("r-precision-denominator", block, read=ranks))


DISTANCE_TOLERANCE = Convention(
    "distance-tolerance", "Difference in score that still makes a row as near as the k-th neighbour", reads=("last",)
)
"""A setting gives the lowest score of a row that is near enough, shape (users,); `last` are the lowest grades of each
user's labels, of that shape too."""


@DISTANCE_TOLERANCE.setting(
    "absolute",
    rule="x below the grade of the k-th neighbour",
    needs=("scores",),
    says="at least the lowest grade of the labels, less {epsilon}",
    tex=r"g_{\min} - «epsilon»",
)
def _(last: Numbers, epsilon: Annotated[float, Within(0, 1e9)]) -> Numbers:
    """With grades and scores that are distances with a minus: a distance that is longer by at most this."""
    return last - epsilon


@DISTANCE_TOLERANCE.setting(
    "relative",
    rule="x times its size below the grade of the k-th neighbour",
    needs=("scores",),
    cite="ann_benchmarks",
    says="at least the lowest grade of the labels, less {epsilon} times its absolute value",
    tex=r"g_{\min} - «epsilon» \left|g_{\min}\right|",
)
def _(last: Numbers, epsilon: Annotated[float, Within(0, 1e9)]) -> Numbers:
    """A distance that is longer by at most this share."""
    return last - epsilon * abs(last)


class DistanceRecall(TopKMetric):
    """Compute the share of the first k rows that are as near as the k-th neighbour.

    A row counts by its score, whatever its item: an item that is as near as the last of the labels is as good, and one
    that is repeated counts each time. Scores and grades are similarities, or distances with a minus. Divided by the
    setting of `precision-denominator`. Range 0 to 1. Source: Aumüller, Bernhardsson and Faithfull, Information Systems
    87, 2020.

    >>> import rankconv as rc
    >>> run = {"u": [("a", 0.9), ("y", 0.75), ("z", 0.7)]}
    >>> spec = "distance_recall(labels-used=first-k(by-grade))@2"
    >>> rc.evaluate({"u": {"a": 0.9, "b": 0.75, "c": 0.6}}, run, spec)[spec]
    1.0
    """

    name = "distance_recall"
    reads_data = ("grades",)
    cite = "aumuller2020"
    compares_scores = True
    formula = (
        "rows of the first k with the lowest grade of the labels, less distance-tolerance, / precision-denominator"
    )
    called = "recall by distance"
    says = "the number of rows {here} with a score of {distance-tolerance}, divided by {precision-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} \mathbf{1}\left[s_j \geq «distance-tolerance»\right]}{«precision-denominator»}"
    distance_tolerance: Annotated[str, DISTANCE_TOLERANCE]
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]

    def expectation(self, preparation: Preparation) -> Expectation:
        """Rows of equal score have one value."""
        return Expectation.ANY_ORDER

    def per_user(self, block: Block) -> Ratio:
        last = np.full(block.size, np.inf)
        np.minimum.at(last, block.known.user, block.known.grade)
        labelled = last < np.inf
        least = self.settings["distance-tolerance"](last=np.where(labelled, last, 0.0))
        near = block.listed & labelled & (block.scores_by_rank >= least)
        found = block.count(near=near.astype(np.float64)).at(self.scope)
        return Ratio(found, self.divided_by("precision-denominator", block))
