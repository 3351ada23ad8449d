"""Metrics of the grades in a list that are no sum over its ranks: the highest gain, and Kendall's tau."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.gains import GAIN
from rankconv.preparation.blocks.block import Block


class HighestGain(TopKMetric):
    """Compute the highest gain of an item in the list.

    The highest gain among the first k, that of an item without a label being 0; 0 for an empty list. Range: that of the
    gains. Source: Azure AI Evaluation 1.18.10, DocumentRetrievalEvaluator.

    >>> import rankconv as rc
    >>> dict(rc.evaluate({"u": {"a": 1, "b": 3}}, {"u": ["a", "x", "b"]}, "highest_gain@1,3"))
    {'highest_gain@1': 1.0, 'highest_gain@3': 3.0}
    """

    name = "highest_gain"
    cite = "azure_ai_evaluation"
    rises = True
    why_no_expectation = "the highest gain of a list is no sum over its ranks"
    formula = "highest gain, ranks 1 to k"
    called = "highest gain"
    says = "the highest gain of an item {here}, and 0 for an empty list"
    tex = r"\max_{1 \leq j \leq «rows»} «gain»"
    splits: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    gain: Annotated[str, GAIN]

    def per_user(self, block: Block) -> Ratio:
        gains, read = block.gains_by_rank(self.settings["gain"]), block.read_to(self.scope)
        highest = np.where(read, gains[: len(read)], -np.inf).max(axis=0, initial=-np.inf)
        return Ratio(np.where(read.any(axis=0), highest, 0.0), np.ones(block.size))


class GradeTau(TopKMetric):
    """Compute how far the order of the list agrees with that of the grades.

    Pairs of rows in the first k of which the upper one has the higher grade, less those of which it has the lower one,
    divided by all pairs: pairs of equal grade are in the divisor alone. An item without a label has grade 0.
    Range -1 to 1. NaN for a list of fewer than two rows. Source: Kendall, Biometrika 30(1–2), 1938.

    >>> import rankconv as rc
    >>> labels, run = {"u": {"a": 3, "b": 2, "c": 1}}, {"u": ["b", "a", "c"]}
    >>> round(rc.evaluate(labels, run, "grade_tau")["grade_tau"], 4)
    0.3333
    """

    name = "grade_tau"
    spellings = ("kendall_tau",)
    cite = "kendall1938"
    reads_data = ("grades",)
    why_no_expectation = "it compares pairs of rows, and is no sum over ranks"
    formula = "(pairs in the order of the grades - pairs against it) / pairs, ranks 1 to k"
    called = "Kendall's tau"
    paper_names = ("Kendall's tau",)
    says = (
        "the number of pairs of items {here} of which the upper one has the higher grade, less that of the pairs of "
        "which it has the lower one, divided by the number of all pairs"
    )
    tex = r"\frac{\sum_{i < j \leq «rows»} \mathrm{sgn}(g_i - g_j)}{«rows» («rows» - 1) / 2}"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def per_user(self, block: Block) -> Ratio:
        rows = block.numbers(block.length_at(self.scope))
        agreement = block.numbers(_agreement(block.grades_by_rank, block.read_to(self.scope)))
        return Ratio(agreement, rows * (rows - 1) / 2)


def _agreement(grades: Numbers, read: Mask) -> Numbers:
    """Pairs of rows in the order of their grades, less those against it, of rows that are `read`, shape (users,)."""
    agreement = np.zeros(grades.shape[1])
    for lower in range(1, len(read)):
        upper, pairs = grades[:lower], read[:lower] & read[lower]
        agreement += (pairs & (upper > grades[lower])).sum(axis=0)
        agreement -= (pairs & (upper < grades[lower])).sum(axis=0)
    return agreement
