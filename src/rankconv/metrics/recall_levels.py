"""Metrics at levels of recall: the precision where a level is reached, and the rows that need not be read for it."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Mask, Numbers
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import expected_rank_of_hit
from rankconv.preparation.captions import said_as, shown_as
from rankconv.preparation.pipeline import Expectation, Preparation

RECALL_LEVEL = Convention("recall-level", "Level of recall", phrase=True)


@RECALL_LEVEL.number(rule="this recall", least=0, most=1)
def _(value: float) -> float:
    """0 asks for the highest precision anywhere."""
    return value


RECALL_ROUNDING = Convention(
    "recall-rounding",
    "Hits that a level of recall needs",
    reads=("wanted",),
    function_of=FunctionOf("wanted", "level · R =", "a recall of x needs as many hits as {value} of xR"),
)
"""A setting gives the number of hits; `wanted` is the level times R; both have shape (users,)."""


@RECALL_ROUNDING.setting(
    "nearest",
    rule="level · R, rounded",
    cite="trec_eval-10",
    says="a recall of x needs xR hits, rounded",
    tex=r"\lfloor «recall-level|x» R + 0.5 \rfloor",
)
def _(wanted: Numbers) -> Numbers:
    """A half is rounded up."""
    return np.floor(wanted + 0.5)


@RECALL_ROUNDING.setting(
    "nearest-even",
    rule="level · R, rounded, a half to the even number",
    cite="clef-tar",
    says="a recall of x needs xR hits, rounded, a half to the even number",
    tex=r"\mathrm{round}(«recall-level|x» R)",
)
def _(wanted: Numbers) -> Numbers:
    """As Python 3 rounds: 2.5 is 2, and 3.5 is 4."""
    return np.rint(wanted)


@RECALL_ROUNDING.setting(
    "up-0.9",
    rule="level · R, rounded up from a tenth on",
    cite="trec_eval-9",
    says="a recall of x needs xR hits, rounded up from a tenth on",
    tex=r"\lfloor «recall-level|x» R + 0.9 \rfloor",
)
def _(wanted: Numbers) -> Numbers:
    """floor(level · R + 0.9)."""
    return np.floor(wanted + 0.9)


@RECALL_ROUNDING.setting(
    "up",
    rule="level · R, rounded up",
    cite="manning2008",
    says="a recall of x needs xR hits, rounded up",
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


@shown_as("precision")
def precision_by_rank(block: Block, k: int | None) -> Numbers:
    """The precision at each rank down to k, 0 below it and beyond the list, shape (K, users)."""
    inside = np.arange(block.depth)[:, None] < block.length_at(k)
    return np.where(inside, block.hits_so_far.down_to / np.maximum(block.ranks, 1), 0.0)


@shown_as("interpolated")
def interpolated_by_rank(block: Block, k: int | None, interpolation: Setting) -> Numbers:
    """The precision that counts at each rank, shape (K, users)."""
    return np.asarray(interpolation(precision=block.once(precision_by_rank, k)))


def precision_from(block: Block, hits: Numbers, k: int | None, interpolation: Setting) -> Numbers:
    """The precision at the rank of the hit number `hits`, shape (users,); 0 if there are fewer hits.

    Ranks down to k are read. With no hits required, it is that at the first rank; NaN where the list is empty.
    """
    rows = block.length_at(k)
    inside = np.arange(block.depth)[:, None] < rows
    best = block.once(interpolated_by_rank, k, interpolation)
    at = (inside & (block.hits_so_far.down_to < hits)).sum(axis=0)
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
    why_no_expectation = "the highest precision of a list is no sum over its ranks"
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


RECALL_LEVELS = Convention("recall-levels", "Levels of recall that are averaged over", phrase=True)
"""A setting gives the levels, shape (levels,)."""


@RECALL_LEVELS.setting(
    "tenths",
    rule="0, 0.1, …, 1",
    formula_tells=True,
    says="recall 0, 0.1, …, 1",
    tex=r"(0, 0.1, \ldots, 1)",
)
def _() -> Numbers:
    """The eleven points of TREC."""
    return np.arange(11) / 10


@RECALL_LEVELS.setting("at", rule="these", cite="trec_eval-10", says="recall {of}", tex="«of»")
def _(*of: Annotated[float, Within(0, 1)]) -> Numbers:
    """Three of them, 0.2, 0.5 and 0.8, were TREC's 3-pt average."""
    return np.array(of, np.float64)


class ElevenPoint(Metric):
    """Compute the mean interpolated precision at eleven levels of recall.

    The mean of the interpolated precisions at recall 0, 0.1, … 1, or at other levels (`recall-levels=at(0.2, 0.5)`).
    Range 0 to 1. NaN where the list is empty.
    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "eleven_point")["eleven_point"]
    0.5
    """

    name = "eleven_point"
    why_no_expectation = "the highest precision of a list is no sum over its ranks"
    cite = "manning2008"
    spellings = ("11pt",)
    formula = "mean of interpolated precision at recall 0, 0.1, … 1"
    called = "eleven-point average precision"
    says = "the mean of the precisions of the list, read {here}, interpolated at {recall-levels}"
    tex = (
        r"\frac{1}{|X|} \sum_{x \in X} \max_{t_x \leq j \leq «K»} P_j, \quad "
        r"t_x = \min\{j : H_j \geq «recall-rounding»\}, \quad X = «recall-levels»"
    )
    splits = False
    recall_rounding: Annotated[str, RECALL_ROUNDING]
    recall_levels: Annotated[str, RECALL_LEVELS]

    def per_user(self, block: Block) -> Ratio:
        relevant, best = block.relevant_count.astype(np.float64), INTERPOLATION("best-from-there")
        levels = self.settings["recall-levels"]()
        wanted = [self.settings["recall-rounding"](wanted=level * relevant) for level in levels]
        found = [precision_from(block, hits, self.scope, best) for hits in wanted]
        return Ratio(block.sum(np.array(found)).whole, np.full(block.size, float(len(levels))))


WORK_TOTAL = Convention(
    "work-total",
    "Items that would be read without a ranking",
    reads=("block",),
    phrase=True,
    tells="a label that was not returned",
)
"""A setting gives how many there are, shape (users,)."""


@WORK_TOTAL.setting("ranked", rule="the rows of the list", says="rows of the list", tex="n")
def _(block: Block) -> Numbers:
    """The list ranks all items that would have to be read."""
    return block.lengths


@WORK_TOTAL.setting("judged", rule="the labels of the user", says="labels of the user", tex=r"(R + \bar{R})")
def _(block: Block) -> Numbers:
    """Also where a list was cut: what was not ranked must be read all the same."""
    return block.judged_count


@WORK_TOTAL.setting(
    "ranked-or-judged",
    rule="the rows of the list or the labels of the user, whichever are more",
    cite="clef-tar",
    says="rows of the list or labels of the user, whichever are more,",
    tex=r"\max(n, R + \bar{R})",
)
def _(block: Block) -> Numbers:
    """Where a list also holds items without a label."""
    return np.maximum(block.lengths, block.judged_count)


UNREACHED_RECALL = Convention(
    "unreached-recall",
    "Work saved where the list does not reach the level of recall",
    reads=("total", "spared"),
    tells="a relevant item that was not returned",
)
"""A setting gives the numerator, shape (users,), from the divisor and from what the level spares of it."""


@UNREACHED_RECALL.number(rule="this", least=-1, most=1, says="a list that does not reach the level counts {value}")
def _(total: Numbers, value: float) -> Numbers:
    """0 is no work saved, and none lost."""
    return total * value


@UNREACHED_RECALL.setting(
    "all-read", rule="as if all items had been read", says="where a list does not reach the level, all items are read"
)
def _(spared: Numbers) -> Numbers:
    """What the level leaves out was read too, so it is lost work: -0.05 at a recall of 0.95."""
    return -spared


@said_as("hits that reach the level")
def hits_of_level(block: Block, level: Setting, rounding: Setting) -> Numbers:
    """How many hits reach the level of recall, shape (users,)."""
    return np.asarray(rounding(wanted=level() * block.relevant_count.astype(np.float64)))


def _rank_of_hit(block: Block, wanted: Numbers) -> tuple[Numbers, Mask]:
    """The rank of the hit of this number, 0 where none is wanted, and whether the list has it; both of shape (users,).

    Tied rows have the expected rank, where these count by expected values.
    """
    if block.averages_ties:
        rank = expected_rank_of_hit(block, wanted)
        return rank, np.asarray((wanted == 0) | (np.asarray(rank, np.float64) > 0), bool)
    there = block.listed & (np.asarray(block.hits_so_far.down_to, np.float64) >= wanted)
    reached = there.any(axis=0) if block.depth else np.zeros(block.size, bool)
    at, user = (there.argmax(axis=0) if block.depth else np.zeros(0, np.int64)), np.arange(block.size)
    rank = block.numbers(np.zeros(block.size))
    found = reached & (wanted > 0)
    if found.any():
        rank = np.where(found, block.ranks_by_rank[at, user], rank)
    return rank, reached | (wanted == 0)


class WorkSaved(Metric):
    """Compute the share of items that need not be read to reach a level of recall.

    Of W items (`work-total`) t must be read to find the hit that reaches `recall-level`: (W - t) / W, less 1 - level,
    which is what reading in a random order saves. Known as work saved over sampling, WSS@95 at a level of 0.95.
    Range -1 to 1. NaN without a relevant label.
    Source: Cohen, Hersh, Peterson and Yen, Journal of the American Medical Informatics Association 13(2), 2006.

    >>> import rankconv as rc
    >>> run = {"u": ["a", "x", "b", "y", "z"]}
    >>> spec = "work_saved(recall-level=1)"
    >>> rc.evaluate({"u": ["a", "b"]}, run, spec)[spec]
    0.4
    """

    name = "work_saved"
    closed_form = True
    cite = "cohen2006"
    rises = True
    spellings = ("wss", "work_saved_over_sampling")
    formula = "(W - rank of the hit that reaches recall-level) / W - (1 - recall-level)"
    called = "work saved over sampling"
    paper_names = ("WSS",)
    says = (
        "the share of the {work-total} that is below the rank at which recall reaches {recall-level}, less 1 minus "
        "that level"
    )
    tex = (
        r"\frac{W - t}{W} - (1 - «recall-level»), \quad W = «work-total», \quad "
        r"t = \min\{j : H_j \geq «recall-rounding»\}"
    )
    cuts: ClassVar[bool] = False
    written_as_cutoff: ClassVar[str] = RECALL_LEVEL.name
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    recall_level: Annotated[str, RECALL_LEVEL]
    recall_rounding: Annotated[str, RECALL_ROUNDING]
    work_total: Annotated[str, WORK_TOTAL]
    unreached_recall: Annotated[str, UNREACHED_RECALL]

    def expectation(self, preparation: Preparation) -> Expectation:
        several = preparation.settings["labels-used"].traits.hits_of_labels  # so a hit has no place of its own
        return Expectation.RELEVANT_LAST if several else super().expectation(preparation)

    def per_user(self, block: Block) -> Ratio:
        level, relevant = self.settings["recall-level"](), block.relevant_count.astype(np.float64)
        wanted = block.part(hits_of_level, self.settings["recall-level"], self.settings["recall-rounding"])
        total = block.numbers(np.where(relevant > 0, self.settings["work-total"](block=block), 0.0))
        spared = total * (1 - level)
        rank, reached = _rank_of_hit(block, wanted)
        saved = np.where(reached, total - rank - spared, self.settings["unreached-recall"](total=total, spared=spared))
        return Ratio(np.where(relevant > 0, saved, 0.0), total)
