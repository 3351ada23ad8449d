"""Policies of the data as a whole, and the order of policies."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankconv.aggregation.special_case import POLICIES, Situation, decisive, may_cost
from rankconv.basics.registries import Ordered
from rankconv.conventions.convention import Context, Convention, Registry, Setting
from rankconv.conventions.data_parts import DataPart, parts_read
from rankconv.conventions.parameters import InOrder
from rankconv.data.arrays import ExactSum, Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.preparation.facts import OnData

DATA_POLICY = Convention("data-policy", "Policy of such data as a whole", is_table=True, closed=True)
"""The settings of the situations of a whole data set."""


@DATA_POLICY.setting("as-computed", rule="what the formula gives", by_formula=True)
def _() -> None:
    """Nothing special."""


@DATA_POLICY.setting("nan", rule="NaN", says="the mean is NaN")
def _() -> None:
    """The mean is NaN, whatever the users have."""


@DATA_POLICY.setting(
    "refuse-all", rule="the whole input is refused", refuses="everybody", says="the whole evaluation fails"
)
def _() -> None:
    """The system gives no number at all."""


@DATA_POLICY.number(rule="this number, for every user", says="every user and the mean count as {value}")
def _(value: float) -> float:
    """The policy is for the data as a whole, not for single users."""
    return value


DATA_POLICY.also(zero="0")


class WholeData(NamedTuple):
    """What is known of a whole data set before anything is prepared."""

    users: int
    label_rows: int

    @classmethod
    def of(cls, joined: Joined) -> "WholeData":
        """The users of labels and rankings, and the rows of labels."""
        return cls(len(joined.users), int(joined.label_counts.sum()))


class DataPolicy(NamedTuple):
    """A convention about the data set as a whole, and whether it is so."""

    convention: Convention
    what: str
    """The situation: "no user has a label"."""
    holds: Callable[[WholeData], bool]


DATA_POLICIES: dict[str, DataPolicy] = {}
"""Checked before any user is scored."""


def data_policy(
    name: str, what: str, neutral: str | None = None
) -> Callable[[Callable[[WholeData], bool]], Callable[[WholeData], bool]]:
    """Decorator: this function says whether the situation holds."""

    def register(function: Callable[[WholeData], bool]) -> Callable[[WholeData], bool]:
        tells, module = f"data in which {what}", function.__module__
        convention = decisive(name, f"Data in which {what}", DATA_POLICY, tells, neutral, module)
        DATA_POLICIES[name] = DataPolicy(convention, what, function)
        return function

    return register


@data_policy("on-no-labels-at-all", "no user has a label")
def _(data: WholeData) -> bool:
    return not data.label_rows


UserFunction = Callable[[Situation], NDArray[Any]]
"""What each user of a prepared block adds, shape (users,): a number, or whether something holds for them."""
CaseCondition = Callable[[float, int], bool]
"""Whether it is so, by the sum over all users who are looked at, and how many these are."""


def nobody(total: float, users: int) -> bool:
    """Whether it holds for none of the users, or their numbers add up to 0."""
    return total == 0


class PreparedDataPolicy(NamedTuple):
    """A convention about all prepared lists together."""

    convention: Convention
    what: str
    """The situation: "no user has a hit"."""
    of_users: UserFunction
    when: CaseCondition = nobody
    at_cutoff: bool = False
    """Whether it is about the cutoff, so that it never holds without one."""
    reads_deep: bool = False
    """Whether it looks at rows below the cutoff, which few metrics do."""
    by_order: bool = False
    """Whether it depends on the order of lists."""
    reads_data: tuple[DataPart, ...] | None = None
    """What it reads of labels and run, besides relevance and ranks; a plugin's without it, all."""

    @property
    def data_read(self) -> frozenset[DataPart]:
        """The parts of labels and run that it reads."""
        return parts_read(self.of_users.__module__, self.reads_data, (), {})

    def may_fall(self, setting: Setting) -> bool:
        """Whether all may lose by a better order of lists, because of what such data count as."""
        return may_cost(setting, self.by_order)


PREPARED_DATA_POLICIES = Ordered[PreparedDataPolicy]("policy for the data as a whole")
"""Checked after the data of all users were prepared, in this order."""


class PreparedTotals:
    """What the prepared lists of the users who are looked at add up to, for the policies that are requested."""

    def __init__(self, names: Iterable[str], k: int | None) -> None:
        """`k` is the metric's cutoff."""
        self.sums = {name: ExactSum() for name in names if k is not None or not PREPARED_DATA_POLICIES[name].at_cutoff}
        self.users = 0
        """How many users were looked at."""

    def add(self, situation: Situation, inside: Mask) -> None:
        """Add the users of a prepared block who are in the population, `inside`, shape (users,)."""
        self.add_values({name: values[inside] for name, values in self.values(situation).items()}, int(inside.sum()))

    def values(self, situation: Situation) -> dict[str, Numbers]:
        """What each user of a prepared block adds for each policy, shape (users,)."""
        return {name: np.asarray(PREPARED_DATA_POLICIES[name].of_users(situation), np.float64) for name in self.sums}

    def add_values(self, values: Mapping[str, Numbers], users: int) -> None:
        """Add so many users who have these values."""
        self.users += users
        for name, summed in self.sums.items():
            summed.add(values[name])

    def include(self, other: "PreparedTotals") -> None:
        """Add what another batch of users came to."""
        self.users += other.users
        for name, summed in self.sums.items():
            summed.include(other.sums[name])

    @property
    def holding(self) -> set[str]:
        """The policies, of those requested, whose situation the data are in."""
        return {name for name in self.sums if self.holds(name)}

    def holds(self, name: str) -> bool:
        """Whether the data are in the situation that this policy, one of those requested, names."""
        return name in self.sums and bool(PREPARED_DATA_POLICIES[name].when(self.sums[name].nearest, self.users))


def prepared_data_policy(
    name: str,
    what: str,
    *,
    when: CaseCondition = nobody,
    after: str = "",
    neutral: str | None = None,
    reads_data: tuple[DataPart, ...] | None = None,
    **more: bool,
) -> Callable[[UserFunction], UserFunction]:
    """Decorator: of what this function gives for each user, shape (users,), the sum says whether the situation holds.

    It holds where the sum is 0, unless `when` says otherwise.
    """

    def register(function: UserFunction) -> UserFunction:
        tells, module = f"data in which {what}", function.__module__
        convention = decisive(name, f"Data in which {what}", DATA_POLICY, tells, neutral, module)
        made = PreparedDataPolicy(convention, what, function, when, reads_data=reads_data, **more)
        PREPARED_DATA_POLICIES.put(name, made, after)
        Registry.changed()
        return function

    return register


def data_case(
    name: str,
    what: str,
    *,
    when: CaseCondition = nobody,
    after: str = "",
    reads_data: tuple[DataPart, ...] | None = None,
) -> Callable[[UserFunction], UserFunction]:
    """Register a policy of the data as a whole: decorator of a function that finds the situation.

    The function takes a `plugin.Situation`, one metric on a block of users, and returns what each user adds to a sum, a
    number or bool, shape (users,). The convention has the settings of all such policies (`as-computed`, `nan`,
    `refuse-all`, a number); presets without it have `as-computed`. The first policy that applies with another setting
    decides, where no user is refused and the scope is not global.

    Parameters
    ----------
    name : str
        The convention.
    what : str
        The end of the phrase "data in which …".
    when : callable, optional
        Whether the situation holds, by the sum and the number of users; by default if the sum is 0.
    after : str, optional
        The policy that this one follows; by default it comes last.
    reads_data : tuple of str, optional
        What the function reads besides relevance and ranks, as in `plugin.special_case`. Without it, all.

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
    >>> @plugin.data_case("single-list", "only one list has more than one row", when=lambda lists, users: lists == 1)
    ... def _(situation):
    ...     return situation.block.lengths > 1
    >>> labels, run = {"u": ["a"], "v": ["b"]}, {"u": ["a", "x"], "v": ["b"]}
    >>> dict(rc.evaluate(labels, run, ["recall", "recall(single-list=0.25)"]))
    {'recall': 1.0, 'recall(single-list=0.25)': 0.25}
    """
    if after:
        PREPARED_DATA_POLICIES.check_known(after)
    more: dict[str, Any] = {"reads_deep": True, "by_order": True, "reads_data": reads_data}
    return prepared_data_policy(name, what, when=when, after=after, neutral="as-computed", **more)


@prepared_data_policy("on-no-rows-at-all", "no prepared list has a row")
def _(s: Situation) -> Mask:
    return s.block.lengths > 0


POLICY_ORDER = Convention(
    "policy-order",
    "Order of the policies of a user",
    reads=("cases",),
    tells="a user with two policies that apply",
)
"""A setting gives the names of all policies for users in the order in which they apply; it reads the usual one."""


@POLICY_ORDER.setting("default", rule="as they are listed", no="")
def _(cases: Sequence[str]) -> Sequence[str]:
    """What the system does not take comes first, then lists, then labels, hits, and what the formula gave."""
    return cases


@POLICY_ORDER.setting(
    "in-order",
    rule="those named in this order, in the places that they have together; the others keep theirs",
    says="policies of a user apply {value}",
)
def _(cases: Sequence[str], *named: Annotated[str, InOrder(POLICIES, least=2)]) -> Sequence[str]:
    """As where a system looks at the labels before it looks at the list."""
    left = iter(named)
    return [next(left) if case in named else case for case in cases]


@POLICY_ORDER.idle("")
def _(context: Context) -> bool:
    return len(policies_in_order(context.settings)) < 2


def policies_in_order(settings: Mapping[str, Setting]) -> list[str]:
    """The policies for users under which these do not use the formula, in the order in which they apply."""
    cases = list(POLICIES)
    ordered = settings[POLICY_ORDER.name](cases=cases) if POLICY_ORDER.name in settings else cases
    return [case for case in ordered if case in settings and not settings[case].traits.by_formula]


@POLICY_ORDER.equivalent
def _(ours: OnData, other: OnData) -> bool:
    """Nobody has one policy here, and there another that comes after it here and before it there."""
    before, after = policies_in_order(ours.settings), policies_in_order(other.settings)
    turned = (pair for pair in combinations(before, 2) if _comes_after(*pair, after))
    return not any(ours.decides(first) and other.decides(second) for first, second in turned)


def _comes_after(one: str, another: str, cases: Sequence[str]) -> bool:
    return one in cases and another in cases and cases.index(one) > cases.index(another)


def settled(settings: Mapping[str, str]) -> dict[str, str]:
    """These settings, with the order of policies in one spelling for all that order those that decide equally.

    Without it where they apply in the usual order.
    """
    fields = {case: POLICIES[case].convention(settings[case]) for case in POLICIES if case in settings}
    usual = policies_in_order(fields)
    ordered = policies_in_order(fields | {POLICY_ORDER.name: POLICY_ORDER(settings[POLICY_ORDER.name])})
    moved = [case for case, other in zip(ordered, usual, strict=True) if case != other]
    others = {name: setting for name, setting in settings.items() if name != POLICY_ORDER.name}
    return others | ({POLICY_ORDER.name: f"in-order({', '.join(moved)})"} if moved else {})
