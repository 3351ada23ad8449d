"""Recall by distance: whether the rows are as near as the nearest neighbours."""

from typing import Annotated

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Expectation, Ratio, TopKMetric
from rankconv.metrics.precision_recall import PRECISION_DENOMINATOR
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import Within

TOLERANCE = Convention(
    "distance-tolerance", "Difference in score that still makes a row as near as the k-th neighbour", reads=("last",)
)
"""A setting gives the lowest score of a row that is near enough, shape (users,); `last` are the lowest grades of each
user's labels, of that shape too."""


@TOLERANCE.setting(
    "absolute",
    rule="x below the grade of the k-th neighbour",
    needs="scores",
    says="at least the lowest grade of the labels, less {epsilon}",
    tex=r"g_{\min} - «epsilon»",
)
def _(last: Numbers, epsilon: Annotated[float, Within(0, 1e9)]) -> Numbers:
    """With grades and scores that are distances with a minus: a distance that is longer by at most this."""
    return last - epsilon


@TOLERANCE.setting(
    "relative",
    rule="x times its size below the grade of the k-th neighbour",
    needs="scores",
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
    setting to `precision-denominator`. Range 0 to 1. Source: Aumüller, Bernhardsson and Faithfull, Information Systems
    87, 2020.

    >>> import rankconv as rc
    >>> run = {"u": [("a", 0.9), ("y", 0.75), ("z", 0.7)]}
    >>> spec = "distance_recall(labels-used=first-k(by-grade))@2"
    >>> rc.evaluate({"u": {"a": 0.9, "b": 0.75, "c": 0.6}}, run, spec)[spec]
    1.0
    """

    name = "distance_recall"
    cite = "aumuller2020"
    compares_scores = True
    formula = (
        "rows of the first k with the lowest grade of the labels, less distance-tolerance, / precision-denominator"
    )
    called = "recall by distance"
    says = "the number of rows {here} with a score of {distance-tolerance}, divided by {precision-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} \mathbf{1}\left[s_j \geq «distance-tolerance»\right]}{«precision-denominator»}"
    distance_tolerance: Annotated[str, TOLERANCE]
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
        return Ratio(found, self.divided_by(self.settings["precision-denominator"], block))
