"""Files checked within a budget of memory: tallies of batches of users add up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rankconv.analysis.findings.data import CheckedMetrics, Data, Place, Turn, respelled
from rankconv.analysis.findings.finding import Tally
from rankconv.analysis.findings.label_lints import DifferentSpelling
from rankconv.analysis.findings.lint import LINTS, DataSize, Known
from rankconv.analysis.findings.moves import MeasuredAnew, Ways
from rankconv.analysis.findings.spelling import RESPELLED, OtherSpellings, Spelling
from rankconv.data.ids import Ids, TextIds
from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured
from rankconv.errors import InputError, MetricError
from rankconv.evaluation.joining import SharedData, read_side_data
from rankconv.inputs.sides import Side
from rankconv.presets.definition import Definition
from rankconv.streaming.evaluator import UserSums
from rankconv.streaming.files import Files, Listener
from rankconv.streaming.sums import spanning

ROLES = ("user", "item")
A_COUNT = 4
"""Times as much memory as counts of items take is needed while others are added to them."""


@dataclass(frozen=True, eq=False)
class CheckedFiles:
    """Both sides, and what is checked in them."""

    files: Files
    checked: CheckedMetrics
    side_data: SharedData
    """What is known of users and items, as `rc.Evaluator` takes it."""

    def read(self, definitions: Mapping[str, Definition], listener: Listener) -> list[Measured]:
        """Measure each definition; the listener receives all users."""
        spans = any(map(spanning, self.checked.definitions.values()))
        found = self.files.evaluate("", definitions, self.side_data, {"": listener}, labelled=spans)
        return list(found[""].compute("collect").by_spec.values())

    def respelled(self, spelling: Spelling) -> "CheckedFiles":
        """The sides whose ids have one spelling each, as `spelling` found them."""
        labels = replace(self.files.labels, respelled={role: {} for role in ROLES})
        run = replace(self.files.runs[""], respelled={"user": spelling.users.names, "item": spelling.items.names})
        return replace(self, files=replace(self.files, labels=labels, runs={"": run}))

    def part(self, joined: Joined) -> Data:
        """The data of some users."""
        train = self.side_data["train"]
        trained = None if train is None else read_side_data(train, joined, "the training data")
        return Data(joined, self.checked, train=trained)


class Tallies(Listener):
    """The tallies of all lints, and the size of the data."""

    def __init__(self, files: CheckedFiles) -> None:
        self._files = files
        self.begin()

    def begin(self, labelled: Ids | None = None) -> None:
        self.size, self.by_lint = DataSize(), dict[str, Tally]()

    @property
    def bytes(self) -> int:
        return A_COUNT * self.size.items.bytes

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        data = self._files.part(joined)
        self.size += DataSize.of(joined)
        for name, lint in LINTS.items():
            tally = lint.look(data)
            self.by_lint[name] = self.by_lint[name] + tally if name in self.by_lint else tally


class TurnedNumbers(Listener):
    """The numbers of other data in the place of these."""

    def __init__(self, files: CheckedFiles, others: Mapping[Turn, Mapping[str, Definition]]) -> None:
        self._files, self._others = files, others
        self._numbers: dict[Turn, UserSums] = {}

    def begin(self, labelled: Ids | None = None) -> None:
        self._numbers = {
            turn: UserSums("", dict(each), self._files.side_data, labelled) for turn, each in self._others.items()
        }

    @property
    def bytes(self) -> int:
        return sum(one.held for numbers in self._numbers.values() for one in numbers.partial.part.summed)

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        data = self._files.part(joined)
        for turn, numbers in self._numbers.items():
            numbers.add(turn(data))

    @property
    def measured(self) -> dict[Turn | None, list[Measured]]:
        """What came out, by the data."""
        return {turn: list(one.compute("collect").by_spec.values()) for turn, one in self._numbers.items()}


TIMES = 8
"""So many times as much memory as different ids take is needed to compare their spellings."""
NOT_COMPARED = (
    "respelled-ids was not looked for: there are more different ids than fit the memory, and it compares all of them."
)


def spelling_of(labels: Side, run: Side, most: int) -> Spelling | None:
    """How the ids of these sides are spelled; None where `most` bytes are too few to compare them.

    Integers on both sides have one spelling, and are not looked at.
    """
    if all(side.kinds.get(role, "integer") == "integer" for side in (labels, run) for role in ROLES):
        return Spelling()
    known, ranked = (_different(side, most // 2) for side in (labels, run))
    if known is None or ranked is None:
        return None
    return Spelling(*(OtherSpellings.between(role, known[role], ranked[role]) for role in ROLES))


def _different(side: Side, most: int) -> dict[str, Ids] | None:
    """The different ids of each role; None where they are more than so many bytes allow."""
    ids = side.different(most // TIMES)
    if ids is None:
        return None
    kinds = side.kinds
    return {
        role: TextIds(some) if kinds[role] == "text" else Ids(some.to_numpy(), kinds[role])
        for role, some in ids.items()
    }


def known_of_files(files: CheckedFiles) -> tuple[Known, Callable[[Ways], MeasuredAnew], str]:
    """What is known of all users in these files and folders of parts, what measures anew, and a note on their ids.

    Raises what `rc.evaluate` does with `memory=`, and MetricError for a number that looks at the labels of all users
    with training data.
    """
    known, ranked, budget = files.files.labels, files.files.runs[""], files.files.budget
    compared = spelling_of(known, ranked, budget.for_counts)
    spelling, note = compared or Spelling(), NOT_COMPARED if compared is None else ""
    _refuse_spanning(files)
    matched = files.respelled(spelling)
    try:
        measured, counted = _looked_at(files)
    except InputError:
        if not spelling.tally.count:
            raise
        files, note = matched, RESPELLED
        measured, counted = _looked_at(files)
    tallies = counted.by_lint | {DifferentSpelling.name: spelling.tally}
    has_respelled = bool(spelling.tally.count) and files is not matched
    known_of_all = Known(files.checked, measured, counted.size, tallies, has_respelled)
    return known_of_all, lambda others: _anew(files, matched, others), note


def _refuse_spanning(files: CheckedFiles) -> None:
    """Refuse numbers that need to know which items have a label that was not learned from: all users decide that."""
    for (preset, metric), one in files.checked.definitions.items():
        if spanning(one) and files.side_data["train"] is not None:
            wrong = f"{spanning(one)} looks at the labels of all users, and with train= some are taken out"
            do, shell = (f"Leave the number out, or {name}." for name in ("memory=", "--memory"))
            raise MetricError(wrong, where=f"{preset}:{metric}", do=do, shell=shell)


def _looked_at(files: CheckedFiles) -> tuple[dict[Place, Measured], Tallies]:
    """What was measured, and what was counted on the way."""
    definitions, tallies = files.checked.definitions, Tallies(files)
    named = {f"{preset}:{metric}": one for (preset, metric), one in definitions.items()}
    return dict(zip(definitions, files.read(named, tallies), strict=True)), tallies


def _anew(files: CheckedFiles, matched: CheckedFiles, others: Ways) -> MeasuredAnew:
    """What comes out of each way, all in one pass but for those of matched ids."""
    each = {turn: {str(place): way.definition for place, way in enumerate(some)} for turn, some in others.items()}
    turned = {turn: some for turn, some in each.items() if turn not in (None, respelled)}
    found: dict[Turn | None, list[Measured]] = {}
    if None in each or turned:
        numbers = TurnedNumbers(files, turned)
        found[None] = files.read(each.get(None, {}), numbers)
        found |= numbers.measured
    if respelled in each:
        found[respelled] = matched.read(each[respelled], TurnedNumbers(matched, {}))
    return found
