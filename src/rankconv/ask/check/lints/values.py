"""Numbers that leave their range."""

from collections.abc import Iterable

import numpy as np

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import Found, of_users
from rankconv.ask.check.lint import Lint, Other
from rankconv.data.arrays import Mask
from rankconv.engine.measured import Measured
from rankconv.presets.definition import Definition


class AboveOne(Lint):
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
    answers = ({"above-one": "1"},)

    def find(self, data: Data) -> Found | None:
        """Users with such a value under any of the presets."""
        above = {place: above_one(one) for place, one in data.measured.items()}
        anybody = np.logical_or.reduce([np.zeros(len(data.joined.users), bool), *above.values()])

        def tell(user: int) -> str:
            preset, metric = next(place for place, users in above.items() if users[user])
            return f"{metric} is {data.measured[preset, metric].values[user]:.4g} under {preset}"

        return of_users(data.joined, anybody, data.labelled | data.listed, tell)

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The value 1 in its place."""
        return super().others(data, definition) if definition.metric.range == (0, 1) else []


def above_one(one: Measured) -> Mask:
    """Users with a value above 1, beyond a rounding error, shape (users,)."""
    if one.definition.metric.range != (0, 1):
        return np.zeros(len(one.values), bool)
    with np.errstate(invalid="ignore"):
        return np.asarray(one.values > 1 + 1e-9)
