"""Policies of users: what a special user counts as."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Annotated, Any, NamedTuple

import numpy as np

from rankconv.basics.errors import ConventionError
from rankconv.basics.registries import Ordered
from rankconv.conventions.convention import CONVENTIONS, Context, Convention, Registry, Setting
from rankconv.conventions.data_parts import DataPart, parts_read
from rankconv.conventions.parameters import Above, Within
from rankconv.data.arrays import LARGEST, Mask, Numbers, below, is_zero
from rankconv.metrics.base import Metric, Parts, Ratio
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.facts import undecided
from rankconv.preparation.pipeline import Preparation
from rankconv.preparation.step_registry import may_refuse

POLICY = Convention("policy", "Value of such a user", is_table=True, closed=True)
"""The settings that all policies share. Each returns the number as which such a user counts, if it has one."""


@POLICY.setting("as-computed", rule="what the formula gives", by_formula=True)
def _() -> None:
    """Nothing special; 0/0 is then NaN and makes the mean NaN."""


@POLICY.setting(
    "skip", rule="left out of the mean", skips=True, says="is left out of the mean", became="left out of the mean"
)
def _() -> None:
    """The per-user value is NaN."""


@POLICY.setting(
    "nan", rule="NaN", gives_value=True, says="counts as NaN, and so does the mean", became="counted as NaN"
)
def _() -> None:
    """It makes the mean NaN."""


@POLICY.setting(
    "refuse-user",
    rule="this user is refused",
    refuses="the user",
    says="is refused, and there is then no mean",
    became="refused",
)
def _() -> None:
    """There is no mean; the other users keep their values."""


@POLICY.setting(
    "refuse-all",
    rule="the whole input is refused",
    refuses="everybody",
    says="makes the whole evaluation fail",
    became="refused",
)
def _() -> None:
    """The system gives no number at all."""


@POLICY.setting(
    "numerator",
    rule="the numerator, as if divided by 1",
    gives_value=True,
    cite="rax",
    says="counts as the numerator, undivided",
    undivided=True,
    became="counted as the numerator",
)
def _() -> None:
    """A zero denominator counts as 1."""


@POLICY.setting(
    "numerator-over",
    rule="the numerator, divided by this number",
    gives_value=True,
    cite="torchrec",
    says="counts as the numerator divided by {by}",
    undivided=True,
    became="counted as the numerator over a number",
)
def _(by: Annotated[float, Above(0)]) -> None:
    """A denominator of 0 is replaced by a small number."""


@POLICY.setting(
    "nan-as",
    rule="shown as NaN, counts as this number",
    gives_value=True,
    unshown=True,
    cite="rankereval",
    says="has no value and counts as {number}",
    became="without a value, counted as {number}",
)
def _(number: Annotated[float, Within(-LARGEST, LARGEST)]) -> float:
    """As where values that are missing are replaced in the mean alone."""
    return number


@POLICY.setting(
    "infinite",
    rule="infinite",
    gives_value=True,
    cite="rankereval",
    says="counts as infinite, and so does the mean",
    became="counted as infinite",
)
def _() -> float:
    """As the rank of a first hit that there is not."""
    return inf


@POLICY.number(rule="counts as this number", gives_value=True, says="counts as {value}")
def _(value: float) -> float:
    """It enters the mean like any value."""
    return value


POLICY.also(zero="0")
INVALID_POLICY = Convention("invalid-policy", "Value of a user who is not allowed", is_table=True, closed=True)
"""The settings of the policy of what is refused: those of all policies but the formula, which would refuse nothing."""
INVALID_POLICY.setting_types.update(
    (name, kind) for name, kind in POLICY.setting_types.items() if not kind.traits.by_formula
)
INVALID_POLICY.also(**POLICY.words)


def counts_as(setting: Setting) -> float | None:
    """The number as which users of a policy count under this setting of it; None where it is no number of its own."""
    found: float | None = setting()
    return found


@dataclass(eq=False)
class Situation:
    """One definition on one prepared block: what the policies look at."""

    block: Block
    metric: Metric
    found: Ratio | Parts
    rows_needed: float
    preparation: Preparation
    """That of the definition, which says how other data would be prepared: it may share the block with others that make
    the same of these data."""

    @cached_property
    def ratio(self) -> Ratio:
        """The one ratio per user, combined where there are parts."""
        return self.found.ratio if isinstance(self.found, Parts) else self.found

    @property
    def ratios(self) -> tuple[Ratio, ...]:
        """The ratios before they are combined."""
        return self.found.ratios if isinstance(self.found, Parts) else (self.found,)


class Policy(NamedTuple):
    """A convention about special users, and how to find them."""

    convention: Convention
    who: str
    """What is special: "has no relevant label"."""
    holds: Callable[[Situation], Mask]
    says: str = ""
    """How a paper says it, where `who` is too short."""
    otherwise: str = ""
    """What a paper says of such users where the formula decides; nothing for most."""
    of_preparation: bool = False
    """Whether preparation says of each such user what is wrong."""
    of_ratio: bool = False
    """Whether it looks at the metric's numerator and denominator, and not at the prepared list alone."""
    needs_rows: bool = False
    """Whether it depends on how many rows a list must have."""
    of_undefined: bool = False
    """Whether it is that of 0/0."""
    reads_deep: bool = False
    """Whether it looks deeper into lists than most metrics do."""
    whole_lists: bool = False
    """Whether it looks at rows below the metric's cutoff, which need not be matched without it."""
    by_order: bool = False
    """Whether it depends on the order of a list who they are."""
    reads_data: tuple[DataPart, ...] | None = None
    """What it reads of labels and run, besides relevance and ranks; a plugin's without it, all."""

    @property
    def data_read(self) -> frozenset[DataPart]:
        """The parts of labels and run that it reads."""
        return parts_read(self.holds.__module__, self.reads_data, (), {})

    def may_fall(self, metric: type[Metric], setting: Setting) -> bool:
        """Whether a user may lose by a better order of their list, because of what such users count as."""
        return may_cost(setting, self.by_order, self.of_undefined and metric.keeps("undefined_by_order"))


def may_cost(setting: Setting, by_order: bool, undefined: bool = False) -> bool:
    """Whether a better order of a list may cost something under this setting of the value of some users or data.

    So it may where the order of a list decides who they are, or whose value is `on-zero-division`, unless they count 0.
    """
    decided = by_order and not setting.traits.by_formula
    return (undefined or decided) and counts_as(setting) != 0


POLICIES = Ordered[Policy]("policy for users")
"""In the order in which they apply."""
Finder = Callable[[Situation], Mask]


def decisive(name: str, about: str, table: Convention, tells: str, neutral: str | None, module: str) -> Convention:
    """Make the convention of a policy, whose settings are those of the table; it matters where it decides for some."""
    convention = Convention(name, about, options_of=table, tells=tells, neutral=neutral, module=module)
    convention.equivalent(undecided(name))
    return convention


def policy(
    name: str,
    who: str,
    says: str = "",
    otherwise: str = "",
    *,
    after: str = "",
    neutral: str | None = None,
    reads_data: tuple[DataPart, ...] | None = None,
    table: Convention = POLICY,
    **more: bool,
) -> Callable[[Finder], Finder]:
    """Decorator: this function finds the users of that policy, shape (users,)."""

    def register(function: Finder) -> Finder:
        about = f"Value of a user who {who}"
        convention = decisive(name, about, table, f"a user who {who}", neutral, function.__module__)
        POLICIES.put(name, Policy(convention, who, function, says, otherwise, reads_data=reads_data, **more), after)
        Registry.changed()
        return function

    return register


def special_case(
    name: str, who: str, *, after: str, says: str = "", reads_data: tuple[DataPart, ...] | None = None
) -> Callable[[Finder], Finder]:
    """Register a policy of users: decorator of a function that finds them.

    The function takes a `plugin.Situation`, one metric on a block of users, with `block`, `metric` and `ratio`, and
    returns a mask of shape (users,). The convention has the settings of all policies (`as-computed`, `skip`, `nan`,
    `refuse-user`, a number …); presets without it have `as-computed`. Of the policies that apply to a user, the first
    with another setting decides.

    Parameters
    ----------
    name : str
        The convention.
    who : str
        The end of the phrase "a user who …".
    after : str
        The policy that this one follows.
    says : str, optional
        What a paper says in place of `who`.
    reads_data : tuple of str, optional
        What the function reads besides relevance and ranks, of `grades`, `scores`, `order`, `label-order`,
        `user-order` and others: what signatures must say of the data. Without it, all.

    Returns
    -------
    callable
        The decorator.

    Raises
    ------
    ConventionError
        If the name exists, or `after` is unknown.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> @plugin.special_case("one-label", "has a single label", after="on-no-labels")
    ... def _(situation):
    ...     return situation.block.label_count == 1
    >>> labels, run = {"u": ["a"], "v": ["b", "c"]}, {"u": ["a"], "v": ["b"]}
    >>> dict(rc.evaluate(labels, run, ["recall", "recall(one-label=skip)"]))
    {'recall': 0.75, 'recall(one-label=skip)': 0.5}
    """
    POLICIES.check_known(after)
    more: dict[str, Any] = {"reads_deep": True, "whole_lists": True, "by_order": True, "reads_data": reads_data}
    return policy(name, who, says, after=after, neutral="as-computed", **more)


AND = "-and-"


def join_policies(name: str) -> None:
    """Register the policy of users with several policies that apply, where this is its name.

    `on-empty-ranking-and-on-no-relevant` decides before either of the two. Names are joined in the order in which the
    policies apply; ConventionError for another order.
    """
    parts, single = name.split(AND), [one for one in POLICIES if AND not in one]
    if len(parts) < 2 or not {*parts} <= {*single[1:]}:  # the first is about data that the system does not take
        return
    usual = sorted({*parts}, key=single.index)
    if usual != parts:
        raise ConventionError(f"the policies of '{name}' are not in their order", do=f"Write {AND.join(usual)}")
    joined, place = [POLICIES[part] for part in parts], single[single.index(parts[0]) - 1]

    def holds(situation: Situation) -> Mask:
        return np.asarray(np.logical_and.reduce([one.holds(situation) for one in joined]))

    fields = zip(Policy._fields, zip(*joined, strict=True), strict=True)
    flags: dict[str, Any] = {name: any(values) for name, values in fields if isinstance(values[0], bool)}
    reads: Any = tuple(sorted(frozenset[DataPart]().union(*(one.data_read for one in joined))))
    who = " and ".join(one.who for one in joined)
    policy(name, who, "", "", after=place, neutral="as-computed", reads_data=reads, **flags)(holds)
    same_place = [one for one in POLICIES if one.startswith(parts[0] + AND)]
    key = {one: (-len(one.split(AND)), [*map(single.index, one.split(AND))]) for one in same_place}
    for one in sorted(same_place, key=key.__getitem__, reverse=True):  # so the order is not that of first use
        other = POLICIES[one]
        del POLICIES[one]
        POLICIES.put(one, other, place)


CONVENTIONS.makers.append(join_policies)


ON_INVALID = "on-invalid"


@policy(
    ON_INVALID,
    "has grades, labels or a list that the system does not take",
    of_preparation=True,
    table=INVALID_POLICY,
)
def _(s: Situation) -> Mask:
    reason, refused = s.metric.refusal(s.block), s.block.refused
    return refused if reason is None else refused | (np.bincount(reason.user, minlength=s.block.size) > 0)


@POLICIES[ON_INVALID].convention.idle("")
def _(context: Context) -> bool:
    """Whether no step of preparation refuses anything."""
    return not any(may_refuse(part) for setting in context.settings.values() for part in setting.each)


@policy("on-not-in-labels", "is not named by the labels, not even without a label", neutral="as-computed")
def _(s: Situation) -> Mask:
    return is_zero(s.block.label_count) & (s.block.joined.label_rows_of[s.block.users] < 0)


@policy("on-not-in-run", "is not named by the run, not even with an empty list", neutral="as-computed")
def _(s: Situation) -> Mask:
    return ~s.block.in_rankings & (s.block.joined.list_rows_of[s.block.users] < 0)


@policy("on-no-ranking", "has no ranked row in the input")
def _(s: Situation) -> Mask:
    return ~s.block.in_rankings


@policy("on-nothing-judged", "has no judgment at all")
def _(s: Situation) -> Mask:
    return is_zero(s.block.judged_count)


@policy("on-empty-ranking", "has an empty list after preparation")
def _(s: Situation) -> Mask:
    return is_zero(s.block.lengths)


@policy("on-too-few-rows", "has fewer rows than min-rows asks for", says="has {min-rows}", needs_rows=True)
def _(s: Situation) -> Mask:
    return below(s.block.lengths, s.rows_needed)


MIN_ROWS = Convention(
    "min-rows",
    "Least number of rows of a list, for on-too-few-rows",
    reads=(),
    phrase=True,
    tells="a list of few rows",
)


@MIN_ROWS.number(rule="this number", least=0, says="fewer than {value} rows")
def _(value: float) -> float:
    """0 means that no list is too short."""
    return value


@MIN_ROWS.idle("on-too-few-rows says formula", by="on-too-few-rows")
def _(context: Context) -> bool:
    return not any(
        one.needs_rows and name in context.settings and not context.traits(name).by_formula
        for name, one in POLICIES.items()
    )


MIN_ROWS.equivalent(undecided("on-too-few-rows"))


@policy("on-short-ranking", "has fewer rows than k")
def _(s: Situation) -> Mask:
    return below(s.block.lengths, s.metric.k or 0)


@policy("on-no-labels", "has no label row")
def _(s: Situation) -> Mask:
    return is_zero(s.block.label_count)


@policy("on-no-relevant", "has no relevant label")
def _(s: Situation) -> Mask:
    return is_zero(s.block.relevant_count)


@policy("on-several-relevant", "has more than one relevant label", neutral="as-computed")
def _(s: Situation) -> Mask:
    return np.asarray(s.block.relevant_count > 1)


@policy("on-no-non-relevant", "has no label that is not relevant")
def _(s: Situation) -> Mask:
    return is_zero(s.block.non_relevant_count)


@policy("on-no-hits", "has no hit within k", by_order=True)
def _(s: Situation) -> Mask:
    return is_zero(s.block.hits_so_far.at(s.metric.scope))


@policy("on-negative-denominator", "has a denominator below zero", of_ratio=True)
def _(s: Situation) -> Mask:
    return below(s.ratio.denominator, 0)


@policy("on-nonzero-over-zero", "has x/0", says="has a value of x/0", of_ratio=True)
def _(s: Situation) -> Mask:
    zero = is_zero(s.ratio.denominator)
    return zero & ~_nothing(s.ratio.numerator) if zero.any() else zero


@policy(
    "on-zero-division",
    "has 0/0",
    says="has a value of 0/0",
    otherwise="a value of 0/0 is NaN, and makes the mean NaN",
    of_ratio=True,
    of_undefined=True,
)
def _(s: Situation) -> Mask:
    zero = is_zero(s.ratio.denominator)
    return zero & _nothing(s.ratio.numerator) if zero.any() else zero


def _nothing(numerator: Numbers) -> Mask:
    return is_zero(numerator) | np.isnan(numerator)
