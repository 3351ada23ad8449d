"""Users who cannot be scored like the others."""

from collections.abc import Iterable

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import Found, of_users
from rankconv.ask.check.lint import Lint, Other
from rankconv.ask.check.listed import users_with
from rankconv.presets.definition import Definition


class UsersWithoutList(Lint):
    """Users of the labels to whom the run returns nothing."""

    name = "users-without-list"
    title = "users with labels and no list"
    unit = "users with labels"
    means = "The run returned nothing to them; some systems count them 0, others leave them out of the mean."
    do = "Say which you mean; two runs that leave out different users cannot be compared otherwise."
    otherwise = "counting them 0 or leaving them out"

    def find(self, data: Data) -> Found | None:
        """Users with a label row and no ranked row."""
        return of_users(data.joined, data.labelled & ~data.listed, data.labelled)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"both": "with-labels", "with-ranking": "either"}
        users = definition.averaging.given("users")
        counted = {"users": within.get(users, users), "missing": "0"}
        return [Other(counted), Other({**counted, "missing": "skip"})]


class UsersWithoutLabels(Lint):
    """Users of the run for whom there is no label."""

    name = "users-without-labels"
    title = "users with a list and no labels"
    unit = "users with a list"
    means = "Nothing is known about them; most systems leave them out, some count them 0."
    do = "Nothing, if they were not to be judged; else look for their labels."
    otherwise = "counting them 0 or leaving them out"
    at_evaluate = False

    def find(self, data: Data) -> Found | None:
        """Users with a ranked row and no label row."""
        return of_users(data.joined, data.listed & ~data.labelled, data.listed)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; nobody else comes in or goes."""
        within = {"both": "with-ranking", "with-labels": "either"}
        without = {"either": "with-labels", "with-ranking": "both"}
        averaging = definition.averaging
        users, asked = averaging.given("users"), averaging.asked(["nothing-judged"])
        counted = {"users": within.get(users, users), **dict.fromkeys([*asked, "no-labels"], "0")}
        return [Other(counted), Other({"users": without.get(users, users)})]


class NoRelevant(Lint):
    """Users all of whose labels say "not relevant"."""

    name = "no-relevant"
    title = "users without a relevant label"
    unit = "users with labels"
    means = "No list can please them; systems leave them out, or count them 0, 1 or NaN."
    do = "Say which you mean, and print how many they are beside the mean."
    otherwise = "counting them 0 or leaving them out"

    def find(self, data: Data) -> Found | None:
        """Users with label rows, of which none has a grade above 0."""
        if (data.grades > 0).all():
            return None
        grade = data.joined.labels.grade
        pleased = users_with(grade > 0, data.label_user, data.joined)
        return of_users(data.joined, data.labelled & ~pleased, data.labelled)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """Counted 0, or left out; users without any label stay as they are, where that can be said."""
        averaging = definition.averaging
        as_before = {} if averaging.asked(["no-labels"]) else {"no-labels": averaging.given("no-relevant")}
        counted = averaging.answers["users"](joined=data.joined)
        if as_before and averaging.answers["no-relevant"].trait("by_formula") and (counted & ~data.labelled).any():
            return []
        return [Other({**as_before, "no-relevant": answer}) for answer in ("0", "skip")]
