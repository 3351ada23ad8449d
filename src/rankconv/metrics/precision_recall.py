"""Precision, recall and F, what a hit is worth in them; hit rate, and R-precision."""

from collections.abc import Callable
from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Context, Convention
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.parameters import Within
from rankconv.conventions.traits import Requirement
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Expectation, Metric, Parts, Ratio, TopKMetric
from rankconv.metrics.divisors import DIVISOR, HIT_CHANCE, HITS, HITS_WORTH, WEIGHED_HITS
from rankconv.metrics.item_weights import (
    RELEVANT_WEIGHTS,
    RELEVANT_WEIGHTS_TEX,
    WEIGHT_NORM,
    WeighedMetric,
    weights_of_relevant,
)
from rankconv.preparation.arithmetic import CumulativeSum
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import separate_subtopics
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.steps.subtopics import NEED
from rankconv.preparation.ties import TieEffect

PRECISION_DENOMINATOR = Convention(
    "precision-denominator", "Divisor of precision", options_of=DIVISOR, reads=(*DIVISOR.reads, "weighed")
)
"""As `DIVISOR`; `weighed` is the block with the weights of items."""


@PRECISION_DENOMINATOR.setting(
    "row-weights",
    rule="the sum of the weights of the rows that are read",
    says="the sum of the weights of the items that are read",
    tex=r"\sum_{j=1}^{«K»} v_j",
    called="weights of the rows",
    cite="smith2024",
)
def _(weighed: Block, scope: int | None) -> Numbers:
    """Also of those that are no hits. Without weights it is their number, as `min(k, length)`."""
    return weighed.row_weights_so_far.at(scope)


RECALL_DENOMINATOR = Convention(
    "recall-denominator", "Divisor of recall", options_of=DIVISOR, reads=(*DIVISOR.reads, "weighed")
)
"""As `DIVISOR`; `weighed` is the block with the weights of items."""
RECALL_DENOMINATOR.setting(
    "relevant-weights",
    says="the sum of the weights of the relevant labels",
    tex=RELEVANT_WEIGHTS_TEX,
    called="weights of the relevant labels",
    **RELEVANT_WEIGHTS,
)(weights_of_relevant)


HIT_WEIGHT = Convention(
    "hit-weight", "Weight of a hit", reads=("block",), phrase=True, tells="a hit with a grade other than 1"
)
"""A setting gives what the hits down to each rank are worth in sum, shape (ranks, users)."""


@HIT_WEIGHT.setting(
    "one",
    rule="1, whatever its grade",
    formula_tells=True,
    says="the number of relevant items",
    tex="r_j",
    of_counts=True,
)
def _(block: Block) -> CumulativeSum:
    """Hits are counted."""
    return block.hits_so_far


@HIT_WEIGHT.setting(
    "grade",
    rule="its grade",
    cite="torchmetrics",
    reads_data=("grades",),
    says="the sum of the grades of the relevant items",
    tex="r_j g_j",
)
def _(block: Block) -> CumulativeSum:
    """Grades of hits are summed, as in the generalised precision and recall of Kekäläinen and Järvelin, 2002."""
    return block.hit_grades_so_far


class Precision(WeighedMetric):
    """Compute the share of returned items that are relevant.

    Hits in the first k, divided by the setting of `precision-denominator`: `k` also where the list is shorter,
    `min(k, length)` where a short list is not to blame, `min(k, relevant)` where few labels are not.
    Range 0 to 1. NaN where the denominator is 0 and `on-zero-division` says `as-computed`.
    With `hit-weight: grade` a hit counts its grade.
    Source: van Rijsbergen, Information Retrieval, 1979; the divisors as the presets cite them.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, "precision@4")["precision@4"]
    0.25
    >>> spec = "precision(precision-denominator=min(k, length))@4"
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x"]}, spec)[spec]
    0.5
    """

    name = "precision"
    named_first = ("precision-denominator",)
    cite = "vanrijsbergen1979"
    rises = True
    spellings = ("p",)
    formula = "hits@k / precision-denominator"
    says = "{hit-weight} {here} divided by {precision-denominator}"
    tex = rf"\frac{{{WEIGHED_HITS}}}{{«precision-denominator»}}«weight-norm»"
    linear = True
    of_hit_count = True
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]
    hit_weight: Annotated[str, HIT_WEIGHT]
    weight_norm: Annotated[str, WEIGHT_NORM]

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and self.settings["hit-weight"].traits.of_counts

    def per_user(self, block: Block) -> Ratio:
        weighed = self.weighed(block)
        found = self.settings["hit-weight"](block=weighed).at(self.scope)
        value = Ratio(found, self.divided_by(self.settings["precision-denominator"], block))
        divided: Ratio = self.settings["weight-norm"](block=weighed, k=self.k, value=value)
        return divided


class Recall(WeighedMetric):
    """Compute the share of relevant items that are returned.

    Hits in the first k, divided by the setting of `recall-denominator`: `relevant`, or `min(k, relevant)` so that
    a list of k can reach 1. Range 0 to 1. NaN where the user has no relevant label and no policy says otherwise.
    Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "x"]}, "recall@2")["recall@2"]
    0.25
    """

    spellings = ("r",)
    name = "recall"
    named_first = ("recall-denominator",)
    cite = "vanrijsbergen1979"
    rises = True
    formula = "hits@k / recall-denominator"
    says = "{hit-weight} {here} divided by {recall-denominator}"
    tex = rf"\frac{{{WEIGHED_HITS}}}{{«recall-denominator»}}«weight-norm»"
    linear = True
    of_hit_count = True
    recall_denominator: Annotated[str, RECALL_DENOMINATOR]
    hit_weight: Annotated[str, HIT_WEIGHT]
    weight_norm: Annotated[str, WEIGHT_NORM]

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and self.settings["hit-weight"].traits.of_counts

    def per_user(self, block: Block) -> Ratio:
        weighed = self.weighed(block)
        found = self.settings["hit-weight"](block=weighed).at(self.scope)
        value = Ratio(found, self.divided_by(self.settings["recall-denominator"], block))
        divided: Ratio = self.settings["weight-norm"](block=weighed, k=self.k, value=value)
        return divided


BETA = Convention("beta", "Weight of recall against precision in F")


@BETA.number(rule="beta", least=0, most=1e6, says="beta is {value}")
def _(value: float) -> float:
    """1 weighs both equally."""
    return value


BETA_FORM = Convention(
    "beta-form",
    "Form of beta in the formula of F",
    reads=("beta",),
    function_of=FunctionOf("beta", "a beta of", "beta enters as {value} of it"),
)


@BETA_FORM.setting("squared", rule="(1 + b^2) P R / (b^2 P + R)", says="beta enters squared", tex="«beta»^2")
def _(beta: float) -> float:
    """As van Rijsbergen has it."""
    return beta * beta


@BETA_FORM.setting(
    "plain", rule="(1 + b) P R / (b P + R)", cite="trec_eval-10", says="beta enters as it is, not squared", tex="«beta»"
)
def _(beta: float) -> float:
    """The parameter is the square already."""
    return beta


F_ZERO_DIVISION = Convention("f-zero-division", "Precision or recall of 0/0 inside F", closed=True)


@F_ZERO_DIVISION.setting(
    "as-computed", rule="0/0, and so is F", says="F is undefined where precision or recall is", by_formula=True
)
def _() -> None:
    """The policy `on-zero-division` decides."""


@F_ZERO_DIVISION.number(rule="this number", says="a precision or recall of 0/0 is taken for {value}")
def _(value: float) -> float:
    """F is computed with it."""
    return value


F_ZERO_DIVISION.also(zero="0")


@F_ZERO_DIVISION.idle("F is not made of parts", by="f-form")
def _(context: Context) -> bool:
    """There is one ratio."""
    return context.settings["f-form"].text != "parts"


F_RECALL = Convention("f-recall", "Divisor of the recall inside F", reads=("block", "found", "divided", "scope"))
"""A setting gives recall; `found` are the hits, `divided` gives what they are divided by, both of shape (users,)."""


@F_RECALL.setting("labels", rule="of the labels: hits by recall-denominator", no="", of_counts=True)
def _(found: Numbers, divided: Callable[[], Numbers]) -> Ratio:
    """The hits of precision once more, shape (users,)."""
    return Ratio(found, divided())


@F_RECALL.setting(
    "subtopics",
    rule="of the groups: those of which an item was returned",
    needs=(NEED,),
    reads_order=True,
    says="recall is instead the share of the groups of labels of which a relevant item was returned",
)
def _(block: Block, scope: int | None) -> Ratio:
    """Any item of a group will do for recall, and each counts for precision."""
    groups = block.once(separate_subtopics)
    served = np.minimum(groups.block.hits_so_far.at(scope), 1)
    return Ratio(groups.added(served * groups.weight), groups.total)


F_FORM = Convention(
    "f-form", "Form of F", reads=("found", "chosen", "wanted", "weight"), closed=True, tells="a user without a hit"
)
"""A setting gives F as a ratio, shape (users,), from the hits `found`, the divisor of precision `chosen` and that of
recall `wanted`, and the `weight` of recall; None where it is made of the two parts."""


@F_FORM.setting("parts", rule="(1 + b) P R / (b P + R)", formula_tells=True, no="")
def _() -> None:
    """0/0 without a hit."""


@F_FORM.setting(
    "counts",
    rule="(1 + b) hits / (b · divisor of recall + divisor of precision)",
    requires=Requirement("f-recall", lambda setting: setting.traits.of_counts),
    cite="napkinxc",
    says=(
        "F is computed as the hits times (1 + b), divided by b times the divisor of recall plus that of precision, b "
        "being 1 or what beta enters as: it is 0 without a hit"
    ),
)
def _(found: Numbers, chosen: Numbers, wanted: Numbers, weight: float) -> Ratio:
    """Equal to the other where there is a hit; its numerators and denominators may be summed over users, to micro F."""
    return Ratio((1 + weight) * found, weight * wanted + chosen)


class F(TopKMetric):
    """Compute the weighted harmonic mean of precision and recall.

    Their weighted harmonic mean, per user; with `aggregate: mean-of-parts` the harmonic mean of the averaged parts.
    With beta 1 it is 2TP / (2TP + FN + FP), where FP is what precision divides by, less the hits TP, and FN is what
    recall divides by, less these. Range 0 to 1. With P = R = 0 it is 0/0, and the policy `on-zero-division` says what
    that
    counts as. Source: van Rijsbergen, Information Retrieval, 1979.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "x"]}, "f1@2")["f1@2"]
    0.3333333333333333
    """

    name = "f"
    named_first = ("beta",)
    cite = "vanrijsbergen1979"
    rises = True
    linear = True
    of_hit_count = True
    undefined_by_order = True
    spellings = ("f1", "f_measure", "f_score", "f1_score")
    has_parts = True
    to_sum = "Write f-form=counts, so that the counts of all users are summed, as for micro F."
    formula = "(1 + b^2) P R / (b^2 P + R)"
    called = "F"
    paper_names = ("F1",)
    says = (
        "the weighted harmonic mean of precision ({hit-weight} {here} divided by {precision-denominator}) and "
        "recall (the same number divided by {recall-denominator})"
    )
    tex = (
        r"\frac{(1 + b) P R^{*}}{b P + R^{*}}, \quad b = «beta-form», \quad "
        rf"P = \frac{{{HITS_WORTH}}}{{«precision-denominator»}}, \quad "
        rf"R^{{*}} = \frac{{{HITS_WORTH}}}{{«recall-denominator»}}"
    )
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]
    recall_denominator: Annotated[str, RECALL_DENOMINATOR]
    beta: Annotated[str, BETA]
    beta_form: Annotated[str, BETA_FORM]
    f_zero_division: Annotated[str, F_ZERO_DIVISION]
    hit_weight: Annotated[str, HIT_WEIGHT]
    f_recall: Annotated[str, F_RECALL]
    f_form: Annotated[str, F_FORM]

    def is_of_parts(self) -> bool:
        return self.f_form == "parts"

    def has_denominator(self) -> bool:
        return not self.is_of_parts()

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and self.settings["hit-weight"].traits.of_counts

    def per_user(self, block: Block) -> Ratio | Parts:
        found = self.settings["hit-weight"](block=block).at(self.scope)
        by_rows = self.divided_by(self.settings["precision-denominator"], block, "precision is divided by {}")

        def by_labels() -> Numbers:
            return self.divided_by(self.settings["recall-denominator"], block, "recall is divided by {}")

        recall = self.settings["f-recall"](block=block, found=found, divided=by_labels, scope=self.scope)
        parts = (Ratio(found, by_rows), recall)
        counts = [self.settings[convention_name].traits.of_counts for convention_name in ("hit-weight", "f-recall")]
        if all(counts):
            self._in_counts(block, found, *(part.denominator for part in parts))
        if not self.is_of_parts():
            weight = self.settings["beta-form"](beta=self.settings["beta"]())
            chosen, wanted = (part.denominator for part in parts)
            in_counts: Ratio = self.settings["f-form"](found=found, chosen=chosen, wanted=wanted, weight=weight)
            return in_counts
        return Parts(parts, self.combine, self.f_zero_division, ("P, precision", "R, recall"))

    def _in_counts(self, block: Block, found: Numbers, chosen: Numbers, wanted: Numbers) -> None:
        """F from its counts `found`, `chosen` and `wanted`, each of shape (users,); for explanations."""
        b = self.settings["beta-form"](beta=self.settings["beta"]())
        both, weight = f"{1 + b:g}TP", "" if b == 1 else f"{b:g}"
        block.says(lambda: "TP, hits", found)
        block.says(lambda: "FP, the divisor of precision less TP", lambda: chosen - found)
        block.says(lambda: "FN, the divisor of recall less TP", lambda: wanted - found)
        block.says(lambda: f"{both} / ({both} + {weight}FN + FP)", lambda: (1 + b) * found / (b * wanted + chosen))

    def combine(self, precision: Numbers, recall: Numbers) -> Ratio:
        """F of precision and recall, both of shape (users,)."""
        weight = self.settings["beta-form"](beta=self.settings["beta"]())
        return Ratio((1 + weight) * precision * recall, weight * precision + recall)


HIT_RULE = Convention(
    "hit-rule",
    "Condition for a list to count as a hit",
    reads=("block", "scope"),
    phrase=True,
    tells="a label with a negative grade",
)
"""A setting gives a number per user, shape (users,); the list is a hit where it is above 0."""


@HIT_RULE.setting(
    "hits", rule="at least one hit", says="at least one relevant item is {here}", tex=rf"\min\left(1, {HITS}\right)"
)
def _(block: Block, scope: int | None) -> Numbers:
    """One relevant item in the first k is enough."""
    return block.hits_so_far.at(scope)


class HitRate(TopKMetric):
    """Compute whether the list holds a relevant item.

    1 where the first k hold a hit, else 0; the mean is the share of such users. Also called success or accuracy@k.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": ["a"]}, "hit_rate@1")["hit_rate@1"]
    0.5
    """

    name = "hit_rate"
    cite = "deshpande2004"
    rises = True
    closed_form = True
    spellings = ("hr", "hit", "hit_ratio", "success")
    formula = "1 if hits@k > 0 else 0"
    paper_names = ("hit rate",)
    says = "1 if {hit-rule}, and 0 otherwise"
    tex = "«hit-rule»"
    splits = False
    hit_rule: Annotated[str, HIT_RULE]

    @property
    def expected_tex(self) -> str:
        return rf"1 - \prod_{{j=1}}^{{«K»}} (1 - c_j), \quad c_j = {HIT_CHANCE}"

    def per_user(self, block: Block) -> Ratio:
        if block.tie_rule is TieEffect.EXPECTED:
            block.show(**{"no hit so far": block.no_hit_so_far[1:]})
            return Ratio(block.hit_within(self.scope), np.ones(block.size))
        found = self.settings["hit-rule"](block=block, scope=self.scope) > 0
        return Ratio(found.astype(np.float64), np.ones(block.size))


class HitCount(WeighedMetric):
    """Compute the number of relevant items in the list.

    A number of items, so the range is 0 to k; some papers report it as a "hit rate".

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "b", "c"]}, "hit_count@3")["hit_count@3"]
    2.0
    """

    name = "hit_count"
    cite = "deshpande2004"
    rises = True
    spellings = ("hits",)
    formula = "hits@k"
    says = "{hit-weight} {here}"
    share = "hit_rate"
    tex = WEIGHED_HITS
    linear = True
    splits = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    hit_weight: Annotated[str, HIT_WEIGHT]

    def per_user(self, block: Block) -> Ratio:
        found = self.settings["hit-weight"](block=self.weighed(block)).at(self.scope)
        return Ratio(found, np.ones(block.size))


R_PRECISION_DENOMINATOR = Convention(
    "r-precision-denominator", "Divisor of R-precision", options_of=DIVISOR, reads=(*DIVISOR.reads, "read")
)
"""As `DIVISOR`, and of shape (users,): `read` is the rank at which precision is read."""


@R_PRECISION_DENOMINATOR.setting(
    "rank-read", rule="the rank at which it is read", says="that rank", tex=r"\rho", called="that rank"
)
def _(read: Numbers) -> Numbers:
    """So it is the precision at that rank."""
    return read


R_PRECISION_AT = Convention(
    "r-precision-at",
    "Rank at which R-precision is read",
    options_of=DIVISOR,
    tells="a user with a hit below rank R, or with more relevant labels than k",
)
"""As `DIVISOR`, and of shape (users,): a setting gives the rank."""


@R_PRECISION_AT.setting(
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
    """Compute precision at rank R, the number of relevant items.

    Hits in the first R ranks divided by R; some systems read no deeper than k. Range 0 to 1.
    Source: Buckley and Voorhees, in TREC: Experiment and Evaluation, 2005.

    >>> import rankconv as rc
    >>> rc.evaluate({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}, "r_precision")["r_precision"]
    0.5
    """

    name = "r_precision"
    cite = "buckley2005"
    rises = True
    linear = True
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
        ranks = self.divided_by(self.settings["r-precision-at"], block, "read to rank {}")
        found = block.hits_so_far.at_rows(np.clip(ranks, 0, block.depth).astype(np.int64))
        by = self.divided_by(self.settings["r-precision-denominator"], block, "divided by {}", read=ranks)
        return Ratio(found, by)


DISTANCE_TOLERANCE = Convention(
    "distance-tolerance", "Difference in score that still makes a row as near as the k-th neighbour", reads=("last",)
)
"""A setting gives the lowest score of a row that is near enough, shape (users,); `last` are the lowest grades of each
user's labels, of that shape too."""


@DISTANCE_TOLERANCE.setting(
    "absolute",
    rule="x below the grade of the k-th neighbour",
    needs=("scores",),
    says="at least the lowest grade of the labels, less {epsilon}",
    tex=r"g_{\min} - «epsilon»",
)
def _(last: Numbers, epsilon: Annotated[float, Within(0, 1e9)]) -> Numbers:
    """With grades and scores that are distances with a minus: a distance that is longer by at most this."""
    return last - epsilon


@DISTANCE_TOLERANCE.setting(
    "relative",
    rule="x times its size below the grade of the k-th neighbour",
    needs=("scores",),
    cite="ann_benchmarks",
    says="at least the lowest grade of the labels, less {epsilon} times its absolute value",
    tex=r"g_{\min} - «epsilon» \left|g_{\min}\right|",
)
def _(last: Numbers, epsilon: Annotated[float, Within(0, 1e9)]) -> Numbers:
    """A distance that is longer by at most this share."""
    return last - epsilon * abs(last)


class DistanceRecall(TopKMetric):
    """Compute the share of the first k rows that are as near as the k-th neighbour.

    A row counts by its score, whatever its item: an item that is as near as the last of the labels is as good, and one
    that is repeated counts each time. Scores and grades are similarities, or distances with a minus. Divided by the
    setting of `precision-denominator`. Range 0 to 1. Source: Aumüller, Bernhardsson and Faithfull, Information Systems
    87, 2020.

    >>> import rankconv as rc
    >>> run = {"u": [("a", 0.9), ("y", 0.75), ("z", 0.7)]}
    >>> spec = "distance_recall(labels-used=first-k(by-grade))@2"
    >>> rc.evaluate({"u": {"a": 0.9, "b": 0.75, "c": 0.6}}, run, spec)[spec]
    1.0
    """

    name = "distance_recall"
    reads_data = ("grades",)
    cite = "aumuller2020"
    compares_scores = True
    formula = (
        "rows of the first k with the lowest grade of the labels, less distance-tolerance, / precision-denominator"
    )
    called = "recall by distance"
    says = "the number of rows {here} with a score of {distance-tolerance}, divided by {precision-denominator}"
    tex = r"\frac{\sum_{j=1}^{«K»} \mathbf{1}\left[s_j \geq «distance-tolerance»\right]}{«precision-denominator»}"
    distance_tolerance: Annotated[str, DISTANCE_TOLERANCE]
    precision_denominator: Annotated[str, PRECISION_DENOMINATOR]

    def expectation(self, preparation: Preparation) -> Expectation:
        """Rows of equal score have one value."""
        return Expectation.ANY_ORDER

    def per_user(self, block: Block) -> Ratio:
        last = np.full(block.size, np.inf)
        np.minimum.at(last, block.known.user, block.known.grade)
        labelled = last < np.inf
        least = self.settings["distance-tolerance"](last=np.where(labelled, last, 0.0))
        near = block.listed & labelled & (block.scores_by_rank >= least)
        found = block.count(near=near.astype(np.float64)).at(self.scope)
        return Ratio(found, self.divided_by(self.settings["precision-denominator"], block))
