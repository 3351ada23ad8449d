"""The different ids of files, and whether those of labels and run are spelled alike."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankconv.analysis.findings.data import Spelled, Spelling, alike
from rankconv.data.ids import make_ids
from rankconv.data.raw_ids import unite
from rankconv.errors import InputError
from rankconv.inputs.sides import ROWS, Side

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
