"""The numbers of files with more rows than memory holds: a batch of whole users at a time, within a budget."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.errors import InputError
from rankconv.evaluation.accumulate import Accumulator, Unchecked
from rankconv.evaluation.budget import Budget, Memory
from rankconv.evaluation.in_parts import InParts, Rows, Taken, Tell, of_sorted
from rankconv.inputs.columns import of_side
from rankconv.inputs.parts import OutOfOrderError, folder_in
from rankconv.inputs.reader import ColumnSpec
from rankconv.inputs.sides import Side, gives_batches, in_file_order, spooled
from rankconv.progress import watching

Paths = Any
"""The path of a file or a folder, several of them, or a table that comes as a stream of Arrow batches."""
Make = Callable[..., Accumulator]


class Listener(Protocol):
    """One who is told of each user as batches go by."""

    @property
    def bytes(self) -> int:
        """Of memory that grows with the users."""

    def begin(self) -> None:
        """Forget the users that there were: they come again from the first on."""

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the users of a batch, and what became of them under each definition."""


def within(labels: Paths, run: Paths, make: Make, memory: str | int | Budget, **how: Any) -> Accumulator:
    """The sums and counts of all users in these files and folders of parts: `within_each` with one run."""
    return within_each(labels, {"": run}, make, memory, **how)[""]


def within_each(
    labels: Paths,
    runs: Mapping[str, Paths],
    make: Make,
    memory: str | int | Budget,
    *,
    labelled: bool = False,
    counting: bool = False,
    definitions: int = 1,
    each: Mapping[str, Listener] | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> dict[str, Accumulator]:
    """For each run the sums and counts of all users in these files and folders of parts, with no more memory than that.

    `make` makes an accumulator that keeps no user; with `labelled` the labels are read before, once, and it is given
    the items that they have. With `counting` half of the memory is for what is counted of all lists and users.
    `each` has the one who is told of the users of a run, by its name; the values of `definitions` are then held.
    Sides whose users rise are read once, side by side; others are first divided by user into files under `temp_dir`,
    the labels once for all runs.
    Raises InputError for files that cannot be read, for a budget that is too small, and for a user whose rows do not
    fit it, with the memory that they need.
    """
    with ExitStack() as stack:
        folder = folder_in(stack, temp_dir)
        given = memory if isinstance(memory, Budget) else Memory.now(memory)
        known, sides = sides_of(labels, runs, given, columns, stack, folder)
        budget = given if isinstance(given, Budget) else budget_of(given, known, sides)
        budget = budget.holding(definitions) if each else budget
        if counting:
            budget = budget.sharing()
        stack.enter_context(in_file_order(known, *sides.values()))
        if labelled:
            make = partial(make, labelled=known.items())
        found = {}
        parts = InParts(known, max((side.rows for side in sides.values()), default=0), budget, folder, len(sides))
        for name, ranked in sides.items():
            _check_kinds(known, ranked)
            listener = (each or {}).get(name)
            found[name] = _of_one(parts, ranked, partial(_made, make, listener), budget, listener, progress)
    return found


def budget_of(memory: Memory, known: Side, runs: Mapping[str, Side]) -> Budget:
    """How many rows of these sides are held; an InputError for too little memory."""
    with in_file_order(known, *runs.values()):
        kinds = [kind for side in (known, *runs.values()) for kind in side.kinds.values()]
    return Budget.of(memory, text=any(kind != "integer" for kind in kinds))


def _of_one(
    parts: InParts,
    ranked: Side,
    made: Callable[[], Accumulator],
    budget: Budget,
    listener: Listener | None,
    progress: bool | None,
) -> Accumulator:
    """One run: side by side with the labels, or in parts where users do not rise."""
    held = (lambda: 0) if listener is None else lambda: listener.bytes
    with watching(progress, "rows") as shown:
        tell = Tell(Rows(max(parts.labels.rows + ranked.rows, 1)), shown)
        try:
            return of_sorted(parts.labels, ranked, Taken((parts.labels, ranked), made(), budget, held), tell)
        except OutOfOrderError:
            return parts.judge(ranked, Taken((parts.labels, ranked), made(), budget, held), tell)


def _made(make: Make, each: Listener | None) -> Accumulator:
    """Numbers of nobody yet, whose users are told from the first on."""
    numbers = make()
    if each is not None:
        assert isinstance(numbers, Unchecked)
        each.begin()
        numbers.told = each.add
    return numbers


def sides_of(
    labels: Paths,
    runs: Mapping[str, Paths],
    memory: Memory | Budget,
    columns: Mapping[str, Any] | None,
    stack: ExitStack,
    folder: Callable[[], Path],
) -> tuple[Side, dict[str, Side]]:
    """Labels and each run as they are read batch by batch; sides that were made before stay as they are.

    Tables that come as streams are computed once, and packed files unpacked, into the `folder`, which is only asked for
    then; files are there until the `stack` is closed. Raises InputError for what is wrong with files, and before any is
    read for memory that is too little for all.
    """
    if isinstance(memory, Memory):
        Budget.of(memory, text=None)
    named = {role: name for role, name in of_side(columns, "labels").items() if role != "group"}
    wanted = ColumnSpec("rankings", of_side(columns, "run"))
    known = _side(labels, ColumnSpec("labels", named), stack, folder)
    with in_file_order(known):
        return known, {name: _side(run, wanted, stack, folder) for name, run in runs.items()}


def _side(given: Any, wanted: ColumnSpec, stack: ExitStack, folder: Callable[[], Path]) -> Side:
    """One side: files and folders of parts, or a table that is first written to a folder for temporary files."""
    if isinstance(given, Side):
        return given
    if gives_batches(given):
        return spooled(given, wanted, folder())
    paths = [Path(one) for one in ([given] if isinstance(given, str | os.PathLike) else given)]
    return Side.of(paths, wanted, stack, folder)


def _check_kinds(known: Side, ranked: Side) -> None:
    """An InputError where ids are text on one side and integers on the other."""
    for what, kind in known.id_types.items():
        if ranked.id_types[what] != kind:
            wrong = (
                f"{what} ids are {kind} in the labels and {ranked.id_types[what]} in the rankings, so nothing can match"
            )
            raise InputError(wrong, do=f"Write those of both sides in one type: the column '{what}'")
