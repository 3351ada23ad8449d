"""Data problems that scores and values show: scores that are something else, values out of range, ideal lists."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from rankconv.analysis.findings.data import Data, Place
from rankconv.analysis.findings.finding import ScoreTally, Tally
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.data.arrays import Mask
from rankconv.engine.aggregate import aggregated
from rankconv.preparation.facts import OnData
from rankconv.presets.definition import Definition, settings_of, with_changes

ENOUGH_SCORES = 5
"""So many rows are not equal by chance."""


class ScoreColumn(Lint[ScoreTally]):
    """A lint of all scores at once: another column was handed over as the score."""

    unit = "rows of the run"
    wrong = True
    at_evaluate = False

    def look(self, data: Data) -> ScoreTally:
        """Compare all scores with grades and ids, once for all such lints."""
        return data.scores

    def holds(self, tally: ScoreTally, known: Known) -> bool:
        """For all rows or none, where there are enough of them, with different scores."""
        return tally.of >= ENOUGH_SCORES and (tally.scores.values is None or len(tally.scores.values) > 1)


class ScoresAreLabels(ScoreColumn):
    """Every score is the grade of its item, 0 where there is none: the labels were handed over as the scores."""

    name = "scores-are-labels"
    title = "scores that equal the labels"
    means = "Every score is the grade of its item, so the list is ordered by the labels themselves and looks perfect."
    do = "Check which column was read as the score; a model's own scores do not equal the labels."

    def holds(self, tally: ScoreTally, known: Known) -> bool:
        """If no score is another."""
        return super().holds(tally, known) and not tally.other_grades


class ScoresLikeLabels(ScoreColumn):
    """Few different scores, all of them grades that labels have, and ties in most lists: predicted labels, or hits."""

    name = "scores-like-labels"
    title = "scores that look like labels"
    means = "All scores are grades that the labels have too (such as 0 and 1), so most rows are tied with each other."
    do = "Rank by the model's output before a threshold (a probability, a similarity), not by its decision."

    def holds(self, tally: ScoreTally, known: Known) -> bool:
        """If scores are not the labels of their own rows, and at least half of the lists have a tie."""
        scores, grades = tally.scores.values, tally.grades.values
        if scores is None or grades is None or not scores <= grades | {0.0}:
            return False
        return super().holds(tally, known) and tally.other_grades > 0 and 2 * tally.tied >= tally.several


class ScoresAreIds(ScoreColumn):
    """Every score is the id of its item or of its user: a column was taken for another."""

    name = "scores-are-ids"
    title = "scores that are ids"
    means = "Every score is the number of its item, or of its user, so the list is ordered by ids."
    do = "Check which column was read as the score: --column score=NAME (in Python score='NAME')."

    def holds(self, tally: ScoreTally, known: Known) -> bool:
        """If no score is another than that of its item, or of its user."""
        return super().holds(tally, known) and not (tally.other_items and tally.other_users)


def _of_any(data: Data, users: Mapping[Place, Mask], of: Mask, note: Callable[[Place, int], str]) -> Tally:
    """Count the users that have it under any metric; masks have shape (users,)."""
    anybody = np.logical_or.reduce([np.zeros(len(data.joined.users), bool), *users.values()])
    said = lambda user: note(next(place for place, mask in users.items() if mask[user]), user)
    return Tally(*data.users(anybody, of, said))


class AboveOne(Lint[Tally]):
    """Values of single users above 1, in a metric that promises 0 to 1."""

    name = "above-one"
    title = "values above 1"
    unit = "users"
    wrong = True
    means = "Under some preset a user has a value above 1 in a metric from 0 to 1, mostly from repeated rows or labels."
    do = (
        "Inspect the user with rankconv explain (in Python rc.explain); the usual reasons are duplicates and an "
        "ideal list of the first k labels."
    )
    otherwise = "capping them at 1"
    reads_values = True
    settings = ({"on-above-one": "1"},)

    def look(self, data: Data) -> Tally:
        """Count users with such a value, beyond a rounding error, under any of the presets."""
        promised = {place for place, one in data.checked_metrics.definitions.items() if one.metric.range == (0, 1)}
        above = {place: values > 1 + 1e-9 for place, values in data.values.items() if place in promised}
        note = lambda place, user: f"{place[1]} is {data.values[place][user]:.4g} under {place[0]}"
        return _of_any(data, above, data.labelled | data.listed, note)

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """The value 1 in its place."""
        return super().others(tally, known, definition) if definition.metric.range == (0, 1) else []


class UnlabelledInIdeal(Lint[Tally]):
    """Ideal lists of labels alone that go on with losses, where items without a label would be worth more."""

    name = "unlabelled-in-ideal"
    title = "negative gains in an ideal list of labels"
    unit = "users"
    means = "A label has a negative gain, and the ideal list is long enough to hold it or an unlabelled item."
    do = "Use ideal=catalogue where any item may be returned, ideal=all-labels where only labelled ones may be."
    otherwise = "the other ideal list"
    reads_values = True

    def look(self, data: Data) -> Tally:
        """Count users whose value the other ideal list changes, under any of the metrics."""
        definitions = {place: data.checked_metrics.definitions[place] for place in data.values}
        lossy = {place: one for place, one in definitions.items() if _other(one) and _has_a_loss(one, data)}
        changed = {place: with_changes(one, {"ideal": _other(one)}) for place, one in lossy.items()}
        possible = {place: one for place, one in changed.items() if one}
        found = [one.of_each[0] for one in aggregated(data.joined, list(possible.values()), per_user=True)]
        differing = {
            place: (values != data.values[place]) & ~(np.isnan(values) & np.isnan(data.values[place]))
            for place, values in zip(possible, found, strict=True)
        }
        return _of_any(data, differing, data.labelled, lambda place, user: f"in {place[1]}")

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """Unlabelled items in the place of losses, and the other way round."""
        other = _other(definition)
        return [Other({"ideal": other})] if other else []


def _has_a_loss(definition: Definition, data: Data) -> bool:
    return not OnData(settings_of(*definition.parts), data.joined).never_a_loss()


def _other(definition: Definition) -> str:
    """The ideal list that goes on otherwise below the gains; empty where there is none."""
    ideal = definition.metric.settings.get("ideal")
    return "" if ideal is None else str(ideal.trait("other_below_gains", ""))
