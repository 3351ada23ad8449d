"""Data problems that scores and values show: scores that are something else, values out of range, ideal lists."""

from collections.abc import Iterable

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.finding import ScoreTally, Tally
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.presets.definition import Definition

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


class ScoresAreIds(ScoreColumn):
    """Every score is the id of its item or of its user: a column was taken for another."""

    name = "scores-are-ids"
    title = "scores that are ids"
    means = "Every score is the number of its item, or of its user, so the list is ordered by ids."
    do = "Check which column was read as the score: --column score=NAME (in Python score='NAME')."

    def holds(self, tally: ScoreTally, known: Known) -> bool:
        """If no score is another than that of its item, or of its user."""
        return super().holds(tally, known) and not (tally.other_items and tally.other_users)


class AboveOne(Lint[Tally]):
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

    def look(self, data: Data) -> Tally:
        """Count users with such a value, beyond a rounding error, under any of the presets."""
        promised = {place for place, one in data.checked_metrics.definitions.items() if one.metric.range == (0, 1)}
        above = {place: values > 1 + 1e-9 for place, values in data.values.items() if place in promised}
        anybody = np.logical_or.reduce([np.zeros(len(data.joined.users), bool), *above.values()])

        def note(user: int) -> str:
            place = next(place for place, mask in above.items() if mask[user])
            return f"{place[1]} is {data.values[place][user]:.4g} under {place[0]}"

        return Tally(*data.users(anybody, data.labelled | data.listed, note))

    def others(self, tally: Tally, known: Known, definition: Definition) -> Iterable[Other]:
        """The value 1 in its place."""
        return super().others(tally, known, definition) if definition.metric.range == (0, 1) else []
