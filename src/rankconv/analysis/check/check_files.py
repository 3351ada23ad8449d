"""Files checked within a budget of memory: what is seen of each batch of users adds up."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from rankconv.analysis.findings.data import (
    CheckedMetrics,
    Data,
    Place,
    Spelled,
    Spelling,
    Turn,
    matching_ids,
    respelled,
)
from rankconv.analysis.findings.lint import Known, LookedAt, Ways, undecided
from rankconv.analysis.findings.lints import LINTS
from rankconv.analysis.findings.tally import Seen
from rankconv.data.ids import make_ids, unite
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured
from rankconv.engine.summed import spanning
from rankconv.errors import InputError, MetricError
from rankconv.evaluation.accumulate import Unchecked, of_nobody
from rankconv.evaluation.joining import read_side_data
from rankconv.evaluation.streaming import Budget, Listener, Memory, Paths, budget_of, sides_of, within
from rankconv.inputs.pieces import folder_in
from rankconv.inputs.sides import ROWS, Side, in_file_order
from rankconv.presets.definition import Definition

if TYPE_CHECKING:
    import polars as pl


A_COUNT = 4
"""Times as much memory as counts of items take is needed while others are added to them."""


@dataclass(frozen=True, eq=False)
class Files:
    """Both sides, and how they are gone through."""

    labels: Side
    run: Side
    memory: Budget
    side_data: Mapping[str, Any]
    """What is known of users and items, as `rc.Evaluator` takes it."""
    train: Labels | None
    how: Mapping[str, Any] = field(default_factory=dict)
    """The folder for temporary files, and whether a bar is shown."""

    def go_through(
        self, checked: CheckedMetrics, definitions: Mapping[str, Definition], listener: "Hearing"
    ) -> list[Measured]:
        """What comes out of each definition; the listener receives all users."""

        def made(labelled: Any = None) -> Unchecked:
            listener.labelled = labelled
            return of_nobody("", dict(definitions), dict(self.side_data), labelled)

        spans = any(map(spanning, checked.definitions.values()))
        counts = {"labelled": spans, "counting": True, "definitions": len(definitions), "each": {"": listener}}
        found = within(self.labels, self.run, made, self.memory, **counts, **self.how)
        return list(found.compute("collect").by_spec.values())

    def part(self, joined: Joined, checked: CheckedMetrics, values: Mapping[Place, Any]) -> Data:
        """The data of some users."""
        trained = None if self.train is None else read_side_data(self.train, joined, "the training data")
        return Data(joined, checked, values, train=trained)


class Hearing(Listener, Protocol):
    """One who receives each user, and which items have labels."""

    labelled: Any


class Looking:
    """Adds up what lints see, while batches of users go by."""

    def __init__(self, files: Files, checked: CheckedMetrics, lints: Sequence[str], places: Sequence[Place]) -> None:
        """Values are looked at of the numbers at these `places`."""
        self._files, self._checked_metrics, self._lints, self._places = files, checked, lints, places
        self.labelled: Any = None
        self.begin()

    def begin(self) -> None:
        """Forget the users that there were."""
        self.at, self.seen = LookedAt(), dict[str, Seen]()

    @property
    def bytes(self) -> int:
        """Bytes of memory that grow with the items."""
        popular = getattr(self.seen.get("too-good"), "items", self.at.items)
        return A_COUNT * (self.at.items.bytes + popular.bytes)

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Look at these users, and at the values that they have under each definition."""
        each = dict(zip(self._checked_metrics.definitions, found, strict=True))
        data = self._files.part(
            joined, self._checked_metrics, {place: each[place].of_each[0] for place in self._places}
        )
        self.at += LookedAt.of(joined)
        for name in self._lints:
            seen = LINTS[name].look(data)
            self.seen[name] = self.seen[name] + seen if name in self.seen else seen


class Turning:
    """Adds up what comes out of other data in the place of these, while batches of users go by."""

    def __init__(self, files: Files, checked: CheckedMetrics, others: Mapping[Turn, Mapping[str, Definition]]) -> None:
        self._files, self._checked_metrics, self._others = files, checked, others
        self.labelled: Any = None
        """The items that any user has a label for, where some number asks for them."""
        self._numbers: dict[Turn, Unchecked] = {}

    def begin(self) -> None:
        """Forget the users that there were."""
        side_data = dict(self._files.side_data)
        others = self._others.items()
        self._numbers = {turn: of_nobody("", dict(each), side_data, self.labelled) for turn, each in others}

    @property
    def bytes(self) -> int:
        """Bytes of memory that grow with the data."""
        return sum(one.held for numbers in self._numbers.values() for one in numbers.partial().part.summed)

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the other data of these users."""
        data = self._files.part(joined, self._checked_metrics, {})
        for turn, numbers in self._numbers.items():
            numbers.update(turn(data))

    @property
    def measured(self) -> dict[Turn | None, list[Measured]]:
        """What came out, by the data."""
        return {turn: list(one.compute("collect").by_spec.values()) for turn, one in self._numbers.items()}


ROLES = ("user", "item")
TIMES = 8
"""So many times as much memory as different ids take is needed to compare their spellings."""


@dataclass(frozen=True)
class IdsOfFiles:
    """How ids are spelled in files."""

    spelling: Spelling
    matching: bool = True
    """Whether they match as far as they must, so that data can be evaluated as they are."""
    unknown: str = ""
    """Why they were not looked at, in words; empty where they were."""


def ids_of_files(labels: Side, run: Side, most: int) -> IdsOfFiles:
    """How the ids of these sides are spelled, where `most` bytes may be taken for them.

    Integers on both sides have one spelling, and are not looked at.
    """
    kinds = labels.kinds, run.kinds
    if all(each.get(role, "integer") == "integer" for each in kinds for role in ROLES):
        return IdsOfFiles(Spelling())
    found = [_different(side, most // len(kinds)) for side in (labels, run)]
    known, ranked = found
    if known is None or ranked is None:
        why = "respelled-ids was not looked for: there are more different ids than fit the memory"
        return IdsOfFiles(Spelling(), unknown=f"{why}, and it compares all of them.")
    both = {role: (_spelled(labels, role, known[role]), _spelled(run, role, ranked[role])) for role in ROLES}
    spelling = Spelling(matching_ids("user", *both["user"]), matching_ids("item", *both["item"]))
    matching = all(_match(role, known[role], ranked[role], both[role]) for role in ROLES)
    return IdsOfFiles(spelling, matching or not spelling.found)


def _different(side: Side, most: int) -> "dict[str, pl.Series] | None":
    """The different ids of each role; None where they are more than so many bytes allow."""
    import polars as pl

    pieces: dict[str, list[pl.Series]] = {role: [] for role in ROLES}
    sizes = dict.fromkeys(ROLES, 0)
    for table in side.batches(ROWS):
        for role, some in pieces.items():
            some.append(table[role].drop_nulls().unique())
            if sum(map(len, some)) > 2 * sizes[role] + ROWS:
                pieces[role] = [_together(some)]
                sizes[role] = len(pieces[role][0])
        if TIMES * sum(one.estimated_size() for some in pieces.values() for one in some) > most:
            return None
    return {role: _together(some) for role, some in pieces.items()}


def _together(pieces: "Iterable[pl.Series]") -> "pl.Series":
    import polars as pl

    each = list(pieces)
    return pl.concat(each).unique() if each else pl.Series([], dtype=pl.String)


def _spelled(side: Side, role: str, ids: "pl.Series") -> Spelled:
    import polars as pl

    return Spelled(side.kinds.get(role, "none"), len(ids), lambda: ids.cast(pl.String))


def _match(role: str, known: "pl.Series", ranked: "pl.Series", both: tuple[Spelled, Spelled]) -> bool:
    """Whether the ids of a role match: users where some are on both sides, items where spelling is not at fault."""
    kinds = {one.kind for one in both}
    if kinds & {"none", "compound"}:
        return True
    if len(kinds) > 1:
        return False
    if known.is_in(ranked.implode()).any():
        return True
    return role == "item" and _may_differ(known.to_list(), ranked.to_list())


def _may_differ(known: list[Any], ranked: list[Any]) -> bool:
    """Whether items that are all different may be so, as where data are put together."""
    try:
        unite(make_ids(known, "item"), make_ids(ranked, "item"), "item")
    except InputError:
        return False
    return True


Anew = Callable[[Ways], dict[Turn | None, list[Measured]]]
"""What comes out of other ways to take what was found."""


def known_of_files(
    labels: Paths,
    run: Paths,
    checked: CheckedMetrics,
    memory: str | int,
    stack: ExitStack,
    *,
    side_data: Mapping[str, Any],
    train: Labels | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> tuple[Known, Anew, IdsOfFiles]:
    """What is known of all users in these files and folders of parts, what measures anew, and how ids are spelled.

    Temporary files are there as long as the `stack` is open. Raises what `rc.evaluate` does with `memory=`, and
    MetricError for a number that looks at the labels of all users with training data.
    """
    folder = folder_in(stack, temp_dir)
    given = Memory.now(memory)
    known, runs = sides_of(labels, {"": run}, given, columns, stack, folder)
    budget = budget_of(given, known, runs)
    with in_file_order(known, runs[""]):
        ids = ids_of_files(known, runs[""], budget.sharing().for_counts)
    files = Files(known, runs[""], budget, side_data, train, {"temp_dir": temp_dir, "progress": progress})
    _refuse_spanning(checked, files)
    mended = _mended(files, ids)
    read = files if ids.matching else mended
    measured, at, seen = _looked_at(read, checked)
    spelled = bool(ids.matching and ids.spelling.found)
    return Known(checked, measured, at, seen, ids.spelling, spelled), partial(_anew, read, mended, checked), ids


def _refuse_spanning(checked: CheckedMetrics, files: Files) -> None:
    """Which items have a label that was not learned from is known of all users alone."""
    for (preset, metric), one in checked.definitions.items():
        if spanning(one) and files.train is not None:
            wrong = f"{spanning(one)} looks at the labels of all users, and with train= some are taken out"
            do, shell = (f"Leave the number out, or {name}." for name in ("memory=", "--memory"))
            raise MetricError(wrong, where=f"{preset}:{metric}", do=do, shell=shell)


def _mended(files: Files, ids: IdsOfFiles) -> Files:
    """Both sides of the files with one spelling for each id."""
    users, items = ids.spelling.users, ids.spelling.items
    known = replace(files.labels, respelled={"user": users.in_labels, "item": items.in_labels})
    return replace(files, labels=known, run=replace(files.run, respelled={"user": users.in_run, "item": items.in_run}))


def _looked_at(files: Files, checked: CheckedMetrics) -> tuple[dict[Place, Measured], LookedAt, dict[str, Seen]]:
    """What was measured and seen; values are looked at anew where all data decide some of the numbers."""
    named = {f"{preset}:{metric}": one for (preset, metric), one in checked.definitions.items()}
    looking = Looking(files, checked, list(LINTS), list(checked.definitions))
    measured = dict(zip(checked.definitions, files.go_through(checked, named, looking), strict=True))
    seen, own = dict(looking.seen), undecided(measured)
    again = [name for name, one in seen.items() if LINTS[name].reads_values and one.count and len(own) < len(measured)]
    if again:
        looking_again = Looking(files, checked, again, own)
        files.go_through(checked, named, looking_again)
        seen |= looking_again.seen
    return measured, looking.at, seen


def _anew(files: Files, mended: Files, checked: CheckedMetrics, others: Ways) -> dict[Turn | None, list[Measured]]:
    """What comes out of each way, all in one pass but for those of mended ids."""
    each = {turn: {str(place): way.definition for place, way in enumerate(some)} for turn, some in others.items()}
    turned = {turn: some for turn, some in each.items() if turn not in (None, respelled)}
    found: dict[Turn | None, list[Measured]] = {}
    if None in each or turned:
        turning = Turning(files, checked, turned)
        found[None] = files.go_through(checked, each.get(None, {}), turning)
        found |= turning.measured
    if respelled in each:
        found[respelled] = mended.go_through(checked, each[respelled], Turning(mended, checked, {}))
    return found
