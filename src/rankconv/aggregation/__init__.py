"""Which users count, what a special user counts as, and how users become one number.

May import preparation and what is below it; what is undefined for a user is decided here, never inside a metric.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

import numpy as np

from rankconv.aggregation.data_policies import (
    DATA_POLICIES,
    POLICY_ORDER,
    PREPARED_DATA_POLICIES,
    PreparedTotals,
    policies_in_order,
)
from rankconv.aggregation.means import AGGREGATE, ON_NO_USERS, REPORT, ROUND_MEAN, ROUND_USER
from rankconv.aggregation.special_case import MIN_ROWS, POLICIES, Policy, Situation, may_cost, special_case
from rankconv.conventions.convention import Convention, Registry
from rankconv.conventions.data_parts import DataPart
from rankconv.conventions.parameters import Setting
from rankconv.conventions.setting_set import OpenSettings, until_registered
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.metrics.base import Metric
from rankconv.preparation.facts import OnData

__all__ = [
    "DATA_POLICIES",
    "POLICIES",
    "PREPARED_DATA_POLICIES",
    "Aggregation",
    "Policy",
    "PreparedTotals",
    "Situation",
    "special_case",
]

USERS = Convention(
    "users",
    "Users that are evaluated",
    reads=("joined",),
    noun="population",
    tells="a user who has labels and no list, or a list and no labels",
)
"""A setting gives who is in the population, shape (users,). It is given the data of all users at once, unless it says
`spans_users=False`: then it looks at each user alone, and may be given any part of them."""


@USERS.setting(
    "labelled", rule="users with a label row", spans_users=False, says="all users with a label are evaluated"
)
def _(joined: Joined) -> Mask:
    """Users who were only ranked are outside."""
    return joined.label_counts > 0


@USERS.setting(
    "named-in-labels",
    rule="users that the labels name, also without a label row",
    spans_users=False,
    says="all users that the labels name are evaluated, also those without a label",
)
def _(joined: Joined) -> Mask:
    """As where a system loops over the keys of the truth; users who were only ranked are outside."""
    return joined.label_rows_of >= 0


@USERS.setting(
    "ranked",
    rule="users with a ranked row",
    spans_users=False,
    says="all users with a ranked item are evaluated",
)
def _(joined: Joined) -> Mask:
    """Users who were only labelled are outside."""
    return joined.list_counts > 0


@USERS.setting(
    "intersection",
    rule="users with a label row and a ranked row",
    spans_users=False,
    says="all users with a label and a ranked item are evaluated",
)
def _(joined: Joined) -> Mask:
    """Everyone else is outside."""
    return (joined.label_counts > 0) & (joined.list_counts > 0)


@USERS.setting(
    "union",
    rule="every user of the labels or of the rankings",
    spans_users=False,
    says="all users of the labels or of the rankings are evaluated",
)
def _(joined: Joined) -> Mask:
    """Also a user whose labels and list are both empty, where the input can name one."""
    return joined.label_counts >= 0


@USERS.equivalent
def _(ours: OnData, other: OnData) -> bool:
    ours_are, others_are = (one.settings["users"](joined=one.joined) for one in (ours, other))
    return np.array_equal(ours_are, others_are)


class Aggregation(OpenSettings):
    """The settings of every convention about users and means, and about special users and data."""

    @classmethod
    def conventions(cls) -> Mapping[str, Convention]:
        """The conventions by name, those about special users in the order in which they apply."""
        return _conventions(Registry.generation)

    @cached_property
    def policies(self) -> list[str]:
        """The policies that change the formula's value, in the order in which they apply."""
        return policies_in_order(self.settings)

    @cached_property
    def skips(self) -> list[str]:
        """The policies that leave a user out of the mean."""
        return [name for name in self.policies if self.settings[name].traits.skips]

    @until_registered
    def data_policies(self) -> list[str]:
        """The situations of the data as a whole that change the formula's value, in their order."""
        return self.active_policies(DATA_POLICIES)

    @until_registered
    def prepared_data_policies(self) -> list[str]:
        """The situations of all prepared lists that change the formula's value, in their order."""
        return self.active_policies(PREPARED_DATA_POLICIES)

    @until_registered
    def reads_whole_lists(self) -> bool:
        """Whether some policy, of a user or of all, looks at rows below the metric's cutoff."""
        of_users, of_all = self.policies, self.prepared_data_policies
        return any(
            [POLICIES[name].whole_lists for name in of_users]
            + [PREPARED_DATA_POLICIES[name].reads_deep for name in of_all]
        )

    @until_registered
    def data_read(self) -> frozenset[DataPart]:
        """The parts of labels and run that its policies read."""
        of_users = (POLICIES[name].data_read for name in self.policies)
        of_all = (PREPARED_DATA_POLICIES[name].data_read for name in self.prepared_data_policies)
        return frozenset[DataPart]().union(*of_users, *of_all)

    def goes_by_order(self, metric: Metric) -> bool:
        """Whether an order of a list changes more than a number: who counts, and not as 0, or what a mean divides."""
        if not metric.in_closed_form and not self._takes_mean_of_orders:
            return True
        return any(policy.may_fall(type(metric), setting) for policy, setting in self._of_policies())

    def _of_policies(self) -> Iterator[tuple[Policy, Setting]]:
        """Each policy with its setting, without one that another thread registers meanwhile, which is neutral here."""
        settings = self.settings
        return ((policy, settings[name]) for name, policy in POLICIES.items() if name in settings)

    @until_registered
    def _takes_mean_of_orders(self) -> bool:
        """Whether a user's value may be a mean over orders of their list of which some are 0/0.

        It may where the mean over users reads nothing but values, and 0/0 counts 0.
        """
        undefined = (setting for policy, setting in self._of_policies() if policy.of_undefined)
        inside = {"parts", "ratios", "weights"} & {*self.settings["aggregate"].reads_of_users}
        return not inside and not any(may_cost(setting, by_order=False, undefined=True) for setting in undefined)

    def active_policies(self, policies: Iterable[str]) -> list[str]:
        """Those of the policies that change the formula's value, in their order."""
        settings = self.settings
        return [name for name in policies if not settings[name].traits.by_formula]


@lru_cache(maxsize=1)
def _conventions(generation: int) -> Mapping[str, Convention]:
    policies = [
        policy.convention
        for policies in (POLICIES, DATA_POLICIES, PREPARED_DATA_POLICIES)
        for policy in policies.values()
    ]
    all_conventions = (USERS, AGGREGATE, ON_NO_USERS, REPORT, ROUND_USER, ROUND_MEAN, POLICY_ORDER, MIN_ROWS, *policies)
    return {convention.name: convention for convention in all_conventions}
