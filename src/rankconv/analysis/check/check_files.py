"""Files checked within a budget of memory: what is seen of each batch of users adds up."""

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rankconv.analysis.check.batches import Files, Looking, Turning
from rankconv.analysis.findings.data import Asked, Place, Spelled, Spelling, Turn, alike, respelled
from rankconv.analysis.findings.impact import Ways
from rankconv.analysis.findings.known import Known, LookedAt, undecided
from rankconv.analysis.findings.lints import LINTS
from rankconv.analysis.findings.seen import Seen
from rankconv.data.ids import make_ids
from rankconv.data.labels_and_rankings import Labels
from rankconv.data.raw_ids import unite
from rankconv.engine.measured import Measured
from rankconv.engine.summed import spanning
from rankconv.errors import InputError, MetricError
from rankconv.evaluation.budget import Memory
from rankconv.evaluation.within import Paths, budget_of, sides_of
from rankconv.inputs.parts import folder_in
from rankconv.inputs.sides import ROWS, Side, in_file_order

if TYPE_CHECKING:
    import polars as pl


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
        why = "ids-alike was not looked for: there are more different ids than fit the memory"
        return IdsOfFiles(Spelling(), unknown=f"{why}, and it compares all of them.")
    both = {role: (_spelled(labels, role, known[role]), _spelled(run, role, ranked[role])) for role in ROLES}
    spelling = Spelling(alike("user", *both["user"]), alike("item", *both["item"]))
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
    asked: Asked,
    memory: str | int,
    stack: ExitStack,
    *,
    beside: Mapping[str, Any],
    train: Labels | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    columns: Mapping[str, Any] | None = None,
    progress: bool | None = None,
) -> tuple[Known, Anew, IdsOfFiles]:
    """What is known of all users in these files and folders of parts, what measures anew, and how ids are spelled.

    Temporary files are there as long as the `stack` is open. Raises what `rc.evaluate` does with `memory=`, and
    MetricError for a number that looks at the labels of all users beside training data.
    """
    folder = folder_in(stack, temp_dir)
    given = Memory.now(memory)
    known, runs = sides_of(labels, {"": run}, given, columns, stack, folder)
    budget = budget_of(given, known, runs)
    with in_file_order(known, runs[""]):
        ids = ids_of_files(known, runs[""], budget.sharing().for_counts)
    files = Files(known, runs[""], budget, beside, train, {"temp_dir": temp_dir, "progress": progress})
    _refuse_spanning(asked, files)
    mended = _mended(files, ids)
    read = files if ids.matching else mended
    measured, at, seen = _looked_at(read, asked)
    spelled = bool(ids.matching and ids.spelling.found)
    return Known(asked, measured, at, seen, ids.spelling, spelled), partial(_anew, read, mended, asked), ids


def _refuse_spanning(asked: Asked, files: Files) -> None:
    """Which items have a label that was not learned from is known of all users alone."""
    for (preset, metric), one in asked.definitions.items():
        if spanning(one) and files.train is not None:
            wrong = f"{spanning(one)} looks at the labels of all users, and with train= some are taken out"
            do, shell = (f"Leave the number out, or {name}." for name in ("memory=", "--memory"))
            raise MetricError(wrong, where=f"{preset}:{metric}", do=do, shell=shell)


def _mended(files: Files, ids: IdsOfFiles) -> Files:
    """Both sides of the files with one spelling for each id."""
    users, items = ids.spelling.users, ids.spelling.items
    known = replace(files.labels, respelled={"user": users.in_labels, "item": items.in_labels})
    return replace(files, labels=known, run=replace(files.run, respelled={"user": users.in_run, "item": items.in_run}))


def _looked_at(files: Files, asked: Asked) -> tuple[dict[Place, Measured], LookedAt, dict[str, Seen]]:
    """What was measured and seen; values are looked at anew where all data decide some of the numbers."""
    named = {f"{preset}:{metric}": one for (preset, metric), one in asked.definitions.items()}
    looking = Looking(files, asked, list(LINTS), list(asked.definitions))
    measured = dict(zip(asked.definitions, files.go_through(asked, named, looking), strict=True))
    seen, own = dict(looking.seen), undecided(measured)
    again = [name for name, one in seen.items() if LINTS[name].reads_values and one.count and len(own) < len(measured)]
    if again:
        looking_again = Looking(files, asked, again, own)
        files.go_through(asked, named, looking_again)
        seen |= looking_again.seen
    return measured, looking.at, seen


def _anew(files: Files, mended: Files, asked: Asked, others: Ways) -> dict[Turn | None, list[Measured]]:
    """What comes out of each way, all in one pass but for those of mended ids."""
    each = {turn: {str(place): way.definition for place, way in enumerate(some)} for turn, some in others.items()}
    turned = {turn: some for turn, some in each.items() if turn not in (None, respelled)}
    found: dict[Turn | None, list[Measured]] = {}
    if None in each or turned:
        turning = Turning(files, asked, turned)
        found[None] = files.go_through(asked, each.get(None, {}), turning)
        found |= turning.measured
    if respelled in each:
        found[respelled] = mended.go_through(asked, each[respelled], Turning(mended, asked, {}))
    return found
