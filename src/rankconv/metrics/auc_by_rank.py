"""Areas under the ROC curve that ranks give, over a catalogue or the first misses, and ranks as percentages."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.basics.errors import ConventionError
from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers
from rankconv.metrics.auc import OfThresholds, within_cutoff
from rankconv.metrics.base import Metric, Ratio
from rankconv.metrics.dcg import UNBOUNDED
from rankconv.metrics.divisors import DIVISOR, HITS
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import at_hits, squared_hits


class _OfCatalogue(Metric):
    """What metrics that need the size of the catalogue share."""

    needs: ClassVar[tuple[str, ...]] = ("catalogue",)

    def others(self, block: Block) -> Numbers:
        """Items of the catalogue that are not relevant, shape (users,)."""
        return np.asarray(block.catalogue - block.relevant_count)


class AUCExtrapolated(_OfCatalogue):
    """Compute AUC with all unretrieved items in random order below the list.

    Pairs in the list are counted as they stand; below it, relevant items and the rest of the catalogue are taken to
    alternate evenly. Range 0 to 1. NaN without relevant labels. Needs `catalogue=`.
    Source: implicit 0.7.3, implicit/evaluation.pyx.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x"]})
    >>> rc.evaluate(labels, run, "auc_extrapolated@2", catalogue=6)["auc_extrapolated@2"]
    0.6875
    """

    name = "auc_extrapolated"
    closed_form = True
    formula = "(hits above each miss + (hits@k + R) / 2 for each item not seen) / (R · (catalogue - R))"
    called = "extrapolated AUC"
    says = (
        "the share of the pairs of a relevant item and another one of the catalogue that stand in the right order, "
        "where relevant and other items that do not stand {here} are taken to alternate evenly"
    )
    tex = (
        r"\frac{\sum_{j=1}^{«rows»} (1 - r_j) H_j + \frac{H + R}{2} (N - R - («rows» - H))}{R (N - R)}"
        rf", \quad H = {HITS}"
    )

    def per_user(self, block: Block) -> Ratio:
        found, others = block.hits_so_far.at(self.scope), self.others(block)
        if block.averages_ties:
            return self._of_counts(block, found, others)
        above = block.count(**{"hits above misses": block.misses_by_rank * block.hits_so_far.above}).at(self.scope)
        unretrieved = block.length_at(self.scope) - found
        right = above + (found + block.relevant_count) / 2 * (others - unretrieved)
        return Ratio(right, block.relevant_count * others)

    def _of_counts(self, block: Block, found: Numbers, others: Numbers) -> Ratio:
        """The expected value, of the hits that are expected within the cutoff, and their square, shape (users,)."""
        above = block.hits_so_far.above - at_hits(block, lambda rank, above: above, self.scope)
        right = block.count(**{"hits above misses": block.listed * above}).at(self.scope)
        relevant, unretrieved = block.relevant_count, block.length_at(self.scope) - found
        variance = block.once(squared_hits, self.scope) - found * found
        beyond = (found + relevant) / 2 * (others - unretrieved) + variance / 2
        return Ratio(right + beyond, relevant * others)


class AUCByRank(_OfCatalogue):
    """Compute the mean share of other catalogue items that a relevant item is ranked above.

    For each hit, the share of the other items that do not stand above it: its rank, less one and less the hits above.
    Meant for lists of the whole catalogue, and in 0 to 1 there unless tied rows share the last rank, as they do in
    LightFM. NaN without relevant labels. Needs `catalogue=`.
    Source: LightFM 1.17, lightfm/evaluation.py.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x", "b", "y"]})
    >>> rc.evaluate(labels, run, "auc_by_rank", catalogue=4)["auc_by_rank"]
    0.75
    """

    name = "auc_by_rank"
    closed_form = True
    formula = "sum over hits of 1 - (others above) / (catalogue - R), / R"
    called = "AUC by rank"
    says = (
        "the share of the catalogue's items that are not relevant and do not stand above a relevant item, summed "
        "over the relevant items {here} and divided by the number of relevant labels"
    )
    tex = r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(1 - \frac{j - H_j}{N - R}\right)"
    range: ClassVar[tuple[float, float]] = UNBOUNDED

    def per_user(self, block: Block) -> Ratio:
        others = self.others(block)
        with np.errstate(divide="ignore", invalid="ignore"):
            if block.averages_ties:
                below = at_hits(block, lambda rank, above: 1 - (rank - above) / others, self.scope)
            else:
                above = np.maximum(block.ranks - 1 - block.hits_so_far.above, 0)
                below = np.where(block.hits_by_rank > 0, 1 - above / others, 0.0)
        return Ratio(block.sum(below=below).at(self.scope), block.relevant_count)


AUC_DENOMINATOR = Convention("auc-denominator", "Divisor of the sum over the hits of an AUC", options_of=DIVISOR)


class AUCOfRanked(_OfCatalogue):
    """Compute the mean share of the catalogue that is ranked below each hit.

    (N - rank + 1 + hits above) / N summed over the hits, N being the items that are not relevant and one more, as
    the source has it; divided by the setting of `auc-denominator`. NaN where that is 0. Needs `catalogue=`.
    Source: Elliot 0.3.1, elliot/evaluation/metrics/accuracy/AUC.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x", "b", "y"]})
    >>> rc.evaluate(labels, run, "auc_of_ranked", catalogue=5)["auc_of_ranked"]
    0.875
    """

    name = "auc_of_ranked"
    closed_form = True
    formula = "sum over hits of (N - rank + 1 + hits above) / N, / auc-denominator"
    called = "AUC of ranked items"
    says = (
        "the sum over the relevant items {here} of (N - rank + 1 + relevant items above) / N, N being one more "
        "than the items of the catalogue that are not relevant, divided by {auc-denominator}"
    )
    tex = r"\frac{1}{«auc-denominator»} \sum_{j=1}^{«K»} r_j \frac{N' - j + H_j}{N'}, \quad N' = N - R + 1"
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    auc_denominator: Annotated[str, AUC_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        others = self.others(block) + 1
        if block.averages_ties:
            below = at_hits(block, lambda rank, above: (others - rank + above) / others, self.scope)
        else:
            below = block.hits_by_rank * ((others - (block.ranks - 1) + block.hits_so_far.above) / others)
        total = block.sum(below=below).at(self.scope)
        return Ratio(total, self.divided_by("auc-denominator", block))


PARTIAL_AUC_POSITIVES = Convention(
    "partial-auc-positives", "Relevant items of the partial AUC", reads=("k",), phrase=True
)
"""A setting gives how many."""


@PARTIAL_AUC_POSITIVES.setting("all", rule="all", says="a relevant item", tex="R")
def _() -> float:
    """However far down they stand."""
    return np.inf


@PARTIAL_AUC_POSITIVES.setting(
    "first-k",
    rule="the first k hits",
    cite="rectools",
    says="one of the first {ranks} relevant items returned",
    tex=r"\min(«k», R)",
)
def _(k: float) -> float:
    """As many positives as negatives are looked at: pAp."""
    return k


class PartialAUC(Metric):
    """Compute AUC against the first k items that are not relevant.

    The negatives are the first k misses of the list, the positives all relevant items, or the first k hits.
    Range 0 to 1. NaN without relevant labels. Without a cutoff k is the length of the list.
    Source: RecTools 0.19.0, rectools/metrics/auc.py, and the paper that it names.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, "partial_auc@2")["partial_auc@2"]
    0.75
    """

    name = "partial_auc"
    closed_form = True
    cite = "mcclish1989"
    formula = "hits above each of the first k misses / (k · positives)"
    called = "partial AUC"
    says = (
        "the share of the pairs of {partial-auc-positives} and one of the first {ranks} items that are not relevant in "
        "which the relevant one is above"
    )
    tex = (
        r"\frac{\sum_{j=1}^{n} r_j \max(0, «k» - j + H_j) \mathbf{1}[H_j \leq «partial-auc-positives»]}"
        r"{«k» \cdot «partial-auc-positives»}"
    )
    partial_auc_positives: Annotated[str, PARTIAL_AUC_POSITIVES]

    def per_user(self, block: Block) -> Ratio:
        misses = block.lengths if self.k is None else np.full(block.size, float(self.k))
        positives = self.settings["partial-auc-positives"](k=misses)
        if block.averages_ties:
            pairs = at_hits(
                block, lambda rank, before: np.where(before < positives, np.maximum(misses - (rank - before), 0), 0.0)
            )
        else:
            above, before = block.count(block.misses_by_rank).above, block.hits_so_far.above
            counted = (block.hits_by_rank > 0) & (above < misses) & (before < positives)
            pairs = np.where(counted, misses - above, 0.0)
        right = block.count(**{"right pairs": pairs}).whole
        return Ratio(right, misses * np.minimum(positives, block.relevant_count))


ROC_RANGE = Convention("roc-range", "Part of the ROC curve below which the area is taken")
"""A setting gives the rate that is the axis, and its least and greatest value."""


@ROC_RANGE.setting(
    "false-positive-rate",
    rule="where the share of the misses is in this range",
    says="where the share of the other items ranked above a threshold is from {low} to {high}",
    tex=r"\int_{«low»}^{«high»} \mathrm{TPR} \, d\,\mathrm{FPR}",
)
def _(low: Annotated[float, Within(0, 1)] = 0, high: Annotated[float, Within(0, 1)] = 1) -> tuple[str, float, float]:
    """The sensitivity, over a range of 1 less the specificity."""
    return "misses", *_range(low, high)


@ROC_RANGE.setting(
    "true-positive-rate",
    rule="where the share of the hits is in this range",
    cite="proc",
    says="where the share of the relevant items ranked above a threshold is from {low} to {high}",
    tex=r"\int_{«low»}^{«high»} (1 - \mathrm{FPR}) \, d\,\mathrm{TPR}",
)
def _(low: Annotated[float, Within(0, 1)] = 0, high: Annotated[float, Within(0, 1)] = 1) -> tuple[str, float, float]:
    """The specificity, over a range of the sensitivity."""
    return "hits", *_range(low, high)


def _range(low: float, high: float) -> tuple[float, float]:
    if low >= high:
        raise ConventionError(
            f"the range of rates from {low} to {high} is empty",
            do="State the lower rate first, and a higher one after it.",
        )
    return low, high


ROC_SCALE = Convention("roc-scale", "Scale of a partial area below the ROC curve", reads=("area", "least", "most"))
"""A setting gives each user's value from the area, shape (users,), that below the diagonal and the greatest one."""


@ROC_SCALE.setting("area", rule="the area itself", no="")
def _(area: Numbers) -> Numbers:
    """At most the width of the range."""
    return area


@ROC_SCALE.setting(
    "standardized",
    rule="(1 + (area - below the diagonal) / (greatest - below the diagonal)) / 2",
    cite="mcclish1989",
    says="the area is scaled so that the diagonal has 1/2 and the greatest area 1",
)
def _(area: Numbers, least: float, most: float) -> Numbers:
    """The correction of McClish; a curve below the diagonal has less than one half."""
    return (1 + (area - least) / (most - least)) / 2


@ROC_SCALE.setting(
    "standardized-from-diagonal",
    rule="as standardized; 0/0 where the area is less than that below the diagonal",
    cite="proc",
    says="the area is scaled so that the diagonal has 1/2 and the greatest area 1, and undefined below the diagonal",
)
def _(area: Numbers, least: float, most: float) -> Numbers:
    """The correction is not meant for curves that are worse than chance."""
    return np.where(area < least, np.nan, (1 + (area - least) / (most - least)) / 2)


class ROCRangeAUC(OfThresholds):
    """Compute the area under a part of the ROC curve.

    Between two thresholds the curve is a straight line. The area is that over a range of the false or the true
    positive rate, as it is or scaled by McClish. Range 0 to 1. NaN where there is no pair of a hit and a miss.
    Source: McClish, Medical Decision Making 9, 1989.

    >>> import rankconv as rc
    >>> spec = "roc_range_auc(roc-range=false-positive-rate(0, 0.5))"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, spec)[spec]
    0.25
    """

    name = "roc_range_auc"
    cite = "mcclish1989"
    compares_scores = True
    formula = "area below the ROC curve within roc-range, by roc-scale"
    called = "partial area under the ROC curve"
    says = "the area below the ROC curve of the rows {here}, {roc-range}"
    tex = "«roc-range»"
    splits: ClassVar[bool] = False
    roc_range: Annotated[str, ROC_RANGE]
    roc_scale: Annotated[str, ROC_SCALE]

    def per_user(self, block: Block) -> Ratio:
        axis, low, high = self.settings["roc-range"]()
        thresholds = block.thresholds("score")
        hits, misses = (
            block.count(thresholds.stand(within_cutoff(block, self.scope, values)))
            for values in (block.hits_by_rank, block.misses_by_rank)
        )
        pairs = hits.whole * misses.whole
        along, across = (misses, hits) if axis == "misses" else (hits, misses)
        with np.errstate(divide="ignore", invalid="ignore"):
            start, end = (at(along) / along.whole for at in (thresholds.above, thresholds.through))
            height, next_height = (at(across) / across.whole for at in (thresholds.above, thresholds.through))
            if axis == "hits":
                height, next_height = 1 - height, 1 - next_height
            left, right = np.clip(start, low, high), np.clip(end, low, high)
            middle = height + (next_height - height) * ((left + right) / 2 - start) / (end - start)
            below = (right - left) * middle
        counted = (right > left) & (thresholds.ends > 0) & (pairs > 0)
        area = block.sum(area=np.where(counted, below, 0.0)).whole
        triangle = (high * high - low * low) / 2
        least = triangle if axis == "misses" else high - low - triangle
        value = np.where(pairs > 0, self.settings["roc-scale"](area=area, least=least, most=high - low), np.nan)
        defined = value == value
        return Ratio(np.where(defined, value, 0.0), np.where(defined, 1.0, 0.0))


class PercentileRank(_OfCatalogue):
    """Compute the mean rank of relevant items as a percentage of the catalogue.

    (rank - 1) / catalogue for each labelled item; one that was not returned counts half way between the end of the
    list and the end of the catalogue. Range 0 to 100, 0 is best, 50 is chance. NaN without relevant labels.
    Needs `catalogue=`. Source: Hu, Koren and Volinsky, ICDM 2008; RecPack 0.3.6.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x"]})
    >>> rc.evaluate(labels, run, "percentile_rank", catalogue=4)["percentile_rank"]
    31.25
    """

    name = "percentile_rank"
    closed_form = True
    cite = "hu2008"
    lower_is_better: ClassVar[bool] = True
    formula = "100 · sum of (rank - 1) / catalogue / R"
    says = (
        "the mean over the relevant labels of (rank - 1) / (items of the catalogue), in per cent, where an item "
        "that is not {here} is half way between the end of the list and that of the catalogue"
    )
    tex = r"\frac{100}{R} \sum_{i=1}^{R} \frac{j_i - 1}{N}"
    signs: ClassVar[dict[str, str]] = {"j_i": "the rank of the item of label i"}
    cuts: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)

    def per_user(self, block: Block) -> Ratio:
        last = np.where(block.listed, block.ranks, 1).max(axis=0, initial=1)
        beyond = np.where(block.lengths > 0, ((last - 1) / block.catalogue + 1) / 2, 0.5)
        rank, user = block.rank_of_known, block.known.user
        place = np.where(rank == np.inf, beyond[user], (rank - 1) / block.catalogue)
        place[block.known.label < 0] = 0
        return Ratio(100 * block.sum_of_known(place), block.relevant_count)


class CandidatePercentile(Metric):
    """Compute the percentage of candidates ranked above a relevant item.

    The mean over the hits of 100 · (rank - 1) / (n - 1), where n is the length of the list: all candidates, such as one
    relevant item among a thousand sampled ones. Range 0 to 100, 0 is best, 50 is chance. NaN where no candidate is
    relevant, or there is one alone. Source: Koren, KDD 2008.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["x", "a", "y", "z", "w"]}, "candidate_percentile")["candidate_percentile"]
    25.0
    """

    name = "candidate_percentile"
    linear = True
    cite = "koren2008"
    lower_is_better: ClassVar[bool] = True
    formula = "100 · sum of (rank - 1) / (n - 1) over the hits / hits"
    says = "the mean over the relevant items {here} of (rank - 1) / (items of the list - 1), in per cent"
    tex = r"\frac{100}{H} \sum_{j=1}^{n} r_j \frac{j - 1}{n - 1}, \quad H = \sum_{j=1}^{n} r_j"
    cuts: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, 100.0)

    def per_user(self, block: Block) -> Ratio:
        above = np.maximum(block.ranks, 1) - 1
        places = block.sum(**{"rank - 1": above * block.hits_by_rank}).whole
        return Ratio(100 * places, block.hits_so_far.whole * np.maximum(block.lengths - 1, 0))
