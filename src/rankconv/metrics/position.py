"""Metrics of where the hits stand: average precision and reciprocal rank."""

from typing import Annotated, Any

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.divisors import DIVISOR, HIT_CHANCE, HITS
from rankconv.preparation.arithmetic import CumulativeSum, LazyRanks
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.pipeline import Expectation, Preparation
from rankconv.preparation.ties import TieEffect

AP_DENOMINATOR = Convention("ap-denominator", "Divisor of average precision", options_of=DIVISOR)


AP_WEIGHT = Convention(
    "ap-weight", "Factor of the precision at a hit in AP", reads=("block",), tells="a hit with a score other than 1"
)
"""A setting gives the factor of each row, shape (ranks, users); None for 1."""


@AP_WEIGHT.setting("one", rule="1", rises=True, formula_tells=True, no="", tex="")
def _(block: Block) -> None:
    """The precision itself."""


def precisions_at_hits(block: Block, weight: Setting) -> CumulativeSum:
    """The precisions at the hits, each times its `weight`, summed down to each rank, shape (ranks, users).

    Rows of a tie that share a rank are all counted at that rank.
    """
    if block.tie_rule is TieEffect.EXPECTED:
        expected, at_rank = block.hit_products_by_rank, np.maximum(block.ranks, 1)
        return block.sum(precision=LazyRanks(lambda at: expected[at] / at_rank[at], len(expected)))
    return _at_hits(block, block.hits_so_far, weight)


def precisions_of_items_at_hits(block: Block, weight: Setting) -> CumulativeSum:
    """The precisions at the hits, each of them counting items once, summed to each rank, shape (ranks, users).

    Expected values are those of `precisions_at_hits`: they are for lists in which no item is a hit twice.
    """
    if block.tie_rule is TieEffect.EXPECTED:
        return precisions_at_hits(block, weight)
    return _at_hits(block, block.hit_items, weight)


def precisions_at_ranks(block: Block, weight: Setting) -> CumulativeSum:
    """The precisions at the ranks with a hit, each once whatever the hits there, summed to each rank, (ranks, users).

    Expected values are those of `precisions_at_hits`: they are for lists in which no row is several hits.
    """
    if block.tie_rule is TieEffect.EXPECTED:
        return precisions_at_hits(block, weight)
    return _at_hits(block, block.hits_so_far, weight, most=1)


def precisions_in_turn(block: Block, weight: Setting) -> CumulativeSum:
    """Of n hits at a rank, h before it, the precisions h + 1 to h + n over the rank, summed, shape (ranks, users)."""
    if block.tie_rule is TieEffect.EXPECTED:  # then each row is one hit at most: `AveragePrecision.expectation`
        return block.once(precisions_at_hits, weight)
    found, ranks, hits = block.hits_so_far.down_to, np.maximum(block.ranks, 1), block.hits_by_rank
    weights = weight(block=block)

    def terms(at: Any) -> Numbers:
        precision: Numbers = (found[at] - np.maximum(hits[at] - 1, 0) / 2) * hits[at] / ranks[at]
        return precision if weights is None else np.asarray(precision * weights[at])

    return block.sum(precision=LazyRanks(terms, len(hits)))


def _at_hits(block: Block, so_far: CumulativeSum, weight: Setting, most: float = np.inf) -> CumulativeSum:
    """What each rank adds: precision times the hits there, of which `most` count, times the weight."""
    found, ranks, hits = block.at_end_of_tie(so_far), np.maximum(block.ranks, 1), block.hits_by_rank
    weights = weight(block=block)

    def terms(at: Any) -> Numbers:
        precision = found[at] / ranks[at] * (hits[at] if most == np.inf else np.minimum(hits[at], most))
        return np.asarray(precision if weights is None else precision * weights[at])

    return block.sum(precision=LazyRanks(terms, len(hits)))


AP_PRECISION = Convention(
    "ap-precision",
    "Precision at a hit of a repeated item in AP",
    reads=("block", "weight"),
    closed=True,
    tells="an item that occurs twice in a list",
)
"""A setting gives the sums of the precisions down to each rank, shape (ranks, users)."""


def _hits_once(plain: str) -> bool:
    return plain not in ("never", "always")


@AP_PRECISION.idle("no item is a hit twice", by="duplicates")
def _(context: Context) -> bool:
    return _hits_once(context.traits("duplicates").plain)


@AP_PRECISION.setting("hits", rule="every hit", formula_tells=True, no="")
def _(block: Block, weight: Setting) -> CumulativeSum:
    """A repeated item as often as it is a hit."""
    return block.once(precisions_at_hits, weight)


@AP_PRECISION.setting(
    "ranks-with-hits",
    rule="each rank with a hit once",
    reads_order=True,
    cite="rectools",
    says="a precision is added once at each rank with a hit, also where an item there is several hits",
)
def _(block: Block, weight: Setting) -> CumulativeSum:
    """Where an item has several labels, its row is several hits, and a matrix by rank has one entry for them."""
    return block.once(precisions_at_ranks, weight)


@AP_PRECISION.setting(
    "hits-in-turn",
    rule="every hit, where those of one rank are found one after the other",
    reads_order=True,
    numbers_hits_of_rank=True,
    cite="recommenders",
    says="a precision is added for each hit, and the hits of one rank are numbered in turn",
)
def _(block: Block, weight: Setting) -> CumulativeSum:
    """Where the hits are numbered row by row of a table, in which an item with several labels has several rows."""
    return block.once(precisions_in_turn, weight)


@AP_PRECISION.setting(
    "items",
    rule="each relevant item once",
    reads_order=True,
    says="a precision counts a repeated item once, which is a hit each time",
)
def _(block: Block, weight: Setting) -> CumulativeSum:
    """Where a program intersects sets for the precision, and goes through the list for the hits."""
    return block.once(precisions_of_items_at_hits, weight)


class AveragePrecision(TopKMetric):
    """Compute the mean of the precisions at the ranks of the relevant items.

    The precisions at the ranks of the hits, summed and divided by the setting of `ap-denominator`: `relevant` (an
    unretrieved item counts 0), `min(k, relevant)` (a list of k can reach 1), `hits` (an unretrieved one does not
    count), and others. Its mean over users is MAP. Range 0 to 1 where no item is repeated.
    NaN without relevant labels (or hits, if those divide) where no policy says otherwise.
    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, chapter 8.

    >>> import rankconv as rc
    >>> labels, run = {"u": ["a", "b", "c", "d"]}, {"u": ["x", "a", "b"]}
    >>> for divisor in ("hits", "min(k, relevant)", "relevant"):
    ...     spec = f"map(ap-denominator={divisor})@3"
    ...     print(round(rc.evaluate(labels, run, spec)[spec], 4))
    0.5833
    0.3889
    0.2917
    """

    name = "average_precision"
    named_first = ("ap-denominator",)
    cite = "manning2008"
    rises = True
    closed_form = True
    spellings = ("map", "ap", "mean_average_precision")
    formula = "sum of precision@j at the hits j <= k / ap-denominator"
    paper_names = ("MAP",)
    says = "the sum of the precisions at the ranks of the relevant items {here}, divided by {ap-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} r_j P_j«ap-weight»}{«ap-denominator»}"
    ap_denominator: Annotated[str, AP_DENOMINATOR]
    ap_precision: Annotated[str, AP_PRECISION]
    ap_weight: Annotated[str, AP_WEIGHT]

    @property
    def expected_tex(self) -> str:
        return (
            r"\frac{1}{«ap-denominator»} \sum_{j=1}^{«K»} \frac{h_j}{t_j j} "
            r"\left(A_j + 1 + \frac{(i_j - 1)(h_j - 1)}{\max(1, t_j - 1)}\right)"
        )

    def per_user(self, block: Block) -> Ratio:
        found = self.settings["ap-precision"](block=block, weight=self.settings["ap-weight"]).at(self.scope)
        return Ratio(found, self.divided_by("ap-denominator", block))

    def expectation(self, preparation: Preparation) -> Expectation:
        several = preparation.settings["labels-used"].traits.hits_of_labels
        in_turn = self.settings["ap-precision"].traits.numbers_hits_of_rank
        once = _hits_once(preparation.settings["duplicates"].traits.plain) and not (several and in_turn)
        of_hits = self.replace({"ap-precision": "hits"}) if once else self
        return super(AveragePrecision, of_hits).expectation(preparation)


def reciprocals_of_hits(block: Block) -> CumulativeSum:
    """1/rank of the hits, summed down to each rank, shape (ranks, users)."""
    ranks, hits = np.maximum(block.ranks, 1), block.hits_by_rank
    return block.sum(**{"1/rank": LazyRanks(lambda at: hits[at] / ranks[at], len(hits))})


def reciprocal_of_first(block: Block) -> CumulativeSum:
    """1/rank of the first hit at its rank and below, 0 above it, shape (ranks, users)."""
    if block.tie_rule is TieEffect.EXPECTED:
        first, at_rank = block.no_hit_so_far[:-1] * block.hit_chances_by_rank, np.maximum(block.ranks, 1)
        return block.sum(**{"1/rank": LazyRanks(lambda at: first[at] / at_rank[at], len(first))})
    so_far, ranks, hits = block.hits_so_far.down_to, np.maximum(block.ranks, 1), block.hits_by_rank

    def reciprocals(at: Any) -> Numbers:
        """An item that is labelled twice, and counted so, is more than one hit at its rank."""
        first: Numbers = (hits[at] > 0) * (so_far[at] == hits[at]) / ranks[at]
        return first

    return block.sum(**{"1/rank": LazyRanks(reciprocals, len(hits))})


RR_HITS = Convention(
    "rr-hits",
    "Hits whose 1/rank is used",
    reads=("block", "scope"),
    phrase=True,
    tells="a list with several hits",
)
"""A setting gives numerator and denominator, both of shape (users,)."""


@RR_HITS.setting(
    "first-hit",
    rule="1 / rank of the first hit",
    of_first=True,
    says="1/rank of the first relevant item {here}, and 0 without one",
    tex=r"\max_{1 \leq j \leq «K»} \frac{r_j}{j}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """0 without a hit."""
    return block.once(reciprocal_of_first).at(scope), np.ones(block.size)


@RR_HITS.setting(
    "hits",
    rule="mean of 1 / rank over all hits",
    counts_hits=True,
    cite="rexmex",
    says="the mean of 1/rank over the relevant items {here}",
    tex=rf"\frac{{\sum_{{j=1}}^{{«K»}} r_j / j}}{{{HITS}}}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """0/0 without a hit."""
    return block.once(reciprocals_of_hits).at(scope), block.hits_so_far.at(scope)


@RR_HITS.setting(
    "sum",
    rule="sum of 1 / rank over all hits",
    cite="mrr-all-hits",
    says="the sum of 1/rank over the relevant items {here}",
    tex=r"\sum_{j=1}^{«K»} \frac{r_j}{j}",
)
def _(block: Block, scope: int | None) -> tuple[Numbers, Numbers]:
    """Not divided, so it passes 1 where several hits stand high."""
    return block.once(reciprocals_of_hits).at(scope), np.ones(block.size)


class ReciprocalRank(TopKMetric):
    """Compute 1 divided by the rank of the first relevant item.

    1 / rank of the first hit within k, 0 without one; its mean over users is MRR. Other readings take all hits.
    Range 0 to 1. Source: Voorhees, TREC-8 QA Track, 1999.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["x", "a", "b"]}, "mrr@3")["mrr@3"]
    0.5
    """

    name = "reciprocal_rank"
    named_first = ("rr-hits",)
    cite = "voorhees1999"
    rises = True
    closed_form = True
    spellings = ("mrr", "rr", "mean_reciprocal_rank")
    formula = "1 / rank of the first hit within k"
    paper_names = ("MRR",)
    says = "{rr-hits}"
    tex = "«rr-hits»"
    splits = False
    rr_hits: Annotated[str, RR_HITS]

    def has_denominator(self) -> bool:
        return not self.settings["rr-hits"].traits.of_first

    @property
    def expected_tex(self) -> str:
        if not self.settings["rr-hits"].traits.of_first:
            return ""
        return rf"\sum_{{j=1}}^{{«K»}} \frac{{c_j}}{{j}} \prod_{{i=1}}^{{j-1}} (1 - c_i), \quad c_j = {HIT_CHANCE}"

    def per_user(self, block: Block) -> Ratio:
        return Ratio(*self.settings["rr-hits"](block=block, scope=self.scope))
