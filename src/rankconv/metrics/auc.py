"""Areas under curves: ROC and precision-recall, of whole lists or the first k, over chosen pairs."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers, log
from rankconv.metrics.base import Expectation, Metric, Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.for_means import read_by
from rankconv.metrics.gain import UNBOUNDED
from rankconv.metrics.notation import HITS
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation
from rankconv.specs.convention import Context, Convention, Setting

TIED_PAIRS = Convention("auc-tied-pairs", "Value of a pair of rows of equal score", reads=())
"""A setting gives the order that tells which row is above, and what a tied pair is worth."""


@TIED_PAIRS.setting(
    "half",
    rule="half right",
    many_at_once=True,
    says="a pair of equal scores is half right",
    tex=r"\left(\mathbf{1}[s_a > s_b] + \frac{1}{2} \cdot \mathbf{1}[s_a = s_b]\right)",
    signs={"s_a": "the score of row a"},
)
def _() -> tuple[str, float]:
    """The area under the ROC curve, whose corners are cut at ties."""
    return "score", 0.5


@TIED_PAIRS.setting(
    "wrong",
    rule="wrong",
    many_at_once=True,
    cite="rax",
    says="a pair of equal scores is wrong",
    tex=r"\left(\mathbf{1}[s_a > s_b] + 0 \cdot \mathbf{1}[s_a = s_b]\right)",
    signs={"s_a": "the score of row a"},
)
def _() -> tuple[str, float]:
    """Only a strictly higher score is right."""
    return "score", 0.0


@TIED_PAIRS.setting(
    "by-place",
    rule="right if the better row is ranked higher",
    reads_order=True,
    cite="replay_rec",
    says="the ranks decide about a pair, and not the scores",
    tex=r"\mathbf{1}[j_a < j_b]",
    signs={"j_a": "the rank of row a"},
)
def _() -> tuple[str, float]:
    """The ranks decide, and scores are not looked at."""
    return "rank", 0.0


PAIRS = Convention(
    "auc-pairs", "Pairs of rows that are compared", reads=("block", "k", "by", "tied"), noun="kind of pairs"
)
"""A setting gives the worth of the pairs in the right order, and that of all of them; both have shape (users,)."""


@PAIRS.setting(
    "relevant",
    rule="each hit with each row that is none",
    many_at_once=True,
    says="each relevant row is compared with each other row",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """The classes are hits and misses; grades do not count."""
    better, worse = _classes(block, k)
    return _right(block, better, worse, by, tied), block.count(better).whole * block.count(worse).whole


@PAIRS.setting(
    "fractional",
    rule="each row with each: better by its grade, worse by 1 - grade",
    cite="catboost",
    says="each row is compared with each, as the better one by its grade g and as the worse one by 1 - g",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """A grade is the share of a row that is positive, so a row between 0 and 1 is also compared with itself."""
    better, worse = within_cutoff(block, k, block.grades_by_rank), within_cutoff(block, k, 1 - block.grades_by_rank)
    weights = block.count(better).whole * block.count(worse).whole
    return _right(block, better, worse, by, tied), weights


@PAIRS.setting(
    "grades",
    rule="each row with each row of a lower grade",
    cite="rax",
    says="each row is compared with each row of a lower grade",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """Ordered pair accuracy; a row without a grade has grade 0."""
    return _by_grade(block, k, by, tied, equal_grades=False)


@PAIRS.setting(
    "all",
    rule="each row with each row below it by falling grade",
    cite="xgboost",
    says="each row is compared with each row after it by falling grade, also with those of the same grade",
)
def _(block: Block, k: int | None, by: str, tied: float) -> tuple[Numbers, Numbers]:
    """Also rows of equal grade, in the order of the list."""
    return _by_grade(block, k, by, tied, equal_grades=True)


def within_cutoff(block: Block, k: int | None, values: Numbers) -> Numbers:
    """The values of the rows down to rank k, 0 below, shape (K, users)."""
    return np.where(block.read_to(k), values, 0.0)


def _classes(block: Block, k: int | None) -> tuple[Numbers, Numbers]:
    """Hits and misses down to rank k, both of shape (K, users) float64."""
    misses = within_cutoff(block, k, block.misses_by_rank)
    return within_cutoff(block, k, block.rows_by_rank - block.misses_by_rank), misses


def _right(block: Block, better: Numbers, worse: Numbers, by: str, tied: float) -> Numbers:
    """The worth of the pairs in the right order, shape (users,); `better` and `worse` have shape (K, users).

    For each worse row it counts the better rows above it, and `tied` times those of equal score.
    """
    thresholds = block.thresholds(by)
    so_far = block.count(thresholds.stand(better))
    above, through = thresholds.above(so_far), thresholds.through(so_far)
    right = above if not tied else above + tied * (through - above)
    won = thresholds.stand(worse) * right
    block.show(**{"right pairs": lambda: thresholds.back(won)})
    return block.count(won).whole


def _by_grade(block: Block, k: int | None, by: str, tied: float, equal_grades: bool) -> tuple[Numbers, Numbers]:
    inside = within_cutoff(block, k, block.listed.astype(np.float64)) > 0
    grades = np.where(inside, block.grades_by_rank, -np.inf)
    order = np.argsort(-grades, axis=0, kind="stable")
    grades, inside = (np.take_along_axis(values, order, axis=0) for values in (grades, inside))
    key = np.take_along_axis(block.scores_by_rank if by == "score" else -block.ranks_by_rank, order, axis=0)
    right, pairs = np.zeros(block.size), np.zeros(block.size)
    for lag in range(1, block.depth):
        compared = inside[lag:] if equal_grades else inside[lag:] & (grades[:-lag] > grades[lag:])
        higher, equal = key[:-lag] > key[lag:], key[:-lag] == key[lag:]
        right += (compared & higher).sum(axis=0) + tied * (compared & equal).sum(axis=0)
        pairs += compared.sum(axis=0)
    return right, pairs


WEIGHT = Convention("auc-weight", "Weight of a user in a weighted mean of AUCs", reads=("block", "k", "pairs"))
"""A setting gives each user's weight, shape (users,); `pairs` is the worth of their compared pairs, shape (users,)."""


@WEIGHT.idle("the mean is not weighted", by="aggregate")
def _(context: Context) -> bool:
    return "aggregate" in context.settings and "weights" not in read_by(context.settings["aggregate"])


@WEIGHT.setting(
    "pairs", rule="the pairs compared", formula_tells=True, says="a user weighs as much as they have pairs compared"
)
def _(pairs: Numbers) -> Numbers:
    """The mean is then the share of all pairs that are right."""
    return pairs


class _OfPairs(Metric):
    """What metrics share that take a tie for what it is, so that no order of it needs to be known.

    Rows of equal score are compared as tied.
    """

    def expectation(self, preparation: Preparation) -> Expectation:
        """Any order over the whole list and by score: a cutoff may cut a tie, and places are an order."""
        by_place = "auc-tied-pairs" in self.settings and self.settings["auc-tied-pairs"].trait("reads_order")
        return Expectation.RELEVANT_LAST if by_place or self.k is not None else Expectation.ANY_ORDER


class AUC(_OfPairs):
    """Compute the share of pairs of items in which the better item is ranked higher.

    The share of pairs of rows that stand in the right order: hits against misses (the area under the ROC curve), or
    each grade against lower ones (ordered pair accuracy), over the rows of the judged list, of its first k with a
    cutoff. A tied pair is half right, wrong, or decided by rank. Range 0 to 1. NaN where there is no pair, as where
    all rows are hits. The mean may weigh users (`aggregate: weighted-mean`), and all lists may be one (`scope:
    global`). Source: Hanley and McNeil, Radiology 143, 1982.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, "auc")["auc"]
    0.75
    """

    name = "auc"
    spellings = ("roc_auc",)
    cite = "hanley1982"
    compares_scores = True
    reads_thresholds = True
    formula = "pairs in the right order / pairs"
    called = "AUC"
    written = ("AUC", "GAUC")
    says = "the share of the compared pairs of rows {here} that stand in the right order"
    tex = r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} «auc-tied-pairs»"
    signs: ClassVar[dict[str, str]] = {"C": "the pairs (a, b) compared, a being the better one"}
    auc_pairs: Annotated[str, PAIRS]
    auc_tied_pairs: Annotated[str, TIED_PAIRS]
    auc_weight: Annotated[str, WEIGHT]

    @property
    def many_at_once(self) -> bool:
        return all(
            self.settings[convention_name].trait("many_at_once") for convention_name in ("auc-pairs", "auc-tied-pairs")
        )

    def per_user(self, block: Block) -> Ratio:
        by, tied = self.settings["auc-tied-pairs"]()
        right, pairs = self.settings["auc-pairs"](block=block, k=self.scope, by=by, tied=tied)
        return Ratio(right, pairs, self.settings["auc-weight"](block=block, k=self.scope, pairs=pairs))


class LabelRankingLoss(_OfPairs):
    """Compute the share of pairs of a relevant and another item in the wrong order.

    The share of pairs of a hit and a miss in the list whose miss has the same score or a higher one. Range 0 to 1,
    0 is best. NaN where all rows are hits or none is.
    Source: Tsoumakas, Katakis and Vlahavas, Mining Multi-label Data, 2010.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b", "y"]}, "label_ranking_loss")["label_ranking_loss"]
    0.25
    """

    name = "label_ranking_loss"
    cite = "tsoumakas2010"
    compares_scores = True
    reads_thresholds = True
    lower_is_better: ClassVar[bool] = True
    formula = "pairs not in the right order / pairs"
    says = (
        "the share of the pairs of a relevant row and another one {here} in which the other one has the same score "
        "or a higher one"
    )
    tex = r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} \mathbf{1}[s_a \leq s_b]"
    signs: ClassVar[dict[str, str]] = {
        "C": "the pairs (a, b) compared, a being the better one",
        "s_a": "the score of row a",
    }

    def per_user(self, block: Block) -> Ratio:
        better, worse = (
            within_cutoff(block, self.scope, block.hits_by_rank),
            within_cutoff(block, self.scope, block.misses_by_rank),
        )
        pairs = block.count(better).whole * block.count(worse).whole
        return Ratio(pairs - _right(block, better, worse, "score", 0.0), pairs)


BETWEEN_THRESHOLDS = Convention(
    "pr-interpolation",
    "Precision between two thresholds",
    reads=("above", "through", "wrong_above", "wrong_through"),
)
"""A setting gives the area over the hits from `above` to `through`. All have shape (K, users): the hits above each
row's threshold and down through it, and the misses above it and down through it."""


@BETWEEN_THRESHOLDS.setting(
    "hyperbola",
    rule="misses grow in proportion to hits",
    cite="davis2006",
    says="between two thresholds misses grow in proportion to hits",
)
def _(above: Numbers, through: Numbers, wrong_above: Numbers, wrong_through: Numbers) -> Numbers:
    """Every point of the curve can be reached by drawing lots within the threshold."""
    slope = (wrong_through - wrong_above) / (through - above)
    start = wrong_above - slope * above
    bend = start / (1 + slope) ** 2 * log(((1 + slope) * through + start) / ((1 + slope) * above + start))
    return (through - above) / (1 + slope) - np.where(start != 0, bend, 0.0)


@BETWEEN_THRESHOLDS.setting(
    "linear",
    rule="a straight line, from precision 1 at no recall",
    cite="sklearn-0.18",
    says="between two thresholds precision runs on a straight line, which starts from 1 at no recall",
)
def _(above: Numbers, through: Numbers, wrong_above: Numbers, wrong_through: Numbers) -> Numbers:
    """Trapezoids; too high, as precision does not run on a line."""
    before = np.where(above + wrong_above > 0, above / (above + wrong_above), 1.0)
    return (through - above) * (before + through / (through + wrong_through)) / 2


def area_below_precision(block: Block, k: int | None, between: Setting) -> Numbers:
    """The area under precision over the number of hits, interpolated between thresholds, shape (users,)."""
    thresholds = block.thresholds("score")
    hits = block.count(thresholds.stand(within_cutoff(block, k, block.hits_by_rank)))
    misses = block.count(thresholds.stand(within_cutoff(block, k, block.misses_by_rank)))
    above, through = thresholds.above(hits), thresholds.through(hits)
    with np.errstate(divide="ignore", invalid="ignore"):
        area = between(
            above=above,
            through=through,
            wrong_above=thresholds.above(misses),
            wrong_through=thresholds.through(misses),
        )
    return block.sum(area=np.where(through > above, area, 0.0) * thresholds.ends).whole


class PRAUC(Metric):
    """Compute the area under the curve of precision over recall.

    Between two thresholds (scores) the misses are taken to grow in proportion to the hits, which makes the curve a
    hyperbola there; `pr-interpolation: line` draws a line. Range 0 to 1. NaN without relevant labels.
    Source: Davis and Goadrich, ICML 2006; Keilwagen, Grosse and Grau, PLoS ONE 9(3), 2014.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, "pr_auc")["pr_auc"]
    1.0
    >>> round(rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "pr_auc")["pr_auc"], 4)
    0.3069
    """

    name = "pr_auc"
    cite = "davis2006"
    compares_scores = True
    reads_thresholds = True
    formula = "area below precision over recall"
    called = "area under the precision-recall curve"
    says = "the area under precision over recall of the items {here}"
    tex = r"\int_0^1 P(\rho) \, d\rho"
    signs: ClassVar[dict[str, str]] = {r"P(\rho)": r"the precision at recall \rho"}
    pr_interpolation: Annotated[str, BETWEEN_THRESHOLDS]

    def per_user(self, block: Block) -> Ratio:
        area = area_below_precision(block, self.scope, self.settings["pr-interpolation"])
        return Ratio(area, block.relevant_count)


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
        above = block.count(**{"hits above misses": block.misses_by_rank * block.hits_so_far.above}).at(self.scope)
        unretrieved = block.length_at(self.scope) - found
        right = above + (found + block.relevant_count) / 2 * (others - unretrieved)
        return Ratio(right, block.relevant_count * others)


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
    formula = "sum over hits of 1 - (others above) / (catalogue - R), / R"
    called = "AUC by rank"
    says = (
        "the share of the catalogue's items that are not relevant and do not stand above a relevant item, summed "
        "over the relevant items {here} and divided by the number of relevant labels"
    )
    tex = r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(1 - \frac{j - H_j}{N - R}\right)"
    range: ClassVar[tuple[float, float]] = UNBOUNDED

    def per_user(self, block: Block) -> Ratio:
        above = np.maximum(block.ranks - 1 - block.hits_so_far.above, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            below = np.where(block.hits_by_rank > 0, 1 - above / self.others(block), 0.0)
        return Ratio(block.sum(below=below).at(self.scope), block.relevant_count)


AUC_DENOMINATOR = Convention("auc-denominator", "Divisor of the sum over the hits of an AUC", options_of=DIVISOR)


class AUCOfRanked(_OfCatalogue):
    """Compute the mean share of the catalogue that is ranked below each hit.

    (N - rank + 1 + hits above) / N summed over the hits, N being the items that are not relevant and one more, as
    the source has it; divided by the setting to `auc-denominator`. NaN where that is 0. Needs `catalogue=`.
    Source: Elliot 0.3.1, elliot/evaluation/metrics/accuracy/AUC.

    >>> import rankconv as rc
    >>> labels, run = rc.Labels({"u": ["a", "b"]}), rc.Run({"u": ["a", "x", "b", "y"]})
    >>> rc.evaluate(labels, run, "auc_of_ranked", catalogue=5)["auc_of_ranked"]
    0.875
    """

    name = "auc_of_ranked"
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
        below = (others - (block.ranks - 1) + block.hits_so_far.above) / others
        total = block.sum(below=block.hits_by_rank * below).at(self.scope)
        return Ratio(total, self.divided_by(self.settings["auc-denominator"], block))


PARTIAL_POSITIVES = Convention("partial-auc-positives", "Relevant items of the partial AUC", reads=("k",), phrase=True)
"""A setting gives how many."""


@PARTIAL_POSITIVES.setting("all", rule="all", says="a relevant item", tex="R")
def _() -> float:
    """However far down they stand."""
    return np.inf


@PARTIAL_POSITIVES.setting(
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
    partial_auc_positives: Annotated[str, PARTIAL_POSITIVES]

    def per_user(self, block: Block) -> Ratio:
        misses = block.lengths if self.k is None else np.full(block.size, float(self.k))
        positives = self.settings["partial-auc-positives"](k=misses)
        above, before = block.count(block.misses_by_rank).above, block.hits_so_far.above
        counted = (block.hits_by_rank > 0) & (above < misses) & (before < positives)
        right = block.count(**{"right pairs": np.where(counted, misses - above, 0.0)}).whole
        return Ratio(right, misses * np.minimum(positives, block.relevant_count))


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
