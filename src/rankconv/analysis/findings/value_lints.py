"""Data problems that values show: out of range, and ideal lists that differ."""

from collections.abc import Iterable, Mapping

import numpy as np

from rankconv.analysis.findings.data import Data, Place
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen, of_users
from rankconv.data.arrays import Mask, Numbers
from rankconv.engine.batches import values_of
from rankconv.preparation.on_data import OnData
from rankconv.presets.definition import Definition, settings_of
from rankconv.presets.replacement import with_changes


class AboveOne(Lint[Seen]):
    """Values of single users above 1, in a metric that promises 0 to 1."""

    name = "above-one"
    title = "values above 1"
    unit = "users"
    wrong = True
    means = "Under some preset a user has more than 1 in a metric from 0 to 1: mostly, rows or labels are repeated."
    do = (
        "Look at the user with rankconv explain (in Python rc.explain); most often it is duplicates, or an ideal "
        "list of the first k labels."
    )
    otherwise = "counting them 1"
    reads_values = True
    settings = ({"on-above-one": "1"},)

    def look(self, data: Data) -> Seen:
        """Users with such a value under any of the presets."""
        promised = {place for place, one in data.checked_metrics.definitions.items() if one.metric.range == (0, 1)}
        above = {place: _above_one(values) for place, values in data.values.items() if place in promised}
        anybody = np.logical_or.reduce([np.zeros(len(data.joined.users), bool), *above.values()])

        def tell(user: int) -> str:
            preset, metric = next(place for place, users in above.items() if users[user])
            return f"{metric} is {data.values[preset, metric][user]:.4g} under {preset}"

        return Seen(*of_users(data, anybody, data.labelled | data.listed, tell))

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """The value 1 in its place."""
        return super().others(seen, known, definition) if definition.metric.range == (0, 1) else []


def _above_one(values: Numbers) -> Mask:
    """Users with a value above 1, beyond a rounding error, shape (users,), as the values have."""
    with np.errstate(invalid="ignore"):
        return np.asarray(values > 1 + 1e-9)


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
