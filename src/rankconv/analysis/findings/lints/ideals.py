"""What the ideal list holds."""

from collections.abc import Iterable, Mapping

import numpy as np

from rankconv.analysis.findings.data import Data, Place
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen, of_users
from rankconv.data.arrays import Mask
from rankconv.engine.parts import values_of
from rankconv.preparation.on_data import OnData
from rankconv.presets.definition import Definition, settings_of
from rankconv.presets.replacement import with_changes


class UnlabelledInIdeal(Lint[Seen]):
    """Ideal lists of labels alone that go on with losses, where items without a label would be worth more."""

    name = "unlabelled-in-ideal"
    title = "losses in an ideal list of labels"
    unit = "users"
    means = "Some label is a loss, and the ideal list is long enough to hold it or, in its place, an unlabelled item."
    do = "Use ideal=catalogue where any item may be returned, ideal=all-labels where only labelled ones may be."
    otherwise = "the other ideal list"
    reads_values = True

    def look(self, data: Data) -> Seen:
        """Users whose two lists differ, under any of the metrics."""
        differing = _differing(data)
        anybody = np.logical_or.reduce([np.zeros(len(data.joined.users), bool), *differing.values()])

        def tell(user: int) -> str:
            return f"in {next(metric for (_, metric), users in differing.items() if users[user])}"

        return Seen(*of_users(data, anybody, data.labelled, tell))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """Unlabelled items in the place of losses, and the other way round."""
        other = _other(definition)
        return [Other({"ideal": other})] if other else []


def _differing(data: Data) -> Mapping[Place, Mask]:
    """For each number, by metric and preset, the users whose value the other ideal list changes, shape (users,)."""
    checked_metrics = {place: data.checked_metrics.definitions[place] for place in data.values}
    lossy = {place: one for place, one in checked_metrics.items() if _other(one) and _has_a_loss(one, data)}
    changed = {place: with_changes(one, {"ideal": _other(one)}) for place, one in lossy.items()}
    possible = {place: one for place, one in changed.items() if one}
    found = values_of(data.joined, list(possible.values()))
    return {
        place: (values != data.values[place]) & ~(np.isnan(values) & np.isnan(data.values[place]))
        for place, values in zip(possible, found, strict=True)
    }


def _has_a_loss(definition: Definition, data: Data) -> bool:
    return not OnData(settings_of(*definition.parts), data.joined).never_a_loss()


def _other(definition: Definition) -> str:
    """The ideal list that goes on otherwise below the gains; empty where there is none."""
    ideal = definition.metric.settings.get("ideal")
    return "" if ideal is None else str(ideal.trait("other_below_gains", ""))
