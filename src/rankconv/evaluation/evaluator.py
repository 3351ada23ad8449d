"""Evaluation of a run that comes in batches."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from rankconv.evaluation.accumulate import Accumulator, RepeatedUsers, accumulate
from rankconv.evaluation.partial import Partial
from rankconv.evaluation.result import Errors, Result
from rankconv.presets.defining import Metrics
from rankconv.presets.resolved import Preset


class Evaluator:
    """Evaluate a run that comes in batches of users, as in a training loop.

    Parameters
    ----------
    metrics : MetricLike
        As `rc.evaluate` takes them.
    preset : PresetLike, optional
        The preset of metrics that name none.
    catalogue, train, item_features : optional
        What is known of items and users, as `rc.join` takes it.
    labelled : optional
        The items that any user has a label for, in all batches.
    per_user : bool, default True
        Whether values of users are kept.
    repeated_users : {"checked", "unchecked"}, default "checked"
        Whether ids are kept, so that a user who comes twice is an error. With `"unchecked"` and `per_user=False`
        memory does not grow.

    Raises
    ------
    MetricError
        If a metric needs all users at once and they are not kept, or needs `labelled` and it is not given.

    Examples
    --------
    >>> import rankconv as rc
    >>> evaluator = rc.Evaluator(["ndcg@3", "recall@3"], preset="mllib")
    >>> for truth, returned in [([[1, 2], [3]], [[1, 9], [8, 3]]), ([[4]], [[7, 4, 6]])]:
    ...     evaluator.update(truth, returned)
    >>> evaluator
    Evaluator(mllib, 2 batches, 3 users; ndcg@3, recall@3)
    >>> round(evaluator.compute()["ndcg@3"], 4), evaluator.compute().users.tolist()
    (0.625, [0, 1, 2])
    >>> evaluator.reset()
    >>> evaluator.size
    0
    """

    def __init__(
        self,
        metrics: Metrics,
        preset: str | Preset | None = None,
        *,
        catalogue: Any = None,
        train: Any = None,
        item_features: Any = None,
        labelled: Any = None,
        per_user: bool = True,
        repeated_users: RepeatedUsers = "checked",
    ) -> None:
        self._make = partial(
            accumulate,
            metrics,
            preset,
            catalogue=catalogue,
            train=train,
            item_features=item_features,
            labelled=labelled,
            per_user=per_user,
            repeated_users=repeated_users,
        )
        self._numbers: Accumulator = self._make()

    @property
    def size(self) -> int:
        """The number of users so far."""
        return self._numbers.size

    def update(self, labels: Any, run: Any = None, *, users: Sequence[Any] | None = None, seen: Any = None) -> None:
        """Add all labels and rows of some users.

        Parameters
        ----------
        labels : LabelsLike or Joined
            Labels of these users, or one `rc.join` of labels and run.
        run : RunLike, optional
            Their rankings.
        users : sequence, optional
            Ids of the rows of lists, arrays and tensors; without it they are numbered on from batch to batch.
        seen : optional
            Items of these users that `exclude=seen` takes out.

        Raises
        ------
        InputError
            If the data cannot be read, a user came in an earlier batch, or batches do not fit each other. Nothing of
            such a batch is kept.
        """
        self._numbers.update(labels, run, users=users, seen=seen)

    def merge(self, *others: "Evaluator | Partial") -> None:
        """Add the users of other evaluators of the same metrics.

        Parameters
        ----------
        *others : Evaluator or Partial
            From this process or others. No two may have a user in common.

        Raises
        ------
        MetricError
            If they evaluate other metrics, or only one side keeps ids of users.
        InputError
            If they hold a user of this one, or data that do not fit.
        """
        for other in others:
            self._numbers.merge(other._numbers if isinstance(other, Evaluator) else other)

    def compute(self, on_error: Errors = "raise") -> Result:
        """Compute the metrics over all batches so far; more may follow.

        Parameters
        ----------
        on_error : {"raise", "collect"}, default "raise"
            As in `rc.evaluate`.

        Returns
        -------
        Result
            What one `rc.evaluate` of all batches gives, to the last bit.
        """
        return self._numbers.compute(on_error)

    def partial(self) -> Partial:
        """Return sums and counts that can be sent to another process and merged.

        Raises
        ------
        MetricError
            Unless made with `per_user=False, repeated_users="unchecked"`.
        """
        return self._numbers.partial()

    def reset(self) -> None:
        """Forget all batches."""
        self._numbers = self._make()

    def __repr__(self) -> str:
        return repr(self._numbers).replace(type(self._numbers).__name__, "Evaluator", 1)
