"""The numbers of a run that comes in batches of users, as in a training loop."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from rankconv import inputs
from rankconv.data.attributes import NeedsWholeLists
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.data.joined import put_together as join
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine.batches import Batch, PartCallback, PartOfUsers, all_together, put_together, spans_users
from rankconv.engine.metric_result import Measured
from rankconv.engine.run import measure
from rankconv.errors import InputError, MetricError
from rankconv.evaluation.joining import with_extra
from rankconv.evaluation.matrices import first_rows_of
from rankconv.evaluation.notes import input_notes
from rankconv.evaluation.partial import Partial, check_same, nobody
from rankconv.evaluation.result import Errors, Result, raise_first
from rankconv.inputs.reading import called, numbered_from, users_are_numbered
from rankconv.inputs.side_data import features as features_of
from rankconv.inputs.side_data import items_of
from rankconv.presets import arguments
from rankconv.presets.defining import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset

RepeatedUsers = Literal["checked", "unchecked"]
"""Whether ids are kept so that a user who comes twice is an error."""


def accumulate(
    metrics: Metrics,
    preset: str | Preset | None = None,
    *,
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
    labelled: Any = None,
    per_user: bool = True,
    repeated_users: RepeatedUsers = "checked",
) -> "Accumulator":
    """The empty accumulator that `rc.Evaluator` fills; its parameters and errors are those."""
    arguments.word(repeated_users, RepeatedUsers, "repeated_users")
    chosen = find_preset(HOUSE if preset is None else preset)
    side_data = _side_data(catalogue, train, item_features)
    definitions = define(metrics, chosen)
    if repeated_users == "checked":
        return Accumulator(chosen.name, definitions, side_data, per_user)
    if per_user:
        do = "Say per_user=False, or leave repeated_users out."
        raise MetricError("values of users are kept with their ids, and these are then checked", do=do)
    return of_nobody(chosen.name, definitions, side_data, labelled)


def of_nobody(
    preset: str, definitions: dict[str, Definition], side_data: dict[str, Any], labelled: Any = None
) -> "Unchecked":
    """Sums and counts of no user yet, for these definitions; raises as `accumulate` does."""
    items = None if labelled is None else items_of(labelled, "labelled=")
    empty = nobody(preset, definitions, labelled=labelled is not None)
    return Unchecked(empty, _side_data(**side_data) | {"labelled": items})


def _side_data(catalogue: Any = None, train: Any = None, item_features: Any = None) -> dict[str, Any]:
    """What the caller knows of users and items, read once for all batches."""
    return {
        "catalogue": catalogue,
        "train": None if train is None else inputs.interactions(train),
        "item_features": None if item_features is None else features_of(item_features),
    }


class Accumulator:
    """Numbers of batches of users; made by `rc.Evaluator`.

    Of each batch are kept the ids of its users and how many labels and rows they have, and for each number a value
    and a state per user (9 bytes), and weights or parts where the mean is made of them; with `per_user=False` sums and
    counts alone, where the mean is made of sums. The data is let go, but for definitions that look across users:
    those that pool all lists, and those for which an item is judged that any user has a label for. Their data is kept
    whole, and judged when the result is needed.
    """

    def __init__(
        self, preset: str, definitions: dict[str, Definition], side_data: dict[str, Any], per_user: bool
    ) -> None:
        self.preset, self._definitions = preset, definitions
        self._side_data, self._per_user = side_data, per_user
        self._across = [one for one in definitions.values() if spans_users(one)]
        self._by_user = [one for one in definitions.values() if not spans_users(one)]
        self._batches: list[Batch] = []
        self._batch_of: dict[Any, int] = {}
        self._notes: dict[str, None] = {}

    def update(
        self, labels: Any, rankings: Any = None, *, users: Sequence[Any] | None = None, seen: Any = None
    ) -> None:
        """Take all labels and rows of some users, in any form that `rc.evaluate` takes, or one `rc.join` of them.

        Lists, arrays and tensors with one row per user name no users: `users` names them, and without it they are
        numbered on from batch to batch. `seen` are items of these users that `exclude=seen` takes out.

        Raises InputError where the data cannot be read, for a user who came in a batch before, and where batches do
        not fit each other: ids as text and as integers, or scores in some of them only. Nothing of such a batch is
        taken.
        """
        for joined in self._in_turn(labels, rankings, users, seen):
            with suppress(NeedsWholeLists):
                batch = Batch.of(joined, self._by_user, self._per_user, keep_data=bool(self._across))
                break
        self._check(batch)
        self._add_notes(joined)
        self._batches.append(batch)
        self._batch_of |= dict.fromkeys(joined.users.values.tolist(), len(self._batches))

    @property
    def size(self) -> int:
        """How many users came so far."""
        return len(self._batch_of)

    def merge(self, other: "Accumulator | Partial") -> None:
        """Add the batches of another; nothing of it is kept where one does not fit."""
        if not isinstance(other, Accumulator) or isinstance(other, Unchecked):
            do = 'Make both with per_user=False, repeated_users="unchecked", or both without.'
            raise MetricError("one of these keeps ids of users, and the other does not", do=do)
        check_same(self._definitions, other._definitions)
        for batch in other._batches:
            self._check(batch)
        for batch in other._batches:
            self._batches.append(batch)
            self._batch_of |= dict.fromkeys(batch.users.values.tolist(), len(self._batches))
        self._notes |= other._notes

    def partial(self) -> Partial:
        """What can be sent and merged; a MetricError unless made with `repeated_users="unchecked"`."""
        do = 'Accumulate with per_user=False, repeated_users="unchecked".'
        raise MetricError("ids of users are kept here, and a part has none", do=do)

    def _add_notes(self, joined: Joined) -> None:
        """Keep what was assumed of a batch and what ordered its lists, each once."""
        self._notes |= dict.fromkeys(input_notes(joined, self._definitions.values()))

    def _in_turn(
        self, labels: Any, rankings: Any, users: Sequence[Any] | None, seen: Any, *, part: bool = False
    ) -> Iterator[Joined]:
        """The batch: of a matrix of scores the first rows of each list, and then all of it."""
        if isinstance(labels, Joined):
            yield labels
            return
        cut = None if seen is not None or self._across else first_rows_of(labels, rankings, self._by_user)
        if cut is not None:
            yield self._joined(labels, rankings, *cut, users, seen, part)
        yield self._joined(labels, rankings, inputs.labels(labels), inputs.rankings(rankings), users, seen, part)

    def _joined(
        self, labels: Any, rankings: Any, known: Labels, ranked: Run, users: Sequence[Any] | None, seen: Any, part: bool
    ) -> Joined:
        """Labels and rankings, which were read, with the ids of their users and what else is known."""
        bare = [users_are_numbered(labels), users_are_numbered(rankings)]
        if users is not None:
            if not any(bare):
                raise InputError("users= names the rows of lists and arrays", do="Leave it out: these data name users.")
            known = called(known, users) if bare[0] else known
            ranked = called(ranked, users) if bare[1] else ranked
        elif all(bare):
            first = self.size
            known, ranked = numbered_from(known, first), numbered_from(ranked, first)
        return with_extra(join(known, ranked, part=part), seen, **self._side_data)

    def _check(self, batch: Batch) -> None:
        """An InputError where this batch does not fit those before it."""
        number = len(self._batches) + 1
        for user in batch.users.values.tolist():
            if user in self._batch_of:
                raise InputError(
                    f"user {quoted(user)} came in batch {self._batch_of[user]}, and again in batch {number}",
                    do="Pass all labels and rows of a user in one batch.",
                )
        for before in self._batches:
            unlike = before.unlike(batch)
            if unlike:
                raise InputError(f"batch {number} {unlike}", do="Pass all batches in the same form.")

    def compute(self, on_error: Errors = "raise") -> Result:
        """The numbers of all batches so far; `on_error` as in `rc.evaluate`. More batches may follow.

        Users stand in the order in which they came, those with labels first.
        """
        arguments.word(on_error, Errors, "on_error")
        users, of_batches = put_together(self._batches, self._by_user, self._per_user)
        found = {id(one.definition): one for one in [*of_batches, *self._measured_across()]}
        by_spec = {spec: found[id(definition)] for spec, definition in self._definitions.items()}
        library = next((batch.library for batch in self._batches), "")
        result = Result(self.preset, users.values, by_spec, library=library, notes=tuple(self._notes))
        if on_error == "raise":
            raise_first(result.errors)
        return result

    def _measured_across(self) -> list[Measured]:
        if not self._across:
            return []
        data = all_together([batch.data for batch in self._batches if batch.data is not None])
        return measure(data, self._across, None, per_user=self._per_user)

    def __repr__(self) -> str:
        texts = ", ".join(self._definitions)
        return f"Accumulator({self.preset}, {len(self._batches)} batches, {self.size} users; {texts})"


class Unchecked(Accumulator):
    """Sums and counts of batches of users whose lists are not kept; made by `rc.Evaluator`, which says how.

    Each `update` takes all that there is of some users; a user who comes in two of them counts as two.
    """

    def __init__(self, empty: Partial, side_data: dict[str, Any]) -> None:
        """`empty` is the part without a user, which knows what is requested."""
        super().__init__(empty.preset, empty.definitions, side_data, per_user=False)
        self._partial = empty
        self.on_part: PartCallback | None = None
        """Called with each user, where someone listens."""

    @property
    def size(self) -> int:
        """How many users came so far."""
        return self._partial.users

    def update(
        self, labels: Any, rankings: Any = None, *, users: Sequence[Any] | None = None, seen: Any = None
    ) -> None:
        """Take all labels and rows of some users, in any form that `rc.evaluate` takes, or one `rc.join` of them.

        Raises InputError where the data cannot be read, or do not fit those before; nothing of them is then taken.
        """
        for joined in self._in_turn(labels, rankings, users, seen, part=True):
            with suppress(NeedsWholeLists):
                found = PartOfUsers.of(joined, [*self._definitions.values()], self.on_part)
                break
        self._add_notes(joined)
        self._partial = self._partial.merge(Partial(self.preset, self._definitions, found))

    def merge(self, other: "Accumulator | Partial") -> None:
        """Add the sums and counts of another."""
        self._partial = self._partial.merge(other.partial() if isinstance(other, Accumulator) else other)

    def partial(self) -> Partial:
        """What came so far, to be sent and merged."""
        return self._partial

    def compute(self, on_error: Errors = "raise") -> Result:
        """The numbers of all batches so far; `on_error` as in `rc.evaluate`. More batches may follow."""
        return replace(self._partial.compute(on_error), notes=tuple(self._notes))

    def __repr__(self) -> str:
        return f"Accumulator({self.preset}, {self.size} users; {', '.join(self._definitions)})"
