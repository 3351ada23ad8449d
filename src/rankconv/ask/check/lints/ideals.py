"""What the ideal list holds."""

from collections.abc import Iterable

import numpy as np

from rankconv.ask.check.data import Data, Places
from rankconv.ask.check.found import Found, of_users
from rankconv.ask.check.lint import Lint, Other
from rankconv.data.arrays import Mask
from rankconv.engine import measure
from rankconv.engine.differences import on_data
from rankconv.presets.definition import Definition
from rankconv.presets.reanswering import answered


class UnlabelledInIdeal(Lint):
    """Ideal lists of labels alone that go on with losses, where items without a label would be worth more."""

    name = "unlabelled-in-ideal"
    title = "losses in an ideal list of labels"
    unit = "users"
    means = "Some label is a loss, and the ideal list is long enough to hold it or, in its place, an unlabelled item."
    do = "Ask with ideal=catalogue where any item may be returned, with ideal=labels where only labelled ones may be."
    otherwise = "the other ideal list"

    def find(self, data: Data) -> Found | None:
        """Users for whom the two lists differ, under any of the metrics."""
        asked = {
            place: one
            for place, one in data.measured.items()
            if _other(one.definition) and not on_data(one, data.joined).never_a_loss()
        }
        differing = _differing(data, asked)
        anybody = np.logical_or.reduce([np.zeros(len(data.joined.users), bool), *differing.values()])

        def tell(user: int) -> str:
            return f"in {next(metric for (_, metric), users in differing.items() if users[user])}"

        return of_users(data.joined, anybody, data.labelled, tell)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """Unlabelled items in the place of losses, and the other way round."""
        other = _other(definition)
        return [Other({"ideal": other})] if other else []


def _differing(data: Data, asked: Places) -> dict[tuple[str, str], Mask]:
    """For each number, by metric and preset, the users whose value the other ideal list changes, shape (users,)."""
    changed = {place: answered(one.definition, {"ideal": _other(one.definition)}) for place, one in asked.items()}
    possible = {place: one for place, one in changed.items() if one}
    found = measure(data.joined, list(possible.values()), None)
    return {
        place: (one.values != asked[place].values) & ~(np.isnan(one.values) & np.isnan(asked[place].values))
        for place, one in zip(possible, found, strict=True)
    }


def _other(definition: Definition) -> str:
    """The ideal list that goes on otherwise below the gains; empty where there is none."""
    ideal = definition.metric.answers.get("ideal")
    return "" if ideal is None else str(ideal.trait("other_below_gains", ""))
