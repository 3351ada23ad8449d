"""Metrics that compare a list with the ideal one rank by rank: those of trec_eval, and compatibility."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Codes, Numbers, log2, power, within
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.dcg import UNBOUNDED, dcg_so_far
from rankconv.metrics.gains import DISCOUNT, GAIN
from rankconv.metrics.ideals import sorted_gains
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import at_hits
from rankconv.preparation.captions import shown_as, shown_as_ideal


@shown_as("misses above")
def misses_above(block: Block) -> Numbers:
    """Rows above each that are no hits, shape (K, users)."""
    return block.count(block.misses_by_rank).above


class BinG(Metric):
    """Compute how few non-relevant items are ranked above the relevant ones.

    Each hit counts 1 / log2(2 + rows above it that are none), and the sum is divided by R. Range 0 to 1.
    NaN without relevant labels. Source: trec_eval 10, m_binG.c.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "y", "b"]}, "bin_g")["bin_g"]
    0.75
    """

    name = "bin_g"
    closed_form = True
    formula = "sum over hits of 1 / log2(2 + misses above), / R"
    called = "binary G"
    says = (
        "the sum over the relevant items {here} of 1 / log2(2 + other items above), divided by the number of "
        "relevant labels"
    )
    tex = r"\frac{1}{R} \sum_{j=1}^{«K»} \frac{r_j}{\log_{2}(2 + j - H_j)}"

    def per_user(self, block: Block) -> Ratio:
        if block.averages_ties:
            counts = at_hits(block, lambda rank, above: 1 / log2(2 + np.maximum(rank - above, 0)), self.scope)
        else:
            counts = block.hits_by_rank / log2(2 + block.part(misses_above))
        return Ratio(block.sum(counts=counts).at(self.scope), block.relevant_count)


def ideal_grades(block: Block) -> Numbers:
    """The grades of the labels, 0 for those below it, falling, shape (ranks, users)."""
    positive = np.maximum(block.known.grade, 0)
    order = np.lexsort((-positive, block.known.user))
    return block.stacked(positive[order], block.known.user[order])


@shown_as("ideal less gained")
def ideal_less_gained(block: Block, grades: Numbers) -> Numbers:
    """What the ideal list has gained down to each rank, at least 1 there, less the `grades` of this one, (K, users)."""
    ideal, lasting = block.once(ideal_grades), block.numbers(np.ones((block.depth, block.size)))
    rows = min(block.depth, len(ideal))
    lasting[:rows] = np.maximum(ideal[:rows], 1)
    return np.asarray(block.count(lasting).down_to - block.count(grades).down_to)


class GMeasure(Metric):
    """Compute how close the list stays to the ideal list at the relevant ranks.

    Each grade counts 1 / log2(2 + what the ideal list has gained so far and this one has not), an ideal rank at
    least 1; divided by the sum of all grades. Grades below 0 count 0. Range 0 to 1. NaN where grades sum to 0.
    Source: trec_eval 10, m_G.c.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 2, "b": 1}}, {"u": ["b", "a"]}, "g_measure")["g_measure"], 4)
    0.877
    """

    name = "g_measure"
    why_no_expectation = "the worth of a row hangs on the sum of the grades above it"
    reads_data = ("grades",)
    formula = "sum of g_j / log2(2 + ideal so far - gained so far), / sum of grades"
    called = "G"
    says = (
        "the sum over the items {here} of the grade divided by log2(2 + what the ideal list has gained down to "
        "that rank and this one has not), divided by the sum of the grades of all labels"
    )
    tex = (
        r"\frac{1}{\sum_{i} g^{*}_i} \sum_{j=1}^{«K»} \frac{g_j}{\log_{2}\left(2 + \sum_{i=1}^{j} "
        r"(\max(g^{*}_i, 1) - g_i)\right)}"
    )
    range: ClassVar[tuple[float, float]] = UNBOUNDED

    def per_user(self, block: Block) -> Ratio:
        grades, ideal = np.maximum(block.grades_by_rank, 0), block.once(ideal_grades)
        remaining = block.part(ideal_less_gained, grades)
        with np.errstate(divide="ignore", invalid="ignore"):
            worth = np.where(grades > 0, grades / log2(2 + remaining), 0.0)
        return Ratio(block.sum(counts=worth).at(self.scope), block.count(ideal).whole)


def positive_ideal(block: Block, gain: Setting) -> Numbers:
    """The gains above 0 of the labels that exist, falling, shape (ranks, users)."""
    gains: Numbers = np.maximum(np.asarray(block.once(sorted_gains, gain, None)), 0)
    return gains


@shown_as_ideal
def positive_ideal_so_far(block: Block, gain: Setting, discount: Setting) -> CumulativeSum:
    """DCG of the ideal list down to each rank, shape (ranks, users)."""
    gains = block.once(positive_ideal, gain)
    return block.sum(block.discounted(gains, discount))


class _RankByRank(Metric):
    """What NDCG at several ranks has in common."""

    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]
    discount: Annotated[str, DISCOUNT]

    def lists(self, block: Block) -> tuple[CumulativeSum, CumulativeSum, Numbers, Numbers]:
        """DCG of the list and of the ideal one down to each rank, the ideal gains, and the number of those above 0.

        The first three have shape (ranks, users), the last (users,).
        """
        gain, discount = self.settings["gain"], self.settings["discount"]
        gains = block.once(positive_ideal, gain)
        own, ideal = block.once(dcg_so_far, gain, discount), block.once(positive_ideal_so_far, gain, discount)
        return own, ideal, gains, (gains > 0).sum(axis=0).astype(np.float64)


class NDCGRel(_RankByRank):
    """Compute the mean NDCG at the ranks of the relevant items.

    DCG@j / ideal DCG@j at each row with a gain, the ideal list ending with its last gain; a relevant item that was
    unretrieved counts with the NDCG of the whole list. Divided by the number of labels with a gain. NaN without one.
    Source: trec_eval 10, m_ndcg_rel.c.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 1}}, {"u": ["x", "a"]}, "ndcg_rel")["ndcg_rel"], 4)
    0.6309
    """

    name = "ndcg_rel"
    why_no_expectation = "the worth of a row hangs on the gains above it, each at its rank"
    formula = "(sum over gains of DCG@j / IDCG@j + unretrieved · DCG / IDCG) / labels with a gain"
    called = "nDCG at relevant ranks"
    says = (
        "the mean over the labels with a gain of DCG / ideal DCG at the rank of the item, or of the whole list "
        "where it was not retrieved"
    )
    tex = r"\frac{1}{L} \sum_{i=1}^{L} \frac{D_{j_i}}{D^{*}_{j_i}}"
    signs: ClassVar[dict[str, str]] = {
        "L": "the number of labels with a gain",
        "j_i": "the rank of the item of label i",
        "D_j": "the DCG of the first ranks of the list",
        "D^{*}_j": "that of the ideal list",
    }
    cuts: ClassVar[bool] = False

    def per_user(self, block: Block) -> Ratio:
        own, ideal, _, size = self.lists(block)
        gained = block.gains_by_rank(self.settings["gain"]) > 0
        rank = np.minimum(np.arange(1, block.depth + 1)[:, None], size).astype(np.int64)
        with np.errstate(divide="ignore", invalid="ignore"):
            at_rank = np.where(gained, own.down_to / np.take_along_axis(ideal.sums, rank, axis=0), 0.0)
            unretrieved = size - block.count(gained.astype(np.float64)).whole
            of_unretrieved = np.where(size > 0, unretrieved * (own.whole / ideal.whole), 0.0)
        return Ratio(block.sum(**{"NDCG@j": at_rank}).whole + of_unretrieved, size)


class RNDCG(_RankByRank):
    """Compute the mean NDCG at the ranks where the grades of the ideal list change.

    DCG / ideal DCG above each rank at which the ideal gain changes, the change to 0 after the last one included, and
    over the whole where the list goes on below that or ends above it. Divided by their number. NaN without gains.
    Source: trec_eval 10, m_Rndcg.c.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 2, "b": 1}}, {"u": ["b", "a", "x"]}, "rndcg")["rndcg"], 4)
    0.6799
    """

    name = "rndcg"
    linear = True
    formula = "mean of DCG@(j-1) / IDCG@(j-1) over the ranks j where the ideal gain changes"
    called = "Rndcg"
    says = "the mean of DCG / ideal DCG above the ranks at which the gain of the ideal list changes"
    tex = r"\frac{1}{\left|J\right|} \sum_{j \in J} \frac{D_{j-1}}{D^{*}_{j-1}}"
    signs: ClassVar[dict[str, str]] = {
        "D_j": "the DCG of the first ranks of the list",
        "D^{*}_j": "that of the ideal list",
        "J": "the ranks at which the gain of the ideal list changes",
    }
    cuts: ClassVar[bool] = False

    def per_user(self, block: Block) -> Ratio:
        own, ideal, gains, size = self.lists(block)
        changes = np.zeros((max(block.depth, len(gains)) + 1, block.size), bool)
        changes[1 : len(gains)] = gains[1:] != gains[:-1]
        changes[len(gains), :] |= (gains[-1:] > 0).any(axis=0)
        ranks = np.arange(1, len(changes) + 1)[:, None]
        changes &= (ranks >= 2) & (ranks <= np.maximum(block.lengths, size))
        with np.errstate(divide="ignore", invalid="ignore"):
            above = _down_to(own, len(changes)) / _down_to(ideal, len(changes))
            whole = own.whole / ideal.whole
        last = ((block.lengths > size + 1) | (block.lengths <= size)) & (ideal.whole != 0)
        total = block.sum(np.where(changes, above, 0.0)).whole + np.where(last, whole, 0.0)
        return Ratio(total, np.where(size > 0, changes.sum(axis=0) + last, 0.0))


def _down_to(running: CumulativeSum, ranks: int) -> Numbers:
    """The sums over the rows above ranks 1, 2, …, shape (ranks, users); beyond the end, the whole sum."""
    return running.sums[np.minimum(np.arange(ranks), len(running.sums) - 1)]


COMPAT_PERSISTENCE = Convention("compat-persistence", "Weight of the next depth in the overlap")


@COMPAT_PERSISTENCE.number(
    rule="p times the one above", least=0, most=1, says="each depth of the overlap weighs {value} times the one above"
)
def _(value: float) -> float:
    """p of rank-biased overlap; 0.95 looks at about the first 20."""
    return value


COMPAT_ORDER = Convention("compat-order", "Order of equal grades in the ideal list of compat", reads=("block",))
"""A setting gives the key by which known labels are ordered, smallest first, shape (labels,)."""


@COMPAT_ORDER.setting(
    "rank",
    rule="as in the list; those that it lacks last",
    cite="clarke2021",
    says="labels of equal grade are ordered in the ideal list as in the list",
)
def _(block: Block) -> Numbers:
    """So the ideal list is the nearest one."""
    return block.rank_of_known


@COMPAT_ORDER.setting(
    "score",
    rule="by falling score; those that the list lacks as if with 0",
    reads_data=("label-order", "scores"),
    cite="ir_measures",
    says="labels of equal grade are ordered in the ideal list by falling score",
)
def _(block: Block) -> Numbers:
    """Equal scores in the order of the labels, whatever the list makes of them."""
    return -np.nan_to_num(block.score_of_known)


class Compatibility(Metric):
    """Compute the rank-biased overlap with the nearest ideal list.

    Rank-biased overlap of the list with the labels of a grade above 0 by falling grade, equal ones by the setting of
    `compat-order`; divided by the overlap of that ideal list with itself. Range 0 to 1.
    NaN where no grade is above 0. Source: Clarke, Vtyurina and Smucker, TOIS 39(3), 2021.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": {"a": 2, "b": 1}}, {"u": ["b", "a"]}, "compat")["compat"], 4)
    0.4872
    """

    name = "compat"
    why_no_expectation = "equal grades of the ideal list are in the order of the list"
    cite = "clarke2021"
    reads_data = ("grades", "scores")
    compares_scores = True
    formula = "RBO(list, ideal) / RBO(ideal, ideal)"
    called = "compatibility"
    says = "the rank-biased overlap of the list with the ideal list, divided by that of the ideal list with itself"
    tex = (
        r"\frac{\sum_{j} p^{j-1} \left|A_j \cap A^{*}_j\right| / j}"
        r"{\sum_{j} p^{j-1} \left|A^{*}_j\right| / j}, \quad p = «compat-persistence»"
    )
    signs: ClassVar[dict[str, str]] = {"A_j": "the first j items of the list", "A^{*}_j": "those of the ideal list"}
    splits = False
    cuts: ClassVar[bool] = False
    compat_persistence: Annotated[str, COMPAT_PERSISTENCE]
    compat_order: Annotated[str, COMPAT_ORDER]
    number_names: ClassVar[dict[str, str]] = {"compat-persistence": "p"}

    def per_user(self, block: Block) -> Ratio:
        persistence = self.parameter("compat-persistence", block)
        user, rank = _ideal_list(block, self.settings["compat-order"](block=block))
        ideal_length = np.bincount(user, minlength=block.size).astype(np.float64)
        depth = np.maximum(block.lengths, ideal_length).astype(np.int64)
        seen_in_both = np.maximum(rank, within(user) + 1.0)
        common = _common(block, user, seen_in_both, int(depth.max(initial=0)))
        ranks = block.ranks_down_to(len(common))
        weights = power(persistence, ranks - 1) / ranks
        own = block.sum(weights * common).at_rows(depth)
        return Ratio(own, block.sum(weights * np.minimum(ranks, ideal_length)).at_rows(depth))


def _ideal_list(block: Block, key: Numbers) -> tuple[Codes, Numbers]:
    """The user and the rank in the run of each item of the ideal lists, shape (items of all ideal lists,).

    Equal grades are ordered by `key`, shape (labels,).
    """
    known = block.known
    wanted = np.flatnonzero(known.grade > 0)
    user, rank = known.user[wanted], block.rank_of_known[wanted]
    order = np.lexsort((key[wanted], -known.grade[wanted], user))
    return user[order], rank[order]


def _common(block: Block, user: Codes, seen_in_both: Numbers, depth: int) -> Numbers:
    """How many items both lists have down to each depth, shape (depth, users)."""
    there = seen_in_both < np.inf
    new = np.zeros((depth, block.size))
    np.add.at(new, (seen_in_both[there].astype(np.int64) - 1, user[there]), 1.0)
    return block.count(new).down_to
