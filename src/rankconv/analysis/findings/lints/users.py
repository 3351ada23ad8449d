"""Users who cannot be scored like the others."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.listed import users_with
from rankconv.analysis.findings.tally import Amounts, Seen, of_users
from rankconv.engine.run import populations
from rankconv.presets.definition import Definition


class UsersWithoutList(Lint[Seen]):
    """Users of the labels without a ranking in the run."""

    name = "users-without-list"
    title = "users with labels and no list"
    unit = "users with labels"
    means = "The run returned nothing to them; some systems count them 0, others leave them out of the mean."
    do = "Say which you mean; two runs that leave out different users cannot be compared otherwise."
    otherwise = "counting them 0 or leaving them out"

    def look(self, data: Data) -> Seen:
        """Users with a label row and no ranked row."""
        return Seen(*of_users(data, data.labelled & ~data.listed, data.labelled))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"intersection": "labelled", "ranked": "union"}
        users = definition.aggregation.given("users")
        counted = {"users": within.get(users, users), "on-no-ranking": "0"}
        return [Other(counted), Other({**counted, "on-no-ranking": "skip"})]


class UsersWithoutLabels(Lint[Seen]):
    """Users of the run without a label."""

    name = "users-without-labels"
    title = "users with a list and no labels"
    unit = "users with a list"
    means = "Nothing is known about them; most systems leave them out, some count them 0."
    do = "Nothing, if they were not to be judged; else look for their labels."
    otherwise = "counting them 0 or leaving them out"
    at_evaluate = False

    def look(self, data: Data) -> Seen:
        """Users with a ranked row and no label row."""
        return Seen(*of_users(data, data.listed & ~data.labelled, data.listed))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"intersection": "ranked", "labelled": "union"}
        without = {"union": "labelled", "ranked": "intersection"}
        aggregation = definition.aggregation
        users, policies = aggregation.given("users"), aggregation.active_policies(["on-nothing-judged"])
        counted = {"users": within.get(users, users), **dict.fromkeys([*policies, "on-no-labels"], "0")}
        return [Other(counted), Other({"users": without.get(users, users)})]


@dataclass(frozen=True)
class Unpleasable(Seen):
    """Users without a relevant label, and those without any who are looked at."""

    unlabelled: Amounts = field(default_factory=Amounts)
    """Users without a label row in the population of each setting to `users`."""


class NoRelevant(Lint[Unpleasable]):
    """Users all of whose labels say "not relevant"."""

    name = "no-relevant"
    title = "users without a relevant label"
    unit = "users with labels"
    means = "No list can please them; systems leave them out, or count them 0, 1 or NaN."
    do = "State which users are counted, and report their number with the mean."
    otherwise = "counting them 0 or leaving them out"

    def look(self, data: Data) -> Unpleasable:
        """Users with label rows, of which none has a grade above 0."""
        looked_at = populations(data.joined, list(data.checked_metrics.definitions.values()), None)
        unlabelled = {users: int(np.count_nonzero(mask & ~data.labelled)) for users, mask in looked_at.items()}
        displeased = np.zeros_like(data.labelled)
        if not (data.grades > 0).all():
            displeased = data.labelled & ~users_with(data.joined.labels.grade > 0, data.label_user, data.joined)
        return Unpleasable(*of_users(data, displeased, data.labelled), Amounts(unlabelled))

    def others(self, seen: Unpleasable, known: Known, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; users without any label stay as they are, where that can be said."""
        aggregation = definition.aggregation
        as_before = (
            {}
            if aggregation.active_policies(["on-no-labels"])
            else {"on-no-labels": aggregation.given("on-no-relevant")}
        )
        unlabelled = seen.unlabelled[aggregation.given("users")]
        if as_before and aggregation.settings["on-no-relevant"].trait("by_formula") and unlabelled:
            return []
        return [Other({**as_before, "on-no-relevant": setting}) for setting in ("0", "skip")]
