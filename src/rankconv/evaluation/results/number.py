"""One number of an evaluation: the mean over users, with their values, its definition and signature."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from yaml.representer import Representer, SafeRepresenter

from rankconv.basics.escaping import markdown
from rankconv.data.arrays import Numbers
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.statistics import DRAWS, How
from rankconv.presets.definition import Definition

if TYPE_CHECKING:
    from rankconv.data.clusters import Cluster
    from rankconv.evaluation.results.circumstances import SignedData
    from rankconv.evaluation.statistics.intervals import Interval


def states_in_words(measured: Measured) -> NDArray[Any]:
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
    _signed: "SignedData | str | None"

    def __new__(cls, measured: Measured, users: NDArray[Any], signed: "SignedData | str | None" = None) -> "Number":
        """The mean of what was measured over these users, shape (users,).

        `signed` is the data, or the signature as it was; None where no digests are made.
        """
        made = super().__new__(cls, measured.mean)
        made.measured, made.users, made._signed = measured, users, signed
        return made

    @property
    def signature(self) -> str:
        """The definition, the users counted, digests of labels and run, preset and version, as one line.

        `rc.metric(signature)` is the definition again. Numbers with one signature are equal to the bit, on one machine
        and version of NumPy; between machines to 1e-12. Equal data have equal digests from any format and in any order
        that the definition does not read. `not-read` and `not-made` are said of data that were not read whole, and
        where no digests were wanted; they agree with nothing. If users were listed (`users=`), `filter` is a digest of
        these.

        >>> import rankconv as rc
        >>> number = rc.metric("mrr@3")({"ada": {"a": 1}}, {"ada": ["x", "a"]})
        >>> number.signature.partition("||")[2].split("|")[:3]
        ['users:1', 'labels:a7efa55ca45b', 'grades:47ccd579e195']
        """
        return stated_signature(self.measured, self._signed)

    @property
    def definition(self) -> Definition:
        """Which definition gave it."""
        return self.measured.definition

    @property
    def per_user(self) -> Numbers:
        """The value of each user, shape (users,); NaN where they are outside or skipped, or `nan-as` says so.

        Raises MetricError where values were not kept (`per_user=False`).
        """
        return self.measured.shown

    @property
    def state(self) -> NDArray[Any]:
        """What became of each user, shape (users,): `scored`, `outside`, or a policy and its setting."""
        return states_in_words(self.measured)

    @property
    def counts(self) -> dict[str, int]:
        """How many users were scored, given a value by which policy, left outside."""
        return self.measured.counts

    def interval(
        self,
        confidence_level: float = 0.95,
        how: How | str | None = None,
        *,
        n_resamples: int = DRAWS,
        seed: int = 0,
        cluster: "Cluster | None" = None,
        second: "Number | None" = None,
    ) -> "Interval":
        """Compute a confidence interval over users.

        Without `how`, a plain mean has Student's t interval (`t`); of fewer than 50 users, or where most have one
        value, the `score` interval, and `exact` where all values are 0 or 1: these cover better there. For all else
        (ratio of sums, means of parts, geometric means, medians, lists pooled) users are drawn with replacement
        `n_resamples` times and the whole number is computed anew: `bca`, or `percentile` for a median. Users who count
        are drawn, and no others; their order does not matter. No end is outside the range of the metric. What ties may
        move is no matter of users: `rc.leaderboard` shows both. `cluster` names what is drawn whole where several ids
        are of one person, as for `rc.test`. MetricError where there is no interval: fewer than two users, all equal, a
        least or greatest value, one number of all lists. After saving or pickling, means that are made of more than the
        values of users have none: it must be computed before.

        With a `second` number, of the same run under the labels of a model for these users and more, the interval is
        prediction-powered (a `PoweredInterval`, with its own estimate): `how` is `ppi`, or with settings
        `ppi(weight=plain)`. Its `note` says where the second labels add nothing, its `why` where there is none.

        >>> import rankconv as rc
        >>> found = rc.metric("mrr")({user: ["a"] for user in "uvw"}, {"u": ["a"], "v": ["x", "a"], "w": ["x", "a"]})
        >>> interval = found.interval()
        >>> round(interval.low, 3), round(interval.high, 3), interval.how
        (0.14, 0.961, 'score')
        """
        if second is not None:
            from rankconv.evaluation.results.second_labels import LabelledNumber, powered

            own, other = (LabelledNumber(one.measured, one.users, one.signature) for one in (self, second))
            return powered(own, other, confidence_level, how, clusters=cluster is not None)
        from rankconv.data.clusters import clusters_of
        from rankconv.engine.aggregate import with_values
        from rankconv.evaluation.results.result_intervals import interval_or_error

        measured = with_values(self.measured, self.users)
        clusters = None if cluster is None else clusters_of(self.users, cluster)
        return interval_or_error(measured, confidence_level, how, draws=n_resamples, seed=seed, clusters=clusters)

    def _repr_markdown_(self) -> str:
        counts = ", ".join(f"{name}: {count}" for name, count in self.counts.items())
        note = f"; {markdown(self.measured.note)}" if self.measured.note else ""
        return f"{float(self):.6g} ({markdown(self.definition.text)}; {markdown(counts)}{note})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Number, (self.measured, self.users, self.signature)


def stated_signature(measured: Measured, signed: "SignedData | str | None") -> str:
    """The signature of a number, as it was or of these data."""
    from rankconv.evaluation.results.circumstances import UNSIGNED, signature_of

    return signed if isinstance(signed, str) else signature_of(measured, signed or UNSIGNED)


for _representer in (SafeRepresenter, Representer):  # PyYAML writes floats, and no subclass of them
    _representer.add_representer(Number, lambda dumper, number: dumper.represent_float(float(number)))
