"""The special situations of a user, each its own question; asked in this order, the first that decides wins."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rankconv.data.arrays import Mask, Numbers, below, is_zero
from rankconv.judging.block import Block
from rankconv.judging.on_data import OnData
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.ordered import Ordered
from rankconv.questions.choice import Answer, Choice, Registry, Told

WHAT_COUNTS = Choice("cause", "What does such a user count as?", asked=False, closed=True)
"""The answers that all causes share."""


@WHAT_COUNTS.option("formula", rule="what the formula gives", by_formula=True)
def _() -> None:
    """Nothing special; 0/0 is then NaN and makes the mean NaN."""


@WHAT_COUNTS.option(
    "skip", rule="left out of the mean", skips=True, says="is left out of the mean", became="left out of the mean"
)
def _() -> None:
    """The per-user value is NaN."""


@WHAT_COUNTS.option("nan", rule="NaN", counts=True, says="counts as NaN, and so does the mean", became="counted as NaN")
def _() -> None:
    """It makes the mean NaN."""


@WHAT_COUNTS.option(
    "error",
    rule="this user is refused",
    refuses="the user",
    says="is refused, and there is then no mean",
    became="refused",
)
def _() -> None:
    """There is no mean; the other users keep their values."""


@WHAT_COUNTS.option(
    "error-all",
    rule="the whole input is refused",
    refuses="everybody",
    says="makes the whole evaluation fail",
    became="refused",
)
def _() -> None:
    """The system gives no number at all."""


@WHAT_COUNTS.option(
    "numerator",
    rule="the numerator, as if divided by 1",
    counts=True,
    cite="rax",
    says="counts as the numerator, undivided",
    undivided=True,
    became="counted as the numerator",
)
def _() -> None:
    """A zero denominator counts as 1."""


@WHAT_COUNTS.number(rule="counts as this number", counts=True, says="counts as {value}", became="counted as {value}")
def _(value: float) -> float:
    """It enters the mean like any value."""
    return value


WHAT_COUNTS.also(zero="0")


@dataclass(eq=False)
class Situation:
    """One definition on one judged block: what the causes look at."""

    block: Block
    metric: Metric
    found: Ratio | Parts
    rows_needed: float

    @cached_property
    def ratio(self) -> Ratio:
        """The one ratio per user, combined where there are parts."""
        return self.found.ratio if isinstance(self.found, Parts) else self.found

    @property
    def parts(self) -> tuple[Ratio, ...]:
        """The ratios before they are combined."""
        return self.found.parts if isinstance(self.found, Parts) else (self.found,)


@dataclass(frozen=True)
class Cause:
    """A question about special users, and how to find them."""

    choice: Choice
    who: str
    """What is special: "has no relevant label"."""
    holds: Callable[[Situation], Mask]
    says: str = ""
    """How a paper says it, where `who` is too short."""
    otherwise: str = ""
    """What a paper says of such users where the formula decides; nothing for most."""
    of_judging: bool = False
    """Whether judging says of each such user what is wrong."""
    of_ratio: bool = False
    """Whether it looks at the metric's numerator and denominator, and not at the judged list alone."""
    needs_rows: bool = False
    """Whether it asks how many rows a list must have."""
    reads_deep: bool = False
    """Whether it looks deeper into lists than most metrics do."""
    by_order: bool = False
    """Whether it depends on the order of a list who they are."""

    def may_fall(self, metric: type[Metric], answer: Answer) -> bool:
        """Whether a user may lose by a better order of their list, because of what such users count as."""
        undefined = self.holds is _undefined and metric.keeps("undefined_by_order")
        decided = self.by_order and not answer.option.traits.get("by_formula")
        return (undefined or decided) and answer.keywords.get("value") != 0


CAUSES = Ordered[Cause]("special case of a user")
"""In the order in which they are asked."""
Finder = Callable[[Situation], Mask]


def cause(
    name: str,
    who: str,
    says: str = "",
    otherwise: str = "",
    *,
    after: str = "",
    neutral: str | None = None,
    **more: bool,
) -> Callable[[Finder], Finder]:
    """Decorator: this function finds the users of that cause, shape (users,)."""

    def register(function: Finder) -> Finder:
        question = f"What does a user count as who {who}?"
        module = function.__module__
        choice = Choice(
            name, question, options_of=WHAT_COUNTS, tells=f"a user who {who}", neutral=neutral, module=module
        )
        choice.alike(lambda ours, other: not (ours.decides(name) or other.decides(name)))
        CAUSES.put(name, Cause(choice, who, function, says, otherwise, **more), after)
        Registry.changed()
        return function

    return register


def special_case(name: str, who: str, *, after: str, says: str = "") -> Callable[[Finder], Finder]:
    """Decorator: a special case of a user, of which the presets may say what such a user counts as.

    The function gets an `rc.Situation`: one metric on a judged block of users, with `block`, `metric` and `ratio`, and
    returns who is concerned, a mask of shape (users,). `who` ends the sentence "a user who …", and `says` does so in a
    paper where `who` is too short. The question has the answers of all special cases (`formula`, `skip`, `nan`,
    `error`, a number …); presets that do not ask it say `formula`. Of the cases that hold for a user the first that is
    not answered so decides; this one is asked directly behind that named `after`.

    Raises ConventionError where the name is taken, and for a case to stand behind that nobody knows.

    >>> import rankconv as rc
    >>> @rc.special_case("one-label", "has a single label", after="no-labels")
    ... def _(situation):
    ...     return situation.block.label_count == 1
    >>> labels, run = {"u": ["a"], "v": ["b", "c"]}, {"u": ["a"], "v": ["b"]}
    >>> dict(rc.evaluate(labels, run, ["recall", "recall(one-label=skip)"]))
    {'recall': 0.75, 'recall(one-label=skip)': 0.5}
    """
    CAUSES.check_known(after)
    return cause(name, who, says, after=after, neutral="formula", reads_deep=True, by_order=True)


@cause("not-allowed", "has grades, labels or a list that the system does not take", of_judging=True)
def _(s: Situation) -> Mask:
    return s.block.refused


@cause("missing", "has no ranked row in the input")
def _(s: Situation) -> Mask:
    return ~s.block.in_rankings


@cause("nothing-judged", "has no judgment at all")
def _(s: Situation) -> Mask:
    return is_zero(s.block.judged_count)


@cause("no-rows", "has an empty list after judging")
def _(s: Situation) -> Mask:
    return is_zero(s.block.lengths)


@cause("too-few-rows", "has fewer rows than rows-needed asks for", says="has {rows-needed}", needs_rows=True)
def _(s: Situation) -> Mask:
    return below(s.block.lengths, s.rows_needed)


ROWS_NEEDED = Choice(
    "rows-needed",
    "How many rows must a list have, for too-few-rows?",
    reads=(),
    phrase=True,
    tells="a list of few rows",
)


@ROWS_NEEDED.number(rule="so many", least=0, says="fewer than {value} rows")
def _(value: float) -> float:
    """0 means that no list is too short."""
    return value


@ROWS_NEEDED.idle("too-few-rows says formula", by="too-few-rows")
def _(told: Told) -> bool:
    return bool(told.trait("too-few-rows", "by_formula"))


@ROWS_NEEDED.alike
def _(ours: OnData, other: OnData) -> bool:
    return not (ours.decides("too-few-rows") or other.decides("too-few-rows"))


@cause("short-list", "has fewer rows than k")
def _(s: Situation) -> Mask:
    return below(s.block.lengths, s.metric.k or 0)


@cause("no-labels", "has no label row")
def _(s: Situation) -> Mask:
    return is_zero(s.block.label_count)


@cause("no-relevant", "has no relevant label")
def _(s: Situation) -> Mask:
    return is_zero(s.block.relevant_count)


@cause("grades-sum-zero", "has grades that sum to zero")
def _(s: Situation) -> Mask:
    return is_zero(s.block.grade_sum)


@cause("no-non-relevant", "has no label that is not relevant")
def _(s: Situation) -> Mask:
    return is_zero(s.block.non_relevant_count)


@cause("no-hits", "has no hit within k", by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.block.hits_so_far.at(s.metric.scope))


@cause("missed-relevant", "has a relevant item that is not in the list", by_order=True, reads_deep=True)
def _(s: Situation) -> Mask:
    return below(s.block.distinct_hits.at(s.metric.scope), s.block.relevant_count)


@cause("negative-ideal", "has a denominator below zero", of_ratio=True)
def _(s: Situation) -> Mask:
    return below(s.ratio.denominator, 0)


@cause("above-one", "has a value above 1", of_ratio=True, by_order=True)
def _(s: Situation) -> Mask:
    return np.asarray(np.any([below(part.denominator, part.numerator) for part in s.parts], axis=0))


@cause("zero-value", "has a value of 0", of_ratio=True, by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.ratio.numerator)


@cause("zero-denominator", "has x/0", says="has a value of x/0", of_ratio=True)
def _(s: Situation) -> Mask:
    zero = is_zero(s.ratio.denominator)
    return zero & ~_nothing(s.ratio.numerator) if zero.any() else zero


@cause(
    "undefined",
    "has 0/0",
    says="has a value of 0/0",
    otherwise="a value of 0/0 is NaN, and makes the mean NaN",
    of_ratio=True,
)
def _undefined(s: Situation) -> Mask:
    zero = is_zero(s.ratio.denominator)
    return zero & _nothing(s.ratio.numerator) if zero.any() else zero


def _nothing(numerator: Numbers) -> Mask:
    return is_zero(numerator) | np.isnan(numerator)
