"""Metrics of lists that serve several groups, each further item of a group worth less: alpha-nDCG, ERR-IA, NRBP."""

from abc import abstractmethod
from collections.abc import Mapping
from math import inf
from typing import Annotated, Any, ClassVar

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Numbers, power
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.dcg import UNBOUNDED, discounted_rows
from rankconv.metrics.gains import DISCOUNT
from rankconv.metrics.subtopic_ideals import SUBTOPIC_IDEAL, Fading
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import at_hits
from rankconv.preparation.blocks.row_block import separate_subtopics
from rankconv.preparation.captions import shown_as
from rankconv.preparation.steps.subtopics import NEED

SUBTOPIC_ALPHA = Convention("subtopic-alpha", "Share of its gain that a subtopic loses with each relevant item")


@SUBTOPIC_ALPHA.number(rule="this share", least=0, most=1, says="alpha is {value}", tex="«value»")
def _(value: float) -> float:
    """The probability that an item satisfies who wants its group; 0 counts every item equally, 1 only the first."""
    return value


@shown_as("novelty")
def novelty_by_rank(block: Block, alpha: Any) -> Numbers:
    """What each row is worth: (1 - alpha)^c for each group it serves, c relevant items above; shape (K, users)."""
    groups = block.once(separate_subtopics)
    hits = groups.block.hits_by_rank[: block.depth]  # the block may hold no rows but those that are read
    if groups.block.averages_ties:
        worth = at_hits(groups.block, lambda rank, above: power(1 - alpha, above))[: block.depth] * groups.weight
    else:
        worth = hits * power(1 - alpha, groups.block.count(hits).above) * groups.weight
    novelty: Numbers = groups.added(worth)
    return novelty


def discounted_novelty(block: Block, alpha: Any, discount: Setting) -> CumulativeSum:
    """The worth of the rows times their discount, summed down to each rank, shape (ranks, users)."""
    return block.sum(product=discounted_rows(block, block.once(novelty_by_rank, alpha), discount))


class _NoveltyMetric(TopKMetric):
    """What all metrics of fading worth share."""

    needs = (NEED,)
    signs: ClassVar[Mapping[str, str]] = {
        r"\nu_j": "what the item at rank j is worth: (1 - alpha)^c for each group that it serves"
    }
    shares_ranks: ClassVar[bool] = False
    closed_form: ClassVar[bool] = True
    number_names: ClassVar[Mapping[str, str]] = {"subtopic-alpha": "alpha"}
    subtopic_alpha: Annotated[str, SUBTOPIC_ALPHA]


class AlphaDCG(_NoveltyMetric):
    """Compute DCG with gains that fall with each item of the same subtopic.

    The sum over the first k of discount times (1 - alpha)^c, added over the groups that the item serves, where c
    relevant items for the group stand above. Divided by what `subtopic-weight` says: nothing under `one`, as in the
    paper.
    Range 0 upwards. NaN where no group has a relevant label. MetricError where lists are pooled.
    Source: Clarke et al., SIGIR 2008.

    >>> import rankconv as rc
    >>> labels, run = {"q": {"cars": ["a", "b"], "cats": ["b"]}}, {"q": ["a", "b"]}
    >>> spec = "alpha_dcg(discount=reciprocal, subtopic-weight=one)@2"
    >>> rc.evaluate(labels, run, spec)[spec]
    1.75
    """

    name = "alpha_dcg"
    cite = "clarke2008"
    formula = "sum of discount · (1 - alpha)^c over the groups served, ranks 1 to k"
    called = "alpha-DCG"
    paper_names = ("α-DCG",)
    says = (
        "the sum of the discounted worth of the items {here}, where an item is worth (1 - alpha)^c for each group that "
        "it serves, c being the number of relevant items for that group above it"
    )
    tex = r"\sum_{j=1}^{«K»} \frac{\nu_j}{«discount»}"
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    discount: Annotated[str, DISCOUNT]

    def per_user(self, block: Block) -> Ratio:
        alpha = self.parameter("subtopic-alpha", block)
        found = block.once(discounted_novelty, alpha, self.settings["discount"]).at(self.scope)
        return Ratio(found, block.once(separate_subtopics).total)


class _AgainstIdeal(_NoveltyMetric):
    """What metrics share that divide the worth of the list by that of the list that `subtopic-ideal` names."""

    subtopic_ideal: Annotated[str, SUBTOPIC_IDEAL]

    @abstractmethod
    def found(self, block: Block, alpha: Any) -> CumulativeSum:
        """The worth of the rows times the factors of their ranks, summed down to each rank, shape (ranks, users)."""

    @abstractmethod
    def factors(self, block: Block, count: int) -> Any:
        """The factors of the ranks 1 to count, shape (count, 1), or (count, users) where they hang on the list."""

    def endless(self, block: Block, alpha: Any) -> Any:
        """What a list without end is worth for a group that all its items serve; None where that does not apply."""

    def per_user(self, block: Block) -> Ratio:
        alpha = self.parameter("subtopic-alpha", block)
        fading = Fading(alpha, lambda count: self.factors(block, count), self.endless(block, alpha))
        found = self.found(block, alpha).at(self.scope)
        return Ratio(found, self.settings["subtopic-ideal"](block=block, fading=fading, k=self.k))


class AlphaNDCG(_AgainstIdeal):
    """Compute alpha-DCG divided by that of the ideal list.

    Alpha-DCG divided by that of the list that `subtopic-ideal` names: one made of the labels, greedily, or one
    whose every item serves every group. Range 0 to 1; against a greedy list a little more is possible. NaN where no
    group has a relevant label. MetricError where lists are pooled.
    Source: Clarke et al., SIGIR 2008; ndeval 4.5 as pyndeval 0.0.8 has it.

    >>> import rankconv as rc
    >>> labels, run = {"q": {"cars": ["a", "b"], "cats": ["b"]}}, {"q": ["a", "b"]}
    >>> spec = "alpha_ndcg(discount=reciprocal)@2"
    >>> rc.evaluate(labels, run, spec)[spec]
    0.7777777777777778
    """

    name = "alpha_ndcg"
    cite = "clarke2008"
    formula = "alpha-DCG@k / subtopic-ideal"
    called = "alpha-nDCG"
    paper_names = ("α-nDCG",)
    says = (
        "the sum of the discounted worth of the items {here}, where an item is worth (1 - alpha)^c for each group that "
        "it serves, c being the number of relevant items for that group above it, divided by {subtopic-ideal}"
    )
    tex = r"\frac{\sum_{j=1}^{«K»} \nu_j / «discount»}{«subtopic-ideal»}"
    discount: Annotated[str, DISCOUNT]

    def found(self, block: Block, alpha: Any) -> CumulativeSum:
        return block.once(discounted_novelty, alpha, self.settings["discount"])

    def factors(self, block: Block, count: int) -> Any:
        return block.of_ranks(self.settings["discount"], count)


class ErrIA(AlphaNDCG):
    """Compute ERR averaged over the subtopics.

    Expected reciprocal rank of the groups, each wanted as `subtopic-weight` says, where an item satisfies with
    probability
    alpha, divided by that of the list that `subtopic-ideal` names. It is alpha-nDCG with the discount 1/rank, and so
    without the factor alpha, which cancels. Of graded labels `err(subtopics=separate)` makes an intent-aware ERR that
    is not
    divided. Range 0 to 1. NaN where no group has a relevant label. MetricError as alpha-nDCG.
    Source: Chapelle, Ji, Liao, Velipasaoglu, Lai and Wu, Information Retrieval 14(6), 2011; ndeval 4.5.

    >>> import rankconv as rc
    >>> labels, run = {"q": {"cars": ["a", "b"], "cats": ["b"]}}, {"q": ["a", "b"]}
    >>> spec = "err_ia(subtopic-ideal=every-subtopic)@2"
    >>> rc.evaluate(labels, run, spec)[spec]
    0.7
    """

    name = "err_ia"
    cite = "chapelle2011"
    formula = "sum of 1/j · (1 - alpha)^c over the groups served, ranks 1 to k, / subtopic-ideal"
    called = "intent-aware expected reciprocal rank"
    paper_names = ("ERR-IA",)
    says = (
        "the expected value of 1/rank at which a reader stops who wants one of the groups and goes down the items "
        "{here}, each relevant one for their group satisfying them with probability alpha, divided by {subtopic-ideal}"
    )
    tex = r"\frac{1}{«subtopic-ideal»} \sum_{j=1}^{«K»} \frac{\nu_j}{«discount»}"
    discount: Annotated[str, DISCOUNT] = "reciprocal"


NRBP_PATIENCE = Convention("nrbp-patience", "Probability that the reader of NRBP goes on to the next item")


@NRBP_PATIENCE.number(rule="this probability", least=0, most=1, says="beta is {value}", tex="«value»")
def _(value: float) -> float:
    """Beta of the paper, if the item did not satisfy."""
    return value


class NRBP(_AgainstIdeal):
    r"""Compute RBP for a reader who wants one of several subtopics.

    The worth of the items as in alpha-nDCG, the one at rank j weighted by beta^(j-1), divided by that of the list that
    `subtopic-ideal` names; a list without end whose every item serves every group has 1 / (1 - (1 - alpha) beta) for
    each
    group. Range 0 to 1. NaN where no group has a relevant label. MetricError as alpha-nDCG.
    Source: Clarke, Kolla and Vechtomova, ICTIR 2009; ndeval 4.5.

    >>> import rankconv as rc
    >>> labels, run = {"q": {"cars": ["a", "b"], "cats": ["b"]}}, {"q": ["a", "b"]}
    >>> spec = "nrbp(subtopic-ideal=every-subtopic)"
    >>> rc.evaluate(labels, run, spec)[spec]
    0.65625
    """

    name = "nrbp"
    cite = "clarke2009"
    formula = "sum of beta^(j-1) · (1 - alpha)^c over the groups served, / subtopic-ideal"
    called = "novelty- and rank-biased precision"
    paper_names = ("NRBP",)
    says = (
        "the sum of the worth of the items {here}, weighted by beta^(j-1) at rank j, where an item is worth "
        "(1 - alpha)^c for each group that it serves, c being the number of relevant items for that group above it, "
        "divided by {subtopic-ideal}"
    )
    tex = r"\frac{\sum_{j=1}^{«K»} «nrbp-patience»^{j-1} \nu_j}{«subtopic-ideal»}"
    nrbp_patience: Annotated[str, NRBP_PATIENCE]
    number_names: ClassVar[Mapping[str, str]] = {**_NoveltyMetric.number_names, "nrbp-patience": "beta"}

    def found(self, block: Block, alpha: Any) -> CumulativeSum:
        return block.once(_patient, alpha, self.parameter("nrbp-patience", block))

    def factors(self, block: Block, count: int) -> Any:
        return power(self.parameter("nrbp-patience", block), block.ranks_down_to(count) - 1)

    def endless(self, block: Block, alpha: Any) -> Any:
        stops = 1 - (1 - alpha) * self.parameter("nrbp-patience", block)
        return 1 / stops if stops else block.number(inf)


@shown_as("weight")
def patience_by_rank(block: Block, beta: Any, ranks: int) -> Numbers:
    """The probability that the reader's patience lasts to each rank, shape (ranks, 1)."""
    return power(beta, block.ranks_down_to(ranks) - 1)


def _patient(block: Block, alpha: Any, beta: Any) -> CumulativeSum:
    novelty = block.once(novelty_by_rank, alpha)  # a longer list may be that of a user without groups
    return block.sum(product=block.part(patience_by_rank, beta, len(novelty)) * novelty)
