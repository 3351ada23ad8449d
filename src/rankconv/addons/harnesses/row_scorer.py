"""`rc.scorer`: a definition as a function of one row, as harnesses call it, and the number of all rows together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from rankconv.addons.harnesses.row_sides import Place, RowSides
from rankconv.basics.errors import InputError, MetricError
from rankconv.data.inputs.columns import of_side
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import aggregated
from rankconv.engine.needs import unmet
from rankconv.engine.user_sums import check_summable
from rankconv.evaluation.notes import input_notes
from rankconv.evaluation.results.result import Errors, Result
from rankconv.evaluation.streaming.evaluator import Evaluator
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset

_OF_ALL_USERS = ("catalogue", "train", "features")
"""What metrics need that no row has."""
_ABSENT: Any = object()


def scorer(
    metric: str | Definition,
    *,
    preset: str | Preset | None = None,
    output: Place = None,
    expected: Place = None,
    columns: Mapping[str, Any] | None = None,
) -> "RowScorer":
    """Return a function of one row, for harnesses that score a row at a time.

    Parameters
    ----------
    metric : str or Definition
        As in `rc.evaluate`, at one cutoff.
    preset : str, path or Preset, optional
        As in `rc.metric`.
    output, expected : str or callable, optional
        Where a row has its ranking and its labels: the name of a key (`"response.documents"`, or
        `"response.documents.id"` of documents with several ids), or a function of the row. By default they are found
        by the names of keys, as `rc.Run` and `rc.Labels` find them in records.
    columns : mapping, optional
        Names of other keys, as `columns=` of `rc.evaluate`: `{"user": "qid", "labels.grade": "gold.grade"}`.

    Returns
    -------
    RowScorer
        A function of a row: a record, or a model or dataclass with the same fields. `score(output=…, expected=…)` takes
        both sides themselves. It returns the value of this user, as `Result.per_user` has it: NaN where the definition
        leaves the user out of the mean. It raises InputError and MetricError where `rc.evaluate` does for a user.

    Raises
    ------
    ConventionError
        As in `rc.metric`.
    MetricError
        As in `rc.metric`, and for a metric that needs more than the row of one user.
    InputError
        If `columns` has a name that is not the role of a column.

    See Also
    --------
    scoring : The function that scikit-learn takes.

    Notes
    -----
    The mean of these floats is another number where a policy, a weight or another mean than the arithmetic one counts.
    `score.collector()` is a scorer that keeps its rows, and computes what `rc.evaluate` gives for all of them.

    Examples
    --------
    >>> import rankconv as rc
    >>> score = rc.scorer("ndcg@10", preset="mllib")
    >>> round(score({"query": "why?", "gold_ids": ["a", "b"], "retrieved_ids": ["x", "a", "b"]}), 4)
    0.6934
    >>> score(output=[{"id": "a", "score": 0.9}, {"id": "x", "score": 0.1}], expected=["a"])
    1.0
    >>> rc.scorer("recall@2", output="response.hits", expected=lambda row: row["gold"].split())(
    ...     {"gold": "a b", "response": {"hits": [{"id": "a"}, {"id": "x"}, {"id": "b"}]}}
    ... )
    0.5
    """
    definition = arguments.metric(metric, preset)
    lacking = [need for need in _OF_ALL_USERS if need in definition.needs]
    do = "Evaluate all users at once: rc.evaluate(labels, run, …)."
    if lacking:
        raise MetricError(f"it needs {' and '.join(lacking)}, which no row has", where=definition.text, do=do)
    if definition.metric.of_all_lists:
        raise MetricError("it is one number of all lists, and no row has a value", where=definition.text, do=do)
    try:
        check_summable({definition.text: definition}, labelled=False)
    except MetricError as error:
        raise MetricError(error.wrong, where=error.where, do=do) from None
    for name, place in (("output", output), ("expected", expected)):
        if not (place is None or callable(place) or (isinstance(place, str) and place)):
            raise MetricError(f"{name}={place!r:.60} is neither the name of a key nor a function of a row")
    if columns is not None and not (isinstance(columns, Mapping) and all(isinstance(one, str) for one in columns)):
        raise InputError(f"columns={columns!r:.60} is not a mapping of roles", allowed="It is {'user': 'qid'}, by role")
    named = dict(columns or {})
    of_side(named, "run")
    return RowScorer(definition, RowSides(output, expected, named))


@dataclass(frozen=True, eq=False)
class RowScorer:
    """A definition as a function of one row; what `rc.scorer` returns."""

    definition: Definition
    places: RowSides = field(repr=False)
    """Where a row has its ranking and its labels."""
    _notes: dict[str, None] = field(default_factory=dict, init=False, repr=False)

    @property
    def __name__(self) -> str:
        """The metric, by which harnesses call a function."""
        return self.definition.spec

    @property
    def fingerprint(self) -> str:
        """The name of the definition, 16 hexadecimal digits."""
        return self.definition.fingerprint

    @property
    def signature(self) -> str:
        """One line with all conventions, to be stored with the values."""
        return self.definition.signature

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed of the rows so far, as `Result.notes` has it."""
        return tuple(self._notes)

    def __call__(self, row: Any = _ABSENT, /, *others: Any, output: Any = _ABSENT, expected: Any = _ABSENT) -> float:
        """Return the value of a row, or of its two sides."""
        return self._value(self._joined(row, others, output, expected, 0))

    def collector(self) -> "RowCollector":
        """Return a scorer that keeps what it is given, and computes the number of all rows."""
        return RowCollector(self)

    def _joined(self, row: Any, others: tuple[Any, ...], output: Any, expected: Any, user: Any) -> Joined:
        if others:
            wrong = f"{len(others) + 1} values were passed, and a row is one"
            do = "Pass a row, or score(output=…, expected=…). For scikit-learn use rc.scoring."
            raise InputError(wrong, do=do)
        if row is not _ABSENT:
            if output is not _ABSENT or expected is not _ABSENT:
                raise InputError("a row was passed, and a side of it too", do="Pass score(output=…, expected=…) alone.")
            return self.places.of_row(row, user)
        if output is _ABSENT or expected is _ABSENT:
            raise InputError("a side is missing", do="Pass a row, or score(output=…, expected=…).")
        return self.places.of_values(output, expected, user)

    def _value(self, joined: Joined) -> float:
        """The value of the one user of these data; the error where the definition refuses this user."""
        if (refusal := unmet(joined, self.definition)) is not None:
            raise refusal.error
        [found] = aggregated(joined, [self.definition], per_user=True)
        for first, *others in filter(None, [found.user_refusals()]):
            raise first.error_with(others)
        self._notes.update(dict.fromkeys(input_notes(joined, [self.definition])))
        return float(found.of_each[0][0])


class RowCollector:
    """A scorer that keeps its rows; what `RowScorer.collector` returns.

    Rows are users by the id or the text of their query, else by number in the order in which they come. Several threads
    may use one collector.

    Examples
    --------
    >>> import rankconv as rc
    >>> kept = rc.scorer("map@3", preset="trec_eval").collector()
    >>> kept({"query": "q1", "gold_ids": ["a"], "retrieved_ids": ["x", "a"]})
    0.5
    >>> kept({"query": "q2", "gold_ids": [], "retrieved_ids": ["x"]})
    nan
    >>> kept.compute()["map@3"]
    0.5
    """

    def __init__(self, scorer: RowScorer) -> None:
        self.scorer = scorer
        self._one_at_a_time = RLock()
        self._rows = Evaluator(scorer.definition)
        self._users = set[Any]()

    def __getstate__(self) -> dict[str, Any]:
        with self._one_at_a_time:
            return {"scorer": self.scorer, "_rows": self._rows, "_users": self._users}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _one_at_a_time=RLock())

    @property
    def __name__(self) -> str:
        """The metric, by which harnesses call a function."""
        return self.scorer.__name__

    @property
    def size(self) -> int:
        """The number of rows so far."""
        return self._rows.size

    def __call__(self, row: Any = _ABSENT, /, *others: Any, output: Any = _ABSENT, expected: Any = _ABSENT) -> float:
        """Return the value of a row, or of its two sides, and keep it for `compute`."""
        with self._one_at_a_time:
            named = None if row is _ABSENT else self.scorer.places.user(row)
            user = self.size if named is None else named
            joined = self.scorer._joined(row, others, output, expected, user)
            if user in self._users:
                do = "Name a key that differs from row to row, columns={'user': 'KEY'}, or forget the rows: reset()."
                raise InputError(f"two rows are of the query {user!r:.60}", do=do)
            self._rows.update(joined)  # also a row that is refused: all rows together are refused with it
            self._users.add(user)
            return self.scorer._value(joined)

    def compute(self, on_error: Errors = "raise") -> Result:
        """Compute the metric over all rows so far, as one `rc.evaluate` of them does; more may follow."""
        return self._rows.compute(on_error)

    def reset(self) -> None:
        """Forget all rows."""
        self._rows.reset()
        self._users.clear()
