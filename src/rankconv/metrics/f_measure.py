"""F, the weighted harmonic mean of precision and recall."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar

import numpy as np

from rankconv.conventions.convention import Context, Convention
from rankconv.conventions.custom_setting import FunctionOf
from rankconv.conventions.traits import Requirement
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Parts, Ratio, TopKMetric
from rankconv.metrics.divisors import HITS_WORTH
from rankconv.metrics.precision_recall import HIT_WEIGHT, PRECISION_DENOMINATOR, RECALL_DENOMINATOR
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import separate_subtopics
from rankconv.preparation.captions import said_as
from rankconv.preparation.steps.subtopics import NEED

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
    part_names = ("P, precision", "R, recall")
    number_names: ClassVar[Mapping[str, str]] = {
        "precision-denominator": "precision is divided by {}",
        "recall-denominator": "recall is divided by {}",
    }

    def is_of_parts(self) -> bool:
        return self.f_form == "parts"

    def has_denominator(self) -> bool:
        return not self.is_of_parts()

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and self.settings["hit-weight"].traits.of_counts

    @property
    def weight(self) -> float:
        """The weight of recall, b."""
        b: float = self.settings["beta-form"](beta=self.settings["beta"]())
        return b

    def per_user(self, block: Block) -> Ratio | Parts:
        precision, recall = parts = block.part(precision_and_recall, self)
        if self.is_of_parts():
            return Parts(parts, self.combine, self.f_zero_division)
        counts = {"found": precision.numerator, "chosen": precision.denominator, "wanted": recall.denominator}
        in_counts: Ratio = self.settings["f-form"](**counts, weight=self.weight)
        return in_counts

    def combine(self, precision: Numbers, recall: Numbers) -> Ratio:
        """F of precision and recall, both of shape (users,)."""
        b = self.weight
        return Ratio((1 + b) * precision * recall, b * precision + recall)


def _said_counts(parts: tuple[Ratio, Ratio], block: Block, metric: F) -> Iterator[tuple[str, Numbers]]:
    """F from its counts, where hits and labels are counted."""
    if all(metric.settings[name].traits.of_counts for name in ("hit-weight", "f-recall")):
        found, chosen, wanted, b = parts[0].numerator, parts[0].denominator, parts[1].denominator, metric.weight
        both, weight = f"{1 + b:g}TP", "" if b == 1 else f"{b:g}"
        yield "TP, hits", found
        yield "FP, the divisor of precision less TP", chosen - found
        yield "FN, the divisor of recall less TP", wanted - found
        yield f"{both} / ({both} + {weight}FN + FP)", (1 + b) * found / (b * wanted + chosen)


@said_as(by=_said_counts)
def precision_and_recall(block: Block, metric: F) -> tuple[Ratio, Ratio]:
    """The two parts of F, both undivided."""
    found = metric.settings["hit-weight"](block=block).at(metric.scope)
    chosen = metric.divided_by("precision-denominator", block)
    given = {"block": block, "found": found, "scope": metric.scope}
    recall = metric.settings["f-recall"](**given, divided=lambda: metric.divided_by("recall-denominator", block))
    return Ratio(found, chosen), recall
