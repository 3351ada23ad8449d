"""Numbers that leave their range."""

from collections.abc import Iterable

import numpy as np

from rankconv.analysis.findings.data import Data
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen, of_users
from rankconv.data.arrays import Mask, Numbers
from rankconv.presets.definition import Definition


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
