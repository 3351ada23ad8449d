"""Metrics that count hits: precision, recall, F, hit rate, R-precision."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.judging.block import Block
from rankconv.judging.cumulative import CumulativeSum
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.metrics.divisors import DIVISOR
from rankconv.metrics.notation import HITS, HITS_WORTH
from rankconv.questions.choice import Choice
from rankconv.questions.custom import FunctionOf
from rankconv.questions.parameters import Within

PRECISION_DENOMINATOR = Choice(
    "precision-denominator", "By what are the hits of precision divided?", options_of=DIVISOR
)
RECALL_DENOMINATOR = Choice("recall-denominator", "By what are the hits of recall divided?", options_of=DIVISOR)


HIT_WORTH = Choice(
    "hit-worth", "How much does a hit count?", reads=("block",), phrase=True, tells="a hit with a grade other than 1"
)
"""An answer gives what the hits down to each rank are worth in sum, shape (ranks, users)."""


@HIT_WORTH.option(
    "one", rule="1, whatever its grade", formula_tells=True, says="the number of relevant items", tex="r_j"
)
def _(block: Block) -> CumulativeSum:
    """Hits are counted."""
    return block.hits_so_far


@HIT_WORTH.option(
    "grade", rule="its grade", cite="torchmetrics", says="the sum of the grades of the relevant items", tex="r_j g_j"
)
def _(block: Block) -> CumulativeSum:
    """Grades of hits are summed, as in the generalised precision and recall of Kekäläinen and Järvelin, 2002."""
    return block.hit_grades_so_far


class Precision(Metric):
    """Which share of the returned items is relevant?

    Hits in the first k, divided by the answer to `precision-denominator`: `k` also where the list is shorter,
    `min(k, length)` where a short list is not to blame, `min(k, relevant)` where few labels are not.
    Range 0 to 1. NaN where the denominator is 0 and `undefined` says `formula`.
    With `hit-worth: grade` a hit counts its grade.
    Source: van Rijsbergen, Information Retrieval, 1979; the divisors as the presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, "precision@4")["precision@4"]
    0.25
    >>> spec = "precision(precision-denominator=min(k, length))@4"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, spec)[spec]
    0.5
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "precision"
    rises = True
    spellings = ("p",)
    formula = "hits@k / precision-denominator"
    says = "{hit-worth} {here} divided by {precision-denominator}"
    tex = rf"\frac{{{HITS_WORTH}}}{{«precision-denominator»}}"
    linear = True
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]
    hit_worth: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Ratio:
        found = self.answers["hit-worth"](block=block).at(self.scope)
        return Ratio(found, self.divided_by(self.answers["precision-denominator"], block))


class Recall(Metric):
    """Which share of the relevant items was returned?

    Hits in the first k, divided by the answer to `recall-denominator`: `relevant`, or `min(k, relevant)` so that
    a list of k can reach 1. Range 0 to 1. NaN where the user has no relevant label and no cause says otherwise.
    Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "x"]}, "recall@2")["recall@2"]
    0.25
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "recall"
    rises = True
    formula = "hits@k / recall-denominator"
    says = "{hit-worth} {here} divided by {recall-denominator}"
    tex = rf"\frac{{{HITS_WORTH}}}{{«recall-denominator»}}"
    linear = True
    recall_denominator: Annotated[str, RECALL_DENOMINATOR]
    hit_worth: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Ratio:
        found = self.answers["hit-worth"](block=block).at(self.scope)
        return Ratio(found, self.divided_by(self.answers["recall-denominator"], block))


BETA = Choice("beta", "How much more does recall weigh than precision in F?", reads=(), noun="beta")


@BETA.number(rule="beta", least=0, most=1e6, says="beta is {value}")
def _(value: float) -> float:
    """1 weighs both alike."""
    return value


BETA_ENTERS = Choice(
    "beta-enters",
    "How does beta enter the formula of F?",
    reads=("beta",),
    function_of=FunctionOf("beta", "a beta of", "beta enters as {value} of it"),
)


@BETA_ENTERS.option("squared", rule="(1 + b^2) P R / (b^2 P + R)", says="beta enters squared", tex="«beta»^2")
def _(beta: float) -> float:
    """As van Rijsbergen has it."""
    return beta * beta


@BETA_ENTERS.option(
    "plain", rule="(1 + b) P R / (b P + R)", cite="trec_eval-10", says="beta enters as it is, not squared", tex="«beta»"
)
def _(beta: float) -> float:
    """The parameter is the square already."""
    return beta


F_PART_UNDEFINED = Choice("f-part-undefined", "What is a precision or recall of 0/0 inside F?", reads=(), closed=True)


@F_PART_UNDEFINED.option(
    "formula", rule="0/0, and so is F", says="F is undefined where precision or recall is", by_formula=True
)
def _() -> None:
    """The cause `undefined` decides."""


@F_PART_UNDEFINED.number(rule="this number", says="a precision or recall of 0/0 is taken for {value}")
def _(value: float) -> float:
    """F is computed with it."""
    return value


F_PART_UNDEFINED.also(zero="0")


class F(Metric):
    """How good are precision and recall together?

    Their weighted harmonic mean, per user; with `mean: of-parts` the harmonic mean of the averaged parts.
    Range 0 to 1. With P = R = 0 it is 0/0, and the cause `undefined` says what that counts as.
    Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "x"]}, "f1@2")["f1@2"]
    0.3333333333333333
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "f"
    rises = True
    undefined_by_order = True
    spellings = ("f1",)
    has_parts = True
    formula = "(1 + b^2) P R / (b^2 P + R)"
    called = "F"
    written = ("F1",)
    says = (
        "the weighted harmonic mean of precision ({hit-worth} {here} divided by {precision-denominator}) and "
        "recall (the same number divided by {recall-denominator})"
    )
    tex = (
        r"\frac{(1 + b) P R^{*}}{b P + R^{*}}, \quad b = «beta-enters», \quad "
        rf"P = \frac{{{HITS_WORTH}}}{{«precision-denominator»}}, \quad "
        rf"R^{{*}} = \frac{{{HITS_WORTH}}}{{«recall-denominator»}}"
    )
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]
    recall_denominator: Annotated[str, RECALL_DENOMINATOR]
    beta: Annotated[str, BETA]
    beta_enters: Annotated[str, BETA_ENTERS]
    f_part_undefined: Annotated[str, F_PART_UNDEFINED]
    hit_worth: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Parts:
        found = self.answers["hit-worth"](block=block).at(self.scope)
        parts = (
            Ratio(found, self.divided_by(self.answers["precision-denominator"], block, "precision is divided by {}")),
            Ratio(found, self.divided_by(self.answers["recall-denominator"], block, "recall is divided by {}")),
        )
        return Parts(parts, self._combine, self.f_part_undefined, ("P, precision", "R, recall"))

    def _combine(self, precision: Numbers, recall: Numbers) -> Ratio:
        weight = self.answers["beta-enters"](beta=self.answers["beta"]())
        return Ratio((1 + weight) * precision * recall, weight * precision + recall)


HIT_BY = Choice(
    "hit-by", "What makes a list a hit?", reads=("block", "scope"), phrase=True, tells="a label with a negative grade"
)
"""An answer gives a number per user, shape (users,); the list is a hit where it is above 0."""


@HIT_BY.option(
    "hits", rule="at least one hit", says="at least one relevant item stands {here}", tex=rf"\min\left(1, {HITS}\right)"
)
def _(block: Block, scope: int | None) -> Numbers:
    """One relevant item in the first k is enough."""
    return block.hits_so_far.at(scope)


@HIT_BY.option(
    "grade-sum",
    rule="grades in the first k that sum to more than 0",
    cite="cute_ranking",
    says="the grades of the items {here} sum to more than 0",
    tex=r"\mathbf{1}\left[\sum_{j=1}^{«K»} g_j > 0\right]",
)
def _(block: Block, scope: int | None) -> Numbers:
    """A negative grade can cancel a hit."""
    return block.grades_so_far.at(scope)


class HitRate(Metric):
    """Does the list hold anything relevant at all?

    1 where the first k hold a hit, else 0; the mean is the share of such users. Also called success or accuracy@k.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["a"]}, "hit_rate@1")["hit_rate@1"]
    0.5
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "hit_rate"
    rises = True
    spellings = ("hr", "success")
    formula = "1 if hits@k > 0 else 0"
    written = ("hit rate",)
    says = "1 if {hit-by}, and 0 otherwise"
    tex = "«hit-by»"
    splits = False
    hit_by: Annotated[str, HIT_BY]

    def per_user(self, block: Block) -> Ratio:
        found = self.answers["hit-by"](block=block, scope=self.scope) > 0
        return Ratio(found.astype(np.float64), np.ones(block.size))


class HitCount(Metric):
    """How many hits does the list hold?

    A number of items, so the range is 0 to k; some papers report it as a "hit rate".

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "b", "c"]}, "hit_count@3")["hit_count@3"]
    2.0
    """

    reads_below_cutoff: ClassVar[bool] = False
    name = "hit_count"
    rises = True
    spellings = ("hits",)
    formula = "hits@k"
    says = "{hit-worth} {here}"
    tex = HITS_WORTH
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    hit_worth: Annotated[str, HIT_WORTH]

    def per_user(self, block: Block) -> Ratio:
        return Ratio(self.answers["hit-worth"](block=block).at(self.scope), np.ones(block.size))


R_PRECISION_DENOMINATOR = Choice(
    "r-precision-denominator", "By what is R-precision divided?", options_of=DIVISOR, reads=(*DIVISOR.reads, "read")
)
"""As `DIVISOR`, and of shape (users,): `read` is the rank at which precision is read."""


@R_PRECISION_DENOMINATOR.option(
    "rank-read", rule="the rank at which it is read", says="that rank", tex=r"\rho", called="that rank"
)
def _(read: Numbers) -> Numbers:
    """So it is the precision at that rank."""
    return read


R_PRECISION_AT = Choice(
    "r-precision-at",
    "At which rank is R-precision read?",
    options_of=DIVISOR,
    tells="a user with a hit below rank R, or with more relevant labels than k",
)
"""As `DIVISOR`, and of shape (users,): an answer gives the rank."""


@R_PRECISION_AT.option(
    "last-hit",
    rule="the rank of the last hit",
    counts_hits=True,
    cite="cute_ranking",
    says="the rank of the last relevant item",
    tex=r"\max\{j : r_j = 1\}",
    called="rank of the last hit",
)
def _(block: Block) -> Numbers:
    """Where the list has found all that it finds; 0 without a hit."""
    return np.asarray((block.hits_by_rank * block.ranks_down_to(block.depth)).max(axis=0, initial=0.0))


@R_PRECISION_AT.option(
    "multiple",
    rule="x times R, rounded up from a tenth on",
    cite="trec_eval-10",
    says="{of} times the number of relevant labels, rounded up from a tenth on",
    tex=r"\lfloor «of» R + 0.9 \rfloor",
    called="{of} · R, rounded up from a tenth on",
)
def _(block: Block, of: Annotated[float, Within(1e-6, 1e6)]) -> Numbers:
    """trec_eval takes floor(x R + 0.9)."""
    return np.floor(of * block.relevant_count.astype(np.float64) + 0.9)  # in doubles: 0.7 · 3 + 0.9 is below 3


class RPrecision(Metric):
    """What is precision at rank R, R being the number of relevant items?

    Hits in the first R ranks divided by R; some systems read no deeper than k. Range 0 to 1.
    Source: Buckley and Voorhees, in TREC: Experiment and Evaluation, 2005.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}, "r_precision")["r_precision"]
    0.5
    """

    name = "r_precision"
    rises = True
    spellings = ("rprec",)
    formula = "hits@r-precision-at / r-precision-denominator"
    called = "R-precision"
    says = (
        "the number of relevant items down to the rank that equals {r-precision-at}, divided by "
        "{r-precision-denominator}"
    )
    tex = r"\frac{1}{«r-precision-denominator»} \sum_{j=1}^{\rho} r_j, \quad \rho = «r-precision-at»"
    r_precision_at: Annotated[str, R_PRECISION_AT]
    r_precision_denominator: Annotated[str, R_PRECISION_DENOMINATOR]

    def per_user(self, block: Block) -> Ratio:
        ranks = self.divided_by(self.answers["r-precision-at"], block, "read to rank {}")
        found = block.hits_so_far.at_rows(np.minimum(ranks, block.depth).astype(np.int64))
        by = self.divided_by(self.answers["r-precision-denominator"], block, "divided by {}", read=ranks)
        return Ratio(found, by)
