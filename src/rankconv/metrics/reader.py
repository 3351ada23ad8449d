"""A reader who goes down a list rank by rank, as C/W/L has them: where they arrive, go on, and stop."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.data.arrays import Numbers, power
from rankconv.metrics.base import Metric, Ratio, TopKMetric
from rankconv.metrics.dcg import UNBOUNDED
from rankconv.metrics.divisors import READ_ON
from rankconv.metrics.gains import GAIN
from rankconv.preparation.arithmetic import CumulativeSum, of_lists
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.in_ties import chance_of_unjudged, expected_reader
from rankconv.preparation.captions import said_as, shown_as


class ListReader:
    """A reader of the lists of some users; numbers by rank have shape (ranks, users), from rank 1 to the last.

    Ranks below the end of a list are read too, and gain nothing.
    """

    def __init__(self, block: Block, gains: Numbers, users: slice = slice(None)) -> None:
        self._block, self._users, self.gains = block, users, gains
        self.ranks: Numbers = block.brief(block.ranks_down_to(len(gains)))
        """1, 2, 3, …, shape (ranks, 1)."""
        self.goes_on: Numbers = np.ones_like(gains)
        """The probability to go on from each rank to the next."""

    def of_ranks(self, setting: Setting, count: int) -> Numbers:
        """What a setting such as a discount gives for the ranks 1 to count, shape (count, 1).

        (count, users) where the setting reads something of the lists.
        """
        values = self._block.of_ranks(setting, count)
        return values[:, self._users] if of_lists(setting) else values

    def running(self, how: np.ufunc, values: Any) -> Numbers:
        """Sums (`np.add`) or products (`np.multiply`) of values down to each rank and with it, shape (ranks, users)."""
        return self._block.running(how, np.broadcast_to(values, self.gains.shape))

    def total(self, values: Numbers | None = None, /, **named: Numbers) -> Numbers:
        """The sum of values over all ranks, shape (users,); under its name an explanation has them by row."""
        return self._block.total(values, **named)

    @cached_property
    def gain_so_far(self) -> Numbers:
        """The gain of each rank and all above it, shape (ranks, users)."""
        return self.running(np.add, self.gains)

    @cached_property
    def gain_above(self) -> Numbers:
        """The gain of all ranks above each, shape (ranks, users)."""
        return np.asarray(self.gain_so_far - self.gains)

    @cached_property
    def left(self) -> Numbers:
        """The sum of gain / rank over each rank and all below it, shape (ranks, users)."""
        return self.running(np.add, (self.gains / self.ranks)[::-1])[::-1]

    @cached_property
    def arrives(self) -> Numbers:
        """The probability to arrive at each rank, shape (ranks, users)."""
        return self.running(np.multiply, below(self.goes_on, 1.0))

    @cached_property
    def stops(self) -> Numbers:
        """The probability to stop at each rank, shape (ranks, users)."""
        return np.asarray(self.arrives * (1 - self.goes_on))


def below(values: Numbers, first: float) -> Numbers:
    """The values one rank further down, after `first`; shape as `values`."""
    moved = np.roll(values, 1, axis=0)
    moved[:1] = first
    return moved


def above(values: Numbers, last: float) -> Numbers:
    """The values one rank further up, before `last`; shape as `values`."""
    moved = np.roll(values, -1, axis=0)
    moved[-1:] = last
    return moved


def still_reading(stops: Numbers, patience: float) -> Numbers:
    """The probability that a reader reaches each row, who stops at one as `stops` says, shape (K, users)."""
    reaches = np.ones_like(stops)
    for rank in range(1, len(stops)):
        np.multiply(reaches[rank - 1], (1 - stops[rank - 1]) * patience, out=reaches[rank])
    return reaches


@shown_as(by=lambda reader, *_: [("arrives", reader[0])])
def reader_by_rank(block: Block, gain: Setting, patience: float) -> tuple[Numbers, Numbers]:
    """The probability that the reader arrives at each rank, and is satisfied there; both have shape (K, users)."""
    if block.averages_ties:
        arrives, satisfied = block.once(expected_reader, gain, patience)
        return arrives, satisfied
    stops = block.gains_by_rank(gain)
    arrives = still_reading(stops, patience)
    return arrives, arrives * stops


def _satisfied(block: Block, gain: Setting, patience: float, by_rank: bool) -> CumulativeSum:
    """The probability that the reader is satisfied at each rank, summed down the ranks, shape (ranks, users).

    With `by_rank` it is divided by the rank.
    """
    _, satisfied = block.part(reader_by_rank, gain, patience)
    return block.sum(product=satisfied / np.maximum(block.ranks, 1) if by_rank else satisfied)


class ERR(TopKMetric):
    """Compute the expected 1/rank at which a reader is satisfied and stops.

    The expected value of 1 / rank at which they stop; a gain is the probability that an item satisfies, so
    `gain=exponential-over(h)` is the paper's with h the highest grade. Range 0 to 1 where gains are in it.
    No continuation makes `cwl` of it (Azzopardi, Mackenzie and Moffat, ICTIR 2021): the nearest readers go on with
    `unsatisfied`, or with `all(discount(reciprocal), unsatisfied)`.
    Source: Chapelle, Metzler, Zhang and Grinspan, CIKM 2009.

    >>> import rankconv as rc
    >>> spec = "err(gain=exponential-over(1))@2"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "b"]}, spec)[spec]
    0.625
    """

    name = "err"
    closed_form = True
    cite = "chapelle2009"
    rises = True
    gains_are_probabilities = True
    formula = "sum of 1/j · gain_j · product of (1 - gain_i), i < j"
    called = "expected reciprocal rank"
    paper_names = ("ERR",)
    says = (
        "the expected value of 1/rank at which a reader stops who goes down the items {here} and is satisfied by "
        "each with a probability that is its gain"
    )
    tex = rf"\sum_{{j=1}}^{{«K»}} \frac{{«gain»}}{{j}} {READ_ON} (1 - «gain:i»)"
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]

    def per_user(self, block: Block) -> Ratio:
        return Ratio(block.once(_satisfied, self.settings["gain"], 1.0, True).at(self.scope), np.ones(block.size))


PFOUND_DECAY = Convention("pfound-decay", "Probability that the reader of pFound goes on after an item")


@PFOUND_DECAY.number(
    rule="this probability",
    least=0,
    most=1,
    says="they go on after an item that did not satisfy them with probability {value}",
)
def _(value: float) -> float:
    """0.85 in the source."""
    return value


class PFound(TopKMetric):
    """Compute the probability that a reader finds a satisfying item before giving up.

    As ERR, but each item counts the same at any rank, and the reader goes on only with the probability
    `pfound-decay`. Range 0 to 1 where gains are probabilities. With decay d the reader is that of `cwl` under
    `all(d, unsatisfied)`, and the value their expected utility times their expected depth.
    Source: Gulin, Karpovich, Raskovalov and Segalovich, ROMIP 2009; CatBoost 1.2.10, pfound.h.

    >>> import rankconv as rc
    >>> spec = "pfound(gain=linear-over(2))"
    >>> rc.evaluate({"u": {"a": 1, "b": 2}}, {"u": ["a", "b"]}, spec)[spec]
    0.925
    """

    name = "pfound"
    closed_form = True
    cite = "gulin2009"
    rises = True
    gains_are_probabilities = True
    formula = "sum of gain_j · product of decay · (1 - gain_i), i < j"
    called = "pFound"
    says = (
        "the probability that a reader who goes down the items {here} finds one that satisfies them, each doing so "
        "with a probability that is its gain"
    )
    tex = rf"\sum_{{j=1}}^{{«K»}} «gain» {READ_ON} «pfound-decay» (1 - «gain:i»)"
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]
    pfound_decay: Annotated[str, PFOUND_DECAY]

    def per_user(self, block: Block) -> Ratio:
        found = block.once(_satisfied, self.settings["gain"], self.parameter("pfound-decay", block), False)
        return Ratio(found.at(self.scope), np.ones(block.size))


RBP_PERSISTENCE = Convention("rbp-persistence", "Probability that the reader of RBP goes on to the next item")


@RBP_PERSISTENCE.number(rule="this probability", least=0, most=1, says="p is {value}")
def _(value: float) -> float:
    """p; the mean depth of reading is 1 / (1 - p)."""
    return value


RBP_SCALE = Convention("rbp-scale", "Divisor of the gains of RBP", reads=("block",))
"""A setting gives what each user's gains are divided by, shape (users,)."""


@RBP_SCALE.setting("none", rule="1", no="scaling of gains", tex="«gain»")
def _(block: Block) -> Numbers:
    """As they are."""
    return np.ones(block.size)


@RBP_SCALE.setting(
    "highest-grade",
    rule="the user's highest grade, if it is above 1",
    cite="trec_eval-10",
    says="gains are divided by the user's highest grade if that is above 1",
    tex=r"\frac{«gain»}{\max(1, g^{*}_1)}",
)
def _(block: Block) -> Numbers:
    """So that gains are probabilities."""
    return block.part(highest_grade_from_1)


@said_as("gains divided by the highest grade")
def highest_grade_from_1(block: Block) -> Numbers:
    """The user's highest grade, at least 1, shape (users,)."""
    return np.maximum(block.highest_grade, 1.0)


RBP_NORM = Convention("rbp-norm", "Divisor of the sum of RBP", reads=("block", "k", "persistence"), phrase=True)
"""A setting gives a factor of the numerator, and the denominator, shape (users,)."""


@RBP_NORM.setting(
    "none",
    rule="the reader's mean depth 1 / (1 - p)",
    says="times 1 - p",
    tex=r"(1 - p) \sum_{j=1}^{«K»} p^{j-1} «rbp-scale»",
)
def _(block: Block, persistence: float) -> tuple[float, Numbers]:
    """RBP of an endless list of hits is 1."""
    return 1 - persistence, np.ones(block.size)


@RBP_NORM.setting(
    "ideal",
    rule="the sum of a list of hits, as many as there are, of the same length",
    cite="lenskit",
    says="divided by the same sum of a list of relevant items, as many as there are",
    tex=r"\frac{\sum_{j=1}^{«K»} p^{j-1} «rbp-scale»}{\sum_{j=1}^{\min(R, «rows»)} p^{j-1}}",
)
def _(block: Block, k: int | None, persistence: float) -> tuple[float, Numbers]:
    """The best list has 1."""
    hits = np.minimum(block.relevant_count, block.length_at(k)).astype(np.int64)
    weights = power(persistence, block.ranks_down_to(int(hits.max(initial=0))) - 1)
    return 1.0, np.append(0.0, np.cumsum(weights))[hits]


@shown_as("weight")
def persistence_by_rank(block: Block, persistence: float) -> Numbers:
    """The probability to read each rank, p^(rank - 1), shape (K, 1); (K, users) where tied rows share a rank."""
    return power(persistence, block.ranks - 1)


def _read(block: Block, gain: Setting, persistence: float, scale: Setting) -> CumulativeSum:
    gains = block.gains_by_rank(gain) / scale(block=block)
    return block.sum(product=block.part(persistence_by_rank, persistence) * gains)


class RBP(TopKMetric):
    """Compute the expected gain of a reader who goes on with a constant probability.

    Gains weighted by p^(rank-1), times 1 - p. Range 0 to 1 where gains are in it; a short list cannot reach 1.
    It is the expected utility of `cwl` where its continuation is p, of a reader who may go down without end: there the
    weights of so many ranks are made to sum to 1, and here they fall short of it by p^n.
    Source: Moffat and Zobel, TOIS 27(1), 2008.

    >>> import rankconv as rc
    >>> spec = "rbp(rbp-persistence=0.5)"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}, spec)[spec]
    0.625
    """

    name = "rbp"
    cite = "moffat2008"
    rises = True
    formula = "(1 - p) · sum of p^(j-1) · gain_j"
    called = "rank-biased precision"
    paper_names = ("RBP",)
    says = "the sum of the gains of the items {here}, the one at rank j weighted by p^(j-1), {rbp-norm}"
    tex = r"«rbp-norm», \quad p = «rbp-persistence»"
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]
    rbp_persistence: Annotated[str, RBP_PERSISTENCE]
    rbp_scale: Annotated[str, RBP_SCALE]
    rbp_norm: Annotated[str, RBP_NORM]
    number_names: ClassVar[Mapping[str, str]] = {"rbp-persistence": "p"}

    def per_user(self, block: Block) -> Ratio:
        settings, persistence = self.settings, self.parameter("rbp-persistence", block)
        read = block.once(_read, settings["gain"], persistence, settings["rbp-scale"]).at(self.scope)
        factor, denominator = settings["rbp-norm"](block=block, k=self.scope, persistence=persistence)
        return Ratio(factor * read, denominator)


class RBPResidual(Metric):
    """Compute how much larger RBP could be if all unjudged items were relevant.

    The weight of the unjudged rows and of all ranks below the list; 0 where every row is judged, as the source has
    it. Range 0 to 1, 0 is best. Source: trec_eval 10, m_rbp_resid.c; Moffat and Zobel, TOIS 27(1), 2008.

    >>> import rankconv as rc
    >>> spec = "rbp_residual(rbp-persistence=0.5)"
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "x"]}, spec)[spec]
    0.5
    """

    name = "rbp_residual"
    closed_form = True
    cite = "moffat2008"
    lower_is_better: ClassVar[bool] = True
    formula = "p^n + (1 - p) · sum of p^(j-1) over unjudged rows j"
    called = "residual of rank-biased precision"
    says = (
        "the sum of p^(j-1) over the ranks j of the items {here} that were not judged, times 1 - p, and p^n for "
        "the ranks below the n rows read; it is 0 where all of these were judged"
    )
    tex = r"p^{«rows»} + (1 - p) \sum_{j=1}^{«rows»} p^{j-1} (1 - q_j), \quad p = «rbp-persistence»"
    splits = False
    number_names: ClassVar[Mapping[str, str]] = {"rbp-persistence": "p"}
    rbp_persistence: Annotated[str, RBP_PERSISTENCE]

    def per_user(self, block: Block) -> Ratio:
        persistence = self.parameter("rbp-persistence", block)
        unjudged = block.listed - block.judged_by_rank
        places = block.ranks_down_to(block.depth) - 1
        weights = block.sum(unjudged=power(persistence, places) * unjudged).at(self.scope)
        below = power(persistence, block.length_at(self.scope))
        if block.averages_ties:
            below = below * block.once(chance_of_unjudged, self.scope)
        residual = np.where(weights > 0, below + (1 - persistence) * weights, 0.0)
        return Ratio(residual, np.ones(block.size))
