"""Recall of labels that a run satisfies in part: nuggets that a response supports, each with a weight and a credit."""

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.gains import GAIN
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import said_as, shown_as

FROM_0_TO_1 = "scores from 0 to 1"
"""What a run must have where the score of a row says how far its label is satisfied."""

CREDIT = Convention("credit", "Credit of a row for its score", reads=("scores",), tells="a row of partial support")
"""A setting gives the credit of each score, from 0 to 1; both have one shape."""


@CREDIT.setting("one", rule="1, whatever the score", formula_tells=True, no="", tex="")
def _(scores: Numbers) -> Numbers:
    """A row is credited in full."""
    return np.ones(scores.shape)


@CREDIT.setting(
    "score",
    rule="the score",
    needs=(FROM_0_TO_1,),
    reads_data=("scores",),
    says="the credit of a row is its score",
    tex=" s_j",
    signs={"s_j": "the score of the item at rank j"},
)
def _(scores: Numbers) -> Numbers:
    """From 0 to 1, as the share of the label that is satisfied."""
    return scores


@CREDIT.setting(
    "strict",
    rule="1 for a score of 1, else 0",
    needs=(FROM_0_TO_1,),
    reads_data=("scores",),
    cite="pradeep2024",
    says="a row has a credit of 1 if its score is 1, and none otherwise",
    tex=r" \left[s_j = 1\right]",
    signs={"s_j": "the score of the item at rank j"},
)
def _(scores: Numbers) -> Numbers:
    """Partial support is worth nothing."""
    return np.asarray(scores >= 1).astype(np.float64)


@CREDIT.setting(
    "partial",
    rule="1 for a score of 1, share for a lower one above 0, else 0",
    needs=(FROM_0_TO_1,),
    reads_data=("scores",),
    cite="pradeep2024",
    says="a row has a credit of 1 if its score is 1, and of {share} if it is lower and above 0",
    tex=" c_j",
    signs={"c_j": "the credit of the item at rank j"},
)
def _(scores: Numbers, share: Annotated[float, Within(0, 1)]) -> Numbers:
    """All partial support is worth the same, whatever its score."""
    return np.where(scores >= 1, 1.0, np.where(scores > 0, share, 0.0))


NUGGET_DENOMINATOR = Convention(
    "nugget-denominator",
    "Divisor of the credits",
    reads=("block", "gain", "found"),
    phrase=True,
    tells="a user without a label of some grade",
)
"""A setting gives each user's divisor, shape (users,); `found` is what it divides, of that shape."""


@NUGGET_DENOMINATOR.setting(
    "gains",
    rule="the gains of the relevant labels",
    formula_tells=True,
    says="the sum of the gains of the relevant labels",
    tex=r"\sum_{j} r^{*}_j «gain:*»",
)
def _(block: Block, gain: Setting) -> Numbers:
    """Those that there are: a run that satisfies all of them has 1."""
    return _gains_of_labels(block, gain)


@NUGGET_DENOMINATOR.setting(
    "gains-of-each-grade",
    rule="the gains of the relevant labels, and one more of each grade from 1 to highest that has none",
    cite="open_rag_eval",
    reads_data=("grades",),
    says=(
        "the sum of the gains of the relevant labels, to which one is added for each whole grade from 1 to {highest} "
        "that no relevant label has"
    ),
    tex=r"\left(\sum_{j} r^{*}_j «gain:*» + G_0\right)",
    signs={"G_0": "the gains of the grades that no relevant label of the user has"},
)
def _(block: Block, gain: Setting, highest: Annotated[int, Within(1, 100)]) -> Numbers:
    """Each number of labels is raised to 1 at least: no run can have 1 where a grade has no label."""
    known, total, grades = block.known, _gains_of_labels(block, gain), np.arange(1.0, highest + 1)
    for grade, worth in zip(grades, block.worth(gain, grades, np.ones(highest, bool)), strict=True):
        there = block.sum_of_known(known.relevant & (known.grade == grade))
        total = total + block.numbers(np.where(there > 0, 0.0, worth))
    return total


def _gains_of_labels(block: Block, gain: Setting) -> Numbers:
    """The sum of the gains of the relevant labels, shape (users,)."""
    return block.sum_of_known(np.where(block.known.relevant, block.gains_of_known(gain), 0.0))


@shown_as("credit")
def credit_by_rank(block: Block, credit: Setting) -> Numbers:
    """The credit of each row, shape (K, users)."""
    return np.asarray(credit(scores=block.scores_by_rank))


def _said_divisor(divisor: Numbers, block: Block, setting: Setting, *_: Any) -> Iterator[tuple[str, Numbers]]:
    yield f"divided by {setting.setting_type.rule}", divisor


@said_as(by=_said_divisor)
def divisor_of_credits(block: Block, setting: Setting, gain: Setting, found: Numbers) -> Numbers:
    """What the credits `found` are divided by; both have shape (users,)."""
    return np.asarray(setting(block=block, gain=gain, found=found))


def credits_so_far(block: Block, gain: Setting, credit: Setting) -> CumulativeSum:
    """The gain of each hit times its credit, summed down to each rank, shape (ranks, users)."""
    gains, credits = block.gains_by_rank(gain), block.part(credit_by_rank, credit)
    return block.sum(product=block.hits_by_rank * gains * credits)


class NuggetRecall(TopKMetric):
    """Compute the share of the labels that a run satisfies, each with its weight and a credit.

    The sum of gain times credit over the hits, divided by the gains of the relevant labels. Of a response that is
    evaluated by nuggets, labels are the nuggets with their importance as grades, and the run says how far the response
    supports each; `gain` has what a nugget weighs, and `relevant` which nuggets count. Range 0 to 1.
    NaN where nothing is relevant and no policy says otherwise.
    Source: Pradeep et al., Initial Nugget Evaluation Results for the TREC 2024 RAG Track, 2024.

    >>> import rankconv as rc
    >>> labels, run = {"q": {"n1": "vital", "n2": "okay"}}, {"q": {"n1": "partial_support", "n2": "support"}}
    >>> rc.evaluate(labels, run, "all_score", "nuggetizer")["all_score"]
    0.75
    """

    name = "nugget_recall"
    cite = "pradeep2024"
    why_no_expectation = "the gain of a hit is multiplied by its credit"
    formula = "sum of gain · credit of the hits / nugget-denominator"
    called = "nugget recall"
    says = "the sum of the gains of the relevant items {here}, each times its credit, divided by {nugget-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} r_j «gain»«credit»}{«nugget-denominator»}"
    named_first = ("gain", "credit")
    gain: Annotated[str, GAIN]
    credit: Annotated[str, CREDIT]
    nugget_denominator: Annotated[str, NUGGET_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        settings, gain = self.settings, self.settings["gain"]
        found = block.once(credits_so_far, gain, settings["credit"]).at(self.scope)
        return Ratio(found, block.part(divisor_of_credits, settings["nugget-denominator"], gain, found))
