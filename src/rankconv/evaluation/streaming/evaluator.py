"""Evaluation of a run that comes in batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import pairwise
from threading import RLock
from typing import Any, Literal, ParamSpec

import numpy as np

from rankconv.aggregation.means import MeanTraits
from rankconv.basics.errors import InputError, MetricError, RespelledIds, warn
from rankconv.data import inputs
from rankconv.data.arrays import Mask
from rankconv.data.ids import Ids, make_ids, quoted
from rankconv.data.inputs.side_data import features as features_of
from rankconv.data.inputs.side_data import items_of
from rankconv.data.inputs.side_data import parents as parents_of
from rankconv.data.inputs.side_data import propensities as propensities_of
from rankconv.data.joined import Joined
from rankconv.data.joined import put_together as join
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.aggregate import Aggregate, aggregated
from rankconv.engine.needs import GradesNeeded
from rankconv.engine.plan import Part
from rankconv.engine.scoring import UserValues
from rankconv.engine.user_sums import check_summable
from rankconv.evaluation.joining import SharedData, with_extra
from rankconv.evaluation.matrices import FirstRowsRead, whole_lists
from rankconv.evaluation.notes import input_notes, respelled
from rankconv.evaluation.results.circumstances import SignedData
from rankconv.evaluation.results.result import Errors, Result, raise_first
from rankconv.evaluation.streaming.batch_rows import BatchRows, WholeChecks
from rankconv.evaluation.streaming.partial import Partial, check_same, nobody, noted
from rankconv.evaluation.streaming.user_parts import PartCallback, PartOfUsers
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

P = ParamSpec("P")
RepeatedUsers = Literal["checked", "unchecked"]
"""Whether ids are kept so that a user who comes twice is an error."""


def known_data(
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
    parents: Any = None,
    propensities: Any = None,
    shown: Any = None,
) -> SharedData:
    """Read side data once for all batches."""
    return {
        "catalogue": catalogue,
        "train": None if train is None else inputs.interactions(train),
        "item_features": None if item_features is None else features_of(item_features),
        "parents": None if parents is None else parents_of(parents),
        "propensities": None if propensities is None else propensities_of(propensities),
        "shown": None if shown is None else inputs.rankings(shown),
    }


def respelled_ids(first: Joined) -> tuple[str, ...]:
    """Warn of ids that do not match in the first batch, as a program spells all its ids in one way."""
    found = respelled(first)
    for said in found:
        warn(said, RespelledIds)
    return tuple(found)


class UserSums:
    """Sums and counts of users who come in batches; nothing of a user is kept."""

    def __init__(
        self,
        preset: str,
        definitions: dict[str, Definition],
        side_data: SharedData,
        labelled: Any = None,
        on_part: PartCallback | None = None,
        *,
        digests: bool = True,
    ) -> None:
        """`side_data` is what `known_data` takes; `labelled` are the items that any user has a label for.

        `on_part` is called with each batch. A MetricError for a definition whose users do not add up.
        """
        self.partial = nobody(preset, definitions, labelled=labelled is not None, digests=digests)
        self._digests = digests
        self._on_part, self.grades = on_part, GradesNeeded(definitions.values())
        self._notes: dict[str, None] = {}
        self._respelled: tuple[str, ...] = ()
        self._labelled = None if labelled is None else items_of(labelled, "labelled=")
        self._side_data = known_data(**side_data)

    def join(self, labels: Labels, run: Run) -> Joined:
        """Labels and a run of some users, with what else is known."""
        return with_extra(join(labels, run, part=True), labelled=self._labelled, **self._side_data)

    def add(self, joined: Joined) -> None:
        """Add these users; an InputError where they do not fit those before."""
        definitions = self.partial.definitions
        if not self.partial.users:
            self._respelled = respelled_ids(joined)
        found = aggregated(joined, [*definitions.values()], per_user=self._on_part is not None)
        if self._on_part is not None:
            self._on_part(joined, found)
        part = PartOfUsers.of(joined, found, digests=self._digests, before=self.partial.part.counted)
        self.partial = self.partial.merge(replace(self.partial, part=part))
        self.grades.look(joined)
        self._notes |= dict.fromkeys(input_notes(joined, definitions.values()))

    def compute(self, on_error: Errors = "raise") -> Result:
        """The numbers of all users so far."""
        result = self.partial.compute_with(self._respelled, on_error)
        return replace(result, notes=(*result.notes, *self._notes))


@dataclass(frozen=True, eq=False)
class Batch:
    """What is kept of the users of one batch."""

    users: Ids
    labelled: Mask
    """Who is in the labels, be it without a row, shape (users,)."""
    values: list[UserValues | None]
    """By definition, None where its sums are enough."""
    library: str
    """The library whose table the run came in."""


def kept_values(found: Aggregate) -> UserValues | None:
    """The values of users, where they were requested or the mean is made of them; None where sums are enough."""
    return found.users if found.per_user or MeanTraits.of(found.mean).keeps is None else None


_OTHER_NAMES = {
    "labels": ("target", "targets", "truth", "ground_truth", "y_true", "qrels", "references"),
    "run": ("preds", "predictions", "y_pred", "y_score", "scores", "rankings", "results"),
}
"""What other libraries call the arguments of `update`."""


def _refusing_other_names(update: Callable[P, None]) -> Callable[P, None]:
    """Refuse the names that other libraries have for labels and run, and say those of this one."""

    @wraps(update)
    def call(*args: P.args, **kwargs: P.kwargs) -> None:
        found = {ours: name for ours, names in _OTHER_NAMES.items() for name in names if name in kwargs}
        if found:
            wrong = f"update(labels, run) has no {' and no '.join(f'{name}=' for name in found.values())}"
            pairs = ", ".join(f"{ours}={name}" for ours, name in found.items())
            raise InputError(wrong, do=f"Labels come first: update({pairs}).")
        update(*args, **kwargs)

    return call


class Evaluator:
    """Evaluate a run that comes in batches of users, as in a training loop.

    Parameters
    ----------
    metrics : MetricLike
        As `rc.evaluate` takes them.
    preset : PresetLike, optional
        The preset of metrics that name none.
    catalogue, train, item_features, parents, propensities, shown : optional
        What is known of items and users, as `rc.join` takes it: of all users, once.
    seen : optional
        Items that users already had, of all users, once; or of the users of a batch in each `update`.
    labelled : optional
        The items that any user has a label for, in all batches.
    per_user : bool, default True
        Whether values of users are kept.
    repeated_users : {"checked", "unchecked"}, default "checked"
        Whether ids are kept, so that a user who comes twice is an error. With `"unchecked"` and `per_user=False`
        memory does not grow.
    digests : bool, default True
        Whether digests of the data are made batch by batch, for signatures; without them these say `not-made`.

    Raises
    ------
    MetricError
        If a metric needs all users at once, or needs `labelled` and it is not given.

    Notes
    -----
    Of each batch the ids of its users are kept, and for each metric a value and a state per user (9 bytes), with
    weights or parts where the mean is made of them; with `per_user=False` sums and counts alone, where the mean is made
    of sums. Of metrics of all lists together, such as coverage, rows are counted.

    Several threads may use one evaluator: each call waits for the one before it, so that no batch is lost. Rows without
    ids are numbered in the order in which batches come.

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
        parents: Any = None,
        propensities: Any = None,
        shown: Any = None,
        seen: Any = None,
        labelled: Any = None,
        per_user: bool = True,
        repeated_users: RepeatedUsers = "checked",
        digests: bool = True,
    ) -> None:
        arguments.word(repeated_users, RepeatedUsers, "repeated_users")
        chosen = find_preset(HOUSE if preset is None else preset)
        self._preset, self._definitions = chosen.name, define(metrics, chosen)
        self._per_user, self._checks, self._digests = per_user, repeated_users == "checked", digests
        if per_user and not self._checks:
            do = "Say per_user=False, or leave repeated_users out."
            raise MetricError("values of users are kept with their ids, and these are then checked", do=do)
        check_summable(self._definitions, labelled=labelled is not None)
        self._labelled = None if labelled is None else items_of(labelled, "labelled=")
        self._side_data = known_data(catalogue, train, item_features, parents, propensities, shown)
        self._seen = None if seen is None else inputs.interactions(seen)
        self._first_rows = FirstRowsRead.of([*self._definitions.values()])
        self._one_at_a_time = RLock()
        self.reset()

    def __getstate__(self) -> dict[str, Any]:
        with self._one_at_a_time:
            lists_and_dicts = {
                "_batches": [*self._batches],
                "_batch_of": dict(self._batch_of),
                "_notes": dict(self._notes),
                "_respelled": dict(self._respelled),
            }
            return {name: one for name, one in vars(self).items() if name != "_one_at_a_time"} | lists_and_dicts

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _one_at_a_time=RLock())

    def reset(self) -> None:
        """Forget all batches."""
        with self._one_at_a_time:
            self._part = PartOfUsers.nobody([*self._definitions.values()], digests=self._digests)
            self._batches: list[Batch] = []
            self._batch_of: dict[Any, int] = {}
            self._notes: dict[str, None] = {}
            self._respelled: dict[str, None] = {}
            self._whole = WholeChecks()

    @property
    def size(self) -> int:
        """The number of users so far."""
        return self._part.counted.size

    @_refusing_other_names
    def update(self, labels: Any, run: Any = None, *, users: Sequence[Any] | None = None, seen: Any = None) -> None:
        """Add all labels and rows of some users.

        Parameters
        ----------
        labels : LabelsLike or Joined
            Labels of these users, or one `rc.join` of labels and run.
        run : RunLike, optional
            Their rankings.
        users : sequence, optional
            Ids of the rows of lists, arrays and tensors; without it they are numbered on from batch to batch. Say them
            where side data are of all users: an array with a row for each, a table, or a dict.
        seen : optional
            Items of these users that `exclude=seen` takes out: with as many rows as the batch, or of all users.

        Raises
        ------
        InputError
            If the data cannot be read, a user came in an earlier batch, or batches do not fit each other. Nothing of
            such a batch is kept.
        """
        with self._one_at_a_time:
            self._update(labels, run, users, seen)

    def _update(self, labels: Any, run: Any, users: Sequence[Any] | None, seen: Any) -> None:
        joined, parts = self._joined(labels, run, users, seen)
        said = () if self.size else respelled_ids(joined)
        found = aggregated(joined, [*self._definitions.values()], per_user=self._per_user, parts=parts)
        batch = Batch(
            joined.users,
            joined.label_rows_of >= 0,
            [*map(kept_values, found)],
            joined.library,
        )
        notes = dict.fromkeys(input_notes(joined, self._definitions.values()))
        part = PartOfUsers.of(joined, found, digests=self._digests, before=self._part.counted)
        self._add(part, [batch] if self._checks else [], notes, dict.fromkeys(said), WholeChecks.of(joined))

    def _joined(
        self, labels: Any, run: Any, users: Sequence[Any] | None, seen: Any
    ) -> tuple[Joined, Callable[[], Iterator[Part]] | None]:
        """Labels and rankings with what else is known; of a matrix of scores the first rows, and what reads all."""
        if isinstance(labels, Joined):
            return labels, None
        reads_seen = seen is not None or self._seen is not None
        cut = None if reads_seen or self._first_rows is None else self._first_rows.read(labels, run)
        known, ranked, grades = cut or (inputs.labels(labels), inputs.rankings(run), None)
        rows = BatchRows.of(known, ranked, users, self.size)
        for name, table in (("train=", self._side_data["train"]), ("seen=", self._seen)):
            rows.check_whose(table, name)
        if seen is not None and self._seen is not None:
            do = "Give them once: to rc.Evaluator of all users, or to update of each batch."
            raise InputError("seen= was given to the evaluator, and again with a batch", do=do)
        joined = join(rows.with_users(known), rows.with_users(ranked), part=True)
        had = self._seen if seen is None else rows.of_batch(inputs.interactions(seen), "seen=")
        joined = with_extra(joined, seen=had, labelled=self._labelled, **self._side_data)
        return joined, None if cut is None else lambda: whole_lists(joined, grades, None)

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
            if self._checks != (isinstance(other, Evaluator) and other._checks):
                do = 'Make both with per_user=False, repeated_users="unchecked", or both without.'
                raise MetricError("one of these keeps ids of users, and the other does not", do=do)
            if isinstance(other, Evaluator):
                check_same(self._definitions, other._definitions)
                with other._one_at_a_time:
                    added = other._part, [*other._batches], dict(other._notes), dict(other._respelled), other._whole
            else:
                check_same(self._definitions, other.definitions)
                added = other.part, [], {}, {}, WholeChecks()
            with self._one_at_a_time:
                self._add(*added)

    def _add(
        self,
        part: PartOfUsers,
        batches: Sequence[Batch],
        notes: dict[str, None],
        respelled: dict[str, None],
        whole: WholeChecks,
    ) -> None:
        """Add users, and what is kept of them where ids are; all or nothing."""
        number = len(self._batches) + 1
        for user in (user for batch in batches for user in batch.users.values.tolist()):
            if user in self._batch_of:
                raise InputError(
                    f"user {quoted(user)} came in batch {self._batch_of[user]}, and again in batch {number}",
                    do="Pass all labels and rows of a user in one batch.",
                )
        self._part = self._part.plus(part, [*self._definitions.values()], f"batch {number}" if batches else "")
        for batch in batches:
            self._batches.append(batch)
            self._batch_of |= dict.fromkeys(batch.users.values.tolist(), len(self._batches))
        self._notes |= notes
        self._respelled |= respelled
        self._whole = self._whole.plus(whole)

    def compute(self, on_error: Errors = "raise") -> Result:
        """Compute the metrics over all batches so far; more may follow.

        Users stand in the order in which they came, those with labels first.

        Parameters
        ----------
        on_error : {"raise", "collect"}, default "raise"
            As in `rc.evaluate`.

        Returns
        -------
        Result
            What one `rc.evaluate` of all batches gives, to the last bit.
        """
        arguments.word(on_error, Errors, "on_error")
        with self._one_at_a_time:
            result = self._result()
        if on_error == "raise":
            raise_first(result.errors)
        return result

    def _result(self) -> Result:
        self._whole.refuse()
        if not self._checks:
            result = self.partial().compute_with(self._respelled, "collect")
            return replace(result, notes=(*result.notes, *self._notes))
        ids, values = self._all_users()
        measured = self._part.measured([*self._definitions.values()], values, ids, per_user=self._per_user)
        by_spec = dict(zip(self._definitions, measured, strict=True))
        library = next((one.library for one in self._batches), "")
        signed = SignedData(self._definitions.values(), sums=self._part.digests.with_users(ids))
        notes = (*noted(self._part, self._respelled), *self._notes)
        return Result(self._preset, ids.values, by_spec, library=library, notes=notes, signed=signed)

    def _all_users(self) -> tuple[Ids, list[UserValues | None]]:
        """All users, those with labels first, and their values by definition."""
        labelled = np.concatenate([np.empty(0, bool), *(batch.labelled for batch in self._batches)])
        order = np.argsort(~labelled, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        ends = np.cumsum([0, *(len(batch.users) for batch in self._batches)])
        places = [place[start:end] for start, end in pairwise(ends)]
        strung = make_ids([user for batch in self._batches for user in batch.users.values.tolist()], "user")
        found = list[UserValues | None]()
        for at, one in enumerate(self._definitions.values()):
            whole = kept_values(Aggregate(one, len(order), self._per_user))
            for batch, there in zip(self._batches, places, strict=True):
                values = batch.values[at]
                if whole is not None and values is not None:
                    whole.include(values, there)
            found.append(whole)
        return Ids(strung.values[order], strung.kind), found

    def partial(self) -> Partial:
        """Return sums and counts that can be sent to another process and merged.

        Raises
        ------
        MetricError
            Unless made with `per_user=False, repeated_users="unchecked"`.
        """
        if self._checks:
            do = 'Evaluate with per_user=False, repeated_users="unchecked".'
            raise MetricError("ids of users are kept here, and a part has none", do=do)
        return Partial(self._preset, self._definitions, self._part)

    def __repr__(self) -> str:
        batches = f"{len(self._batches)} batches, " if self._checks else ""
        return f"Evaluator({self._preset}, {batches}{self.size} users; {', '.join(self._definitions)})"
