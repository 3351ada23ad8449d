"""A number that a metric gave: a float in every use, which knows what it is the mean of."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from yaml.representer import Representer, SafeRepresenter

from rankconv.data.arrays import Numbers
from rankconv.data.ids import Cluster, clusters_of
from rankconv.engine.metric_result import Measured
from rankconv.escaping import markdown
from rankconv.evaluation.intervals import interval_or_error
from rankconv.presets.definition import Definition
from rankconv.statistics.intervals import DRAWS, How, Interval


def in_words(measured: Measured) -> NDArray[Any]:
    """What became of each user, shape (users,): `scored`, `outside`, or a policy and its setting."""
    return np.array(measured.state_names, object)[measured.states]


class Number(float):
    """A value: the mean over users, with the value of each user and the definition.

    It adds, compares, prints and is saved as the float that it is; NaN where the preset gives no number.

    >>> import rankconv as rc
    >>> found = rc.metric("ndcg@3")({"ada": {"a": 1}, "bob": {"b": 1}}, {"ada": ["a"], "bob": ["x", "b"]})
    >>> round(found, 4), found.per_user.round(4).tolist(), found.users.tolist()
    (0.8155, [1.0, 0.6309], ['ada', 'bob'])
    >>> found.definition
    rc.metric('rankconv:ndcg@3')
    """

    measured: Measured
    users: NDArray[Any]
    """Whose values `per_user` has, in this order."""

    def __new__(cls, measured: Measured, users: NDArray[Any]) -> "Number":
        """The mean of what was measured over these users, shape (users,)."""
        made = super().__new__(cls, measured.mean)
        made.measured, made.users = measured, users
        return made

    @property
    def definition(self) -> Definition:
        """Which definition gave it."""
        return self.measured.definition

    @property
    def per_user(self) -> Numbers:
        """The value of each user, shape (users,); NaN where they are outside or skipped.

        Raises MetricError where values were not kept (`per_user=False`).
        """
        return self.measured.values

    @property
    def state(self) -> NDArray[Any]:
        """What became of each user, shape (users,): `scored`, `outside`, or a policy and its setting."""
        return in_words(self.measured)

    @property
    def counts(self) -> dict[str, int]:
        """How many users were scored, answered by which policy, left outside."""
        return self.measured.counts

    def interval(
        self,
        confidence_level: float = 0.95,
        how: How | None = None,
        *,
        n_resamples: int = DRAWS,
        seed: int = 0,
        cluster: Cluster | None = None,
    ) -> Interval:
        """Compute a confidence interval over users.

        Without `how`, a plain mean has Student's t interval (`t`); of fewer than 50 users, or where most have one
        value, the `score` interval, and `mid-p` where all values are 0 or 1: these cover better there. For all else
        (ratio of sums, means of parts, geometric means, medians, lists pooled) users are drawn with replacement
        `n_resamples` times and the whole number is computed anew: `bca`, or `percentile` for a median. Users who count
        are drawn, and no others; their order does not matter. No end is outside the range of the metric. What ties may
        move is no matter of users: `rc.leaderboard` shows both. `cluster` names what is drawn whole where several ids
        are of one person, as for `rc.test`. MetricError where there is no interval: fewer than two users, all equal, a
        least or greatest value, one number of all lists, a number that was pickled.

        >>> import rankconv as rc
        >>> found = rc.metric("mrr")({user: ["a"] for user in "uvw"}, {"u": ["a"], "v": ["x", "a"], "w": ["x", "a"]})
        >>> interval = found.interval()
        >>> round(interval.low, 3), round(interval.high, 3), interval.how
        (0.14, 0.961, 'score')
        """
        clusters = None if cluster is None else clusters_of(self.users, cluster)
        return interval_or_error(self.measured, confidence_level, how, draws=n_resamples, seed=seed, clusters=clusters)

    def _repr_markdown_(self) -> str:
        counts = ", ".join(f"{name}: {count}" for name, count in self.counts.items())
        note = f"; {markdown(self.measured.note)}" if self.measured.note else ""
        return f"{float(self):.6g} ({markdown(self.definition.text)}; {markdown(counts)}{note})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Number, (self.measured, self.users)


for _representer in (SafeRepresenter, Representer):  # PyYAML writes floats, and no subclass of them
    _representer.add_representer(Number, lambda dumper, number: dumper.represent_float(float(number)))
