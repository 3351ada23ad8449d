"""Precision interpolated at levels of recall."""

from typing import Annotated

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention, Setting
from rankconv.specs.custom import FunctionOf

RECALL_LEVEL = Convention("recall-level", "Level of recall", phrase=True)


@RECALL_LEVEL.number(rule="this recall", least=0, most=1)
def _(value: float) -> float:
    """0 asks for the highest precision anywhere."""
    return value


RECALL_ROUNDING = Convention(
    "recall-rounding",
    "Hits that a level of recall needs",
    reads=("wanted",),
    function_of=FunctionOf("wanted", "level · R =", "a recall of x asks for as many hits as {value} of xR"),
)
"""A setting gives the number of hits; `wanted` is the level times R; both have shape (users,)."""


@RECALL_ROUNDING.setting(
    "nearest",
    rule="level · R, rounded",
    cite="trec_eval-10",
    says="a recall of x asks for xR hits, rounded",
    tex=r"\lfloor «recall-level|x» R + 0.5 \rfloor",
)
def _(wanted: Numbers) -> Numbers:
    """A half is rounded up."""
    return np.floor(wanted + 0.5)


@RECALL_ROUNDING.setting(
    "up-0.9",
    rule="level · R, rounded up from a tenth on",
    cite="trec_eval-9",
    says="a recall of x asks for xR hits, rounded up from a tenth on",
    tex=r"\lfloor «recall-level|x» R + 0.9 \rfloor",
)
def _(wanted: Numbers) -> Numbers:
    """floor(level · R + 0.9)."""
    return np.floor(wanted + 0.9)


@RECALL_ROUNDING.setting(
    "up",
    rule="level · R, rounded up",
    cite="manning2008",
    says="a recall of x asks for xR hits, rounded up",
    tex=r"\lceil «recall-level|x» R \rceil",
)
def _(wanted: Numbers) -> Numbers:
    """The first rank whose recall is not below the level; what doubles add to a whole number is not rounded up."""
    return np.ceil(wanted - 1e-9)


INTERPOLATION = Convention("interpolation", "Precision at a level of recall", reads=("precision",), phrase=True)
"""`precision` is that at each rank, 0 beyond the list; a setting gives the interpolated one. Shape (K, users)."""


@INTERPOLATION.setting(
    "best-from-there",
    rule="the highest at that rank or below",
    cite="manning2008",
    says="highest precision at or below",
    tex=r"\max_{t \leq j \leq «K»} P_j",
)
def _(precision: Numbers) -> Numbers:
    """The curve never rises with recall."""
    return np.maximum.accumulate(precision[::-1], axis=0)[::-1]


@INTERPOLATION.setting("none", rule="the one at that rank", cite="manning2008", says="precision at", tex="P_t")
def _(precision: Numbers) -> Numbers:
    """Uninterpolated: the rank at which the level is reached, and no other."""
    return precision


def precision_from(block: Block, hits: Numbers, k: int | None, interpolation: Setting) -> Numbers:
    """The precision at the rank of the hit number `hits`, shape (users,); 0 if there are fewer hits.

    Ranks down to k are read. With no hits required, it is that at the first rank; NaN where the list is empty.
    """
    rows = block.length_at(k)
    inside = np.arange(block.depth)[:, None] < rows
    so_far = block.hits_so_far.down_to
    precision = np.where(inside, so_far / np.maximum(block.ranks, 1), 0.0)
    best = interpolation(precision=precision)
    block.show(precision=precision, interpolated=best)
    at = (inside & (so_far < hits)).sum(axis=0)
    found = np.vstack([best, np.zeros(block.size)])[at, np.arange(block.size)]
    return np.where((rows == 0) & (hits == 0), np.nan, found)


class InterpolatedPrecision(Metric):
    """Compute the highest precision at or beyond a level of recall.

    The highest precision at or below the rank at which recall reaches `recall-level`, or the one at that rank
    (`interpolation: none`); 0 if it never does.
    Range 0 to 1. NaN at level 0 of an empty list.
    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4.

    >>> import rankconv as rc
    >>> spec = "interpolated_precision(recall-level=0.5)"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["x", "a", "b"]}, spec)[spec]
    0.6666666666666666
    """

    name = "interpolated_precision"
    cite = "manning2008"
    spellings = ("iprec",)
    formula = "max of precision@j, j >= rank of the hit that reaches recall-level"
    says = "the {interpolation} the rank {here} at which recall reaches {recall-level}, and 0 if it never does"
    tex = r"«interpolation», \quad t = \min\{j : H_j \geq «recall-rounding»\}"
    splits = False
    recall_level: Annotated[str, RECALL_LEVEL]
    recall_rounding: Annotated[str, RECALL_ROUNDING]
    interpolation: Annotated[str, INTERPOLATION]

    def per_user(self, block: Block) -> Ratio:
        wanted = self.settings["recall-level"]() * block.relevant_count.astype(np.float64)
        hits = self.settings["recall-rounding"](wanted=wanted)
        return Ratio(precision_from(block, hits, self.scope, self.settings["interpolation"]), np.ones(block.size))


class ElevenPoint(Metric):
    """Compute the mean interpolated precision at eleven levels of recall.

    The mean of the interpolated precisions at recall 0, 0.1, … 1. Range 0 to 1. NaN where the list is empty.
    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "eleven_point")["eleven_point"]
    0.5
    """

    name = "eleven_point"
    cite = "manning2008"
    spellings = ("11pt",)
    formula = "mean of interpolated precision at recall 0, 0.1, … 1"
    called = "eleven-point average precision"
    says = "the mean of the precisions of the list, read {here}, interpolated at recall 0, 0.1, …, 1"
    tex = (
        r"\frac{1}{11} \sum_{i=0}^{10} \max_{t_i \leq j \leq «K»} P_j, \quad "
        r"t_i = \min\{j : H_j \geq «recall-rounding»\}, \quad x = \frac{i}{10}"
    )
    splits = False
    recall_rounding: Annotated[str, RECALL_ROUNDING]

    def per_user(self, block: Block) -> Ratio:
        relevant, best = block.relevant_count.astype(np.float64), INTERPOLATION("best-from-there")
        wanted = [self.settings["recall-rounding"](wanted=tenth / 10 * relevant) for tenth in range(11)]
        levels = [precision_from(block, hits, self.scope, best) for hits in wanted]
        return Ratio(block.sum(np.array(levels)).whole, np.full(block.size, 11.0))
