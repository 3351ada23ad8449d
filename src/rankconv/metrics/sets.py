"""Metrics of the first k as a set: products, utilities, fall-out, correlation, and counts."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers, log
from rankconv.metrics.base import Metric, Ratio, TopKMetric
from rankconv.metrics.dcg import UNBOUNDED
from rankconv.metrics.divisors import HITS, MISSES, PRECISIONS
from rankconv.metrics.position import AP_WEIGHT, precisions_at_hits
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import squared_hits
from rankconv.preparation.captions import said_as


class SetMAP(Metric):
    """Compute the product of precision and recall of the list as a set.

    Precision of the whole list times its recall. Range 0 to 1. NaN where the list is empty or nothing is relevant.
    Source: trec_eval 10, m_set_map.c.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, "set_map")["set_map"]
    0.25
    """

    name = "set_map"
    closed_form = True
    formula = "hits^2 / (n · R)"
    called = "set average precision"
    says = "the precision of the items {here} times their recall"
    tex = rf"\frac{{\left({HITS}\right)^2}}{{«rows» R}}"

    def per_user(self, block: Block) -> Ratio:
        found = block.hits_so_far.at(self.scope)
        expected = block.averages_ties
        squared = block.once(squared_hits, self.scope) if expected else found * found
        return Ratio(squared, block.length_at(self.scope) * block.relevant_count)


UTILITY_WEIGHTS = Convention(
    "utility-weights",
    "What an item adds to the utility",
    reads=("hits", "misses", "unretrieved"),
    phrase=True,
    tells="a list with a miss",
)
"""A setting gives the utility, shape (users,), from numbers of items of that shape."""


@UTILITY_WEIGHTS.setting(
    "one-each",
    rule="1 a hit, -1 a miss",
    formula_tells=True,
    says="the number of relevant items {here} less that of the other ones",
    tex=r"\sum_{j=1}^{«rows»} (2 r_j - 1)",
)
def _(hits: Numbers, misses: Numbers) -> Numbers:
    """Hits less misses."""
    return hits - misses


Weight = Annotated[float, Within(-1e6, 1e6)]


@UTILITY_WEIGHTS.setting(
    "weights",
    rule="so much a hit, a miss, and a relevant item that is not in the list",
    cite="trec_eval-10",
    says=(
        "{hit} for each relevant item {here}, {miss} for each other one, and {lacking} for each relevant one that "
        "is not there"
    ),
    tex=(
        r"\sum_{j=1}^{«rows»} \left((«hit») r_j + («miss») (1 - r_j)\right) "
        r"+ («lacking») \left(R - \sum_{j=1}^{«K»} r_j\right)"
    ),
)
def _(hits: Numbers, misses: Numbers, unretrieved: Numbers, hit: Weight, miss: Weight, lacking: Weight = 0) -> Numbers:
    """A contingency table, weighed."""
    return np.asarray(hits * hit + misses * miss + unretrieved * lacking)


class Utility(TopKMetric):
    """Compute the number of relevant items minus the number of others.

    Hits less misses, or with other weights (`utility-weights`); -n to n. Source: trec_eval 10, m_utility.c.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "x", "y"]}, "utility")["utility"]
    -1.0
    """

    name = "utility"
    formula = "hits - misses"
    says = "{utility-weights}"
    tex = "«utility-weights»"
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    utility_weights: Annotated[str, UTILITY_WEIGHTS]

    def per_user(self, block: Block) -> Ratio:
        hits, rows = block.hits_so_far.at(self.scope), block.length_at(self.scope)
        numbers = {"hits": hits, "misses": rows - hits, "unretrieved": block.relevant_count - hits}
        return Ratio(self.settings["utility-weights"](**numbers), np.ones(block.size))


@said_as("s, the sum of the precisions")
def sum_of_precisions(block: Block, k: int | None) -> Numbers:
    """The precisions at the hits down to rank k, summed, shape (users,)."""
    return block.once(precisions_at_hits, AP_WEIGHT("one")).at(k)


@said_as("R, the relevant labels")
def relevant_labels(block: Block) -> Numbers:
    """Relevant labels, returned or not, shape (users,)."""
    return block.relevant_count


class YAAP(Metric):
    """Compute the logit of average precision.

    ln((1 + s) / (1 + R - s)), s the sum of the precisions at the hits: the log odds of AP, which may be averaged.
    Source: Robertson, On GMAP and other transformations, CIKM 2006; trec_eval 10, m_yaap.c.

    >>> import rankconv as rc
    >>> round(rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "yaap")["yaap"], 4)
    0.6931
    """

    name = "yaap"
    why_no_expectation = "the logarithm of a sum of precisions is no sum over ranks"
    cite = "robertson2006"
    formula = "ln((1 + s) / (1 + R - s))"
    called = "YAAP"
    says = (
        "ln((1 + s) / (1 + R - s)), where s is the sum of the precisions at the ranks of the relevant items {here} "
        "and R the number of relevant labels"
    )
    tex = rf"\ln \frac{{1 + S}}{{1 + R - S}}, \quad S = {PRECISIONS}"
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED

    def per_user(self, block: Block) -> Ratio:
        s, relevant = block.part(sum_of_precisions, self.scope), block.part(relevant_labels)
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = log((1 + s) / (1 + relevant - s))
        return Ratio(odds, np.ones(block.size))


class FallOut(TopKMetric):
    """Compute the share of non-relevant items that are returned.

    Misses in the first k, divided by the labels that are not relevant. Range 0 to 1 where every row is labelled;
    0 is best. NaN where every label is relevant. Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": {"a": 1, "x": 0, "y": 0}}, {"u": ["a", "x", "y"]}, "fall_out@2")["fall_out@2"]
    0.5
    """

    name = "fall_out"
    cite = "vanrijsbergen1979"
    linear = True
    lower_is_better: ClassVar[bool] = True
    formula = "misses@k / labels that are not relevant"
    called = "fall-out"
    says = "the number of items {here} that are not relevant, divided by the number of labels that are not"
    tex = rf"\frac{{{MISSES}}}{{\bar{{R}}}}"
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)

    def per_user(self, block: Block) -> Ratio:
        unretrieved = block.count(misses=block.misses_by_rank).at(self.scope)
        return Ratio(unretrieved, block.non_relevant_count)


@said_as("TP", "FP", "FN", "TN")
def contingency_table(block: Block, k: int | None, scope: int | None) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """True positives, false positives, false negatives, true negatives, each of shape (users,).

    The list is taken to have k rows.
    """
    found = block.hits_so_far.at(scope)
    chosen = block.lengths if k is None else np.full(block.size, float(k))
    unretrieved = block.relevant_count - found
    return found, chosen - found, unretrieved, block.catalogue - chosen - unretrieved


class _OfCatalogueAtK(Metric):
    """What metrics share that classify the catalogue: the first k are chosen, all other items are not."""

    needs: ClassVar[tuple[str, ...]] = ("catalogue",)
    range: ClassVar[tuple[float, float]] = UNBOUNDED


class Accuracy(_OfCatalogueAtK):
    """Compute the share of the catalogue that is rightly returned or left out.

    The first k are the choice, also where the list is shorter. At most 1. Needs `catalogue=`.
    Source: RecTools 0.19.0, rectools/metrics/classification.py.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x"]})
    >>> rc.evaluate(labels, run, "accuracy@2", catalogue=10)["accuracy@2"]
    0.8
    """

    name = "accuracy"
    linear = True
    formula = "(TP + TN) / catalogue"
    says = "the share of the catalogue that was rightly chosen or rightly left out, the choice being {choice}"
    tex = rf"\frac{{H + (N - «k» - R + H)}}{{N}}, \quad H = {HITS}"

    def per_user(self, block: Block) -> Ratio:
        right, _, _, rightly_not = block.part(contingency_table, self.k, self.scope)
        return Ratio(right + rightly_not, np.full(block.size, float(block.catalogue)))


class MCC(_OfCatalogueAtK):
    """Compute the correlation of the first k items with the relevant items.

    Matthews' correlation, -1 to 1; 0 where a class is empty. NaN where the catalogue has fewer than k items.
    Needs `catalogue=`. Source: Matthews, Biochimica et Biophysica Acta 405(2), 1975.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x"]})
    >>> rc.evaluate(labels, run, "mcc@2", catalogue=10)["mcc@2"]
    0.375
    """

    name = "mcc"
    of_hit_count = True
    cite = "matthews1975"
    formula = "(TP · TN - FP · FN) / sqrt((TP + FP)(TP + FN)(TN + FP)(TN + FN))"
    called = "Matthews' correlation"
    paper_names = ("MCC",)
    says = "the correlation of what was chosen with what is relevant over the catalogue, the choice being {choice}"
    tex = (
        r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}, \quad "
        rf"TP = {HITS}, \quad FP = «k» - TP, \quad FN = R - TP, \quad TN = N - «k» - FN"
    )

    def per_user(self, block: Block) -> Ratio:
        right, wrongly, wrongly_not, rightly_not = block.part(contingency_table, self.k, self.scope)
        product = (right + wrongly) * (right + wrongly_not) * (rightly_not + wrongly) * (rightly_not + wrongly_not)
        agreement = np.where(product > 0, right * rightly_not - wrongly * wrongly_not, 0.0)
        spread = np.where(product > 0, np.sqrt(np.maximum(product, 0)), np.where(product == 0, 1.0, 0.0))
        return Ratio(agreement, spread)


COUNT_OF = Convention("count-of", "Objects that are counted", reads=("block", "scope"), phrase=True)
"""A setting gives the count, shape (users,)."""


@COUNT_OF.setting("retrieved", rule="rows of the list", says="rows {here}", tex="«rows»")
def _(block: Block, scope: int | None) -> Numbers:
    """After preparation."""
    return block.length_at(scope)


@COUNT_OF.setting("relevant", rule="relevant labels", tex="R")
def _(block: Block) -> Numbers:
    """Returned or not."""
    return block.relevant_count


@COUNT_OF.setting("hits", rule="hits", says="relevant items {here}", tex=HITS)
def _(block: Block, scope: int | None) -> Numbers:
    """Relevant rows."""
    return block.hits_so_far.at(scope)


@COUNT_OF.setting(
    "judged-non-relevant",
    rule="rows judged and not relevant",
    says="items {here} that were judged and are not relevant",
    tex=r"\sum_{j=1}^{«K»} q_j (1 - r_j)",
)
def _(block: Block, scope: int | None) -> Numbers:
    """Rows without a judgment do not count."""
    return block.count(counted=block.judged_misses_by_rank).at(scope)


@COUNT_OF.setting(
    "unjudged",
    rule="rows without a judgment",
    says="items {here} without a judgment",
    tex=r"\sum_{j=1}^{«rows»} (1 - q_j)",
)
def _(block: Block, scope: int | None) -> Numbers:
    """Holes: how many, where the metric `unjudged_share` says what share."""
    return block.length_at(scope) - block.count(judged=block.judged_by_rank).at(scope)


@COUNT_OF.setting("misses", rule="rows that are not relevant", says="items {here} that are not relevant", tex=MISSES)
def _(block: Block, scope: int | None) -> Numbers:
    """False positives: judged or not."""
    return block.count(misses=block.misses_by_rank).at(scope)


@COUNT_OF.setting(
    "unretrieved",
    rule="relevant labels that are not among the rows",
    says="relevant labels that are not {here}",
    tex=rf"R - {HITS}",
)
def _(block: Block, scope: int | None) -> Numbers:
    """False negatives: returned further down or not at all."""
    return block.relevant_count - block.hits_so_far.at(scope)


@COUNT_OF.setting(
    "differences",
    rule="rows that are not relevant, and relevant labels that are not among the rows",
    says="items that are either relevant or {here}, but not both",
    tex=rf"«rows» + R - 2 {HITS}",
)
def _(block: Block, scope: int | None) -> Numbers:
    """Hamming's distance of the rows and the relevant items: FP + FN. Each row is taken for an item of its own."""
    return block.length_at(scope) + block.relevant_count - 2 * block.hits_so_far.at(scope)


@COUNT_OF.setting(
    "rejected",
    rule="items of the catalogue that are neither relevant nor among the rows",
    says="items of the catalogue that are neither relevant nor {here}",
    tex=rf"N - «rows» - R + {HITS}",
    needs=("catalogue",),
)
def _(block: Block, scope: int | None) -> Numbers:
    """True negatives; needs `catalogue=`. Each row is taken for an item of its own."""
    return block.catalogue - block.length_at(scope) - block.relevant_count + block.hits_so_far.at(scope)


@COUNT_OF.setting(
    "calls", rule="searches for the task; one for a list without calls", says="searches for one task", tex="C"
)
def _(block: Block) -> Numbers:
    """How often an agent searched: recall over all calls can only rise with it."""
    return block.call_counts


COUNT_OF.also(TP="hits", FP="misses", FN="unretrieved", TN="rejected")


@COUNT_OF.setting("users", rule="users", of_all_alone=True, tex="1")
def _(block: Block) -> Numbers:
    """1 for each."""
    return np.ones(block.size)


class Count(Metric):
    """Compute a number of rows, relevant labels, hits or users.

    A number, usually summed (`aggregate: sum`): trec_eval's num_ret, num_rel, num_rel_ret, num_q; and the four cells of
    a classifier whose choice is the rows that are read, TP, FP, FN and TN, of which the last needs `catalogue=`.

    >>> import rankconv as rc
    >>> spec = "count(count-of=hits, aggregate=sum)"
    >>> rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["b"]}, spec)[spec]
    2.0
    >>> cells = rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "y"]}, "TP@2, FP@2, FN@2, TN@2", catalogue=10)
    >>> [int(cells[name]) for name in cells]
    [1, 1, 1, 7]
    """

    name = "count"
    linear = True
    formula = "number of what `of` says"
    says = "the number of {count-of}"
    tex = "«count-of»"
    splits = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    count_of: Annotated[str, COUNT_OF]

    def per_user(self, block: Block) -> Ratio:
        return Ratio(self.settings["count-of"](block=block, scope=self.scope), np.ones(block.size))
